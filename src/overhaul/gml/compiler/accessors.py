"""Elements that are reached by calling a function: ``list[| i]``, ``map[? k]`` and the like."""

from __future__ import annotations

from typing import Final

from overhaul.gml.compiler.emitter import Emitter
from overhaul.gml.compiler.machine import V
from overhaul.gml.compiler.names import Names
from overhaul.gml.compiler.part import Part
from overhaul.gml.compiler.values import Values
from overhaul.gml.syntax import tree

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
ARRAY_2D: Final = ("array_get_2D", "array_set_2D", "array_set_2D_post", "array_set_2D_pre")


class Accessors(Part):
    """Emits the operands of accessors."""

    def __init__(self, code: Emitter, names: Names, values: Values) -> None:
        super().__init__(code, names)
        self.array_get = names.learned.array_get
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
        if kind == "@" and self.array_get != "array_get" and len(node.indices) == 1:
            return (self.array_get, *FUNCTIONS["@"][1:])
        if len(node.indices) == 2 and kind == "@":
            return ARRAY_2D
        return FUNCTIONS[kind]

    def operands(self, node: tree.Index) -> None:
        """The indices, last first, and what they look into."""
        for index in reversed(node.indices):
            self.operand(index)
        self.operand(node.object)

    def operand(self, node: tree.Expression) -> None:
        """An argument of an accessor; there plain array elements are read by a function too
        (2.3+).
        """
        if (
            self.v2
            and isinstance(node, tree.Index)
            and node.accessor in ("", "@")
            and len(node.indices) == 1
            and isinstance(node.object, tree.Name)
        ):
            self.values.value(node.indices[0])
            self.values.value(node.object)
            self.code.call(self.array_get, 2)
            return
        self.values.value(node)

    def get(self, node: tree.Index) -> None:
        """Read an element."""
        self.operands(node)
        self.code.call(self.functions(node)[0], len(node.indices) + 1)

    def set(self, node: tree.Index) -> None:
        """Write the value on top of the stack to an element."""
        self.operands(node)
        self.code.call(self.functions(node)[1], len(node.indices) + 2)
        self.code.discard(V)
