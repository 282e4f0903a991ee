"""The owner of each code entry: an event of an object, a moment, a script, a room, an instance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.objt import EVENT_WORDS, Event, EventType
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.model import GameModel
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.events import event_title

#: the chunks whose resources run code, and what the names of the code of each begin with
_RUNNING = {
    "OBJT": "gml_Object_",
    "ROOM": "gml_Room",
    "TMLN": "Timeline_",
    "SCPT": "",
}


#: the number in collisions with no object
_NO_OBJECT = 0xFFFFFFFF


class Use(NamedTuple):
    """A place that runs code: the resource, the chunk it is in, where in it, and the code."""

    chunk: str
    record: Any
    place: str
    code: object


def event_key(kind: int, event: Event) -> str:
    """An event as the names of code entries have it: ``Step_0``, ``Collision_obj_wall``."""
    word = EVENT_WORDS[kind] if kind < len(EVENT_WORDS) else f"Type{kind}"
    subtype: Any = event.subtype
    if kind == EventType.COLLISION:
        if isinstance(subtype, Reference) and subtype.index >= 0:
            name = getattr(subtype.target, "name", None)
            exact = bool(name) and subtype.owner.index(str(name)) == subtype.index
            subtype = str(name) if exact else subtype.index
        elif not isinstance(subtype, int):
            subtype = _NO_OBJECT
    return f"{word}_{subtype}"


def title_of(place: str) -> str:
    """The title of the event of a key; other places are returned unchanged."""
    word, _, rest = place.partition("_")
    if word not in EVENT_WORDS or not rest:
        return place
    kind = EVENT_WORDS.index(word)
    if kind in (EventType.COLLISION, EventType.TRIGGER) and not _is_number(rest):
        return event_title(kind, 0, rest)
    number = int(rest) if _is_number(rest) else -1
    return event_title(kind, number) or place


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 11


def uses_in(chunk: str, record: Any) -> Iterator[Use]:
    """The places in one resource that run code."""
    if chunk == "OBJT":
        for kind, events in enumerate(record.events):
            for event in events:
                for action in event.actions:
                    yield Use(chunk, record, event_key(kind, event), action.code)
    elif chunk == "TMLN":
        for moment in record.moments:
            for action in moment.actions:
                yield Use(chunk, record, f"step {moment.step}", action.code)
    elif chunk == "SCPT":
        yield Use(chunk, record, "", record.code.entry)
    else:
        yield Use(chunk, record, "creation code", record.creation_code)
        for instance in record.instances:
            what = f"instance {instance.id}"
            yield Use(chunk, record, f"{what}, creation code", instance.creation_code)
            yield Use(chunk, record, f"{what}, code before creation", instance.pre_create_code)


def uses(game: GameModel) -> Iterator[Use]:
    """All places of a game that run code."""
    for chunk in _RUNNING:
        for record in game.named(chunk).present():
            yield from uses_in(chunk, record)


def owner_of(game: GameModel, entry: CodeEntry) -> Use | None:
    """The resource that runs a code entry; None where nothing runs it."""
    reference = game.records.code.reference_to(entry)
    for chunk, record in _likely(game, str(entry.name)):
        for use in uses_in(chunk, record):
            if use.code is reference:
                return use
    return next((use for use in uses(game) if use.code is reference), None)


def _likely(game: GameModel, name: str) -> Iterator[tuple[str, Any]]:
    """The resources that run code of this name, as the compilers name it."""
    for chunk, prefix in _RUNNING.items():
        resources = game.named(chunk)
        if chunk == "SCPT":
            plain = name.removeprefix(GLOBAL_SCRIPT_PREFIX).removeprefix(SCRIPT_PREFIX)
            owners = (resources.get(key) for key in (plain, name))
            yield from ((chunk, record) for record in owners if record is not None)
        elif name.startswith(prefix):
            rest = name[len(prefix) :].removeprefix("CC_" if chunk == "ROOM" else "")
            rest = rest.removeprefix("_") if chunk == "ROOM" else rest
            while "_" in rest:
                rest = rest[: rest.rindex("_")]
                record = resources.get(rest)
                if record is not None:
                    yield chunk, record
