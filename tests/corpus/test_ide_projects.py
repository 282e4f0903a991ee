"""Projects of GameMaker's editor: each file is printed as it is, and only true faults are named."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

import overhaul
from overhaul.cli import main
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.gmx import read_gmx
from overhaul.gamemaker.ide.inherited import is_inherited, read_inherited
from overhaul.gamemaker.ide.repairing import plan_repair
from overhaul.gamemaker.ide.texts import read_json_file
from real_files import NO_CORPUS, corpus_files, corpus_folder, sample

JSON = [
    path
    for ending in ("yy", "yyp", "resource_order")
    for path in corpus_files(f"gmprojects*/**/*.{ending}")
]
GMX = corpus_files("gmprojects*/**/*.gmx")
PROJECTS = corpus_files("gmprojects*/**/*.yyp") + corpus_files("gmprojects*/**/*.project.gmx")
#: Another program wrote these sample projects, in a form of its own.
OTHERS = "bscotch__stitch"
BROKEN = "gmprojects2/broken/"


def test_files_are_printed_as_they_are() -> None:
    if not JSON:
        pytest.skip(NO_CORPUS)
    counts: Counter[str] = Counter()
    for path in sample(JSON, 400):
        data = path.read_bytes()
        counts["files"] += 1
        if is_inherited(data):
            assert read_inherited(data).printed().encode() == data, path
            continue
        file = read_json_file(data)
        assert file.to_bytes() == data
        try:
            printed = file.printed()
        except FormatError as error:
            assert error.code == "merge-conflict", path
            assert BROKEN in path.as_posix()
            counts["broken"] += 1
            continue
        if printed.encode() != data:
            assert OTHERS in path.as_posix(), path
            counts["others"] += 1
    assert counts["broken"] <= 7
    assert counts["others"] <= 62


def test_xml_is_printed_as_it_is() -> None:
    if not GMX:
        pytest.skip(NO_CORPUS)
    for path in sample([path for path in GMX if path.is_file()], 300):
        data = path.read_bytes()
        assert read_gmx(data).printed() == data, path


def left_out(path: Path) -> set[str]:
    """The files that the corpus lacks of a project, in small letters."""
    root = corpus_folder()
    assert root is not None
    for folder in path.parents:
        listed = folder / "MISSING.txt"
        if listed.is_file():
            cells = [cell for line in listed.read_text().splitlines() for cell in line.split("\t")]
            return {cell.removeprefix("project/").casefold() for cell in cells}
        if folder == root:
            break
    return set()


def faults(path: Path) -> Counter[str]:
    """How many faults of a code a project has, but for files that the corpus lacks."""
    absent = left_out(path)
    found: Counter[str] = Counter()
    for one in overhaul.verify(path).findings:
        file = one.message.partition(" is ")[0].casefold()
        if one.severity != "note" and not (one.code == "absent-file" and file in absent):
            found[one.code] += 1
    return found


def project(name: str) -> Path:
    """The project file in a folder of the broken ones."""
    root = corpus_folder()
    found = list((root / BROKEN).glob(f"{name}*/project/*.yyp")) if root else []
    if not found:
        pytest.skip(NO_CORPUS)
    return found[0]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Cogglayne", {"other-case": 64, "absent-file": 0}),
        ("CouldBeDead", {"merge-conflict": 4, "missing-name": 4}),
        ("NRMeskell", {"absent-file": 62}),
        ("blueburncz", {"other-case": 6}),
    ],
)
def test_broken_projects(name: str, expected: dict[str, int]) -> None:
    found = faults(project(name))
    assert {code: found[code] for code in expected} == expected


def test_a_project_file_that_a_merge_broke() -> None:
    with pytest.raises(FormatError, match=r"views/a8fbb061-.*\.yy:13") as error:
        overhaul.open(project("jtapia21"))
    assert error.value.code == "merge-conflict"


def test_sound_projects() -> None:
    """What is named in them is so: three have names in another case, six lack files."""
    if not PROJECTS:
        pytest.skip(NO_CORPUS)
    sound = [path for path in PROJECTS if BROKEN not in path.as_posix()]
    for path in sample(sound, 12):
        document = overhaul.open(path)
        assert isinstance(document, IdeProjectDocument)
        found = faults(path)
        assert found.keys() <= {"absent-file", "other-case", "unusual", "invalid"}, (path, found)


@pytest.mark.parametrize("name", ["Cogglayne", "CouldBeDead", "blueburncz"])
def test_broken_projects_are_repaired(name: str, tmp_path: Path) -> None:
    path = project(name)
    copy = shutil.copytree(path.parent, tmp_path / "project", copy_function=shutil.copyfile)
    made = copy / path.name
    with overhaul.open(made) as document:
        plan = plan_repair(document)
    plan.write()
    codes = {one.code for one in overhaul.verify(made).findings if one.severity != "note"}
    assert codes <= {"absent-file", "merge-conflict"}
    before = sorted(file.name.casefold() for file in path.parent.rglob("*") if file.is_file())
    after = sorted(
        file.name.casefold() for file in copy.rglob("*")
        if file.is_file() and file.suffix != ".bak"
    )  # fmt: skip
    assert not Counter(before) - Counter(after)  # placeholders come, nothing goes


@pytest.mark.parametrize(("name", "left"), [("jtapia21", 0), ("CouldBeDead", 3)])
def test_marks_of_merges_are_repaired(name: str, left: int, tmp_path: Path) -> None:
    """The three files that are left have two lists of layers on one side."""
    path = project(name)
    copy = shutil.copytree(path.parent, tmp_path / "project", copy_function=shutil.copyfile)
    made = copy / path.name
    assert main(["repair", str(made), "--yes"]) == 0
    codes = Counter(one.code for one in overhaul.verify(made).findings)
    assert codes["merge-conflict"] == left
