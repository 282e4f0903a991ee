"""What the instructions of an entry leave open, and what is taken.

``if (a) { b(); continue; } c();`` and ``if (a) { b(); } else { c(); }`` at the end of a loop have the
same jumps, and so have a ``while`` and a ``for``.  Where a compiler keeps a state (which owner of
arrays it marked last, whether a way out of a ``try`` sets a flag), other instructions differ for
it.  So each such place is a point where reading asks: it takes the default, which is what most
people write, unless something else is given.  :mod:`overhaul.gml.roundtrip` compiles what was read,
and gives something else where it must.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

ELSE: Final = "else"
"""Whether a jump at the end of the first part of an if leads over an else part (1), or leaves the
loop's body (0)."""
LOOP: Final = "loop"
"""What a loop with its condition at its head is: as the statements around it say (0), a ``while``
(1), or a ``for`` whose step is the last n - 2 statements of the body."""
EARLY: Final = "early"
"""Whether what ends the body of a loop is written with a ``continue`` where people do (1)."""


class Point(NamedTuple):
    """A place where more than one reading is possible: its kind, and the instruction."""

    kind: str
    index: int


class Choices:
    """The readings ``given`` by point, and what was ``asked``: the reading taken, and the number of
    readings that there are."""

    __slots__ = ("asked", "given")

    def __init__(self, given: Mapping[Point, int] | None = None) -> None:
        self.given = {} if given is None else given
        self.asked: dict[Point, tuple[int, int]] = {}

    def take(self, kind: str, index: int, default: int, count: int) -> int:
        """The reading of a point, of ``count`` that there are."""
        point = Point(kind, index)
        taken = self.given.get(point, default)
        if not 0 <= taken < count:
            taken = default
        self.asked[point] = taken, count
        return taken
