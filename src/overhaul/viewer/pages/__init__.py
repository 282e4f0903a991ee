"""The pages, by what a resource can show; how to add one stands in ``overhaul.viewer``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.ags.surface import game as ags
from overhaul.ags.surface import people
from overhaul.ags.surface.rooms import Room as MaskedRoom
from overhaul.document import room_views, views
from overhaul.gamemaker.classic.surface import assets
from overhaul.gamemaker.classic.surface.objects import Constants
from overhaul.gamemaker.data.resources.backgrounds import TexturePage
from overhaul.gamemaker.data.resources.code import Code
from overhaul.gamemaker.data.resources.curves import AnimationCurve
from overhaul.gamemaker.data.resources.fonts import Font as GlyphFont
from overhaul.gamemaker.data.resources.particles import ParticleEmitter, ParticleSystem
from overhaul.gamemaker.data.resources.sequences import Sequence
from overhaul.gamemaker.data.resources.shaders import Shader
from overhaul.viewer.pages import (
    archives,
    areas,
    backgrounds,
    characters,
    checking,
    code,
    compare,
    counts,
    dialogs,
    edit,
    files,
    fonts,
    forms,
    generic,
    language,
    media_edit,
    objects,
    particles,
    plots,
    roomedit,
    rooms,
    scripts,
    search,
    sequences,
    sounds,
    sprites,
    steps,
    stored,
    strings,
    texts,
    tileedit,
    uses,
    whole,
)  # fmt: skip

if TYPE_CHECKING:
    from overhaul.viewer.answers import Answers, Page
    from overhaul.viewer.opened import Listing, Opened

#: What a resource can show -> its page; the first that a resource is an instance of.  First what
#: only one family has, then the protocols that every family can implement.
PAGES: tuple[tuple[type, Page], ...] = (
    (Code, code.CODE),
    (AnimationCurve, plots.CURVE),
    (GlyphFont, fonts.FONT),
    (ParticleEmitter, particles.EMITTER),
    (ParticleSystem, particles.SYSTEM),
    (Sequence, sequences.SEQUENCE),
    (Shader, scripts.SHADER),
    (TexturePage, backgrounds.PAGE),
    (assets.Font, fonts.SYSTEM_FONT),
    (Constants, texts.CONSTANTS),
    (MaskedRoom, areas.ROOM),
    (people.Character, characters.CHARACTER),
    (people.View, characters.VIEW),
    (people.InventoryItem, characters.PICTURES),
    (people.Cursor, characters.PICTURES),
    (ags.Gui, dialogs.GUI),
    (ags.Dialog, dialogs.DIALOG),
    (ags.Font, fonts.DRAWN_FONT),
    (views.SpriteView, sprites.SPRITE),
    (room_views.RoomView, rooms.ROOM),
    (views.PictureView, backgrounds.BACKGROUND),
    (views.SoundView, sounds.SOUND),
    (views.PathView, plots.PATH),
    (views.ObjectView, objects.OBJECT),
    (views.TimelineView, objects.TIMELINE),
    (views.SourceView, scripts.SOURCE),
    (views.AssemblyView, scripts.ASSEMBLY),
    (views.TextsView, texts.TRANSLATION),
    (views.TextView, texts.TEXT),
)
#: What is under ``/-/NAME``.
FEATURES: dict[str, Answers] = {
    "names": search.show_names,
    "record": generic.show_record,
    "tree": search.show_tree,
    "search": search.show_search,
    "uses": uses.show_uses,
    "unused": uses.show_unused,
    "calls": uses.show_calls,
    "counts": counts.show_counts,
    "diff": compare.show_diff,
    "bytes": stored.show_bytes,
    "add": whole.show_add,
    "copy": whole.copy_into,
    "edit": edit.show_edit,
    "undo": steps.undo,
    "redo": steps.redo,
    "file": files.show_file,
    "form": forms.show_form,
    "frames": media_edit.show_frames,
    "paint": media_edit.show_paint,
    "sound": media_edit.add_sound,
    "typeface": media_edit.set_typeface,
    "names-of": forms.show_names_of,
    "go": steps.go,
    "go-to": steps.go_to,
    "save": steps.save,
    "room": roomedit.show_room_edit,
    "steps": steps.show_steps,
    "strings": strings.show_strings,
    "tiles": tileedit.show_tiles,
    "whole": whole.show_whole,
    "language": language.answer,
    "zip": archives.download,
    "check": checking.show_check,
    "replace": edit.replace,
    "state": edit.show_state,
    "reload": edit.reload,
    "help": edit.show_help,
}
#: Those of them that look through the whole game.
SLOW = frozenset(("calls", "check", "counts", "unused", "uses", "zip"))


def page_of(opened: Opened, listing: Listing) -> Page:
    """The page of a kind of resource; the generic one where its resources can't be looked at."""

    def find() -> Page:
        entry = next(iter(listing.entries.values()), None)
        view = None if entry is None else opened.resource(entry)
        pages = (page for kind, page in PAGES if isinstance(view, kind))
        return next(pages, generic.GENERIC)

    return opened.remember(("page", listing.slug), find, lambda page: 200)
