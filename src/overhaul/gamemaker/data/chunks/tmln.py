"""TMLN: timelines."""

import struct
from typing import Annotated

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.objt import Action
from overhaul.gamemaker.data.fields import StringRef
from overhaul.schema import (
    Binder,
    BoundCodec,
    Buffer,
    DeclaredCodec,
    Embedded,
    Pointers,
    Reader,
    Record,
    Scheme,
    Writer,
    u32,
)
from overhaul.schema.jsonable import list_from_jsonable, value_to_jsonable
from overhaul.schema.streams import U32


class ActionList(Record):
    """The actions of a moment."""

    actions: Annotated[list[Action], Pointers()] = []


class Moment(Record):
    """A step of a timeline, and what happens then."""

    step: u32 = 0
    actions: Annotated[list[Action], Pointers()] = []


class Moments(DeclaredCodec[list[Moment]]):
    """A count, a step and a pointer for each moment, then the action lists in the same order."""

    def type_name(self) -> str:
        return "count × (step, pointer), then count × pointer list of Action"

    def signature(self, binder: Binder) -> None:
        """Actions are the same in every version."""

    def bind(self, binder: Binder) -> BoundCodec[list[Moment]]:
        return _BoundMoments(Pointers().with_element(Embedded(Action)).bind(binder))

    def to_jsonable(self, value: list[Moment], scheme: Scheme) -> object:
        return [value_to_jsonable(Embedded(Moment), moment, scheme) for moment in value]

    def from_jsonable(self, value: object, scheme: Scheme) -> list[Moment]:
        return list_from_jsonable(Embedded(Moment), value, scheme)


class _BoundMoments(BoundCodec[list[Moment]]):
    minimum = 4

    def __init__(self, actions: BoundCodec[list[Action]]) -> None:
        self.actions = actions

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[list[Moment], int]:
        start = reader.take(data, position, 4)
        (count,) = U32.unpack_from(data, position)
        if count * 12 > len(data) - position:
            raise reader.fail(f"{count} moments do not fit the bytes left", position)
        heads = struct.unpack_from(f"<{2 * count}I", data, start)
        position = start + 8 * count
        moments = []
        for index in range(count):
            try:
                position = reader.follow(data, heads[2 * index + 1], position, 1)
                actions, position = self.actions.read(data, position, reader)
            except FormatError as error:
                raise error.within("", index) from None
            moments.append(Moment(heads[2 * index], actions))
        return moments, position

    def write(self, writer: Writer, value: list[Moment]) -> None:
        out = writer.out
        out += U32.pack(len(value))
        slots = []
        for moment in value:
            out += U32.pack(moment.step)
            slots.append(writer.reserve())
        for slot, moment in zip(slots, value, strict=True):
            writer.point(slot, len(out))
            self.actions.write(writer, moment.actions)


class Timeline(Record):
    """A timeline."""

    name: StringRef = None
    moments: Annotated[list[Moment], Moments()] = []


class TimelineList(Record):
    """All timelines."""

    timelines: Annotated[list[Timeline], Pointers()] = []
