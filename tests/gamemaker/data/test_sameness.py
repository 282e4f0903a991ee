"""Which code of two builds is the same, and what is learned from it once for both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import pytest

import overhaul
from modded_games import DOOR, KEEPER, Edit, changed, lantern, new_sprite, picture
from overhaul import mods
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code import sameness
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.pictures import PageImages
from overhaul.gamemaker.data_folder.code import Likeness, compare_entries
from overhaul.gml.vm.code import Code, FunctionReference

if TYPE_CHECKING:
    from overhaul.document.protocol import Each

EDITIONS = ("current", "gms1")
LINE = "hits = 1234;\n"
#: edits of one line, each of which changes one thing that instructions hold
LINES = {
    "a number": ("hits = 1234;\n", "hits = 1235;\n"),
    "a wide number": ("hits = 123456;\n", "hits = 123457;\n"),
    "a fraction": ("hits = 0.25;\n", "hits = 0.75;\n"),
    "a text": ('hits = "one";\n', 'hits = "two";\n'),
    "a variable": ("hits = 1;\n", "mana = 1;\n"),
    "its owner": ("hits = 1;\n", "global.hits = 1;\n"),
    "a function": ("hits = sin(1);\n", "hits = cos(1);\n"),
    "an operator": ("hits = mana + 1;\n", "hits = mana - 1;\n"),
    "an asset": ("hits = spr_wall;\n", "hits = spr_door;\n"),
    "how an array is reached": ("hits = mana[1];\n", "hits = mana.hits;\n"),
    "one line more": ("hits = 1;\n", "hits = 1;\nhits = 1;\n"),
}


def opened(data: bytes) -> GameData:
    game = overhaul.open(data)
    assert isinstance(game, GameData)
    return game


def same_entries(one: GameData, two: GameData) -> dict[str, bool]:
    """Whether each root is certainly the same in two games."""
    same = two.language.decompiled.same_code(one.language.decompiled)
    others = {str(root.name): root for root in two.language.index.roots}
    return {str(root.name): same(others[str(root.name)], root) for root in one.language.index.roots}


@cache
def with_line(edition: str, line: str) -> bytes:
    return changed(lantern(edition), {KEEPER: lambda text: line + text})


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("what", LINES)
def test_only_the_changed_entry_differs(edition: str, what: str) -> None:
    one, two = (opened(with_line(edition, line)) for line in LINES[what])
    found = same_entries(one, two)
    assert [name for name, is_same in found.items() if not is_same] == [
        "gml_Object_obj_keeper_Step_0"
    ]
    assert same_entries(one, two) == found  # what was compared before
    again = opened(with_line(edition, LINES[what][0]))
    assert all(same_entries(one, again).values())


@pytest.mark.parametrize("size", [1, 100])
def test_parts_of_the_code_show_what_all_shows(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = (opened(with_line("current", line)) for line in LINES[next(iter(LINES))])
    found = same_entries(one, two)
    monkeypatch.setattr(sameness, "_AT_ONCE", size)
    one, two = (opened(with_line("current", line)) for line in LINES[next(iter(LINES))])
    assert same_entries(one, two) == found
    assert list(found.values()).count(False) == 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_moved_tables_change_no_code(edition: str) -> None:
    """New texts, variables and functions come into the tables of the other game."""
    more = 'zz = string_upper("something new");\n'
    one = opened(lantern(edition))
    edits: dict[str, Edit] = {DOOR: lambda text: more + text}
    two = opened(changed(lantern(edition), edits))
    different = [name for name, is_same in same_entries(one, two).items() if not is_same]
    assert different == ["gml_Object_obj_door_Step_0"]
    assert [name for name, is_same in same_entries(two, one).items() if not is_same] == different


def test_a_game_changed_since_is_compared_again() -> None:
    one, two = opened(lantern()), opened(lantern())
    assert all(same_entries(one, two).values())
    two.code["gml_Object_obj_keeper_Step_0"].gml += 'zz = "something new";\n'
    found = same_entries(one, two)
    assert not found["gml_Object_obj_keeper_Step_0"]
    assert found["gml_Object_obj_door_Step_0"]


def test_numbers_of_moved_assets_are_looked_at() -> None:
    """Where numbers name other sprites, the same code may say another thing."""
    old = changed(lantern("gms1"), {KEEPER: lambda text: "sprite_index = spr_wall;\n" + text})
    order = opened(old).sprites
    number = next(n for n, sprite in enumerate(order) if sprite.name == "spr_wall")
    new = opened(old)
    new.sprites.move("spr_wall", (number + 1) % len(order))
    moved = opened(new.to_bytes())
    name = "gml_Object_obj_keeper_Step_0"
    same = compare_entries(opened(old).records.code[name], moved.records.code[name])
    assert same is not Likeness.SAME
    door = "gml_Object_obj_door_Step_0"
    assert compare_entries(opened(old).records.code[door], opened(old).records.code[door]) is (
        Likeness.SAME
    )


def names_read(game: GameData) -> list[str]:
    """The roots that the decompiler reads while it learns."""
    read: list[str] = []
    code = game.language.code

    def reading(root: CodeEntry) -> Code:
        read.append(str(root.name))
        return code(root)

    game.language.decompiled.decompiler.code.read = reading
    game.language.decompiled.learn()
    return read


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_one_game_teaches_serves_for_the_other(edition: str) -> None:
    old, new = lantern(edition), with_line(edition, "hits = obj_wall;\nimage_blend = hits;\n")
    alone = opened(new)
    alone.language.decompiled.learn()
    one, two = opened(old), opened(new)
    two.language.decompiled.share_analysis(one.language.decompiled)
    one.language.decompiled.learn()
    read = names_read(two)
    assert two.language.decompiled.inferred == alone.language.decompiled.inferred
    assert read == ["gml_Object_obj_keeper_Step_0"]
    first = opened(old)
    first.language.decompiled.learn()
    assert one.language.decompiled.inferred == first.language.decompiled.inferred


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_other_processes_read_serves_for_both(
    edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("overhaul.gamemaker.data.code.learning._MUCH", 1)
    old, new = lantern(edition), with_line(edition, "hits = obj_wall;\nimage_blend = hits;\n")
    alone, first = opened(new), opened(old)
    alone.language.decompiled.learn()
    first.language.decompiled.learn()
    one, two = opened(old), opened(new)
    two.language.decompiled.share_analysis(one.language.decompiled)
    sent: list[object] = []

    def each(task: Callable[[GameData, Any], Any], items: Sequence[Any], /) -> Iterator[Any]:
        for item in items:
            sent.append(item)
            yield task(one, item)

    one.language.decompiled.learn(cast("Each", each))
    read = names_read(two)
    assert one.language.decompiled.inferred == first.language.decompiled.inferred
    assert two.language.decompiled.inferred == alone.language.decompiled.inferred
    assert read == ["gml_Object_obj_keeper_Step_0"]
    assert len(sent) > 2


def test_nothing_is_taken_over_where_names_mean_other_things() -> None:
    one, two = opened(lantern()), opened(changed(lantern(), new_sprite("spr_new")))
    two.language.decompiled.share_analysis(one.language.decompiled)
    one.language.decompiled.learn()
    read = names_read(two)
    assert len(read) == len(two.language.index.roots)


def test_functions_inside_code_count_by_their_names() -> None:
    source = "function zz_one() { return 1; }\nfunction zz_two() { return zz_one(); }\n"
    script = "code/gml_GlobalScript_zz.gml"
    edits: dict[str, Edit] = {script: source.encode()}
    one = opened(changed(lantern(), edits))
    other = source.replace("zz_one", "zz_six")
    two = opened(changed(lantern(), {**edits, script: other.encode()}))
    assert not same_entries(one, two)["gml_GlobalScript_zz"]
    calls = [
        instruction.operand
        for instruction in one.language.code(one.records.code["gml_GlobalScript_zz"]).instructions
        if isinstance(instruction.operand, FunctionReference)
    ]
    assert calls


def test_pages_are_compared_by_their_bytes() -> None:
    one, two = opened(lantern()), opened(lantern())
    images = PageImages()
    mine, theirs = (game.record("TXTR").pages[0] for game in (one, two))
    assert images.same_page(mine, theirs)
    assert images.same_page(None, None)
    assert not images.same_page(mine, None)
    assert not images.same_page(None, theirs)
    repainted = opened(
        changed(lantern(), {"sprites/spr_wall/0.png": picture((9, 9, 9, 255), (16, 16))})
    )
    assert not images.same_page(mine, repainted.record("TXTR").pages[0])
    assert images.same_page(mine, theirs)


def test_the_source_in_a_diff_is_that_of_the_game_itself() -> None:
    old, new = lantern(), with_line("current", "sprite_index = spr_wall;\n")
    (change,) = mods.diff(old, new).changes
    assert "+sprite_index = spr_wall;" in str(change.details["diff"])
