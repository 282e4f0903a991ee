"""The law of names: a name that something uses can't disappear without a word.

For each family of files a module finds names that are used, takes each away and gives it another
one.  What becomes of such an edit is one of :data:`OUTCOMES`; ``silent`` breaks the law.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

#: refused: an error that names it; warned: a warning that does; followed: what used the old name
#: uses the new one; silent: none of these
OUTCOMES = ("refused", "warned", "followed", "silent")


class Tried(NamedTuple):
    """One edit: the family of the name, what was done (``removed``, ``renamed``), and its outcome;
    ``said`` is the error or the warnings."""

    family: str
    verb: str
    name: str
    outcome: str
    said: str = ""


def outcome_of_text(name: str, error: str, warnings: Iterable[str]) -> str:
    """The outcome that an error or warnings show; "" where they do not name it."""
    if name in error:
        return "refused"
    return "warned" if any(name in text for text in warnings) else ""


def table(tried: Iterable[Tried]) -> Iterator[str]:
    """The counts, a line for each family and verb, and one for all."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for one in tried:
        for key in ((one.family, one.verb), ("all", one.verb)):
            counts.setdefault(key, Counter())[one.outcome] += 1
    width = max((len(family) for family, _ in counts), default=0)
    for family, verb in sorted(counts, key=lambda key: (key[0] == "all", key)):
        count = counts[family, verb]
        numbers = ", ".join(f"{outcome} {count[outcome]}" for outcome in OUTCOMES)
        yield f"{family:{width}} {verb}: tried {count.total()}: {numbers}"
