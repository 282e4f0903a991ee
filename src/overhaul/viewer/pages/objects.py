"""The page of an object: its events with those it inherits, its family, its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from overhaul.viewer.answers import Asked, Crumb, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.games import Fact, crumb, facts, resource_of

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.objects import GameObject
    from overhaul.viewer.opened import Opened

#: the fields that the page shows
_FACTS = ("sprite", "mask", "parent", "visible", "solid", "persistent", "depth")
#: objects in the picture of a family
_FAMILY = 200


class EventRow(msgspec.Struct, frozen=True):
    """An event that runs: its code, and the object it is inherited from, if it is.

    ``name`` is what code calls it (``Keyboard_37``), ``title`` what people do.
    """

    name: str
    title: str
    code: Crumb | None
    inherited: Crumb | None


class Member(msgspec.Struct, frozen=True):
    """An object of a family, with those that inherit from it."""

    name: str
    href: str
    here: bool
    children: list[Member]


class ObjectPage(generic.ResourcePage, frozen=True):
    """An object as every resource is shown, with its events, its family and its picture."""

    events: list[EventRow]
    family: Member
    sprite: Crumb | None
    picture: str
    instances: int
    facts: list[Fact]


def show_object(asked: Asked) -> ObjectPage:
    """The page of an object."""
    opened, it = asked.opened, resource_of(asked, lambda game: game.objects)
    top = ([it, *it.ancestors()])[-1]
    sprite = it.sprite
    entry = None if sprite is None else opened.find(sprite.name, "sprite")
    return ObjectPage(
        **msgspec.structs.asdict(generic.base(asked)),
        events=_events(opened, it),
        family=_member(opened, top, it, {top.name}),
        sprite=None if sprite is None else crumb(opened, sprite.name, "sprite"),
        picture="" if entry is None else opened.href(entry, "thumbnail.png"),
        instances=len(it.instances()),
        facts=facts(opened, it, *_FACTS),
    )


def _events(opened: Opened, it: GameObject) -> list[EventRow]:
    """Its own events in their order, then those of its ancestors that it does not have."""
    rows: dict[str, EventRow] = {}
    for each in (it, *it.ancestors()):
        inherited = None if each == it else crumb(opened, each.name, "object")
        for name, event in each.events.items():
            if name not in rows:
                code = event.code
                link = None if code is None else crumb(opened, code.name, "code entry")
                rows[name] = EventRow(name, event.title, link, inherited)
    return list(rows.values())


def _member(opened: Opened, each: GameObject, here: GameObject, seen: set[str]) -> Member:
    """An object and those below it, each once."""
    children = []
    for child in each.children:
        if child.name not in seen and len(seen) < _FAMILY:
            seen.add(child.name)
            children.append(_member(opened, child, here, seen))
    found = crumb(opened, each.name, "object")
    return Member(found.text, found.href, each == here, children)


OBJECT = Page(show_object, "object.html", {"files": generic.file_part})
