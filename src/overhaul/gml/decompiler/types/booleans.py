"""Whether a 0 or 1 was written ``false`` or ``true``.

Before booleans had a type the compiler made plain numbers of them.  Three things distinguish
them: how a game uses a variable, what the variable is called, and what the author usually writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from overhaul.gml.decompiler.types.facts import LOCAL, PARAMETER, Facts, Location
from overhaul.gml.dialect import Dialect

BOTH: Final = frozenset((0, 1))
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
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
"""Last words of such names, besides those with ``-ed`` and ``-ing``."""
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


def may_be(facts: Facts) -> bool:
    """Whether nothing speaks against a boolean."""
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
    for each in facts:
        if each.given == BOTH and may_be(each):
            if each.equal:
                compared += 1
            elif each.asked:
                asked += 1
    return asked * _SHARE < compared and compared >= _SOME


def seems(location: Location, facts: Facts, numbers: bool) -> bool:
    """Whether a location holds what was written as booleans; ``numbers``: see compares_numbers."""
    if not may_be(facts):
        return False
    both = facts.constants == BOTH
    if facts.asked:
        # A 0 alone may also be the number before something else is known.
        found = facts.unknown or (facts.given == {0} and facts.neighbours)
        return both or not found
    if location.element is not None:
        return False
    says = sense(location)
    if numbers or says < 0:
        return False
    if location.kind == LOCAL:
        return both and says > 0 and bool(facts.equal)
    return both or says > 0


def sense(location: Location) -> int:
    """What a name says: whether (1), which one or how many (-1), or neither (0)."""
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


def words_of(location: Location) -> list[str]:
    """The words of a variable's or function's name, in small letters; of a parameter none."""
    if location.kind == PARAMETER:
        return []
    return [word.lower() for word in _WORDS.findall(location.name.partition("@")[0])]
