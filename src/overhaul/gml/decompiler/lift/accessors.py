"""``list[| i]``, ``map[? key]``, ``a[@ i]``: the functions that accessors compile to."""

from __future__ import annotations

from typing import Final

from overhaul.gml.decompiler.lift.frame import CALLED_ARRAY, PLAIN_ARRAY, Value
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree

GETTERS: Final = {
    "ds_list_find_value": ("|", 1), "ds_map_find_value": ("?", 1), "ds_grid_get": ("#", 2),
    "variable_struct_get": ("$", 1), "struct_get": ("$", 1), "array_get": ("@", 1),
    "@@array_get@@": ("@", 1),
}  # fmt: skip
"""Reading functions that an accessor compiles to, with the number of indices."""
_SETTERS: Final = {
    "ds_list_set": ("|", 1), "ds_map_set": ("?", 1), "ds_grid_set": ("#", 2),
    "variable_struct_set": ("$", 1), "struct_set": ("$", 1), "array_set": ("@", 1),
}  # fmt: skip
"""The writing functions."""
STEPPERS: Final = {f"{name}_post": False for name in _SETTERS} | {
    f"{name}_pre": True for name in _SETTERS
}
"""The writing functions of ``++`` and ``--``, and whether they return the new value."""
_ARRAY_GETTERS: Final = frozenset(("array_get", "@@array_get@@"))
_VARIABLES: Final = (tree.Name, tree.Member)
_COMPOUND: Final = frozenset("+-*/%&|^")


def read_by_accessor(
    name: str, arguments: list[Value], dialect: Dialect
) -> tuple[tree.Expression, int] | None:
    """The accessor that a reading function was written as, and how arrays are read in it; None if
    it was written as a call.

    Both compile to the same call, but from 2.3 on an array element in an accessor's index is
    itself read by a call of array_get.  People write accessors since there are any (GMS1's last
    years), but before 2.3 they read ``async_load`` by name, as the manual did.
    """
    accessor, count = GETTERS[name]
    if len(arguments) != count + 1 or dialect.bytecode14_or_lower:
        return None
    node = arguments[0].node
    inside = 0
    for argument in arguments[1:]:
        inside |= argument.arrays
    arrays = inside | arguments[0].arrays
    if accessor == "@" and dialect.gml_v2:
        if isinstance(node, _VARIABLES):
            nodes: list[tree.Expression | None] = [argument.node for argument in arguments]
            return tree.Call(tree.Name(name), nodes), arrays | CALLED_ARRAY
        accessor = ""
    elif accessor == "?" and not dialect.gml_v2 and node == tree.Name("async_load"):
        return None
    indices = [argument.node for argument in arguments[1:]]
    if dialect.gml_v2 and accessor:
        if inside & PLAIN_ARRAY:
            return None
        if inside & CALLED_ARRAY:
            indices = [_array_elements(each) for each in indices]
    return tree.Index(node, indices, accessor), arrays & ~CALLED_ARRAY


def written_by_accessor(node: tree.Call, dialect: Dialect) -> tree.Statement | None:
    """``ds_list_set(l, i, v)`` as ``l[| i] = v``, which is what makes such calls."""
    function = node.function
    if not isinstance(function, tree.Name) or function.name not in _SETTERS:
        return None
    accessor, count = _SETTERS[function.name]
    parts = [argument for argument in node.arguments if argument is not None]
    if len(parts) != count + 2 or len(parts) != len(node.arguments):
        return None
    if accessor == "@" and dialect.gml_v2:
        if not isinstance(parts[0], _VARIABLES):
            accessor = ""
        elif not dialect.array_copy_on_write:
            return None
    target = tree.Index(parts[0], parts[1:-1], accessor)
    value = parts[-1]
    if isinstance(value, tree.Binary) and value.operator in _COMPOUND and value.left == target:
        return tree.Assignment(target, value.operator + "=", value.right)
    return tree.Assignment(target, "=", value)


def stepped_by_accessor(name: str, arguments: list[Value]) -> tree.Increment | None:
    """``ds_map_set_post(m, k, m[? k] + 1)`` as the ``m[? k]++`` it was written as."""
    value = arguments[-1].node if arguments else None
    if not isinstance(value, tree.Binary) or value.operator not in ("+", "-"):
        return None
    element = value.left
    if value.right != tree.Number(1) or not isinstance(element, tree.Index):
        return None
    if [element.object, *element.indices] != [each.node for each in arguments[:-1]]:
        return None
    return tree.Increment(value.operator * 2, element, STEPPERS[name])


class _Elements(tree.Transformer):
    """Shows calls of array_get as the array elements they were in an accessor's index."""

    def visit_Call(self, node: tree.Call) -> tree.Node:  # noqa: N802 - named after the node
        self.generic_visit(node)
        if isinstance(node.function, tree.Name) and node.function.name in _ARRAY_GETTERS:
            parts = [argument for argument in node.arguments if argument is not None]
            if len(parts) == 2:
                return tree.Index(parts[0], parts[1:])
        return node

    def visit_Function(self, node: tree.Function) -> tree.Node:  # noqa: N802
        return node


def _array_elements(node: tree.Expression) -> tree.Expression:
    """An accessor's index, its calls of array_get shown as array elements."""
    changed = _Elements().visit(node)
    assert isinstance(changed, tree.Expression)
    return changed
