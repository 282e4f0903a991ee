"""A game's code as source: decompiled, remembered by earlier commands, and checked."""

from __future__ import annotations

from collections.abc import Callable, Set, Sized
from functools import partial
from typing import TYPE_CHECKING, Protocol
from weakref import ReferenceType, ref

from overhaul.document import caches
from overhaul.document.protocol import Each
from overhaul.document.registry import load
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.knowledge import Knowledge
from overhaul.gamemaker.data.code.sameness import SameCode
from overhaul.gamemaker.data.model import GameModel
from overhaul.gml.context import Context
from overhaul.gml.vm.code import Code

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.decompiling import GameDecompiler
    from overhaul.gamemaker.data.code.learning import AllCode
    from overhaul.gamemaker.data.code.plain_names import PlainlyNamed
    from overhaul.gamemaker.data.code.remembered import Remembered
    from overhaul.gamemaker.data.code.verdicts import Verdicts
    from overhaul.gml.decompiler import Decompiled
    from overhaul.gml.decompiler.doubts import Doubtful
    from overhaul.gml.decompiler.options import DecompileOptions
    from overhaul.gml.decompiler.types.facts import InferredTypes

_NEEDED = "overhaul.gamemaker.data.code.needed:Needed"
_LIKELY = "overhaul.gamemaker.data.code.likely:likely_fractions"
_VERDICTS = "overhaul.gamemaker.data.code.verdicts:Verdicts"
_REMEMBERED = "overhaul.gamemaker.data.code.remembered:Remembered"


class Tools(Protocol):
    """The language tools that read the code of one game."""

    game: GameModel

    @property
    def context(self) -> Context: ...
    def current(self) -> Knowledge:
        """The knowledge; empty if texts or lists of resources changed."""

    def code_to_read(self, entry: CodeEntry) -> Code:
        """The symbolic code of a root entry, whose equal instructions are one object."""

    def expect_all(self) -> None:
        """Prepare for reading all code."""

    def forget(self) -> None:
        """Forget everything, after the game's code, strings or assets changed."""


class DecompiledCode:
    """The sources of one game's code, and the facts that are inferred from it.

    They are kept until code is assigned, or texts or lists of resources change.
    """

    def __init__(self, language: Tools) -> None:
        self.language = language
        self.game = language.game
        self._decompiler: tuple[Context, GameDecompiler] | None = None
        self._same: tuple[object, SameCode] | None = None
        self._siblings: ReferenceType[DecompiledCode] | None = None
        self._twin: ReferenceType[DecompiledCode] | None = None
        self._is_read_twice = False
        self._remembered: Remembered | None = None
        self._verdicts: tuple[Knowledge, Verdicts | None] | None = None
        self._is_edited = False
        self._inherited: set[int] = set()
        #: the reader of code in several processes, and how many entries before all code is
        self._helpers: Each | None = None
        self._expected = 0

    def forget(self) -> None:
        """Forget everything, after the game's code, strings or assets changed."""
        self._decompiler = None
        self._remembered = None

    def begin_edit(self) -> Callable[[], None]:
        """Called before code is assigned; the result is called once functions in it changed, to
        keep the types that were inferred."""
        before, context = self._decompiler, self.language.context
        self._remembered, self._is_edited = None, True

        def keep_types() -> None:
            self.language.forget()
            if before is not None and before[0] is context:
                self.decompiler.learn_as(before[1])

        return keep_types

    @property
    def decompiler(self) -> GameDecompiler:
        """The decompiler, with the types inferred from the current code."""
        # start-up: disassembling and compiling need no decompiler
        from overhaul.gamemaker.data.code.decompiling import GameDecompiler

        known = self.language.current()
        if self._decompiler is None or self._decompiler[0] is not known.context:
            made = GameDecompiler(known.context, known.index.roots, self.language.code_to_read)
            made.code.keeps = self._is_read_twice
            made.code.twin = self._twin_to_read
            made.remembered = self.remembered
            made.helpers = self._helpers
            made.expect(self._expected)
            made.needed = partial(
                load(_NEEDED), self.game, known.context, known.index, self.language.code_to_read
            )
            made.code.likely = partial(load(_LIKELY), self.game)
            made.code.expect_all = self.language.expect_all
            if caches.is_allowed() and not self._is_edited:
                made.code.parts = known.parts
            self._decompiler = (known.context, made)
            other = None if self._siblings is None else self._siblings()
            if other is not None and other._decompiler is not None:
                made.siblings = other._decompiler[1], other.same_code(self)
        return self._decompiler[1]

    @property
    def inferred(self) -> InferredTypes | None:
        """The types inferred from the current code; None before inference."""
        return self.inferred_of(None)

    def inferred_of(self, root: CodeEntry | None) -> InferredTypes | None:
        """The types that the source of a root entry is written with (None: of any); None before
        inference."""
        known = self._decompiler
        if known is not None and known[0] is self.language.current().context:
            return known[1].inferred_of(root)
        remembered = self._remembered
        return remembered.inferred if remembered is not None and remembered.is_used else None

    @property
    def remembered(self) -> Remembered:
        """The cached facts about the code of the game; empty once code was assigned."""
        self.language.current()
        if self._remembered is None:
            made: Remembered = load(_REMEMBERED)(None if self._is_edited else self.game)
            self._remembered = made
        return self._remembered

    def save_remembered(self) -> None:
        """Keep the sources that were decompiled, for the next process."""
        if self._remembered is not None:
            self._remembered.save()
            self._remembered.save_names()
        if self._verdicts is not None and self._verdicts[1] is not None:
            self._verdicts[1].save()

    def share_analysis(self, other: DecompiledCode) -> None:
        """Called before the code of both games is read, to share what is inferred from code that is
        the same."""
        if other is not self:
            self._siblings = ref(other)
            other._twin = ref(self)
            other._is_read_twice = True

    def _twin_to_read(self) -> tuple[AllCode, SameCode] | None:
        """The code of the build that is read after this one, and which of it is the same."""
        twin = None if self._twin is None else self._twin()
        return None if twin is None else (twin.decompiler.code, self.same_code(twin))

    def same_code(self, other: DecompiledCode) -> SameCode:
        """A comparison of this game's code with another game's."""
        known = self.language.current(), other.language.current()
        tables = (*self._tables(), *other._tables())
        stamp = (*map(ref, known), *map(len, tables))
        if self._same is None or self._same[0] != stamp:
            games, indexes = (self.game, other.game), (known[0].index, known[1].index)
            self._same = stamp, SameCode(games, indexes, known[0].context, known[1].context)
        return self._same[1]

    def _tables(self) -> tuple[Sized, ...]:
        """The tables that name the numbers in code."""
        game = self.game
        return game.variables.items, game.functions.items, game.strings

    def source(
        self, entry: CodeEntry, options: DecompileOptions | None = None
    ) -> tuple[str, list[str]]:
        """The source of a root entry (for a child: of its root), and why some parts of it are
        assembly in comments. ``options``: how it is written."""
        root = entry if entry.root is None else entry.root
        if (
            options is None
            and not self.remembered.is_open
            and self.language.current().has_much_code
        ):
            known = self.decompiler.alone(root)
            if known is not None:
                return known
        known = self.remembered.source(root, options)
        if known is not None:
            return known
        if options is None:
            return self.decompiler.source(entry)
        return self.decompiler.source(entry, options)

    def knows(self, entry: CodeEntry, options: DecompileOptions | None = None) -> bool:
        """Whether the source of a root entry is known, so that it takes no time."""
        if self.remembered.source(entry, options) is not None:
            return True
        return self._decompiler is not None and self.decompiler.knows(entry, options)

    def known_source(self, entry: CodeEntry) -> tuple[str, list[str]] | None:
        """The source of a root entry, if nothing has to be read or written for it."""
        known = self.remembered.source(entry)
        if known is None and self._decompiler is not None:
            known = self.decompiler.known(entry)
        return known

    def note_source(
        self,
        entry: CodeEntry,
        source: tuple[str, list[str]],
        options: DecompileOptions | None = None,
    ) -> None:
        """Note the source of a root entry that another process made."""
        if self._decompiler is None:
            self.remembered.keep_source(entry, source, options)
        else:
            self.decompiler.note(entry, source, options)

    def note_check(self, entry: CodeEntry, reason: str | None, source: str | None = None) -> None:
        """Note whether the source of a root entry compiles to its bytecode (None), or why not;
        ``source`` is it, where it is known."""
        if not self._was_alone(entry):
            self.remembered.keep_check(entry, reason)
        verdicts = self.verdicts if reason is None and source is not None else None
        if verdicts is not None and source is not None:
            verdicts.add(entry, source)

    @property
    def verdicts(self) -> Verdicts | None:
        """The sources that are known to compile to their code; None where little is to be compiled,
        or nothing is kept."""
        known = self.language.current()
        if self._is_edited or not caches.is_allowed():
            return None
        if self._verdicts is None or self._verdicts[0] is not known:
            made: Verdicts | None = None
            if self.language.current().has_much_code:
                plain = partial(getattr, known, "plainly_named")
                made = load(_VERDICTS)(known.context, known.index, known.digests, plain)
            self._verdicts = known, made
        return self._verdicts[1]

    @property
    def plainly_named(self) -> PlainlyNamed | None:
        """The roots whose bytecode follows from their instructions; None where few are checked."""
        known = self.language.current()
        if self._is_edited or "plainly_named" not in known.__dict__:
            return None
        return known.plainly_named

    def expect_checks(self) -> None:
        """Prepare for checking most code, here and in processes that inherit this."""
        self.language.expect_all()
        roots = self.language.current().index.roots
        self._inherited = {id(root) for root in roots if self.known_source(root) is not None}
        if not self._is_edited:
            _ = self.language.current().plainly_named
        verdicts = self.verdicts
        if verdicts is not None:
            verdicts.expect_all()

    def is_inherited(self, entry: CodeEntry) -> bool:
        """Whether the source of a root entry was known before checks began, in this process or in
        the one that it is a copy of."""
        return id(entry) in self._inherited

    def noted_check(self, entry: CodeEntry) -> tuple[str | None] | None:
        """The noted result for a root entry, if its code is still the same; None for nothing."""
        return None if self._was_alone(entry) else self.remembered.check(entry)

    def _was_alone(self, entry: CodeEntry) -> bool:
        """Whether the source of a root entry was made from what it needs, and nothing else of all
        code was asked for."""
        if self._decompiler is None or self.remembered.is_open:
            return False
        return self._decompiler[1].was_alone(entry)

    def source_alone(self, entry: CodeEntry) -> tuple[str, list[str]] | None:
        """As :meth:`source` without types inferred from all code; None once they are inferred."""
        return self.decompiler.source_alone(entry)

    def doubtful(self, entry: CodeEntry) -> Doubtful:
        """The source of a root entry, with the numbers in it that may stand for assets."""
        return self.decompiler.doubtful(entry)

    def doubts_in(
        self, entry: CodeEntry, lines: Set[str], means: Callable[[int], bool]
    ) -> Doubtful:
        """As :meth:`doubtful`, with at least the doubts in some lines about the numbers that mean
        something."""
        return self.decompiler.doubts_in(entry, lines, means)

    def tree(self, entry: CodeEntry) -> Decompiled:
        """The tree of :meth:`source`."""
        return self.decompiler.tree(entry)

    def learn(self, each: Each | None = None, *, later: bool = False) -> None:
        """Infer types from all code; see :meth:`GameDecompiler.learn`.  ``later``: not before
        something needs them."""
        if later:
            self._helpers = each
            if self._decompiler is not None:
                self._decompiler[1].helpers = each
        elif self._decompiler is not None or self.remembered.inferred is None:
            self.decompiler.learn(each)  # else it takes over what is known, if it is needed

    def expect(self, entries: int) -> None:
        """Read so many entries from what they need, before all code is."""
        self._expected = entries
        if self._decompiler is not None:
            self._decompiler[1].expect(entries)
