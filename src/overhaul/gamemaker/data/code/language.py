"""A game's code through the language tools: symbolic code, assembly, GML, and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import EncodeError
from ....gml.context import Context
from ....gml.vm.code import Child, Code
from ....gml.vm.columns import encode
from ....gml.vm.rows import RowReader
from ..chunks.code import Bytecode, CodeEntry, addresses_of, join
from .chains import ChainFiller
from .context import GLOBAL_SCRIPT_PREFIX, GameNames, game_context
from .numbering import GameNumbering
from .registration import Registrar

if TYPE_CHECKING:
    from ..game import GameData


class Language:
    """The language tools at work on one game; what they learn of it is kept until code changes."""

    def __init__(self, game: GameData) -> None:
        self.game = game
        self._context: Context | None = None
        self._reader: RowReader | None = None
        self._numbering: GameNumbering | None = None
        self._words: dict[int, bytes] | None = None
        self._locals: dict[str, list[str]] | None = None
        self._children: dict[int, list[CodeEntry]] | None = None

    def forget(self) -> None:
        """Start anew after the game's code, strings or assets changed."""
        self.__init__(self.game)  # type: ignore[misc]

    @property
    def context(self) -> Context:
        """The game as the compiler and the decompiler know it."""
        if self._context is None:
            self._context = game_context(self.game)
        return self._context

    # -- from the game -----------------------------------------------------------------------

    def code(self, entry: CodeEntry) -> Code:
        """The symbolic code of a root entry (of a child: its root's)."""
        root = entry if entry.root is None else entry.root
        if self._reader is None:
            self._reader = RowReader(GameNames(self.game, self.context))
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
        symbolic.dialect = self.context.dialect
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
        if self._children is None:
            self._children = {}
            for entry in self.game.code:
                if entry is not None and entry.root is not None:
                    self._children.setdefault(id(entry.root), []).append(entry)
        return self._children.get(id(root), [])

    def local_names(self, name: str) -> list[str]:
        """The code locals list of a root; empty where the version has none."""
        if self._locals is None:
            record = self.game.chunk("FUNC")
            lists = [] if record is None else record.code_locals
            self._locals = {
                str(entry.name): [str(local.name) for local in entry.locals] for entry in lists
            }
        return self._locals.get(name, [])

    def words(self, entry: CodeEntry) -> bytes:
        """The bytecode of an entry as it stands in the game, chains included; of a child its own
        part of it."""
        root = entry if entry.root is None else entry.root
        if self._words is None:
            self._words = self._link_all()
        words = self._words[id(root)]
        if entry.root is None:
            return words
        from ....gml.vm.children import child_ends

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

    def _link_all(self) -> dict[int, bytes]:
        roots = self._roots()
        parts = self._link_parts([root.bytecode for root in roots])
        return {id(root): part for root, part in zip(roots, parts, strict=True)}

    def _link_parts(self, codes: list[Bytecode]) -> list[bytes]:
        """The words of all roots, laid out as CODE lays them out."""
        game = self.game
        sizes = [code.size for code in codes]
        gap = 8 if game.layout.bytecode <= 14 else 0
        begins = (np.cumsum([0, *sizes])[:-1] + gap * np.arange(len(sizes))).tolist()
        joined = join(codes)
        kept = self._kept_chains()
        try:
            ChainFiller(game, game.strings.encode)(
                joined, addresses_of(joined.columns, sizes, begins)
            )
        finally:
            for record, occurrences, first in kept:
                record.occurrences = occurrences
                record.first_address = first
        words = encode(joined.columns, game.layout.bytecode)
        ends = np.cumsum(sizes).tolist()
        return [words[end - size : end] for size, end in zip(sizes, ends, strict=True)]

    def _kept_chains(self) -> list[tuple[Any, int, int]]:
        return [
            (record, record.occurrences, record.first_address)
            for chunk in ("VARI", "FUNC")
            for record in self.game.named(chunk)
        ]

    # -- into the game -----------------------------------------------------------------------

    def link(self, root: CodeEntry, code: Code) -> bytes:
        """The words ``code`` would have in the place of ``root``; the game stays as it is."""
        with Registrar(self.game, trial=True) as registrar:
            bytecode = registrar.bytecode(root, code, self.context)
            codes = [bytecode if e is root else e.bytecode for e in self._roots()]
            number = next(i for i, e in enumerate(self._roots()) if e is root)
            return self._link_parts(codes)[number]

    def assign(self, entry: CodeEntry, code: Code) -> None:
        """Put symbolic code in the place of a root entry's, registering what is new."""
        if entry.root is not None:
            raise EncodeError(
                f"{entry.name} is a part of {entry.root.name}: change that entry instead"
            )
        with Registrar(self.game) as registrar:
            registrar.assign(entry, code, self.context, self.children(entry))
        self.forget()

    def assemble(self, entry: CodeEntry, text: str) -> None:
        """Assign assembly text to an entry."""
        from ....gml import assemble
        from ....gml.vm.registration import keep_unused_locals

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
        from ....gml import compile as compile_source

        context = self.context
        if definitions:
            context = game_context(self.game)
            add_definitions(context, definitions)
        name = str(root.name)
        code = compile_source(
            source, context, kind=entry_kind(name, context), name=name, previous=self.code(root)
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
    from ....gml.compiler.definitions import add_definitions as add

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
