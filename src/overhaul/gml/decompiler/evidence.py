"""What tells a number's meaning: the functions it is given to, the variables it meets."""

from __future__ import annotations

from typing import Final

from overhaul.gml.context import Context
from overhaul.gml.syntax import tree

AUTOMATIC_ARRAYS: Final = frozenset(
    [f"background_{name}" for name in (
        "visible", "foreground", "index", "x", "y", "width", "height", "htiled", "vtiled", "xscale",
        "yscale", "hspeed", "vspeed", "blend", "alpha",
    )]
    + [f"view_{name}" for name in (
        "visible", "xview", "yview", "wview", "hview", "angle", "hborder", "vborder", "hspeed",
        "vspeed", "object", "xport", "yport", "wport", "hport", "surface_id", "camera",
    )]
    + ["phy_collision_x", "phy_collision_y", "phy_col_normal_x", "phy_col_normal_y"]
)  # fmt: skip
"""Built-in arrays that mean their element 0 when written without an index."""


class Evidence:
    """Names for one code entry's numbers, from what a context knows."""

    automatic_arrays = AUTOMATIC_ARRAYS

    def __init__(self, context: Context) -> None:
        self.context = context
        self.declared: set[str] = set()
        self.enum_values: set[int] = set()
        self._names: dict[str, str] = {}

    def function_name(self, code_name: str) -> str:
        """What source text calls the function with this code entry (or built-in) name."""
        name = self._names.get(code_name)
        if name is None:
            name = self.context.function_of_code(code_name)
            if name is None:
                name = code_name.removeprefix("gml_Script_") if self.context.dialect.gml_v2 else code_name
            self._names[code_name] = name
        return name

    def is_builtin(self, name: str) -> bool:
        return False

    def enum_member(self, number: int) -> tree.Expression | None:
        return None

    def as_kind(self, node: tree.Expression, kind: str) -> tree.Expression:
        return node

    def assigned(self, target: tree.Expression, node: tree.Expression) -> tree.Expression:
        return node

    def compared(self, other: tree.Expression, node: tree.Expression) -> tree.Expression:
        return node

    def type_arguments(self, name: str, nodes: list[tree.Expression | None]) -> None:
        pass
