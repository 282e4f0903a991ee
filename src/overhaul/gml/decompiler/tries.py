"""Undoes what compilers rewrite in try statements before they generate code.

An ``exit``, ``return`` or (before 2024.6) ``throw`` inside a try with a finally part has copies of
the finally parts that it leaves in front of it; the value of a ``return`` waits in ``copyVar``.
A ``break`` or ``continue`` that leaves a try sets a variable first; the parts of the try stand in
loops that end after one round, and what is left to do is asked for behind the statement.
"""

from __future__ import annotations

from typing import Final

from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree

COPY: Final = "copyVar"
BREAKING: Final = "__yy_breakEx"
CONTINUING: Final = "__yy_continueEx"
_LEAVING: Final = (tree.Exit, tree.Return)
_ESCAPES: Final = (*_LEAVING, tree.Break, tree.Continue)


def restore(statements: list[tree.Statement], dialect: Dialect) -> None:
    """Make the try statements of a function what they were, in place."""
    pending = [statements]
    while pending:
        inner = pending.pop()
        _unwrap(inner)
        for statement in inner:
            pending += _inside(statement)
    for inner in lists_of(statements):
        for statement in inner:
            if isinstance(statement, tree.Try) and statement.final is not None:
                _remove_copies(statement, dialect)
    for inner in lists_of(statements):
        _join_returns(inner)


def lists_of(statements: list[tree.Statement]) -> list[list[tree.Statement]]:
    """All lists of statements in a function, each before those inside it."""
    found: list[list[tree.Statement]] = []
    pending = [statements]
    while pending:
        each = pending.pop()
        found.append(each)
        for statement in each:
            pending += _inside(statement)
    return found


def _inside(statement: tree.Statement | None) -> list[list[tree.Statement]]:
    """The lists directly inside a statement."""
    if isinstance(statement, tree.Block):
        return [statement.statements]
    if isinstance(statement, tree.If):
        found: list[list[tree.Statement]] = []
        last: tree.Statement | None = statement
        while isinstance(last, tree.If):
            found += _inside(last.then)
            last = last.otherwise
        return found + _inside(last)
    if isinstance(statement, tree.Switch):
        return [case.body for case in statement.cases]
    if isinstance(statement, tree.Try):
        return _inside(statement.body) + _inside(statement.handler) + _inside(statement.final)
    if isinstance(statement, (tree.While, tree.DoUntil, tree.Repeat, tree.For, tree.With)):
        return _inside(statement.body)
    return []


# -- copies of finally parts -----------------------------------------------------------------------


def _remove_copies(statement: tree.Try, dialect: Dialect) -> None:
    final = statement.final
    if final is None or not final.statements:
        return
    parts = [statement.body] + ([statement.handler] if statement.handler is not None else [])
    for part in parts:
        lists = lists_of(part.statements)
        leaves = any(isinstance(each, _ESCAPES) for each in part.walk())  # in functions, too
        # A throw in the handler counts as a way out by itself.
        escapes = leaves or statement.handler is None or part is statement.handler
        throws = dialect.finally_before_throw and escapes
        kinds = (*_LEAVING, tree.Throw) if throws else _LEAVING
        for inner in lists:
            _remove_before(inner, final.statements, kinds)


def _remove_before(
    statements: list[tree.Statement],
    copy: list[tree.Statement],
    kinds: tuple[type[tree.Statement], ...],
) -> None:
    """Drop the copies of a finally part that stand right before statements of some kinds."""
    position = len(statements) - 1
    length = len(copy)
    while position >= length:
        start = position - length
        if isinstance(statements[position], kinds) and statements[start:position] == copy:
            del statements[start:position]
            position = start
        position -= 1


def _join_returns(statements: list[tree.Statement]) -> None:
    """``copyVar = e; return copyVar`` -> ``return e``"""
    position = len(statements) - 1
    while position > 0:
        last, before = statements[position], statements[position - 1]
        if (
            isinstance(last, tree.Return)
            and isinstance(before, tree.Assignment)
            and before.operator == "="
            and before.target == tree.Name(COPY)
            and last.value == before.target
        ):
            last.value = before.value
            last.address = before.address
            del statements[position - 1]
            position -= 1
        position -= 1


# -- break and continue ----------------------------------------------------------------------------


def _unwrap(statements: list[tree.Statement]) -> None:
    """Undo the rewriting of ``break`` and ``continue`` around the tries of one list."""
    position = 0
    while position < len(statements):
        statement = statements[position]
        number = _number(statements[position - 2]) if position >= 2 else ""
        if isinstance(statement, tree.Try) and number:
            position -= 2
            del statements[position : position + 2]
            del statements[position + 1 : position + 1 + _asked(statements, position + 1, number)]
            for part in (statement.body, statement.handler, statement.final):
                if part is not None:
                    _unwrap_part(part, number)
        position += 1


def _number(statement: tree.Statement) -> str:
    """The number of a rewritten try, from ``__yy_breakExN = 0`` (or ``var`` of it)."""
    if isinstance(statement, tree.Assignment) and isinstance(statement.target, tree.Name):
        name = statement.target.name
        if name.startswith(BREAKING):
            return name[len(BREAKING) :]
    return ""


def _asked(statements: list[tree.Statement], position: int, number: str) -> int:
    """How many of ``if (continuing) continue; if (breaking) break;`` follow a try."""
    count = 0
    for name, kind in ((CONTINUING, tree.Continue), (BREAKING, tree.Break)):
        if position + count >= len(statements):
            break
        each = statements[position + count]
        if not isinstance(each, tree.If) or each.condition != tree.Name(name + number):
            continue
        inside = each.then.statements if isinstance(each.then, tree.Block) else []
        if len(inside) == 1 and isinstance(inside[0], kind):
            count += 1
    return count


def _unwrap_part(part: tree.Block, number: str) -> None:
    """Take a part of a try out of its loop, and the variables out of its jumps."""
    inside = part.statements
    if len(inside) == 1 and isinstance(inside[0], tree.While):
        body = inside[0].body
        if isinstance(body, tree.Block) and _is_guard(body.statements, number):
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
        if not isinstance(statement, tree.Assignment) or not _is_flag(statement, ""):
            break
        if _is_flag(statement, number):
            del statements[before]
        before -= 1


def _is_guard(statements: list[tree.Statement], number: str) -> bool:
    """Whether a loop's body begins and ends as a rewritten part does."""
    if len(statements) < 2 or not isinstance(statements[-1], tree.Break):
        return False
    first = statements[0]
    return isinstance(first, tree.If) and first.condition == tree.Name(CONTINUING + number)


def _is_flag(statement: tree.Assignment, number: str) -> bool:
    """Whether a statement sets a flag of this try ("": of any)."""
    target = statement.target
    if not isinstance(target, tree.Name):
        return False
    if not number:
        return target.name.startswith((BREAKING, CONTINUING))
    return target.name in (BREAKING + number, CONTINUING + number)
