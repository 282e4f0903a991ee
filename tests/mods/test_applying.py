"""Mods of a small game, put on and put together."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import overhaul
from lantern_edits import CATCH, EDITS, GAME, GLOW, STEP, first_line, last_line
from modded_games import (
    BLUE,
    CAVE,
    DOOR,
    KEEPER,
    RED,
    Edit,
    changed,
    field,
    new_sprite,
    picture,
    plain,
    repainted,
    value,
    verified,
)
from overhaul import mods
from overhaul.document.plainfiles import PlainFile
from overhaul.media import png
from overhaul.mods import patches, view
from overhaul.mods.filemerge import FileMerge
from overhaul.mods.renaming import Renaming
from overhaul.mods.view import opened


def test_no_mod_and_an_empty_mod_change_nothing() -> None:
    empty = mods.make(GAME, GAME, name="empty")
    assert not empty
    for given in ([], [empty], [empty, empty]):
        result = mods.apply(GAME, given)
        assert (result.data, result.conflicts, result.changed) == (GAME, [], [])


@pytest.mark.parametrize("large", [0, 1 << 30])
def test_what_is_made_outlives_the_game(
    large: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In memory, and mapped as a large game is."""
    monkeypatch.setattr(view, "HELD", large)
    monkeypatch.setattr("overhaul.document.mapped.HELD", large)
    path = tmp_path / "data.win"
    path.write_bytes(GAME)
    result = mods.apply(path, [])
    assert bytes(result.content) == result.data == GAME
    other = changed(GAME, EDITS["frame"])
    assert mods.apply(path, [mods.make(path, other, name="frame")]).data == other


@pytest.mark.parametrize("name", EDITS)
def test_a_mod_makes_of_the_game_what_it_was_made_of(name: str, made: dict[str, mods.Mod]) -> None:
    other = changed(GAME, EDITS[name])
    loaded = mods.load(made[name].to_bytes())
    assert loaded.to_bytes() == made[name].to_bytes()
    result = mods.apply(GAME, [loaded])
    assert result.conflicts == []
    assert result.data == other
    again = mods.apply(result.data, [loaded])
    assert (again.data, again.conflicts) == (result.data, [])


def test_all_edits_together(made: dict[str, mods.Mod]) -> None:
    names = list(made)
    result = mods.apply(GAME, [made[name] for name in names])
    assert result.conflicts == []
    assert mods.apply(GAME, [made[name] for name in reversed(names)]).data == result.data
    verified(result.data)
    text = plain(result.data, KEEPER).decode()
    assert text == last_line(first_line(STEP))
    room = value(result.data, CAVE)
    assert (room["width"], room["height"]) == (640, 480)
    assert [item["object"] for item in room["instances"] if item.get("y") == 8] in (
        ["obj_firefly", "obj_door"],
        ["obj_door", "obj_firefly"],
    )
    reported = {change.path for change in mods.diff(GAME, result.data).changes}
    assert {"sprites/spr_new", "sprites/spr_another", CATCH, GLOW, DOOR} <= reported


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({KEEPER: first_line}, {KEEPER: lambda text: "lives = 5;\n" + text}),
        ({CAVE: field("width", 640)}, {CAVE: field("width", 800)}),
        (EDITS["frame"], {GLOW: repainted(GAME, GLOW, 1, 1, BLUE)}),
        (EDITS["sound"], {CATCH: plain(GAME, CATCH)[:-2] + b"\1\2"}),
        (new_sprite("spr_new"), {**new_sprite("spr_new"), "sprites/spr_new/0.png": picture(BLUE)}),
    ],
)
def test_two_that_change_the_same_are_in_conflict(
    one: dict[str, Edit], two: dict[str, Edit]
) -> None:
    wanted = {"one": changed(GAME, one), "two": changed(GAME, two)}
    found = [mods.make(GAME, new, name=name) for name, new in wanted.items()]
    for order in (found, found[::-1]):
        result = mods.apply(GAME, order)
        assert result.data == b""
        (conflict,) = result.conflicts
        assert set(conflict.mods) == {"one", "two"}
        assert conflict.path in one
        assert conflict.path in str(conflict)
        for name, new in wanted.items():
            chosen = mods.apply(GAME, order, prefer=[name])
            assert chosen.conflicts == []
            assert chosen.data == new or not mods.diff(chosen.data, new)
        resolved = (
            mods.apply(GAME, order, resolve={conflict.path: plain(GAME, GLOW)})
            if (conflict.path == GLOW)
            else None
        )
        assert resolved is None or resolved.data == GAME


def test_a_conflict_tells_both_sides_and_the_line(made: dict[str, mods.Mod]) -> None:
    other = mods.make(GAME, changed(GAME, {KEEPER: lambda text: "lives = 5;\n" + text}), name="two")
    (conflict,) = mods.apply(GAME, [made["first line"], other]).conflicts
    assert conflict.line == 1
    assert {conflict.ours, conflict.theirs} == {"lives = 3;", "lives = 5;"}
    assert conflict.to_json()["line"] == 1
    with pytest.raises(FrozenInstanceError):
        conflict.line = 2  # type: ignore[misc]


def test_a_merged_source_that_does_not_compile_is_a_conflict() -> None:
    bad = mods.make(GAME, changed(GAME, EDITS["first line"]), name="bad")
    bad.added["code/gml_Object_obj_wall_Step_0.gml"] = b"if (\n"
    result = mods.apply(GAME, [bad])
    assert result.data == b""
    assert [conflict.path for conflict in result.conflicts] == [
        "code/gml_Object_obj_wall_Step_0.gml"
    ]


def test_a_conflict_says_that_a_mod_is_for_another_game(made: dict[str, mods.Mod]) -> None:
    other = mods.make(GAME, changed(GAME, {KEEPER: lambda text: "lives = 5;\n" + text}), name="two")
    other.game = other.game._replace(title="Candle")
    first, _ = mods.apply(GAME, [made["first line"], other]).conflicts
    assert (first.path, first.mods) == ("", ["two"])
    assert first.reason.startswith("this mod is for Candle (")


def test_edited_texts_are_merged_by_text() -> None:
    rows = plain(GAME, "strings.csv").decode().split("\n")
    numbers = {row.split(",", 1)[1].strip('"'): row.split(",")[0] for row in rows[1:] if row}
    text = next(text for text in numbers if " " in text)
    edited = changed(
        GAME, {"strings.csv": f"index,text\n{numbers[text]},Nur ein Versuch\n".encode()}
    )
    mod = mods.make(GAME, edited, name="words")
    assert mod.texts == {text: "Nur ein Versuch"}
    assert mods.apply(GAME, [mods.load(mod.to_bytes())]).data == edited
    assert mods.apply(edited, [mod]).data == edited
    other = mods.load(mod.to_bytes())
    other.texts, other.name = {text: "Something else"}, "other"
    (conflict,) = mods.apply(GAME, [mod, other]).conflicts
    assert conflict.path == "strings.csv"


def test_an_edited_text_in_the_context_of_a_changed_line() -> None:
    words = 'hint = "Mind the step";\n'
    old = changed(GAME, {KEEPER: lambda text: words + text})
    rows = plain(old, "strings.csv").decode().split("\n")
    number = next(row.split(",")[0] for row in rows if "Mind the step" in row)
    table = f'index,text\n{number},"Vorsicht, Stufe"\n'.encode()
    one = mods.make(old, changed(old, {"strings.csv": table}), name="words")
    two = mods.make(old, changed(old, {KEEPER: first_line}), name="line")
    assert one.texts == {"Mind the step": "Vorsicht, Stufe"}
    result = mods.apply(old, [one, two])
    assert result.conflicts == []
    source = plain(result.data, KEEPER).decode()
    assert source.startswith('lives = 3;\nhint = "Vorsicht, Stufe";\n')
    assert mods.apply(old, [two, one]).data == result.data


def test_what_mods_need_and_do_not_go_with(made: dict[str, mods.Mod]) -> None:
    needs = mods.make(GAME, GAME, name="needs", requires=["field"])
    (conflict,) = mods.apply(GAME, [needs]).conflicts
    assert "needs 'field'" in conflict.reason
    assert mods.apply(GAME, [needs, made["field"]]).conflicts == []
    against = mods.make(GAME, GAME, name="against", conflicts=["field"])
    assert len(mods.apply(GAME, [against, made["field"]]).conflicts) == 1
    foreign = mods.load(made["field"].to_bytes())
    foreign.game = foreign.game._replace(kind="ags-room")
    (conflict,) = mods.apply(GAME, [foreign]).conflicts
    assert "ags-room" in conflict.reason


def test_a_copy_in_the_place_of_another_file_is_put_in_where_that_is_what_it_was(
    made: dict[str, mods.Mod],
) -> None:
    mod = mods.load(made["sound"].to_bytes())
    assert mod.copied[CATCH].of == "sounds/snd_door.wav"
    assert mod.copied[CATCH].was
    assert not mod.added
    other = changed(GAME, {CATCH: plain(GAME, CATCH)[:-2] + b"\1\2"})
    (conflict,) = mods.apply(other, [mod]).conflicts
    assert (conflict.path, conflict.reason) == (CATCH, "it is replaced, but is not what it was")
    assert mods.apply(other, [mod], prefer=["sound"]).conflicts == []


def test_mods_that_replace_a_file_alike_fit_where_one_of_them_fits() -> None:
    """Whichever of them comes first, which follows from what is in them."""
    here, wanted = (plain(GAME, CATCH)[:-2] + end for end in (b"\1\2", b"\3\4"))
    other = changed(GAME, {CATCH: here})
    for number in range(6):
        older, second = (
            mods.make(GAME, changed(GAME, {CATCH: wanted}), name=f"{name}{number}")
            for name in ("older", "second")
        )
        newer = mods.make(other, changed(GAME, {CATCH: wanted}), name=f"newer{number}")
        assert mods.apply(GAME, [older, newer]).conflicts == []
        done = mods.apply(other, [older, newer])
        assert (done.conflicts, plain(done.data, CATCH)) == ([], wanted)
        (conflict,) = mods.apply(other, [older, second]).conflicts
        assert conflict.reason == "it is replaced, but is not what it was"
        assert len(conflict.mods) == 1 and not conflict.mods[0].startswith("newer")


def indexed(indices: list[list[int]], palette: bytes = bytes(range(48))) -> bytes:
    return png.encode_indexed(np.array(indices, np.uint8), palette)


def test_indexed_pictures_are_merged_by_their_indices() -> None:
    """Two indices of one colour are two areas of a mask."""
    flat = [[1] * 6 for _ in range(6)]
    one, two = [row[:] for row in flat], [row[:] for row in flat]
    one[1][1], two[4][5] = 3, 2
    palette = bytes(48)  # all of one colour
    before, first, second = (
        patches.read_picture(indexed(rows, palette)) for rows in (flat, one, two)
    )
    assert patches.content_digest("a.png", before.encode()) != patches.content_digest(
        "a.png", first.encode()
    )
    assert patches.content_digest("a.png", indexed(flat)) != patches.content_digest(
        "a.png", before.encode()
    )
    parts = [
        patches.repainted("was", f"now {number}", before.pixels, after.pixels)
        for number, after in enumerate((first, second))
    ]
    with opened(GAME) as view:
        view.files = {"a.png": PlainFile("a.png", before.encode)}
        merging = FileMerge("a.png", view, frozenset(), [Renaming({})] * 2)
        for owner, patch in enumerate(parts):
            assert patch is not None
            merging.patch(owner, patch)
        result = merging.result()
    assert result is not None
    assert merging.conflicts == []
    indices, colours = png.decode_indexed(result.data or b"")
    assert (indices[1, 1], indices[4, 5], int((indices != 1).sum())) == (3, 2, 2)
    assert colours == palette


def test_two_mods_that_paint_the_same_pixels_in_one_colour_agree() -> None:
    before = np.zeros((6, 6, 4), np.uint8)
    one, two, three = before.copy(), before.copy(), before.copy()
    one[1, 1:3], two[1, 2:4], three[1, 2] = RED, RED, BLUE

    def merged(*painted: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], list[str]]:
        with opened(GAME) as view:
            view.files = {"a.png": PlainFile("a.png", lambda: png.encode(before))}
            merging = FileMerge("a.png", view, frozenset(), [Renaming({})] * len(painted))
            for owner, after in enumerate(painted):
                patch = patches.repainted("was", f"now {owner}", before, after)
                assert patch is not None
                merging.patch(owner, patch)
            result = merging.result()
        assert result is not None
        assert result.data is not None
        return png.decode(result.data), [each.reason for each in merging.conflicts]

    both = np.zeros_like(before)
    both[1, 1:4] = RED
    for painted in ((one, two), (two, one)):
        pixels, conflicts = merged(*painted)
        assert conflicts == []
        assert np.array_equal(pixels, both)
    pixels, conflicts = merged(one, three)
    assert conflicts == ["the same pixels are repainted by both"]
    assert np.array_equal(pixels, one)


def test_a_picture_that_is_not_indexed_has_no_palette() -> None:
    assert patches.read_picture(picture(RED)).palette == b""
    with pytest.raises(overhaul.FormatError, match="expected an indexed picture"):
        png.decode_indexed(picture(RED))


def test_what_is_there_already_is_no_change(made: dict[str, mods.Mod]) -> None:
    """Another field of the file differs, and its text is written in another way."""
    both = changed(GAME, {CAVE: field("width", 640)})
    both = changed(both, {CAVE: field("height", 480)})
    result = mods.apply(both, [made["field"]])
    assert (result.data, result.changed, result.conflicts) == (both, [], [])
