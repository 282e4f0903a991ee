"""``list[| i]``, ``map[? key]``, ``a[@ i]``: the functions that accessors compile to."""

from __future__ import annotations

from typing import Final

from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.language import is_name

GETTERS: Final = {
    "ds_list_find_value": ("|", 1), "ds_map_find_value": ("?", 1), "ds_grid_get": ("#", 2),
    "variable_struct_get": ("$", 1), "array_get": ("@", 1),
    "@@array_get@@": ("@", 1), "array_get_2D": ("@", 2), "struct_get_from_hash": ("$", 1),
}  # fmt: skip
"""Reading functions that an accessor compiles to, with the number of indices."""
_SETTERS: Final = {
    "ds_list_set": ("|", 1), "ds_map_set": ("?", 1), "ds_grid_set": ("#", 2),
    "variable_struct_set": ("$", 1), "array_set": ("@", 1),
    "@@array_set@@": ("@", 1), "array_set_2D": ("@", 2),
}  # fmt: skip
"""The writing functions."""
_NAMED: Final = ("|", "?")
"""Accessors whose functions some people call instead; of grids no code shows which."""
STEPPERS: Final = {f"{name}_post": False for name in _SETTERS} | {
    f"{name}_pre": True for name in _SETTERS
}
"""The writing functions of ``++`` and ``--``, and whether they return the new value."""
_VARIABLES: Final = (tree.Name, tree.Member)
_COMPOUND: Final = frozenset("+-*/%&|^")


def read_by_accessor(
    name: str,
    arguments: list[tree.Expression],
    dialect: Dialect,
    called: bool = False,
) -> tree.Expression | None:
    """The accessor that a reading function was written as; None if it was written as a call.

    Both compile to the same call, but from 2.3 on an array element that is an operand of an
    accessor is itself read by a call.  People write accessors since there are any (GMS1's last
    years), but some call functions for lists and maps (``called``), and before 2.3 they read
    ``async_load`` by name, as the manual did.
    """
    accessor, count = GETTERS[name]
    if len(arguments) != count + 1 or dialect.bytecode14_or_lower:
        return None
    if accessor == "@" and dialect.gml_v2:
        expected = "array_get_2D" if count == 2 else _array_getter(dialect)
        if name != expected or isinstance(_array(arguments[0]), _VARIABLES):
            return None
        accessor = ""
    elif name == "struct_get_from_hash":
        key = _hashed_key(arguments[1])
        if key is None or not dialect.struct_keys_fold:
            return None
        arguments = [arguments[0], key]
    elif accessor == "$":
        if not dialect.gml_v2 or (dialect.struct_keys_fold and _is_folded(arguments[1])):
            return None
    elif accessor == "?" and not dialect.gml_v2 and arguments[0] == tree.Name("async_load"):
        return None
    operands = _operands(arguments, accessor, dialect)
    if operands is None or (called and accessor in _NAMED and operands == arguments):
        return None
    return tree.Index(operands[0], operands[1:], accessor)


def written_by_accessor(
    node: tree.Call, dialect: Dialect, nullish: bool = False
) -> tree.Assignment | None:
    """``ds_list_set(l, i, v)`` as ``l[| i] = v``, which is what makes such calls; ``nullish``: as
    the store of a ``??=``."""
    function = node.function
    if not isinstance(function, tree.Name) or function.name not in _SETTERS:
        return None
    accessor, count = _SETTERS[function.name]
    parts = [argument for argument in node.arguments if argument is not None]
    if len(parts) != count + 2 or len(parts) != len(node.arguments):
        return None
    if dialect.bytecode14_or_lower or (accessor == "$" and not dialect.gml_v2):
        return None
    if accessor == "@" and dialect.gml_v2:
        internal = function.name == "@@array_set@@"
        if count == 1 and internal != dialect.internal_array_access:
            return None
        if not isinstance(_array(parts[0]), _VARIABLES):
            accessor = ""
        elif not dialect.array_copy_on_write:
            return None
    operands = _operands(parts[:-1], accessor, dialect)
    if operands is None:
        return None
    target = tree.Index(operands[0], operands[1:], accessor)
    value = parts[-1]
    if isinstance(value, tree.Binary) and value.operator in _COMPOUND and value.left == target:
        return tree.Assignment(target, value.operator + "=", value.right)
    if accessor == "$" and dialect.struct_keys_stored and _is_folded(operands[1]) and not nullish:
        return None
    return tree.Assignment(target, "=", value)


def stepped_by_accessor(
    name: str, arguments: list[tree.Expression], dialect: Dialect
) -> tree.Increment | None:
    """``ds_map_set_post(m, k, m[? k] + 1)`` as the ``m[? k]++`` it was written as."""
    value = arguments[-1] if arguments else None
    if not isinstance(value, tree.Binary) or value.operator not in ("+", "-"):
        return None
    element: tree.Expression | None = value.left
    if isinstance(element, tree.Call) and isinstance(element.function, tree.Name):
        read = [argument for argument in element.arguments if argument is not None]
        getter = element.function.name
        element = read_by_accessor(getter, read, dialect) if getter in GETTERS else None
    if value.right != tree.Number(1) or not isinstance(element, tree.Index):
        return None
    if [element.object, *element.indices] != _operands(arguments[:-1], "?", dialect):
        return None
    return tree.Increment(value.operator * 2, element, STEPPERS[name])


def is_element_of_variable(node: tree.Expression) -> bool:
    """Whether an element is reached from a variable, through accessors or not."""
    while isinstance(node, tree.Index):
        node = node.object
    return isinstance(node, _VARIABLES)


def _is_folded(key: tree.Expression) -> bool:
    """Whether ``[$ key]`` compiles to the number of a constant key, where a release does so."""
    return type(key) is tree.String and is_name(key.value)


def _hashed_key(node: tree.Expression) -> tree.String | None:
    """The key in a call that stands for the key's number."""
    if type(node) is not tree.Call or node.function != tree.Name("variable_get_hash"):
        return None
    key = node.arguments[0] if len(node.arguments) == 1 else None
    return key if type(key) is tree.String and is_name(key.value) else None


def _array_getter(dialect: Dialect) -> str:
    return "@@array_get@@" if dialect.internal_array_access else "array_get"


def _array(node: tree.Expression) -> tree.Expression:
    """The array that an element is in, through all plain indices."""
    while isinstance(node, tree.Index) and node.accessor in ("", "@"):
        node = node.object
    return node


def _operands(
    nodes: list[tree.Expression], accessor: str, dialect: Dialect
) -> list[tree.Expression] | None:
    """The operands of an accessor as they were written; None where no accessor has such.

    An index without a sign is not one of a variable's array: its elements need no call.
    """
    if not dialect.gml_v2:
        return nodes
    shown = [] if accessor else nodes[:1]
    for node in nodes[len(shown) :]:
        plain = isinstance(node, tree.Index) and not node.accessor
        if plain and isinstance(_array(node), tree.Name):
            return None  # an accessor would call a function for it
        shown.append(_element(node, dialect))
    return shown


def _element(node: tree.Expression, dialect: Dialect) -> tree.Expression:
    """The element that a call reads, as it was written in an accessor."""
    if isinstance(node, tree.Index) and not node.accessor:
        base = _element(node.object, dialect)
        return node if base is node.object else tree.Index(base, node.indices)
    if isinstance(node, tree.Call) and node.function == tree.Name(_array_getter(dialect)):
        array, *indices = [argument for argument in node.arguments if argument is not None]
        if isinstance(array, tree.Name) and len(indices) == 1:
            return tree.Index(array, indices)
    return node
