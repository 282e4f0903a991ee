"""Small records that rooms and game data share: custom properties, event lists, maps, names.

Sources: the engine's ``Common/game/customproperties.cpp`` and ``interactions.cpp``.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, TypeAlias

from overhaul.ags.fields import FixedText, cstr, if_equal, lstr, new, zeros
from overhaul.ags.shapes import NamedNumber
from overhaul.ags.words import Shown
from overhaul.schema import (
    Bytes,
    Counted,
    Inline,
    OneOf,
    Record,
    Times,
    count_of,
    f32,
    i16,
    i32,
    u8,
)

_TYPES = NamedNumber({1: "Boolean", 2: "Number", 3: "Text"})


class OldProperty(Record):
    """A custom property of format 1."""

    name: cstr = ""
    value: cstr = ""


class Property(Record):
    """A custom property of format 2."""

    name: Annotated[lstr, Shown("Name")] = ""
    value: Annotated[lstr, Shown("Value")] = ""


class PropertySet(Record):
    """The custom properties of one thing; each set has its own format."""

    format: Annotated[int, OneOf(1, 2)] = 2
    old_values: Annotated[list[OldProperty], Inline("i"), if_equal("format", 1)] = []
    values: Annotated[list[Property], Inline("i"), if_equal("format", 2)] = []


class OldPropertyDefinition(Record):
    """A property that things may have, format 1."""

    name: cstr = ""
    description: cstr = ""
    default: cstr = ""
    type: Annotated[i32, "1 boolean, 2 number, 3 text"] = 0


class PropertyDefinition(Record):
    """A property that things may have, format 2."""

    name: Annotated[lstr, Shown("Name")] = ""
    type: Annotated[i32, Shown("Type", _TYPES), "1 boolean, 2 number, 3 text"] = 0
    description: Annotated[lstr, Shown("Description")] = ""
    default: Annotated[lstr, Shown("DefaultValue")] = ""


class PropertySchema(Record):
    """The properties that things of a game may have."""

    format: Annotated[int, OneOf(1, 2)] = 2
    old_definitions: Annotated[list[OldPropertyDefinition], Inline("i"), if_equal("format", 1)] = []
    definitions: Annotated[list[PropertyDefinition], Inline("i"), if_equal("format", 2)] = []


class MapEntry(Record):
    """A key and its value, of a map."""

    key: lstr = ""
    value: lstr = ""


class TextMap(Record):
    """Keys and values in file order."""

    entries: Annotated[list[MapEntry], Inline()] = []

    def get(self, key: str) -> str | None:
        """The first value of a key, or None."""
        return next((entry.value for entry in self.entries if entry.key == key), None)


EventList: TypeAlias = Annotated[list[cstr], Inline("i")]
"""Names of script functions by event number, empty for events without one."""


class ThingNames(Record):
    """The name for scripts, and the name for people (of an audio clip, its file)."""

    script_name: lstr = ""
    name: lstr = ""


class Anchor(Record):
    """The anchor of a character's or object's picture (AGS 4)."""

    anchor_x: f32 = 0.0
    anchor_y: f32 = 0.0
    offset_x: i32 = 0
    offset_y: i32 = 0
    reserved: Annotated[list[i32], Times(4)] = zeros(4)


class EventSchema(Record):
    """The names of the events that a kind of thing has (AGS 4)."""

    format: Annotated[i32, "4000024"] = 4000024
    names: Annotated[list[lstr], Inline()] = []


class HandlerTable(Record):
    """The script functions that answer to the events of one thing (3.6.2 and later)."""

    format: Annotated[i32, "3060200 or 4000024"] = 3060200
    script_module: lstr = ""
    handlers: Annotated[list[lstr], Inline()] = []


class SchemaAndTables(Record):
    """A kind of thing: its events, and the handlers of each thing."""

    schema: EventSchema = new(EventSchema)
    tables: Annotated[list[HandlerTable], Inline()] = []


# --- graphical interactions, before 3.0 -----------------------------------------------------


class EventBlock(Record):
    """The reactions to up to eight events of a thing, before graphical interactions."""

    events: Annotated[list[i32], Times(8)] = zeros(8)
    responses: Annotated[list[i32], Times(8)] = zeros(8)
    response_values: Annotated[list[i32], Times(8)] = zeros(8)
    data: Annotated[list[i32], Times(8)] = zeros(8)
    count: i32 = 0
    scores: Annotated[list[i16], Times(8)] = zeros(8)


class CommandValue(Record):
    """An argument of an interaction command."""

    type: Annotated[u8, "1 number, 2 variable, 3 boolean, 4 character"] = 0
    padding: Annotated[bytes, Bytes(3)] = bytes(3)
    value: i32 = 0
    extra: i32 = 0


class Command(Record):
    """One step of an interaction; the numbers at both ends are old pointers."""

    pointer: i32 = 0
    type: i32 = 0
    value_1: CommandValue = new(CommandValue)
    value_2: CommandValue = new(CommandValue)
    value_3: CommandValue = new(CommandValue)
    value_4: CommandValue = new(CommandValue)
    value_5: CommandValue = new(CommandValue)
    has_children: i32 = 0
    parent_pointer: i32 = 0


def _parents(commands: list[Command]) -> int:
    return sum(1 for command in commands if command.has_children)


def _answered(responses: list[int]) -> int:
    return sum(1 for response in responses if response)


class CommandList(Record):
    """Commands, and the lists of those commands that have children, in order."""

    count: ClassVar[i32] = count_of("commands")
    times_run: i32 = 0
    commands: Annotated[list[Command], Counted("count")] = []
    children: Annotated[list[CommandList], Counted("commands", count=_parents)] = []


class Interaction(Record):
    """The reactions to each event of a thing, in graphical interactions."""

    format: Annotated[int, OneOf(1)] = 1
    event_count: ClassVar[i32] = count_of("event_types")
    event_types: Annotated[list[i32], Counted("event_count")] = []
    responses: Annotated[list[i32], Counted("event_count")] = []
    command_lists: Annotated[list[CommandList], Counted("responses", count=_answered)] = []


class InteractionVariable(Record):
    """A variable of the graphical interactions."""

    name: Annotated[str, FixedText(23)] = ""
    type: u8 = 0
    value: i32 = 0
