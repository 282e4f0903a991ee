"""The source of a single entry, from what its own names reach in the code of the game.

The meaning of a number may follow from any other code. An entry asks for the types of some
variables, parameters and results, and each follows from the code that has its name, and from
that of a few others which hold the same values. Only this code is read, which is found by the
names in the instructions. Where that is not certain, nothing is concluded, and all code is read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Set
from functools import cached_property, partial
from operator import is_
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from overhaul.document.protocol import Each
from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.elsewhere import read_numbered, unpacked
from overhaul.gamemaker.data.code.fraction_roots import FractionRoots
from overhaul.gamemaker.data.code.roots_by_name import RootsByName
from overhaul.gamemaker.data.model import GameModel
from overhaul.gml.context import Context
from overhaul.gml.decompiler import (
    FirstReading,
    read_facts,
    read_first,
    without_collector,
)
from overhaul.gml.decompiler.choices import Choices
from overhaul.gml.decompiler.doubts import (
    Doubtful,
    Weighed,
    doubts_of,
    numbers_and_mixed,
    read_evidence,
    suspects_of,
)
from overhaul.gml.decompiler.only_compared import OnlyCompared, is_parameter
from overhaul.gml.decompiler.types.facts import (
    LOCAL,
    NOTHING,
    PARAMETER,
    Facts,
    GameFacts,
    InferredTypes,
    Location,
)
from overhaul.gml.decompiler.types.habits import WRITES
from overhaul.gml.decompiler.types.infer import (
    Reach,
    Table,
    infer_shared,
    link_arguments,
    share,
)
from overhaul.gml.decompiler.types.names import TypeNames
from overhaul.gml.decompiler.types.provisional import Answers, Contents
from overhaul.gml.roundtrip import analyse
from overhaul.gml.syntax.printer import to_source
from overhaul.gml.vm.code import Code

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.index import CodeIndex

#: code with fewer instructions is read as a whole
_MUCH: Final = 100_000
#: more than one in so many instructions is much of the code
_SHARE: Final = 5
#: processes read so many roots at a time
_PART: Final = 200
#: reading an instruction takes as long as looking at so many roots that were read
_LOOKS: Final = 16
_ALL_HABITS: Final = Contents(
    functions=True, elements=True, no_index=True, fractions=set(), factors=set(), names=set()
)
"""The facts that other code depends on where only its numbers matter."""
_SOMETHING: Final = {Location(LOCAL, ""): ""}
"""Whether anything has a type says that types are known at all, as they are of much code."""
_Rows = npt.NDArray[np.signedinteger]
_CONSTRUCTED: Final = "@@NullObject@@"
"""The call that makes a function of a constructor's code."""


class Alone(NamedTuple):
    """The source of an entry, why parts of it are assembly in comments, and the types that it was
    written with, which hold for this entry only."""

    text: str
    problems: list[str]
    inferred: InferredTypes


class _Shown(NamedTuple):
    """A fact that a root shows of a location: the number of the root, and the place among its
    facts."""

    root: int
    place: int
    location: Location
    facts: Facts


class _Together(NamedTuple):
    """The facts that roots show of a location that owners share: the first root and place among
    its facts, the facts together, and those of each owner, as far as they are known."""

    first: tuple[int, int]
    place: Location
    facts: Facts
    owners: Table


class _NeedsAll(Exception):
    """The code that an entry needs is not certain, or so much that reading all code is better."""


def _asked_in(first: FirstReading) -> set[Location]:
    """The locations whose types a first reading asks for."""
    return {question.location for question in first.asked.questions}


class _AllCode(Protocol):
    """All code of the game; ``keeps``: what roots show is kept for another build."""

    keeps: bool
    expect_all: Callable[[], None]


class Asker(Protocol):
    """The decompiler that needs single entries; ``helpers`` reads code in several processes."""

    helpers: Each | None

    @property
    def code(self) -> _AllCode:
        """All code."""

    def is_lent(self) -> bool:
        """Whether another build shows some of what roots show."""

    def lent(self, root: CodeEntry) -> GameFacts | None:
        """The facts that a root shows, taken from another build that has the same root and read
        it."""

    def may_read_much(self) -> bool:
        """Whether much of the code may be read for one entry."""


class Needed:
    """Reads single entries of a game, with what they need of the others, while no code changes."""

    def __init__(
        self,
        game: GameModel,
        context: Context,
        index: CodeIndex,
        read: Callable[[CodeEntry], Code],
        asker: Asker,
    ) -> None:
        self._game = game
        self._asker = asker
        self._context = context
        self._roots: list[CodeEntry] = index.roots
        self._numbers = {id(root): number for number, root in enumerate(self._roots)}
        self._code_of = read
        self._codes = [root.bytecode for root in self._roots]
        #: the instructions that were read, and the facts that were looked at again
        self.work: int = 0
        #: the roots that were read
        self._read: set[int] = set()
        #: all that they show, where another build is read after this one
        self._kept: dict[int, GameFacts] = {}
        #: the facts that the roots that were read show, by the location that its owners share
        self._shown: defaultdict[Location, list[_Shown]] = defaultdict(list)
        #: the habits of the author that roots show
        self._habits_of: dict[int, GameFacts] = {}
        #: the facts that all roots together show of some locations
        self._whole: dict[Location, _Together] = {}
        #: the arguments among these locations, by function
        self._arguments: defaultdict[str, set[Location]] = defaultdict(set)
        self._names = RootsByName(game, context, index)
        self._fractions = FractionRoots(self._names, self._read_all, self._habits_of)
        self._sizes = [len(root.bytecode) for root in self._roots]

    @property
    def is_much(self) -> bool:
        """Whether the game has so much code that reading a part of it pays."""
        return self.size >= _MUCH

    @cached_property
    def size(self) -> int:
        """How many instructions the game has."""
        return sum(self._sizes)

    def number_of(self, root: CodeEntry) -> int:
        """The number of a root, in the order of the game."""
        return self._numbers[id(root)]

    def facts_by_name(self, name: str) -> tuple[CodeEntry, GameFacts] | None:
        """A root of this name, and what it shows, where that was read and the root is still the
        same."""
        number = self._by_name.get(name, -1)
        facts = self._kept.get(number)
        if facts is None or self._roots[number].bytecode is not self._codes[number]:
            return None
        return self._roots[number], facts

    @cached_property
    def _by_name(self) -> dict[str, int]:
        return {str(root.name): number for number, root in enumerate(self._roots)}

    def is_current(self) -> bool:
        """Whether all code is still what it was."""
        return all(map(is_, self._codes, (root.bytecode for root in self._roots)))

    def source(self, root: CodeEntry) -> Alone | None:
        """The source of a root entry; None where all code has to be read for it."""
        try:
            code, first = self._first(root)
            inferred = self._inferred(_asked_in(first), self._habits(root, first.asked.contents))
        except (OverhaulError, _NeedsAll):
            return None
        spelled = first.asked.spelled(inferred, Answers(self._context, inferred))
        if spelled is None:
            made = analyse(code, self._context, inferred=inferred)
        else:
            first.asked.name(spelled)
            made = first.made
        text = to_source(made.block, self._context.dialect)
        return Alone(text, made.problems, inferred)

    def doubtful(
        self, root: CodeEntry, lines: Set[str], means: Callable[[int], bool]
    ) -> Doubtful | None:
        """The source of a root entry, with the doubts in some of its lines about the numbers that
        mean something; None where all code has to be read for it."""
        try:
            code, first = self._first(root)
            asked, habits = _asked_in(first), self._habits(root, first.asked.contents)
            inferred = self._inferred(asked, habits)
            source, suspects = suspects_of(code, self._context, inferred)
            shown = source.split("\n")
            suspects = [
                suspect
                for suspect in suspects
                if shown[suspect.doubt.line - 1] in lines and means(suspect.doubt.value)
            ]
            if not suspects:
                return Doubtful(source, first.made.problems, [])
            locations = set[Location]().union(*(suspect.locations for suspect in suspects))
            names = set[str]().union(*(suspect.names for suspect in suspects))
            habits = self._habits(root, _ALL_HABITS)
            places = asked | locations | self._neighbours(locations)
            inferred = self._inferred(places, habits)
            weighed = self._weighed(locations, names, inferred)
        except (OverhaulError, _NeedsAll):
            return None
        made = doubts_of(code, self._context, weighed, Choices(), inferred)
        doubts = [doubt for doubt in made.doubts if shown[doubt.line - 1] in lines]
        return made._replace(doubts=[doubt for doubt in doubts if means(doubt.value)])

    def _first(self, root: CodeEntry) -> tuple[Code, FirstReading]:
        """The code of a root entry, and how it is read while nothing is known of other code."""
        if self.needs_all:
            raise _NeedsAll
        code = self._code_of(root)
        first = read_first(code, TypeNames(self._context, NOTHING), GameFacts())
        if first is None or first.is_open:
            raise _NeedsAll
        return code, first

    @property
    def needs_all(self) -> bool:
        """Whether each entry needs all code: all variables together show whether 0 and 1 are
        booleans."""
        dialect = self._context.dialect
        return dialect.bytecode < 16 and not dialect.gms2_or_later

    def is_few(self, numbers: Set[int]) -> bool:
        """Whether reading some roots takes less than reading all code."""
        size = sum(self._sizes[number] for number in numbers)
        if 2 * size > self.size or (size > self.size // _SHARE and not self._asker.may_read_much()):
            return False
        self.work += size
        return True

    def take(self, number: int, facts: GameFacts) -> None:
        """Note what a root shows, which was read."""
        if number not in self._read:
            self._note(number, facts)

    def types(self, asked: set[Location], contents: list[Contents]) -> InferredTypes | None:
        """The types of some locations, and the habits of the author on which code with some
        contents depends; None where all code has to be read for them."""
        try:
            return self._inferred(asked, set[int]().union(*map(self._showing, contents)))
        except _NeedsAll:
            return None

    # -- what is needed ------------------------------------------------------------------------

    def _inferred(self, asked: set[Location], habits: set[int]) -> InferredTypes:
        """The types of some locations, as all code shows them; ``habits`` are the roots that show
        those of the author."""
        reach = Reach(location.shared() for location in asked)
        numbers = set(habits)
        with without_collector():
            while True:
                for location in reach.next:
                    numbers |= self._mentioning(location)
                if not reach.further(self._table(numbers, reach.looked_at)):
                    break
            inferred = self._types(numbers, reach.seen, asked)
        wanted = asked | reach.first
        types = {place: kind for place, kind in inferred.types.items() if place in wanted}
        return inferred._replace(types=types | _SOMETHING)

    def _neighbours(self, locations: set[Location]) -> set[Location]:
        """The locations that hold the same values as some locations."""
        numbers = set[int]().union(*map(self._mentioning, locations))
        with without_collector():
            table = self._table(numbers, locations)
        return {other for place in locations if place in table for other in table[place].neighbours}

    def _weighed(
        self, locations: set[Location], names: set[str], inferred: InferredTypes
    ) -> Weighed:
        """How all code uses some locations, and the variables of some names; ``inferred`` has the
        types of the locations and of what holds the same values."""
        evidence = _Evidence(self, inferred)
        near = locations | self._neighbours(locations)
        evidence.take(set[int]().union(*map(self._mentioning, near)))
        builtins = evidence.names.builtins
        known: set[str] = set()
        while new := evidence.compared.like(names, builtins) - known:
            if any(map(is_parameter, new)):
                raise _NeedsAll  # any code may call a function by its number
            evidence.take(set[int]().union(*map(self._saying, new)))
            known |= new
        numbers, mixed = numbers_and_mixed(evidence.facts(), inferred)
        compared = evidence.compared.names(builtins)
        if any(root.bytecode.unreadable for root in self._roots):
            compared = {}  # such code may use any variable
        return Weighed(
            numbers & locations,
            mixed & locations,
            {name: compared[name] for name in names if name in compared},
        )

    def code(self, number: int) -> Code:
        """The code of a root.  Raises OverhaulError."""
        return self._code_of(self._roots[number])

    @property
    def context(self) -> Context:
        """The context by which the code of the game gives names a meaning."""
        return self._context

    def _read_all(self, numbers: set[int]) -> None:
        """Read roots, as far as they were not read."""
        unread = numbers - self._read
        size = sum(self._sizes[number] for number in unread)
        if size > self.size // _SHARE and not self._asker.may_read_much():
            raise _NeedsAll
        self.work += size
        if 2 * size > self.size:
            self._asker.code.expect_all()
        ordered = sorted(unread)
        if size < _MUCH or self._asker.helpers is None or self._asker.is_lent():
            for number in ordered:
                self._note(number, self._facts_of(self._roots[number]))
            return
        parts = [ordered[at : at + _PART] for at in range(0, len(ordered), _PART)]
        for part, made in zip(parts, self._asker.helpers(read_numbered, parts), strict=True):
            for number, facts in zip(part, unpacked(made), strict=True):
                self._note(number, facts)

    def _shown_of(self, numbers: set[int], wanted: set[Location]) -> list[_Together]:
        """The facts that some roots show of shared locations, in their order where all code is
        read."""
        self._read_all(numbers)
        # a function that computes the number of an argument may read any argument
        functions = (location.name for location in wanted if location.kind == PARAMETER)
        places = wanted.union(*map(self._arguments.__getitem__, functions))
        together = [self._together(place, numbers) for place in places & self._shown.keys()]
        self.work += len(numbers) // _LOOKS
        return sorted(together, key=lambda each: each.first)

    def _table(self, numbers: set[int], wanted: set[Location]) -> Table:
        """The facts that some roots show of some shared locations, by location."""
        table = {each.place: each.facts.copied() for each in self._shown_of(numbers, wanted)}
        link_arguments(table)
        return table

    def _types(
        self, numbers: set[int], places: set[Location], asked: set[Location]
    ) -> InferredTypes:
        """The types that follow from what some roots show of some shared locations; those of
        single owners for locations that are ``asked`` for only."""
        habits = GameFacts()
        shown = self._shown_of(numbers, places)
        for number in sorted(numbers & self._habits_of.keys()):
            habits.join_habits(self._habits_of[number])
        owned = {at: each.owners[at] for each in shown for at in asked & each.owners.keys()}
        table = {each.place: each.facts.copied() for each in shown}
        return infer_shared(table, owned, habits, self._context.dialect)

    def _together(self, place: Location, numbers: set[int]) -> _Together:
        """The facts that some roots show of a location that owners share."""
        known = self._whole.get(place)
        if known is not None:
            return known
        try:
            all_of_it = self._mentioning(place)
        except _NeedsAll:
            all_of_it = frozenset()
        is_whole = bool(all_of_it) and all_of_it <= numbers
        roots = all_of_it if is_whole else numbers
        shown = sorted(each for each in self._shown[place] if each.root in roots)
        facts = GameFacts()
        for each in shown:
            facts.join_at(each.location, each.facts)
        joined, owners = share(facts.table)
        first = shown[0][:2] if shown else (-1, -1)
        made = _Together(first, place, joined.get(place) or Facts(), owners)
        if is_whole:
            self._whole[place] = made
            self._shown[place].clear()
        return made

    def _note(self, number: int, part: GameFacts) -> None:
        """Keep what a root shows."""
        if self._asker.code.keeps:
            self._kept[number] = part
        self._read.add(number)
        if part.has_habits:
            self._habits_of[number] = part.habits()
        for place, (location, facts) in enumerate(part.table.items()):
            shared = location.shared()
            self._shown[shared].append(_Shown(number, place, location, facts))
            if shared.kind == PARAMETER:
                self._arguments[shared.name].add(shared)

    def _facts_of(self, root: CodeEntry) -> GameFacts:
        lent = self._asker.lent(root)
        return self.facts_of_number(self._numbers[id(root)]) if lent is None else lent

    def facts_of_number(self, number: int) -> GameFacts:
        """The facts that the root of a number shows."""
        try:
            code = self.code(number)
        except OverhaulError:  # nothing is inferred from it
            return GameFacts()
        return read_facts([code], self._context)

    def _habits(self, root: CodeEntry, contents: Contents) -> set[int]:
        """An entry, and the roots that show the habits of the author on which it depends."""
        return {self._numbers[id(root)]} | self._showing(contents)

    def _showing(self, contents: Contents) -> set[int]:
        """The roots that show the habits of the author on which code with contents depends."""
        dialect = self._context.dialect
        numbers: set[int] = set()
        if contents.no_index and dialect.bytecode <= 13:
            raise _NeedsAll  # any built-in array may show it
        if contents.functions and not dialect.self_to_builtin:
            numbers |= self._names.naming(_CONSTRUCTED)
        if contents.elements:
            numbers.update(*map(self._names.naming, WRITES))
        if contents.fractions or contents.factors:
            numbers |= self._fractions.showing(name for name, _ in contents.factors)
        return numbers

    def _mentioning(self, location: Location) -> frozenset[int]:
        """All roots that may show something of a location."""
        numbers = self._names.mentioning(location)
        if not numbers:  # a word that instructions have no name for
            raise _NeedsAll
        return numbers

    def _saying(self, name: str) -> frozenset[int]:
        """The roots with a name, also as a text."""
        numbers = self._names.saying(name)
        if not numbers:
            raise _NeedsAll
        return numbers


class _Evidence:
    """The evidence of some roots about numbers that may be assets, in the order of the game."""

    def __init__(self, needed: Needed, inferred: InferredTypes) -> None:
        self._needed = needed
        self._facts: dict[int, GameFacts] = {}
        self.names = TypeNames(needed.context, inferred)
        script = partial(needed.context.asset_name, "script")
        self.compared = OnlyCompared(self.names.is_script, script)

    def take(self, numbers: set[int]) -> None:
        """Read more roots."""
        for number in sorted(numbers - self._facts.keys()):
            facts = self._facts[number] = GameFacts()
            try:
                code = self._needed.code(number)
            except OverhaulError:
                continue
            with without_collector():
                read_evidence(code, self.names, facts, self.compared)

    def facts(self) -> GameFacts:
        """The facts that the roots show together."""
        facts = GameFacts()
        for _, part in sorted(self._facts.items()):
            facts.join(part)
        return facts
