"""The order of members: that of the classes of GameMaker 2.3 to 2022, or sorted.

``class_orders.tsv`` has the members of each class in their order.  Source: 2,750 files of 2.3 to
2022.6.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.ide.tables import table
from overhaul.gamemaker.ide.values import Json, text_at

#: The members that A and C write before the others.
_LEADING: Final = {
    "A": ("id", "modelName", "mvc", "name"),
    "B": (),
    "C": ("resourceType", "resourceVersion", "name"),
    "D": (),
}
#: The members of the base class, which B writes behind the others.
_BASE: Final = ("parent", "resourceVersion", "name", "tags", "resourceType")

#: The members of a reference, which are sorted in all releases.
_REFERENCE: Final = {"link", "name", "path"}


@cache
def _class_orders() -> Mapping[str, tuple[str, ...]]:
    return {kind: tuple(keys.split(" ")) for kind, keys in table("class_orders.tsv")}


def class_of(owners: Sequence[Json], steps: Sequence[str | int]) -> str:
    """The table's name for an object: its resourceType, or that of one around it and the keys.

    ``owners`` are the values from the outermost one to the object, ``steps`` lead to it.
    """
    name = ""
    for number, value in enumerate(owners):
        kind = text_at(value, "resourceType")
        step = steps[number - 1] if number else ""
        if kind:
            name = kind
        elif number:
            name += "[]" if isinstance(step, int) else ".#" if step.isdecimal() else f".{step}"
    return name


def place_of_key(keys: Sequence[str], key: str, style: Style, kind: str = "") -> int:
    """The number among the members of an object of a class that a new key has."""
    if key.isdecimal() and all(map(str.isdecimal, keys)):
        return bisect([int(known) for known in keys], int(key))
    if {key, *keys} <= _REFERENCE:
        return bisect(keys, key)
    if style.letter == "B":
        return _in_class(keys, key, _class_orders().get(kind, ()))
    ranks = [_rank(known, style) for known in keys]
    if ranks != sorted(ranks):  # C had the order of the class at first
        order = _class_orders().get(kind, ())
        leading = _LEADING[style.letter]
        rest = tuple(known for known in order if known not in leading)
        return _in_class(keys, key, (*leading, *rest) if order else ())
    return bisect(ranks, _rank(key, style))


def _in_class(keys: Sequence[str], key: str, order: Sequence[str]) -> int:
    """The place behind the keys that the order has before one; before the base for an unknown."""
    if key in order:
        earlier = order[: order.index(key)]
        known = [number for number, other in enumerate(keys) if other in earlier]
        return known[-1] + 1 if known else 0
    base = [number for number, known_key in enumerate(keys) if known_key in _BASE]
    return base[0] if base and key not in _BASE and base[0] else len(keys)


def _rank(key: str, style: Style) -> tuple[int, str]:
    """The key by which the members of an object are sorted."""
    leading = _LEADING[style.letter]
    if key in leading:
        return leading.index(key), ""
    if style.letter == "D":
        first = 0 if key.startswith("$") else 1 if key.startswith("%") else 2
        return first, key.upper()
    folded = style.letter == "C" or style.room
    return len(leading), key.upper() if folded else key
