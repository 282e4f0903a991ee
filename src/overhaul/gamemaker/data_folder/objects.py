"""Objects: a JSON file that names events ``Create_0``, ``Step_0``, ``Collision_obj_wall``."""

from __future__ import annotations

from overhaul.errors import FormatError, PlainFileError
from overhaul.folder.json_fields import at_key, expect_integer
from overhaul.gamemaker.data.chunks.objt import (
    EVENT_WORDS,
    Action,
    Event,
    EventType,
    GameObject,
    event_types,
)
from overhaul.gamemaker.data.code.owners import event_key
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data_folder import kind_folders
from overhaul.gamemaker.data_folder.names import ReferenceNames, index_of
from overhaul.gamemaker.data_folder.resource import JsonObject, ResourceEdit, ResourceFiles
from overhaul.schema.jsonable import from_jsonable, to_jsonable

_COLLISION = int(EventType.COLLISION)
#: the highest event type that a folder may name
_MOST_TYPES = 64
#: the values in which an action that runs code in GMS1 differs from the default, and in a PreCreate
#: event ever since
_OLD_ACTION: JsonObject = {"name": "", "use_apply_to": True, "argument_count": 1}
#: those fields of an action where the JSON leaves them out
_LEFT_OUT: JsonObject = {"name": None, "use_apply_to": False, "argument_count": 0}
_NOTHING = object()


class ObjectFiles(ResourceFiles[GameObject]):
    """Objects with their events: a key for each, its value the code entry (or what is unusual)."""

    def show(self, record: GameObject, names: ReferenceNames) -> JsonObject:
        plain = super().show(record, names) | {"events": _show_events(record, names)}
        if len(record.events) != event_types(names.version):
            plain["event_types"] = len(record.events)
        return plain

    def read(self, values: JsonObject, edit: ResourceEdit[GameObject]) -> GameObject:
        names = edit.edits.names
        with at_key("event_types"):
            types = expect_integer(values.pop("event_types", 0), 0, _MOST_TYPES)
        with at_key("events"):
            plain = values.pop("events", None)
            events = _read_events(plain, names, edit.name, types or event_types(names.version))
        record = super().read(values, edit)
        record.events = events
        return record

    def apply(self, edit: ResourceEdit[GameObject]) -> None:
        """Refuse an object that inherits from itself; all JSON has been read."""
        seen = {id(edit.record)}
        parent = edit.record.parent
        while isinstance(parent, Reference) and parent.target is not None:
            if parent.target is edit.record and "parent" in edit.given:
                raise PlainFileError(f"{edit.name} inherits from itself", edit.json_path, "parent")
            if id(parent.target) in seen:
                return
            seen.add(id(parent.target))
            parent = parent.target.parent


def _usual_action(names: ReferenceNames, event_type: int) -> JsonObject:
    """The fields of an action that only runs code, without those that have their default."""
    old = names.version.major < 2 or event_type == EventType.PRE_CREATE
    return _OLD_ACTION if old else {}


# -- showing ------------------------------------------------------------------------------------


def _show_events(record: GameObject, names: ReferenceNames) -> object:
    entries = [
        (event_key(number, event), _show_actions(event.actions, number, names))
        for number, events in enumerate(record.events)
        for event in events
    ]
    shown = dict(entries)
    if len(shown) != len(entries):  # an event twice: a list keeps both
        return [{"event": key, "actions": actions} for key, actions in entries]
    return shown


def _show_actions(actions: list[Action], number: int, names: ReferenceNames) -> object:
    shown = [_show_action(action, number, names) for action in actions]
    return shown[0] if len(shown) == 1 else shown


def _show_action(action: Action, number: int, names: ReferenceNames) -> object:
    plain = to_jsonable(action, names.scheme)
    code = plain.pop("code", None)
    usual = _usual_action(names, number)
    if plain == usual and isinstance(code, str):
        return code
    unusual = {key: value for key, value in plain.items() if usual.get(key, _NOTHING) != value}
    left_out = {key: _LEFT_OUT[key] for key in usual if key not in plain}
    return {"code": code, **unusual, **left_out}


# -- reading ------------------------------------------------------------------------------------


def _read_events(plain: object, names: ReferenceNames, name: str, types: int) -> list[list[Event]]:
    """The events from JSON, as lists by event type.

    ``plain`` may also be a list of event names, whose code is called as the compiler calls it.
    """
    events: list[list[Event]] = [[] for _ in range(types)]
    for key, value in _pairs(plain, name):
        with at_key(str(key)):
            number, subtype = _read_key(str(key), names)
            while len(events) <= number:
                events.append([])
            actions = value if isinstance(value, list) else [value]
            made = [_read_action(item, number, names) for item in actions]
            events[number].append(Event(subtype, made))
    return events


def _pairs(plain: object, name: str) -> list[tuple[object, object]]:
    if plain is None:
        return []
    if isinstance(plain, dict):
        return list(plain.items())
    if not isinstance(plain, list):
        raise FormatError("expected an object with a code entry for each event")
    pairs: list[tuple[object, object]] = []
    for item in plain:
        if isinstance(item, str):
            pairs.append((item, f"gml_Object_{name}_{item}"))
        elif isinstance(item, dict) and "event" in item:
            pairs.append((item["event"], item.get("actions")))
        else:
            raise FormatError(f"expected the name of an event, got {item!r}")
    return pairs


def _read_key(key: str, names: ReferenceNames) -> tuple[int, object]:
    """The type and subtype of an event from its name."""
    word, _, rest = key.partition("_")
    if word in EVENT_WORDS:
        number = EVENT_WORDS.index(word)
    elif word.startswith("Type") and word[4:].isdigit() and len(word) < 8:
        number = int(word[4:])
        if number > _MOST_TYPES:
            raise FormatError(f"{key!r} is not an event")
    else:
        raise FormatError(f"{key!r} is not an event; they begin with {', '.join(EVENT_WORDS)}")
    objects = names.game.records.objects
    if number == _COLLISION and not rest.isdigit():
        return number, objects.reference(index_of(objects, rest))
    if not rest.isdigit() or int(rest) > 0xFFFFFFFF:
        raise FormatError(f"{key!r} is not an event: a number is missing, as in Step_0")
    subtype = int(rest)
    if number == _COLLISION and subtype < len(objects):
        return number, objects.reference(subtype)
    return number, subtype


def _read_action(value: object, number: int, names: ReferenceNames) -> Action:
    given = value if isinstance(value, dict) else {"code": value}
    return from_jsonable(Action, _usual_action(names, number) | given, names.scheme)


OBJECTS = ObjectFiles(kind_folders.OBJECTS, GameObject)
