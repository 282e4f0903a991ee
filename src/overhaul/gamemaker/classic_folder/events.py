"""Objects and timelines as files: each event or moment as GML, or as a list of actions.

objects/obj_player/object.json
objects/obj_player/create.gml               an event that is nothing but code
objects/obj_player/collision_obj_wall/      any other event:
    actions.json                            its actions
    1.gml                                   the code of an action in the list
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.actions import ActionList, Event, Object
from overhaul.gamemaker.classic.resources import Moment, Timeline
from overhaul.gamemaker.classic_folder.actions import (
    code_list,
    list_from_json,
    list_to_json,
    only_code,
)
from overhaul.gamemaker.classic_folder.files import Files, in_file, read_record, show_record
from overhaul.gamemaker.classic_folder.names import Names, event_of_word, event_word
from overhaul.gamemaker.classic_folder.resources import Made, made_json, made_text

LIST = "actions.json"
AGAIN = "%="  # before the number of a second event of one name; no name of a file holds it
OBJECT_REFERENCES = {
    "sprite": ("sprites", -1),
    "parent": ("objects", -100),
    "mask": ("sprites", -1),
}


def show_actions(actions: ActionList, path: str, names: Names) -> Iterator[Made]:
    """The files of a list of actions."""
    code = only_code(actions)
    if code is not None:
        yield f"{path}.gml", made_text(code)
        return
    pieces: list[str] = []

    def add_code(text: str) -> str:
        pieces.append(text)
        return f"{len(pieces)}.gml"

    plain = list_to_json(actions, names, add_code)
    yield f"{path}/{LIST}", made_json(plain)
    for index, text in enumerate(pieces):
        yield f"{path}/{index + 1}.gml", made_text(text)


def read_actions(files: Files, path: str, names: Names) -> ActionList:
    """The list of actions of its files."""
    if f"{path}.gml" in files:
        return code_list(files.text(f"{path}.gml"))
    listed = f"{path}/{LIST}"
    plain = files.json(listed)
    actions: ActionList = in_file(
        listed, lambda: list_from_json(plain, names, lambda name: files.text(f"{path}/{name}"))
    )
    return actions


def _listed(files: Files, unit: tuple[str, str]) -> list[str]:
    """The words of the events (or moments) that have files."""
    words: dict[str, None] = {}
    for path in files.units[unit]:
        inner = path.split("/", 2)[2]
        if "/" in inner:
            words[inner.partition("/")[0]] = None
        elif inner.endswith(".gml"):
            words[inner[:-4]] = None
    return list(words)


def _twice_apart(words: list[str]) -> list[str]:
    """File names for words that may be repeated."""
    seen: dict[str, int] = {}
    result = []
    for word in words:
        seen[word] = seen.get(word, 0) + 1
        result.append(word if seen[word] == 1 else f"{word}{AGAIN}{seen[word]}")
    return result


# --------------------------------------------------------------------------------- objects


def show_object(object_: Object, stem: str, extra: dict[str, Any], names: Names) -> Iterator[Made]:
    """``object.json`` and the events."""
    plain = extra | show_record(
        object_,
        object_.version,
        names,
        without=["categories", "last_category"],
        references=OBJECT_REFERENCES,
    )
    numbered = [
        (category, event) for category, events in enumerate(object_.categories) for event in events
    ]
    words = _twice_apart(
        [event_word(category, event.sub_type, names) for category, event in numbered]
    )
    for word, (_, event) in zip(words, numbered, strict=True):
        yield from show_actions(event.actions, f"{stem}/{word}", names)
    if numbered != sorted(numbered, key=lambda pair: (pair[0], -pair[1].sub_type)) or any(
        AGAIN in word for word in words
    ):
        plain["events"] = words
    if object_.last_category != _last_category(names):
        plain["last_category"] = object_.last_category
    yield f"{stem}/object.json", made_json(plain)


def _last_category(names: Names) -> int:
    """The number of the last category of events that objects of the version have."""
    return 11 if names.version >= 800 else 10


def read_object(
    files: Files, stem: str, plain: dict[str, Any], version: int, names: Names, base: Object | None
) -> Object:
    """The object of its files."""
    words = plain.pop("events", None)
    last = plain.pop("last_category", _last_category(names))
    object_ = read_record(Object, plain, version, names, references=OBJECT_REFERENCES, base=base)
    found = _listed(files, ("objects", stem))
    given = words is not None
    if not given:
        words = found
    elif not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise FormatError("a list of events is expected", path="events")
    else:
        words = [word for word in words if word in found]
        words += [word for word in found if word not in words]
    numbered: list[tuple[int, Event]] = []
    for word in words:
        try:
            category, sub_type = event_of_word(word.partition(AGAIN)[0], names)
        except FormatError as error:
            error.source = f"objects/{stem}"
            raise
        actions = read_actions(files, f"objects/{stem}/{word}", names)
        numbered.append((category, Event(sub_type=sub_type, actions=actions)))
    if not given:
        numbered.sort(key=lambda pair: (pair[0], -pair[1].sub_type))
    if not isinstance(last, int) or not -1 <= last <= 1000:
        raise FormatError(f"{last!r:.20} can't be the last category", path="last_category")
    last = max([last, *(category for category, _ in numbered)])
    object_.last_category = last
    object_.categories = [
        [event for number, event in numbered if number == category] for category in range(last + 1)
    ]
    return object_


# ------------------------------------------------------------------------------- timelines


def show_timeline(
    timeline: Timeline, stem: str, extra: dict[str, Any], names: Names
) -> Iterator[Made]:
    """``timeline.json`` and the moments, by their step."""
    positions = [moment.position for moment in timeline.moments]
    words = _twice_apart([str(position) for position in positions])
    for word, moment in zip(words, timeline.moments, strict=True):
        yield from show_actions(moment.actions, f"{stem}/{word}", names)
    regular = positions == sorted(set(positions))
    yield f"{stem}/timeline.json", made_json(extra if regular else extra | {"moments": words})


def read_timeline(
    files: Files,
    stem: str,
    plain: dict[str, Any],
    version: int,
    names: Names,
    base: Timeline | None,
) -> Timeline:
    """The timeline of its files."""
    words = plain.pop("moments", None)
    found = _listed(files, ("timelines", stem))
    if words is None:
        words = sorted(found, key=lambda word: (_position(word), word))
    elif not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise FormatError("a list of moments is expected", path="moments")
    else:
        words = [word for word in words if word in found]
        words += [word for word in found if word not in words]
    moments = [
        Moment(_position(word), read_actions(files, f"timelines/{stem}/{word}", names))
        for word in words
    ]
    return Timeline(version=version, moments=moments)


def _position(word: str) -> int:
    try:
        position = int(word.partition(AGAIN)[0])
    except ValueError:
        position = 1 << 40
    if not -(1 << 31) <= position < 1 << 31:
        raise FormatError(f"a moment is named by its step, not {word!r:.40}")
    return position
