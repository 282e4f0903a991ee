"""Projects of GameMaker's editor on the workbench: their files are edited where they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

import overhaul
from ide_projects import modern_project, picture, studio_project, write
from overhaul.errors import FormatError, OverhaulError, PlainFileError, WorkspaceError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gml.errors import SyntaxError_
from overhaul.workbench import FileBench, StaleEdit
from overhaul.workbench.bench import NothingChanged
from repeats import times

MAKERS: dict[str, Callable[[Path], Path]] = {"modern": modern_project, "studio": studio_project}
STEPS = 30


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERHAUL_DATA", str(tmp_path / "data"))


@pytest.fixture(params=[*MAKERS])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = MAKERS[request.param](tmp_path / "project")
    write(path.parent, "README.md", "# Ours\n")
    return path


@pytest.fixture
def bench(project: Path) -> Iterator[FileBench]:
    made = FileBench(str(project))
    made.load()
    yield made
    made.close()


def files(project: Path) -> dict[str, bytes]:
    folder = project.parent
    return {found.relative_to(folder).as_posix(): found.read_bytes()
            for found in folder.rglob("*") if found.is_file()}  # fmt: skip


def code(bench: FileBench) -> str:
    return next(path for path in bench.view.files if path.endswith(".gml"))


def test_two_files_are_saved_and_come_back(project: Path, bench: FileBench) -> None:
    before = files(project)
    source = code(bench)
    bench.step({source: b"x = 2;\n"}, "one")
    bench.step({project.name: before[project.name] + b"\n"}, "two")
    assert files(project) == before
    with bench.opening()() as shown:
        assert isinstance(shown, IdeProjectDocument)
        assert shown.files.read(source) == b"x = 2;\n"
    unsaved = [bench.unsaved]
    written = bench.save()
    assert sorted(Path(path).name for path in written) == sorted((Path(source).name, project.name))
    after = {**before, source: b"x = 2;\n", project.name: before[project.name] + b"\n"}
    assert files(project) == after
    assert [*unsaved, bench.unsaved] == [True, False]
    bench.go(0)
    bench.save()
    assert files(project) == before


def test_what_is_broken_is_refused_with_its_place(project: Path, bench: FileBench) -> None:
    before = files(project)
    source = code(bench)
    with pytest.raises(SyntaxError_) as refused:
        bench.step({source: b"x = 1;\ny = ;"}, "bad")
    assert (refused.value.name, refused.value.line) == (source, 2)
    with pytest.raises(OverhaulError):
        bench.step({source: b"x = \xff;"}, "bad")
    with pytest.raises(FormatError, match=r"not valid JSON|broken XML") as broken:
        bench.step({project.name: b'{"a": '}, "bad")
    assert broken.value.source == project.name
    for path in (source, "scripts/new.gml"):
        changes = {path: None if path == source else b"x = 1;"}
        with pytest.raises(PlainFileError, match="with the resource that has them"):
            bench.step(changes, "bad")
    with pytest.raises(NothingChanged):
        bench.step({source: before[source]}, "nothing")
    assert bench.history.at == 0 and files(project) == before


def test_a_picture_keeps_its_size(project: Path, bench: FileBench) -> None:
    path = next(path for path in bench.view.files if path.endswith(".png"))
    before = files(project)
    with pytest.raises(PlainFileError, match="a picture of 2 x 2 pixels; its resource has 4 x 2"):
        bench.step({path: picture(2, 2)}, "bad")
    with pytest.raises(PlainFileError, match="not a PNG picture"):
        bench.step({path: b"GIF89a"}, "bad")
    made = before[path] + b"\0"  # what follows a picture stays
    bench.step({path: made}, "paint")
    bench.save()
    assert files(project) == {**before, path: made}


def test_null_is_no_resource(tmp_path: Path) -> None:
    bench = FileBench(str(modern_project(tmp_path / "project")))
    bench.load()
    with pytest.raises(FormatError, match="expected an object"):
        bench.step({"objects/obj_a/obj_a.yy": b"null"}, "bad")
    bench.close()


def test_a_file_that_another_program_wrote_stays(project: Path, bench: FileBench) -> None:
    source = code(bench)
    bench.step({source: b"x = 2;\n"}, "one")
    (project.parent / source).write_bytes(b"// GameMaker was here\n")
    before = files(project)
    with pytest.raises(StaleEdit, match="was changed by another program"):
        bench.save()
    assert files(project) == before


def test_a_link_out_of_the_project_is_not_followed(project: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.gml"
    outside.write_bytes(b"x = 1;\n")
    bench = FileBench(str(project))
    bench.load()
    source = code(bench)
    bench.close()
    (project.parent / source).unlink()
    (project.parent / source).symlink_to(outside)
    bench = FileBench(str(project))
    bench.load()
    bench.step({source: b"x = 3;\n"}, "one")
    with pytest.raises(WorkspaceError, match="leads out of the project"):
        bench.save()
    bench.close()
    assert outside.read_bytes() == b"x = 1;\n"


def test_a_folder_of_a_project_is_not_packed(project: Path, tmp_path: Path) -> None:
    overhaul.unpack(project, tmp_path / "unpacked")
    source = next((tmp_path / "unpacked").rglob("*.gml"))
    source.write_bytes(b"x = 3;\n")
    with pytest.raises(WorkspaceError, match="edit its own files"):
        overhaul.pack(tmp_path / "unpacked")


@pytest.mark.parametrize("seed", range(times(100, 25)))
def test_random_sessions(seed: int, tmp_path: Path) -> None:
    """Steps, undo, redo, save and opening again: the disk is what the model says."""
    random = Random(seed)
    project = list(MAKERS.values())[seed % 2](tmp_path / "project")
    bench = FileBench(str(project))
    bench.load()
    disk = files(project)
    states, at = {0: disk}, 0
    editable = [path for path in bench.view.files if path.endswith((".gml", ".yy", ".gmx", ".yyp"))]
    for number in range(STEPS):
        act = random.choice(["edit", "edit", "go", "save", "open", "bad"])
        if act == "edit":
            path = random.choice(editable)
            more = b"// %d\n" % number if path.endswith(".gml") else b" \n" * random.randrange(1, 3)
            made = states[at][path] + more
            bench.step({path: made}, act)
            at = bench.history.at
            states[at] = {**states[max(0, bench.history.steps[at].parent)], path: made}
        elif act == "go":
            at = random.choice(list(states))
            bench.go(at)
        elif act == "save" and bench.unsaved:
            bench.save()
            disk = states[at]
        elif act == "open":
            bench.close()
            bench = FileBench(str(project))
            bench.load()
        elif act == "bad":
            with pytest.raises(OverhaulError):
                bench.step({random.choice(editable): b"{ ( <"}, act)
        assert files(project) == disk, (seed, number, act)
        assert bench.history.at == at
        for path in editable:
            assert bench.read(path) == states[at][path], (seed, number, act, path)
        assert bench.unsaved is (states[at] != disk), (seed, number, act)
    bench.close()
