"""Assembly text of a stretch of code, for comments."""

from __future__ import annotations

from overhaul.gml.dialect import Dialect
from overhaul.gml.vm.code import Code
from overhaul.gml.vm.disassembler import disassemble


def listing(code: Code, dialect: Dialect, start: int, end: int) -> str:
    """The assembly of the instructions from index ``start`` up to ``end``.

    Labels are numbered within the stretch; a branch that leaves it shows its distance.
    """
    return disassemble(Code(code.name, code.instructions[start:end]), dialect)
