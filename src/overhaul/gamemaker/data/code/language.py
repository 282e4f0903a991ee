"""A game's code through the language tools: symbolic code, assembly, GML, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set, Sized
from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING
from weakref import ReferenceType, ref

from overhaul.document import caches
from overhaul.document.protocol import Each
from overhaul.document.registry import load
from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.chunks import KIND_CHUNKS
from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.context import (
    SCRIPT_PREFIX,
    GameNames,
    KnownNames,
    game_context,
    next_struct,
)
from overhaul.gamemaker.data.code.declared import declared_twice
from overhaul.gamemaker.data.code.dialect import code_evidence
from overhaul.gamemaker.data.code.index import CodeIndex
from overhaul.gamemaker.data.code.mention_index import MentionIndex
from overhaul.gamemaker.data.code.registration import Change, NotesNames, Registrar
from overhaul.gamemaker.data.code.sameness import SameCode
from overhaul.gamemaker.data.model import GameModel
from overhaul.gml.context import Context
from overhaul.gml.vm.assembler import assemble
from overhaul.gml.vm.code import Child, Code, Instruction, child_ends
from overhaul.gml.vm.registration import keep_unused_locals, names_given
from overhaul.gml.vm.rows import RowReader

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.decompiling import GameDecompiler
    from overhaul.gamemaker.data.code.index import GameNumbering
    from overhaul.gamemaker.data.code.learning import AllCode
    from overhaul.gamemaker.data.code.parts import CodeParts, RootDigests
    from overhaul.gamemaker.data.code.plain_names import PlainlyNamed
    from overhaul.gamemaker.data.code.remembered import Remembered
    from overhaul.gamemaker.data.code.verdicts import Verdicts
    from overhaul.gml.decompiler import Decompiled
    from overhaul.gml.decompiler.doubts import Doubtful
    from overhaul.gml.decompiler.options import DecompileOptions
    from overhaul.gml.decompiler.types.facts import InferredTypes
    from overhaul.gml.decompiler.types.habits import Fractions

_NEEDED = "overhaul.gamemaker.data.code.needed:Needed"
_LIKELY = "overhaul.gamemaker.data.code.likely:likely_fractions"
_PLAINLY_NAMED = "overhaul.gamemaker.data.code.plain_names:PlainlyNamed"
_VERDICTS = "overhaul.gamemaker.data.code.verdicts:Verdicts"
#: reading or compiling all of so many instructions takes long
_MUCH = 100_000
_DIGESTS = "overhaul.gamemaker.data.code.parts:RootDigests"
_PARTS = "overhaul.gamemaker.data.code.parts:CodeParts"
_REMOVED = "overhaul.gamemaker.data.code.removed_names:RemovedNames"
_REMEMBERED = "overhaul.gamemaker.data.code.remembered:Remembered"
#: the lists whose names the context holds
_NAMED_CHUNKS = (*KIND_CHUNKS.values(), "AGRP", "CODE")


class _Knowledge:
    """The tools' knowledge of a game, valid while its texts and lists do not change."""

    def __init__(self, game: GameModel, context: Context | None = None) -> None:
        self.game = game
        self.index = CodeIndex(game)
        self.mentions = MentionIndex()
        self.defined: tuple[str, Context] | None = None
        if context is not None:
            self.context = context
            context.next_struct = next_struct(game)

    @cached_property
    def context(self) -> Context:
        return game_context(self.game)

    @cached_property
    def reader(self) -> RowReader:
        return RowReader(GameNames(self.game, self.context))

    @cached_property
    def digests(self) -> RootDigests:
        made: RootDigests = load(_DIGESTS)(self.game, self.context, self.index)
        return made

    @cached_property
    def plainly_named(self) -> PlainlyNamed:
        made: PlainlyNamed = load(_PLAINLY_NAMED)(self.game, self.context, self.index)
        return made

    def parts(self, fractions: Fractions) -> CodeParts:
        made: CodeParts = load(_PARTS)(self.context, self.index, self.digests, fractions)
        return made


class Language:
    """The language tools at work on one game.

    Their knowledge is kept: assigning code drops only what it changed, and changes of texts and
    lists of resources are detected. After other changes to the game, call :meth:`forget`.
    """

    def __init__(self, game: GameModel) -> None:
        self.game = game
        self._stamp: tuple[int, ...] = ()
        self._lists: list[Sized] | None = None
        self._known = _Knowledge(game)
        self._held: Context | None = None
        self.names: KnownNames = KnownNames(game)
        self._decompiler: tuple[Context, GameDecompiler] | None = None
        self._same: tuple[object, SameCode] | None = None
        self._siblings: ReferenceType[Language] | None = None
        self._twin: ReferenceType[Language] | None = None
        self._is_read_twice = False
        self._remembered: Remembered | None = None
        self._verdicts: tuple[_Knowledge, Verdicts | None] | None = None
        self._is_edited = False
        self._inherited: set[int] = set()
        #: what reads code in several processes, and how many entries before all code is
        self._helpers: Each | None = None
        self._expected = 0

    def forget(self) -> None:
        """Forget everything, after the game's code, strings or assets changed."""
        self._known = _Knowledge(self.game, self._held)
        self._decompiler = None
        self._remembered = None

    @contextmanager
    def holding_names(self) -> Iterator[None]:
        """Keep the known names while much code is added that declares no names for other code."""
        self._held = self._current().context
        try:
            yield
        finally:
            self._held = None
            self.forget()

    def _current(self) -> _Knowledge:
        """The knowledge; empty if texts or lists of resources changed."""
        game = self.game
        if self._lists is None:
            self._lists = [game.named(chunk) for chunk in _NAMED_CHUNKS]
        stamp = (game.strings.edits, *map(len, self._lists))
        if stamp != self._stamp:
            self.forget()
            self._stamp = stamp
        return self._known

    @property
    def index(self) -> CodeIndex:
        """The index of the game's code."""
        return self._current().index

    @property
    def mentions(self) -> MentionIndex:
        """The numbers and names in the game's code."""
        return self._current().mentions

    @property
    def context(self) -> Context:
        """The game as the compiler and the decompiler know it."""
        context = self._current().context
        context.variables = self.names
        context.renamed = self.names.renamed
        return context

    def context_with(self, definitions: str) -> Context:
        """The context with the ``#macro`` and ``enum`` lines of a text known as well."""
        known = self._current()
        if not definitions:
            return self.context
        if known.defined is None or known.defined[0] != definitions:
            # start-up: disassembling needs no compiler
            from overhaul.gamemaker.data.code.compiling import add_definitions

            context = game_context(self.game)
            context.variables = self.names
            add_definitions(context, definitions)
            known.defined = (definitions, context)
        return known.defined[1]

    # -- from the game -----------------------------------------------------------------------

    def code(self, entry: CodeEntry) -> Code:
        """The symbolic code of a root entry (of a child: its root's).  Raises FormatError."""
        return self._code(entry, shared=False)

    def code_to_read(self, entry: CodeEntry) -> Code:
        """As :meth:`code`, for those who change nothing: equal instructions are one object."""
        return self._code(entry, shared=True)

    def _code(self, entry: CodeEntry, *, shared: bool) -> Code:
        root = entry if entry.root is None else entry.root
        known = self._current()
        bytecode = root.bytecode
        if bytecode.unreadable:
            raise FormatError(bytecode.unreadable)
        instructions, offsets = self._instructions(known.reader, bytecode, shared=shared)
        symbolic = Code(
            str(root.name),
            instructions,
            [
                Child(str(child.name), child.offset, child.locals_count, child.arguments)
                for child in known.index.children(root)
            ],
            root.locals_count,
            root.arguments,
            known.index.local_names(str(root.name)) or [],
        )
        symbolic.known_offsets = offsets
        symbolic.dialect = known.context.dialect
        symbolic.linker = lambda code: self.link(root, code)
        return symbolic

    @staticmethod
    def _instructions(
        reader: RowReader, bytecode: Bytecode, *, shared: bool
    ) -> tuple[list[Instruction], list[int] | None]:
        """The instructions, with their offsets where these are known."""
        if not shared:
            return reader.instructions(bytecode.columns, bytecode.record), None
        place = bytecode.place()
        if place is not None:
            whole, start, stop = place
            known = reader.shared_rows(whole.columns, start, stop)
            if known is not None:
                offsets = whole.columns.offset[start:stop]
                return known, (offsets - offsets[:1]).tolist()
        return reader.shared(bytecode.columns, bytecode.record), None

    def expect_all(self) -> None:
        """Prepare for reading all code with :meth:`code_to_read`."""
        known = self._current()
        roots = known.index.roots
        place = roots[0].bytecode.place() if roots and self._has_much_code() else None
        if place is not None:
            known.reader.number(place[0].columns, place[0].record)

    def before(self, entry: CodeEntry) -> Code | None:
        """The code that other code replaces: :meth:`code`, or None if it can't be read."""
        return None if entry.unreadable else self.code(entry)

    def compiler(self) -> dict[str, object]:
        """The release as the code shows it, and the capabilities that it decides."""
        version, evidence = code_evidence(self.game)
        return {"version": ".".join(map(str, version)), **evidence} if evidence else {}

    def children(self, root: CodeEntry) -> list[CodeEntry]:
        """The entries inside a root, in the order of the list."""
        return self.index.children(root)

    @property
    def numbering(self) -> GameNumbering:
        """The numbers that assembly text shows."""
        return self.index.numbering

    def words(self, entry: CodeEntry) -> bytes:
        """The bytecode of an entry as stored in the game, chains included; of a child its own
        part of it."""
        root = entry if entry.root is None else entry.root
        words = self.index.layout.words(root)
        if entry.root is None:
            return words
        code = self.code(root)
        ends = child_ends(code.instructions, code.children)
        own = [child.offset for child in code.children].index(entry.offset)
        return words[entry.offset : ends[own]]

    # -- as source ---------------------------------------------------------------------------

    @property
    def decompiler(self) -> GameDecompiler:
        """The decompiler, with the types inferred from the current code."""
        # start-up: disassembling and compiling need no decompiler
        from overhaul.gamemaker.data.code.decompiling import GameDecompiler

        known = self._current()
        if self._decompiler is None or self._decompiler[0] is not known.context:
            made = GameDecompiler(known.context, known.index.roots, self.code_to_read)
            made.code.keeps = self._is_read_twice
            made.code.twin = self._twin_to_read
            made.remembered = self.remembered
            made.helpers = self._helpers
            made.expect(self._expected)
            made.needed = partial(
                load(_NEEDED), self.game, known.context, known.index, self.code_to_read
            )
            made.code.likely = partial(load(_LIKELY), self.game)
            made.code.expect_all = self.expect_all
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
        if known is not None and known[0] is self._current().context:
            return known[1].inferred_of(root)
        remembered = self._remembered
        return remembered.inferred if remembered is not None and remembered.is_used else None

    @property
    def remembered(self) -> Remembered:
        """What the cache has of the code of the game; nothing once code was assigned."""
        self._current()
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

    def share_analysis(self, other: Language) -> None:
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

    def same_code(self, other: Language) -> SameCode:
        """A comparison of this game's code with another game's."""
        known = self._current(), other._current()
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
        if options is None and not self.remembered.is_open and self._has_much_code():
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

    def _has_much_code(self) -> bool:
        return self._current().index.instructions >= _MUCH

    @property
    def verdicts(self) -> Verdicts | None:
        """The sources that are known to compile to their code; None where little is to be compiled,
        or nothing is kept."""
        known = self._current()
        if self._is_edited or not caches.is_allowed():
            return None
        if self._verdicts is None or self._verdicts[0] is not known:
            made: Verdicts | None = None
            if self._has_much_code():
                plain = partial(getattr, known, "plainly_named")
                made = load(_VERDICTS)(known.context, known.index, known.digests, plain)
            self._verdicts = known, made
        return self._verdicts[1]

    @property
    def plainly_named(self) -> PlainlyNamed | None:
        """The roots whose bytecode follows from their instructions; None where few are checked."""
        known = self._current()
        if self._is_edited or "plainly_named" not in known.__dict__:
            return None
        return known.plainly_named

    def expect_checks(self) -> None:
        """Prepare for checking most code, here and in processes that inherit this."""
        self.expect_all()
        roots = self._current().index.roots
        self._inherited = {id(root) for root in roots if self.known_source(root) is not None}
        if not self._is_edited:
            _ = self._current().plainly_named
        verdicts = self.verdicts
        if verdicts is not None:
            verdicts.expect_all()

    def is_inherited(self, entry: CodeEntry) -> bool:
        """Whether the source of a root entry was known before checks began, in this process or in
        the one that it is a copy of."""
        return id(entry) in self._inherited

    def noted_check(self, entry: CodeEntry) -> tuple[str | None] | None:
        """What was noted of a root entry, if its code is still the same; None for nothing."""
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

    # -- into the game -----------------------------------------------------------------------

    def link(self, root: CodeEntry, code: Code) -> bytes:
        """The words ``code`` would have in the place of ``root``; the game stays as it is."""
        with Registrar(self.index, trial=True) as registrar:
            bytecode = registrar.bytecode(root, code, self.context)
            return self.index.layout.words_in_place(root, bytecode)

    def assign(self, entry: CodeEntry, code: Code) -> None:
        """Put symbolic code in the place of a root entry's, registering what is new.

        Names in its source that nothing has are warnings of the game, and so are functions that it
        no longer has and other code calls, and variables that no code sets any longer.  Raises
        EncodeError for a function that other code declares.
        """
        _refuse_child(entry)
        for _, function, other in declared_twice(self.game, [(entry, code)]):
            name = function.removeprefix(SCRIPT_PREFIX).partition("@")[0]
            raise EncodeError(f"{entry.name}: {other} has a function {name} too")
        context = self.context
        before = self._decompiler
        self._remembered, self._is_edited = None, True
        removed = self.removed_names()
        with Registrar(self.index, removed=removed) as registrar:
            change = registrar.assign(entry, code, context, self.children(entry))
        self.game.findings += [unknown.finding(str(entry.name)) for unknown in code.unknown]
        self.names.given |= names_given(code)
        if change is Change.CHILDREN:
            self.forget()
            if before is not None and before[0] is context:
                self.decompiler.learn_as(before[1])
        elif change is Change.CODE:
            self.index.forget_layout()
        self.game.findings += removed.findings()

    def removed_names(self) -> NotesNames:
        """What notes the functions and variables that code loses in an edit."""
        made: NotesNames = load(_REMOVED)(self.game)
        return made

    def assemble(self, entry: CodeEntry, text: str) -> None:
        """Assign assembly text to an entry."""
        code = assemble(text, self.context)
        keep_unused_locals(code, self.before(entry), self.context.dialect)
        self.assign(entry, code)

    def compile(self, name: str, source: str, definitions: str = "") -> Code:
        """Compile source as the entry called ``name``; the game stays as it is.

        Raises KeyError for an unknown entry, SyntaxError_ and CompileError for the source.
        """
        entry = self.game.records.code[name]
        return self.compile_entry(entry if entry.root is None else entry.root, source, definitions)

    def compile_entry(self, root: CodeEntry, source: str, definitions: str = "") -> Code:
        """As :meth:`compile`, for a root entry."""
        return self.compile_new(root, source, self.before(root), definitions)

    def compile_new(
        self, root: CodeEntry, source: str, before: Code | None, definitions: str = ""
    ) -> Code:
        """As :meth:`compile_entry`; ``before`` is what is known of the code it had, if any."""
        # start-up: disassembling needs no compiler
        from overhaul.gamemaker.data.code.compiling import compile_entry

        context = self.context_with(definitions)
        code = compile_entry(source, context, str(root.name), before, self.inferred_of(root))
        code.dialect = context.dialect
        code.linker = lambda made: self.link(root, made)
        return code

    def assign_source(self, entry: CodeEntry, source: str) -> None:
        """Compile source and assign the result."""
        _refuse_child(entry)
        self.assign(entry, self.compile_entry(entry, source))


def _refuse_child(entry: CodeEntry) -> None:
    if entry.root is not None:
        raise EncodeError(f"{entry.name} is a part of {entry.root.name}: change that entry instead")
