"""Builds of an Adventure Game Studio game: what differs in each of them is no conflict."""

from __future__ import annotations

import json

from ags_games import game, package
from modded_games import changed
from overhaul import mods
from overhaul.ags.folder.game import FORMAT as knowledge
from overhaul.mods.merging import merge
from overhaul.mods.modfile import Mod
from overhaul.mods.values import compare
from overhaul.mods.view import opened

OLD = package(game())
RELEASE = package(game(compiled="3.6.0.99"))
GAME_JSON = "game.json"


def made(new: bytes, name: str = "mod") -> Mod:
    return mods.load(mods.make(OLD, new, name=name).to_bytes())


def test_the_release_of_the_editor_is_no_part_of_a_mod() -> None:
    (change,) = mods.diff(OLD, RELEASE).changes
    assert change.path == GAME_JSON
    assert change.lines() == ['compiled_with: "3.6.0.51" → "3.6.0.99"']
    mod = mods.make(OLD, RELEASE, name="release")
    assert not mod
    assert mod.left_out == []
    with opened(OLD) as view:
        assert view.fixed(GAME_JSON, "compiled_with")
        assert not view.fixed(GAME_JSON, "settings")
        assert not view.fixed("package.json", "compiled_with")
        assert view.fixed("rooms/1/room.json", "compiled_with")


def test_a_mod_of_another_editor_goes_on_the_update() -> None:
    def louder(text: str) -> str:
        shown = json.loads(text)
        shown["Settings"]["MaximumScore"] = 77
        return json.dumps(shown)

    mod = made(changed(RELEASE, {GAME_JSON: louder}))
    assert [*mod.patches] == [GAME_JSON]
    assert mods.apply(OLD, [mod]).data == changed(OLD, {GAME_JSON: louder})
    assert mods.apply(RELEASE, [mod]).data == changed(RELEASE, {GAME_JSON: louder})


def test_pointers_of_two_builds_do_not_disagree() -> None:
    base = {"pointers": [10, 20, 0], "characters_pointer": 5, "score": 1, "guis": [{"pointer": 3}]}
    one = {"pointers": [11, 25, 7], "characters_pointer": 9, "score": 2, "guis": [{"pointer": 4}]}
    two = {"pointers": [12, 22, 0], "characters_pointer": 8, "score": 1, "guis": [{"pointer": 9}]}
    both = [(0, [*compare(base, one)]), (1, [*compare(base, two)])]

    def counter(key: str) -> bool:
        return knowledge.meaning.counter("game.json", key)

    merged, clashes = merge(base, both, counter)
    assert clashes == []
    assert merged == {
        "pointers": [12, 25, 7],
        "characters_pointer": 9,
        "score": 2,
        "guis": [{"pointer": 9}],
    }
    assert merge(base, both[:1], counter) == (one, [])
    assert merge(base, both[::-1], counter)[0] == merged
    assert len(merge(base, both)[1]) > 2
    for key in ("pointer", "pointers", "message_pointers", "has_message", "global_script_pointer"):
        assert counter(key)
    assert not counter("hot_x")
