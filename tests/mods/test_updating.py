"""A folder with edits is brought to another build of its game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import overhaul
from modded_games import (
    BLUE,
    CAVE,
    DOOR,
    KEEPER,
    RED,
    changed,
    field,
    lantern,
    plain,
    repainted,
    value,
)
from overhaul import mods
from overhaul.cli import main
from overhaul.errors import WorkspaceError
from overhaul.mods.updating import merge_lines

GAME = lantern()
GLOW = "sprites/spr_glow/0.png"
LINES = st.lists(st.sampled_from("abcde"), max_size=8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    overhaul.unpack(GAME, tmp_path / "game")
    return tmp_path / "game"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def first_line(path: Path, line: str) -> None:
    path.write_text(line + path.read_text())


def test_edits_are_carried_over(folder: Path) -> None:
    first_line(folder / KEEPER, "// mine\nlives = 3;\n")
    edit(folder / CAVE, '"width": 320', '"width": 640')
    (folder / "code/gml_Object_obj_wall_Create_0.gml").write_text("depth = 5;\n")
    (folder / "notes.txt").write_text("mine")
    update = changed(
        GAME,
        {
            KEEPER: lambda text: text + "score = 1;\n",
            CAVE: field("height", 480),
            DOOR: lambda text: "theirs = 1;\n" + text,
        },
    )
    done = mods.update(folder, update)
    assert done.conflicts == []
    assert done.kept == [KEEPER, "code/gml_Object_obj_wall_Create_0.gml", "notes.txt", CAVE]
    step = (folder / KEEPER).read_text()
    assert step.startswith("// mine\nlives = 3;\n")
    assert step.endswith("score = 1;\n")
    room = json.loads((folder / CAVE).read_text())
    assert (room["width"], room["height"]) == (640, 480)
    assert (folder / DOOR).read_text().startswith("theirs = 1;\n")
    assert (Path(done.backup) / KEEPER).read_text().startswith("// mine\n")
    built = overhaul.pack(folder, folder.parent / "new.win")
    assert set(built.changes) == set(done.kept)
    assert b"lives = 3;" in plain((folder.parent / "new.win").read_bytes(), KEEPER)


def test_fields_of_one_line_are_merged_one_by_one(folder: Path) -> None:
    """The rows of JSON are values, not lines: each side moves an instance another way."""
    edit(folder / CAVE, '"x": 56, "y": 40,', '"x": 57, "y": 40,')
    update = changed(GAME, {CAVE: lambda t: t.replace('"x": 56, "y": 40,', '"x": 56, "y": 44,', 1)})
    done = mods.update(folder, update)
    assert (done.kept, done.conflicts) == ([CAVE], [])
    rows = json.loads((folder / CAVE).read_text())["instances"]
    assert [(row["x"], row["y"]) for row in rows if row["id"] == 100023] == [(57, 44)]


def test_an_untouched_folder_becomes_the_update(folder: Path) -> None:
    update = changed(GAME, {CAVE: field("height", 480)})
    done = mods.update(folder, update)
    assert (done.kept, done.conflicts) == ([], [])
    assert overhaul.pack(folder, folder.parent / "new.win").changes == {}
    assert (folder.parent / "new.win").read_bytes() == update


def test_the_same_lines_are_marked(folder: Path) -> None:
    first_line(folder / KEEPER, "mine = 1;\n")
    done = mods.update(folder, changed(GAME, {KEEPER: lambda text: "theirs = 1;\n" + text}))
    (conflict,) = done.conflicts
    assert (conflict.path, conflict.line) == (KEEPER, 1)
    assert (
        (folder / KEEPER)
        .read_text()
        .startswith("<<<<<<< yours\nmine = 1;\n=======\ntheirs = 1;\n>>>>>>> update\n")
    )
    assert not [*folder.rglob("*.yours")]  # both sides are in the file
    with pytest.raises(overhaul.OverhaulError):
        overhaul.pack(folder, folder.parent / "new.win")


def test_the_same_field_is_marked(folder: Path) -> None:
    edit(folder / CAVE, '"width": 320', '"width": 640')
    done = mods.update(folder, changed(GAME, {CAVE: field("width", 800)}))
    (conflict,) = done.conflicts
    assert conflict.path == CAVE
    assert (
        '<<<<<<< yours\n  "width": 640,\n=======\n  "width": 800,\n' in (folder / CAVE).read_text()
    )


def test_pictures_that_both_changed_are_next_to_each_other(folder: Path) -> None:
    mine = repainted(GAME, GLOW, 1, 1, RED)
    theirs = changed(GAME, {GLOW: repainted(GAME, GLOW, 1, 1, BLUE)})
    (folder / GLOW).write_bytes(mine)
    done = mods.update(folder, theirs)
    assert [conflict.path for conflict in done.conflicts] == [GLOW]
    assert (folder / GLOW).read_bytes() == plain(theirs, GLOW)
    assert (folder / f"{GLOW}.yours").read_bytes() == mine


def test_what_one_side_removed_is_reported(folder: Path) -> None:
    first_line(folder / DOOR, "mine = 1;\n")
    (folder / KEEPER).unlink()
    events = value(GAME, "objects/obj_door/object.json")["events"]
    events.pop("Step_0")
    update = changed(
        GAME,
        {
            DOOR: None,
            "objects/obj_door/object.json": field("events", events),
            KEEPER: lambda text: text + "score = 1;\n",
        },
    )
    done = mods.update(folder, update)
    assert [(c.path, c.reason) for c in done.conflicts] == [
        (DOOR, "you changed it, and the update removed it"),
        (KEEPER, "you removed it, and the update changed it"),
    ]
    assert not [*folder.rglob("*.yours")]
    assert (folder / DOOR).read_text().startswith("mine = 1;\n")
    assert (folder / KEEPER).read_text().endswith("score = 1;\n")


def test_other_line_ends_are_no_conflict(folder: Path) -> None:
    step = folder / KEEPER
    step.write_bytes((b"lives = 3;\n" + step.read_bytes()).replace(b"\n", b"\r\n"))
    update = changed(GAME, {KEEPER: lambda text: text + "score = 1;\n"})
    assert mods.update(folder, update).conflicts == []
    assert step.read_bytes().endswith(b"score = 1;\n")


def test_nothing_is_touched_after_an_error(folder: Path, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    with pytest.raises(overhaul.FormatError):
        mods.update(folder, b"nonsense")
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    assert [path.name for path in tmp_path.iterdir()] == ["game"]
    (folder / ".overhaul").rename(tmp_path / "kept")
    with pytest.raises(WorkspaceError):
        mods.update(folder, GAME)


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first_line(folder / KEEPER, "mine = 1;\n")
    update = folder.parent / "update.win"
    update.write_bytes(changed(GAME, {KEEPER: lambda text: text + "score = 1;\n"}))
    assert main(["update", str(folder), str(update)]) == 0
    assert "1 edited file carried over" in capsys.readouterr().out
    update.write_bytes(changed(GAME, {KEEPER: lambda text: "theirs = 1;\n" + text}))
    assert main(["update", "--json", str(folder), str(update)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [conflict["path"] for conflict in found["conflicts"]] == [KEEPER]


@given(LINES, LINES)
def test_one_side_alone_is_taken(base: list[str], side: list[str]) -> None:
    assert merge_lines(base, side, base) == (side, 0)
    assert merge_lines(base, base, side) == (side, 0)
    assert merge_lines(base, side, side) == (side, 0)


@given(LINES, LINES, LINES)
def test_the_sides_are_equal_in_rights(base: list[str], mine: list[str], theirs: list[str]) -> None:
    one, first = merge_lines(base, mine, theirs)
    two, second = merge_lines(base, theirs, mine)
    assert (first == 0) == (second == 0)
    if not first:
        assert one == two
