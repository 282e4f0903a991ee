"""A game's code through the language tools: symbolic code, assembly, GML, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from contextlib import contextmanager
from typing import TYPE_CHECKING

from overhaul.document.registry import load
from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.chunks import KIND_CHUNKS
from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.context import SCRIPT_PREFIX, KnownNames, game_context
from overhaul.gamemaker.data.code.declared import declared_twice
from overhaul.gamemaker.data.code.decompiled import DecompiledCode
from overhaul.gamemaker.data.code.dialect import code_evidence
from overhaul.gamemaker.data.code.index import CodeIndex
from overhaul.gamemaker.data.code.knowledge import Knowledge
from overhaul.gamemaker.data.code.mention_index import MentionIndex
from overhaul.gamemaker.data.code.registration import Change, NotesNames, Registrar
from overhaul.gamemaker.data.model import GameModel
from overhaul.gml.context import Context
from overhaul.gml.vm.assembler import assemble
from overhaul.gml.vm.code import Child, Code, Instruction, child_ends
from overhaul.gml.vm.registration import keep_unused_locals, names_given
from overhaul.gml.vm.rows import RowReader

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.index import GameNumbering

_REMOVED = "overhaul.gamemaker.data.code.removed_names:RemovedNames"
#: the lists whose names the context holds
_NAMED_CHUNKS = (*KIND_CHUNKS.values(), "AGRP", "CODE")


class Language:
    """The language tools at work on one game.

    Their knowledge is kept: assigning code drops only what it changed, and changes of texts and
    lists of resources are detected. After other changes to the game, call :meth:`forget`.
    """

    def __init__(self, game: GameModel) -> None:
        self.game = game
        self._stamp: tuple[int, ...] = ()
        self._lists: list[Sized] | None = None
        self._known = Knowledge(game)
        self._held: Context | None = None
        self.names: KnownNames = KnownNames(game)
        self.decompiled = DecompiledCode(self)

    def forget(self) -> None:
        """Forget everything, after the game's code, strings or assets changed."""
        self._known = Knowledge(self.game, self._held)
        self.decompiled.forget()

    @contextmanager
    def holding_names(self) -> Iterator[None]:
        """Keep the known names while much code is added that declares no names for other code."""
        self._held = self.current().context
        try:
            yield
        finally:
            self._held = None
            self.forget()

    def current(self) -> Knowledge:
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
        return self.current().index

    @property
    def mentions(self) -> MentionIndex:
        """The numbers and names in the game's code."""
        return self.current().mentions

    @property
    def context(self) -> Context:
        """The game as the compiler and the decompiler know it."""
        context = self.current().context
        context.variables = self.names
        context.renamed = self.names.renamed
        return context

    def context_with(self, definitions: str) -> Context:
        """The context with the ``#macro`` and ``enum`` lines of a text known as well."""
        known = self.current()
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
        known = self.current()
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
            known = reader.shared_rows(whole.record, start, stop)
            if known is not None:
                return known
        return reader.shared(bytecode.columns, bytecode.record), None

    def expect_all(self) -> None:
        """Prepare for reading all code with :meth:`code_to_read`."""
        known = self.current()
        roots = known.index.roots
        place = roots[0].bytecode.place() if roots and known.has_much_code else None
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

    # -- into the game -----------------------------------------------------------------------

    def link(self, root: CodeEntry, code: Code) -> bytes:
        """The words that ``code`` would have in the place of ``root``; the game does not change."""
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
        keep_types = self.decompiled.begin_edit()
        removed = self.removed_names()
        with Registrar(self.index, removed=removed) as registrar:
            change = registrar.assign(entry, code, context, self.children(entry))
        self.game.findings += [unknown.finding(str(entry.name)) for unknown in code.unknown]
        self.names.given |= names_given(code)
        if change is Change.CHILDREN:
            keep_types()
        elif change is Change.CODE:
            self.index.forget_layout()
        self.game.findings += removed.findings()

    def removed_names(self) -> NotesNames:
        """The recorder of functions and variables that code loses in an edit."""
        made: NotesNames = load(_REMOVED)(self.game)
        return made

    def assemble(self, entry: CodeEntry, text: str) -> None:
        """Assign assembly text to an entry."""
        code = assemble(text, self.context)
        keep_unused_locals(code, self.before(entry), self.context.dialect)
        self.assign(entry, code)

    def compile(self, name: str, source: str, definitions: str = "") -> Code:
        """Compile source as the entry called ``name``; the game does not change.

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
        code = compile_entry(
            source, context, str(root.name), before, self.decompiled.inferred_of(root)
        )
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
