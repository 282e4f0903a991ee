"""Opening a file of Adventure Game Studio as what it is, for people and editors that want to know
its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.documents.room import RoomDocument
from overhaul.document.opening import open_as

if TYPE_CHECKING:
    from overhaul.document.opening import Source


def open_ags_game(
    source: Source, *, assume_version: str | None = None, strict: bool = False
) -> GameDocument:
    """Open the data of a game (``game28.dta``, ``ac2game.dta``; in a package
    ``game.ags!game28.dta``); as :func:`overhaul.open`, with a known type.

    Raises FormatError for a file of another kind; else as :func:`overhaul.open`.
    """
    what = "the data of an Adventure Game Studio game"
    return open_as(GameDocument, what, source, assume_version=assume_version, strict=strict)


def open_room(
    source: Source, *, assume_version: str | None = None, strict: bool = False
) -> RoomDocument:
    """Open a room (``room1.crm``, ``game.ags!room1.crm``); as :func:`overhaul.open`, with a known
    type.

    Raises FormatError for a file of another kind; else as :func:`overhaul.open`.
    """
    what = "an Adventure Game Studio room"
    return open_as(RoomDocument, what, source, assume_version=assume_version, strict=strict)


def open_package(
    source: Source, *, assume_version: str | None = None, strict: bool = False
) -> PackageDocument:
    """Open a package (``game.ags``, ``speech.vox``, a game's program); as :func:`overhaul.open`,
    with a known type.

    Raises FormatError for a file of another kind; else as :func:`overhaul.open`.
    """
    what = "an Adventure Game Studio package"
    return open_as(PackageDocument, what, source, assume_version=assume_version, strict=strict)
