"""Opening a project, whichever editor wrote it: ``overhaul.open_project``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.document.opening import open as open_document
from overhaul.document.registry import load
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.document import IdeProjectDocument

if TYPE_CHECKING:
    from overhaul.document.opening import Source
    from overhaul.gamemaker.classic.documents.project import ProjectDocument

#: The classes of projects, by their kinds of document.
_CLASSES = {
    "gamemaker-project": "overhaul.gamemaker.classic.documents.project:ProjectDocument",
    "gamemaker-gm82-project": "overhaul.gamemaker.classic.documents.project:ProjectDocument",
    "gamemaker-ide-project": "overhaul.gamemaker.ide.document:IdeProjectDocument",
}


def open_project(
    source: Source, *, assume_version: str | None = None, strict: bool = False
) -> ProjectDocument | IdeProjectDocument:
    """Open a project: of GameMaker Studio 2 and later (``.yyp``), of Studio 1 (``.project.gmx``),
    of Game Maker 5 to 8.2 (``.gmd``, ``.gm6``, ``.gmk``, ``.gm81``, ``.gm82``), or the folder of
    one; as :func:`overhaul.open`, with a known type.

    Raises FormatError for a file of another kind; else as :func:`overhaul.open`.
    """
    document = open_document(source, assume_version=assume_version, strict=strict)
    known = _CLASSES.get(document.kind)
    if known is not None and isinstance(document, load(known)):
        made: ProjectDocument | IdeProjectDocument = document
        return made
    document.close()
    raise FormatError(f"expected a Game Maker project, got {document.kind}", source=document.source)
