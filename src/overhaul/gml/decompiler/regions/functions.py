"""Functions, methods and struct literals in place."""

from __future__ import annotations

from dataclasses import dataclass

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.errors import StructureError
from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.lift.scope import Scope
from overhaul.gml.decompiler.regions.blocks import Blocks
from overhaul.gml.decompiler.regions.tries import Tries
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Child


@dataclass
class Functions:
    """Reads the functions that stand inside an entry's code."""

    flow: ControlFlow
    scope: Scope
    blocks: Blocks
    tries: Tries

    def read(self, child: Child, index: int) -> int:
        """A function or struct literal in place: ``b after; its code; exit; after:``"""
        after = self.flow.targets[index]
        start, end = index + 1, after - 1
        if not start <= end < self.blocks.end or not self.flow.is_opcode(end, op.EXIT):
            raise StructureError(f"function {child.name} has no end")
        outer = self.scope.fragment
        fragment = Fragment(outer.entry, child, start, end)
        fragment.of_constructor = not fragment.is_struct and (
            outer.of_constructor or self.flow.is_call(after + 2, "@@NullObject@@")
        )
        depth, self.tries.depth = self.tries.depth, 0
        self.scope.enter(fragment)
        fragment.statements = self.blocks.function_body(start, end)
        self.scope.enter(outer)
        self.tries.depth = depth
        made = tree.Function("", fragment.parameters, tree.Block(fragment.statements))
        made.parent = fragment.parent_call
        made.constructor = fragment.constructor or fragment.parent_call is not None
        made.address = self.flow.offsets[start]
        fragment.function = made
        self.scope.keep(fragment)
        return after
