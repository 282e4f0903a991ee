"""Opening a file of Adventure Game Studio as what it is, for people and editors that want to know
its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.documents.room import RoomDocument
from overhaul.document.opening import open, open_as
from overhaul.errors import FormatError

if TYPE_CHECKING:
    from overhaul.document.opening import Source


def open_ags_game(
    source: Source, *, assume_version: str | None = None, strict: bool = False
) -> GameDocument | PackageDocument:
    """Open a game: its package (``game.ags``, a game's program) or its data (``game28.dta``,
    ``ac2game.dta``); as :func:`overhaul.open`, with a known type. Both have the game's things, and
    are saved in their own form.

    Raises FormatError for a file of another kind, and for a package without a game; else as
    :func:`overhaul.open`.
    """
    what = "an Adventure Game Studio game"
    document = open(source, assume_version=assume_version, strict=strict)
    if isinstance(document, GameDocument):
        return document
    if isinstance(document, PackageDocument) and document.game_name:
        return document
    document.close()
    raise FormatError(f"expected {what}, got {document.kind}", source=document.source)


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
