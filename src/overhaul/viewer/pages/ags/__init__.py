"""The pages of Adventure Game Studio, by kind of document and of resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.viewer.pages.ags import rooms, scripts, sprites, translations

if TYPE_CHECKING:
    from overhaul.viewer.answers import Page

PAGES: dict[tuple[str, str], Page] = {
    ("ags-room", "room"): rooms.ROOM,
    ("ags-room", "script"): scripts.SCRIPT,
    ("ags-game", "script"): scripts.SCRIPT,
    ("ags-script", "script"): scripts.SCRIPT,
    ("ags-sprites", "sprite"): sprites.SPRITE,
    ("ags-translation", "dictionary"): translations.TRANSLATION,
}
