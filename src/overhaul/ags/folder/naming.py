"""What an edit may call a thing, and what it may name: findings in the stored objects of a file.

Scripts know things by names that are identifiers and are there once.  Properties have definitions
in the game, and fonts are outlined with fonts of the game.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from overhaul.ags.folder.references import NAMED, ONCE, DeadReference, rows_in, text_of
from overhaul.ags.shapes import Json

#: The things of a room that its script knows by names: the field of the name, and what messages
#: call one.
IN_ROOMS: Final = {
    "hotspots": ("script_name", "hotspot"),
    "objects": ("script_name", "object"),
}
_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_LISTS: Final = ("values", "old_values")


def in_game(values: Mapping[str, Json]) -> Iterator[DeadReference]:
    """The findings in the objects of game data."""
    files = {rows: file for file, value in values.items() for rows in value}
    lists = {
        rows: rows_in(values[files[rows]], rows) for rows in (*NAMED, "fonts") if rows in files
    }
    yield from _names(files, lists, NAMED)
    yield from _outlines(files, lists.get("fonts", []))
    properties = defined(values)
    for rows, listed in lists.items():
        yield from _properties(files[rows], rows, listed, properties)


def in_room(file: str, shown: Mapping[str, object]) -> Iterator[DeadReference]:
    """The findings in a room."""
    lists = {rows: rows_in(shown, rows) for rows in IN_ROOMS}
    yield from _names(dict.fromkeys(lists, file), lists, IN_ROOMS)


def undefined_in_room(
    file: str, shown: Mapping[str, object], defined: Collection[str]
) -> Iterator[DeadReference]:
    """The properties in a room that its game does not define; ``defined`` are in small letters."""
    for rows in IN_ROOMS:
        yield from _properties(file, rows, rows_in(shown, rows), defined)


def no_sprites(
    file: str, shown: Mapping[str, object], gone: Collection[int]
) -> Iterator[DeadReference]:
    """The objects in a room that show a sprite of those that are not there."""
    for index, row in enumerate(rows_in(shown, "objects")):
        number = row.get("sprite")
        if isinstance(number, int) and number in gone:
            name = text_of(row, "script_name")
            yield DeadReference(file, ("objects", index, "sprite"), no_sprite(number), name)


def no_sprite(number: int) -> str:
    """The message for a sprite that is not there."""
    return f"there is no sprite {number}, sprites/{number:05}.png"


def sprites_in_room(shown: Mapping[str, object]) -> set[int]:
    """The numbers of the sprites that objects of a room show."""
    numbers = (row.get("sprite") for row in rows_in(shown, "objects"))
    return {number for number in numbers if isinstance(number, int) and number > 0}


def properties_in_room(shown: Mapping[str, object]) -> set[str]:
    """The names of the properties that things of a room have."""
    return {
        text_of(each, "name")
        for rows in IN_ROOMS
        for row in rows_in(shown, rows)
        for _, each in _values_of(row)
    }


def names_in_room(shown: Mapping[str, object]) -> set[str]:
    """The names that the script of a room knows its things by."""
    return {
        name
        for rows, (field, _) in IN_ROOMS.items()
        for row in rows_in(shown, rows)
        if (name := text_of(row, field))
    }


def script_names(shown: Mapping[str, object], rows: str) -> list[str]:
    """The names of a kind of a room's things that a script can use."""
    names = (text_of(row, IN_ROOMS[rows][0]) for row in rows_in(shown, rows))
    return [name for name in names if _IDENTIFIER.fullmatch(name)]


def _names(
    files: Mapping[str, str],
    lists: Mapping[str, list[Json]],
    fields: Mapping[str, tuple[str, str]],
) -> Iterator[DeadReference]:
    """Names are identifiers, and are there once."""
    seen: dict[str, tuple[str, int]] = {}
    for rows, (field, _) in fields.items():
        for index, row in enumerate(lists.get(rows, ())):
            name = text_of(row, field)
            if not name:
                continue
            if not _IDENTIFIER.fullmatch(name):
                message = (
                    f"{name!r} is no name for scripts: these have letters A to Z, digits and "
                    "underlines, and don't begin with a digit"
                )
                yield DeadReference(files[rows], (rows, index, field), message, usual=True)
            other, number = seen.setdefault(name, (rows, index))
            if (other, number) != (rows, index) and not (other == rows and rows in ONCE):
                kind = fields[other][1]
                message = f"{name!r} is the name of {_article(kind)} {kind} too"
                yield DeadReference(files[rows], (rows, index, field), message, usual=True)


def _article(what: str) -> str:
    return "an" if what[0] in "aeiou" else "a"


def _outlines(files: Mapping[str, str], fonts: list[Json]) -> Iterator[DeadReference]:
    """Fonts are outlined with fonts that are there."""
    for index, row in enumerate(fonts):
        number = row.get("outline")
        if isinstance(number, int) and number >= len(fonts):
            yield DeadReference(
                files["fonts"],
                ("fonts", index, "outline"),
                f"there is no font {number}",
                usual=True,
                there=f"{len(fonts)}, numbered from 0",
            )


def defined(values: Mapping[str, Json]) -> set[str]:
    """The properties that a game defines, in small letters: the engine ignores case."""
    schema = values.get("properties.json", {}).get("property_schema")
    if not isinstance(schema, dict):
        return set()
    return {
        text_of(row, "name").casefold()
        for key in ("definitions", "old_definitions")
        for row in rows_in(schema, key)
    }


def _values_of(row: Json) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    """The properties of a thing, with the steps to each."""
    properties = row.get("properties")
    for key in _LISTS if isinstance(properties, dict) else ():
        assert isinstance(properties, dict)
        for place, each in enumerate(rows_in(properties, key)):
            yield ("properties", key, place), each


def _properties(
    file: str, rows: str, listed: list[Json], defined: Collection[str]
) -> Iterator[DeadReference]:
    """Properties that things have are defined."""
    for index, row in enumerate(listed):
        for steps, each in _values_of(row):
            name = text_of(each, "name")
            if name.casefold() not in defined:
                yield DeadReference(
                    file,
                    (rows, index, *steps, "name"),
                    f"the game defines no property {name!r}",
                    text_of(row, "script_name"),
                    usual=True,
                )
