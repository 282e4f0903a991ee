"""What stands on the simulated stack."""

from __future__ import annotations

from typing import Final

from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Instruction

PLAIN_ARRAY: Final = 1
"""An array element is read by an array access."""
CALLED_ARRAY: Final = 2
"""An element of a variable is read by a call of array_get."""


class Value:
    """A value on the stack: the expression that makes it, and what the bytecode tells besides.

    ``type`` is its current VM type (a DataType), ``converted`` the type before the last ``conv``
    (-1 without one).  ``source`` is the instruction of a plain push.  A binary operation keeps its
    opcode and both sides, an array or member access the very values it was addressed with: a
    compound assignment is recognised by their identity, never by equal text.  ``arrays``: how
    arrays are read anywhere inside (``PLAIN_ARRAY``, ``CALLED_ARRAY``).
    """

    __slots__ = (
        "arrays", "constant", "converted", "depth", "index", "instance", "left", "node", "operator",
        "right", "size", "source", "type",
    )  # fmt: skip

    def __init__(self, node: tree.Expression, type: int, source: Instruction | None = None) -> None:
        self.node = node
        self.type = type
        self.source = source
        self.converted = -1
        self.constant: int | None = None
        self.operator = 0
        self.left: Value | None = None
        self.right: Value | None = None
        self.instance: Value | None = None
        self.index: Value | None = None
        self.size = 1
        self.depth = 1
        self.arrays = 0
