"""The roots of a game that show how its author writes fractions.

The habit follows from the set of all quotients in the code, and from those that a variable is
multiplied by: one root that shows a quotient is enough to know that it is among them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Set
from typing import Final

from overhaul.gamemaker.data.code.roots_by_name import RootsByName
from overhaul.gml.decompiler.types.facts import GameFacts
from overhaul.gml.decompiler.types.habits import is_factor, one_denominator

#: what source calls arguments without a name
_ARGUMENT: Final = re.compile(r"arg(?:ument)?[0-9]+")


class FractionRoots:
    """Finds a few roots that show the same of fractions as all.

    ``read`` reads roots, ``habits`` has what the roots that were read show.
    """

    def __init__(
        self,
        names: RootsByName,
        read: Callable[[set[int]], None],
        habits: Mapping[int, GameFacts],
    ) -> None:
        self._names = names
        self._read = read
        self._habits = habits
        #: the roots that show which quotients there are, and these
        self._quotients: tuple[set[int], set[float]] | None = None
        #: the roots that show what a variable is multiplied by
        self._factors: dict[str, set[int]] = {}

    def showing(self, factors: Iterable[str]) -> set[int]:
        """Roots that show the habit, and whether variables of some names are multiplied by nothing
        but fractions."""
        if self._quotients is None:
            shown = self._look_for(self._names.fractions, lambda facts: facts.doubles)
            quotients = set[float]().union(*(self._habits[root].doubles for root in shown))
            self._quotients = shown, quotients
        roots, quotients = self._quotients
        shown = set(roots)
        fitting = one_denominator(quotients)[1]
        for name in factors if fitting else ():  # else no name matters
            if name not in self._factors:
                self._factors[name] = self._multiplied(name, fitting)
            shown |= self._factors[name]
        return shown

    def _multiplied(self, name: str, fitting: Set[float]) -> set[int]:
        """Roots that show whether a variable is multiplied by nothing but such quotients."""
        folded, dividing = self._names.fractions, self._names.dividing
        naming = frozenset[int]() if _ARGUMENT.fullmatch(name) else self._names.naming(name)
        used: set[int] = set()
        found: set[float] = set()
        for number in sorted(fitting):
            roots = folded.get(number, frozenset()) | dividing
            roots = roots & naming if naming else roots  # else a name that no instruction has
            used |= self._look_for({number: roots}, lambda facts: facts.products.get(name, set()))
            found |= self._shown_by(used, name) & fitting
            if is_factor(found):
                break
        return used

    def _shown_by(self, roots: Set[int], name: str) -> set[float]:
        """The factors of a variable in roots that were read."""
        shown = (self._habits[root].products.get(name, set()) for root in roots)
        return set[float]().union(*shown)

    def _look_for(
        self, places: Mapping[float, Set[int]], shown: Callable[[GameFacts], Set[float]]
    ) -> set[int]:
        """Roots that show which of some numbers are shown at all; ``places`` has the roots that may
        show each."""
        found: set[float] = set()
        used: set[int] = set()
        for number, roots in places.items():
            for root in sorted(roots, key=lambda root: (root not in self._habits, root)):
                if number in found:
                    break
                self._read({root})
                facts = self._habits.get(root)
                if facts is not None and number in shown(facts):
                    used.add(root)
                    found |= shown(facts)
        return used
