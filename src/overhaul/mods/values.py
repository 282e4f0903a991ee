"""Changes of JSON values, field by field, and merging them.

Elements of lists that have an identity (an ``id``, a ``script_name``, a ``Name``, an ``ID``, a
``name``, a ``Description``, a ``slot``, or that are texts which occur once) are identified by it,
others by their place or by those around them.  A step of a path is a key of an object, an index, or
``{"id": 100001}`` for the element with that identity; a text that is an element itself is
``{"": "spr_hero"}``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from overhaul.errors import FormatError
from overhaul.folder.json_fields import (
    at_key,
    expect_list,
    expect_object,
    expect_text,
    in_file,
    json_bytes,
    read_json,
)
from overhaul.sequences import hunks, opcodes

#: A step of a path: see above.
Step: TypeAlias = "str | int | Mapping[str, object]"
#: The key of the name in scripts, which resources have with the name that players see; empty for
#: those that no script names.
_SCRIPTED = ("script_name", "Name")
#: The keys that identify elements of lists, in the order in which they are tried.
IDENTITIES = ("id", *_SCRIPTED, "ID", "name", "Description", "slot")
#: The identity of elements that are texts.
ITSELF = ""
#: No value: an object without that key.
NOTHING: Final[object] = ...
#: The longest text of a value that is kept to compare with; of others the digest is.
_SHORT = 60


class Op(NamedTuple):
    """A change at the ``at`` of a value.

    ``kind``: ``"set"`` (``was`` became ``now``; NOTHING for an absent key), ``"insert"``
    (``now``, an element, comes after the element with the identity ``after``; None: first),
    ``"remove"`` (the element ``was``), ``"move"`` (the element comes after ``after``), or
    ``"items"`` (elements without identity: ``now`` is a :class:`~overhaul.sequences.Hunk` of
    their texts). A key of an object whose order counts moves behind another key, too.
    """

    kind: str
    at: tuple[Step, ...]
    was: object = NOTHING
    now: object = NOTHING
    after: Mapping[str, object] | None = None


def text_of(value: object) -> str:
    """A value as text that is equal for equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest(value: object) -> str:
    """The digest that is kept of a value that is too long."""
    return hashlib.sha256(text_of(value).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def brief(value: object) -> object:
    """A value to compare with later: itself, or ``{"sha256": …}`` of a long one."""
    if value is NOTHING or _is_digest(value):
        return value
    if not isinstance(value, dict | list) and len(text_of(value)) <= _SHORT:
        return value
    return {"sha256": digest(value)}


def is_brief_of(kept: object, value: object) -> bool:
    """Whether a value is the one that :func:`brief` kept."""
    if isinstance(kept, dict) and _is_digest(kept):
        return value is not NOTHING and digest(value) == kept["sha256"]
    return same(kept, value)


def _is_digest(value: object) -> bool:
    return isinstance(value, dict) and value.keys() == {"sha256"}


def same(first: object, second: object) -> bool:
    """Whether two values are equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and _same_items(first, second)
    return first == second or (first != first and second != second)


#: the types whose values are the same if Python says that they are equal
_SIMPLE = frozenset({int, str, type(None)})


def _same_items(first: list[object], second: list[object]) -> bool:
    """Whether lists of equal lengths have the same values; of tile maps, millions of numbers."""
    if _SIMPLE.issuperset(map(type, first)) and _SIMPLE.issuperset(map(type, second)):
        return first == second
    return all(map(same, first, second))


# ------------------------------------------------------------------------------------- identities


def identity(old: Sequence[object], new: Sequence[object]) -> str | None:
    """The key that identifies the elements of both lists; None if no key does."""
    if not old and not new:
        return None
    for key in (ITSELF, *IDENTITIES):
        if _is_identity(key, old) and _is_identity(key, new):
            return key
    return None


def _is_identity(key: str, items: Sequence[object]) -> bool:
    seen = set()
    for item in items:
        mark = item if key == ITSELF else item.get(key) if isinstance(item, dict) else None
        if isinstance(mark, bool) or not isinstance(mark, str if key == ITSELF else str | int):
            return False
        if key in _SCRIPTED and not mark:
            return False
        seen.add(mark)
    return len(seen) == len(items)


def mark_of(item: object, key: str) -> object:
    """The identity of an element: its value of a key."""
    if key == ITSELF:
        return item if isinstance(item, str) else None
    return item.get(key) if isinstance(item, dict) else None


# -------------------------------------------------------------------------------------- comparing


def compare(old: object, new: object, at: tuple[Step, ...] = ()) -> Iterator[Op]:
    """The changes from one value to another."""
    if same(old, new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old:
            if key not in new:
                yield Op("set", (*at, key), old[key])
        for key, value in new.items():
            if key not in old:
                yield Op("set", (*at, key), NOTHING, value)
            else:
                yield from compare(old[key], value, (*at, key))
    elif isinstance(old, list) and isinstance(new, list):
        yield from _compare_lists(old, new, at)
    else:
        yield Op("set", at, old, new)


def _compare_lists(old: list[object], new: list[object], at: tuple[Step, ...]) -> Iterator[Op]:
    key = identity(old, new)
    if key is not None:
        yield from _compare_marked(old, new, at, key)
    elif len(old) == len(new):
        for index, (one, two) in enumerate(zip(old, new, strict=True)):
            yield from compare(one, two, (*at, index))
    else:
        first, second = [text_of(item) for item in old], [text_of(item) for item in new]
        for hunk in hunks(first, second):
            yield Op("items", at, NOTHING, hunk)


def _compare_marked(
    old: list[object], new: list[object], at: tuple[Step, ...], key: str
) -> Iterator[Op]:
    """Elements with an identity: removed, changed, inserted, moved."""
    before = {mark_of(item, key): item for item in old}
    after = {mark_of(item, key): item for item in new}
    for mark, item in before.items():
        if mark not in after:
            yield Op("remove", (*at, {key: mark}), item)
        elif key != ITSELF:
            yield from compare(item, after[mark], (*at, {key: mark}))
    stay = [mark for mark in before if mark in after]
    order = [mark for mark in after if mark in before]
    moved: set[object] = set()
    if stay != order:
        for _, _, c, d in opcodes([text_of(m) for m in stay], [text_of(m) for m in order]):
            moved.update(order[c:d])
    last: Mapping[str, object] | None = None
    for mark, item in after.items():
        if mark not in before:
            yield Op("insert", at, NOTHING, item, last)
        elif mark in moved:
            yield Op("move", (*at, {key: mark}), after=last)
        last = {key: mark}


def compare_keys(old: object, new: object) -> Iterator[Op]:
    """The changes of the order of an object's keys: of those in both that moved, and of new ones
    that do not come last."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return
    keys = [*new]
    while keys and keys[-1] not in old:
        keys.pop()
    for op in _compare_marked([*old], keys, (), ITSELF):
        key = op.now if op.kind == "insert" else mark_at(op)
        if op.kind in ("insert", "move") and isinstance(key, str):
            yield Op("move", (key,), after=op.after)


def mark_at(op: Op) -> object:
    """The identity of the element that a change is for; None for another value."""
    step = op.at[-1] if op.at else None
    return next(iter(step.values()), None) if isinstance(step, Mapping) else None


# ------------------------------------------------------------------------------------ paths shown


def show_path(at: Sequence[Step]) -> str:
    """A path for people: ``instances[id=100001].x``."""
    shown = ""
    for step in at:
        if isinstance(step, str):
            shown += f".{step}" if shown else step
        elif isinstance(step, int):
            shown += f"[{step}]"
        else:
            key, mark = next(iter(step.items()), ("", ""))
            shown += f"[{key}={mark}]" if key else f"[{mark}]"
    return shown


_JSON, _TRANSLATION = ".json", ".trs"
#: the keys of an entry of a translation
_SOURCE, _TEXT = "name", "text"


# -- plain files -----------------------------------------------------------------------------------


def is_structured(path: str) -> bool:
    """Whether a file is compared by its values and not by its lines."""
    return path.endswith((_JSON, _TRANSLATION))


def read_value(path: str, data: bytes) -> object:
    """The value of a file: a translation is a list of its entries.  Raises WorkspaceError."""
    if path.endswith(_JSON):
        return read_json(data, path)
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    if lines.pop() or len(lines) % 2:
        with in_file(path):
            raise FormatError("expected a line with the translation after each text")
    return [
        {_SOURCE: source, _TEXT: text} for source, text in zip(lines[::2], lines[1::2], strict=True)
    ]


def value_bytes(path: str, value: object) -> bytes:
    """The file of a value.  Raises WorkspaceError."""
    if path.endswith(_JSON):
        return json_bytes(value)
    lines = []
    with in_file(path):
        for index, item in enumerate(expect_list(value)):
            with at_key("", index):
                entry = expect_object(item)
                for key in (_SOURCE, _TEXT):
                    with at_key(key):
                        line = expect_text(entry.get(key))
                        if "\n" in line or "\r" in line:
                            raise FormatError("expected one line")
                    lines.append(line + "\n")
    return "".join(lines).encode("utf-8", "surrogateescape")
