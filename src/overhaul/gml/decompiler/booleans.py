"""Whether a 0 or 1 was written ``false`` or ``true``.

Before booleans had a type the compiler made plain numbers of them.  Three things tell them apart:
how a game uses a variable, what the variable is called, and what the person is used to write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Protocol

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


class Uses(Protocol):
    """What was seen of a variable, parameter or result."""

    given: set[int | float]
    equal: set[int | float]
    neighbours: set[str]
    numeric: int
    ordered: int
    other: int
    unknown: int
    asked: int


def may_be(uses: Uses) -> bool:
    """Whether nothing speaks against a boolean."""
    if uses.numeric or uses.ordered or uses.other:
        return False
    return uses.given <= BOTH and uses.equal <= BOTH


def habit(uses: Iterable[Uses]) -> int:
    """How much of a game's flags the author compares with numbers, where others write
    ``if (flag)``: 0 (hardly any), 1 (most) or 2 (many, and hardly ever anything else)."""
    asked = compared = 0
    for each in uses:
        if each.given == BOTH and may_be(each):
            if each.asked:
                asked += 1
            elif each.equal:
                compared += 1
    if asked * _SHARE >= compared or compared < _SOME:
        return 0
    return 2 if compared >= _MANY else 1


def seems(key: str, uses: Uses, habit: int) -> bool:
    """Whether a place of the game's own holds what was written as booleans."""
    if not may_be(uses):
        return False
    both = uses.given | uses.equal == BOTH
    if uses.asked:
        # A 0 alone may also be the number before something else is known.
        found = uses.unknown or (uses.given == {0} and uses.neighbours)
        return both or not found
    return key[0] not in "l[" and (both or sense(key) > 0) and sense(key) >= habit


def sense(key: str) -> int:
    """What a name says: whether (1), which one or how many (-1), or neither (0)."""
    words = words_of(key)
    if not words:
        return 0
    last = words[-1]
    if last in _QUANTITIES:
        return -1
    if (words[0] in _QUESTIONS and len(words) > 1) or last in _ANSWERS:
        return 1
    return int(len(last) > 4 and last.endswith(("ed", "ing")))


def words_of(key: str) -> list[str]:
    """The words of the name in a key, in small letters."""
    return [word.lower() for word in _WORDS.findall(key.partition("@")[0].rpartition(":")[2])]
