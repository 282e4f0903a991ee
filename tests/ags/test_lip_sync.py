"""Lip synchronisation of speech: the file, its folder, and its place in a game's tree."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

import overhaul
from ags_folders import Folder
from ags_games import game, package
from overhaul.ags.library.package import Package
from overhaul.ags.lip_sync import NEW, OLD, LipSync, SyncLine, read_lip_sync, write_lip_sync
from overhaul.document.reading import open_data
from overhaul.errors import EncodeError, FormatError

OLD_FILE = (
    struct.pack("<II", 4, 2)
    + struct.pack("<H14s2i2h", 2, b"EGO1", 80, 1200, 3, -1)
    + struct.pack("<H14s", 0, b"NARR12\0xyz")
)
NEW_FILE = (
    struct.pack("<II", 3060200, 2)
    + struct.pack("<H", 1) + b"Bobby.7\0" + struct.pack("<ih", 500, 4)
    + struct.pack("<H", 0) + b"narrator.12\0"
)  # fmt: skip


def test_both_versions() -> None:
    old = read_lip_sync(OLD_FILE)
    assert old == LipSync(
        OLD, [SyncLine("EGO1", [(80, 3), (1200, -1)]), SyncLine("NARR12", [], b"xyz\0\0\0\0")]
    )
    assert write_lip_sync(old) == OLD_FILE
    new = read_lip_sync(NEW_FILE)
    assert new == LipSync(NEW, [SyncLine("Bobby.7", [(500, 4)]), SyncLine("narrator.12")])
    assert write_lip_sync(new) == NEW_FILE


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "unknown version 0"),
        (struct.pack("<II", 5, 0), "unknown version 5"),
        (OLD_FILE[:-1], "line 1 is not whole"),
        (OLD_FILE[:30], "line 0 is not whole"),
        (OLD_FILE + b"\0", "1 bytes follow the last line"),
        (NEW_FILE[:-1], "line 1 is not whole"),
        (struct.pack("<II", 4, 0xFFFFFFFF), "line 0 is not whole"),
    ],
)
def test_broken_files(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_lip_sync(data)


def test_names_that_do_not_fit() -> None:
    for line, version in ((SyncLine("a" * 15), OLD), (SyncLine("a\0b"), NEW)):
        with pytest.raises(EncodeError, match=r"lines\[0\].file"):
            write_lip_sync(LipSync(version, [line]))


def test_it_is_known_by_its_content() -> None:
    for data in (OLD_FILE, NEW_FILE):
        with open_data(data, source="syncdata.dat") as document:
            assert document.kind == "ags-lip-sync"
            assert document.to_bytes() == data
            assert [resource.kind for resource in document.tree()] == ["lip sync"] * 2
            assert document.info()["lines"] == 2
    with pytest.raises(FormatError):
        open_data(OLD_FILE + b"more", source="x.dat")


def test_its_folder(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "syncdata.dat", OLD_FILE, new=True)
    assert folder.json("lip_sync.json") == {
        "version": 4,
        "lines": [
            {"file": "EGO1", "frames": [{"end": 80, "frame": 3}, {"end": 1200, "frame": -1}]},
            {"file": "NARR12", "rest": "78797a00000000", "frames": []},
        ],
    }
    folder.check()
    for edit, message in (
        (lambda s: s.update(version=5), "version: expected 4 or 3060200, got 5"),
        (lambda s: s.update(more=1), "unknown field 'more'"),
        (lambda s: s["lines"].append({"frames": []}), r"lines\[2\].file: expected a text"),
        (lambda s: s["lines"][0].update(file="a" * 20), r"lines\[0\].file: a name has at most 14"),
        (lambda s: s["lines"][0]["frames"][0].update(frame=1 << 15), "frame: expected a whole"),
        (lambda s: s["lines"][0]["frames"][0].update(x=1), "unknown field 'x'"),
    ):
        folder.refuses("lip_sync.json", edit, message)
    folder.edit("lip_sync.json", lambda s: s["lines"][1].update(file="EGO2", rest=""))
    made = read_lip_sync(folder.pack())
    assert [(line.file, line.rest) for line in made.lines] == [("EGO1", b""), ("EGO2", b"")]


def voices(*names: str) -> bytes:
    """A package of speech with lip synchronisation."""
    made = Package()
    for name in names:
        made.add(name, b"OggS" + name.encode())
    made.add("syncdata.dat", OLD_FILE)
    return made.to_bytes()


def test_it_is_a_part_of_a_game(tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    (tmp_path / "first/game.ags").write_bytes(package(game()))
    (tmp_path / "first/speech.vox").write_bytes(voices("EGO1.ogg"))
    tree = tmp_path / "tree"
    overhaul.unpack(tmp_path / "first/game.ags", tree)
    assert (tree / "speech/lip_sync.json").is_file()
    assert (tree / "speech/assets/EGO1.ogg").is_file()
    for scratch in (False, True):
        out = tmp_path / f"out{scratch}"
        out.mkdir()
        overhaul.pack(tree, out / "game.ags", from_scratch=scratch)
        assert (out / "speech.vox").read_bytes() == (tmp_path / "first/speech.vox").read_bytes()
