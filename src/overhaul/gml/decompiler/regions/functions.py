"""Functions, methods and struct literals in place."""

from __future__ import annotations

from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.errors import StructureError
from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.lift.scope import Scope
from overhaul.gml.decompiler.opcodes import EXIT
from overhaul.gml.decompiler.passes.body import Body
from overhaul.gml.decompiler.passes.pipeline import FUNCTION_PASSES, run
from overhaul.gml.decompiler.regions.blocks import Blocks
from overhaul.gml.decompiler.regions.try_exits import TryExits
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Child


class Functions:
    """Reads the functions that stand inside an entry's code."""

    def __init__(self, flow: ControlFlow, scope: Scope, blocks: Blocks, exits: TryExits) -> None:
        self.flow = flow
        self.scope = scope
        self.blocks = blocks
        self.exits = exits

    def read(self, child: Child, index: int) -> int:
        """A function or struct literal in place: ``b after; its code; exit; after:``"""
        after = self.flow.targets[index]
        start, end = index + 1, after - 1
        if not start <= end < self.blocks.end or not self.flow.is_opcode(end, EXIT):
            raise StructureError(f"function {child.name} has no end")
        outer = self.scope.fragment
        fragment = Fragment(child, start, end)
        fragment.of_constructor = not fragment.is_struct and (
            outer.of_constructor or self.flow.is_call(after + 2, "@@NullObject@@")
        )
        tries, self.exits.depth = self.exits.depth, 0
        self.scope.enter(fragment)
        body = Body(self.blocks.function_body(start, end), fragment, self.blocks.dialect)
        run(FUNCTION_PASSES, body)
        self.scope.enter(outer)
        self.exits.depth = tries
        made = tree.Function("", body.parameters, tree.Block(body.statements))
        made.parent = fragment.parent_call
        made.constructor = fragment.constructor or fragment.parent_call is not None
        made.address = self.flow.offsets[start]
        self.scope.keep(child, made, fragment)
        return after
