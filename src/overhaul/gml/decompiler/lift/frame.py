"""The stretch of code that is being read: its stack and its statements."""

from __future__ import annotations

from overhaul.gml.decompiler.errors import MAXIMUM_DEPTH, StructureError
from overhaul.gml.decompiler.lift.values import Value
from overhaul.gml.syntax import tree


class Frame:
    """What all readers of one entry's instructions work on.

    ``begin``: index of the first instruction of the statement being read.  ``unowned``: whether
    the owner of arrays is nobody, for that statement, and ``last_unowned``: behind it.  ``budget``:
    how large expressions may grow, by duplicated values.
    """

    __slots__ = ("begin", "budget", "last_unowned", "offsets", "out", "stack", "unowned")

    def __init__(self, offsets: list[int]) -> None:
        self.offsets = offsets
        self.stack: list[Value] = []
        self.out: list[tree.Statement] = []
        self.begin = 0
        self.unowned = self.last_unowned = False
        self.budget = 40 * (len(offsets) - 1) + 2000

    def emit(self, statement: tree.Statement, following: int) -> None:
        """Add a statement that ends before the instruction at ``following``."""
        statement.address = self.offsets[self.begin]
        self.begin = following
        self.unowned = self.last_unowned
        self.out.append(statement)

    def grow(self, value: Value, *parts: Value) -> Value:
        """Note the size and depth of an expression; refuse what would explode or nest too deep."""
        size = 1
        depth = 0
        arrays = 0
        for part in parts:
            size += part.size
            arrays |= part.arrays
            if part.depth > depth:
                depth = part.depth
        value.size = size
        value.depth = depth + 1
        value.arrays = arrays
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
        value.arrays |= left.arrays
        if value.size > self.budget:
            raise StructureError("duplicated values make an expression of unreasonable size")
        return value

    def owned(self, target: tree.Expression) -> tree.Expression:
        """What a statement changes: an element that has no owner was written ``a[@ i]``."""
        if self.unowned and type(target) is tree.Index and not target.accessor:
            return tree.Index(target.object, target.indices, "@", target.position)
        return target
