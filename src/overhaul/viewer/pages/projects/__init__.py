"""The pages of Game Maker projects, and of the games in executables of Game Maker 6 to 8.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.viewer.pages import generic, plots, sprites
from overhaul.viewer.pages.projects import actions, code, looks

if TYPE_CHECKING:
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
    "data file": generic.GENERIC,
}
PAGES: dict[tuple[str, str], Page] = {
    (document, kind): page
    for document in ("gamemaker-project", "gamemaker-executable")
    for kind, page in _KINDS.items()
}
