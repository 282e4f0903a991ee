"""Objects and timelines: a JSON file, and each event as GML or as a list of actions.

objects/obj_player/object.json
objects/obj_player/create.gml               an event that is nothing but code
objects/obj_player/collision_obj_wall/      any other event:
    actions.json                            its actions
    1.gml                                   the code of an action in the list
"""

from __future__ import annotations

from collections.abc import Iterator

from overhaul.errors import FormatError
from overhaul.folder.jsonkit import in_file
from overhaul.gamemaker.classic.actions import COLLISION, TRIGGER, Event, Object
from overhaul.gamemaker.classic.resources import Moment, Timeline
from overhaul.gamemaker.classic_folder.actions import (
    AGAIN,
    in_order,
    numbered,
    read_actions,
    references_of,
    show_actions,
    word_of,
    words_of,
)
from overhaul.gamemaker.classic_folder.files import (
    JsonObject,
    Made,
    expect_no_more,
    made_json,
    show_record,
    take_integer,
)
from overhaul.gamemaker.classic_folder.kind import FolderKind, Reference, Unit
from overhaul.gamemaker.classic_folder.names import (
    Names,
    event_of_word,
    event_word,
)

_REFERENCES = {"sprite": ("sprites", -1), "parent": ("objects", -100), "mask": ("sprites", -1)}


def _show(object_: Object, stem: str, extra: JsonObject, names: Names) -> Iterator[Made]:
    plain = extra | show_record(
        object_,
        object_.version,
        names,
        without=["categories", "last_category"],
        references=_REFERENCES,
    )
    events = _events(object_)
    words = event_words(object_, names)
    for word, (_, event) in zip(words, events, strict=True):
        yield from show_actions(event.actions, f"{stem}/{word}", names)
    if events != sorted(events, key=_usual_order) or any(AGAIN in word for word in words):
        plain["events"] = words
    if object_.last_category != _last_category(names):
        plain["last_category"] = object_.last_category
    yield f"{stem}/object.json", made_json(plain)


def _events(object_: Object) -> list[tuple[int, Event]]:
    """The events of an object with their categories, in the order of the file."""
    return [
        (category, event) for category, events in enumerate(object_.categories) for event in events
    ]


def event_words(object_: Object, names: Names) -> list[str]:
    """The names of the files of an object's events, in the order of the file."""
    return numbered(event_word(each, event.sub_type, names) for each, event in _events(object_))


def _usual_order(numbered_event: tuple[int, Event]) -> tuple[int, int]:
    category, event = numbered_event
    return category, -event.sub_type


def _last_category(names: Names) -> int:
    """The number of the last category of events that objects of the version have."""
    return TRIGGER if names.version >= 800 else TRIGGER - 1


def _read(unit: Unit, base: Object | None) -> Object:
    given = unit.plain.pop("events", None)
    last = take_integer(unit.plain, "last_category", _last_category(unit.names), -1, 1001)
    object_ = unit.record(Object, base, references=_REFERENCES)
    words = words_of(unit.paths)
    if given is not None:
        words = in_order(given, words, "events")
    events: list[tuple[int, Event]] = []
    for word in words:
        with in_file(unit.folder):
            category, sub_type = event_of_word(word_of(word), unit.names)
        actions = read_actions(unit.files, f"{unit.folder}/{word}", unit.names)
        events.append((category, Event(sub_type=sub_type, actions=actions)))
    if given is None:
        events.sort(key=_usual_order)
    object_.last_category = max([last, *(category for category, _ in events)])
    object_.categories = [
        [event for number, event in events if number == category]
        for category in range(object_.last_category + 1)
    ]
    return object_


def _references(object_: Object) -> Iterator[Reference]:
    yield "sprites", object_.sprite
    yield "sprites", object_.mask
    yield "objects", object_.parent
    for category, events in enumerate(object_.categories):
        for event in events:
            if category in (COLLISION, TRIGGER):
                yield "objects" if category == COLLISION else "triggers", event.sub_type
            yield from references_of(event.actions)


OBJECTS = FolderKind("objects", _show, _read, json="/object.json", references=_references)


def _show_timeline(
    timeline: Timeline, stem: str, extra: JsonObject, names: Names
) -> Iterator[Made]:
    positions = [moment.position for moment in timeline.moments]
    words = numbered(map(str, positions))
    for word, moment in zip(words, timeline.moments, strict=True):
        yield from show_actions(moment.actions, f"{stem}/{word}", names)
    if positions != sorted(set(positions)):
        extra = extra | {"moments": words}
    yield f"{stem}/timeline.json", made_json(extra)


def _read_timeline(unit: Unit, base: Timeline | None) -> Timeline:
    given = unit.plain.pop("moments", None)
    expect_no_more(unit.plain)
    words = words_of(unit.paths)
    if given is None:
        words.sort(key=lambda word: (_position(word), word))
    else:
        words = in_order(given, words, "moments")
    moments = [
        Moment(_position(word), read_actions(unit.files, f"{unit.folder}/{word}", unit.names))
        for word in words
    ]
    return Timeline(version=unit.version, moments=moments)


def _position(word: str) -> int:
    try:
        position = int(word_of(word))
    except ValueError:
        position = 1 << 40
    if not -(1 << 31) <= position < 1 << 31:
        raise FormatError(f"expected the step of a moment, got {word!r:.40}")
    return position


def _references_of_timeline(timeline: Timeline) -> Iterator[Reference]:
    for moment in timeline.moments:
        yield from references_of(moment.actions)


TIMELINES = FolderKind(
    "timelines",
    _show_timeline,
    _read_timeline,
    json="/timeline.json",
    references=_references_of_timeline,
)
