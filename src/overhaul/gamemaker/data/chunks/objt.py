"""OBJT and TMLN: objects with their events, and timelines with their moments."""

import enum
import struct
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from overhaul.errors import FormatError
from overhaul.gamemaker.data.fields import CodeRef, SpriteRef, StringRef
from overhaul.gamemaker.data.version import Version, since
from overhaul.schema import (
    Binder,
    BoundCodec,
    Buffer,
    Condition,
    Counted,
    DeclaredCodec,
    Embedded,
    FixedCodec,
    Pointers,
    Reader,
    Record,
    Scheme,
    Writer,
    b32,
    count_of,
    enum32,
    f32,
    i32,
    u32,
)
from overhaul.schema.codec import JsonFields
from overhaul.schema.jsonable import (
    from_jsonable,
    list_from_jsonable,
    to_jsonable,
    value_to_jsonable,
)
from overhaul.schema.streams import U32

if TYPE_CHECKING:
    from overhaul.schema.outline import Outline
    from overhaul.schema.outlining import Outliner, SlotOf
    from overhaul.schema.spans import Walk, Way

later: Condition = Condition(lambda version: version.object_friction, "not in the first builds")


class EventType(enum.IntEnum):
    """The outer index of an object's events."""

    CREATE = 0
    DESTROY = 1
    ALARM = 2
    STEP = 3
    COLLISION = 4
    KEYBOARD = 5
    MOUSE = 6
    OTHER = 7
    DRAW = 8
    KEY_PRESS = 9
    KEY_RELEASE = 10
    TRIGGER = 11
    CLEAN_UP = 12
    GESTURE = 13
    PRE_CREATE = 14


#: the words code entries use for event types, by number
EVENT_WORDS = (
    "Create",
    "Destroy",
    "Alarm",
    "Step",
    "Collision",
    "Keyboard",
    "Mouse",
    "Other",
    "Draw",
    "KeyPress",
    "KeyRelease",
    "Trigger",
    "CleanUp",
    "Gesture",
    "PreCreate",
)


def event_types(version: Version) -> int:
    """How many event types an object has."""
    if version.major < 2:
        return 13 if version.bytecode >= 16 else 12
    return 14 if version.bytecode < 16 else 15


class Action(Record):
    """An action of an event or moment: nearly always one that runs a code entry."""

    library: Annotated[u32, "1"] = 1
    action: Annotated[u32, "603: run code"] = 603
    kind: Annotated[u32, "7: code"] = 7
    use_relative: b32 = False
    is_question: b32 = False
    use_apply_to: Annotated[b32, "1 in GMS1, 0 later"] = False
    execution_type: Annotated[u32, "2: code"] = 2
    name: Annotated[StringRef, '"" in GMS1, null later'] = None
    code: CodeRef = None
    argument_count: Annotated[u32, "1 in GMS1, 0 later"] = 0
    who: Annotated[i32, "-1: self"] = -1
    relative: b32 = False
    is_not: b32 = False
    unknown: Annotated[u32, "0"] = 0


class Event(Record):
    """An event; for collisions the subtype is the other object."""

    subtype: Annotated[object, FixedCodec("I", "u32", kind="number")] = 0
    actions: Annotated[list[Action], Pointers()] = []


class EventList(Record):
    """The events of one type."""

    events: Annotated[list[Event], Pointers()] = []


class Events(DeclaredCodec[list[list[Event]]]):
    """A pointer list for each event type, each a pointer list of events.

    The value is a list of lists; in the list of collisions each subtype is a reference to the
    other object.
    """

    def type_name(self) -> str:
        return "pointer list (by event type) of pointer lists of Event"

    def outline(self, outliner: "Outliner", slot_of: "SlotOf") -> "Outline":
        return outliner.of(Pointers().with_element(Embedded(EventList)), slot_of)

    def signature(self, binder: Binder) -> None:
        """Events and actions are the same in every version."""

    def walk(self, walk: "Walk", position: int, way: "Way") -> None:
        """Walk through the pointer lists (see :mod:`overhaul.schema.spans`)."""
        walk.pointers(Pointers().with_element(Embedded(EventList)), position, way)

    def bind(self, binder: Binder) -> BoundCodec[list[list[Event]]]:
        return _BoundEvents(Pointers().with_element(Embedded(EventList)).bind(binder))

    def to_jsonable(self, value: list[list[Event]], scheme: Scheme) -> object:
        shown: dict[str, list[JsonFields]] = {}
        for number, events in enumerate(value):
            word = EVENT_WORDS[number] if number < len(EVENT_WORDS) else str(number)
            plain = []
            for event in events:
                entry = to_jsonable(event, scheme)
                if number == EventType.COLLISION:
                    entry["subtype"] = scheme.show["OBJT"](event.subtype)
                plain.append(entry)
            shown[word] = plain
        return shown

    def from_jsonable(self, value: object, scheme: Scheme) -> list[list[Event]]:
        if not isinstance(value, dict):
            raise FormatError("expected an object with a list for each event type")
        lists: list[list[Event]] = []
        for word, plain in value.items():
            if word in EVENT_WORDS:
                number = EVENT_WORDS.index(word)
            elif word.isdigit() and int(word) < 64:
                number = int(word)
            else:
                raise FormatError(f"{word!r} is not an event type")
            while len(lists) <= number:
                lists.append([])
            for index, entry in enumerate(plain):
                try:
                    if number == EventType.COLLISION and isinstance(entry, dict):
                        other = scheme.read["OBJT"](entry.get("subtype"))
                        event = from_jsonable(Event, {**entry, "subtype": 0}, scheme)
                        event.subtype = other
                    else:
                        event = from_jsonable(Event, entry, scheme)
                except FormatError as error:
                    raise error.within(word, index) from None
                lists[number].append(event)
        return lists


class _BoundEvents(BoundCodec[list[list[Event]]]):
    minimum = 4

    def __init__(self, lists: BoundCodec[list[Any]]) -> None:
        self.lists = lists

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[list[list[Event]], int]:
        stored, position = self.lists.read(data, position, reader)
        if None in stored:
            raise FormatError(
                f"the list of events of type {stored.index(None)} is missing", offset=position
            )
        lists = [item.events for item in stored]
        for number, events in enumerate(lists):
            if None in events or any(None in event.actions for event in events):
                raise FormatError(
                    f"an event of type {number} or an action of one is missing", offset=position
                )
        if len(lists) > EventType.COLLISION:
            objects = reader.tables["OBJT"]
            for event in lists[EventType.COLLISION]:
                event.subtype = objects[event.subtype]
        return lists, position

    def write(self, writer: Writer, value: list[list[Event]]) -> None:
        self.lists.write(writer, [EventList(events) for events in value])


class Vertex(Record):
    """A corner of a physics shape."""

    x: f32 = 0.0
    y: f32 = 0.0


class PhysicsShape(enum.IntEnum):
    """The shape of an object in the physics world."""

    CIRCLE = 0
    BOX = 1
    CUSTOM = 2


class GameObject(Record):
    """An object."""

    name: StringRef = None
    sprite: SpriteRef = None
    visible: b32 = True
    managed: Annotated[b32, since(2022, 5)] = True
    solid: b32 = False
    depth: i32 = 0
    persistent: b32 = False
    parent: Annotated[Any, FixedCodec("i", "object (index in OBJT), -100 none", kind="parent")] = (
        None
    )
    mask: Annotated[SpriteRef, "sprite whose mask is used"] = None
    uses_physics: b32 = False
    sensor: b32 = False
    shape: Annotated[int, enum32(PhysicsShape)] = 1
    density: f32 = 0.5
    restitution: f32 = 0.1
    group: u32 = 0
    linear_damping: f32 = 0.1
    angular_damping: f32 = 0.1
    vertex_count: ClassVar[u32] = count_of("vertices")
    friction: Annotated[f32, later] = 0.2
    awake: Annotated[b32, later] = True
    kinematic: Annotated[b32, later] = False
    vertices: Annotated[list[Vertex], Counted("vertex_count")] = []
    events: Annotated[list[list[Event]], Events()] = []


class ObjectList(Record):
    """All objects."""

    objects: Annotated[list[GameObject], Pointers()] = []


class ActionList(Record):
    """The actions of a moment."""

    actions: Annotated[list[Action], Pointers()] = []


class Moment(Record):
    """A step of a timeline, and its actions."""

    step: u32 = 0
    actions: Annotated[list[Action], Pointers()] = []


class Moments(DeclaredCodec[list[Moment]]):
    """A count, a step and a pointer for each moment, then the action lists in the same order."""

    def type_name(self) -> str:
        return "count × (step, pointer), then count × pointer list of Action"

    def outline(self, outliner: "Outliner", slot_of: "SlotOf") -> "Outline":
        return ("rows", outliner.of(Pointers().with_element(Embedded(Action)), slot_of))

    def signature(self, binder: Binder) -> None:
        """Actions are the same in every version."""

    def walk(self, walk: "Walk", position: int, way: "Way") -> None:
        """Walk through the steps and pointers, then the lists of actions."""
        actions = Pointers().with_element(Embedded(Action))
        (count,) = U32.unpack_from(walk.data, position)
        walk.add((*way, "count"), "count", position, position + 4, count)
        for index in range(count):
            at = position + 4 + 8 * index
            step, pointer = U32.unpack_from(walk.data, at)[0], U32.unpack_from(walk.data, at + 4)[0]
            walk.add((*way, index, "step"), "u32", at, at + 4, step)
            walk.add((*way, index, "pointer"), "pointer", at + 4, at + 8, pointer)
            walk.value(actions, pointer, (*way, index, "actions"))

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
            writer.point(slot, writer.position)
            self.actions.write(writer, moment.actions)


class Timeline(Record):
    """A timeline."""

    name: StringRef = None
    moments: Annotated[list[Moment], Moments()] = []


class TimelineList(Record):
    """All timelines."""

    timelines: Annotated[list[Timeline], Pointers()] = []
