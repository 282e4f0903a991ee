"""Headers and a script to a compiled block."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from overhaul.ags.language.declarations import Declarations
from overhaul.ags.language.emitter import FUNCTION_EXPORT, Emitter
from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.keeping import keep_tables
from overhaul.ags.language.lexer import Lexer
from overhaul.ags.language.options import (
    ARGUMENT_COUNTS,
    MARKS,
    SHORT_CIRCUITS,
    CompilerOptions,
    Source,
    editor_of,
)
from overhaul.ags.language.places import with_column
from overhaul.ags.language.preprocessor import Preprocessor
from overhaul.ags.language.unit import Names, Unit
from overhaul.ags.script.model import Export, Script, Section

_KEPT_STATES = 64
#: Blocks of older versions come from editors before 2.71.
_NEW_BLOCKS = 89


class _State:
    """What is declared and emitted after some headers; it is copied, not changed."""

    def __init__(self, options: CompilerOptions) -> None:
        self.macros: dict[str, str] = dict(options.macros)
        self.names = Names()
        self.code = Emitter()
        self.code.old = options.editor < SHORT_CIRCUITS
        self.code.listing = options.editor < MARKS
        self.literals: dict[str, int] = {}

    def after(self, source: Source, options: CompilerOptions, *, last: bool) -> _State:
        """The state after one more text; the names' ranks are of no use after the last one."""
        state = _State(options)
        state.macros = self.macros.copy()
        state.names = self.names.copy()
        state.code = self.code.copy()
        state.literals = self.literals.copy()
        lexer = Lexer(options, state.code.strings)
        lexer.literals = state.literals
        preprocessor = Preprocessor(state.macros, options.editor, lexer.pattern)
        lines = preprocessor.lines(source)
        try:
            tokens = lexer.run(source.name, lines, preprocessor.tokens)
            unit = Unit(tokens, state.names, state.code, lexer, options)
            Declarations(unit).run()
        except ScriptError as error:
            raise with_column(error, source, preprocessor.tokens, lexer.pattern) from None
        if not last:
            state.names.ranks = unit.name_ranks()
        return state


#: The states after runs of headers: all scripts of a game begin with the same ones.
_STATES: dict[tuple[tuple[Source, ...], CompilerOptions], _State] = {}


def _state_after(headers: tuple[Source, ...], options: CompilerOptions) -> _State:
    """The state after headers, from the longest run of them whose state is kept."""
    known = len(headers)
    state = _STATES.get((headers, options))
    while state is None and known:
        known -= 1
        state = _STATES.get((headers[:known], options))
    if state is None:
        state = _State(options)
    for count in range(known, len(headers)):
        state = state.after(headers[count], options, last=False)
        if len(_STATES) >= _KEPT_STATES:
            _STATES.clear()
        _STATES[headers[: count + 1], options] = state
    return state


class Declared(NamedTuple):
    """What headers declare: names with their meanings, and macros with their texts."""

    names: Names
    macros: Mapping[str, str]


def declared(headers: Sequence[Source], options: CompilerOptions) -> Declared:
    """What headers declare, which nobody changes.  Raises ScriptError."""
    state = _state_after(tuple(headers), options)
    return Declared(state.names, state.macros)


def compile_block(
    headers: Sequence[Source],
    script: Source,
    options: CompilerOptions,
    keep: Script | None = None,
) -> Script:
    """The block that the official compiler writes for a script behind its headers.

    The headers are given in the editor's order, the built-in one first.  With ``keep``, a block of
    which the script is a decompilation, the tables of that block stay: its imports keep their
    slots, its literals their places; only what is new is appended.  An old block of an editor
    before 2.71 also decides what is emitted.

    Raises ScriptError for a text that does not compile.
    """
    if keep is not None and keep.version < _NEW_BLOCKS:
        options = replace(options, editor=editor_of(keep.version))
    state = _state_after(tuple(headers), options).after(script, options, last=True)
    code = state.code
    for name, address, count in code.functions:
        ending = f"${count}" if options.editor >= ARGUMENT_COUNTS else ""
        code.add_export(name + ending, FUNCTION_EXPORT, address)
    script_block = Script(
        version=options.script_version,
        global_data=bytes(code.data),
        code=_words(code.words),
        strings=bytes(code.strings),
        fixup_types=bytes(kind for _, kind in code.fixups),
        fixup_positions=[position for position, _ in code.fixups],
        imports=[name if slot in code.used else "" for slot, name in enumerate(code.imports)],
        exports=[Export(name=name, address=address) for name, address in code.exports.items()],
        sections=[Section(name=name, offset=offset) for name, offset in code.sections],
    )
    return script_block if keep is None else keep_tables(script_block, keep)


def _words(words: list[int]) -> bytes:
    """Code words as stored."""
    packed = array("i", words)
    return packed.tobytes()
