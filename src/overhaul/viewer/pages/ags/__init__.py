"""The pages of what only Adventure Game Studio has."""

from __future__ import annotations

from typing import Final

#: The class of a resource -> its page, in a module of :mod:`overhaul.viewer.pages`.
PAGES: Final = (
    ("overhaul.ags.surface.rooms:Room", "ags.areas:ROOM"),
    ("overhaul.ags.surface.people:Character", "ags.characters:CHARACTER"),
    ("overhaul.ags.surface.people:View", "ags.characters:VIEW"),
    ("overhaul.ags.surface.people:InventoryItem", "ags.characters:PICTURES"),
    ("overhaul.ags.surface.people:Cursor", "ags.characters:PICTURES"),
    ("overhaul.ags.surface.game:Gui", "ags.dialogs:GUI"),
    ("overhaul.ags.surface.game:Dialog", "ags.dialogs:DIALOG"),
    ("overhaul.ags.surface.game:Font", "ags.drawn_fonts:DRAWN_FONT"),
    ("overhaul.ags.project.sources:ProjectSource", "ags.project_files:SCRIPT"),
)
#: The same for what no class of another family shows.
VIEWS: Final = (("overhaul.document.views:AssemblyView", "ags.scripts:ASSEMBLY"),)
#: By the class of a document: the editor of a resource.
EDITS: Final = (("overhaul.ags.documents.game:GameDocument", "ags.options:edits_of"),)
#: The kinds of projects that a document becomes, and what makes one.
PROJECTS: Final = tuple(
    (f"overhaul.ags.documents.{each}", "ags.converting:projects_of")
    for each in ("package:PackageDocument", "game:GameDocument")
)
MAKES: Final = tuple((kind, "ags.converting:made") for kind, _ in PROJECTS)
