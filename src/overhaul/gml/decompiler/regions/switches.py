"""``switch``: its labels, and where its bodies and its end are."""

from __future__ import annotations

from dataclasses import dataclass

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.errors import StructureError
from overhaul.gml.decompiler.lift.frame import Frame, Value
from overhaul.gml.decompiler.regions.blocks import Blocks, Breakable, Construct
from overhaul.gml.decompiler.regions.branches import Branches
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Instruction

Label = tuple[int, tree.Expression | None]
"""First instruction of its body, and case value or None for default."""


@dataclass
class SwitchShape:
    """Where the parts of a switch are.

    labels       in source order
    bodies_end   where the last body ends
    leave        the ``popz; b`` that a ``continue`` out of the switch jumps to, or -1
    end          the popz that ends it
    """

    labels: list[Label]
    bodies_end: int
    leave: int
    end: int


@dataclass
class Switches:
    """Reads switches."""

    flow: ControlFlow
    frame: Frame
    blocks: Blocks
    branches: Branches

    def on_bt(self, instruction: Instruction, index: int) -> int:
        """bt: an operand of ``||``, or a case label."""
        target = self.flow.targets[index]
        if target in self.flow.shorts:
            return self.branches.short_circuit(index, target, "||")
        stack = self.frame.stack
        test = stack.pop()
        if stack and test.left is stack[-1]:
            return self.read(index, test)
        raise StructureError(f"the bt at {self.flow.where(index)} belongs to nothing known")

    def read(self, index: int, test: Value | None) -> int:
        """Read the switch whose first case test is the ``bt`` at ``index``; or, without a test,
        one that has no cases and whose first jump is at ``index``.  Its value is on the stack."""
        blocks = self.blocks
        shape = self._find(index, test)
        value = self.frame.stack.pop()
        where = self.flow.where(shape.end)
        if self.frame.stack:
            raise StructureError(f"the switch at {where} crosses another construct")
        outer = blocks.breakable
        if shape.leave >= 0:
            target = self.flow.targets[shape.leave + 1]
            if outer is None or not outer.takes_continue(shape.leave + 1, target):
                where = self.flow.where(shape.leave)
                raise StructureError(f"a continue leaves no loop at {where}")
        breakable = Breakable(Construct.SWITCH, shape.end, shape.leave, shape.end, outer)
        cases: list[tree.Case] = []
        ends = [start for start, _ in shape.labels[1:]] + [shape.bodies_end]
        owner = self.frame.last_owner
        for (start, label), stop in zip(shape.labels, ends, strict=False):
            self.frame.go_back(owner)
            case = tree.Case(label, [])
            case.address = self.flow.offsets[start]
            cases.append(case)
            beside = [each for each in cases if each.address == case.address]
            shared = label is None and len(beside) > 1
            breakable.in_default = None if shared else label is None
            case.body = blocks.body(start, stop, breakable)
            if shared and not breakable.in_default:
                values = [each.value for each in beside[:-1]]
                for each, label in zip(beside, [None, *values], strict=True):
                    each.value = label
        self.frame.emit(tree.Switch(value.node, cases), shape.end + 1)
        return shape.end + 1

    def _find(self, index: int, test: Value | None) -> SwitchShape:
        """The parts of a switch; its value stays on the stack."""
        flow = self.flow
        targets = flow.targets
        cases: list[tuple[int, tree.Expression]] = []
        at = index
        if test is not None:
            at = self._read_cases(index, test, cases)
        first_body = at + 1
        default = -1
        lowest = min((target for target, _ in cases), default=-1)
        if flow.is_opcode(at + 1, op.B) and lowest != at + 1 and at + 1 not in flow.landing:
            default = targets[at]
            first_body = at + 2
            end = targets[at + 1]
        else:
            end = targets[at]
        if not first_body <= end < self.blocks.end or not flow.is_opcode(end, op.POPZ):
            raise StructureError(f"the switch at {flow.where(index)} has no end")
        leave, bodies_end = -1, end
        if (
            flow.is_opcode(end - 2, op.POPZ)
            and end - 2 in flow.landing
            and flow.is_branch(end - 3, op.B, end)
            and flow.is_opcode(end - 1, op.B)
            and targets[end - 1] != end
            and end - 3 >= first_body
        ):
            leave, bodies_end = end - 2, end - 3
        labels: list[Label] = [(min(target, bodies_end), value) for target, value in cases]
        if default >= 0:
            labels.append((min(default, bodies_end), None))
        labels.sort(key=lambda label: label[0])
        if (labels[0][0] if labels else bodies_end) != first_body:
            raise StructureError(f"the switch at {flow.where(index)} has code before its labels")
        return SwitchShape(labels, bodies_end, leave, end)

    def _read_cases(self, index: int, test: Value, cases: list[tuple[int, tree.Expression]]) -> int:
        """Read all case tests; returns the index of the jump behind them."""
        flow, stack = self.flow, self.frame.stack
        instructions = flow.instructions
        value = stack[-1]
        at = index
        while True:
            if not isinstance(test.node, tree.Binary) or test.node.operator != "==":
                raise StructureError(f"a case of an unknown shape at {flow.where(at)}")
            cases.append((flow.targets[at], test.node.right))
            at += 1
            if flow.is_opcode(at, op.B) and at + 1 not in flow.functions:
                return at
            stop = at
            while stop < self.blocks.end and not (
                instructions[stop].opcode == op.BT and instructions[stop - 1].opcode == op.CMP
            ):
                stop += 1
            if stop >= self.blocks.end:
                raise StructureError(f"the switch at {flow.where(index)} has no end")
            while at < stop:
                at = self.blocks.handlers[instructions[at].opcode](instructions[at], at)
            if at != stop or not stack:
                raise StructureError(f"a case of an unknown shape at {flow.where(at)}")
            test = stack.pop()
            if not stack or stack[-1] is not value or test.left is not value:
                raise StructureError(f"a case of an unknown shape at {flow.where(at)}")
