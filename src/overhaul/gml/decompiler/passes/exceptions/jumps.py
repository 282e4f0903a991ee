"""The flags that compilers add for ``break`` and ``continue`` out of try statements.

A ``break`` or ``continue`` that leaves a try sets a variable first; the parts of the try stand in
loops that end after one round, and what is left to do is asked for behind the statement.
"""

from __future__ import annotations

from overhaul.gml.decompiler.fragment import BREAKING, CONTINUING, Fragment
from overhaul.gml.decompiler.passes.nested import Statements, lists_inside, lists_of, statements_of
from overhaul.gml.syntax import tree


def number_of(statement: tree.Statement) -> str:
    """The number of a rewritten try, from ``__yy_breakExN = 0``; "" of any other statement."""
    if (
        isinstance(statement, tree.Assignment)
        and isinstance(statement.target, tree.Name)
        and statement.value in (tree.Number(0), tree.Boolean(False))
    ):
        name = statement.target.name
        if name.startswith(BREAKING):
            return name[len(BREAKING) :]
    return ""


def asked(statements: Statements, position: int, number: str) -> int:
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


def is_guard(statements: Statements, number: str) -> bool:
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


def restore_jumps(fragment: Fragment) -> None:
    """Make the try statements of a function what they were, in place."""
    pending = [fragment.statements]
    while pending:
        each = pending.pop()
        _unwrap(each)
        for statement in each:
            pending += lists_inside(statement)


def _unwrap(statements: Statements) -> None:
    """Undo the rewriting of ``break`` and ``continue`` around the tries of one list."""
    position = 0
    while position < len(statements):
        statement = statements[position]
        number = number_of(statements[position - 2]) if position >= 2 else ""
        if isinstance(statement, tree.Try) and number:
            position -= 2
            del statements[position : position + 2]
            del statements[position + 1 : position + 1 + asked(statements, position + 1, number)]
            for part in (statement.body, statement.handler, statement.final):
                if part is not None:
                    _unwrap_part(part, number)
        position += 1


def _unwrap_part(part: tree.Block, number: str) -> None:
    """Take a part of a try out of its loop, and the variables out of its jumps."""
    held = part.statements
    if len(held) == 1 and isinstance(held[0], tree.While):
        inside = statements_of(held[0].body)
        if is_guard(inside, number):
            part.statements = inside[1:-1]
    for each in lists_of(part.statements):
        for position in range(len(each) - 1, 0, -1):
            if isinstance(each[position], (tree.Break, tree.Continue)):
                _remove_flags(each, position, number)


def _remove_flags(statements: Statements, position: int, number: str) -> None:
    """Drop a try's flags from those that are set before a jump (one for each try it leaves)."""
    before = position - 1
    while before >= 0:
        statement = statements[before]
        if not isinstance(statement, tree.Assignment) or not is_flag(statement, ""):
            break
        if is_flag(statement, number):
            del statements[before]
        before -= 1
