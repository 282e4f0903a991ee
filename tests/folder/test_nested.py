"""Documents in a document: which files are whose."""

from __future__ import annotations

from memory_folder import memory_folder
from overhaul.document.protocol import Document
from overhaul.folder.nested import (
    NestedDocument,
    changes_by_part,
    folder_of,
    part_of,
    without_parts,
)


def never() -> Document:
    raise AssertionError("it is opened")


#: Its files stand among those of the package, and one rule of it covers a room's too.
GAME = NestedDocument("game", "", "toy", never, lambda path: path.startswith(("game", "rooms/")))
ROOM = NestedDocument("room1", "rooms/1/", "toy", never, lambda path: path != "left.txt")
PARTS = [GAME, ROOM]
PATHS = (
    "game.json", "own.txt", "overhaul.toml", "rooms/1/left.txt", "rooms/1/room.json",
    "rooms/2.txt",
)  # fmt: skip
FOLDER = memory_folder({path: path.encode() for path in PATHS})


def test_a_file_is_that_of_the_longest_prefix() -> None:
    owners = {path: getattr(part_of(PARTS, path), "name", None) for path in FOLDER.list()}
    assert owners == {
        "game.json": "game", "own.txt": None, "overhaul.toml": None, "rooms/1/left.txt": "game",
        "rooms/1/room.json": "room1", "rooms/2.txt": "game",
    }  # fmt: skip


def test_a_part_has_its_own_files_only() -> None:
    game, room = (folder_of(part, FOLDER, PARTS, {}) for part in PARTS)
    assert list(game.list()) == ["game.json", "rooms/1/left.txt", "rooms/2.txt"]
    assert list(room.list()) == ["room.json"]
    assert room.read("room.json") == b"rooms/1/room.json"
    for inside, part in ((game, GAME), (room, ROOM)):
        of_part = {path.removeprefix(part.prefix) for path in FOLDER.list()}
        asked = {*FOLDER.list(), *of_part, "room.json", "left.txt", "missing.json"}
        assert sorted(path for path in asked if path in inside) == list(inside.list())
    assert list(without_parts(FOLDER, PARTS).list()) == ["overhaul.toml", "own.txt"]


def test_changes_are_those_of_the_part_that_has_the_file() -> None:
    own, inside = changes_by_part(PARTS, dict.fromkeys(FOLDER.list(), "changed"))
    assert own == {"own.txt": "changed", "overhaul.toml": "changed"}
    assert inside == {
        "game": dict.fromkeys(["game.json", "rooms/1/left.txt", "rooms/2.txt"], "changed"),
        "room1": {"room.json": "changed"},
    }
