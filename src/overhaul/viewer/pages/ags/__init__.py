"""The pages of what only Adventure Game Studio has."""

from __future__ import annotations

from typing import Final

#: What a resource can show -> its page, in a module of :mod:`overhaul.viewer.pages`.
PAGES: Final = (
    ("overhaul.ags.surface.rooms:Room", "ags.areas:ROOM"),
    ("overhaul.ags.surface.people:Character", "ags.characters:CHARACTER"),
    ("overhaul.ags.surface.people:View", "ags.characters:VIEW"),
    ("overhaul.ags.surface.people:InventoryItem", "ags.characters:PICTURES"),
    ("overhaul.ags.surface.people:Cursor", "ags.characters:PICTURES"),
    ("overhaul.ags.surface.game:Gui", "ags.dialogs:GUI"),
    ("overhaul.ags.surface.game:Dialog", "ags.dialogs:DIALOG"),
    ("overhaul.ags.surface.game:Font", "ags.drawn_fonts:DRAWN_FONT"),
)
