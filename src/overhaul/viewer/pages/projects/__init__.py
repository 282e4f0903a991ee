"""The pages of Game Maker projects, and of the games in executables of Game Maker 6 to 8.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.document.protocol import Resource
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.viewer.pages import plots, sprites
from overhaul.viewer.pages.projects import actions, code, looks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhaul.document.protocol import Document
    from overhaul.viewer.answers import Page

_KINDS: dict[str, Page] = {
    "sprite": sprites.SPRITE,
    "sound": looks.SOUND,
    "background": looks.BACKGROUND,
    "path": plots.PATH,
    "script": code.SCRIPT,
    "font": looks.FONT,
    "timeline": actions.TIMELINE,
    "object": actions.OBJECT,
    "room": looks.ROOM,
    "trigger": code.TRIGGER,
    "information": looks.INFORMATION,
    "constants": code.CONSTANTS,
}
PAGES: dict[tuple[str, str], Page] = {
    (document, kind): page
    for document in ("gamemaker-project", "gamemaker-executable")
    for kind, page in _KINDS.items()
}


def more(document: Document) -> Iterator[Resource]:
    """The parts of a project that are no resources: its constants, and what else it holds."""
    if isinstance(document, ProjectDocument):
        if document.constants:
            yield Resource("constants", "constants", "constants.json")
        yield Resource("project", "project", "project.json")
