"""Reading all code of a game for what it shows: whole, in parts that the cache knows, in several
processes, or with what another build has too."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterable, Iterator
from operator import is_
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from overhaul.document.protocol import Each
from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code import elsewhere
from overhaul.gamemaker.data.code.sheets import Sheet, noting
from overhaul.gml.context import Context
from overhaul.gml.decompiler import (
    FirstReading,
    FirstText,
    parcels,
    read_facts,
    read_first,
    text_of,
    without_collector,
)
from overhaul.gml.decompiler.types.facts import NOTHING, GameFacts
from overhaul.gml.decompiler.types.habits import Fractions
from overhaul.gml.decompiler.types.names import TypeNames
from overhaul.gml.vm.code import Code

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.parts import CodePart, CodeParts

logger: logging.Logger = logging.getLogger(__name__)

#: as many instructions are read by several processes, if there are any
_MUCH = 1_000
#: in how many parts they read them
_SPANS = 16
#: of so many instructions at most the trees are kept from learning to text
_KEPT = 100_000

#: whether a root of one build is certainly the same as one of another
Same: TypeAlias = "Callable[[CodeEntry, CodeEntry], bool]"
#: the code of another build, and which of it is the same
Build: TypeAlias = "tuple[AllCode, Same]"


class Kept(NamedTuple):
    """A first reading that is also the last one, if the code is still the same.  ``named``: its
    numbers are spelled as names, which the text shows and the tree does not."""

    bytecode: Bytecode
    reading: FirstReading
    named: bool


class _Run(NamedTuple):
    """Roots that stand one after another in two builds, and are the same: ``span`` are their
    numbers, ``code`` is that of the second build, ``facts`` what they show."""

    span: tuple[int, int]
    code: list[Bytecode]
    facts: GameFacts


class AllCode:
    """The code of a game, read for the facts that it shows, with the trees or texts it gives.

    ``roots`` are the game's entries with bytecode of their own, ``read`` gives their code.
    """

    def __init__(
        self, context: Context, roots: list[CodeEntry], read: Callable[[CodeEntry], Code]
    ) -> None:
        self._context = context
        self.roots: list[CodeEntry] = roots
        self.read: Callable[[CodeEntry], Code] = read
        #: entries as they were read first, by the id of the root, until they are asked for
        self.first: dict[int, Kept] = {}
        #: the function that gives the parts of the code that the cache knows; None without a cache
        self.parts: Callable[[Fractions], CodeParts] | None = None
        self._parts: CodeParts | None = None
        #: the preparation for reading all code with ``read``
        self.expect_all: Callable[[], None] = _unprepared
        #: the evidence in instructions about how fractions are written
        self.likely: Callable[[list[Bytecode]], Fractions] = _no_habit
        self._likely: Fractions | None = None
        #: whether what each root shows is kept, by its name, for another build
        self.keeps = False
        self._kept: dict[str, tuple[CodeEntry, GameFacts]] = {}
        #: the function that gives the code of the build that is read next, and which code is the
        #: same
        self.twin: Callable[[], Build | None] = _no_twin
        #: the facts that the next build shares, by the number of the first root there
        self._runs: dict[int, _Run] = {}
        #: another build, and whether all names mean the same there
        self._like: tuple[AllCode, bool] | None = None

    def reads_like(self, other: AllCode) -> bool:
        """Whether all names mean the same in another build."""
        if self._like is None or self._like[0] is not other:
            self._like = other, other._context.reads_like(self._context)
        return self._like[1]

    def facts(
        self,
        each: Each | None,
        texts: list[Sheet | list[FirstText | None]],
        other: Build | None,
    ) -> Iterable[GameFacts]:
        """The facts of all code, part by part; the texts of roots are added to ``texts``, in their
        order, where they are made.

        ``each(task, spans)`` may do the reading elsewhere: it gives ``task(game, span)`` for each
        span, in order.  ``other`` is a build that was read before.
        """
        sizes = [len(root.bytecode) for root in self.roots]
        if self.parts is not None and sum(sizes) >= _MUCH:
            return self._facts_by_parts(self.parts(self.likely_fractions()), each, texts, other)
        if self.keeps or other is not None:
            return self._facts_of_each(each, other)
        if each is None or sum(sizes) < _MUCH:
            return [self._facts_of_all(sum(sizes), texts)]
        self.likely_fractions()  # before other processes are made of this one
        self.expect_all()
        spans = spans_of(sizes)
        return noting(spans, each(elsewhere.read_span, spans), texts)

    def read_span(self, span: tuple[int, int]) -> tuple[GameFacts, list[FirstText | None]]:
        """The facts that some of the roots give, and their texts as far as they are certain."""
        facts = GameFacts()
        names = self.first_names()
        texts: dict[int, FirstText | None] = {}
        with without_collector():
            for root, code in self.readable(self.roots[slice(*span)]):
                first = read_first(code, names, facts)
                texts[id(root)] = None if first is None else text_of(first, self._context.dialect)
        return facts, [texts.get(id(root)) for root in self.roots[slice(*span)]]

    def first_names(self) -> TypeNames:
        """The names of numbers while the game's variables are unknown."""
        return TypeNames(self._context, NOTHING._replace(fractions=self.likely_fractions()))

    def likely_fractions(self) -> Fractions:
        """How the author of the game probably writes fractions."""
        if self._likely is None:
            self._likely = self.likely([root.bytecode for root in self.roots])
        return self._likely

    def _facts_by_parts(
        self,
        known: CodeParts,
        each: Each | None,
        texts: list[Sheet | list[FirstText | None]],
        other: Build | None,
    ) -> Iterator[GameFacts]:
        """The facts of all parts of the code.  Parts that the cache lacks are read now."""
        only_facts = self.keeps or other is not None
        parts = known.begin(None if other is None else other[0]._parts)
        self._parts = known if self.keeps else None
        there = [known.get(part) for part in parts]
        missing = [part for part, stored in zip(parts, there, strict=True) if stored is None]
        read = self._read_parts(missing, each, only_facts=only_facts)
        for part, stored in zip(parts, there, strict=True):
            parcel: parcels.Parcel
            if stored is None:
                facts, packed = next(read)
                parcel = known.keep(part, facts, packed, shared=self.keeps)
            else:
                facts, parcel = stored
            if not only_facts:
                texts.append(Sheet(part.stop - part.start, parcel))
            yield facts
        known.save(parts)

    def _read_parts(
        self, parts: list[CodePart], each: Each | None, *, only_facts: bool
    ) -> Iterator[tuple[GameFacts, bytes]]:
        """The facts that parts show, as a parcel, with their texts where processes read them, or
        they are very many."""
        spans = [(part.start, part.stop) for part in parts]
        count = sum(len(root.bytecode) for start, stop in spans for root in self.roots[start:stop])
        if 2 * count > sum(len(root.bytecode) for root in self.roots):
            self.expect_all()
        if each is not None and count >= _MUCH:
            for part in each(elsewhere.read_joined if only_facts else elsewhere.read_span, spans):
                yield parcels.facts_of(part), part
            return
        for span in spans:
            texts: list[FirstText | None] = []
            if only_facts:
                facts = self.read_joined(span)
            elif count > _KEPT:
                facts, texts = self.read_span(span)
            else:
                facts = self._read_to_keep(self.roots[slice(*span)])
            yield facts, parcels.pack(facts, texts)

    def _facts_of_all(self, count: int, texts: list[Sheet | list[FirstText | None]]) -> GameFacts:
        """The facts of all roots, which have so many instructions; of very many, their texts are
        kept in ``texts``, which need less memory than their trees."""
        if count > _KEPT:
            self.expect_all()
            facts, own = self.read_span((0, len(self.roots)))
            texts.append(own)
            return facts
        return self._read_to_keep(self.roots)

    def _read_to_keep(self, roots: list[CodeEntry]) -> GameFacts:
        """The facts of some roots, whose trees are kept."""
        facts = GameFacts()
        names = self.first_names()
        with without_collector():
            for root, code in self.readable(roots):
                first = read_first(code, names, facts)
                if first is not None:
                    self.first[id(root)] = Kept(root.bytecode, first, False)
        return facts

    def read_each(self, span: tuple[int, int]) -> list[GameFacts]:
        """The facts that each of some roots gives."""
        return [self._facts_of(root) for root in self.roots[slice(*span)]]

    def _facts_of(self, root: CodeEntry) -> GameFacts:
        return read_facts((code for _, code in self.readable([root])), self._context)

    def _facts_of_each(self, each: Each | None, other: Build | None) -> Iterator[GameFacts]:
        """The facts of each root; for code that is the same in another build, the facts of that
        build.  The others may be read elsewhere, as for :meth:`facts`."""
        if other is not None and not other[0]._context.reads_like(self._context):
            other = None
        sizes = [len(root.bytecode) for root in self.roots]
        if self.keeps and each is not None and sum(sizes) >= _MUCH and (twin := self._read_next()):
            yield from self._facts_of_runs(each, *twin)
            return
        if other is not None and other[0]._runs:
            yield from self._facts_by_runs(other[0]._runs)
            return
        read: Iterator[GameFacts] = map(self._facts_of, self.roots)
        if each is not None and sum(sizes) >= _MUCH and (other is None or not other[0]._kept):
            parts = each(elsewhere.read_each_of_span, spans_of(sizes))
            read = itertools.chain.from_iterable(map(elsewhere.unpacked, parts))
            other = None
        for root in self.roots:
            name = str(root.name)
            like = None if other is None else other[0]._kept.get(name)
            if other is not None and like is not None and other[1](like[0], root):
                facts = like[1]
            else:
                facts = self._facts_of(root) if other is not None else next(read)
            if self.keeps:
                self._kept[name] = root, facts
            yield facts

    def _read_next(self) -> Build | None:
        """The code of the build that is read next, if all names mean the same there."""
        twin = self.twin()
        return twin if twin is not None and self._context.reads_like(twin[0]._context) else None

    def _facts_of_runs(self, each: Each, twin: AllCode, same: Same) -> Iterator[GameFacts]:
        """The facts of the roots, read elsewhere; those of roots which are the same in the build
        that is read next, and stand in the same order there, are joined, and kept for it."""
        spans = _runs(self.roots, twin.roots, same)
        parts = each(elsewhere.read_joined, [span for span, _ in spans])
        for (span, first), part in zip(spans, parts, strict=True):
            facts = parcels.facts_of(part)
            if first is not None:
                roots = twin.roots[first : first + span[1] - span[0]]
                code = [root.bytecode for root in roots]
                self._runs[first] = _Run((first, first + len(roots)), code, facts)
            yield facts

    def _facts_by_runs(self, runs: dict[int, _Run]) -> Iterator[GameFacts]:
        """The facts of the roots, those of runs as the build before has them."""
        number = 0
        while number < len(self.roots):
            run = runs.get(number)
            if run is not None:
                now = [root.bytecode for root in self.roots[slice(*run.span)]]
                if len(now) == len(run.code) and all(map(is_, now, run.code)):
                    yield run.facts
                    number = run.span[1]
                    continue
            yield self._facts_of(self.roots[number])
            number += 1

    def read_joined(self, span: tuple[int, int]) -> GameFacts:
        """The facts that some roots give together."""
        return read_facts(
            (code for _, code in self.readable(self.roots[slice(*span)])), self._context
        )

    def readable(self, roots: list[CodeEntry]) -> Iterator[tuple[CodeEntry, Code]]:
        for root in roots:
            try:
                yield root, self.read(root)
            except OverhaulError as error:  # reported wherever the entry itself is asked for
                logger.debug("no types are inferred from %s: %s", root.name, error)


def _no_habit(codes: list[Bytecode]) -> Fractions:
    """Nothing is known of fractions."""
    return Fractions()


def _no_twin() -> None:
    """No other build is read next."""


def _unprepared() -> None:
    """Nothing is prepared."""


def _runs(
    roots: list[CodeEntry], others: list[CodeEntry], same: Same
) -> list[tuple[tuple[int, int], int | None]]:
    """Neighbouring roots in spans, each with the number of the first among ``others`` where all are
    the same there, in the same order; None where they are not."""
    numbers = {str(root.name): number for number, root in enumerate(others)}
    most = sum(len(root.bytecode) for root in roots) // _SPANS
    spans: list[tuple[tuple[int, int], int | None]] = []
    size = 0
    for number, root in enumerate(roots):
        other = numbers.get(str(root.name))
        if other is not None and not same(root, others[other]):
            other = None
        (start, _), first = spans[-1] if spans else ((0, 0), None)
        follows = (other is None) if first is None else other == first + number - start
        if spans and follows and size < most:
            spans[-1] = (start, number + 1), first
            size += len(root.bytecode)
        else:
            spans.append(((number, number + 1), other))
            size = len(root.bytecode)
    return spans


def spans_of(sizes: list[int]) -> list[tuple[int, int]]:
    """Neighbouring roots of these sizes, in some spans of about the same size."""
    spans = []
    start, size = 0, 0
    for number, places in enumerate(sizes, 1):
        size += places
        if size * _SPANS >= sum(sizes) or number == len(sizes):
            spans.append((start, number))
            start, size = number, 0
    return spans
