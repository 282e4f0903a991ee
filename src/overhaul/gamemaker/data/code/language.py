"""A game's code through the language tools: symbolic code, assembly, GML, and back."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from overhaul.errors import EncodeError, OverhaulError
from overhaul.gamemaker.data.chunks.code import Bytecode, CodeEntry
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, GameNames, game_context
from overhaul.gamemaker.data.code.dialect import KIND_CHUNKS
from overhaul.gamemaker.data.code.links import GameLinks
from overhaul.gamemaker.data.code.numbering import GameNumbering
from overhaul.gamemaker.data.code.records import KnownRecords
from overhaul.gamemaker.data.code.registration import Change, Registrar
from overhaul.gamemaker.data.strings import String
from overhaul.gml.context import Context
from overhaul.gml.vm.code import Child, Code
from overhaul.gml.vm.rows import RowReader

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.model import CodeModel


logger = logging.getLogger(__name__)

#: gives ``task(game, item)`` for each item, in order: in several processes, say
Each = Callable[[Callable[[Any, Any], Any], Sequence[Any]], Iterable[Any]]
#: as many instructions are worth the start of processes
_MUCH = 30_000
#: in how many parts they read them
_SPANS = 16

#: the lists whose names the context holds
_NAMED_CHUNKS = (*KIND_CHUNKS.values(), "AGRP", "CODE")


class Language:
    """The language tools at work on one game.

    What they learn of it is kept: assigning code forgets just what it changed, and changed texts
    and lists of resources are noticed.  After other changes to the game, call :meth:`forget`.
    """

    def __init__(self, game: CodeModel) -> None:
        self.game = game
        self._stamp: tuple[int, ...] = ()
        self._context: Context | None = None
        self._learned: Context | None = None
        self._defined: tuple[str, Context] | None = None
        self._reader: RowReader | None = None
        self._numbering: GameNumbering | None = None
        self._links: GameLinks | None = None
        self._records: KnownRecords | None = None
        self._locals: dict[str, Any] | None = None
        self._children: dict[int, list[CodeEntry]] | None = None
        self._places: dict[int, int] | None = None

    def forget(self) -> None:
        """Start anew after the game's code, strings or assets changed."""
        self.__init__(self.game)  # type: ignore[misc]

    def _forget_links(self) -> None:
        self._links = None
        self._numbering = None

    def _look_around(self) -> None:
        """Forget everything if texts or lists of resources were changed."""
        stamp = (String.edits, *(len(self.game.named(chunk)) for chunk in _NAMED_CHUNKS))
        if stamp != self._stamp:
            self.forget()
            self._stamp = stamp

    @property
    def context(self) -> Context:
        """The game as the compiler and the decompiler know it."""
        self._look_around()
        if self._context is None:
            self._context = game_context(self.game)
        return self._context

    def context_with(self, definitions: str) -> Context:
        """The context with the ``#macro`` and ``enum`` lines of a text known as well."""
        own = self.context
        if not definitions:
            return own
        if self._defined is None or self._defined[0] != definitions:
            context = game_context(self.game)
            add_definitions(context, definitions)
            self._defined = (definitions, context)
        return self._defined[1]

    @property
    def records(self) -> KnownRecords:
        """The records of VARI and FUNC by name."""
        if self._records is None or not self._records.fits():
            self._records = KnownRecords(self.game)
        return self._records

    # -- from the game -----------------------------------------------------------------------

    def code(self, entry: CodeEntry) -> Code:
        """The symbolic code of a root entry (of a child: its root's)."""
        root = entry if entry.root is None else entry.root
        context = self.context
        if self._reader is None:
            self._reader = RowReader(GameNames(self.game, context))
        bytecode: Bytecode = root.bytecode
        symbolic = Code(
            str(root.name),
            self._reader.instructions(bytecode.columns, bytecode.record),
            [
                Child(str(child.name), child.offset, child.locals_count, child.arguments)
                for child in self.children(root)
            ],
            root.locals_count,
            root.arguments,
            list(self.local_names(str(root.name))),
        )
        symbolic.dialect = context.dialect
        symbolic.linker = lambda code: self.link(root, code)
        return symbolic

    @property
    def numbering(self) -> GameNumbering:
        """The numbers that assembly text shows."""
        if self._numbering is None:
            self._numbering = GameNumbering(self.game)
        return self._numbering

    def children(self, root: CodeEntry) -> list[CodeEntry]:
        """The entries inside a root, in the order of the list."""
        self._look_around()
        if self._children is None:
            self._children = {}
            for entry in self.game.code:
                if entry is not None and entry.root is not None:
                    self._children.setdefault(id(entry.root), []).append(entry)
        return self._children.get(id(root), [])

    @property
    def locals_lists(self) -> dict[str, Any]:
        """The code locals of each root, by its name; empty where the version has none."""
        self._look_around()
        if self._locals is None:
            record = self.game.record("FUNC")
            lists = [] if record is None else record.code_locals
            self._locals = {}
            for each in lists:
                self._locals.setdefault(str(each.name), each)
        return self._locals

    def local_names(self, name: str) -> list[str]:
        """The code locals list of a root; empty where the version has none."""
        found = self.locals_lists.get(name)
        return [] if found is None else [str(local.name) for local in found.locals]

    @property
    def root_places(self) -> dict[int, int]:
        """The place of each root (by its id) among the roots."""
        self._look_around()
        if self._places is None:
            self._places = {id(root): place for place, root in enumerate(self._roots())}
        return self._places

    def is_shared(self, variable: int, root: CodeEntry) -> bool:
        """Whether code of other roots refers to a variable record."""
        return any(
            bool((other.bytecode.record == variable).any())
            for other in self._roots()
            if other is not root
        )

    @property
    def links(self) -> GameLinks:
        """The game's code as it is laid out."""
        self._look_around()
        if self._links is None:
            self._links = GameLinks(self.game, self._roots())
        return self._links

    def words(self, entry: CodeEntry) -> bytes:
        """The bytecode of an entry as it stands in the game, chains included; of a child its own
        part of it."""
        root = entry if entry.root is None else entry.root
        words = self.links.words(root)
        if entry.root is None:
            return words
        from overhaul.gml.vm.children import child_ends

        code = self.code(root)
        ends = dict(
            zip(
                [child.offset for child in code.children],
                child_ends(code.instructions, code.children),
                strict=True,
            )
        )
        return words[entry.offset : ends[entry.offset]]

    def _roots(self) -> list[CodeEntry]:
        return [e for e in self.game.code if e is not None and e.root is None]

    # -- as source ---------------------------------------------------------------------------

    def source(self, entry: CodeEntry) -> tuple[str, list[str]]:
        """The source of a root entry (of a child: its root's), and why parts of it, which are
        assembly in comments, have no structure."""
        from overhaul.gml.decompiler import analyse
        from overhaul.gml.syntax.printer import to_source

        self.learn()
        made = analyse(self.code(entry), self.context)
        return to_source(made.block, self.context.dialect), made.problems

    def learn(self, each: Each | None = None) -> None:
        """Let the decompiler learn from all of the game's code, once: more numbers become names.

        ``each(task, spans)`` may do the reading elsewhere: it gives ``task(game, span)`` for each
        span, in order.
        """
        from overhaul.gml.decompiler import conclude

        context = self.context
        if self._learned is context:
            return
        self._learned = context
        sizes = [len(root.bytecode) for root in self._roots()]
        if each is None or sum(sizes) < _MUCH:
            conclude([self.facts((0, len(sizes)))], context)
        else:
            conclude(each(read_span, spans_of(sizes)), context)

    def facts(self, span: tuple[int, int]) -> Any:
        """What the decompiler learns from some of the roots, by their places among them."""
        from overhaul.gml.decompiler import read_facts

        return read_facts(self._readable(self._roots()[slice(*span)]), self.context)

    def _readable(self, roots: list[CodeEntry]) -> Iterator[Code]:
        for root in roots:
            try:
                yield self.code(root)
            except OverhaulError as error:  # told wherever the entry itself is asked for
                logger.debug("nothing is learned from %s: %s", root.name, error)

    # -- into the game -----------------------------------------------------------------------

    def link(self, root: CodeEntry, code: Code) -> bytes:
        """The words ``code`` would have in the place of ``root``; the game stays as it is."""
        with Registrar(self.game, trial=True) as registrar:
            bytecode = registrar.bytecode(root, code, self.context)
            return self.links.words_in_place(root, bytecode)

    def assign(self, entry: CodeEntry, code: Code) -> None:
        """Put symbolic code in the place of a root entry's, registering what is new."""
        if entry.root is not None:
            raise EncodeError(
                f"{entry.name} is a part of {entry.root.name}: change that entry instead"
            )
        context = self.context
        learned = self._learned
        with Registrar(self.game) as registrar:
            change = registrar.assign(entry, code, context, self.children(entry))
        if change is Change.CHILDREN:
            self.forget()
            if learned is context:
                self._learn_as(context)
        elif change is Change.CODE:
            self._forget_links()

    def _learn_as(self, before: Context) -> None:
        """Keep what the decompiler learned before code changed: it only names numbers, little of
        it changes, and learning anew after each change would take long."""
        from overhaul.gml.decompiler import keep_learned

        self._learned = self.context
        keep_learned(before, self._learned)

    def assemble(self, entry: CodeEntry, text: str) -> None:
        """Assign assembly text to an entry."""
        from overhaul.gml import assemble
        from overhaul.gml.vm.registration import keep_unused_locals

        code = assemble(text, self.context)
        keep_unused_locals(code, self.code(entry), self.context.dialect)
        self.assign(entry, code)

    def compile(self, name: str, source: str, definitions: str = "") -> Code:
        """Compile source as the entry called ``name``; the game stays as it is.

        Raises KeyError for an unknown entry, SyntaxError_ and CompileError for the source.
        """
        entry = self.game.code[name]
        root = entry if entry.root is None else entry.root
        return self.compile_entry(root, source, definitions)

    def compile_entry(self, root: CodeEntry, source: str, definitions: str = "") -> Code:
        """As :meth:`compile`, for a root entry."""
        return self.compile_new(root, source, self.code(root), definitions)

    def compile_new(
        self, root: CodeEntry, source: str, before: Code | None, definitions: str = ""
    ) -> Code:
        """As :meth:`compile_entry`; ``before`` is what is known of the code it had, if any."""
        from overhaul.gml import compile as compile_source
        from overhaul.gml.decompiler.listing import refuse_listings

        context = self.context_with(definitions)
        name = str(root.name)
        refuse_listings(source, name)
        code = compile_source(
            source,
            context,
            kind=entry_kind(name, context),
            name=name,
            previous=before,
        )
        code.dialect = context.dialect
        code.linker = lambda made: self.link(root, made)
        return code

    def assign_source(self, entry: CodeEntry, source: str) -> None:
        """Compile source and assign the result."""
        if entry.root is not None:
            raise EncodeError(
                f"{entry.name} is a part of {entry.root.name}: change that entry instead"
            )
        self.assign(entry, self.compile_entry(entry, source))


def read_span(game: Any, span: tuple[int, int]) -> Any:
    """:meth:`Language.facts` of a game, for another process."""
    return game.language.facts(span)


def spans_of(sizes: list[int]) -> list[tuple[int, int]]:
    """Neighbouring roots of these sizes, in some spans of about the same size."""
    spans = []
    start, size = 0, 0
    for place, each in enumerate(sizes, 1):
        size += each
        if size * _SPANS >= sum(sizes) or place == len(sizes):
            spans.append((start, place))
            start, size = place, 0
    return spans


def entry_kind(name: str, context: Context) -> str:
    """What an entry is to the compiler, by its name."""
    if name.startswith(GLOBAL_SCRIPT_PREFIX):
        return "global_script"
    if name.startswith("gml_Script_") and not context.dialect.gml_v2:
        return "script"
    return "event"


def add_definitions(context: Context, text: str) -> None:
    """Make the ``#macro`` and ``enum`` lines of a GML text known to a context.

    Nothing but definitions stands in such a text, so lines behind a ``#macro`` that begin no
    definition of their own belong to it, with or without a backslash at the line's end.
    """
    from overhaul.gml.compiler.definitions import add_definitions as add

    add(context, _with_continuations(text))


_DEFINITION = re.compile(r"\s*(#macro|enum|globalvar|#region|#endregion|//|/\*)\b|\s*(//|/\*)")


def _with_continuations(text: str) -> str:
    lines = text.splitlines()
    in_macro = False
    for number, line in enumerate(lines):
        if _DEFINITION.match(line):
            in_macro = line.lstrip().startswith("#macro")
        elif in_macro and line.strip():
            before = lines[number - 1].rstrip()
            if not before.endswith("\\"):
                lines[number - 1] = before + " \\"
        else:
            in_macro = False
    return "\n".join(lines)
