"""The attributes of resources, found by looking: what can be read, what can be set."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from enum import IntEnum
from itertools import islice
from typing import Any, NamedTuple

from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.base import Resource
from overhaul.gamemaker.data.resources.curves import Values
from overhaul.gamemaker.data.resources.fields import Choice, Colour, Field, Link, Related
from overhaul.gamemaker.data.resources.objects import Physics
from overhaul.gamemaker.data.resources.parts import Part, Parts

KINDS = (
    *("objects", "scripts", "timelines", "paths", "fonts", "shaders", "sequences"),
    *("animation_curves", "extensions", "particle_systems", "emitters", "code"),
)
#: what takes long, or is another resource: its own tests hold it
SLOW = frozenset({"gml", "source", "assembly", "symbolic", "instructions", "image", "children"})
#: how many parts of a list are looked at
MANY = 12


class Attribute(NamedTuple):
    """An attribute of a surface."""

    holder: Any
    name: str

    @property
    def where(self) -> tuple[str, str]:
        return type(self.holder).__name__, self.name

    @property
    def settable(self) -> bool:
        found = getattr(type(self.holder), self.name, None)
        return isinstance(found, Field) or getattr(found, "fset", None) is not None

    def read(self) -> Any:
        return getattr(self.holder, self.name)


def surfaces(resource: Any) -> Iterator[Any]:
    """A resource and all parts of it that have attributes."""
    yield resource
    for attribute in attributes(resource):
        if attribute.name in SLOW or isinstance(getattr(type(resource), attribute.name), Field):
            continue
        value = attribute.read()
        parts: Any = ()
        if isinstance(value, Parts):
            parts = list(value)[:MANY]
        elif isinstance(value, Mapping):
            parts = list(islice(value.values(), MANY))
        elif isinstance(value, Physics):
            parts = [value]
        for part in parts:
            if isinstance(part, Part | Physics):
                yield from surfaces(part)


def attributes(holder: Any) -> Iterator[Attribute]:
    """The attributes of a surface that hold something: no methods."""
    for name in dir(holder):
        found = getattr(type(holder), name, None)
        if isinstance(found, Field | property):
            yield Attribute(holder, name)


def plain(value: Any) -> Any:
    """A value to compare across games: resources by name, lists and parts by content."""
    if isinstance(value, Resource):
        return (type(value).__name__, value.name)
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, Parts | Values | list) or type(value) is tuple:
        return [plain(each) for each in value]
    if isinstance(value, Part | Physics):
        return [
            (each.name, plain(each.read()))
            for each in attributes(value)
            if each.name not in SLOW | {"code", "object"}
        ]
    # as files store it
    return repr(struct.pack("<f", value)) if isinstance(value, float) else repr(value)


def others(attribute: Attribute) -> Iterator[Any]:
    """Other values that an attribute may take: the first that is not refused will do."""
    now = attribute.read()
    game: GameData = attribute.holder.game
    found = getattr(type(attribute.holder), attribute.name)
    if isinstance(found, Choice):
        yield from (member for member in found.members if member != now)
    elif isinstance(found, Link | Related) or attribute.name == "parent":
        kind = getattr(found, "resource", type(attribute.holder))
        chunk = found.chunk if isinstance(found, Related) else kind.chunk
        names = [str(each.name) for each in game.named(chunk).present()]
        yield from (name for name in names[-3:] if now is None or name != now.name)
        yield None
    elif isinstance(now, bool):
        yield not now
    elif isinstance(now, IntEnum | int | float):
        yield from (now + 1, now - 1)
    elif isinstance(now, Colour):
        yield now._replace(red=now.red ^ 1)
    elif isinstance(now, str) or now is None:
        yield "another_text"
    elif attribute.name == "points":
        yield [*now, (1.5, 2.5)]
    elif attribute.name == "vertices":
        yield [*now, (1.5, 2.5), (3, 4), (5, 6)]
    elif attribute.name == "kerning":
        yield {**now, "é": 2}
    elif isinstance(now, list):
        yield from ([*now, *now[:1]], now[:-1])
