from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from overhaul.document.files import write_file, write_into


def test_an_existing_file_needs_force(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write_file(target, b"1")
    with pytest.raises(FileExistsError, match="already exists"):
        write_file(target, b"2")
    assert target.read_bytes() == b"1"
    write_file(target, [b"2", b"3"], force=True)
    assert target.read_bytes() == b"23"
    assert os.listdir(tmp_path) == ["a"]


def test_backups_are_never_overwritten(tmp_path: Path) -> None:
    target = tmp_path / "a"
    for content in (b"1", b"2", b"3"):
        write_file(target, content, force=True, backup=True)
    write_file(target, b"2", force=True)
    write_file(target, b"4", force=True, backup=True)  # 2 is kept already
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {
        "a": b"4",
        "a.bak": b"1",
        "a.bak2": b"2",
    }


def test_an_interruption_leaves_everything_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "a"
    target.write_bytes(b"old")

    def pieces() -> Iterator[bytes]:
        yield b"new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_file(target, pieces(), force=True)
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.skipif(os.name == "nt", reason="modes and links are POSIX's")
def test_the_mode_stays_and_links_are_followed(tmp_path: Path) -> None:
    target = tmp_path / "real"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to("real")
    write_file(link, b"new", force=True)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        write_file(tmp_path, b"", force=True)


def test_write_into_makes_folders_and_takes_back_what_it_made(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    write_into(str(folder), {"x": lambda: b"1", "y/z": lambda: b"2"})
    assert (folder / "x").read_bytes() == b"1" and (folder / "y" / "z").read_bytes() == b"2"
    with pytest.raises(FileExistsError) as caught:
        write_into(str(folder), {"new": lambda: b"", "y/z": lambda: b"3"})
    assert caught.value.filename == str(folder / "y" / "z") and not (folder / "new").exists()
    write_into(str(folder), {"y/z": lambda: b"3"}, force=True)
    assert (folder / "y" / "z").read_bytes() == b"3"

    def broken() -> bytes:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_into(str(folder), {"x": lambda: b"4", "q/new": lambda: b"", "z": broken}, force=True)
    assert sorted(path.name for path in folder.rglob("*")) == ["x", "y", "z"]
    assert (folder / "x").read_bytes() == b"1"
    with pytest.raises(KeyboardInterrupt):
        write_into(str(tmp_path / "c" / "d"), {"x": broken})
    assert not (tmp_path / "c").exists()
    write_into(str(tmp_path / "empty"), {})
    assert (tmp_path / "empty").is_dir()


@pytest.mark.parametrize("links", [True, False])
def test_write_into_gives_back_what_it_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, links: bool
) -> None:
    for name in "ac":
        (tmp_path / name).write_bytes(b"old " + name.encode())
    names = dict.fromkeys("abcd", lambda: b"new")
    replace, calls = os.replace, []

    def ends(source: str, target: str) -> None:
        calls.append(target)
        if len(calls) == 4:
            raise KeyboardInterrupt
        replace(source, target)

    def no_link(source: str, target: str) -> None:
        raise OSError

    if not links:
        monkeypatch.setattr(os, "link", no_link)
    monkeypatch.setattr(os, "replace", ends)
    with pytest.raises(KeyboardInterrupt):
        write_into(str(tmp_path), names, force=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "a": b"old a",
        "c": b"old c",
    }
    write_into(str(tmp_path), names, force=True, backup=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        **dict.fromkeys("abcd", b"new"),
        "a.bak": b"old a",
        "c.bak": b"old c",
    }


def test_files_are_flushed_to_the_disk_unless_they_can_be_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[int] = []

    def fsync(handle: int) -> None:
        size = os.fstat(handle).st_size
        flushed.append(size if size == 5 else -1)  # the file has all its bytes, a folder has not

    monkeypatch.setattr(os, "fsync", fsync)
    write_file(tmp_path / "a", b"12345")
    assert flushed[0] == 5
    if os.name != "nt":
        assert flushed == [5, -1]
    write_file(tmp_path / "b", b"12345", flush=False)
    assert len(flushed) <= 2


def test_a_backup_without_hard_links_is_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: str, target: str) -> None:
        raise OSError

    monkeypatch.setattr(os, "link", refuse)
    target = tmp_path / "a"
    content = bytes(range(256)) * 8200  # more than two pieces
    target.write_bytes(content)
    write_file(target, b"new", force=True, backup=True)
    assert (tmp_path / "a.bak").read_bytes() == content
    assert target.read_bytes() == b"new"


def test_an_error_names_the_target_not_the_temporary_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        write_file(tmp_path / "missing" / "a", b"")
    assert caught.value.filename == str(tmp_path / "missing" / "a")


def test_a_new_folder_is_there_as_a_whole(tmp_path: Path) -> None:
    """Also where the process is killed before the last file is written."""
    folder = tmp_path / "above" / "new"
    there: list[list[str]] = []

    def last() -> bytes:
        there.append([folder.name] if folder.exists() else [])
        return b"two"

    write_into(str(folder), {"one.txt": lambda: b"one", "in/two.txt": last})
    assert there == [[]]
    assert (folder / "in" / "two.txt").read_bytes() == b"two"
    assert [path.name for path in (tmp_path / "above").iterdir()] == ["new"]


def test_nothing_stays_of_a_new_folder_that_fails(tmp_path: Path) -> None:
    def failing() -> bytes:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_into(str(tmp_path / "a" / "b"), {"one.txt": lambda: b"one", "two.txt": failing})
    assert list(tmp_path.iterdir()) == []
