"""The extended operations behind ``break``: references, statics, ``??``."""

from __future__ import annotations

from dataclasses import dataclass

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.fragment import as_static
from overhaul.gml.decompiler.lift.accessors import written_by_accessor
from overhaul.gml.decompiler.lift.expressions import Expressions
from overhaul.gml.decompiler.lift.scope import Frame, Value
from overhaul.gml.decompiler.lift.stores import Stores
from overhaul.gml.decompiler.regions.blocks import Blocks
from overhaul.gml.decompiler.unstructured import StructureError
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Instruction
from overhaul.gml.vm.opcodes import Extended


@dataclass
class ExtendedOperations:
    """Handler of ``break``."""

    flow: ControlFlow
    frame: Frame
    blocks: Blocks
    expressions: Expressions
    stores: Stores

    def on_break(self, instruction: Instruction, index: int) -> int:
        """The operations behind ``break``."""
        frame, number = self.frame, instruction.value
        if number == Extended.PUSHREF:
            self.expressions.push_reference(instruction)
        elif number in (Extended.PUSHAF, Extended.PUSHAC):
            frame.stack.append(self.expressions.pop_element())
        elif number == Extended.POPAF:
            self.stores.store_element(index + 1)
        elif number == Extended.SETOWNER:
            self._set_owner(index)
            if index + 1 == self.blocks.end and not frame.stack:
                return self.blocks.remark("setowner for nothing", index)
        elif number == Extended.ISSTATICOK:
            return self._read_statics(index)
        elif number == Extended.SETSTATIC:
            if not frame.stack:
                frame.begin = index + 1
        elif number == Extended.CHKNULLISH:
            return self._read_nullish(index)
        elif number not in (Extended.CHKINDEX, Extended.SAVEREF, Extended.RESTOREREF):
            raise StructureError(f"an unknown operation break.e {number}")
        return index + 1

    def _set_owner(self, index: int) -> None:
        frame = self.frame
        source = frame.stack.pop().source
        if source is None or source.type1 not in (op.INT16, op.INT32, op.INT64):
            raise StructureError("setowner of no number")
        owner = source.value if source.type1 == op.INT16 else source.operand
        frame.mark(owner if isinstance(owner, int) else -1, index)

    def _read_statics(self, index: int) -> int:
        """``isstaticok; bt end; static assignments; end:``"""
        if not self.flow.is_opcode(index + 1, op.BT):
            raise StructureError("isstaticok without a branch")
        end = self.flow.targets[index + 1]
        if self.frame.stack or not index + 1 < end <= self.blocks.end:
            raise StructureError("a static block crosses another construct")
        statements = self.blocks.statements(index + 2, end)
        if not statements:  # all of its statics have no value
            self.frame.out.append(tree.Static([]))
        for statement in statements:
            static = as_static(statement)
            if static is None:
                raise StructureError("a static block holds other statements")
            self.frame.out.append(static)
        self.frame.begin = end
        return end

    def _read_nullish(self, index: int) -> int:
        """``??`` and ``??=``"""
        flow, frame = self.flow, self.frame
        if not (flow.is_opcode(index + 1, op.BF) and flow.is_opcode(index + 2, op.POPZ)):
            raise StructureError("chknullish of an unknown shape")
        target = flow.targets[index + 1]
        left = frame.stack.pop()
        if flow.is_opcode(target, op.POPZ) and flow.is_branch(target - 1, op.B, target + 1):
            begin = frame.begin
            out = self.blocks.run_inline(index + 3, target - 1)
            stored = out[0] if len(out) == 1 else None
            if isinstance(stored, tree.ExpressionStatement):
                call = stored.expression
                if isinstance(call, tree.Call):
                    stored = written_by_accessor(call, self.blocks.dialect, nullish=True)
            if not isinstance(stored, tree.Assignment):
                raise StructureError("??= of an unknown shape")
            frame.begin = begin
            place = frame.owned(stored.target)
            frame.emit(tree.Assignment(place, "??=", stored.value), target + 1)
            return target + 1
        if not index + 2 < target <= self.blocks.end:
            raise StructureError("?? of an unknown shape")
        right = self.blocks.value(index + 3, target, "?? of an unknown shape")
        node = tree.Binary("??", left.node, right.node)
        frame.stack.append(frame.grow(Value(node, op.VARIABLE), left, right))
        return target
