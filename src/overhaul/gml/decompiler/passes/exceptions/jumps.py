"""Undoes what compilers make of ``break`` and ``continue`` in try statements.

See ``flags`` for what that is.
"""

from __future__ import annotations

from overhaul.gml.decompiler.passes.body import Body
from overhaul.gml.decompiler.passes.exceptions.flags import asked, is_flag, is_guard, number_of
from overhaul.gml.decompiler.passes.nested import Statements, lists_inside, lists_of, statements_of
from overhaul.gml.syntax import tree


def restore_jumps(body: Body) -> None:
    """Make the try statements of a function what they were, in place."""
    pending = [body.statements]
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
