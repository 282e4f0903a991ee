"""Opening a file as a GameMaker game, for people and editors that want to know its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.document.opening import open as open_document
from overhaul.errors import FormatError
from overhaul.gamemaker.data.game import GameData

if TYPE_CHECKING:
    import os


def open_game(
    source: str | os.PathLike[str] | bytes | bytearray | memoryview,
    *,
    assume_version: str | None = None,
    strict: bool = False,
) -> GameData:
    """Open a GameMaker game (``data.win``); as :func:`overhaul.open`, with a known type.

    Raises FormatError for a file of another kind; else as :func:`overhaul.open`.
    """
    document = open_document(source, assume_version=assume_version, strict=strict)
    if isinstance(document, GameData):
        return document
    document.close()
    raise FormatError(
        f"expected a GameMaker game's data.win, got {document.kind}", source=document.source
    )
