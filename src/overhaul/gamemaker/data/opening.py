"""Opening a file as a GameMaker game, for people and editors that want to know its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.document.opening import open_as
from overhaul.gamemaker.data.game import GameData

if TYPE_CHECKING:
    from overhaul.document.opening import Source


def open_game(
    source: Source,
    *,
    assume_version: str | None = None,
    strict: bool = False,
) -> GameData:
    """Open a GameMaker game (``data.win``); as :func:`overhaul.open`, with a known type.

    Raises FormatError for a file of another kind; else as :func:`overhaul.open`.
    """
    what = "a GameMaker game's data.win"
    return open_as(GameData, what, source, assume_version=assume_version, strict=strict)
