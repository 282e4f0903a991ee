"""The usual writing of a game's author, where the bytes allow several texts.

Fractions: compilers work quotients out (``room_speed * (5 / 60)``), and a lone 1 / 12 is shown as
such.  Where nearly all the fractions of a game are multiples of one denominator, they were hardly
reduced by a person.

Elements of lists and maps: accessors and functions read by the same call, and only writing shows
which an author uses.  ``map[? key] = value`` is a ``ds_map_set``, which hardly anybody calls by
name; those who call functions say ``ds_map_add`` and ``ds_map_replace``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from typing import Final, NamedTuple

from overhaul.gml.decompiler.types.constants import double_node, fraction, is_quotient, quotient
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.tree import Expression

_VALUES: Final = 6
"""So many different fractions show a habit,"""
_BOTTOMS: Final = 4
"""if they have so many different denominators."""
_USES: Final = 3
"""So many of them are multiplied by one variable where decimals are fractions too."""


class Fractions(NamedTuple):
    """How an author writes fractions: the ``denominator`` (0: reduced), and the names of variables
    (``factors``) that are multiplied by nothing else."""

    denominator: int = 0
    factors: frozenset[str] = frozenset()

    def written(self, number: float) -> Expression:
        """The literal of a double that was worked out.  Raises StructureError."""
        return double_node(number, self.denominator)

    def likely(self, number: float) -> Expression:
        """The same while the habit is only likely: a quotient for each quotient, so that code shows
        the same of its variables."""
        plain = double_node(number)
        made = self.written(number) if self.denominator else plain
        return made if is_quotient(plain) and is_quotient(made) else plain

    def of_factor(self, name: str, number: float) -> Expression | None:
        """A decimal that a variable is multiplied by, as a fraction where that is what the variable
        always is multiplied by; None for any other."""
        return fraction(number, self.denominator, 1) if name in self.factors else None


REDUCED: Final = Fractions()
"""How fractions are written while nothing is known of the author."""


def infer_fractions(doubles: set[float], products: dict[str, set[float]]) -> Fractions:
    """The evidence in the quotients of a whole game, and in those that variables are multiplied
    by."""
    best, fitting = one_denominator(doubles)
    used = {name for name, numbers in products.items() if is_factor(numbers & fitting)}
    return Fractions(best, frozenset(used))


def is_factor(numbers: Set[float]) -> bool:
    """Whether so many different quotients with the denominator show that a variable is multiplied
    by nothing else."""
    return len(numbers) >= _USES


def one_denominator(doubles: Set[float]) -> tuple[int, set[float]]:
    """The denominator of nearly all quotients of a game, and the quotients that have it; 0 and none
    where they have several."""
    bottoms: dict[float, int] = {}
    plain = 0
    for number in doubles:
        top, circles, bottom = quotient(abs(number))
        if bottom and not circles:
            bottoms[abs(number)] = bottom
            plain += top == 1
    if len(bottoms) < _VALUES or 2 * plain > len(bottoms):
        return 0, set()
    different = sorted(set(bottoms.values()))
    for best in different:
        fitting = {number for number, bottom in bottoms.items() if not best % bottom}
        parts = {bottom for bottom in different if not best % bottom}
        if len(parts) >= _BOTTOMS and 10 * len(fitting) >= 9 * len(bottoms):
            return best, fitting
    return 0, set()


_BY_ACCESSOR: Final = ("ds_map_set", "ds_list_set")
_BY_NAME: Final = ("ds_map_replace", "ds_list_replace")
_FILLS: Final = "ds_map_add"
"""Functions that authors who read by accessors call too, from 2.3 on (2 of 2 who call nothing
else)."""
WRITES: Final = frozenset((*_BY_ACCESSOR, *_BY_NAME, _FILLS))
"""Functions that show which."""


def calls_by_name(writes: Counter[str], dialect: Dialect) -> bool:
    """Whether an author calls functions, by how often each of WRITES is called."""
    named = sum(writes[name] for name in _BY_NAME)
    if not dialect.gml_v2:
        named += writes[_FILLS]
    return named > sum(writes[name] for name in _BY_ACCESSOR)
