"""The facts that the code of a game shows about its own variables, parameters and results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple

from overhaul.gml.decompiler.types.habits import Fractions
from overhaul.gml.syntax import tree

_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


class LocationKind(IntEnum):
    """The kind of a location."""

    GLOBAL = 1
    FIELD = 2
    LOCAL = 3
    PARAMETER = 4
    RESULT = 5


class Location(NamedTuple):
    """A variable, parameter or result of the game's own, or what it holds.

    ``name``: of the variable, or of the function for a parameter or result.  ``owner``: of a field,
    the object or constructor, "" for all or any; of a local, the code entry and function.
    ``number``: of a parameter, below 0 where it is computed.  ``element``: None for the value
    itself; for what an array or data structure holds "", or the constant key it is stored under.
    """

    kind: LocationKind
    name: str
    owner: str = ""
    number: int = 0
    element: str | None = None

    def shared(self) -> Location:
        """The location that all owners of a field share.

        Anonymous functions (``anon@12@...``) share too: those of one entry all their locals, those
        of the game all parameters and all results.
        """
        if self.kind == FIELD:
            return Location(FIELD, self.name, "", 0, self.element) if self.owner else self
        if self.kind == LOCAL and "@" in self.owner:
            return Location(LOCAL, "", self.owner.partition("@")[0], 0, self.element)
        if "@" in self.name:
            return Location(self.kind, self.name.partition("@")[0], "", 0, self.element)
        return self

    def element_at(self, index: tree.Expression | None = None) -> Location:
        """The elements of the array or data structure here.

        Each constant string key is a location of its own; arrays inside arrays share one.
        """
        if self.element is not None:
            return self
        key = index.value if type(index) is tree.String and index.value.isidentifier() else ""
        return Location(self.kind, self.name, self.owner, self.number, key)


@lru_cache(maxsize=8192)
def located(kind: LocationKind, name: str, owner: str = "", number: int = 0) -> Location:
    """A location; looking one up is faster than making it."""
    return Location(kind, name, owner, number)


# Looking up members of enums costs time.
GLOBAL, FIELD, LOCAL = LocationKind.GLOBAL, LocationKind.FIELD, LocationKind.LOCAL
PARAMETER, RESULT = LocationKind.PARAMETER, LocationKind.RESULT


def words_of(location: Location) -> list[str]:
    """The words of a variable's or function's name, in small letters; of a parameter none."""
    if location.kind == PARAMETER:
        return []
    return [word.lower() for word in _WORDS.findall(location.name.partition("@")[0])]


_NO_NUMBERS: Final[frozenset[int | float]] = frozenset()
_NO_LOCATIONS: Final[frozenset[Location]] = frozenset()


def _with(
    known: set[int | float] | frozenset[int | float], more: Iterable[int | float]
) -> set[int | float]:
    """Numbers with more of them; a set becomes the result."""
    if isinstance(known, set):
        known.update(more)
        return known
    return {*known, *more}


class Facts:
    """The facts seen of one location.

    ``kinds``: signs of each kind of name (see ``infer``).  ``given``: the numbers stored there,
    ``equal``: those it is tested for.  ``neighbours``: locations that hold the same values.  The
    others count: ``numeric`` calculations with it, ``terms`` those that only read it,
    ``ordered`` comparisons by size, ``other`` strings and results of functions stored there,
    ``unknown`` further values, ``asked`` conditions, ``addressed`` members read of it where it may
    be a struct.
    """

    __slots__ = (
        "addressed", "asked", "equal", "given", "kinds", "neighbours", "numeric", "ordered",
        "other", "terms", "unknown",
    )  # fmt: skip

    def __init__(self) -> None:
        self.kinds: dict[str, int] = {}
        # Nearly all are empty, and a set of its own takes 200 bytes.
        self.given: set[int | float] | frozenset[int | float] = _NO_NUMBERS
        self.equal: set[int | float] | frozenset[int | float] = _NO_NUMBERS
        self.neighbours: set[Location] | frozenset[Location] = _NO_LOCATIONS
        self.numeric: int = 0
        self.terms: int = 0
        self.ordered: int = 0
        self.other: int = 0
        self.unknown: int = 0
        self.asked: int = 0
        self.addressed: int = 0

    @property
    def constants(self) -> set[int | float]:
        """All numbers that were seen there."""
        return {*self.given, *self.equal}

    def copied(self) -> Facts:
        """The same facts, to be changed."""
        made = Facts()
        made.kinds = dict(self.kinds)
        made.given = set(self.given) if self.given else _NO_NUMBERS
        made.equal = set(self.equal) if self.equal else _NO_NUMBERS
        made.neighbours = set(self.neighbours) if self.neighbours else _NO_LOCATIONS
        made.numeric = self.numeric
        made.terms = self.terms
        made.ordered = self.ordered
        made.other = self.other
        made.unknown = self.unknown
        made.asked = self.asked
        made.addressed = self.addressed
        return made

    def add(self, kind: str) -> None:
        """Count one more sign of a kind."""
        self.kinds[kind] = self.kinds.get(kind, 0) + 1

    def see(self, number: float, *, compared: bool) -> None:
        """Note a number that is stored there, or (``compared``) that it is tested for."""
        if compared:
            self.equal = _with(self.equal, (number,))
        else:
            self.given = _with(self.given, (number,))

    def meet(self, others: Iterable[Location]) -> None:
        """Note locations that hold the same values."""
        known = self.neighbours
        if isinstance(known, set):
            known.update(others)
        else:
            self.neighbours = set(others) or known

    def join(self, other: Facts, neighbours: Iterable[Location]) -> None:
        """Add what was seen of another location, ``neighbours`` in place of its own."""
        for kind, count in other.kinds.items():
            self.kinds[kind] = self.kinds.get(kind, 0) + count
        if other.given:
            self.given = _with(self.given, other.given)
        if other.equal:
            self.equal = _with(self.equal, other.equal)
        self.meet(neighbours)
        self.numeric += other.numeric
        self.terms += other.terms
        self.ordered += other.ordered
        self.other += other.other
        self.unknown += other.unknown
        self.asked += other.asked
        self.addressed += other.addressed


class GameFacts:
    """The facts that some or all of a game's code shows.

    ``with_self``: how much more often its constructors say ``self.`` than not, where the code
    shows it.  ``with_index``: whether a built-in array that needs no index (``view_xview``) has
    another one than 0 anywhere.  ``doubles``: constants that were quotients; ``products``: those
    that a variable is multiplied by.  ``writes``: how often each function that writes an element is
    called.  Can be pickled, so that parts of a game may be read in other processes.
    """

    def __init__(self) -> None:
        self.table: dict[Location, Facts] = {}
        self.with_self: int = 0
        self.with_index: bool = False
        self.doubles: set[float] = set()
        self.products: dict[str, set[float]] = {}
        self.writes: Counter[str] = Counter()

    def at(self, location: Location) -> Facts:
        """The facts about a location."""
        facts = self.table.get(location)
        if facts is None:
            facts = self.table[location] = Facts()
        return facts

    def multiplied(self, name: str, node: tree.Binary) -> None:
        """Note a product of a variable and another operation."""
        left, right = node.left, node.right
        if node.operator == "/" and type(left) is tree.Number and type(right) is tree.Number:
            self.products.setdefault(name, set()).add(left.value / right.value)

    def link(self, left: Location, right: Location) -> None:
        """Note that two locations hold the same values."""
        if left != right:
            self.at(left).meet((right,))
            self.at(right).meet((left,))

    def join(self, other: GameFacts, *, kept: bool = False) -> None:
        """Add the facts of another part of the game, which must not be used afterwards unless they
        are ``kept``."""
        self.join_habits(other)
        for location, facts in other.table.items():
            known = self.table.get(location)
            if known is not None:
                known.join(facts, facts.neighbours)
            else:
                self.table[location] = facts.copied() if kept else facts

    def join_at(self, location: Location, facts: Facts) -> None:
        """Add the facts that another part of the game shows of a location, which does not change
        itself."""
        known = self.table.get(location)
        if known is None:
            self.table[location] = facts.copied()
        else:
            known.join(facts, facts.neighbours)

    def habits(self) -> GameFacts:
        """Its evidence about its author's habits only."""
        made = GameFacts()
        made.join_habits(self)
        return made

    @property
    def has_habits(self) -> bool:
        """Whether it shows anything of its author's habits."""
        return bool(
            self.with_self or self.with_index or self.doubles or self.writes or self.products
        )

    def join_habits(self, other: GameFacts) -> None:
        """Add what another part of the game shows of its author's habits."""
        self.with_self += other.with_self
        self.with_index |= other.with_index
        self.doubles |= other.doubles
        if other.writes:
            self.writes += other.writes
        for name, numbers in other.products.items():
            self.products.setdefault(name, set()).update(numbers)


class InferredTypes(NamedTuple):
    """The conclusions from the code of a whole game: the types of its locations, whether its
    author writes numbers for booleans, whether its constructors say ``self.``, how fractions are
    written, whether lists and maps are read by calling functions, and built-in arrays have
    indices."""

    types: dict[Location, str]
    numbers: bool = False
    says_self: bool = False
    fractions: Fractions = Fractions()
    called: bool = False
    with_index: bool = False


NOTHING: Final = InferredTypes({})
"""The facts about a game whose code was not read."""
