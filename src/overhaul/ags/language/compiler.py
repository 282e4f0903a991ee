"""Headers and a script to a compiled block."""

from __future__ import annotations

import gc
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from overhaul.ags.language.emitter import FUNCTION_EXPORT, Emitter
from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.keeping import keep_tables
from overhaul.ags.language.late import LateNames, slots_in_order
from overhaul.ags.language.opcodes import FIX_IMPORT, FUNCTION_BASE
from overhaul.ags.language.options import (
    ARGUMENT_COUNTS,
    BLOCKS_OF_2_5,
    FUNCTION_BASES,
    CompilerOptions,
    Source,
    editor_of,
)
from overhaul.ags.language.states import HeaderState, state_after
from overhaul.ags.language.symbols import GLOBAL, Variable
from overhaul.ags.language.unit import KEYWORDS, is_name
from overhaul.ags.script.model import Export, Script, Section

#: Blocks of older versions come from editors before 2.71.
_NEW_BLOCKS = 89


@contextmanager
def without_collector() -> Iterator[None]:
    """Pause the collector of cycles: compiling makes many small objects that stay."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def compile_block(
    headers: Sequence[Source],
    script: Source,
    options: CompilerOptions,
    keep: Script | None = None,
    *,
    every: bool = False,
) -> Script:
    """The block that the official compiler writes for a script behind its headers.

    The headers are given in the editor's order, the built-in one first. With ``keep``, a block that
    the script was decompiled from, the tables of that block stay: its imports keep their slots, its
    literals their places; only new ones are appended. An old block of an editor before 2.71 also
    decides what is emitted.

    Raises ScriptError for a text that does not compile; with ``every``, it has all errors of that
    text that are found.
    """
    options = _for_block(options, keep)
    with without_collector():
        state = _compiled(tuple(headers), script, options, every=every)
        script_block = _block(state)
        if keep is None:
            return script_block
        return keep_tables(script_block, keep, state.names.symbols)


def _compiled(
    headers: tuple[Source, ...], script: Source, options: CompilerOptions, *, every: bool
) -> HeaderState:
    try:
        return state_after(headers, options).after(script)
    except ScriptError:
        if every:
            _raise_every(headers, script, options)
        raise


def _raise_every(headers: tuple[Source, ...], script: Source, options: CompilerOptions) -> None:
    """Raise the error of the first text that is wrong, with all errors of that text."""
    for count, header in enumerate(headers):
        try:
            state_after(headers[: count + 1], options)
        except ScriptError:
            state_after(headers[:count], options).copy().take(header, every=True)
            raise
    state_after(headers, options).copy().take(script, every=True)


class Trace(NamedTuple):
    """A script that was compiled, and what its block does not say.

    ``bodies`` are the tokens of its functions, ``variables`` the offset of each of its variables
    in the global data, and its size. ``errors`` are those of statements that were left out.
    """

    script: Script
    bodies: Mapping[str, tuple[str, ...]]
    variables: Mapping[str, tuple[int, int]]
    errors: Sequence[ScriptError]


def compile_traced(
    headers: Sequence[Source],
    parts: Sequence[Source],
    options: CompilerOptions,
    keep: Script | None = None,
) -> Trace:
    """The block of a script of some parts, as :func:`compile_block` makes it; with statements left
    out that do not compile.

    Raises ScriptError for a header that does not compile.
    """
    options = _for_block(options, keep)
    errors: list[ScriptError] = []
    with without_collector():
        state = state_after(tuple(headers), options).copy()
        for part in parts:
            try:
                state.take(part, every=True)
            except ScriptError as error:
                errors += error.errors
        script = _block(state)
        if keep is not None:
            script = keep_tables(script, keep, state.names.symbols)
    variables = {
        name: (item.offset, 4 if item.dynamic else item.size * item.count)
        for name, item in state.names.symbols.items()
        if isinstance(item, Variable) and item.kind == GLOBAL and not item.imported
    }
    return Trace(script, state.names.bodies, variables, errors)


def _for_block(options: CompilerOptions, keep: Script | None) -> CompilerOptions:
    """The options for a text whose block replaces another."""
    if keep is None or keep.version >= _NEW_BLOCKS:
        return options
    editor = editor_of(keep.version)
    if editor == FUNCTION_BASES and not _has_bases(keep):
        editor = BLOCKS_OF_2_5
    return replace(options, editor=editor)


def _has_bases(script: Script) -> bool:
    """Whether the functions of a script begin with their own address, behind the number of a line;
    so it is of a script without any."""
    words = script.words
    functions = [e.address & 0xFFFFFF for e in script.exports if e.address >> 24 == FUNCTION_EXPORT]
    return all(FUNCTION_BASE in words[at : at + 3 : 2] for at in functions)


def compile_late(
    headers: Sequence[Source], script: Source, options: CompilerOptions, late: LateNames
) -> Script | None:
    """The block of a script with imports that belong at the end of one of the headers.

    It is what :func:`compile_block` gives for that header with these imports.  None where that has
    to be asked: names that the headers know, errors.
    """
    with without_collector():
        return _compiled_late(tuple(headers), script, options, late)


def _compiled_late(
    headers: tuple[Source, ...], script: Source, options: CompilerOptions, late: LateNames
) -> Script | None:
    try:
        before = state_after(headers[: late.header + 1], options)
        shared = state_after(headers, options)
        state = shared.copy()
        state.take(script, late)
    except ScriptError:
        return None
    code = state.code
    final = late.final()
    text = state.names.text_before
    names = {name for _, name in final}
    if text is None or len(names) < len(final):
        return None
    if not text.words.isdisjoint(names - late.slots.keys()):
        return None
    if not _are_new(names, {kind for kind, _ in final}, before, shared):
        return None
    order = slots_in_order(late, final, code.used, len(code.imports), len(before.code.imports))
    if order is None:
        return None
    _move(code, *order)
    return _block(state)


def _are_new(names: set[str], kinds: set[str], before: HeaderState, after: HeaderState) -> bool:
    """Whether names mean nothing in headers from one state to another, and in those before."""
    words = {"import", *kinds, *names}
    first, last = before.names.symbols, after.names.symbols
    known = (first.keys(), last.keys(), KEYWORDS)
    if not all(others.isdisjoint(names) for others in known):
        return False
    if not all(macros.keys().isdisjoint(words) for macros in (before.macros, after.macros)):
        return False
    if any(name[0] == "_" or not is_name(name) for name in names):
        return False
    if any(first.get(kind) is not last.get(kind) for kind in kinds):
        return False
    text = after.names.text_before
    while text is not None and text is not before.names.text_before:
        if not text.words.isdisjoint(names):
            return False
        text = text.before
    return True


def _move(code: Emitter, moved: dict[int, int], count: int) -> None:
    """Put the used slots of the import table in another order."""
    imports = [""] * count
    for slot in code.used:
        imports[moved[slot]] = code.imports[slot]
    code.imports = imports
    code.used = {moved[slot] for slot in code.used}
    words = code.words
    for fixup in code.fixups:
        if fixup & 7 == FIX_IMPORT:
            place = fixup >> 3
            words[place] = moved[words[place]]


def _block(state: HeaderState) -> Script:
    """The block of a state."""
    code = state.code
    options = state.options
    for name, address, count in code.functions:
        ending = f"${count}" if options.editor >= ARGUMENT_COUNTS else ""
        code.add_export(name + ending, FUNCTION_EXPORT, address)
    imports = [""] * len(code.imports)
    for slot in code.used:
        imports[slot] = code.imports[slot]
    return Script(
        version=options.script_version,
        global_data=bytes(code.data),
        code=_words(code.words),
        strings=bytes(code.strings),
        fixup_types=bytes([fixup & 7 for fixup in code.fixups]),
        fixup_positions=[fixup >> 3 for fixup in code.fixups],
        imports=imports,
        exports=[Export(name=name, address=address) for name, address in code.exports.items()],
        sections=[Section(name=name, offset=offset) for name, offset in code.sections],
    )


def _words(words: list[int]) -> bytes:
    """Code words as stored."""
    return struct.pack(f"<{len(words)}i", *words)
