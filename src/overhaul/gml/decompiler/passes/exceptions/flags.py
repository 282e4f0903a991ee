"""The flags that compilers add for ``break`` and ``continue`` out of try statements.

A ``break`` or ``continue`` that leaves a try sets a variable first; the parts of the try stand in
loops that end after one round, and what is left to do is asked for behind the statement.
"""

from __future__ import annotations

from typing import Final

from overhaul.gml.decompiler.passes.nested import statements_of
from overhaul.gml.syntax import tree

BREAKING: Final = "__yy_breakEx"
CONTINUING: Final = "__yy_continueEx"


def number_of(statement: tree.Statement) -> str:
    """The number of a rewritten try, from ``__yy_breakExN = 0`` (or ``var`` of it)."""
    if isinstance(statement, tree.Assignment) and isinstance(statement.target, tree.Name):
        name = statement.target.name
        if name.startswith(BREAKING):
            return name[len(BREAKING) :]
    return ""


def asked(statements: list[tree.Statement], position: int, number: str) -> int:
    """How many of ``if (continuing) continue; if (breaking) break;`` follow a try."""
    count = 0
    for name, kind in ((CONTINUING, tree.Continue), (BREAKING, tree.Break)):
        if position + count >= len(statements):
            break
        each = statements[position + count]
        if not isinstance(each, tree.If) or each.condition != tree.Name(name + number):
            continue
        then = statements_of(each.then)
        count += len(then) == 1 and isinstance(then[0], kind)
    return count


def is_guard(statements: list[tree.Statement], number: str) -> bool:
    """Whether a loop's body begins and ends as a rewritten part does."""
    if len(statements) < 2 or not isinstance(statements[-1], tree.Break):
        return False
    first = statements[0]
    return isinstance(first, tree.If) and first.condition == tree.Name(CONTINUING + number)


def is_flag(statement: tree.Assignment, number: str) -> bool:
    """Whether a statement sets a flag of this try ("": of any)."""
    target = statement.target
    if not isinstance(target, tree.Name):
        return False
    if not number:
        return target.name.startswith((BREAKING, CONTINUING))
    return target.name in (BREAKING + number, CONTINUING + number)
