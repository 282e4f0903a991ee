"""The values that parts of the compiler pass to each other: nodes, constants, accesses,
problems."""

from __future__ import annotations

from typing import ClassVar, Final

from overhaul.gml.syntax import tree


class HoistedArgument(tree.Expression):
    """The value number ``index`` that is passed to the function of a struct literal."""

    fields: ClassVar[tuple[str, ...]] = ("index",)

    def __init__(self, index: int, position: int = -1) -> None:
        super().__init__(position)
        self.index = index


class Hooked(tree.Try):
    """A ``try`` whose ways out are rewritten already."""


class Truth(tree.Boolean):
    """The result of a folded comparison: a boolean even where ``true`` is a number."""


Constant = tree.Number | tree.Int64 | tree.String | tree.Boolean
CONSTANTS: Final = (tree.Number, tree.Int64, tree.String, tree.Boolean)


def number(value: int | float, position: int) -> tree.Number:
    """A constant double; integral ones are kept as int when a double holds them."""
    if isinstance(value, int) and abs(value) > 1 << 53:
        value = float(value)
    return tree.Number(value, position=position)


class Problem(Exception):
    """Raised where the source does not compile; leaves the statement."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


# How a variable is reached: the resolver's decision, read by the emitting parts.

READ: Final = 0
WRITE: Final = 1
CHANGE: Final = 2  # read and written: compound assignment
STEP: Final = 3  # the same for ++ and --

ELEMENT: Final = 0x100  # kind of access: an element behind an array reference (pushaf, popaf)


class Access:
    """A variable whose instance and index operands have been pushed.

    ``kind`` is a ReferenceType or ELEMENT; ``own`` the scope of the variable's own record, which
    an array is not read by. ``opcode`` reads it when nothing was pushed; ``over``:
    a value lies under the pushed -9.
    """

    __slots__ = ("instance", "kind", "name", "opcode", "over", "own", "scope")

    def __init__(
        self, kind: int, name: str, scope: int, instance: int, opcode: int, over: bool = False
    ) -> None:
        self.own: int = scope
        self.kind: int = kind
        self.name: str = name
        self.scope: int = scope
        self.instance: int = instance
        self.opcode: int = opcode
        self.over: bool = over
