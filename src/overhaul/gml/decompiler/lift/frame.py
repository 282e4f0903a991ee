"""The stretch of code that is being read: the values on its stack, and its statements."""

from __future__ import annotations

from overhaul.gml.decompiler.errors import MAXIMUM_DEPTH, StructureError
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Instruction


class Value:
    """A value on the stack: the expression that makes it, and what the bytecode says besides.

    ``type`` is its current VM type (a DataType), ``converted`` the type before the last ``conv``
    (-1 without one).  ``source`` is the instruction of a plain push.  A binary operation keeps its
    opcode and both sides, an array or member access the same values it was addressed with: a
    compound assignment is recognised by their identity, never by equal text.
    """

    __slots__ = (
        "constant", "converted", "depth", "index", "instance", "left", "node", "operator",
        "right", "size", "source", "type",
    )  # fmt: skip

    def __init__(self, node: tree.Expression, type: int, source: Instruction | None = None) -> None:
        self.node: tree.Expression = node
        self.type: int = type
        self.source: Instruction | None = source
        self.converted: int = -1
        self.constant: int | None = None
        self.operator: int = 0
        self.left: Value | None = None
        self.right: Value | None = None
        self.instance: Value | None = None
        self.index: Value | None = None
        self.size: int = 1
        self.depth: int = 1


class Frame:
    """What all readers of one entry's instructions work on.

    ``begin``: index of the first instruction of the statement being read.  ``owner``: the number
    of the owner of arrays for that statement, and ``last_owner``: behind it.  ``budget``: how large
    expressions may grow, by duplicated values.  ``stepped``: the index that the last ``dup.l``
    copied, as only ``++`` and ``--`` of an
    element do before 2.3.
    """

    __slots__ = (
        "begin", "budget", "last_owner", "offsets", "out", "owner", "stack", "stepped",
    )  # fmt: skip

    def __init__(self, offsets: list[int]) -> None:
        self.offsets: list[int] = offsets
        self.stack: list[Value] = []
        self.out: list[tree.Statement] = []
        self.begin: int = 0
        self.stepped: Value | None = None
        self.owner: int = -1
        self.last_owner: int = -1
        self.budget: int = 40 * (len(offsets) - 1) + 2000

    def emit(self, statement: tree.Statement, following: int) -> None:
        """Add a statement that ends before the instruction at ``following``."""
        statement.address = self.offsets[self.begin]
        self.begin = following
        self.owner = self.last_owner
        self.out.append(statement)

    def grow(self, value: Value, *parts: Value) -> Value:
        """Note the size and depth of an expression; refuse what would explode or nest too deep."""
        size = 1
        depth = 0
        for part in parts:
            size += part.size
            if part.depth > depth:
                depth = part.depth
        value.size = size
        value.depth = depth + 1
        if depth >= MAXIMUM_DEPTH:
            raise StructureError(f"an expression nests deeper than {MAXIMUM_DEPTH}")
        if size > self.budget:
            raise StructureError("duplicated values make an expression of unreasonable size")
        return value

    def grow_chain(self, value: Value, left: Value, *parts: Value) -> Value:
        """As :meth:`grow` for a chain of operators of one level: its spine to the left, which is
        walked by loops, costs no depth."""
        self.grow(value, *parts)
        value.depth = max(value.depth, left.depth)
        value.size += left.size
        if value.size > self.budget:
            raise StructureError("duplicated values make an expression of unreasonable size")
        return value

    def mark(self, owner: int, index: int) -> None:
        """The instruction at ``index`` marks an owner of arrays."""
        self.last_owner = owner
        if index == self.begin + 1:
            self.owner = owner

    def go_back(self, owner: int) -> None:
        """Read on where the owner of arrays is as it was before another branch."""
        self.owner = owner
        self.last_owner = owner

    def owned(self, target: tree.Expression) -> tree.Expression:
        """What a statement changes: an element that has no owner was written ``a[@ i]``."""
        if not self.owner & 0xFFFF and type(target) is tree.Index and not target.accessor:
            return tree.Index(target.object, target.indices, "@", target.position)
        return target
