"""Code that could not be read as source: assembly in a comment, with the reason."""

from __future__ import annotations

from overhaul.ags.decompiler.code import Code
from overhaul.ags.script.disassembler import instructions
from overhaul.ags.script.tables import IMPORT, REGISTERS, STRING
from overhaul.ags.text import decode

_LONGEST = 60


def unread(code: Code, number: int, reason: str) -> list[str]:
    """The lines of a comment with a function's assembly, and the reason why it has no source."""
    start, end = code.bounds(number)
    lines = [f"/* {_plain(code.names[number].full)} is left as assembly: {_plain(reason)}"]
    for index, opcode in instructions(tuple(code.words[start:end]), {}):
        at = start + index
        if opcode is None:
            lines.append(f"  {at}: .word {_operand(code, at, False)}")
            continue
        kinds = enumerate(opcode.arguments, start=at + 1)
        operands = [_operand(code, place, kind == "r") for place, kind in kinds]
        lines.append(f"  {at}: {opcode.name} {', '.join(operands)}".rstrip())
    return [*lines, "*/"]


def _operand(code: Code, at: int, is_register: bool) -> str:
    value, kind = code.words[at], code.fixups.get(at)
    script = code.script
    if kind == IMPORT and 0 <= value < len(script.imports):
        return "@" + _plain(script.imports[value])
    if kind == STRING and 0 <= value < len(script.strings):
        text = decode(script.strings[value:].partition(b"\0")[0])
        return repr(_plain(text[:_LONGEST]))
    if is_register and value in REGISTERS:
        return REGISTERS[value]
    return str(value)


def _plain(text: str) -> str:
    """A text that does not end the comment it stands in."""
    return text.replace("*/", "* /").replace("\n", " ").replace("\r", " ")
