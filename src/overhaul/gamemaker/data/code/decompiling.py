"""The decompiler of a game: in one context, with types inferred from all entries."""

from __future__ import annotations

from collections.abc import Callable, Set
from functools import partial

from overhaul.document.protocol import Each
from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.learning import AllCode, Same
from overhaul.gamemaker.data.code.needed import Needed
from overhaul.gamemaker.data.code.remembered import Remembered
from overhaul.gamemaker.data.code.sheets import Sheet, Sources
from overhaul.gml.context import Context
from overhaul.gml.decompiler import Decompiled, FirstText, conclude, without_collector
from overhaul.gml.decompiler.doubts import Doubtful, Weighed, doubts_of, weigh
from overhaul.gml.decompiler.options import DEFAULT, DecompileOptions
from overhaul.gml.decompiler.types.facts import NOTHING, GameFacts, InferredTypes
from overhaul.gml.decompiler.types.provisional import Answers
from overhaul.gml.roundtrip import analyse, analyse_first, choose
from overhaul.gml.syntax.printer import to_source
from overhaul.gml.vm.code import Code

#: so many entries that stand one after another are read from what they need, before all code is
_IN_A_ROW = 16
#: reading all code takes as long as looking at its instructions so many times for single entries
_TIMES = 2


class GameDecompiler:
    """Decompiles the entries of a game in one context, with types inferred from all of them.

    ``roots`` are the game's entries with bytecode of their own, ``read`` gives their code.
    """

    def __init__(
        self, context: Context, roots: list[CodeEntry], read: Callable[[CodeEntry], Code]
    ) -> None:
        self._context = context
        #: all code, and what it shows
        self.code = AllCode(context, roots, read)
        self._learned = False
        #: the facts that the code of the game shows; None before :meth:`learn`
        self.inferred: InferredTypes = NOTHING
        self._weighed: Weighed | None = None
        self._sources = Sources()
        #: the cache of the game's code
        self.remembered: Remembered | None = None
        #: the reader of single entries before all code is read; None without one
        self.needed: Callable[..., Needed] | None = None
        self._needed: Needed | None = None
        #: the reader of code in several processes, once all of it is read
        self.helpers: Each | None = None
        #: so many entries in a row are read from what they need
        self._most_in_a_row = _IN_A_ROW
        self._in_a_row = 0
        #: the number of the root that was read so last
        self._latest = -1
        #: the types that entries were written with that were read so, by the id of the root
        self._alone: dict[int, tuple[Bytecode, InferredTypes]] = {}
        #: the decompiler of another build, and which code is the same there
        self.siblings: tuple[GameDecompiler, Same] | None = None

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
        """Whether the source of a root entry was made so, from its present code."""
        known = self._alone.get(id(root))
        return known is not None and known[0] is root.bytecode

    def expect(self, entries: int) -> None:
        """Read so many entries from what they need, before all code is."""
        self._most_in_a_row = max(self._most_in_a_row, entries)

    def _what_is_needed(self, entry: CodeEntry) -> Needed | None:
        """The reader of an entry from the code that it needs; None where all code is read, which
        takes no longer if all entries are asked for, one after another, or much was read for
        some."""
        if not self.reads_alone:
            return None
        needed = self.alone_reader()
        number = needed.number_of(entry if entry.root is None else entry.root)
        self._in_a_row = self._in_a_row + 1 if number == self._latest + 1 else 1
        self._latest = number
        if self._in_a_row > self._most_in_a_row or needed.work > _TIMES * needed.size:
            return None
        return needed if needed.is_much else None

    @property
    def reads_alone(self) -> bool:
        """Whether entries are read from what they need, and not all code."""
        if self._learned or self.needed is None:
            return False
        remembered = self.remembered
        if remembered is not None and remembered.is_open and remembered.inferred is not None:
            return False
        # else little has to be read besides what the other build has
        return self.siblings is None or not self.siblings[0]._learned

    def alone_reader(self) -> Needed:
        """The reader of single entries of the present code."""
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
        """The facts that a root shows, taken from another build that has the same root and read
        it; None where that is not certain."""
        if self.siblings is None:
            return None
        other, same = self.siblings
        known = None if other._needed is None else other._needed.facts_by_name(str(root.name))
        if known is None or not self.code.reads_like(other.code) or not same(known[0], root):
            return None
        return known[1]

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
        return self._sources.get(root) is not None or id(root) in self.code.first

    def source_alone(self, entry: CodeEntry) -> tuple[str, list[str]] | None:
        """As :meth:`source` without inferred types; None once types were inferred."""
        if self._learned or self._alone:
            return None
        return self._printed(self._analyse(entry, DEFAULT))

    def _analyse(
        self, entry: CodeEntry, options: DecompileOptions, *, named: bool = True
    ) -> Decompiled:
        root = entry if entry.root is None else entry.root
        first = self.code.first.pop(id(root), None) if options == DEFAULT else None
        if first is not None and first.bytecode is root.bytecode and (named or not first.named):
            read = partial(self.code.read, root)
            return analyse_first(first.reading, read, self._context, self.inferred)
        return analyse(self.code.read(entry), self._context, options, self.inferred)

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
            codes = [code for _, code in self.code.readable(self.code.roots)]
            weighed = weigh(codes, self._context, self.inferred)
            if len(codes) < len(self.code.roots):  # code that can't be read may use any variable
                weighed = weighed._replace(compared={})
            self._weighed = weighed
        code = self.code.read(entry)
        choices = choose(code, self._context, self.inferred)
        return doubts_of(code, self._context, self._weighed, choices, self.inferred)

    def learn(self, each: Each | None = None) -> None:
        """Infer types from all of the game's code, once: more numbers become names.

        ``each`` may do the reading elsewhere, as for :meth:`AllCode.facts`.
        """
        if self._learned:
            return
        self._learned = True
        self._needed = None
        each = self.helpers if each is None else each
        if self.remembered is not None and self.remembered.inferred is not None:
            self.inferred = self.remembered.inferred
            return
        texts: list[Sheet | list[FirstText | None]] = []
        other, self.siblings = self.siblings, None
        kept = self.code.keeps or other is not None
        before = None if other is None else (other[0].code, other[1])
        with without_collector():
            facts = self.code.facts(each, texts, before)
            self.inferred = conclude(facts, self._context, kept=kept)
        if self.remembered is not None:
            self.remembered.keep(self.inferred)
        self._answer(texts)

    def _answer(self, sheets: list[Sheet | list[FirstText | None]]) -> None:
        """Name the numbers in first readings, and in the texts that other processes made of some;
        drop those that the types change otherwise."""
        answers = Answers(self._context, self.inferred, self.code.likely_fractions())
        first, self.code.first = self.code.first, {}
        for key, kept in first.items():
            asked = kept.reading.asked
            spelled = asked.spelled(self.inferred, answers)
            if spelled is not None:
                asked.name(spelled)
                asked.questions.clear()  # they are many, and no longer needed
                self.code.first[key] = kept._replace(named=bool(spelled))
        texts = (
            text
            for sheet in sheets
            for text in (sheet if isinstance(sheet, list) else sheet.texts())
        )
        for root, text in zip(self.code.roots, texts, strict=False):
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
            self.code.first.pop(id(root), None)
            self._keep(root, source)

    def learn_as(self, before: GameDecompiler) -> None:
        """Take over what another decompiler inferred before code changed. It only names numbers and
        little of it changes, and inferring again after each change would take long."""
        if before._learned:
            self._learned = True
            self.inferred = before.inferred
