"""The pages, by what a resource can show; how to add one stands in ``overhaul.viewer``.

The modules of pages are loaded when they are asked for: most of them know one family.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from overhaul.document.families import FAMILIES
from overhaul.document.registry import load
from overhaul.errors import OverhaulError
from overhaul.viewer.pages import generic

if TYPE_CHECKING:
    from overhaul.viewer.answers import Answers, Page
    from overhaul.viewer.opened import Listing, Opened

#: The class of a resource -> its page; the first that a resource is an instance of. First those
#: that only one family has, then the protocols that every family can implement.
PAGES: tuple[tuple[str, str], ...] = (
    *(page for family in FAMILIES for page in load(family.pages).PAGES),
    ("overhaul.document.views:SpriteView", "sprites:SPRITE"),
    ("overhaul.document.room_views:RoomView", "rooms:ROOM"),
    ("overhaul.document.views:PictureView", "backgrounds:BACKGROUND"),
    ("overhaul.document.views:SoundView", "sounds:SOUND"),
    *(page for family in FAMILIES for page in load(family.pages).VIEWS),
    ("overhaul.document.views:TextsView", "texts:TRANSLATION"),
    ("overhaul.document.views:TextView", "texts:TEXT"),
)
#: The features under ``/-/NAME``.
FEATURES: dict[str, str] = {
    "names": "search:show_names",
    "record": "generic:show_record",
    "tree": "search:show_tree",
    "search": "search:show_search",
    "uses": "uses:show_uses",
    "unused": "uses:show_unused",
    "calls": "gamemaker.calls:show_calls",
    "counts": "counts:show_counts",
    "diff": "compare:show_diff",
    "bytes": "stored:show_bytes",
    "actions": "gamemaker.actions:show_actions",
    "all-events": "gamemaker.allevents:show_all_events",
    "add": "whole:show_add",
    "copy": "whole:copy_into",
    "dialog": "ags.options:show_options",
    "edit": "gamemaker.code_edit:show_edit",
    "events": "gamemaker.events:change_events",
    "undo": "steps:undo",
    "redo": "steps:redo",
    "file": "files:show_file",
    "form": "forms:show_form",
    "frames": "media_edit:show_frames",
    "import": "importing:show_import",
    "paint": "painting:show_paint",
    "sound": "media_edit:add_sound",
    "split": "split:show_split",
    "typeface": "media_edit:set_typeface",
    "names-of": "forms:show_names_of",
    "pick": "picking:show_pick",
    "go": "steps:go",
    "go-to": "steps:go_to",
    "save": "steps:save",
    "room": "roomedit:show_room_edit",
    "run": "steps:run_game",
    "steps": "steps:show_steps",
    "strings": "strings:show_strings",
    "moments": "gamemaker.moments:show_moments",
    "table": "tables:show_tables",
    "texture": "gamemaker.textures:change_page",
    "tiles": "tileedit:show_tiles",
    "variables": "variables:show_variables",
    "whole": "whole:show_whole",
    "language": "language:answer",
    "zip": "archives:download",
    "check": "checking:show_check",
    "replace": "edit:replace",
    "replace-code": "replacing_code:show_replacing",
    "replacing": "replacing:show_replacing",
    "state": "edit:show_state",
    "project": "recovered:show_project",
    "reload": "edit:reload",
    "help": "edit:show_help",
}
#: The features that look through the whole game.
SLOW = frozenset(
    ("calls", "check", "counts", "project", "replace-code", "replacing", "unused", "uses", "zip")
)


def feature(name: str) -> Answers:
    """The function that answers ``/-/NAME``."""
    return cast("Answers", load(f"{__name__}.{FEATURES[name]}"))


def late(target: str) -> Callable[..., Any]:
    """A function of a module of pages (``"edits:edits_of"``), which is loaded at the first call."""
    return lambda *arguments: load(f"{__name__}.{target}")(*arguments)


def of_family(table: str, it: object) -> Callable[..., Any] | None:
    """The entry of a family for an object in a table of its pages, such as ``USES``; None where
    none has anything."""
    for family in FAMILIES:
        for kind, target in getattr(load(family.pages), table, ()):
            if is_a(it, kind):
                return late(target)
    return None


def page_of(opened: Opened, listing: Listing) -> Page:
    """The page of a kind of resource; the generic one where its resources can't be looked at."""

    def find() -> Page:
        entry = next(iter(listing.entries.values()), None)
        try:
            view = None if entry is None else opened.resource(entry)
        except OverhaulError:  # its input is damaged: its plain files are shown
            view = None
        page = next((page for kind, page in PAGES if is_a(view, kind)), None)
        return generic.GENERIC if page is None else cast("Page", load(f"{__name__}.{page}"))

    return opened.remember(("page", listing.slug), find, lambda page: 200)


def is_a(view: object, kind: type | str) -> bool:
    """Whether a resource is of a class, or of one that is named (``"module:Class"``); nothing is,
    of a class whose module is not loaded."""
    if isinstance(kind, type):
        return isinstance(view, kind)
    return kind.partition(":")[0] in sys.modules and isinstance(view, load(kind))
