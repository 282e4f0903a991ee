"""Functions and struct literals from their statements."""

from __future__ import annotations

from functools import cache

from overhaul.gml.builtins import load_constants
from overhaul.gml.decompiler.errors import StructureError
from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.transformer import Transformer


def take_default_values(fragment: Fragment) -> None:
    """``if (argN == undefined) argN = value`` at the head of a function: default values."""
    parameters, statements = fragment.parameters, fragment.statements
    parameters += [tree.Parameter(fragment.parameter(number)) for number in range(fragment.used)]
    following = 0
    consumed = 0
    for statement in statements:
        found = _default(statement)
        if found is None or found[0] < following:
            break
        position, value = found
        while position >= len(parameters):
            parameters.append(tree.Parameter(fragment.parameter(len(parameters))))
        parameters[position].default = value
        following = position + 1
        consumed += 1
    del statements[:consumed]


def mark_statics(fragment: Fragment) -> None:
    """The first stores of statics at the head of a function are their declarations, in builds that
    don't mark them; one that is stored again there is assigned."""
    stores = {id(statement) for statement in fragment.static_stores}
    declared: set[str] = set()
    for position, statement in enumerate(fragment.statements):
        if id(statement) not in stores:
            break
        static = as_static(statement)
        if static is None or (name := static.declarators[0].name) in declared:
            break
        declared.add(name)
        fragment.statements[position] = static


def say_self(fragment: Fragment) -> None:
    """``self.a = []`` where the owner's number of another array in ``a`` is that of a variable
    without a dot: that of one with a dot is higher by the function's number, shifted once more."""
    lowest: dict[str, int] = {}
    for _, name, owner in fragment.owned_stores:
        lowest[name] = min(owner, lowest.get(name, owner))
    for statement, name, owner in fragment.owned_stores:
        dotted = owner > lowest[name] and (owner - lowest[name]) & 0xFFFF == 0
        if dotted and type(statement.target) is tree.Name:
            statement.target = tree.Member(tree.Name("self"), name)


def as_static(statement: tree.Statement) -> tree.Static | None:
    """``name = value`` as the declaration of a static variable; None for other statements."""
    if not isinstance(statement, tree.Assignment) or statement.operator != "=":
        return None
    if not isinstance(statement.target, tree.Name):
        return None
    static = tree.Static([tree.Declarator(statement.target.name, statement.value)])
    static.address = statement.address
    return static


def _default(statement: tree.Statement) -> tuple[int, tree.Expression] | None:
    """(position, value) of ``if (argN == undefined) argN = value``."""
    if not isinstance(statement, tree.If) or statement.otherwise is not None:
        return None
    test, then = statement.condition, statement.then
    if not isinstance(test, tree.Binary) or not isinstance(test.left, tree.Name):
        return None
    if test.operator != "==" or test.right != tree.Name("undefined"):
        return None
    if not isinstance(then, tree.Block) or len(then.statements) != 1:
        return None
    store = then.statements[0]
    if not isinstance(store, tree.Assignment) or store.operator != "=" or store.target != test.left:
        return None
    number = test.left.name.removeprefix("argument").removeprefix("arg").rstrip("_")
    if number == test.left.name or not number.isdecimal():
        return None
    return int(number), store.value


# -- struct literals -----------------------------------------------------------------------------


class _Fill(Transformer):
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


def _worked_out(node: tree.Expression) -> tree.Expression:
    """A constant that was computed outside a struct literal, written so that it is again: a plain
    one would be assigned inside."""
    named = isinstance(node, tree.Name) and node.name in load_constants()
    if named or (isinstance(node, tree.Number) and node.value >= 0):
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


def _assigned_inside(node: tree.Expression) -> tree.Expression:
    """A value that a struct literal's own code works out, written so that it does so again."""
    if isinstance(node, tree.Number) and node.value < 0:
        name = _negatives().get(node.value)
        return node if name is None else tree.Name(name)
    if isinstance(node, tree.ArrayLiteral):
        node.elements = [_assigned_inside(element) for element in node.elements]
    return node


def struct_literal(body: tree.Function, outside: list[tree.Expression]) -> tree.Expression:
    """The literal that a constructor-like function stands for."""
    members: list[tree.StructMember] = []
    fill = _Fill([_worked_out(node) for node in outside])
    for statement in body.body.statements:
        if isinstance(statement, tree.Exit):
            continue
        if not isinstance(statement, tree.Assignment) or statement.operator != "=":
            raise StructureError("a struct literal holds other statements")
        target = statement.target
        if not isinstance(target, (tree.Name, tree.Member)):
            raise StructureError("a struct literal assigns something other than its members")
        value = _assigned_inside(statement.value)
        filled = fill.visit(value) if outside else value
        assert isinstance(filled, tree.Expression)
        members.append(tree.StructMember(target.name, filled))
    return tree.StructLiteral(members)
