"""The pages, by kind of document and of resource; how to add one stands in ``overhaul.viewer``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.viewer.pages import (
    ags,
    backgrounds,
    calls,
    code,
    compare,
    edit,
    fonts,
    generic,
    names,
    objects,
    particles,
    plots,
    projects,
    rooms,
    search,
    sequences,
    shaders,
    sounds,
    sprites,
    state,
    textures,
    timelines,
    uses,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from overhaul.document.protocol import Document, Resource
    from overhaul.viewer.answers import Answers, Page

#: A page of a kind of resource: (``Document.kind``, ``Resource.kind``) -> its page.
PAGES: dict[tuple[str, str], Page] = {
    ("gamemaker-data", "code entry"): code.CODE,
    ("gamemaker-data", "object"): objects.OBJECT,
    ("gamemaker-data", "sprite"): sprites.SPRITE,
    ("gamemaker-data", "room"): rooms.ROOM,
    ("gamemaker-data", "sound"): sounds.SOUND,
    ("gamemaker-data", "background"): backgrounds.BACKGROUND,
    ("gamemaker-data", "font"): fonts.FONT,
    ("gamemaker-data", "path"): plots.PATH,
    ("gamemaker-data", "animation curve"): plots.CURVE,
    ("gamemaker-data", "texture page"): textures.PAGE,
    ("gamemaker-data", "timeline"): timelines.TIMELINE,
    ("gamemaker-data", "sequence"): sequences.SEQUENCE,
    ("gamemaker-data", "shader"): shaders.SHADER,
    ("gamemaker-data", "particle system"): particles.SYSTEM,
    ("gamemaker-data", "particle emitter"): particles.EMITTER,
    **ags.PAGES,
    **projects.PAGES,
}
#: What is under ``/-/NAME``.
FEATURES: dict[str, Answers] = {
    "names": names.show_names,
    "record": generic.show_record,
    "tree": names.show_tree,
    "search": search.show_search,
    "uses": uses.show_uses,
    "unused": uses.show_unused,
    "calls": calls.show_calls,
    "diff": compare.show_diff,
    "edit": edit.show_edit,
    "undo": edit.undo,
    "replace": edit.replace,
    "state": state.show_state,
    "reload": state.reload,
    "help": state.show_help,
}
#: Those of them that look through the whole game.
SLOW = frozenset(("calls", "unused", "uses"))
#: Resources that have pages beside those the document lists, by ``Document.kind``.
MORE: dict[str, list[Callable[[Document], Iterable[Resource]]]] = {
    "gamemaker-project": [projects.more],
    **ags.MORE,
}


def page_of(document: str, kind: str) -> Page:
    """The page of a kind of resource; the generic one where it has none of its own."""
    return PAGES.get((document, kind), generic.GENERIC)


def more_resources(document: Document) -> Iterator[Resource]:
    """The resources that have pages beside those the document lists."""
    for make in MORE.get(document.kind, ()):
        yield from make(document)
