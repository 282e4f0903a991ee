"""``with game.edit():`` an exception leaves the game, and what callers hold, as they were."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image

from overhaul.gamemaker.data.audiogroup import AudioGroup
from overhaul.gamemaker.data.chunks.code import CodeArea
from overhaul.gamemaker.data.chunks.room import Layer, TileMap, TilesLayer
from overhaul.gamemaker.data.chunks.seqn import Path
from overhaul.gamemaker.data.chunks.sond import AudioList
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.code.language import Language
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.base import Resource
from overhaul.gamemaker.data.resources.edits import _HELD
from small_games import game_of


class Oops(Exception):
    """What goes wrong in these tests."""


def made() -> GameData:
    """A game with some of everything, as it was read: nothing is decoded."""
    game = game_of("2022.5")
    for name in ("spr_a", "spr_b"):
        game.sprites.add(name, frames=[Image.new("RGBA", (8, 8), (9, 9, 9, 255))])
    game.add_script("grow", "function grow(n) { return n + 1; }")
    game.add_event("obj_a", "Create_0", 'sprite_index = spr_b; t = "text";')
    game.audio_groups.add("audiogroup_music")
    layer = Layer(id=1, type=4, data=TilesLayer(width=2, height=1, tiles=TileMap("I", [1, 2])))
    game.records.rooms[0].layers.append(layer)
    return GameData.from_bytes(game.to_bytes())


def rename(game: GameData) -> None:
    game.objects.rename("obj_a", "obj_new")


def remove(game: GameData) -> None:
    game.sprites.remove("spr_b", force=True)
    game.objects.remove("obj_a")


def move(game: GameData) -> None:
    game.sprites.move("spr_b", 0)
    game.rooms.duplicate("rm_first", "rm_other")


def code(game: GameData) -> None:
    game.code["gml_Object_obj_a_Create_0"].gml = "brand_new = grow(2);"
    game.code["gml_Object_obj_a_Create_0"].record.bytecode.columns.value[:] += 1
    game.add_script("shrink", "function shrink() { return function() { }; }")


def strings(game: GameData) -> None:
    game.strings[0] = "another"
    game.strings[0] = "and another"
    game.strings += ["more"]
    game.strings.append("and more")


def pictures(game: GameData) -> None:
    game.set_frame("spr_a", 0, Image.new("RGBA", (8, 8), (200, 0, 0, 255)))
    game.sprites.add("spr_c", frames=[Image.new("RGBA", (9, 9))])
    assert game.sprites["spr_a"].frames[0].image is not None


def sounds(game: GameData) -> None:
    game.sounds.add("snd_a", WAV)
    game.sounds.add("snd_b", WAV, group="audiogroup_music")
    game.set_sound_bytes("snd_a", WAV + b"\0\0")


def tiles(game: GameData) -> None:
    game.records.rooms[0].layers[0].data.tiles[0] = 7


def tables(game: GameData) -> None:
    game.general.display_name = game.strings.add("Another name")
    game.warnings.append("a warning")
    del game.chunks["LANG"]


WAV = bytes.fromhex(
    "524946462c00000057415645666d742010000000010001002256000044ac0000020010006461746108000000"
    "0000010002000300"
)
EDITS = [rename, remove, move, code, strings, pictures, sounds, tiles, tables]


@pytest.mark.parametrize("decoded", [False, True], ids=["lazy", "decoded"])
@pytest.mark.parametrize("edit", EDITS)
def test_an_exception_takes_an_edit_back(edit: Callable[[GameData], None], decoded: bool) -> None:
    game = made()
    before = bytes(game.data)
    if decoded:
        game.load_all()
        held: list[Resource[Any]] = [game.objects["obj_a"], game.sprites["spr_b"], game.rooms[0]]
        names = [item.name for item in held]
        frame = np.asarray(game.sprites["spr_a"].frames[0].image)
        text = game.code["gml_Object_obj_a_Create_0"].gml
        string = game.strings[0]
    with pytest.raises(Oops), game.edit():
        edit(game)
        raise Oops
    assert game.to_bytes() == before
    assert dict(game.companions()) == {}
    assert game.warnings == []
    if decoded:
        assert [item.name for item in held] == names
        assert [item.index for item in held] == [0, 1, 0]
        assert np.array_equal(np.asarray(game.sprites["spr_a"].frames[0].image), frame)
        assert game.code["gml_Object_obj_a_Create_0"].gml == text
        assert (string.text, game.strings[0]) == (string, string)
    # and the game can be edited as before
    edit(game)
    other = made()
    edit(other)
    assert game.to_bytes() == other.to_bytes()


def test_an_edit_without_an_exception_stays() -> None:
    game = made()
    with game.edit():
        game.paths._add(Path(), "pth_new")
    assert game.paths.names() == ["pth_new"]
    assert game.when_decoded == []


def test_nested_edits_go_back_to_where_they_began() -> None:
    game = made()
    with game.edit():
        game.paths._add(Path(), "pth_kept")
        with pytest.raises(Oops), game.edit():
            game.paths._add(Path(), "pth_gone")
            game.objects.rename("obj_a", "obj_new")
            raise Oops
        assert game.paths.names() == ["pth_kept"]
    assert game.objects.names() == ["obj_a", "obj_a_b"]
    with pytest.raises(Oops), game.edit():
        with game.edit():
            game.objects.rename("obj_a", "obj_new")
        raise Oops
    assert game.objects.names() == ["obj_a", "obj_a_b"]


def test_references_made_in_the_edit_lead_to_what_they_led_to() -> None:
    game = made()
    game.load_all()
    game.records.sprites.references.clear()
    with pytest.raises(Oops), game.edit():
        game.sprites.move("spr_b", 0)
        there = game.records.sprites.reference_to("spr_b")
        gone = game.records.sprites.append(Sprite())
        raise Oops
    assert (there.index, there.name) == (1, "spr_b")
    assert gone.target is None
    assert game.records.sprites.reference(1) is there


def test_an_edit_of_strings_shows_the_old_ones_wherever_they_are_held() -> None:
    game = made()
    before = game.strings[0]
    with pytest.raises(Oops), game.edit():
        game.strings[0] = "first"
        first = game.strings[0]
        game.strings[0] = "second"
        second = game.strings[0]
        assert before.text == "second"
        raise Oops
    assert [item.text for item in (before, first, second)] == [str(before)] * 3


def test_nothing_is_decoded_for_an_edit() -> None:
    game = made()
    with game.edit():
        pass
    decoded = {name for name, slot in game.chunks.items() if slot.decoded}
    assert decoded <= {"TXTR", "STRG"}


@pytest.mark.parametrize("decoded", [False, True], ids=["lazy", "decoded"])
def test_reports_about_the_file_stay(decoded: bool) -> None:
    data = made().to_bytes()
    start = GameData.from_bytes(data).chunks["SOND"].start
    damaged = data[:start] + b"\x7f" + data[start + 1 :]  # more sounds than there is room for
    game = GameData.from_bytes(damaged)
    if decoded:
        game.load_all()
    with pytest.raises(Oops), game.edit():
        game.load_all()
        game.findings.warn("no-effect", "of the edit")
        raise Oops
    assert [each.code for each in game.findings] == ["kept-as-bytes"]
    assert game.to_bytes() == damaged


def test_an_addition_that_fails_at_the_last_event_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever fails, and not the compiler alone: the registering of the second piece of code."""
    game = made()
    before = game.to_bytes()
    codes = game.code.names()
    assign = Language.assign
    calls = []

    def fail(*args: Any, **options: Any) -> Any:
        calls.append(args)
        if len(calls) % 2 == 0:
            raise Oops
        return assign(*args, **options)

    monkeypatch.setattr(Language, "assign", fail)
    with pytest.raises(Oops):
        game.objects.add("obj_n", events={"Create_0": "fresh = 1;", "Step_0": "x = 1;"})
    with pytest.raises(Oops):
        game.timelines.add("tm_n", {1: "fresher = 1;", 2: "x = 1;"})
    assert game.code.names() == codes
    assert game.to_bytes() == before


#: attributes that lead back to the game, say where a file is, or are made again
APART = {"game", "images", "_textures", "source", "_coverage", "_keys"}


def test_the_table_of_what_objects_hold_is_complete() -> None:
    game = made()
    game.load_all()
    code = game.code["gml_Object_obj_a_Create_0"].record.bytecode
    files = game.audio_files.files
    group = AudioGroup(AudioList())
    holders: list[object] = [
        game.chunks["SPRT"], CodeArea([], code, np.zeros(0, np.int64)), code, code.columns,
        game.audio_files, files, group, game.painting,
    ]  # fmt: skip
    assert {type(holder) for holder in holders} == set(_HELD)
    for holder in holders:
        names = {
            *getattr(holder, "__dict__", {}),
            *(name for base in type(holder).__mro__ for name in getattr(base, "__slots__", ())),
        }
        assert names - APART == set(_HELD[type(holder)]), type(holder)
