"""Undoes what compilers rewrite in try statements before they generate code.

See ``copies`` (of finally parts) and ``flags`` (of ``break`` and ``continue``) for what that is.
"""

from __future__ import annotations

from overhaul.gml.decompiler.copies import join_returns, remove_copies
from overhaul.gml.decompiler.flags import asked, inside, is_flag, is_guard, lists_of, number_of
from overhaul.gml.decompiler.loop_kinds import choose_loops
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree


def restore(statements: list[tree.Statement], dialect: Dialect) -> None:
    """Make the try statements of a function what they were, in place."""
    for each in lists_of(statements):
        for statement in each:
            if isinstance(statement, tree.Try) and statement.final is not None:
                remove_copies(statement, dialect)
    choose_loops(statements, dialect)
    pending = [statements]
    while pending:
        each = pending.pop()
        _unwrap(each)
        for statement in each:
            pending += inside(statement)
    for each in lists_of(statements):
        join_returns(each)


def _unwrap(statements: list[tree.Statement]) -> None:
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
        body = held[0].body
        if isinstance(body, tree.Block) and is_guard(body.statements, number):
            part.statements = body.statements[1:-1]
    for each in lists_of(part.statements):
        for position in range(len(each) - 1, 0, -1):
            if isinstance(each[position], (tree.Break, tree.Continue)):
                _remove_flags(each, position, number)


def _remove_flags(statements: list[tree.Statement], position: int, number: str) -> None:
    """Drop a try's flags from those that are set before a jump (one for each try it leaves)."""
    before = position - 1
    while before >= 0:
        statement = statements[before]
        if not isinstance(statement, tree.Assignment) or not is_flag(statement, ""):
            break
        if is_flag(statement, number):
            del statements[before]
        before -= 1
