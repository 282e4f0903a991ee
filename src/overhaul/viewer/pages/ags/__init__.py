"""The pages of Adventure Game Studio, by kind of document and of resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.viewer.pages.ags import dialogs, games, guis, rooms, scripts, sprites, translations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from overhaul.document.protocol import Document, Resource
    from overhaul.viewer.answers import Page

PAGES: dict[tuple[str, str], Page] = {
    ("ags-room", "room"): rooms.ROOM,
    ("ags-room", "script"): scripts.SCRIPT,
    ("ags-game", "script"): scripts.SCRIPT,
    ("ags-game", "character"): games.CHARACTER,
    ("ags-game", "view"): games.VIEW,
    ("ags-game", "inventory"): games.ITEM,
    ("ags-game", "cursor"): games.CURSOR,
    ("ags-game", "gui"): guis.GUI,
    ("ags-game", "dialog"): dialogs.DIALOG,
    ("ags-game", "audio clip"): games.CLIP,
    ("ags-game", "font"): games.FONT,
    ("ags-script", "script"): scripts.SCRIPT,
    ("ags-sprites", "sprite"): sprites.SPRITE,
    ("ags-translation", "dictionary"): translations.TRANSLATION,
}
MORE: dict[str, list[Callable[[Document], Iterable[Resource]]]] = {"ags-game": [games.more_of_game]}
