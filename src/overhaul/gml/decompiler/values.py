"""What stands on the simulated stack, and what goes wrong."""

from __future__ import annotations

from typing import Final

from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Instruction

MAXIMUM_DEPTH: Final = 80
"""How deep expressions and statements may nest."""


PLAIN_ARRAY: Final = 1
"""An array element is read by an array access."""
CALLED_ARRAY: Final = 2
"""An element of a variable is read by a call of array_get."""


class StructureError(Exception):
    """A stretch of code has no structured form; the message says why.  Never leaves the package."""


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


class Breakable:
    """A construct that ``break`` or ``continue`` can leave, while its body is being read.

    Targets are instruction indices, -1 while unknown.  The ``continue`` of a ``for`` jumps forward,
    to a place that only its use tells: such a jump sets ``step``.  ``counted``: the loop counts a
    variable up or down at its end that was set just before it, so that it may well be a ``for``.
    """

    __slots__ = (
        "break_target", "continue_target", "continued", "counted", "kind", "parent", "step", "tail",
    )  # fmt: skip

    def __init__(
        self,
        kind: str,
        break_target: int,
        continue_target: int,
        tail: int,
        parent: Breakable | None,
    ) -> None:
        self.kind = kind
        self.break_target = break_target
        self.continue_target = continue_target
        self.tail = tail
        self.parent = parent
        self.step = -1
        self.continued = False
        self.counted = False
