"""One edit of each kind in every project: it changes its lines, and makes no new fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import overhaul
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.resources.base import Resource, Resources
from real_files import NO_CORPUS, corpus_files, sample

PROJECTS = corpus_files("gmprojects*/**/*.yyp") + corpus_files("gmprojects*/**/*.project.gmx")
KINDS = (
    "objects", "sprites", "rooms", "scripts", "sounds", "fonts", "backgrounds", "paths", "shaders",
    "timelines",
)  # fmt: skip
#: What a copy has too, of what the corpus lacks files of or is damaged; and pictures of no frame.
COPIED = frozenset(("absent-file", "invalid", "unlisted"))


def opened(path: Path) -> IdeProjectDocument:
    project = overhaul.open_project(path)
    assert isinstance(project, IdeProjectDocument)
    return project


def faults(project: IdeProjectDocument) -> Counter[str]:
    """How many faults of each code a project has, as it is now."""
    fresh = IdeProjectDocument(project.to_bytes(), project.source, None)
    fresh.files = project.files
    fresh.decode()
    return Counter(one.code for one in fresh.findings)


def first(resources: Resources[Resource]) -> Resource | None:
    """The first resource whose file can be read."""
    return next((one for one in resources if one.is_here), None)


def rename(resources: Resources[Resource], one: Resource) -> None:
    resources.rename(one, "renamed_thing_x")
    assert one.name == "renamed_thing_x"


def remove(resources: Resources[Resource], one: Resource) -> None:
    resources.remove(one, force=True)


def duplicate(resources: Resources[Resource], one: Resource) -> None:
    assert resources.duplicate(one, "copied_thing_x").name == "copied_thing_x"


def add(resources: Resources[Resource], one: Resource) -> None:
    assert resources.add("added_thing_x").name == "added_thing_x"


EDITS: tuple[Callable[[Resources[Resource], Resource], None], ...] = (
    rename, remove, duplicate, add,
)  # fmt: skip


def sound_projects() -> list[Path]:
    """The projects whose file can be read."""
    found = []
    for path in PROJECTS:
        try:
            opened(path)
        except FormatError:
            continue
        found.append(path)
    return found


def test_edits_make_no_fault() -> None:
    if not PROJECTS:
        pytest.skip(NO_CORPUS)
    counts: Counter[str] = Counter()
    for path in sample(sound_projects(), 4):
        before = faults(opened(path))
        for kind in KINDS:
            for edit in EDITS:
                project = opened(path)
                resources: Resources[Resource] = getattr(project, kind)
                one = first(resources)
                if one is None:
                    continue
                try:
                    edit(resources, one)
                except ValueError as error:
                    assert "in GameMaker" in str(error), (path, kind, edit)
                    assert project.files.changed == {}
                    counts["refused"] += 1
                    continue
                new = faults(project) - before
                assert new.keys() <= (COPIED if edit is duplicate else {"absent-file"}), (path, new)
                counts[edit.__name__] += 1
    assert counts["rename"] >= 10
    assert counts["rename"] == counts["remove"]


def test_a_field_changes_its_line() -> None:
    if not PROJECTS:
        pytest.skip(NO_CORPUS)
    changed = 0
    for path in sample(sound_projects(), 20):
        project = opened(path)
        for kind in project.objects:
            if not kind.is_here or changed % 5 == 4:
                changed += 1
                continue
            file = kind.path
            before = project.files.read(file).split(b"\n")
            kind.solid = not kind.solid
            after = project.files.read(file).split(b"\n")
            assert list(project.files.changed) == [file]
            assert len(after) == len(before)
            assert sum(one != two for one, two in zip(before, after, strict=True)) == 1
            kind.solid = not kind.solid
            assert project.files.read(file).split(b"\n") == before
            project.files.changed.clear()
            changed += 1
    assert changed > 100
