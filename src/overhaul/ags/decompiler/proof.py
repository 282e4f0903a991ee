"""Compile what was decompiled, and compare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from overhaul.ags.api import builtin_header, parse_version, script_macros
from overhaul.ags.decompiler.decompiler import NEWEST, Decompiled, Environment, decompile_block
from overhaul.ags.language import CompilerOptions, ScriptError, Source, compile_block
from overhaul.ags.script.disassembler import instructions
from overhaul.ags.script.model import Script
from overhaul.ags.script.tables import CODE_FIXUPS, DATA, FUNCTION, IMPORT, OPCODES, STRING
from overhaul.errors import FormatError

_HEADER, _DECLARATIONS = "_BuiltInScriptHeader.ash", "_Declarations.ash"
_JUMPS = frozenset(("jmpi", "jzi", "jnzi"))
Word = int | str | bytes
Line = tuple[str, tuple[Word, ...]]


def options_of(made: Decompiled, left_to_right: bool) -> CompilerOptions:
    """How a decompiled script is compiled."""
    settings = made.settings
    version = parse_version(settings.version)
    editor = tuple(part if part < 1 << 20 else 99 for part in version)
    if made.old_negatives:
        editor = min(editor, (3, 3, 4, 2))
    settings = replace(settings, left_to_right=left_to_right)
    return CompilerOptions(
        editor=editor,
        left_to_right=left_to_right,
        old_strings=not settings.new_strings,
        macros=tuple(script_macros(settings).items()),
    )


def compile_back(made: Decompiled, script: Script, *, left_to_right: bool = True) -> Script:
    """The block of a decompiled script's text; ScriptError."""
    headers = [
        Source(_HEADER, builtin_header(made.settings.version)),
        Source(_DECLARATIONS, made.declarations),
    ]
    parts = [Source(name or "script.asc", text) for name, text in made.proof]
    options = options_of(made, left_to_right)
    return compile_block([*headers, *parts[:-1]], parts[-1], options, keep=script)


def prove(script: Script, environment: Environment | None = None) -> list[tuple[str, str]]:
    """What a script's decompilation does not give back: (function or empty, reason) for each.

    It is empty if the text compiles to the same bytes.
    """
    if script.version > NEWEST:
        return [("", "Adventure Game Studio 4 has another compiler")]
    made = decompile_block(script, environment)
    wrong = [(failure.name, failure.reason) for failure in made.failures]
    left_to_right = environment is None or environment.left_to_right
    try:
        new = compile_back(made, script, left_to_right=left_to_right)
    except (ScriptError, FormatError) as error:
        return [*wrong, ("", f"it does not compile: {error}")]
    if not wrong and new.to_bytes() == script.to_bytes():
        return []
    unread = {failure.number for failure in made.failures}
    exports = [e.name for e in script.exports if e.address >> 24 == 1]
    skipped = {name for number, name in enumerate(exports) if number in unread}
    wrong += [(n, why) for n, why in differences(script, new) if n not in skipped]
    return wrong or [("", "its tables differ")]


def differences(old: Script, new: Script) -> Iterator[tuple[str, str]]:
    """(name of the function, what differs) for each function whose code does; then other parts."""
    ours, theirs = _functions(old), _functions(new)
    for name, code in ours.items():
        if name not in theirs:
            yield name, "it is missing"
            continue
        other = theirs[name]
        if code != other:
            yield name, _first_difference(code, other)
    for name in theirs:
        if name not in ours:
            yield name, "there was none"
    if old.global_data != new.global_data:
        yield "", f"data: {len(old.global_data)} bytes, {len(new.global_data)} when compiled"
    exports = [(e.name, e.address >> 24) for e in old.exports]
    if exports != [(e.name, e.address >> 24) for e in new.exports]:
        yield "", "exports"


def _first_difference(code: list[Line], other: list[Line]) -> str:
    for jumps in (False, True):
        for number, (a, b) in enumerate(zip(code, other, strict=False)):
            if a != b and (jumps or a[0] != b[0] or a[0] not in _JUMPS):
                return f"instruction {number}: {_shown(a)}, but {_shown(b)} when compiled"
    return f"{len(code)} instructions, but {len(other)} when compiled"


def _shown(line: Line) -> str:
    return f"{line[0]} {', '.join(map(str, line[1]))}"


def _functions(script: Script) -> dict[str, list[Line]]:
    """The code of each function by name, its operands as what they refer to."""
    pairs = zip(script.fixup_positions, script.fixup_types, strict=False)
    words = script.words
    fixups = {at: kind for at, kind in pairs if kind in CODE_FIXUPS and 0 <= at < len(words)}
    starts = {e.address & 0xFFFFFF: e.name for e in script.exports if e.address >> 24 == 1}
    found: dict[str, list[Line]] = {}
    current: list[Line] = []
    start = 0
    for index, opcode in instructions(words, fixups):
        if index in starts:
            current = found.setdefault(starts[index], [])
            start = index
        if opcode is None:
            current.append(("word", (words[index],)))
            continue
        operands: list[Word] = []
        for at in range(index + 1, index + 1 + len(opcode.arguments)):
            operands.append(_operand(script, words[at], fixups.get(at), starts))
        if opcode.name == "thisaddr":
            operands = [operands[0] - start if isinstance(operands[0], int) else 0]
        current.append((OPCODES[opcode.number].name, tuple(operands)))
    return found


def _operand(script: Script, value: int, kind: int | None, starts: dict[int, str]) -> Word:
    if kind == STRING:
        end = script.strings.find(b"\0", value)
        return script.strings[value:end]
    if kind == IMPORT and 0 <= value < len(script.imports):
        return "@" + script.imports[value].partition("^")[0]
    if kind == FUNCTION:
        return "fn " + starts.get(value, str(value))
    if kind == DATA:
        return f"data+{value}"
    return value
