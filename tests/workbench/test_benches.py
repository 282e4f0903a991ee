"""Steps of files and folders: checked, undone, saved, and there after the program ended."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import overhaul
from modded_games import lantern
from overhaul import mods
from overhaul.errors import OverhaulError, PlainFileError, SourceError, WorkspaceError
from overhaul.workbench import Bench, FileBench, FolderBench, StaleEdit
from overhaul.workbench.bench import NothingChanged
from overhaul.workbench.history import START
from overhaul.workbench.journal import digest_of
from overhaul.workbench.places import journals_of

CODE = "code/gml_Object_obj_keeper_Create_0.gml"
OBJECT = "objects/obj_keeper/object.json"


@pytest.fixture(scope="session", params=["gms1", "current"])
def packed(request: pytest.FixtureRequest) -> bytes:
    edition: str = request.param
    return lantern(edition)


@pytest.fixture
def game(packed: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OVERHAUL_DATA", str(tmp_path / "data"))
    path = tmp_path / "lantern.win"
    path.write_bytes(packed)
    return path


@pytest.fixture
def bench(game: Path) -> Iterator[FileBench]:
    made = opened(game)
    yield made
    made.close()


def opened(path: Path) -> FileBench:
    made = FileBench(str(path))
    made.load()
    return made


def with_code(bench: Bench, line: str) -> dict[str, bytes | None]:
    return {CODE: bench.read(CODE) + f"{line}\n".encode()}


def with_field(bench: Bench, key: str, value: object) -> dict[str, bytes | None]:
    fields = json.loads(bench.read(OBJECT))
    return {OBJECT: json.dumps(fields | {key: value}).encode()}


def test_steps_are_undone_and_done_again(bench: FileBench, packed: bytes) -> None:
    one = bench.step(with_code(bench, "bonus = 1;"), "first")
    after_one = bytes(bench.data())
    bench.step(with_field(bench, "visible", False), "second")
    assert json.loads(bench.read(OBJECT))["visible"] is False
    bench.undo()
    assert bytes(bench.data()) == after_one
    bench.undo()
    assert bytes(bench.data()) == packed
    with pytest.raises(WorkspaceError, match="nothing to undo"):
        bench.undo()
    bench.redo()
    bench.redo()
    assert b"bonus = 1;" in bench.read(CODE)
    assert json.loads(bench.read(OBJECT))["visible"] is False
    with pytest.raises(WorkspaceError, match="nothing to do again"):
        bench.redo()
    bench.go(START)
    bench.step(with_code(bench, "bonus = 2;"), "another")
    assert [step.label for step in bench.history.abandoned()] == ["first", "second"]
    bench.go(one.id)
    assert bytes(bench.data()) == after_one
    with pytest.raises(WorkspaceError, match="no step 99"):
        bench.go(99)


def test_what_packing_refuses_is_no_step(bench: FileBench, packed: bytes) -> None:
    with pytest.raises(SourceError):
        bench.step(with_code(bench, "a = (;"), "broken code")
    with pytest.raises(PlainFileError) as caught:
        bench.step({OBJECT: b'{\n  "visible": 1,,\n}'}, "broken JSON")
    assert (caught.value.file, caught.value.line) == (OBJECT, 2)
    with pytest.raises(OverhaulError):
        bench.step(with_field(bench, "sprite", "spr_not_there"), "unknown name")
    with pytest.raises(WorkspaceError):
        bench.step({"nonsense/file.txt": b"x"}, "a file of nothing")
    with pytest.raises(NothingChanged):
        bench.step({OBJECT: bench.read(OBJECT)}, "the same")
    assert bench.history.at == START
    assert bytes(bench.data()) == packed
    assert not journals_of(bench.source).exists()


def test_an_edit_of_an_older_file_is_stale(bench: FileBench) -> None:
    before = {CODE: digest_of(bench.read(CODE))}
    mine = with_code(bench, "mine = 1;")
    bench.step(with_field(bench, "visible", False), "elsewhere")
    bench.step(with_code(bench, "theirs = 1;"), "the same file")
    with pytest.raises(StaleEdit, match="changed meanwhile"):
        bench.step(mine, "mine", before=before)
    assert b"theirs" in bench.read(CODE)


def test_an_edit_of_a_file_as_it_was_shown_is_taken(tmp_path: Path, game: Path) -> None:
    overhaul.unpack(game, tmp_path / "folder")
    bench = FolderBench(str(tmp_path / "folder"))
    bench.load()
    shown = digest_of(bench.read(CODE))
    other = digest_of(bench.read(OBJECT))
    for before in (
        {CODE: None}, {"notes.txt": shown}, {OBJECT: shown}, {CODE: shown, OBJECT: None},
    ):  # fmt: skip
        with pytest.raises(StaleEdit, match="changed meanwhile"):
            bench.step(with_code(bench, "mine = 1;"), "mine", before=before)
    assert bench.history.steps == {}
    mine = with_code(bench, "mine = 1;")
    bench.step(
        {**mine, "notes.txt": b"new"},
        "mine",
        before={CODE: shown, "notes.txt": None, OBJECT: other},
    )
    assert bench.read(CODE) == mine[CODE]
    assert bench.read("notes.txt") == b"new"
    bench.close()


def test_what_is_no_file_of_the_folder_is_not_written(tmp_path: Path, game: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    overhaul.unpack(game, folder)
    outside.mkdir()
    bench = FolderBench(str(folder))
    bench.load()
    (folder / "link").symlink_to(outside)
    for path in ("objects", "link/new.txt", "link"):
        with pytest.raises(WorkspaceError, match=r"(is not|can't be) a file of"):
            bench.step({path: b"x"}, "an edit")
    assert list(outside.iterdir()) == []
    assert bench.history.steps == {}
    bench.close()


def test_steps_outlive_the_program(game: Path, packed: bytes) -> None:
    first = opened(game)
    first.step(with_code(first, "// kept\nbonus = 1;"), "one")
    first.step(with_field(first, "visible", False), "two")
    first.undo()
    now = bytes(first.data())
    first.close()
    again = opened(game)
    assert bytes(again.data()) == now
    assert b"// kept" in again.read(CODE)
    again.redo()
    assert json.loads(again.read(OBJECT))["visible"] is False
    again.undo()
    again.undo()
    assert bytes(again.data()) == packed
    again.close()


def test_games_that_are_not_kept_are_made_again(game: Path) -> None:
    first = opened(game)
    first.step(with_code(first, "bonus = 1;"), "one")
    first.step(with_field(first, "visible", False), "two")
    now = bytes(first.data())
    first.close()
    for path in journals_of(str(game)).glob("*/games/*"):
        if path.read_bytes() != game.read_bytes():
            path.unlink()
    again = opened(game)
    assert bytes(again.data()) == now
    again.close()


def test_saving_keeps_the_original_and_the_steps(game: Path, packed: bytes) -> None:
    first = opened(game)
    first.step(with_code(first, "bonus = 1;"), "one")
    assert first.unsaved
    first.save()
    assert first.history.saved
    saved = game.read_bytes()
    assert saved == bytes(first.data()) != packed
    backup = game.with_name("lantern.win.bak")
    assert backup.read_bytes() == packed
    first.step(with_field(first, "visible", False), "two")
    first.save()
    first.close()
    assert [each.name for each in game.parent.glob("*.bak*")] == ["lantern.win.bak"]
    again = opened(game)
    assert not again.unsaved
    again.undo()
    assert bytes(again.data()) == saved
    again.undo()
    assert bytes(again.data()) == packed
    again.save()
    again.close()
    assert game.read_bytes() == packed


def test_a_file_has_the_game_as_it_is_after_each_step(bench: FileBench, packed: bytes) -> None:
    """Searching reads it: other processes know nothing of the steps."""
    assert bench.file == bench.source
    bench.step(with_code(bench, "bonus = 1;"), "first")
    assert Path(bench.file).read_bytes() == bytes(bench.data()) != packed
    bench.save()
    assert bench.file == bench.source
    bench.undo()
    assert Path(bench.file).read_bytes() == bytes(bench.data()) == packed


def test_a_program_that_writes_into_the_file_changes_no_step(game: Path, packed: bytes) -> None:
    """In its place: not as a new file of that name."""
    bench = opened(game)
    with open(game, "r+b") as file:
        file.seek(len(packed) // 2)
        file.write(bytes(1000))
    assert bytes(bench.data()) == packed
    bench.close()


def test_the_command_line_sees_what_was_saved(game: Path, packed: bytes) -> None:
    bench = opened(game)
    bench.step(with_field(bench, "visible", False), "one")
    bench.save()
    bench.close()
    difference = mods.diff(packed, game)
    assert [(change.kind, change.path) for change in difference.changes] == [("changed", OBJECT)]
    assert "visible" in str(difference.changes[0].details["fields"])


def test_a_file_that_another_program_changed_is_not_overwritten(game: Path, packed: bytes) -> None:
    bench = opened(game)
    bench.step(with_code(bench, "bonus = 1;"), "one")
    mine = bytes(bench.data())
    copy = game.with_name("copy.win")
    copy.write_bytes(packed)
    other = opened(copy)
    other.step(with_field(other, "visible", False), "theirs")
    theirs = bytes(other.data())
    other.close()
    game.write_bytes(theirs)
    with pytest.raises(StaleEdit, match="another program"):
        bench.save()
    assert game.read_bytes() == theirs
    elsewhere = game.with_name("mine.win")
    bench.save(str(elsewhere))
    assert elsewhere.read_bytes() == mine
    with pytest.raises(FileExistsError):
        bench.save(str(elsewhere))
    bench.load()
    assert bytes(bench.data()) == theirs
    assert [left.number for left in bench.left] == [1]
    before = bench.orphaned_bench(0)
    assert bytes(before.data()) == mine
    assert before.mod("mine")
    before.close()
    game.write_bytes(packed)
    bench.load()
    assert bytes(bench.data()) == mine
    bench.close()


def test_a_mod_of_the_steps_makes_the_same_game(bench: FileBench, packed: bytes) -> None:
    bench.step(with_code(bench, "bonus = 1;"), "one")
    bench.step(with_field(bench, "visible", False), "two")
    mod = bench.mod("mine")
    applied = mods.apply(packed, [mod])
    assert applied.conflicts == []
    assert not mods.diff(applied.data, bytes(bench.data())).changes
    with bench.original() as original:
        assert original.to_bytes() == packed


def test_two_viewers_of_one_file(game: Path) -> None:
    first, second = opened(game), opened(game)
    first.step(with_code(first, "bonus = 1;"), "one")
    with pytest.raises(WorkspaceError, match="another viewer"):
        second.step(with_code(second, "bonus = 2;"), "two")
    third = opened(game)
    assert "another viewer" in third.why
    first.close()


def test_a_check_that_fails_takes_the_step_back(bench: FileBench, packed: bytes) -> None:
    def fails() -> None:
        raise WorkspaceError("it can't be shown")

    with pytest.raises(WorkspaceError, match="can't be shown"):
        bench.step(with_code(bench, "bonus = 1;"), "one", check=fails)
    assert bench.history.at == START
    assert bytes(bench.data()) == packed


@pytest.mark.parametrize(
    "path",
    [".overhaul/manifest.json", ".OVERHAUL/x", "./{}", "code/../{}", "/{}", "{}/", "", ".", "a//b"],
)
def test_a_file_of_a_folder_has_one_name_and_what_is_kept_has_none(
    game: Path, tmp_path: Path, path: str
) -> None:
    folder = tmp_path / "folder"
    overhaul.unpack(game, folder)
    (folder / ".OVERHAUL").mkdir(exist_ok=True)
    (folder / ".OVERHAUL/x").write_bytes(b"kept")
    file = next(file.name for file in (folder / "code").iterdir())
    path = path.format(f"code/{file}")
    bench = FolderBench(str(folder))
    bench.load()
    before = (folder / "code" / file).read_bytes()
    assert not bench.has(path)
    with pytest.raises(WorkspaceError, match="is not a file of"):
        bench.read(path)
    with pytest.raises(WorkspaceError, match=r"(is not|can't be) a file of"):
        bench.step({path: b"x = 1;"}, "an edit")
    assert (folder / "code" / file).read_bytes() == before


def test_folders_write_their_files(game: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    overhaul.unpack(game, folder)
    bench = FolderBench(str(folder))
    bench.load()
    old = {p: (folder / p).read_bytes() for p in (CODE, OBJECT)}
    bench.step({**with_code(bench, "bonus = 1;"), **with_field(bench, "visible", False)}, "both")
    assert b"bonus" in (folder / CODE).read_bytes()
    bench.step({"notes.txt": b"mine"}, "a new file")
    bench.undo()
    assert not (folder / "notes.txt").exists()
    bench.close()
    bench = FolderBench(str(folder))
    bench.load()
    bench.undo()
    assert {p: (folder / p).read_bytes() for p in old} == old
    bench.redo()
    (folder / CODE).write_bytes(b"mine = 1;\n")
    with pytest.raises(StaleEdit):
        bench.undo()
    assert (folder / CODE).read_bytes() == b"mine = 1;\n"
    bench.close()


PROGRAM = """
import json, os, sys
from overhaul.workbench import FileBench, FolderBench
from overhaul.workbench import journal
path, steps, before = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "before"
bench = FolderBench(path) if os.path.isdir(path) else FileBench(path)
bench.load()
code = "code/gml_Object_obj_keeper_Create_0.gml"
for n in range(steps):
    bench.step({code: bench.read(code) + b"x%d = 1;\\n" % n}, f"step {n}")
    print(n, flush=True)
if before:
    bench._write = lambda record: os.kill(os.getpid(), 9)
    bench.step({code: bench.read(code) + b"lost = 1;\\n"}, "lost")
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("form", ["file", "folder"])
def test_kill_loses_at_most_the_step_in_flight(
    game: Path, tmp_path: Path, form: str, when: str
) -> None:
    source = game
    if form == "folder":
        source = tmp_path / "folder"
        overhaul.unpack(game, source)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(source), "3", when], stdout=subprocess.PIPE
    )
    assert done.returncode == -signal.SIGKILL
    assert done.stdout.split() == [b"0", b"1", b"2"]
    bench: Bench = FolderBench(str(source)) if form == "folder" else FileBench(str(source))
    bench.load()
    assert [step.label for step in bench.history.path_to()] == ["step 0", "step 1", "step 2"]
    text = bench.read(CODE)
    assert text.count(b" = 1;\n") >= 3 and b"x2 = 1;" in text and b"lost" not in text
    bench.close()


def test_a_file_is_not_written_below_another(game: Path) -> None:
    source = game.with_name("folder")
    overhaul.unpack(game, source)
    bench = FolderBench(str(source))
    bench.load()
    before = bench.read(CODE)
    for below in (f"{OBJECT}/x.json", f"{OBJECT}/y/x.json"):
        with pytest.raises(WorkspaceError, match=r"x\.json can't be below a file of"):
            bench.step({**with_code(bench, "x = 1;"), below: b"{}"}, "below")
        assert bench.read(CODE) == before and bench.history.current is None
    bench.close()


def test_a_file_in_a_container_is_not_saved_there(game: Path) -> None:
    before = game.read_bytes()
    bench = FileBench(str(game), inside=True)
    bench.load()
    bench.step(with_code(bench, "bonus = 1;"), "an edit")
    assert not bench.saves
    with pytest.raises(WorkspaceError, match="is not a file of its own"):
        bench.save()
    assert game.read_bytes() == before
    bench.close()
