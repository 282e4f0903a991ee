"""Types of a game's own variables, parameters and results, from the facts collected of them.

Tables give the types of the runner's functions and variables.  A game's own names get theirs from
use: what is drawn as a sprite is one, what is compared with it is one, a parameter is what is given
to it, a variable that only ever holds 0 and 1 and is asked in conditions is a boolean.  A few
rounds carry types along assignments, arguments and results.
"""

from __future__ import annotations

from typing import Final

from overhaul.gml.builtins.types import load_constant_groups
from overhaul.gml.decompiler.types import booleans
from overhaul.gml.decompiler.types.elements import calls_by_name
from overhaul.gml.decompiler.types.facts import (
    PARAMETER,
    RESULT,
    Facts,
    GameFacts,
    InferredTypes,
    Location,
)
from overhaul.gml.decompiler.types.fractions import learn_fractions
from overhaul.gml.decompiler.types.names import ABSENT, BOOLEAN, INSTANCE, NOONE, OR_FALSE
from overhaul.gml.dialect import Dialect

_TELLING: Final = {"Constant.Color": 0xFFFF, "Constant.GamepadButton": 0x8000}
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
    table, owned = _share(facts.table)
    _link_arguments(table)
    numbers = booleans.compares_numbers(table.values(), dialect)
    types: dict[Location, str] = {}
    for location, seen in table.items():
        kind = _kind_by_use(seen)
        if not kind or kind == ABSENT:
            kind = _kind_by_name(location, seen) or kind
        if kind:
            types[location] = kind
    _carry(table, types)
    for location, seen in table.items():
        if location not in types and booleans.seems(location, seen, numbers):
            types[location] = BOOLEAN
    _carry(table, types)
    for location, seen in owned.items():
        if location.shared() not in types:
            kind = _kind_by_use(seen)
            if not kind and booleans.seems(location, seen, numbers):
                kind = BOOLEAN
            if kind:
                types[location] = kind
    for location, kind in types.items():
        if kind != BOOLEAN and _is_asked(location, table):
            types[location] = f"{OR_FALSE}|{kind}"
    says_self = facts.with_self > 0 and not dialect.self_to_builtin
    fractions = learn_fractions(facts.doubles, facts.products)
    called = calls_by_name(facts.writes, dialect)
    return InferredTypes(types, numbers, says_self, fractions, called, facts.with_index)


def shared_facts(facts: GameFacts) -> Table:
    """The facts by location, those of all owners of a name together; ``facts`` are used up."""
    table, _ = _share(facts.table)
    _link_arguments(table)
    return table


def _share(table: Table) -> tuple[Table, Table]:
    """Join the facts of all owners of a name; returns these, and those of single owners."""
    owned: Table = {}
    joined: Table = {}
    shared = {location: location.shared() for location in table}
    for location, facts in table.items():
        common = shared[location]
        neighbours = {shared[other] for other in facts.neighbours}
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


def _link_arguments(table: Table) -> None:
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
    return any(table[other].asked for each in near for other in (each, *table[each].neighbours))


def _carry(table: Table, types: dict[Location, str]) -> None:
    """Give types to what holds the same values, where all neighbours agree."""
    for number in range(_ROUNDS):
        found: dict[Location, str] = {}
        for location, facts in table.items():
            if location in types or facts.numeric or facts.ordered:
                continue
            near = {types[other] for other in facts.neighbours if other in types}
            if len(near) == 1:
                kind = near.pop()
                if kind != BOOLEAN or (not number and booleans.may_be(facts)):
                    found[location] = kind
        if not found:
            break
        types.update(found)


def _kind_by_use(facts: Facts) -> str:
    """The kind that nearly all signs agree on."""
    kinds = facts.kinds
    strong = {kind: count for kind, count in kinds.items() if kind != BOOLEAN}
    numbers = facts.constants
    # Other negative numbers, or the same to the other side, are distances.
    far = {-3, -2, -NOONE} & numbers or min(numbers, default=0) < NOONE
    counted = facts.numeric or facts.ordered or far
    if not strong and facts.addressed and not counted and _may_be_objects(facts.given):
        return INSTANCE
    if not strong and NOONE in numbers and not far and not facts.numeric:
        return ABSENT
    if strong:
        best = max(strong, key=lambda kind: strong[kind])
        if strong[best] * 5 < 4 * sum(strong.values()) or facts.numeric > strong[best]:
            return ""
        return best if not kinds.get(BOOLEAN, 0) > strong[best] else ""
    if facts.given and not facts.numeric:
        groups = load_constant_groups("gms2")
        for kind, plain in _TELLING.items():
            if max(facts.given) > plain and facts.given <= groups[kind].keys():
                return kind
    return BOOLEAN if BOOLEAN in kinds and booleans.may_be(facts) else ""


def _may_be_objects(numbers: set[int | float]) -> bool:
    """Whether what members are read of are objects where it is a number, and no 0 or 1 that only
    stands there until a struct does."""
    return max(numbers, default=0) > 1 and all(isinstance(number, int) for number in numbers)


def _kind_by_name(location: Location, facts: Facts) -> str:
    """The kind that a name suggests, where only numbers were stored that may be assets."""
    if facts.numeric or facts.ordered or facts.other or max(facts.given, default=0) < 2:
        return ""
    words = booleans.words_of(location)
    itself = location.element is None
    if not words or (itself and location.kind == PARAMETER):
        return ""
    by_last = itself and location.kind == RESULT
    first = "" if by_last or booleans.sense(location) else _CALLED.get(words[0], "")
    return _CALLED.get(words[-1]) or first
