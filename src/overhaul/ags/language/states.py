"""The declarations and code of some headers, kept because all scripts of a game begin alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from overhaul.ags.language.declarations import Declarations
from overhaul.ags.language.emitter import Emitter
from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.late import LateNames
from overhaul.ags.language.lexer import Lexer
from overhaul.ags.language.options import MARKS, SHORT_CIRCUITS, CompilerOptions, Source
from overhaul.ags.language.places import with_column
from overhaul.ags.language.preprocessor import Preprocessor
from overhaul.ags.language.reading import read_tokens
from overhaul.ags.language.repair import Repair
from overhaul.ags.language.unit import Symbols, Text, Unit

_MOST: Final = 64
_MOST_FIRST: Final = 16


class HeaderState:
    """The declarations and code of some headers; copied, not changed."""

    def __init__(self, options: CompilerOptions) -> None:
        self.options = options
        self.macros: dict[str, str] = dict(options.macros)
        self.names = Symbols()
        self.code = Emitter()
        self.code.old = options.editor < SHORT_CIRCUITS
        self.code.listing = options.editor < MARKS
        self.literals: dict[str, int] = {}

    def copy(self) -> HeaderState:
        """The same state, to continue with something else."""
        other = HeaderState(self.options)
        other.macros = self.macros
        other.names = self.names.copy()
        other.code = self.code.copy()
        other.literals = self.literals.copy()
        return other

    def after(self, source: Source) -> HeaderState:
        """The state after one more text.  Raises ScriptError."""
        state = self.copy()
        state.take(source)
        return state

    def take(self, source: Source, late: LateNames | None = None, *, every: bool = False) -> None:
        """Compile one more text.  Raises ScriptError; the state is of no use then.

        With ``every``, the error has all errors of the text that are found.
        """
        options = self.options
        lexer = Lexer(options, self.code.strings)
        lexer.literals = self.literals
        macros = self.macros
        read = read_tokens(source, macros, options.editor, lexer)
        preprocessor = Preprocessor(macros.copy(), options.editor, lexer.pattern)
        if read is None:
            lines = preprocessor.lines(source)
        try:
            if read is None:
                tokens = lexer.run(source.name, lines, preprocessor.tokens)
                self.macros = preprocessor.macros
            else:
                tokens, self.macros = read
            unit = Unit(tokens, self.names, self.code, lexer, options, late)
            if every:
                unit.repair = Repair(unit.tokens)
            _declare(unit)
        except ScriptError as error:
            if read is not None:
                preprocessor.lines(source)
            found = [
                with_column(mistake, source, preprocessor.tokens, lexer.pattern)
                for mistake in error.errors
            ]
            found[0].errors = found
            raise found[0] from None
        self.names.text_before = Text(self.names.text_before, unit.tokens)


def tokens_of(source: Source, options: CompilerOptions) -> list[tuple[str, int]]:
    """The tokens of a text that are compiled, with their lines.  Raises ScriptError."""
    lexer = Lexer(options, bytearray())
    preprocessor = Preprocessor(dict(options.macros), options.editor, lexer.pattern)
    try:
        lines = preprocessor.lines(source)
        made = lexer.run(source.name, lines, preprocessor.tokens)
    except ScriptError as error:
        raise with_column(error, source, preprocessor.tokens, lexer.pattern) from None
    return list(zip(made.tokens, map(abs, made.lines), strict=True))


class Declared(NamedTuple):
    """The declarations of headers: names with their meanings, and macros with their texts."""

    names: Symbols
    macros: Mapping[str, str]


def declared(headers: Sequence[Source], options: CompilerOptions) -> Declared:
    """The declarations of headers; they must not be changed. Raises ScriptError."""
    state = state_after(tuple(headers), options)
    return Declared(state.names, state.macros)


def _declare(unit: Unit) -> None:
    """Compile a text.  Raises its first error, which has the others."""
    repair = unit.repair
    try:
        Declarations(unit).run()
    except ScriptError as error:
        if repair is None or not repair.errors:
            raise
        del error
    if repair is not None and repair.errors:
        first = repair.errors[0]
        first.errors = repair.errors
        raise first


Key = tuple[tuple[Source, ...], CompilerOptions]
#: The states after runs of headers, the last used ones last; those after one header, which is the
#: built-in one and takes most of the time, have a place of their own.
_STATES: dict[Key, HeaderState] = {}
_FIRST: dict[Key, HeaderState] = {}


def _place(headers: tuple[Source, ...]) -> tuple[dict[Key, HeaderState], int]:
    """Where the state after headers is kept, with how many others."""
    return (_FIRST, _MOST_FIRST) if len(headers) == 1 else (_STATES, _MOST)


def _kept(headers: tuple[Source, ...], options: CompilerOptions) -> HeaderState | None:
    """The state after headers, if it is kept; it is the last used one then."""
    states, _ = _place(headers)
    state = states.pop((headers, options), None)
    if state is not None:
        states[headers, options] = state
    return state


def state_after(headers: tuple[Source, ...], options: CompilerOptions) -> HeaderState:
    """The state after headers, from the longest run of them whose state is kept."""
    known = len(headers)
    state = _kept(headers, options)
    while state is None and known:
        known -= 1
        state = _kept(headers[:known], options)
    if state is None:
        state = HeaderState(options)
    for count in range(known, len(headers)):
        state = state.after(headers[count])
        states, most = _place(headers[: count + 1])
        while len(states) >= most:
            del states[next(iter(states))]
        states[headers[: count + 1], options] = state
    return state


def forget_states() -> None:
    """Forget all states: for tests and for measuring."""
    _STATES.clear()
    _FIRST.clear()


def import_table(headers: tuple[Source, ...], options: CompilerOptions) -> list[str]:
    """The names in the import table behind headers, in order.  Raises ScriptError."""
    return list(state_after(headers, options).code.imports)
