"""How values are used: what a reader of code reports, and what it asks in return."""

from __future__ import annotations

from overhaul.gml.decompiler.options import DEFAULT, DecompileOptions
from overhaul.gml.decompiler.types.constants import double_node
from overhaul.gml.syntax.tree import Binary, Expression


class Uses:
    """Receives each use of a value; what a method returns is shown in its place.

    This one shows everything as it is.
    """

    def __init__(self, options: DecompileOptions = DEFAULT) -> None:
        self.options = options

    def assigned(self, target: Expression, node: Expression, operator: str) -> Expression:
        """``target = node``, or with another operator; for ``++`` and ``--`` both are the same."""
        return node

    def compared(
        self, left: Expression, right: Expression, by_size: bool
    ) -> tuple[Expression, Expression]:
        """``left == right``, or (``by_size``) ``left < right``."""
        return left, right

    def double(self, operand: object) -> Expression:
        """A double, which may have been worked out."""
        return double_node(operand, fractions=self.options.fractions)

    def calculated(self, node: Binary) -> None:
        """``left - right``, whose sides may be replaced; a sum may also join strings."""

    def asked(self, node: Expression) -> None:
        """A condition."""

    def addressed(self, node: Expression) -> None:
        """Left of a dot, or in a ``with``."""

    def as_instance(self, node: Expression) -> Expression:
        """Where only an instance or object may stand."""
        return node

    def returned(self, node: Expression) -> Expression:
        """The result of the current function."""
        return node

    def passed(self, name: str, nodes: list[Expression | None]) -> None:
        """Arguments of a function, which may be replaced in the list."""

    def passed_own(self, name: str, nodes: list[Expression | None]) -> None:
        """The same for a function, constructor or method of the game's own."""
