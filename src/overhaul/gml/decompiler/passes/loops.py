"""The statement that each loop was written as: ``while`` or ``for``, with an early ``continue`` or
an ``else``.

Each rule says how often it is right in the 3,155 original sources of the corpus."""

from __future__ import annotations

from overhaul.gml.decompiler.choices import EARLY, LOOP
from overhaul.gml.decompiler.fragment import AnyLoop, Fragment, Loop, is_missing
from overhaul.gml.decompiler.passes.locals import declares_in_headers
from overhaul.gml.decompiler.passes.nested import Statements, continues, lists_inside, statements_of
from overhaul.gml.syntax import tree


def shape_loops(fragment: Fragment) -> None:
    """Put loops in the place of their marks, inner ones first.

    A ``while`` is a ``for`` if the statements around it say so, unless something else is chosen; a
    ``for`` takes its initial statement from those before it.
    """
    if fragment.has_loops:
        names = fragment.locals if declares_in_headers(fragment.dialect) else set()
        _shape(fragment.statements, fragment, names)


def _shape(statements: Statements, fragment: Fragment, names: set[str]) -> None:
    out: Statements = []
    for statement in statements:
        mark = statement if type(statement) is Loop else None
        for inner in lists_inside(statement if mark is None else mark.loop):
            _shape(inner, fragment, names)
        out.append(statement if mark is None else _shaped(mark, out, fragment, names))
    statements[:] = out


def _shaped(mark: Loop, out: Statements, fragment: Fragment, names: set[str]) -> AnyLoop:
    """The loop of a mark behind the statements ``out``, which it may take the last of."""
    loop = mark.loop
    body = statements_of(loop.body)
    if type(loop) is tree.For:
        steps = statements_of(loop.step)
        loop.initial = _initial(out, steps, None, names) if steps else _only(out, loop.condition)
        if len(steps) < 2:
            loop.step = steps[0] if steps else None
    elif type(loop) is tree.While and mark.is_open:
        loop = _while_or_for(mark, loop, out, fragment, names)
    loop.address = mark.address
    if type(loop) is tree.For and loop.initial is not None:
        loop.address = loop.initial.address
    if type(loop) is not tree.While and mark.may_end:
        default = int(fragment.entry.options.early_continue)
        if fragment.entry.choices.take(EARLY, mark.head, default, 2):
            if type(loop) is tree.DoUntil:
                continue_at_end(body)
            continue_early(body)
    return loop


def _while_or_for(
    mark: Loop, loop: tree.While, out: Statements, fragment: Fragment, names: set[str]
) -> tree.While | tree.For:
    """The kind of a loop without a ``continue`` that shows it: a ``for`` if it seems to count.

    The choices: what seems likely (0), a ``while`` (1), or a ``for`` whose step is the last n - 2
    statements of the body.
    """
    body, condition = statements_of(loop.body), loop.condition
    endless = is_missing(condition)
    chosen = 0
    if not mark.is_part:
        default = 0 if fragment.entry.options.for_loops or endless else 1
        chosen = fragment.entry.choices.take(LOOP, mark.head, default, 3 + len(body))
    if chosen == 1:
        return loop
    if chosen > 1:
        steps = body[len(body) - (chosen - 2) :]
        del body[len(body) - (chosen - 2) :]
        step = steps[0] if len(steps) == 1 else tree.Block(steps) if steps else None
        initial = _initial(out, steps, None, names) if steps else _only(out, condition)
        return tree.For(initial, None if endless else condition, step, loop.body)
    if endless:
        return tree.For(None, None, None, loop.body)
    counter = changed(body[-1]) if len(body) > 1 else None
    if counter is None or not mentions(condition, counter) or is_search(condition, counter, body):
        return loop
    initial = _initial(out, body[-1:], condition, names)
    return loop if initial is None else tree.For(initial, condition, body.pop(), loop.body)


def _initial(
    out: Statements,
    steps: Statements,
    asked: tree.Expression | None,
    names: set[str],
) -> tree.Statement | None:
    """Take the assignment that starts a counter from the end of the statements before a loop.

    Up to two assignments of locals may stand between it and the loop: ``for (var i = 0, n = f();``.
    They must be ``asked`` for in the condition, unless that is None.
    """
    for start in range(len(out) - 1, max(len(out) - 4, -1), -1):
        first = out[start]
        if not isinstance(first, tree.Assignment) or first.operator != "=":
            return None
        target = first.target
        if not isinstance(target, (tree.Name, tree.Member)):
            return None
        is_local = isinstance(target, tree.Name) and target.name in names
        if any(changed(step) == target for step in steps):
            if start == len(out) - 1:
                return out.pop()
            if not is_local:
                return None
            header = tree.Block(out[start:])
            header.address = first.address
            del out[start:]
            return header
        if not is_local or (asked is not None and not mentions(asked, target)):
            return None
    return None


def _only(out: Statements, condition: tree.Expression | None) -> tree.Statement | None:
    """The start of a ``for`` without a step: ``for (i = 0; i < 9;)``."""
    last = out[-1] if out else None
    if not isinstance(last, tree.Assignment) or last.operator != "=":
        return None
    if condition is None or is_missing(condition):
        return None
    named = isinstance(last.target, tree.Name) and mentions(condition, last.target)
    return out.pop() if named else None


# -- counters --------------------------------------------------------------------------------------


def changed(statement: tree.Statement) -> tree.Expression | None:
    """The plain variable that a statement counts up or down or moves on from itself
    (``key = ds_map_find_next(map, key)``), or None."""
    if isinstance(statement, tree.Assignment):
        target = statement.target
        if statement.operator == "=" and not mentions(statement.value, target):
            return None
    elif isinstance(statement, tree.ExpressionStatement):
        if not isinstance(statement.expression, tree.Increment):
            return None
        target = statement.expression.operand
    else:
        return None
    return target if isinstance(target, (tree.Name, tree.Member)) else None


def mentions(node: tree.Node, target: tree.Expression) -> bool:
    """Whether an expression is part of another."""
    return any(part == target for part in node.walk() if type(part) is type(target))


def is_search(
    condition: tree.Expression, counter: tree.Expression, body: list[tree.Statement]
) -> bool:
    """Whether a loop tries numbers until one fits (``while (file_exists("save" + string(n)))``):
    what it counts is not compared, nor an index, and it does little more.  2 of 2 are a
    ``while``; 3 of 3 that look through an array (``names[n] != ""``) are a ``for``.
    """
    moved = isinstance(body[-1], tree.Assignment) and body[-1].operator == "="
    if moved or len(body) > 2:
        return False
    for part in condition.walk():
        if isinstance(part, tree.Binary) and counter in (part.left, part.right):
            return False
        if isinstance(part, tree.Index) and counter in part.indices:
            return False
    return True


# -- continue --------------------------------------------------------------------------------------


def continue_at_end(body: list[tree.Statement]) -> None:
    """``if (c) {} else { rest }`` at the end of a ``do`` is ``if (c) continue; rest``: the same
    code."""
    while body:
        last = body[-1]
        if type(last) is not tree.If or type(last.then) is not tree.Block:
            return
        rest = last.otherwise
        if rest is None:
            body = last.then.statements
        elif last.then.statements:
            return
        else:
            last.then.statements.append(tree.Continue())
            last.otherwise = None
            body += statements_of(rest)


def continue_early(body: list[tree.Statement]) -> None:
    """``if (a) { b; } else { c; }`` at the end of a loop is ``if (a) { b; continue; } c;`` where
    the loop continues early elsewhere: the same code, and 11 of 11 are written so.

    Not for a ``while``: its ``continue`` jumps back by itself.
    """
    if not any(type(statement) is tree.If for statement in body) or not continues(body):
        return
    while True:
        last = body[-1]
        if not isinstance(last, tree.If) or not isinstance(last.otherwise, tree.Block):
            return
        then, rest = last.then, last.otherwise.statements
        if not isinstance(then, tree.Block) or len(then.statements) != 1 or not rest:
            return
        if not isinstance(then.statements[0], (tree.Assignment, tree.ExpressionStatement)):
            return
        then.statements.append(tree.Continue())
        last.otherwise = None
        body += rest
