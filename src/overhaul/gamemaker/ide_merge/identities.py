"""The identities of elements in lists: resources by path, instances by name or id, events by
their type."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Final, TypeAlias

from overhaul.gamemaker.ide.values import Json, text_at

#: The key of an element; None for one without a key.
Identity: TypeAlias = "Callable[[Json], Hashable]"

#: Members that identify an element, in the order in which they are tried.
_MEMBERS: Final = (
    (("id", "path"),), (("Key",),), (("roomId", "path"),), (("folderPath",),),
    (("filePath",), ("name",)), (("path",), ("name",)),
    (("compositeImage", "FrameId", "name"),),
    (("propertyId", "path"), ("propertyId", "name")), (("propertyId",),),
    (("id",),), (("filename",),), (("name",),), (("path",),),
)  # fmt: skip
#: Members that are numbers.
_NUMBERS: Final = (("moment",), ("first", "second"), ("character",), ("Key",))


def identity_of(*lists: Sequence[Json]) -> Identity | None:
    """The functions that identify the elements of each of some lists; None if nothing does."""
    return next((one for one in _CANDIDATES if all(_fits(one, items) for items in lists)), None)


def _fits(identity: Identity, items: Sequence[Json]) -> bool:
    marks = [identity(item) for item in items]
    return None not in marks and len(set(marks)) == len(marks)


def _event(item: Json) -> Hashable:
    """The kind and the number of an event, and what it collides with."""
    if not isinstance(item, dict):
        return None
    kind = item.get("eventType", item.get("eventtype"))
    number = item.get("eventNum", item.get("enumb"))
    if not isinstance(kind, int) or not isinstance(number, int):
        return None
    other = text_at(item, "collisionObjectId", "path") or text_at(item, "collisionObjectId")
    return kind, number, other


def _itself(item: Json) -> Hashable:
    return item if isinstance(item, str) else None


def _texts(*paths: tuple[str, ...]) -> Identity:
    def identity(item: Json) -> Hashable:
        found = tuple(text_at(item, *keys) for keys in paths)
        return (found[0] if len(found) == 1 else found) if all(found) else None

    return identity


def _numbers(*keys: str) -> Identity:
    def identity(item: Json) -> Hashable:
        values = [item.get(key) for key in keys] if isinstance(item, dict) else [None]
        found = [value for value in values if isinstance(value, int | float)]
        return tuple(found) if len(found) == len(keys) else None

    return identity


_CANDIDATES: Final[tuple[Identity, ...]] = (
    _itself,
    _event,
    *(_texts(*paths) for paths in _MEMBERS),
    *(_numbers(*keys) for keys in _NUMBERS),
)


def shown(mark: Hashable) -> str:
    """A mark as it is in a path: ``[inst_1]``."""
    parts = mark if isinstance(mark, tuple) else (mark,)
    return f"[{' '.join(str(part) for part in parts if part != '')}]"
