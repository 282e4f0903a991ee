"""Whether a 0 or 1 was written ``false`` or ``true``.

Before booleans had a type the compiler made plain numbers of them.  Three things distinguish
them: how a game uses a variable, what the variable is called, and what the author usually writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from overhaul.gml.decompiler.types.facts import LOCAL, PARAMETER, Facts, Location

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
_MANY: Final = 8
"""So many variables that are only compared with 0 and 1 show a habit, or a strong one."""
_SHARE: Final = 4
"""Who has that habit asks directly for at most one in so many of them."""


def may_be(facts: Facts) -> bool:
    """Whether nothing speaks against a boolean."""
    if facts.numeric or facts.ordered or facts.other:
        return False
    return facts.given <= BOTH and facts.equal <= BOTH


def habit(facts: Iterable[Facts]) -> int:
    """How much of a game's flags the author compares with numbers, where others write
    ``if (flag)``: 0 (hardly any), 1 (most) or 2 (many, and hardly ever anything else)."""
    asked = compared = 0
    for each in facts:
        if each.given == BOTH and may_be(each):
            if each.asked:
                asked += 1
            elif each.equal:
                compared += 1
    if asked * _SHARE >= compared or compared < _SOME:
        return 0
    return 2 if compared >= _MANY else 1


def seems(location: Location, facts: Facts, habit: int) -> bool:
    """Whether a location holds what was written as booleans."""
    if not may_be(facts):
        return False
    both = facts.constants == BOTH
    if facts.asked:
        # A 0 alone may also be the number before something else is known.
        found = facts.unknown or (facts.given == {0} and facts.neighbours)
        return both or not found
    if location.kind == LOCAL or location.element is not None:
        return False
    says = sense(location)
    return (both or says > 0) and says >= habit


def sense(location: Location) -> int:
    """What a name says: whether (1), which one or how many (-1), or neither (0)."""
    words = words_of(location)
    if not words:
        return 0
    last = words[-1]
    if last in _QUANTITIES:
        return -1
    if (words[0] in _QUESTIONS and len(words) > 1) or last in _ANSWERS:
        return 1
    return int(len(last) > 4 and last.endswith(("ed", "ing")))


def words_of(location: Location) -> list[str]:
    """The words of a variable's or function's name, in small letters; of a parameter none."""
    if location.kind == PARAMETER:
        return []
    return [word.lower() for word in _WORDS.findall(location.name.partition("@")[0])]
