"""Projects of GameMaker's editor on the workbench: their files are edited where they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
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
            for found in folder.rglob("*")
            if found.is_file() and ".overhaul" not in found.parts}  # fmt: skip


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


def test_a_renamed_resource_comes_back(project: Path, bench: FileBench) -> None:
    """Also where the file of the new name has the bytes of the old one."""
    before = files(project)
    bench.step(changes(bench, "rename", "object", "obj_a", "obj_new"), "rename")
    bench.save()
    renamed = files(project)
    assert not [path for path in renamed if path.startswith("objects/obj_a")]
    assert overhaul.verify(project).findings == []
    bench.go(0)
    assert bench.unsaved
    bench.save()
    assert files(project) == before
    bench.go(1)
    bench.save()
    assert files(project) == renamed


def test_empty_sources_are_taken_out_too(project: Path, bench: FileBench) -> None:
    bench.step({path: b"" for path in bench.view.files if path.endswith(".gml")}, "empty")
    bench.save()
    bench.step(changes(bench, "remove", "script", "scr_a"), "remove")
    bench.step(changes(bench, "rename", "object", "obj_a", "obj_new"), "rename")
    bench.save()
    assert not bench.unsaved
    assert {path for path in files(project) if path != "README.md"} == {*bench.view.files}


def test_a_file_to_be_removed_that_another_program_wrote_stays(
    project: Path, bench: FileBench
) -> None:
    bench.step(changes(bench, "remove", "script", "scr_a"), "remove")
    (source,) = (project.parent / "scripts").rglob("scr_a.gml")
    source.write_bytes(b"// GameMaker was here\n")
    with pytest.raises(StaleEdit, match="was changed by another program"):
        bench.save()
    assert source.read_bytes() == b"// GameMaker was here\n"


def changes(
    bench: FileBench, verb: str, kind: str, name: str, new: str = ""
) -> dict[str, bytes | None]:
    made, _ = bench.view.format.changes_of(bench.view.reopen(), verb, kind, name, new)
    return dict(made)


def verb_at_random(bench: FileBench, random: Random, number: int) -> dict[str, bytes | None]:
    """A resource added, copied, renamed or removed."""
    project = bench.view.reopen()
    assert isinstance(project, IdeProjectDocument)
    kinds = [kind for kind in ("object", "sprite", "script") if project.entries_of(kind)]
    verb = random.choice(["add", "duplicate", "rename", "remove"] if kinds else ["add"])
    if verb == "add":
        return changes(bench, verb, "object", "", f"obj_n{number}")
    kind = random.choice(kinds)
    name = random.choice(project.entries_of(kind)).name
    return changes(bench, verb, kind, name, f"new_{number}")


@pytest.mark.parametrize("seed", range(times(200, 25)))
def test_random_sessions(seed: int, tmp_path: Path) -> None:
    """Steps, undo, redo, save and opening again: the disk is what the model says."""
    random = Random(seed)
    project = list(MAKERS.values())[seed % 2](tmp_path / "project")
    bench = FileBench(str(project))
    bench.load()
    disk = files(project)
    states, at = {0: disk}, 0
    for number in range(STEPS):
        act = random.choice(["edit", "edit", "verb", "go", "save", "open", "bad"])
        now = states[at]
        texts = [path for path in now if path.endswith((".gml", ".yy", ".gmx", ".yyp"))]
        if act in ("edit", "verb"):
            # A text of XML laid out otherwise than GameMaker lays it out takes no verb.
            plain = [path for path in texts if not path.endswith(".gmx")]
            if act == "verb" or not plain:
                made = verb_at_random(bench, random, number)
            else:
                path = random.choice(plain)
                is_code = path.endswith(".gml")
                more = b"// %d\n" % number if is_code else b" \n" * random.randrange(1, 3)
                is_emptied = is_code and now[path] and random.random() < 0.3
                made = {path: b"" if is_emptied else now[path] + more}
            bench.step(made, act)
            at = bench.history.at
            after = {**now, **made}
            states[at] = {path: data for path, data in after.items() if data is not None}
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
                bench.step({random.choice(texts): b"{ ( <"}, act)
        assert files(project) == disk, (seed, number, act)
        assert bench.history.at == at
        assert {path: bench.read(path) for path in bench.view.files} == states[at], (seed, number)
        assert bench.unsaved is (states[at] != disk), (seed, number, act)
    bench.close()


def test_a_file_that_another_program_wrote_after_saving_is_shown(project: Path) -> None:
    for number in range(2):
        with closing(FileBench(str(project))) as bench:
            bench.load()
            source = code(bench)
            path = project.parent / source
            before = path.read_bytes()
            assert bench.view.read(source) == before and not bench.left
            bench.step({source: before + b"// %d\n" % number}, "edit")
            bench.save()
        assert path.read_bytes() == before + b"// %d\n" % number
        path.write_bytes(before + b"// GameMaker was here\n")


def test_steps_of_a_file_that_another_program_wrote_are_set_aside(project: Path) -> None:
    with closing(FileBench(str(project))) as bench:
        bench.load()
        source = code(bench)
        bench.step({source: b"x = 2;\n"}, "one")
    (project.parent / source).write_bytes(b"// GameMaker was here\n")
    with closing(FileBench(str(project))) as bench:
        bench.load()
        assert bench.view.read(source) == b"// GameMaker was here\n"
        assert [orphaned.number for orphaned in bench.left] == [1]
