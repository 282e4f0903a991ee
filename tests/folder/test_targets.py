"""Which file packing writes by default, and what it keeps of the files that it replaces."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import overhaul
from overhaul.document.files import save_all
from overhaul.errors import WorkspaceError
from overhaul.folder.targets import Target, target_of
from toy import toy_bytes


@pytest.fixture
def game(toys: None, with_cache: Path, tmp_path: Path) -> Path:
    path = tmp_path / "games" / "x.toy"
    path.parent.mkdir()
    path.write_bytes(toy_bytes({"one": b"first"}, "Title"))
    overhaul.unpack(path, path.parent / "folder")
    return path


def named(folder: Path, name: str) -> Path:
    """The folder, with another name for its file in overhaul.toml."""
    file = folder / "overhaul.toml"
    file.write_text(file.read_text().replace('name = "x.toy"', f"name = {json.dumps(name)}"))
    return folder


def edited(folder: Path, text: bytes) -> Path:
    (folder / "notes/one.txt").write_bytes(text)
    return folder


@pytest.mark.parametrize("name", [".bashrc", "a\0b", "a\nb.toy", "."])
def test_hidden_names_are_not_written(game: Path, name: str) -> None:
    folder = named(game.parent / "folder", name)
    before = sorted(os.listdir(game.parent))
    for force in (False, True):
        with pytest.raises(WorkspaceError, match=r"document\.name"):
            overhaul.pack(folder, force=force)
    assert sorted(os.listdir(game.parent)) == before
    if name != ".":
        overhaul.pack(folder, game.with_name("y.toy"))  # the person names the file


@pytest.mark.parametrize("content", [b"%PDF-1.4 a text", b"", None])
def test_files_of_other_kinds_stay(game: Path, content: bytes | None) -> None:
    other = game.with_name("thesis.odt")
    if content is None:
        other.mkdir()
    else:
        other.write_bytes(content)
    folder = named(edited(game.parent / "folder", b"1"), other.name)
    with pytest.raises(WorkspaceError, match=r"thesis\.odt is not of the kind Toy and is not"):
        overhaul.pack(folder, force=True)
    assert other.is_dir() if content is None else other.read_bytes() == content
    if content is not None:
        overhaul.pack(folder, other, force=True)  # named by the person, and kept
        assert other.with_name("thesis.odt.bak").read_bytes() == content


def test_all_that_packing_did_not_write_is_kept(game: Path) -> None:
    folder = game.parent / "folder"
    original = game.read_bytes()
    assert target_of(folder) == Target(str(game), "known")
    overhaul.pack(edited(folder, b"1"), force=True)
    assert target_of(folder) == Target(str(game), "known")
    overhaul.pack(edited(folder, b"2"), force=True)
    assert sorted(os.listdir(game.parent)) == ["folder", "x.toy", "x.toy.bak"]
    assert game.with_name("x.toy.bak").read_bytes() == original

    newer = toy_bytes({"one": b"newer"}, "Title")  # an update of the game
    game.write_bytes(newer)
    assert target_of(folder) == Target(str(game), "unknown")
    overhaul.pack(edited(folder, b"3"), force=True)
    assert game.with_name("x.toy.bak2").read_bytes() == newer
    game.unlink()
    assert target_of(folder) == Target(str(game), "new")


def test_an_untouched_folder_does_not_make_the_original_its_own(game: Path) -> None:
    original = game.read_bytes()
    overhaul.pack(game.parent / "folder", force=True)
    overhaul.pack(edited(game.parent / "folder", b"1"), force=True)
    assert game.with_name("x.toy.bak").read_bytes() == original


def test_companions_have_no_hidden_names(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match=r"'\.bashrc' can't be the name of a file"):
        save_all(tmp_path / "x", b"1", {".bashrc": b"2"}, force=True, backup=lambda path: True)
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_temporary_file_has_the_mode_of_what_it_replaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "secret"
    target.write_bytes(b"1")
    target.chmod(0o600)
    modes: list[int] = []

    def pieces() -> Iterator[bytes]:
        modes.extend(path.stat().st_mode & 0o777 for path in tmp_path.glob("*.tmp"))
        modes.extend(path.stat().st_mode & 0o777 for path in tmp_path.glob(".*.tmp"))
        yield b"2"

    save_all(target, pieces(), {}, force=True, backup=lambda path: False)
    assert set(modes) == {0o600} and target.read_bytes() == b"2"
