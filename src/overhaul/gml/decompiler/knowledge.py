"""What a whole game tells of its own variables, parameters and results.

Tables give the types of the runner's functions and variables.  A game's own names get theirs from
use: what is drawn as a sprite is one, what is compared with it is one, a parameter is what is given
to it, a variable that only ever holds 0 and 1 and is asked in conditions is a boolean.  One reading
of all code collects such facts; a few rounds carry them along assignments, arguments and results.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from overhaul.gml.builtins.types import ASSET_TYPES, INSTANCE_TYPES, load_constant_groups
from overhaul.gml.decompiler import booleans

INSTANCE: Final = "Asset.GMObject|Id.Instance|Constant.All|Constant.Other|Constant.Self"
ABSENT: Final = "Id.Instance"
"""An instance's number: no object's name, but maybe ``noone``."""
BOOLEAN: Final = "Bool"
NOONE: Final = -4
OR_FALSE: Final = "OrFalse"
"""Before a type: 0 is ``false``, as conditions ask whether there is a value at all."""
_TELLING: Final = {"Constant.Color": 0xFFFF, "Constant.GamepadButton": 0x8000}
"""Kinds of constants whose numbers above this are hardly ever anything else."""
_CALLED: Final = {
    "fnt": "Asset.GMFont", "font": "Asset.GMFont", "obj": INSTANCE, "object": INSTANCE,
    "sfx": "Asset.GMSound", "snd": "Asset.GMSound", "sound": "Asset.GMSound",
    "spr": "Asset.GMSprite", "sprite": "Asset.GMSprite",
}  # fmt: skip
"""First or last words of the names of variables that hold assets."""
_ROUNDS: Final = 2
_INDEX_KEYS: Final = frozenset(("Real",))


def general_key(key: str) -> str:
    """The key that all owners of a variable share."""
    at = key.find("@")
    return key if at < 0 else key[:at]


@cache
def _groups() -> dict[str, dict[int | float, str]]:
    return load_constant_groups("gms2")


@cache
def kind_of(type_name: str) -> str:
    """The one kind of name a type's numbers have; "" where there is none, or more than one."""
    if not type_name or type_name == "Real":
        return ""
    kinds: set[str] = set()
    for each in type_name.split("|"):
        if each in INSTANCE_TYPES:
            kinds.add(INSTANCE)
        elif each in ASSET_TYPES or each == BOOLEAN or each.startswith(("Constant.", "Enum.")):
            kinds.add(each)
    return kinds.pop() if len(kinds) == 1 else ""


class Facts:
    """What was seen of one variable, parameter or result.

    ``given``: the numbers stored there, ``equal``: those it is tested for.  The others count:
    ``numeric`` calculations with it, ``ordered`` comparisons by size, ``other`` strings and results
    of functions stored there, ``unknown`` further values, ``asked`` conditions.
    """

    __slots__ = (
        "asked", "equal", "given", "kinds", "neighbours", "numeric", "ordered", "other", "unknown",
    )  # fmt: skip

    def __init__(self) -> None:
        self.kinds: dict[str, int] = {}
        self.given: set[int | float] = set()
        self.equal: set[int | float] = set()
        self.neighbours: set[str] = set()
        self.numeric = 0
        self.ordered = 0
        self.other = 0
        self.unknown = 0
        self.asked = 0

    @property
    def constants(self) -> set[int | float]:
        """All numbers that were seen there."""
        return self.given | self.equal

    def join(self, other: Facts, neighbours: Iterable[str]) -> None:
        """Add what was seen of another owner's variable, ``neighbours`` in place of its own."""
        for kind, count in other.kinds.items():
            self.kinds[kind] = self.kinds.get(kind, 0) + count
        self.given |= other.given
        self.equal |= other.equal
        self.neighbours.update(neighbours)
        self.numeric += other.numeric
        self.ordered += other.ordered
        self.other += other.other
        self.unknown += other.unknown
        self.asked += other.asked

    def add(self, kind: str) -> None:
        """One more sign of a kind."""
        self.kinds[kind] = self.kinds.get(kind, 0) + 1


class Knowledge:
    """Key of a variable, parameter or result -> the type of its numbers.

    Keys: ``s:name@owner`` of the instances of one object or constructor, ``s:name`` of all or any
    instances, ``g:name`` global, ``l:entry:function:name`` local, ``a:function:number`` parameter,
    ``r:function`` result, ``[]`` before the key of an array for its elements.
    """

    def __init__(self) -> None:
        self.facts: dict[str, Facts] = {}
        self.types: dict[str, str] = {}
        self.habit = 0
        """How the author writes booleans (see ``booleans.habit``)."""

    def of(self, key: str) -> Facts:
        """The facts behind a key."""
        found = self.facts.get(key)
        if found is None:
            found = self.facts[key] = Facts()
        return found

    def link(self, left: str, right: str) -> None:
        """Two keys hold the same values."""
        if left != right:
            self.of(left).neighbours.add(right)
            self.of(right).neighbours.add(left)

    def conclude(self) -> None:
        """Decide types from the facts collected, and drop the facts.

        A name mostly means the same in all of a game.  Where all its owners together give no type,
        each owner is asked by itself.
        """
        owned = self._share()
        self.habit = booleans.habit(self.facts.values())
        for key, facts in self.facts.items():
            kind = self._own(facts)
            if not kind or kind == ABSENT:
                kind = _by_name(key, facts) or kind
            if kind:
                self.types[key] = kind
        self._carry()
        for key, facts in self.facts.items():
            if key not in self.types and booleans.seems(key, facts, self.habit):
                self.types[key] = BOOLEAN
        self._carry()
        for key, facts in owned.items():
            if general_key(key) not in self.types:
                kind = self._own(facts)
                if not kind and booleans.seems(key, facts, self.habit):
                    kind = BOOLEAN
                if kind:
                    self.types[key] = kind
        for key, kind in self.types.items():
            if kind != BOOLEAN and self._is_asked(key):
                self.types[key] = f"{OR_FALSE}|{kind}"
        self.facts.clear()

    def _share(self) -> dict[str, Facts]:
        """Join the facts of all owners of a name; returns those of single owners."""
        owned: dict[str, Facts] = {}
        joined: dict[str, Facts] = {}
        names = {key: general_key(key) for key in self.facts}
        for key, facts in self.facts.items():
            name = names[key]
            neighbours = {names[other] for other in facts.neighbours}
            neighbours.discard(name)
            into = joined.get(name)
            if name is not key:
                owned[key] = facts
                if into is None:
                    into = joined[name] = Facts()
            elif into is None:
                facts.neighbours = neighbours
                joined[name] = facts
                continue
            into.join(facts, neighbours)
        self.facts = joined
        return owned

    def _is_asked(self, key: str) -> bool:
        """Whether conditions ask for a value, here or where it comes from or goes to."""
        facts = self.facts.get(key)
        if facts is None or 0 not in facts.constants:
            return False
        near = (self.facts[other] for other in facts.neighbours)
        return facts.asked > 0 or any(each.asked for each in near)

    def _carry(self) -> None:
        """Types reach what holds the same values, where all neighbours agree."""
        types = self.types
        for number in range(_ROUNDS):
            found: dict[str, str] = {}
            for key, facts in self.facts.items():
                if key in types or facts.numeric or facts.ordered:
                    continue
                near = {types[other] for other in facts.neighbours if other in types}
                if len(near) == 1:
                    kind = near.pop()
                    if kind != BOOLEAN or (not number and booleans.may_be(facts)):
                        found[key] = kind
            if not found:
                break
            types.update(found)

    def _own(self, facts: Facts) -> str:
        """The kind that nearly all signs agree on."""
        kinds = facts.kinds
        strong = {kind: count for kind, count in kinds.items() if kind != BOOLEAN}
        numbers = facts.constants
        # Other negative numbers, or the same to the other side, are distances.
        far = {-3, -2, -NOONE} & numbers or min(numbers, default=0) < NOONE
        if not strong and NOONE in numbers and not far and not facts.numeric:
            return ABSENT
        if strong:
            best = max(strong, key=lambda kind: strong[kind])
            if strong[best] * 5 < 4 * sum(strong.values()) or facts.numeric > strong[best]:
                return ""
            return best if not kinds.get(BOOLEAN, 0) > strong[best] else ""
        if facts.given and not facts.numeric:
            for kind, plain in _TELLING.items():
                if max(facts.given) > plain and facts.given <= _groups()[kind].keys():
                    return kind
        return BOOLEAN if BOOLEAN in kinds and booleans.may_be(facts) else ""


def _by_name(key: str, facts: Facts) -> str:
    """The kind that a name tells, where only numbers were stored that may be assets."""
    if facts.numeric or facts.ordered or facts.other or max(facts.given, default=0) < 2:
        return ""
    words = booleans.words_of(key)
    if not words or key[0] == "a":
        return ""
    first = "" if key[0] == "r" or booleans.sense(key) else _CALLED.get(words[0], "")
    return _CALLED.get(words[-1]) or first
