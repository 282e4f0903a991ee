"""What the plain files of game data mean to each other, for comparing and merging builds."""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from overhaul.document.protocol import Document

#: Where things were in the editor's memory: they say at most whether something is there.
_POINTERS: Final = frozenset({"pointer", "pointers", "message_pointers", "has_message"})
_POINTER: Final = "_pointer"
#: How many there are, and the random number that each writing of a sprite set makes.
_COUNTS: Final = frozenset({"slot_count", "sprite_count", "last_slot", "file_id"})
#: The release of the editor, in game.json and room.json.
_RELEASE: Final = "compiled_with"


def derived(document: Document, path: str) -> bool:
    """No file of a game follows from others."""
    return False


def texts(path: str) -> bool:
    """No file lists all texts."""
    return False


def ordering(path: str, key: str) -> bool | None:
    """Things in a game are known by their numbers."""


def meaning(document: Document, path: str, value: object, touched: Set[str] | None) -> object:
    """No value follows from other files."""
    return value


def fixed(path: str, key: str) -> bool:
    """The release of the editor that compiled a file is no part of a mod."""
    return key == _RELEASE


def counter(path: str, key: str) -> bool:
    """Pointers and ids of sprite sets differ in each build: of several, any will do."""
    return key in _POINTERS or key in _COUNTS or key.endswith(_POINTER)


def share_analysis(one: Document, two: Document) -> None:
    """Nothing is found out about one game for another."""
