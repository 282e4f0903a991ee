"""Objects, events and actions, and what events are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, ClassVar, TypeAlias

from msgspec import field

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker import events as words
from overhaul.gamemaker.classic.fields import (
    COUNT,
    I32,
    Flag,
    Text,
    Versioned,
    VersionedRecord,
    section,
)
from overhaul.gamemaker.events import COLLISION as COLLISION
from overhaul.gamemaker.events import TRIGGER as TRIGGER
from overhaul.schema import (
    Binder,
    BoundCodec,
    Buffer,
    Codec,
    DeclaredCodec,
    Embedded,
    Reader,
    Record,
    Writer,
    i32,
)

if TYPE_CHECKING:
    from overhaul.schema.spans import Walk, Way


class Action(VersionedRecord):
    """A drag-and-drop action.

    From ``kind`` to ``argument_kinds`` it repeats how its library defined it when it was placed.
    """

    versions: ClassVar[tuple[int, ...]] = (440,)

    library_id: Annotated[i32, "1 for all built-in libraries"] = 1
    action_id: i32 = 603
    kind: Annotated[
        i32, "0 normal, 1 begin group, 2 end group, 3 else, 4 exit, 5 repeat, 6 variable, 7 code"
    ] = 0
    can_be_relative: Flag = 0
    is_question: Flag = 0
    can_apply_to: Flag = 0
    exec_type: Annotated[i32, "0 nothing, 1 function, 2 code"] = 0
    function_name: Text = ""
    code: Annotated[Text, "the library's own GML"] = ""
    argument_count: Annotated[i32, "how many arguments are in use"] = 0
    argument_kinds: Annotated[list[i32], COUNT] = []
    applies_to: Annotated[i32, "-1 self, -2 other, else an object"] = -1
    relative: Flag = 0
    arguments: Annotated[list[Text], COUNT] = []
    negated: Annotated[Flag, "a question whose answer is inverted"] = 0


class ActionList(VersionedRecord):
    """The actions of an event or a moment."""

    versions: ClassVar[tuple[int, ...]] = (400,)

    actions: Annotated[list[Annotated[Action, Versioned(Action)]], COUNT] = []


class Event(Record):
    """An event of an object; its category is the index of its list."""

    sub_type: i32 = 0
    actions: Annotated[ActionList, Versioned(ActionList)] = field(default_factory=ActionList)


class _Categories(DeclaredCodec[list[list[Event]]]):
    """For each category of events, as many events as there are, then -1."""

    needs = ("last_category",)

    def type_name(self) -> str:
        return "list of Event for each category, each list ended by -1"

    def walk(self, walk: Walk, position: int, way: Way, last_category: int) -> None:
        """Walk through the events of each category (see :mod:`overhaul.schema.spans`)."""
        for category in range(last_category + 1):
            count = 0
            while walk.data[position : position + 4] != b"\xff\xff\xff\xff":
                here = (*way, category, count)
                _, position = walk.value(Embedded(Event), position, here)
                count += 1
            walk.add((*way, category, "end"), "i32", position, position + 4, -1)
            position += 4

    def bind(self, binder: Binder) -> BoundCodec[list[list[Event]]]:
        return _BoundCategories(binder.codec(Event))


class _BoundCategories(BoundCodec[list[list[Event]]]):
    needs = ("last_category",)

    def __init__(self, event: Codec[Event]) -> None:
        self.event = event

    def read(
        self, data: Buffer, position: int, reader: Reader, last_category: int
    ) -> tuple[list[list[Event]], int]:
        count = last_category + 1
        if not 0 <= count <= (len(data) - position) // 4:
            raise reader.fail(f"{count} categories of events can't be here", position)
        read = self.event.read
        categories: list[list[Event]] = []
        for category in range(count):
            events: list[Event] = []
            try:
                while data[position : position + 4] != b"\xff\xff\xff\xff":
                    event, position = read(data, position, reader)
                    events.append(event)
            except FormatError as error:
                raise error.within("", len(events)).within("", category) from None
            position += 4
            categories.append(events)
        return categories, position

    def write(self, writer: Writer, value: list[list[Event]], last_category: int) -> None:
        if len(value) != last_category + 1:
            raise EncodeError(f"last_category is {last_category}, but there are {len(value)} lists")
        for events in value:
            for event in events:
                if event.sub_type == -1:
                    raise EncodeError("no event can have the sub-type -1")
                self.event.write(writer, event)
            writer.out += I32.pack(-1)


class Object(VersionedRecord):
    """An object with its events."""

    versions: ClassVar[tuple[int, ...]] = (430,)

    sprite: Annotated[i32, "-1: none"] = -1
    solid: Flag = 0
    visible: Flag = 1
    depth: i32 = 0
    persistent: Flag = 0
    parent: Annotated[i32, "-100: none"] = -100
    mask: Annotated[i32, "a sprite, -1: its own"] = -1
    last_category: Annotated[i32, "10; 11 since Game Maker 8"] = 11
    categories: Annotated[list[list[Event]], _Categories()] = []


OBJECTS = section("Objects", (400, 800), Object)


#: the name of a resource of a kind (``objects``) by its id; None for one that is not there
NameOf: TypeAlias = Callable[[str, int], str | None]

#: by category: the word that begins the name, and the sub-types' words
EVENTS: tuple[tuple[str, dict[int, str]], ...] = (
    ("create", {0: ""}),
    ("destroy", {0: ""}),
    ("alarm", {number: str(number) for number in range(12)}),
    ("step", {0: "", 1: "begin", 2: "end"}),
    ("collision", {}),
    ("keyboard", words.KEYS),
    ("mouse", words.MOUSE),
    ("other", words.OTHER),
    ("draw", {0: ""}),
    ("key_press", words.KEYS),
    ("key_release", words.KEYS),
    ("trigger", {}),
)
#: the categories whose sub-types are ids, and of what kind of resource
REFERENCES = {COLLISION: "objects", TRIGGER: "triggers"}


def word(prefix: str, rest: str) -> str:
    """The word of an event."""
    return f"{prefix}_{rest}" if rest else prefix


#: category and sub-type by word
WORDS = {
    word(prefix, rest): (category, sub_type)
    for category, (prefix, sub_types) in enumerate(EVENTS)
    for sub_type, rest in sub_types.items()
}


def event_title(category: int, sub_type: int, name_of: NameOf) -> str:
    """An event as people read it: ``Alarm 3``, ``Collision with obj_wall``, ``Key press: enter``.

    An event that no release has is shown by its numbers.
    """
    name = name_of(REFERENCES[category], sub_type) if category in REFERENCES else None
    return words.event_title(category, sub_type, name or "") or f"Event {category}, {sub_type}"
