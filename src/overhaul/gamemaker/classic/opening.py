"""Opening a file as a Game Maker project, for people and editors that want to know its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.document.opening import open_as
from overhaul.gamemaker.classic.documents.project import ProjectDocument

if TYPE_CHECKING:
    from overhaul.document.opening import Source


def open_project(
    source: Source, *, assume_version: str | None = None, strict: bool = False
) -> ProjectDocument:
    """Open a project of Game Maker 5 to 8.1 (``.gmd``, ``.gm6``, ``.gmk``, ``.gm81``); as
    :func:`overhaul.open`, with a known type.

    Raises FormatError for a file of another kind; else as :func:`overhaul.open`.
    """
    what = "a Game Maker project"
    return open_as(ProjectDocument, what, source, assume_version=assume_version, strict=strict)
