"""Elements that are reached by calling a function: ``list[| i]``, ``map[? k]`` and the like."""

from __future__ import annotations

from typing import Final

from overhaul.gml.compiler.emitter import Emitter
from overhaul.gml.compiler.machine import I, V
from overhaul.gml.compiler.names import Names
from overhaul.gml.compiler.part import Part
from overhaul.gml.compiler.values import Values
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.language import is_name

FUNCTIONS: Final = {
    "|": ("ds_list_find_value", "ds_list_set", "ds_list_set_post", "ds_list_set_pre"),
    "?": ("ds_map_find_value", "ds_map_set", "ds_map_set_post", "ds_map_set_pre"),
    "#": ("ds_grid_get", "ds_grid_set", "ds_grid_set_post", "ds_grid_set_pre"),
    "$": (
        "variable_struct_get", "variable_struct_set",
        "variable_struct_set_post", "variable_struct_set_pre",
    ),
    "@": ("array_get", "array_set", "array_set_post", "array_set_pre"),
}  # fmt: skip
"""The function that reads an accessor, writes it, and stores for ++ and leaves the old or the new
value."""
INTERNAL_ARRAY: Final = ("@@array_get@@", "@@array_set@@", *FUNCTIONS["@"][2:])
ARRAY_2D: Final = ("array_get_2D", "array_set_2D", "array_set_2D_post", "array_set_2D_pre")


class Accessors(Part):
    """Emits the operands of accessors."""

    def __init__(self, code: Emitter, names: Names, values: Values) -> None:
        super().__init__(code, names)
        internal = self.dialect.internal_array_access
        self.array_access = INTERNAL_ARRAY if internal else FUNCTIONS["@"]
        self.values = values

    def is_call(self, node: tree.Index) -> bool:
        """Whether an element is reached by calling a function."""
        if node.accessor in ("", "@"):
            if node.accessor == "@" and not self.v2:
                return True
            base = node.object
            while self.v2 and isinstance(base, tree.Index) and base.accessor in ("", "@"):
                base = base.object
            return not isinstance(base, (tree.Name, tree.Member))
        return True

    def functions(self, node: tree.Index) -> tuple[str, str, str, str]:
        """What reads, writes, and stores for ++ (the old value stays, the new one stays)."""
        kind = node.accessor or "@"
        if kind == "@":
            return ARRAY_2D if len(node.indices) == 2 else self.array_access
        return FUNCTIONS[kind]

    def operands(self, node: tree.Index) -> None:
        """The indices, last first, and what they look into."""
        for index in reversed(node.indices):
            self.operand(index)
        self.operand(node.object)

    def operand(self, node: tree.Expression) -> None:
        """An argument of an accessor; there elements of plain arrays are read by a function too
        (2.3+).
        """
        if not self.v2 or not is_plain_element(node):
            self.values.value(node)
            return
        spine: list[tree.Index] = []
        inner: tree.Expression = node
        while isinstance(inner, tree.Index):
            spine.append(inner)
            inner = inner.object
        indices = [index for each in reversed(spine) for index in each.indices]
        for index in reversed(indices):
            self.values.value(index)
        self.values.value(inner)
        for _ in indices:
            self.code.call(self.array_access[0], 2)

    def get(self, node: tree.Index) -> None:
        """Read an element."""
        key = constant_key(node) if self.dialect.struct_keys_fold else ""
        if key:
            self.code.push_hash(key)
            self.code.convert(I, V)
            self.operand(node.object)
            self.code.call("struct_get_from_hash", 2)
            return
        self.operands(node)
        self.code.call(self.functions(node)[0], len(node.indices) + 1)

    def set(self, node: tree.Index) -> None:
        """Write the value on top of the stack to an element."""
        self.operands(node)
        self.code.call(self.functions(node)[1], len(node.indices) + 2)
        self.code.discard(V)


def constant_key(node: tree.Index) -> str:
    """The name of the member that ``struct[$ "name"]`` is; "" for other elements."""
    key = node.indices[0]
    if node.accessor != "$" or not isinstance(key, tree.String):
        return ""
    return key.value if is_name(key.value) else ""


def is_plain_element(node: tree.Expression) -> bool:
    """Whether an expression is an element of an array that a plain name holds."""
    if not isinstance(node, tree.Index):
        return False
    inner: tree.Expression = node
    while isinstance(inner, tree.Index) and inner.accessor in ("", "@"):
        inner = inner.object
    return isinstance(inner, tree.Name)
