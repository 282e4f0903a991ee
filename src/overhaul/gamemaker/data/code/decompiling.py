"""The decompiler of a game: in one context, with types inferred from all entries."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterable, Iterator, Set
from functools import partial
from operator import is_
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from overhaul.document.protocol import Each
from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code import elsewhere
from overhaul.gamemaker.data.code.needed import Needed
from overhaul.gamemaker.data.code.remembered import Remembered
from overhaul.gamemaker.data.code.sheets import Sheet, Sources, noting
from overhaul.gml.context import Context
from overhaul.gml.decompiler import (
    Decompiled,
    FirstReading,
    FirstText,
    conclude,
    parcels,
    read_facts,
    read_first,
    text_of,
    without_collector,
)
from overhaul.gml.decompiler.doubts import Doubtful, Weighed, doubts_of, weigh
from overhaul.gml.decompiler.options import DEFAULT, DecompileOptions
from overhaul.gml.decompiler.types.facts import NOTHING, GameFacts, InferredTypes
from overhaul.gml.decompiler.types.habits import Fractions
from overhaul.gml.decompiler.types.names import TypeNames
from overhaul.gml.decompiler.types.provisional import Answers
from overhaul.gml.roundtrip import analyse, analyse_first, choose
from overhaul.gml.syntax.printer import to_source
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
#: so many entries that stand one after another are read from what they need, before all code is
_IN_A_ROW = 16
#: reading all code takes as long as looking at its instructions so many times for single entries
_TIMES = 2


#: whether a root of one build is certainly the same as one of another
Same: TypeAlias = "Callable[[CodeEntry, CodeEntry], bool]"


class _Kept(NamedTuple):
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


class GameDecompiler:
    """Decompiles the entries of a game in one context, with types inferred from all of them.

    ``roots`` are the game's entries with bytecode of their own, ``read`` gives their code.
    """

    def __init__(
        self, context: Context, roots: list[CodeEntry], read: Callable[[CodeEntry], Code]
    ) -> None:
        self._context = context
        self._roots = roots
        self._read = read
        self._learned = False
        #: what the code of the game shows; nothing before :meth:`learn`
        self.inferred: InferredTypes = NOTHING
        self._weighed: Weighed | None = None
        #: entries as they were read first, by the id of the root, until they are asked for
        self._first: dict[int, _Kept] = {}
        self._sources = Sources()
        #: what the cache has of the game's code
        self.remembered: Remembered | None = None
        #: what gives the parts of the code that the cache knows; None without a cache
        self.parts: Callable[[Fractions], CodeParts] | None = None
        self._parts: CodeParts | None = None
        #: what prepares for reading all code with ``read``
        self.expect_all: Callable[[], None] = _unprepared
        #: what shows in instructions how fractions are written
        self.likely: Callable[[list[Bytecode]], Fractions] = _no_habit
        self._likely: Fractions | None = None
        #: what reads single entries before all code is read; None where nothing does
        self.needed: Callable[..., Needed] | None = None
        self._needed: Needed | None = None
        #: what reads code in several processes, once all of it is read
        self.helpers: Each | None = None
        #: so many entries in a row are read from what they need
        self._most_in_a_row = _IN_A_ROW
        self._in_a_row = 0
        #: the number of the root that was read so last
        self._latest = -1
        #: the types that entries were written with that were read so, by the id of the root
        self._alone: dict[int, tuple[Bytecode, InferredTypes]] = {}
        #: whether what each root shows is kept, by its name, for the decompiler of another build
        self.keeps = False
        self._kept: dict[str, tuple[CodeEntry, GameFacts]] = {}
        #: what gives the decompiler of the build that is read next, and which code is the same
        self.twin: Callable[[], tuple[GameDecompiler, Same] | None] = _no_twin
        #: what the next build has too, by the number of the first root there
        self._runs: dict[int, _Run] = {}
        #: the decompiler of another build, and which code is the same there
        self.siblings: tuple[GameDecompiler, Same] | None = None
        #: another build, and whether all names mean the same there
        self._like: tuple[GameDecompiler, bool] | None = None

    def source(
        self, entry: CodeEntry, options: DecompileOptions = DEFAULT
    ) -> tuple[str, list[str]]:
        """The source of a root entry (for a child: of its root), and why some parts of it are
        assembly in comments."""
        root = entry if entry.root is None else entry.root
        known = self._sources.get(root)
        if known is None and options == DEFAULT:
            known = self._source_by_need(root)
        if known is not None and options == DEFAULT:
            return known
        self.learn()
        if options != DEFAULT:
            return self._printed(self._analyse(root, options))
        known = self._sources.get(root)
        if known is None:
            known = self._printed(self._analyse(root, DEFAULT))
            self._keep(root, known)
        return known

    def _source_by_need(self, root: CodeEntry) -> tuple[str, list[str]] | None:
        """:meth:`source` of one of the first entries that are asked for, from the code that it
        needs; None where all code has to be read."""
        needed = self._what_is_needed(root)
        alone = None if needed is None else needed.source(root)
        if alone is None:
            self.needed = None
            return None
        self._alone[id(root)] = root.bytecode, alone.inferred
        self._sources.keep(root, (alone.text, alone.problems))
        return alone.text, alone.problems

    def alone(self, root: CodeEntry) -> tuple[str, list[str]] | None:
        """The source of a root entry, if it is known, or one of the first that are asked for, from
        the code that it needs."""
        return self._sources.get(root) or self._source_by_need(root)

    def was_alone(self, root: CodeEntry) -> bool:
        """Whether the source of a root entry was made so, from the code that it has."""
        known = self._alone.get(id(root))
        return known is not None and known[0] is root.bytecode

    def expect(self, entries: int) -> None:
        """Read so many entries from what they need, before all code is."""
        self._most_in_a_row = max(self._most_in_a_row, entries)

    def _what_is_needed(self, entry: CodeEntry) -> Needed | None:
        """What reads an entry from what it needs; None where all code is read, which takes no
        longer if all entries are asked for, one after another, or much was read for some."""
        if self._learned or self.needed is None:
            return None
        remembered = self.remembered
        if remembered is not None and remembered.is_open and remembered.inferred is not None:
            return None
        if self.siblings is not None and self.siblings[0]._learned:
            return None  # little has to be read besides what the other build has
        needed = self.alone_reader()
        number = needed.number_of(entry if entry.root is None else entry.root)
        self._in_a_row = self._in_a_row + 1 if number == self._latest + 1 else 1
        self._latest = number
        if self._in_a_row > self._most_in_a_row or needed.work > _TIMES * needed.size:
            return None
        return needed if needed.is_much else None

    def alone_reader(self) -> Needed:
        """What reads single entries of the code as it is."""
        assert self.needed is not None
        if self._needed is None or not self._needed.is_current():
            self._needed = self.needed(self)
        return self._needed

    def may_read_much(self) -> bool:
        """Whether much of the code may be read for one entry."""
        return self.remembered is None or self.remembered.may_read_much()

    def is_lent(self) -> bool:
        """Whether another build shows some of what roots show."""
        return self.siblings is not None and self.siblings[0]._needed is not None

    def lent(self, root: CodeEntry) -> GameFacts | None:
        """What a root shows, where another build has the same, and it was read there; None where
        that is not certain."""
        if self.siblings is None:
            return None
        other, same = self.siblings
        known = None if other._needed is None else other._needed.facts_by_name(str(root.name))
        if known is None or not self._reads_like(other) or not same(known[0], root):
            return None
        return known[1]

    def _reads_like(self, other: GameDecompiler) -> bool:
        """Whether all names mean the same in another build."""
        if self._like is None or self._like[0] is not other:
            self._like = other, other._context.reads_like(self._context)
        return self._like[1]

    def doubts_in(
        self, entry: CodeEntry, lines: Set[str], means: Callable[[int], bool]
    ) -> Doubtful:
        """As :meth:`doubtful`, with at least the doubts in some lines about the numbers that mean
        something."""
        if self._weighed is None:
            needed = self._what_is_needed(entry)
            made = None if needed is None else needed.doubtful(entry, lines, means)
            if made is not None:
                return made
        return self.doubtful(entry)

    def inferred_of(self, root: CodeEntry | None) -> InferredTypes:
        """The types that the source of a root is written with (None: of any root)."""
        if self._alone and not self._learned:
            known = None if root is None else self._alone.get(id(root))
            if root is not None and (known is None or known[0] is not root.bytecode):
                self.source(root)
                known = self._alone.get(id(root))
            if known is not None and not self._learned:
                return known[1]
            self.learn()
        return self.inferred

    def known(self, root: CodeEntry) -> tuple[str, list[str]] | None:
        """The source of a root, if it is there."""
        return self._sources.get(root)

    def knows(self, root: CodeEntry, options: DecompileOptions | None) -> bool:
        """Whether the source of a root is known, or at least its tree."""
        if options is not None and options != DEFAULT:
            return False
        return self._sources.get(root) is not None or id(root) in self._first

    def source_alone(self, entry: CodeEntry) -> tuple[str, list[str]] | None:
        """As :meth:`source` without inferred types; None once types were inferred."""
        if self._learned or self._alone:
            return None
        return self._printed(self._analyse(entry, DEFAULT))

    def _analyse(
        self, entry: CodeEntry, options: DecompileOptions, *, named: bool = True
    ) -> Decompiled:
        root = entry if entry.root is None else entry.root
        first = self._first.pop(id(root), None) if options == DEFAULT else None
        if first is not None and first.bytecode is root.bytecode and (named or not first.named):
            read = partial(self._read, root)
            return analyse_first(first.reading, read, self._context, self.inferred)
        return analyse(self._read(entry), self._context, options, self.inferred)

    def _printed(self, made: Decompiled) -> tuple[str, list[str]]:
        return to_source(made.block, self._context.dialect), made.problems

    def tree(self, entry: CodeEntry) -> Decompiled:
        """The tree of :meth:`source`."""
        self.learn()
        return self._analyse(entry, DEFAULT, named=False)

    def doubtful(self, entry: CodeEntry) -> Doubtful:
        """The source of a root entry, with the numbers in it that may stand for assets."""
        self.learn()
        if self._weighed is None:
            codes = [code for _, code in self._readable(self._roots)]
            weighed = weigh(codes, self._context, self.inferred)
            if len(codes) < len(self._roots):  # code that can't be read may use any variable
                weighed = weighed._replace(compared={})
            self._weighed = weighed
        code = self._read(entry)
        choices = choose(code, self._context, self.inferred)
        return doubts_of(code, self._context, self._weighed, choices, self.inferred)

    def learn(self, each: Each | None = None) -> None:
        """Infer types from all of the game's code, once: more numbers become names.

        ``each(task, spans)`` may do the reading elsewhere: it gives ``task(game, span)`` for each
        span, in order.
        """
        if self._learned:
            return
        self._learned = True
        self._needed = None
        each = self.helpers if each is None else each
        if self.remembered is not None and self.remembered.inferred is not None:
            self.inferred = self.remembered.inferred
            return
        sizes = [len(root.bytecode) for root in self._roots]
        texts: list[Sheet | list[FirstText | None]] = []
        kept = self.keeps or self.siblings is not None
        if self.parts is not None and sum(sizes) >= _MUCH:
            parts: Iterable[GameFacts] = self._facts_by_parts(
                self.parts(self._likely_fractions()), each, texts
            )
        elif kept:
            parts = self._facts_of_each(each)
        elif each is None or sum(sizes) < _MUCH:
            parts = [self._facts_of_all(sum(sizes), texts)]
        else:
            self._likely_fractions()  # before other processes are made of this one
            self.expect_all()
            spans = spans_of(sizes)
            parts = noting(spans, each(elsewhere.read_span, spans), texts)
        with without_collector():
            self.inferred = conclude(parts, self._context, kept=kept)
        if self.remembered is not None:
            self.remembered.keep(self.inferred)
        self._answer(texts)

    def read_span(self, span: tuple[int, int]) -> tuple[GameFacts, list[FirstText | None]]:
        """The facts that some of the roots give, and their texts as far as they are certain."""
        facts = GameFacts()
        names = self._first_names()
        texts: dict[int, FirstText | None] = {}
        with without_collector():
            for root, code in self._readable(self._roots[slice(*span)]):
                first = read_first(code, names, facts)
                texts[id(root)] = None if first is None else text_of(first, self._context.dialect)
        return facts, [texts.get(id(root)) for root in self._roots[slice(*span)]]

    def _first_names(self) -> TypeNames:
        """What names numbers while nothing is known of the game's variables."""
        return TypeNames(self._context, NOTHING._replace(fractions=self._likely_fractions()))

    def _likely_fractions(self) -> Fractions:
        """How the author of the game probably writes fractions."""
        if self._likely is None:
            self._likely = self.likely([root.bytecode for root in self._roots])
        return self._likely

    def _facts_by_parts(
        self,
        known: CodeParts,
        each: Each | None,
        texts: list[Sheet | list[FirstText | None]],
    ) -> Iterator[GameFacts]:
        """The facts of all parts of the code, those that the cache has not read now."""
        only_facts = self.keeps or self.siblings is not None
        other, self.siblings = self.siblings, None
        parts = known.begin(None if other is None else other[0]._parts)
        self._parts = known if self.keeps else None
        there = [known.get(part) for part in parts]
        missing = [part for part, what in zip(parts, there, strict=True) if what is None]
        read = self._read_parts(missing, each, only_facts=only_facts)
        for part, what in zip(parts, there, strict=True):
            parcel: parcels.Parcel
            if what is None:
                facts, packed = next(read)
                parcel = known.keep(part, facts, packed, shared=self.keeps)
            else:
                facts, parcel = what
            if not only_facts:
                texts.append(Sheet(part.stop - part.start, parcel))
            yield facts
        known.save(parts)

    def _read_parts(
        self, parts: list[CodePart], each: Each | None, *, only_facts: bool
    ) -> Iterator[tuple[GameFacts, bytes]]:
        """What parts show, and that as a parcel, with their texts where processes read them, or
        they are very many."""
        spans = [(part.start, part.stop) for part in parts]
        count = sum(len(root.bytecode) for start, stop in spans for root in self._roots[start:stop])
        if 2 * count > sum(len(root.bytecode) for root in self._roots):
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
                facts = self._read_to_keep(self._roots[slice(*span)])
            yield facts, parcels.pack(facts, texts)

    def _facts_of_all(self, count: int, texts: list[Sheet | list[FirstText | None]]) -> GameFacts:
        """The facts of all roots, which have so many instructions; of very many, their texts are
        kept in ``texts``, which need less memory than their trees."""
        if count > _KEPT:
            self.expect_all()
            facts, own = self.read_span((0, len(self._roots)))
            texts.append(own)
            return facts
        return self._read_to_keep(self._roots)

    def _read_to_keep(self, roots: list[CodeEntry]) -> GameFacts:
        """The facts of some roots, whose trees are kept."""
        facts = GameFacts()
        names = self._first_names()
        with without_collector():
            for root, code in self._readable(roots):
                first = read_first(code, names, facts)
                if first is not None:
                    self._first[id(root)] = _Kept(root.bytecode, first, False)
        return facts

    def _answer(self, sheets: list[Sheet | list[FirstText | None]]) -> None:
        """Name the numbers in first readings, and in the texts that other processes made of some;
        drop those that the types change otherwise."""
        answers = Answers(self._context, self.inferred, self._likely_fractions())
        first, self._first = self._first, {}
        for key, kept in first.items():
            asked = kept.reading.asked
            spelled = asked.spelled(self.inferred, answers)
            if spelled is not None:
                asked.name(spelled)
                asked.questions.clear()  # they are many, and no longer needed
                self._first[key] = kept._replace(named=bool(spelled))
        texts = (
            text
            for sheet in sheets
            for text in (sheet if isinstance(sheet, list) else sheet.texts())
        )
        for root, text in zip(self._roots, texts, strict=False):
            spelled = None if text is None else text.asked.spelled(self.inferred, answers)
            if text is not None and spelled is not None:
                self._keep(root, (text.asked.fill(text.text, spelled), text.problems))

    def _keep(self, root: CodeEntry, source: tuple[str, list[str]]) -> None:
        self._sources.keep(root, source)
        if self.remembered is not None:
            self.remembered.keep_source(root, source)

    def note(
        self, root: CodeEntry, source: tuple[str, list[str]], options: DecompileOptions | None
    ) -> None:
        """Note the source of a root that another process made with types of all code."""
        if options in (None, DEFAULT):
            self._first.pop(id(root), None)
            self._keep(root, source)

    def read_each(self, span: tuple[int, int]) -> list[GameFacts]:
        """The facts that each of some roots gives."""
        return [self._facts_of(root) for root in self._roots[slice(*span)]]

    def _facts_of(self, root: CodeEntry) -> GameFacts:
        return read_facts((code for _, code in self._readable([root])), self._context)

    def _facts_of_each(self, each: Each | None) -> Iterator[GameFacts]:
        """The facts of each root; for code that is the same in another build, the facts of that
        build.  The others may be read elsewhere, as for :meth:`learn`."""
        other, self.siblings = self.siblings, None
        if other is not None and not other[0]._context.reads_like(self._context):
            other = None
        sizes = [len(root.bytecode) for root in self._roots]
        if self.keeps and each is not None and sum(sizes) >= _MUCH and (twin := self._read_next()):
            yield from self._facts_of_runs(each, *twin)
            return
        if other is not None and other[0]._runs:
            yield from self._facts_by_runs(other[0]._runs)
            return
        read: Iterator[GameFacts] = map(self._facts_of, self._roots)
        if each is not None and sum(sizes) >= _MUCH and (other is None or not other[0]._kept):
            parts = each(elsewhere.read_each_of_span, spans_of(sizes))
            read = itertools.chain.from_iterable(map(elsewhere.unpacked, parts))
            other = None
        for root in self._roots:
            name = str(root.name)
            like = None if other is None else other[0]._kept.get(name)
            if other is not None and like is not None and other[1](like[0], root):
                facts = like[1]
            else:
                facts = self._facts_of(root) if other is not None else next(read)
            if self.keeps:
                self._kept[name] = root, facts
            yield facts

    def _read_next(self) -> tuple[GameDecompiler, Same] | None:
        """The decompiler of the build that is read next, if all names mean the same there."""
        twin = self.twin()
        return twin if twin is not None and self._context.reads_like(twin[0]._context) else None

    def _facts_of_runs(self, each: Each, twin: GameDecompiler, same: Same) -> Iterator[GameFacts]:
        """The facts of the roots, read elsewhere; those of roots which are the same in the build
        that is read next, and stand in the same order there, are joined, and kept for it."""
        spans = _runs(self._roots, twin._roots, same)
        parts = each(elsewhere.read_joined, [span for span, _ in spans])
        for (span, first), part in zip(spans, parts, strict=True):
            facts = parcels.facts_of(part)
            if first is not None:
                roots = twin._roots[first : first + span[1] - span[0]]
                code = [root.bytecode for root in roots]
                self._runs[first] = _Run((first, first + len(roots)), code, facts)
            yield facts

    def _facts_by_runs(self, runs: dict[int, _Run]) -> Iterator[GameFacts]:
        """The facts of the roots, those of runs as the build before has them."""
        number = 0
        while number < len(self._roots):
            run = runs.get(number)
            if run is not None:
                now = [root.bytecode for root in self._roots[slice(*run.span)]]
                if len(now) == len(run.code) and all(map(is_, now, run.code)):
                    yield run.facts
                    number = run.span[1]
                    continue
            yield self._facts_of(self._roots[number])
            number += 1

    def read_joined(self, span: tuple[int, int]) -> GameFacts:
        """The facts that some roots give together."""
        return read_facts(
            (code for _, code in self._readable(self._roots[slice(*span)])), self._context
        )

    def _readable(self, roots: list[CodeEntry]) -> Iterator[tuple[CodeEntry, Code]]:
        for root in roots:
            try:
                yield root, self._read(root)
            except OverhaulError as error:  # reported wherever the entry itself is asked for
                logger.debug("no types are inferred from %s: %s", root.name, error)

    def learn_as(self, before: GameDecompiler) -> None:
        """Take over what another decompiler inferred before code changed. It only names numbers and
        little of it changes, and inferring again after each change would take long."""
        if before._learned:
            self._learned = True
            self.inferred = before.inferred


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
