"""Every Game Maker project, library, package and export of the corpus."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

import overhaul
from handmade_project import unpacked
from memory_folder import memory_folder
from overhaul.errors import FormatError
from overhaul.gamemaker.classic.records import read_project, write_project
from overhaul.gamemaker.classic_folder.project import FORMAT as project
from real_files import corpus_files, corpus_folder, sample

pytestmark = pytest.mark.corpus

DOCUMENTED_AS_OPAQUE = ("trailing", "rest", "garbage")
#: two numbers that Game Maker 8.2 writes
AFTER_THE_SETTINGS = ("settings",)


@cache
def kinds() -> dict[str, tuple[str, str]]:
    folder = corpus_folder()
    if folder is None:
        return {}
    with (folder / "projects" / "index.tsv").open(newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return {row["file"]: (row["kind"], row["version"]) for row in rows}


def files(*wanted: str) -> list[Path]:
    return [
        path for path in corpus_files("projects/*") if kinds().get(path.name, ("", ""))[0] in wanted
    ]


PROJECTS = files("project") + [
    path for path in corpus_files("projects2/*.gm*") if path.suffix != ".gm82"
]
OTHERS = files("lib", "lgl", "ged", "gex", "gmspr", "gmbck", "gmres", "exe")


@pytest.mark.parametrize("path", PROJECTS, ids=lambda path: path.name)
def test_projects_are_rewritten_identically(path: Path) -> None:
    data = path.read_bytes()
    with overhaul.open(path) as document:
        assert document.kind == "gamemaker-project"
        if path.name in kinds():
            assert document.version == kinds()[path.name][1]
        assert document.info() and list(document.tree())
        document.decode()
        assert document.to_bytes() == data
        coverage = document.coverage()
        assert coverage.total == len(data)
        for detail in coverage.details:
            assert detail.path in (*DOCUMENTED_AS_OPAQUE, *AFTER_THE_SETTINGS)


@pytest.mark.parametrize("path", sample(PROJECTS, 28), ids=lambda path: path.name)
def test_projects_are_rebuilt_from_their_folder_only(path: Path) -> None:
    data = path.read_bytes()
    document, content = unpacked(data)
    settings = {**project.settings(document), "kind": document.kind, "version": document.version}
    made = project.empty(settings)
    folder = memory_folder(content, settings)
    warnings = project.apply(made, folder, dict.fromkeys(content, "added")).texts()
    # some projects have ids twice, which is a warning
    assert [text for text in warnings if " more than one of the " not in text] == []
    assert made.to_bytes() == data


@pytest.mark.parametrize("path", sample(PROJECTS, 28, seed=1), ids=lambda path: path.name)
def test_new_streams_are_the_official_ones(path: Path) -> None:
    """Without the kept streams everything is compressed again, to the same bytes."""
    data = path.read_bytes()
    project = read_project(data)
    forget(project)
    assert write_project(project) == data


def forget(record: object) -> None:
    if isinstance(record, list):
        for item in record:
            forget(item)
    elif hasattr(record, "__struct_fields__"):
        if hasattr(record, "kept"):
            record.kept = b""
        for name in record.__struct_fields__:
            forget(getattr(record, name))


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.name)
def test_the_other_files(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    with overhaul.open(path) as document:
        assert document.kind != "gamemaker-project"
        assert document.info() is not None
        list(document.tree())
        assert document.to_bytes() == data
        assert document.coverage().total == len(data)
        for detail in document.coverage().details:
            assert detail.path in DOCUMENTED_AS_OPAQUE
    overhaul.unpack(path, tmp_path / "folder")
    overhaul.pack(tmp_path / "folder", tmp_path / "packed")
    assert (tmp_path / "packed").read_bytes() == data
    if path.suffix != ".exe":
        overhaul.pack(tmp_path / "folder", tmp_path / "scratch", from_scratch=True)
        assert (tmp_path / "scratch").read_bytes() == data


@pytest.mark.parametrize("path", corpus_files("projects2/*.gm82"), ids=lambda path: path.name)
def test_a_gm82_file_without_its_folders_is_refused(path: Path) -> None:
    said = "folders of the project must be next to this file|has no gm82_version"
    with overhaul.open(path) as document, pytest.raises(FormatError, match=said):
        document.info()
