"""Rules for the names of things, and for the names that they use: findings in a game or a room.

Scripts know things by names that are identifiers and are there once.  Properties have definitions
in the game, and fonts are outlined with fonts of the game.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from overhaul.ags.folder.references import FILES, NAMED, ONCE, DeadReference, Things
from overhaul.ags.game.game import Game
from overhaul.ags.parallel import Thing
from overhaul.ags.properties import PropertySet
from overhaul.ags.shapes import Steps

#: The things of a room that its script knows by names: the field of the name, and what messages
#: call one.
IN_ROOMS: Final = {
    "hotspots": ("script_name", "hotspot"),
    "objects": ("script_name", "object"),
}
_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def in_game(game: Game, things: Things) -> Iterator[DeadReference]:
    """The findings in a game."""
    yield from _names(NAMED, things)
    yield from _outlines(things("fonts"))
    known = defined(game)
    for rows in (*NAMED, "fonts"):
        yield from _properties(rows, things(rows), known)


def in_room(things: Things) -> Iterator[DeadReference]:
    """The findings in a room."""
    return _names(IN_ROOMS, things)


def undefined_in_room(things: Things, defined: Collection[str]) -> Iterator[DeadReference]:
    """The properties in a room that its game does not define; ``defined`` are in small letters."""
    for rows in IN_ROOMS:
        yield from _properties(rows, things(rows), defined)


def no_sprites(things: Things, gone: Collection[int]) -> Iterator[DeadReference]:
    """The objects in a room that show a sprite of those that are not there."""
    for index, thing in enumerate(things("objects")):
        number = thing.number("sprite")
        if number in gone:
            name = thing.text("script_name")
            steps = ("objects", index, "sprite")
            yield DeadReference(FILES["objects"], steps, no_sprite(number), name)


def no_sprite(number: int) -> str:
    """The message for a sprite that is not there."""
    return f"there is no sprite {number}, sprites/{number:05}.png"


def sprites_in_room(things: Things) -> set[int]:
    """The numbers of the sprites that objects of a room show."""
    return {number for thing in things("objects") if (number := thing.number("sprite")) > 0}


def properties_in_room(things: Things) -> set[str]:
    """The names of the properties that things of a room have."""
    every = (thing for rows in IN_ROOMS for thing in things(rows))
    return {name for thing in every for _, name in _properties_of(thing)}


def names_in_room(things: Things) -> set[str]:
    """The names that the script of a room knows its things by."""
    every = (thing for rows in IN_ROOMS for thing in things(rows))
    return {name for thing in every if (name := thing.text("script_name"))}


def script_names(things: Things, rows: str) -> list[str]:
    """The names of a kind of a room's things that a script can use."""
    names = (thing.text("script_name") for thing in things(rows))
    return [name for name in names if _IDENTIFIER.fullmatch(name)]


def _names(fields: Mapping[str, tuple[str, str]], things: Things) -> Iterator[DeadReference]:
    """Names are identifiers, and are there once."""
    seen: dict[str, tuple[str, int]] = {}
    for rows, (field, _) in fields.items():
        for index, thing in enumerate(things(rows)):
            name = thing.text(field)
            if not name:
                continue
            if not _IDENTIFIER.fullmatch(name):
                message = (
                    f"{name!r} is not a name for scripts: these have letters A to Z, digits and "
                    "underlines, and don't begin with a digit"
                )
                yield DeadReference(FILES[rows], (rows, index, field), message, usual=True)
            other, number = seen.setdefault(name, (rows, index))
            if (other, number) != (rows, index) and not (other == rows and rows in ONCE):
                kind = fields[other][1]
                message = f"{name!r} is the name of {_article(kind)} {kind} too"
                yield DeadReference(FILES[rows], (rows, index, field), message, usual=True)


def _article(what: str) -> str:
    return "an" if what[0] in "aeiou" else "a"


def _outlines(fonts: list[Thing]) -> Iterator[DeadReference]:
    """Fonts are outlined with fonts that are there."""
    for index, thing in enumerate(fonts):
        number = thing.number("outline")
        if number >= len(fonts):
            yield DeadReference(
                FILES["fonts"],
                ("fonts", index, "outline"),
                f"there is no font {number}",
                usual=True,
                there=f"{len(fonts)}, numbered from 0",
            )


def defined(game: Game) -> set[str]:
    """The properties that a game defines, in small letters: the engine ignores case."""
    if game.content is None:
        return set()
    schema = game.content.property_schema
    names = [
        *(each.name for each in schema.definitions),
        *(each.name for each in schema.old_definitions),
    ]
    return {name.casefold() for name in names}


def _properties_of(thing: Thing) -> Iterator[tuple[Steps, str]]:
    """The steps to the name of each property of a thing, and the name."""
    found = thing.get("properties")
    if isinstance(found, PropertySet):
        for place, each in enumerate(found.values):
            yield ["properties", "values", place, "name"], each.name
        for place, old in enumerate(found.old_values):
            yield ["properties", "old_values", place, "name"], old.name


def _properties(
    rows: str, things: list[Thing], defined: Collection[str]
) -> Iterator[DeadReference]:
    """Properties that things have are defined."""
    for index, thing in enumerate(things):
        for steps, name in _properties_of(thing):
            if name.casefold() not in defined:
                yield DeadReference(
                    FILES[rows],
                    (rows, index, *steps),
                    f"the game defines no property {thing.shown(name)!r}",
                    thing.text("script_name"),
                    usual=True,
                )
