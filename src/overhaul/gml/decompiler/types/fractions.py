"""The one denominator that an author writes fractions with: ``room_speed * (5 / 60)``.

Compilers work such quotients out, and a lone 1 / 12 is shown as such.  Where nearly all the
fractions of a game are multiples of one of them, they were hardly reduced by a person.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from overhaul.gml.decompiler.types.constants import quotient

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


def learn_fractions(doubles: set[float], products: dict[str, set[float]]) -> Fractions:
    """What the quotients of a whole game, and those that variables are multiplied by, show."""
    bottoms: dict[float, int] = {}
    plain = 0
    for number in doubles:
        top, circles, bottom = quotient(abs(number))
        if bottom and not circles:
            bottoms[abs(number)] = bottom
            plain += top == 1
    if len(bottoms) < _VALUES or 2 * plain > len(bottoms):
        return Fractions()
    different = sorted(set(bottoms.values()))
    for best in different:
        fitting = {number for number, bottom in bottoms.items() if not best % bottom}
        parts = {bottom for bottom in different if not best % bottom}
        if len(parts) >= _BOTTOMS and 10 * len(fitting) >= 9 * len(bottoms):
            used = {name for name, numbers in products.items() if len(numbers & fitting) >= _USES}
            return Fractions(best, frozenset(used))
    return Fractions()
