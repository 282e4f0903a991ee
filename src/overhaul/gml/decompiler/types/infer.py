"""Types of a game's own variables, parameters and results, from the facts collected of them.

Tables give the types of the runner's functions and variables.  A game's own names get theirs from
use: what is drawn as a sprite is one, what is compared with it is one, a parameter is what is given
to it, a variable that only ever holds 0 and 1 and is asked in conditions is a boolean.  A few
rounds carry types along assignments, arguments and results.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Final

from overhaul.gml.builtins.types import load_constant_groups
from overhaul.gml.decompiler.types.facts import (
    LOCAL,
    PARAMETER,
    RESULT,
    Facts,
    GameFacts,
    InferredTypes,
    Location,
    words_of,
)
from overhaul.gml.decompiler.types.habits import calls_by_name, infer_fractions
from overhaul.gml.decompiler.types.names import ABSENT, BOOLEAN, INSTANCE, NOONE, OR_FALSE, STRUCT
from overhaul.gml.dialect import Dialect

_LARGE: Final = {"Constant.Color": 0xFFFF, "Constant.GamepadButton": 0x8000}
"""Kinds of constants whose numbers above this are hardly ever anything else."""
_CALLED: Final = {
    "fnt": "Asset.GMFont", "font": "Asset.GMFont", "obj": INSTANCE, "object": INSTANCE,
    "sfx": "Asset.GMSound", "snd": "Asset.GMSound", "sound": "Asset.GMSound",
    "spr": "Asset.GMSprite", "sprite": "Asset.GMSprite",
}  # fmt: skip
"""First or last words of the names of variables that hold assets."""
_ROUNDS: Final = 2

Table = dict[Location, Facts]


def infer(facts: GameFacts, dialect: Dialect) -> InferredTypes:
    """Decide types from facts, which change.

    A name mostly means the same in all of a game.  Where all its owners together give no type,
    each owner is decided separately.
    """
    return infer_shared(*share(facts.table), facts, dialect)


def infer_shared(table: Table, owned: Table, habits: GameFacts, dialect: Dialect) -> InferredTypes:
    """As :func:`infer`, from what :func:`share` gives, and the habits among some facts; the table
    changes."""
    link_arguments(table)
    numbers = compares_numbers(table.values(), dialect)
    types: dict[Location, str] = {}
    for location, seen in table.items():
        kind = _kind_by_use(seen)
        if not kind or kind == ABSENT:
            kind = _kind_by_name(location, seen) or kind
        if kind:
            types[location] = kind
    _carry(table, types)
    for location, seen in table.items():
        if location not in types and seems_boolean(location, seen, numbers):
            types[location] = BOOLEAN
    _carry(table, types)
    for location, seen in owned.items():
        if location.shared() not in types:
            kind = _kind_by_use(seen)
            if not kind and seems_boolean(location, seen, numbers):
                kind = BOOLEAN
            if kind:
                types[location] = kind
    for location, kind in types.items():
        if kind != BOOLEAN and _is_asked(location, table):
            types[location] = f"{OR_FALSE}|{kind}"
    says_self = habits.with_self > 0 and not dialect.self_to_builtin
    fractions = infer_fractions(habits.doubles, habits.products)
    called = calls_by_name(habits.writes, dialect)
    return InferredTypes(types, numbers, says_self, fractions, called, habits.with_index)


def shared_facts(facts: GameFacts) -> Table:
    """The facts by location, those of all owners of a name together; ``facts`` are used up."""
    table, _ = share(facts.table)
    link_arguments(table)
    return table


class Reach:
    """The locations that the types of some (``first``) follow from: by rounds of :func:`infer`,
    what holds the same values as those, as what holds the same as these, and so on.

    ``next`` are those whose facts are not all known so far, ``seen`` all that were found.
    Locations are shared ones.
    """

    def __init__(self, first: Iterable[Location]) -> None:
        self.first: set[Location] = set(first)
        self.next: set[Location] = set(self.first)
        self.seen: set[Location] = set(self.first)
        #: whose conditions matter, and whose neighbours': see _is_asked
        self._asked: set[Location] = set()
        self._depth = 0

    @property
    def looked_at(self) -> set[Location]:
        """The locations whose facts :meth:`further` takes."""
        return self.next | self._asked

    def further(self, table: Table) -> bool:
        """Take the facts of ``next``; whether more locations are needed."""
        found: set[Location] = set()
        for location in self.looked_at:
            facts = table.get(location)
            if facts is None:
                continue
            if self._depth == 0 and 0 in facts.constants:
                self._asked |= facts.neighbours
                found |= facts.neighbours
            elif (self._depth == 1 and location in self._asked) or _may_be_carried(facts):
                found |= facts.neighbours
        self._depth += 1
        self.next = found - self.seen
        self.seen |= found
        if self._depth == 1 and self._asked:
            return True  # their neighbours matter, also where they were among the first
        return bool(self.next) and self._depth <= 2 * _ROUNDS


def _may_be_carried(facts: Facts) -> bool:
    """Whether a type may come from what holds the same values."""
    kind = _kind_by_use(facts)
    return not (facts.numeric or facts.ordered) and (not kind or kind == ABSENT)


def share(table: Table) -> tuple[Table, Table]:
    """Join the facts of all owners of a name; returns these, and those of single owners.  The
    facts are used up."""
    owned: Table = {}
    joined: Table = {}
    shared = {location: location.shared() for location in table}
    for location, facts in table.items():
        common = shared[location]
        neighbours = {shared.get(other) or other.shared() for other in facts.neighbours}
        neighbours.discard(common)
        into = joined.get(common)
        if common is not location:
            owned[location] = facts
            if into is None:
                into = joined[common] = Facts()
        elif into is None:
            facts.neighbours = neighbours
            joined[common] = facts
            continue
        into.join(facts, neighbours)
    return joined, owned


def link_arguments(table: Table) -> None:
    """Arguments that a function reads by a computed number hold the same values as what it makes
    of them: all of them, or every second one where it also reads the one behind, and so on."""
    computed: dict[str, list[Location]] = {}
    counts: dict[str, int] = {}
    for location in table:
        if location.kind == PARAMETER and location.element is None:
            if location.number < 0:
                computed.setdefault(location.name, []).append(location)
            else:
                counts[location.name] = max(counts.get(location.name, 0), location.number + 1)
    for name, places in computed.items():
        together = max(-place.number for place in places)
        count = counts.get(name, 0)
        for place in places:
            joined = table[place]
            for number in range(count % together - 1 - place.number, count, together):
                other = Location(PARAMETER, name, "", number)
                if other in table:
                    joined.join(table[other], table[other].neighbours)
                table[other] = joined


def _is_asked(location: Location, table: Table) -> bool:
    """Whether conditions ask for a value, here or where it comes from or goes to."""
    facts = table.get(location)
    if facts is None or 0 not in facts.constants:
        return False
    near = {location} | facts.neighbours
    places = {
        other for place in near if place in table for other in (place, *table[place].neighbours)
    }
    return any(table[place].asked for place in places if place in table)


def _carry(table: Table, types: dict[Location, str]) -> None:
    """Give types to what holds the same values, where all neighbours agree."""
    for number in range(_ROUNDS):
        carried: dict[Location, str] = {}
        for location, facts in table.items():
            if location in types or facts.numeric or facts.ordered:
                continue
            near = {types[other] for other in facts.neighbours if other in types}
            if len(near) == 1:
                kind = near.pop()
                if kind != BOOLEAN or (not number and may_be_boolean(facts)):
                    carried[location] = kind
        if not carried:
            break
        types.update(carried)


def _kind_by_use(facts: Facts) -> str:
    """The kind that nearly all signs agree on."""
    kinds = facts.kinds
    strong = {kind: count for kind, count in kinds.items() if kind not in (BOOLEAN, STRUCT)}
    numbers = facts.constants
    # Other negative numbers, or the same to the other side, are distances.
    far = {-3, -2, -NOONE} & numbers or min(numbers, default=0) < NOONE
    counted = facts.numeric or facts.ordered or far
    if not strong and facts.addressed and not counted and _may_be_objects(facts.given):
        return "" if STRUCT in kinds else INSTANCE
    if not strong and NOONE in numbers and not far and not facts.numeric:
        return ABSENT
    if strong:
        best = max(strong, key=lambda kind: strong[kind])
        if strong[best] * 5 < 4 * sum(strong.values()) or facts.numeric > strong[best]:
            return ""
        return best if not kinds.get(BOOLEAN, 0) > strong[best] else ""
    if facts.given and not facts.numeric:
        groups = load_constant_groups("gms2")
        for kind, plain in _LARGE.items():
            if max(facts.given) > plain and facts.given <= groups[kind].keys():
                return kind
    return BOOLEAN if BOOLEAN in kinds and may_be_boolean(facts) else ""


def _may_be_objects(numbers: Set[int | float]) -> bool:
    """Whether what members are read of are objects where it is a number, and no 0 or 1 that only
    stands there until a struct does."""
    return max(numbers, default=0) > 1 and all(isinstance(number, int) for number in numbers)


def _kind_by_name(location: Location, facts: Facts) -> str:
    """The kind that a name suggests, where only numbers were stored that may be assets."""
    if facts.numeric or facts.ordered or facts.other or max(facts.given, default=0) < 2:
        return ""
    words = words_of(location)
    itself = location.element is None
    if not words or (itself and location.kind == PARAMETER):
        return ""
    by_last = itself and location.kind == RESULT
    first = "" if by_last or sense(location) else _CALLED.get(words[0], "")
    return _CALLED.get(words[-1]) or first


# -- booleans --------------------------------------------------------------------------------------

BOTH: Final = frozenset((0, 1))
_QUESTIONS: Final = frozenset(
    (
        "allow", "allowed", "am", "are", "can", "cannot", "did", "do", "does", "enable", "has",
        "have", "in", "inside", "is", "isnt", "must", "need", "needs", "no", "not", "on", "should",
        "show", "use", "was", "will",
    )
)  # fmt: skip
"""First words of names that say whether."""
_ANSWERS: Final = frozenset(
    (
        "active", "alive", "dead", "done", "empty", "off", "on", "open", "over", "ready", "shown",
        "valid", "visible",
    )
)  # fmt: skip
"""Last words of such names, with those that end in ``-ed`` and ``-ing``."""
_QUANTITIES: Final = frozenset(
    (
        "amount", "choice", "column", "count", "counter", "current", "depth", "difficulty", "dir",
        "direction", "facing", "frame", "frames", "heading", "id", "ind", "index", "kind",
        "language", "len", "length", "level", "lives", "lvl", "max", "min", "mode", "num", "number",
        "option", "order", "page", "phase", "player", "pos", "position", "progress", "row", "score",
        "select", "selected", "selection", "side", "size", "slot", "speed", "stage", "state",
        "status", "step", "team", "time", "timer", "turn", "type", "value", "version", "x", "y",
    )
)  # fmt: skip
"""Last words of names that say which one or how many."""

_SOME: Final = 3
"""So many variables that are only compared with 0 and 1 show a habit,"""
_SHARE: Final = 4
"""if the author asks directly for at most one in so many of them."""


def may_be_boolean(facts: Facts) -> bool:
    """Whether nothing speaks against a boolean.

    Before booleans had a type the compiler made plain numbers of them.  Three marks distinguish
    them: how a game uses a variable, what the variable is called, and what the author usually
    writes.
    """
    if facts.ordered or facts.other:
        return False
    if facts.numeric:
        # People calculate with flags, too (``5 + charged * 10``), but then they also ask for them.
        read = facts.numeric == facts.terms and not facts.unknown
        flag = facts.given == BOTH and facts.constants == BOTH
        return read and flag and bool(facts.asked or facts.equal)
    return facts.given <= BOTH and facts.equal <= BOTH


def compares_numbers(facts: Iterable[Facts], dialect: Dialect) -> bool:
    """Whether an author compares flags with numbers, where others write ``if (flag)``.

    Of those who hardly ever ask for a flag without comparing it elsewhere, 4 of 4 write numbers in
    early releases, and 2 of 2 (with 98 flags) ``flag == true`` later.
    """
    if dialect.bytecode >= 16 or dialect.gms2_or_later:
        return False
    asked = compared = 0
    for seen in facts:
        if seen.given == BOTH and may_be_boolean(seen):
            if seen.equal:
                compared += 1
            elif seen.asked:
                asked += 1
    return asked * _SHARE < compared and compared >= _SOME


def seems_boolean(location: Location, facts: Facts, numbers: bool) -> bool:
    """Whether a location holds what was written as booleans; ``numbers``: see compares_numbers."""
    if not may_be_boolean(facts):
        return False
    both = facts.constants == BOTH
    if facts.asked:
        # A 0 without a 1 may also be the number before something else is known.
        doubtful = facts.unknown or (facts.given == {0} and facts.neighbours)
        return both or not doubtful
    if location.element is not None:
        return False
    says = sense(location)
    if numbers or says < 0:
        return False
    if location.kind == LOCAL:
        return both and says > 0 and bool(facts.equal)
    return both or says > 0


def sense(location: Location) -> int:
    """The meaning of a name: whether (1), which one or how many (-1), or neither (0)."""
    words = words_of(location)
    if not words:
        return 0
    last = words[-1]
    chosen = last == "selected" and len(words) > 1  # button_selected, but not the selected one
    if last.endswith("speed") or (last in _QUANTITIES and not chosen):
        return -1
    if (words[0] in _QUESTIONS and len(words) > 1) or last in _ANSWERS:
        return 1
    return int(len(last) > 4 and last.endswith(("ed", "ing")))
