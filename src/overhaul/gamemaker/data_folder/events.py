"""The events of objects as people name them: ``Create_0``, ``Step_0``, ``Collision_obj_wall``."""

from __future__ import annotations

from typing import Any

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.objt import EVENT_WORDS, Action, Event, EventType
from overhaul.gamemaker.data_folder.kinds import event_types
from overhaul.gamemaker.data_folder.plain import Names
from overhaul.schema.jsonable import from_jsonable, to_jsonable

_COLLISION = int(EventType.COLLISION)
_PRE_CREATE = int(EventType.PRE_CREATE)
#: what an action that runs code looks like in GMS1, and in a PreCreate event ever since
_OLD_ACTION = {"name": "", "use_apply_to": True, "argument_count": 1}


def usual_action(names: Names, event_type: int) -> dict[str, Any]:
    """The fields of an action that just runs code, as far as they are not the default."""
    old = names.game.layout.major < 2 or event_type == _PRE_CREATE
    return dict(_OLD_ACTION) if old else {}


def show_events(record: Any, names: Names) -> Any:
    """The events of an object: a key for each, its value the code entry (or what is unusual)."""
    shown: dict[str, Any] = {}
    entries: list[dict[str, Any]] = []
    for number, events in enumerate(record.events):
        for event in events:
            key = event_key(number, event, names)
            value = _show_actions(event.actions, number, names)
            entries.append({"event": key, "actions": value})
            shown[key] = value
    if len(shown) != len(entries):  # an event twice: a list keeps both
        return entries
    return shown


def event_key(number: int, event: Any, names: Names) -> str:
    """The name of an event."""
    word = EVENT_WORDS[number] if number < len(EVENT_WORDS) else f"Type{number}"
    subtype = event.subtype
    if number == _COLLISION:
        subtype = names.show_reference(subtype)
        if subtype is None:
            subtype = 0xFFFFFFFF
        elif isinstance(subtype, dict):
            subtype = subtype["index"]
    return f"{word}_{subtype}"


def _show_actions(actions: list[Any], number: int, names: Names) -> Any:
    shown = [_show_action(action, number, names) for action in actions]
    return shown[0] if len(shown) == 1 and not isinstance(shown[0], list) else shown


def _show_action(action: Any, number: int, names: Names) -> Any:
    plain = to_jsonable(action, names.scheme)
    code = plain.pop("code", None)
    usual = usual_action(names, number)
    if plain == usual and isinstance(code, str):
        return code
    unusual = {key: value for key, value in plain.items() if usual.get(key, _NOTHING) != value}
    for key in usual:
        if key not in plain:
            unusual[key] = None if key == "name" else 0 if key == "argument_count" else False
    return {"code": code, **unusual}


_NOTHING = object()


def read_events(plain: Any, names: Names, name: str, lists: int = 0) -> list[list[Event]]:
    """The events from JSON, as lists by event type.

    ``plain`` may also be a list of event names, whose code is called as the compiler calls it.
    """
    events: list[list[Event]] = [[] for _ in range(lists or event_types(names.game.layout))]
    for key, value in _pairs(plain, name):
        try:
            number, subtype = read_key(key, names)
            while len(events) <= number:
                events.append([])
            actions = value if isinstance(value, list) else [value]
            made = [_read_action(item, number, names) for item in actions]
            events[number].append(Event(subtype, made))
        except FormatError as error:
            raise error.within(str(key)) from None
    return events


def _pairs(plain: Any, name: str) -> list[tuple[Any, Any]]:
    if plain is None:
        return []
    if isinstance(plain, dict):
        return list(plain.items())
    if not isinstance(plain, list):
        raise FormatError("expected an object with a code entry for each event")
    pairs: list[tuple[Any, Any]] = []
    for item in plain:
        if isinstance(item, str):
            pairs.append((item, f"gml_Object_{name}_{item}"))
        elif isinstance(item, dict) and "event" in item:
            pairs.append((item["event"], item.get("actions")))
        else:
            raise FormatError(f"expected the name of an event, not {item!r}")
    return pairs


def read_key(key: Any, names: Names) -> tuple[int, Any]:
    """The type and subtype of an event from its name."""
    word, _, rest = str(key).partition("_")
    if word in EVENT_WORDS:
        number = EVENT_WORDS.index(word)
    elif word.startswith("Type") and word[4:].isdigit() and len(word) < 8:
        number = int(word[4:])
        if number > 64:
            raise FormatError(f"{key!r} is no event")
    else:
        raise FormatError(f"{key!r} is no event; they begin with {', '.join(EVENT_WORDS)}")
    if number == _COLLISION and not rest.isdigit():
        objects = names.game.named("OBJT")
        try:
            return number, objects.reference(objects.index(rest))
        except KeyError as error:
            raise FormatError(str(error.args[0])) from None
    if not rest.isdigit() or int(rest) > 0xFFFFFFFF:
        raise FormatError(f"{key!r} is no event: a number is missing, as in Step_0")
    subtype: Any = int(rest)
    if number == _COLLISION and subtype < len(names.game.named("OBJT")):
        subtype = names.game.named("OBJT").reference(subtype)
    return number, subtype


def _read_action(value: Any, number: int, names: Names) -> Action:
    plain: dict[str, Any] = dict(usual_action(names, number))
    if isinstance(value, dict):
        plain.update(value)
    else:
        plain["code"] = value
    return from_jsonable(Action, plain, names.scheme)
