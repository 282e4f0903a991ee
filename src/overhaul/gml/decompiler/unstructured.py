"""Code without a structured form: the error for it, and the comment with its assembly."""

from __future__ import annotations

import re
from typing import Final

from overhaul.gml.dialect import Dialect
from overhaul.gml.errors import CompileError
from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.vm.code import Code
from overhaul.gml.vm.disassembler import disassemble

MAXIMUM_DEPTH: Final = 80
"""How deep expressions and statements may nest."""


class StructureError(Exception):
    """A stretch of code has no structured form; the message says why.  Never leaves the package."""


MARK: Final = "could not be decompiled: "
"""The beginning of the comments that stand for code without source."""
_MARKED: Final = re.compile(rf"(?:/\*\s*|// (?:This )?){MARK}")


def listing(code: Code, dialect: Dialect, start: int, end: int) -> str:
    """The assembly of the instructions from index ``start`` up to ``end``.

    Labels are numbered within the stretch; a branch that leaves it shows its distance.
    """
    return disassemble(Code(code.name, code.instructions[start:end]), dialect)


def refuse_listings(source: str, name: str = "") -> None:
    """Raise CompileError for source in which assembly still stands for a part of the code: that
    part would be lost silently."""
    problems = ProblemList(source)
    for match in _MARKED.finditer(source):
        problems.add(
            "this part of the code has no source: change the entry's assembly instead "
            "(or remove this comment to leave the part out)",
            match.start(),
        )
    if problems.found:
        errors = problems.problems()
        first = errors[0]
        raise CompileError(first.message, first.line, first.column, name=name, errors=errors)
