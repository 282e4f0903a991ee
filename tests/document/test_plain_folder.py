"""Folders of plain files, and those that are made of them."""

from __future__ import annotations

import pytest

from memory_folder import memory_folder
from overhaul.document.plainfiles import Folder, PackOptions, readers
from overhaul.errors import PlainFileError

FILES = {"b.json": b"{}", "a.txt": b"one", "rooms/1/room.json": b"[1]", "rooms/2/room.json": b"[2]"}


def paths(folder: Folder) -> list[str]:
    """What it lists; what it says to have is the same."""
    asked = {*FILES, *folder.list(), "new.txt", "1/room.json", "room.json", "missing"}
    assert sorted(path for path in asked if path in folder) == list(folder.list())
    return list(folder.list())


def test_files_are_listed_in_order_and_read_when_asked_for() -> None:
    read: list[str] = []

    def reading(path: str) -> bytes:
        read.append(path)
        return FILES[path]

    folder = Folder(lambda: FILES, reading)
    assert paths(folder) == sorted(FILES)
    assert not read
    assert folder.read("a.txt") == b"one" and read == ["a.txt"]
    assert folder.settings == {} and folder.options.jobs == 1


def test_an_overlay_replaces_adds_and_removes() -> None:
    folder = memory_folder(FILES, {"version": "1"}, PackOptions(jobs=3))
    made = folder.overlay({**readers({"a.txt": b"two", "new.txt": b""}), "b.json": None})
    assert paths(made) == ["a.txt", "new.txt", "rooms/1/room.json", "rooms/2/room.json"]
    assert [made.read(path) for path in made.list()] == [b"two", b"", b"[1]", b"[2]"]
    with pytest.raises(PlainFileError, match=r"^b\.json: there is no such file"):
        made.read("b.json")
    again = made.overlay(readers({"b.json": b"back"}))
    assert again.read("b.json") == b"back" and "b.json" in again
    assert paths(folder) == sorted(FILES) and folder.read("a.txt") == b"one"
    assert made.settings == {"version": "1"} and made.options.jobs == 3


def test_files_that_are_left_out_can_be_read() -> None:
    folder = memory_folder(FILES).only(lambda path: path.endswith(".json"))
    assert paths(folder) == ["b.json", "rooms/1/room.json", "rooms/2/room.json"]
    assert folder.read("a.txt") == b"one"


def test_files_under_a_prefix_have_paths_without_it() -> None:
    folder = memory_folder(FILES, {"outer": True}, PackOptions(jobs=2)).under("rooms/", {"x": 1})
    assert paths(folder) == ["1/room.json", "2/room.json"]
    assert folder.read("2/room.json") == b"[2]"
    assert folder.settings == {"x": 1} and folder.options.jobs == 2
    with pytest.raises(PlainFileError, match=r"rooms/a\.txt: there is no such file"):
        folder.read("a.txt")


def test_reading_is_noted() -> None:
    used: set[str] = set()
    folder = memory_folder(FILES).noting(used)
    assert paths(folder) == sorted(FILES) and not used
    folder.overlay(readers({"b.json": b"made"})).read("b.json")
    assert not used
    folder.read("b.json")
    assert used == {"b.json"}
