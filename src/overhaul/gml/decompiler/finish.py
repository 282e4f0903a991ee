"""From raw statements to what a person writes: for headers, functions, struct literals."""

from __future__ import annotations

from functools import cache
from typing import Final

from overhaul.gml.builtins import load_constants
from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.habits import changed, is_search, mentions
from overhaul.gml.decompiler.locals import declare
from overhaul.gml.decompiler.values import StructureError
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree

TEMPORARY: Final = "$$$$temp$$$$"
"""The local that keeps a return value over the clean-ups before a ``ret``."""


# -- loops ---------------------------------------------------------------------------------------


def loop(
    out: list[tree.Statement],
    condition: tree.Expression,
    body: list[tree.Statement],
    step_offset: int,
    continued: bool,
    step_is_empty: bool,
    names: set[str],
) -> tree.Statement:
    """A ``while``, or a ``for`` if a ``continue`` or the statements around it say so.

    ``step_offset``: the byte offset that a forward ``continue`` jumps to, -1 without one.
    ``continued``: a ``continue`` jumps to the head, as only a ``while`` does.  A ``for`` takes its
    initial statement from the end of ``out``, or several (a Block) that assign local variables
    called ``names``.
    """
    if step_offset >= 0:
        if continued:
            raise StructureError("a loop is continued in two ways")
        first = next(
            (at for at, statement in enumerate(body) if statement.address >= step_offset), len(body)
        )
        if first < len(body) and body[first].address != step_offset:
            raise StructureError("a continue leads into a statement")
        if first == len(body) and not step_is_empty:
            raise StructureError("a continue leads nowhere")
        steps = body[first:]
        del body[first:]
        step = steps[0] if len(steps) == 1 else tree.Block(steps) if steps else None
        initial = _initial(out, steps, None, names) if steps else _only(out, condition)
        return tree.For(initial, _test(condition), step, tree.Block(body))
    endless = is_missing(condition)
    if continued or not (endless or (len(body) > 1 and changed(body[-1]) is not None)):
        return tree.While(condition, tree.Block(body))
    if endless:
        return tree.For(None, None, None, tree.Block(body))
    counter = changed(body[-1])
    assert counter is not None
    initial = None
    if mentions(condition, counter) and not is_search(condition, counter, body):
        initial = _initial(out, body[-1:], condition, names)
    if initial is None:
        return tree.While(condition, tree.Block(body))
    return tree.For(initial, condition, body.pop(), tree.Block(body))


def _test(condition: tree.Expression) -> tree.Expression | None:
    """The condition of a for; none where the compiler put ``push.l 1``."""
    return None if is_missing(condition) else condition


def is_missing(condition: tree.Expression) -> bool:
    """Whether a loop's condition is the ``push.l 1`` that stands for none."""
    if type(condition) is tree.Member:
        return condition == tree.Member(tree.Name("UnknownEnum"), "Value_1")
    return type(condition) is tree.Int64 and condition.value == 1


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
            body += rest.statements if type(rest) is tree.Block else [rest]


def _initial(
    out: list[tree.Statement],
    steps: list[tree.Statement],
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


def _only(out: list[tree.Statement], condition: tree.Expression) -> tree.Statement | None:
    """What begins a ``for`` without a step: ``for (i = 0; i < 9;)``."""
    last = out[-1] if out else None
    if not isinstance(last, tree.Assignment) or last.operator != "=" or is_missing(condition):
        return None
    named = isinstance(last.target, tree.Name) and mentions(condition, last.target)
    return out.pop() if named else None


# -- functions -----------------------------------------------------------------------------------


def function(fragment: Fragment, body: list[tree.Statement], dialect: Dialect) -> tree.Function:
    """A function from its statements: parameters, default values, parent constructor."""
    parameters = [tree.Parameter(f"arg{position}") for position in range(fragment.parameters)]
    following = 0
    consumed = 0
    for statement in body:
        found = _default(statement)
        if found is None or found[0] < following:
            break
        position, value = found
        while position >= len(parameters):
            parameters.append(tree.Parameter(f"arg{len(parameters)}"))
        parameters[position].default = value
        following = position + 1
        consumed += 1
    body = body[consumed:]
    if fragment.static_stores:
        _unmarked_statics(fragment, body)
    declare(body, fragment.locals, dialect)
    node = tree.Function("", parameters, tree.Block(body))
    node.parent = fragment.parent_call
    node.constructor = fragment.constructor or fragment.parent_call is not None
    return node


def _unmarked_statics(fragment: Fragment, body: list[tree.Statement]) -> None:
    """The first stores of statics at the head of a function are their declarations."""
    stores = {id(statement) for statement in fragment.static_stores}
    for position, statement in enumerate(body):
        if id(statement) not in stores or not isinstance(statement, tree.Assignment):
            break
        if not isinstance(statement.target, tree.Name) or statement.operator != "=":
            break
        static = tree.Static([tree.Declarator(statement.target.name, statement.value)])
        static.address = statement.address
        body[position] = static


def _default(statement: tree.Statement) -> tuple[int, tree.Expression] | None:
    """(position, value) of ``if (argN == undefined) argN = value``."""
    if not isinstance(statement, tree.If) or statement.otherwise is not None:
        return None
    test = statement.condition
    if not isinstance(test, tree.Binary) or test.operator != "==":
        return None
    if not isinstance(test.left, tree.Name) or not isinstance(test.right, tree.Name):
        return None
    name = test.left.name
    if test.right.name != "undefined" or not isinstance(statement.then, tree.Block):
        return None
    body = statement.then.statements
    if len(body) != 1 or not isinstance(body[0], tree.Assignment) or body[0].operator != "=":
        return None
    if body[0].target != test.left:
        return None
    digits = name.removeprefix("argument").removeprefix("arg")
    if digits == name or not digits.isdigit():
        return None
    return int(digits), body[0].value


# -- struct literals -----------------------------------------------------------------------------


class _Fill(tree.Transformer):
    """Puts values that were computed outside into a struct literal's members."""

    def __init__(self, outside: list[tree.Expression]) -> None:
        self.outside = outside

    def visit_Index(self, node: tree.Index) -> tree.Node:  # noqa: N802 - named after the node
        if isinstance(node.object, tree.Name) and node.object.name == "argument":
            index = node.indices[0]
            if isinstance(index, tree.Number) and isinstance(index.value, int):
                if not 0 <= index.value < len(self.outside):
                    raise StructureError("a struct literal uses a value that it was not given")
                return self.outside[index.value]
        return self.generic_visit(node)

    def visit_Function(self, node: tree.Function) -> tree.Node:  # noqa: N802
        return node


def worked_out(node: tree.Expression) -> tree.Expression:
    """A constant that was computed outside a struct literal, written so that it is again: a plain
    one would be assigned inside."""
    if isinstance(node, tree.Number) and node.value >= 0:
        return tree.Unary("+", node)
    if isinstance(node, tree.String):
        return tree.Binary("+", tree.String(""), node)
    if isinstance(node, tree.Boolean):
        return tree.Unary("!", tree.Boolean(not node.value))
    return node


@cache
def _negatives() -> dict[int | float, str]:
    """Names of the negative constants: ``-4`` would be worked out outside a struct literal."""
    found: dict[int | float, str] = {-3: "all", -4: "noone", -5: "global"}
    for constant in load_constants().values():
        if constant.value < 0 and constant.generation != "gms1":
            found.setdefault(constant.value, constant.name)
    return found


def assigned_inside(node: tree.Expression) -> tree.Expression:
    """A value that a struct literal's own code works out, written so that it does so again."""
    if isinstance(node, tree.Number) and node.value < 0:
        name = _negatives().get(node.value)
        return node if name is None else tree.Name(name)
    if isinstance(node, tree.ArrayLiteral):
        node.elements = [assigned_inside(element) for element in node.elements]
    return node


def struct(body: tree.Function, outside: list[tree.Expression]) -> tree.Expression:
    """The literal that a constructor-like function stands for."""
    members: list[tree.StructMember] = []
    fill = _Fill([worked_out(node) for node in outside])
    for statement in body.body.statements:
        if isinstance(statement, tree.Exit):
            continue
        if not isinstance(statement, tree.Assignment) or statement.operator != "=":
            raise StructureError("a struct literal holds other statements")
        target = statement.target
        if not isinstance(target, (tree.Name, tree.Member)):
            raise StructureError("a struct literal assigns something else than its members")
        value: object = assigned_inside(statement.value)
        if outside:
            value = fill.visit(value)  # type: ignore[arg-type]
        assert isinstance(value, tree.Expression)
        members.append(tree.StructMember(target.name, value))
    return tree.StructLiteral(members)
