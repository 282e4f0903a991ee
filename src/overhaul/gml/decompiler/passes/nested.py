"""The lists of statements inside statements."""

from __future__ import annotations

from overhaul.gml.syntax import tree

Statements = list[tree.Statement]
_LOOPS = (tree.While, tree.DoUntil, tree.Repeat, tree.For, tree.With)


def statements_of(statement: tree.Statement | None) -> Statements:
    """The statements of a block, or a single one."""
    if isinstance(statement, tree.Block):
        return statement.statements
    return [] if statement is None else [statement]


def lists_inside(statement: tree.Statement | None) -> list[Statements]:
    """The lists directly inside a statement."""
    if isinstance(statement, tree.Block):
        return [statement.statements]
    if isinstance(statement, tree.If):
        lists: list[Statements] = []
        last: tree.Statement | None = statement
        while isinstance(last, tree.If):
            lists += lists_inside(last.then)
            last = last.otherwise
        return lists + lists_inside(last)
    if isinstance(statement, tree.Switch):
        return [case.body for case in statement.cases]
    if isinstance(statement, tree.Try):
        parts = (statement.body, statement.handler, statement.final)
        return [part.statements for part in parts if part is not None]
    if isinstance(statement, tree.For):
        return lists_inside(statement.body) + lists_inside(statement.step)
    return lists_inside(statement.body) if isinstance(statement, _LOOPS) else []


def lists_of(statements: Statements) -> list[Statements]:
    """All lists of statements in a function, each before those inside it."""
    lists: list[Statements] = []
    pending = [statements]
    while pending:
        inner = pending.pop()
        lists.append(inner)
        for statement in inner:
            pending += lists_inside(statement)
    return lists


def continues(statements: Statements) -> bool:
    """Whether a ``continue`` of the loop around these statements is among them."""
    pending = [statements]
    while pending:
        for statement in pending.pop():
            if type(statement) is tree.Continue:
                return True
            if not isinstance(statement, _LOOPS):
                pending += lists_inside(statement)
    return False
