"""Faults made in real projects: verify names each."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from overhaul.document.protocol import Surroundings
from overhaul.document.reading import FileSiblings, open_data
from overhaul.findings import Findings
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.modern import ModernProject
from overhaul.gamemaker.ide.references import by_id, by_path
from overhaul.gamemaker.ide.repairing import plan_repair
from overhaul.gamemaker.ide.texts import JsonFile, read_json_file
from real_files import NO_CORPUS, corpus_files
from repeats import times

#: Small projects of each style, without faults of their own.
PROJECTS = [
    path
    for path in corpus_files("gmprojects*/**/*.yyp")
    if "/broken/" not in path.as_posix() and len(list(path.parent.rglob("*.yy"))) < 90
]
MARKS = "<<<<<<< HEAD\n=======\n>>>>>>> theirs\n"


class Overlay(Surroundings):
    """The files of a project, of which some are changed (None: removed)."""

    def __init__(self, path: Path) -> None:
        self._disk = FileSiblings(str(path))
        self.changed: dict[str, bytes | None] = {}

    def names(self) -> list[str]:
        return self._disk.names()

    def read(self, name: str) -> bytes:
        return self.read_at(name)

    def listing(self, folder: str) -> tuple[list[str], list[str]]:
        files, folders = self._disk.listing(folder)
        inside = {
            path.rpartition("/")[2]: data
            for path, data in self.changed.items()
            if path.rpartition("/")[0] == folder
        }
        kept = {name for name in files if inside.get(name, b"") is not None}
        return sorted(kept | {name for name, data in inside.items() if data is not None}), folders

    def has(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        return name in self.listing(folder)[0]

    def read_at(self, path: str, most: int = -1) -> bytes:
        if path in self.changed:
            data = self.changed[path]
            if data is None:
                raise FileNotFoundError(2, "removed", path)
            return data if most < 0 else data[:most]
        return self._disk.read_at(path, most)


class Made:
    """A project in which a fault is made: its file, and the others."""

    def __init__(self, path: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.data = path.read_bytes()
        self.path = path
        self.files = Overlay(path)

    def findings(self) -> Findings:
        document = open_data(self.data, source=str(self.path), siblings=self.files)
        document.decode()
        return document.findings

    @property
    def project(self) -> ModernProject:
        return ModernProject(self.data)

    def resource(self, *kinds: str) -> tuple[str, JsonFile]:
        """The file of some resource that is there."""
        found = [
            entry.path for entry in self.project.entries
            if (not kinds or entry.kind in kinds)
            and entry.path.rpartition("/")[2] in self.files.listing(entry.folder)[0]
        ]  # fmt: skip
        path = self.random.choice(found)
        return path, read_json_file(self.files.read_at(path))


def a_file_is_removed(made: Made) -> tuple[str, str]:
    path, _ = made.resource()
    made.files.changed[path] = None
    return "absent-file", path


def a_file_gets_another_case(made: Made) -> tuple[str, str]:
    path, file = made.resource()
    folder, _, name = path.rpartition("/")
    made.files.changed[path] = None
    made.files.changed[f"{folder}/{name.swapcase()}"] = file.to_bytes()
    return "other-case", path


def marks_are_left(made: Made) -> tuple[str, str]:
    path, file = made.resource()
    lines = file.text.splitlines(keepends=True)
    lines.insert(made.random.randrange(2, len(lines)), MARKS)
    made.files.changed[path] = "".join(lines).encode()
    return "merge-conflict", path


def the_json_is_cut(made: Made) -> tuple[str, str]:
    path, file = made.resource()
    made.files.changed[path] = file.to_bytes()[: made.random.randrange(len(file.text) - 2)]
    return "invalid", path


def a_reference_leads_nowhere(made: Made) -> tuple[str, str]:
    for _ in range(200):
        path, file = made.resource()
        if made.project.is_old:
            found = [one.steps for one in by_id(file.value)]
        else:
            found = [
                (*one.steps, "path") for one in by_path(file.value)
                if one.path.endswith(".yy") and one.path != path and one.key != "parent"
            ]  # fmt: skip
        if found:
            gone = "objects/gone/gone.yy"
            edited = file.replaced(*made.random.choice(found), value=gone)
            made.files.changed[path] = edited.to_bytes()
            return "missing-name", path
    return "", ""


def a_row_is_doubled(made: Made) -> tuple[str, str]:
    file = read_json_file(made.data)
    entry = made.random.choice(made.project.entries)
    made.data = file.added(*entry.steps, value=file.at(*entry.steps)).to_bytes()
    return "duplicate", entry.name


def a_picture_is_removed(made: Made) -> tuple[str, str]:
    if not any(entry.kind == "sprite" for entry in made.project.entries):
        return "", ""
    path, _ = made.resource("sprite")
    folder = path.rpartition("/")[0]
    pictures = [name for name in made.files.listing(folder)[0] if name.endswith(".png")]
    frames = made.files.read_at(path).decode()
    used = [name for name in pictures if name.removesuffix(".png") in frames]
    if not used:
        return "", ""
    made.files.changed[f"{folder}/{(name := made.random.choice(used))}"] = None
    return "absent-file", name


def a_name_is_changed(made: Made) -> tuple[str, str]:
    path, file = made.resource("sprite", "object", "sound", "script")
    made.files.changed[path] = file.replaced("name", value="another").to_bytes()
    return "mismatch", path


FAULTS: tuple[Callable[[Made], tuple[str, str]], ...] = (
    a_file_is_removed, a_file_gets_another_case, marks_are_left, the_json_is_cut,
    a_reference_leads_nowhere, a_row_is_doubled, a_picture_is_removed, a_name_is_changed,
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_each_fault_is_named(fault: Callable[[Made], tuple[str, str]]) -> None:
    if not PROJECTS:
        pytest.skip(NO_CORPUS)
    for seed in range(times(250, 30)):
        path = PROJECTS[seed % len(PROJECTS)]
        before = Made(path, seed).findings()
        made = Made(path, seed)
        code, place = fault(made)
        new = made.findings().without(before)
        assert not code or any(
            one.code == code and place.removesuffix(".yy") in str(one) for one in new
        ), (path, seed, place, new)


def test_the_class_is_the_one_that_people_open() -> None:
    if not PROJECTS:
        pytest.skip(NO_CORPUS)
    assert all(
        isinstance(open_data(path.read_bytes()), IdeProjectDocument) for path in PROJECTS[:4]
    )


def repaired(made: Made) -> None:
    """Do in memory what the repair of a project does."""
    document = open_data(made.data, source=str(made.path), siblings=made.files)
    plan = plan_repair(document)
    for path, file in plan.files.items():
        if path == made.path.name:
            made.data = file.to_bytes()
        else:
            made.files.changed[path] = file.to_bytes()
    for old, new in plan.moves:
        if made.files.has(old):
            made.files.changed[new] = made.files.read_at(old)
            made.files.changed[old] = None


#: The part of the faults that repair leaves to people: JSON that is cut, names that nothing has,
#: and what is known by an id.
LEFT = {"the_json_is_cut": 1.0, "a_reference_leads_nowhere": 0.6}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_faults_are_repaired(fault: Callable[[Made], tuple[str, str]]) -> None:
    if not PROJECTS:
        pytest.skip(NO_CORPUS)
    tried = left = 0
    for seed in range(times(66, 12)):
        path = PROJECTS[seed % len(PROJECTS)]
        before = Made(path, seed).findings()
        made = Made(path, seed)
        code, _ = fault(made)
        if not code or any(one.severity != "note" for one in before):
            continue
        resources = len(made.project.entries)
        repaired(made)
        new = [one for one in made.findings().without(before) if one.severity != "note"]
        if fault is a_file_is_removed:  # what used it is the decision of people
            new = [one for one in new if one.code != "missing-name"]
        tried += 1
        left += bool(new)
        lost = fault in (a_file_is_removed, a_row_is_doubled)
        assert resources - len(made.project.entries) <= lost, (path, seed)
    assert left <= LEFT.get(fault.__name__, 0.0) * tried, (tried, left)
