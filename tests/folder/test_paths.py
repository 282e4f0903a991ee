"""Which files of a folder are plain files, and where each lies."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from overhaul.document.files import save_all
from overhaul.errors import WorkspaceError
from overhaul.folder.packing import pack
from overhaul.folder.paths import DiskPaths, is_litter, scan
from overhaul.folder.unpacking import unpack
from toy import toy_bytes


@pytest.mark.parametrize(
    ("name", "litter"),
    [
        (".git", True),
        (".DS_Store", True),
        ("x.png~", True),
        ("Thumbs.db", True),
        ("DESKTOP.INI", True),
        ("thumbs.db.txt", False),
        ("~x", False),
        ("a.b", False),
        ("overhaul.toml", False),
    ],
)
def test_litter_is_known_by_its_name(name: str, litter: bool) -> None:
    assert is_litter(name) is litter


def test_plain_files_are_all_but_litter_and_the_settings(tmp_path: Path) -> None:
    for path in (
        "b",
        "a/c",
        "a/overhaul.toml",
        "overhaul.toml",
        ".x/y",
        "a/.hidden",
        "a/Thumbs.db",
    ):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(path.encode())
    assert list(scan(str(tmp_path)).items()) == [("a/c", 3), ("a/overhaul.toml", 15), ("b", 1)]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_are_followed_inside_the_folder_only(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a").write_bytes(b"12")
    (folder / "link").symlink_to("a")
    assert scan(str(folder)) == {"a": 2, "link": 2}
    (tmp_path / "folder2").mkdir()
    (tmp_path / "folder2" / "x").write_bytes(b"")
    (folder / "out").symlink_to(tmp_path / "folder2" / "x")  # a sibling with a longer name
    with pytest.raises(WorkspaceError, match="out of the folder"):
        scan(str(folder))
    (folder / "out").unlink()
    (folder / "self").symlink_to(folder)
    with pytest.raises(WorkspaceError, match="a symbolic link to a folder"):
        scan(str(folder))


def test_paths_that_look_alike_are_numbered() -> None:
    path = DiskPaths()
    assert [path(p) for p in ("a.txt", "A.txt", "b/a.txt", "B/a.txt")] == [
        "a.txt",
        "A%~2.txt",
        "b/a.txt",
        "B%~2/a.txt",
    ]
    assert path("b/c.txt") == "b/c.txt" and path("B/c.txt") == "B%~2/c.txt"
    assert path("a.TXT") == "a%~3.TXT"
    with pytest.raises(WorkspaceError, match=r"two plain files have the path 'b/a.txt'"):
        path("b/a.txt")


def test_the_settings_and_the_manifest_must_be_of_one_kind(toys: None, tmp_path: Path) -> None:
    source = tmp_path / "x.toy"
    source.write_bytes(toy_bytes({"a": b"1"}))
    folder = tmp_path / "folder"
    unpack(source, folder)
    assert pack(folder, tmp_path / "same").from_scratch is False
    settings = folder / "overhaul.toml"
    settings.write_text(settings.read_text().replace('"toy"', '"toy-package"'))
    with pytest.raises(WorkspaceError, match="says toy-package, but the kept original is toy"):
        pack(folder, tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_saving_asks_before_it_replaces_anything(tmp_path: Path) -> None:
    target = str(tmp_path / "game")
    asked: list[str] = []

    def backup(path: str) -> bool:
        asked.append(os.path.basename(path))
        return os.path.basename(path) == "game"

    written = save_all(target, b"1", {"side": b"a"}, force=False, backup=backup)
    assert [os.path.basename(path) for path in written] == ["side", "game"] and not asked
    with pytest.raises(FileExistsError) as caught:
        save_all(target, b"2", {"side": b"b", "new": b"c"}, force=False, backup=backup)
    assert caught.value.filename == target and not asked  # the first of game and side
    assert caught.value.errno == errno.EEXIST
    assert sorted(os.listdir(tmp_path)) == ["game", "side"]
    assert (tmp_path / "game").read_bytes() == b"1"
    with pytest.raises(FileExistsError):  # only the companion is there
        save_all(str(tmp_path / "other"), b"2", {"side": b"b"}, force=False, backup=backup)
    written = save_all(target, b"2", {"side": b"a", "new": b"c"}, force=True, backup=backup)
    assert [os.path.basename(path) for path in written] == ["new", "game"] and asked == ["game"]
    assert (tmp_path / "game.bak").read_bytes() == b"1"
    assert sorted(os.listdir(tmp_path)) == ["game", "game.bak", "new", "side"]
    written = save_all(target, b"3", {"side": b"longer"}, force=True, backup=lambda path: False)
    assert [os.path.basename(path) for path in written] == ["side", "game"]
    assert (tmp_path / "side").read_bytes() == b"longer"
    for name in ("", ".", "..", "a/b"):
        with pytest.raises(WorkspaceError, match="can't be the name of a file"):
            save_all(target, b"2", {name: b""}, force=True, backup=backup)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_to_nothing_exists_too(tmp_path: Path) -> None:
    (tmp_path / "game").symlink_to("nowhere")
    with pytest.raises(FileExistsError):
        save_all(str(tmp_path / "game"), b"", {}, force=False, backup=lambda path: True)
