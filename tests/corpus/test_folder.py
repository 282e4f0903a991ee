"""The folder, on real files of every format: identical when untouched, equal when from scratch.

The CI takes a sample of each kind; ``OVERHAUL_FULL=1`` takes all.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import overhaul
from overhaul.bounds import EXPANSION
from overhaul.document.registry import Probe, find
from overhaul.errors import WorkspaceError
from overhaul.folder import Packed
from real_files import corpus_files, sample

SAMPLE_OF_A_KIND = 4
#: Kinds that hold what no plain file does (a runner; which resources an export has), or are plain
#: files already.
NOT_FROM_SCRATCH = {
    "gamemaker-executable", "gamemaker-export", "gamemaker-ide-project", "gamemaker-gm82-project",
}  # fmt: skip
#: A merge left its marks in them: test_ide_projects.py has what is said of them.
BROKEN = {"projectMega.yyp"}


@pytest.fixture(autouse=True)
def large_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """One project has a picture of 154 MB in 260 kB, which takes the option of the error."""
    monkeypatch.setenv(EXPANSION, "200MB")


def is_alone(path: Path) -> bool:
    """Whether it is the file of a project whose folders the corpus left out."""
    return path.suffix == ".gm82" and not (path.parent / "settings").is_dir()


def by_kind() -> dict[str, list[Path]]:
    """The files of the corpus that Overhaul opens, by kind."""
    kinds: dict[str, list[Path]] = {}
    for path in corpus_files("**/*"):
        if path.name in BROKEN or is_alone(path):
            continue
        entry = find(Probe(path.read_bytes(), path.name))
        if entry is not None:
            kinds.setdefault(entry.kind, []).append(path)
    return kinds


FILES = [path for paths in by_kind().values() for path in sample(paths, SAMPLE_OF_A_KIND)]


def plain(folder: Path) -> dict[str, bytes]:
    """The plain files of a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".overhaul" not in path.parts and path.name != "overhaul.toml"
    }


def unpack(path: Path, folder: Path) -> str:
    """Unpack a file, and return its kind."""
    with overhaul.open(path) as document:
        kind = document.kind
    overhaul.unpack(path, folder)
    return kind


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_an_untouched_folder_packs_to_the_identical_file(path: Path, tmp_path: Path) -> None:
    unpack(path, tmp_path / "folder")
    done = overhaul.pack(tmp_path / "folder", tmp_path / "packed")
    assert done.changes == {}
    assert (tmp_path / "packed").read_bytes() == path.read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["folder", *sorted({"packed", *companions(done)})]


def companions(done: Packed) -> list[str]:
    return [os.path.basename(name) for name in done.written]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_folder_packs_without_the_original(path: Path, tmp_path: Path) -> None:
    """What is built from the plain files only unpacks to the same plain files."""
    kind = unpack(path, tmp_path / "folder")
    try:
        done = overhaul.pack(tmp_path / "folder", tmp_path / "made", from_scratch=True)
    except WorkspaceError as error:
        assert kind in NOT_FROM_SCRATCH, error
        assert "can't be" in str(error)
        return
    assert len(set(done.warnings)) == len(done.warnings)
    assert not [warning for warning in done.warnings if "moved, it now names" in warning]
    if (tmp_path / "made").read_bytes() != path.read_bytes():
        overhaul.unpack(tmp_path / "made", tmp_path / "again")
        assert plain(tmp_path / "again") == plain(tmp_path / "folder")
