"""Emitting of expressions: each kind of node goes to the part that knows it."""

from __future__ import annotations

from collections.abc import Callable

from overhaul.gml.compiler.emitter import Emitter
from overhaul.gml.compiler.folder import Folder
from overhaul.gml.compiler.machine import B, V
from overhaul.gml.compiler.names import Names
from overhaul.gml.compiler.owners import Owners
from overhaul.gml.compiler.part import Part
from overhaul.gml.syntax import tree


class Values(Part):
    """Emits expressions; every method that emits one returns the type of the value it leaves.

    ``emitters`` has what emits each kind of node; whoever puts the parts together fills it.
    """

    def __init__(self, code: Emitter, names: Names, folder: Folder, owners: Owners) -> None:
        super().__init__(code, names)
        self.folder = folder
        self.owners = owners
        self.emitters: dict[type, Callable[..., int]] = {}

    def expression(self, node: tree.Expression) -> int:
        """Emit an expression, folded first."""
        return self.emit(self.folder.fold(node))

    def emit(self, node: tree.Expression) -> int:
        """Emit an expression that is folded already."""
        if self.source_map is not None:
            self.source_map.value(node)
        if self.owners.enabled:
            self.owners.mark_maker(node)
        return self.emitters[type(node)](node)

    def value(self, node: tree.Expression) -> None:
        """An expression, converted to a V."""
        self.code.convert(self.expression(node), V)

    def condition(self, node: tree.Expression) -> None:
        """An expression, converted to a boolean."""
        self.code.convert(self.expression(node), B)
