"""Resources to choose from, with pictures: what a field that names one can name."""

from __future__ import annotations

import msgspec

from overhaul.document.views import ObjectView
from overhaul.errors import OverhaulError
from overhaul.viewer.answers import Asked, DataPage
from overhaul.viewer.opened import ListedResource, Opened
from overhaul.viewer.pages import page_of
from overhaul.viewer.pages.looks import Look, look_of

#: resources that one answer has
PAGE = 60
#: kinds that are named by fields of another kind, too
_ALSO = {"background": ("background", "tile set")}
#: kinds whose looks are needed to draw what is chosen
_DRAWN = ("object", "sprite", "background", "tile set")


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A resource that can be chosen: its small picture, and how it looks in a room."""

    name: str
    href: str
    picture: str = ""
    look: Look | None = None


class PickPage(msgspec.Struct, frozen=True):
    """Resources of a kind whose names have all words of ``q``: from ``first`` on, of ``count``."""

    kind: str
    q: str
    first: int
    count: int
    choices: list[Choice]


def show_pick(asked: Asked) -> DataPage:
    """``/-/pick?kind=KIND&q=WORDS&from=N``: names that begin with the words first."""
    opened = asked.opened
    kind, q = asked.query.get("kind", ""), asked.query.get("q", "")[:200]
    found = picked(opened, kind, q)
    first = asked.number("from", most=max(len(found) - 1, 0))
    choices = [choice_of(opened, entry) for entry in found[first : first + PAGE]]
    return DataPage(
        "pick.html", PickPage(kind, q, first, len(found), choices), "Choose", whole=False
    )


def picked(opened: Opened, kind: str, q: str) -> list[ListedResource]:
    """The resources of a kind whose names have all words of a text, in the order of the game;
    names that begin with it first."""
    words = q.casefold().split()
    kinds = _ALSO.get(kind, (kind,))
    found = [
        entry
        for listing in opened.listings.values()
        if listing.kind in kinds
        for entry in listing.entries.values()
        if all(word in entry.name.casefold() for word in words)
    ]
    if words:
        found.sort(key=lambda entry: not entry.name.casefold().startswith(words[0]))
    return found


def choice_of(opened: Opened, entry: ListedResource) -> Choice:
    """A resource as it is chosen; one that is damaged has no picture."""
    try:
        look = look_of(opened, entry) if entry.kind in _DRAWN else None
        picture = picture_of(opened, entry)
    except OverhaulError:
        return Choice(entry.name, opened.href(entry))
    return Choice(entry.name, opened.href(entry), picture, look)


def picture_of_name(opened: Opened, kind: str, name: str) -> str:
    """The address of a small picture of a resource of a name; "" without."""
    found = (opened.find(name, each) for each in _ALSO.get(kind, (kind,)))
    entry = next((each for each in found if each is not None), None)
    try:
        return "" if entry is None else picture_of(opened, entry)
    except OverhaulError:  # its input is damaged
        return ""


def picture_of(opened: Opened, entry: ListedResource) -> str:
    """The address of a small picture of a resource, of an object that of its sprite; "" without."""
    if entry.kind == "code entry":  # making one reads the code of the game
        return ""
    view = opened.resource(entry)
    if isinstance(view, ObjectView):
        sprite = view.sprite
        found = None if sprite is None else opened.find(sprite.name, sprite.kind)
        return "" if found is None else opened.href(found, "thumbnail.png")
    page = page_of(opened, opened.listings[entry.slug])
    shown = page.thumbnails and page.pictured(opened.document)
    return opened.href(entry, "thumbnail.png") if shown else ""
