"""What people write where the bytes allow several texts.

Each rule says how often it is right in the 3,155 original sources of the corpus.
"""

from __future__ import annotations

from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.passes.nested import continues, statements_of
from overhaul.gml.syntax import tree

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
    what it counts is not compared, nor an index, and it does one thing besides.  2 of 2 are a
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
    if not any(type(each) is tree.If for each in body) or not continues(body):
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


# -- constructors ----------------------------------------------------------------------------------


def methods_last(fragment: Fragment) -> None:
    """Static functions stand behind the other statements of a constructor (13 of 13), although they
    are made first, unless those already call one of them (2 of 9); statics keep their order."""
    if not fragment.is_declared or not fragment.entry.options.methods_last:
        return
    body = fragment.statements
    first = 0
    while first < len(body) and not _is_method(body[first]):
        first += 1
    statics = [each for each in body[first:] if isinstance(each, tree.Static)]
    others = [each for each in body[first:] if not isinstance(each, tree.Static)]
    if not statics or not others or isinstance(others[-1], (tree.Exit, tree.Return, tree.Throw)):
        return
    names = {part.name for each in statics for part in each.declarators}
    if not any(_uses(each, names) for each in others):
        body[first:] = [*others, *statics]


def _uses(statement: tree.Statement, names: set[str]) -> bool:
    """Whether a statement calls one of its instance's methods, or uses a static."""
    for node in statement.walk():
        if isinstance(node, tree.Name) and node.name in names:
            return True
        if isinstance(node, tree.Call):
            called = node.function
            if isinstance(called, tree.Member) and called.object == tree.Name("self"):
                return True
    return False


def _is_method(statement: tree.Statement) -> bool:
    return isinstance(statement, tree.Static) and all(
        isinstance(part.value, tree.Function) for part in statement.declarators
    )


# -- self ------------------------------------------------------------------------------------------


def write_self(fragment: Fragment) -> None:
    """``instance_destroy(self)``: before 2.3 ``self`` compiles to ``id``, which is what people
    write everywhere else (62 of 66) but never here (3 of 3)."""
    if fragment.dialect.instance_keywords_as_id:
        for call in fragment.destroys:
            if call.arguments == [tree.Name("id")]:
                call.arguments[0] = tree.Name("self")
