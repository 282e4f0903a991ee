"""``switch``: its labels, and where its bodies and its end are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.errors import StructureError
from overhaul.gml.decompiler.lift.frame import Frame, Value
from overhaul.gml.decompiler.regions.blocks import Blocks, Breakable, Construct
from overhaul.gml.decompiler.regions.branches import Branches
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Instruction
from overhaul.gml.vm.opcodes import Comparison

_LEFT: Final = ("@@try_unhook@@", "@@finish_catch@@")
_DROPPED: Final = ("@@try_unhook@@", "@@throw@@")
"""Functions whose results no popz takes before an exit."""
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
        owner, known = self.frame.last_owner, self.frame.known_owner
        marks = len(self.frame.marks)
        for (start, label), stop in zip(shape.labels, ends, strict=False):
            self.frame.go_back(owner)
            self.frame.known_owner = known
            breakable.in_default = label is None
            case = tree.Case(label, blocks.body(start, stop, breakable))
            case.address = self.flow.offsets[start]
            cases.append(case)
        if len(self.frame.marks) != marks:
            self.frame.known_owner = None
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
            default = min(default, bodies_end)
            first = self._is_undone(default, [start for start, _ in labels], bodies_end)
            labels.insert(0 if first else len(labels), (default, None))
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

    # -- default beside a case -----------------------------------------------------------------

    def _is_undone(self, default: int, starts: list[int], end: int) -> bool:
        """Whether a body that a default shares with a case undoes the switch before it exits.

        Where compilers forget that in a default, a case must have been the last of its labels.
        """
        flow = self.flow
        if default not in starts or not self.blocks.dialect.switch_default_exit_keeps_value:
            return False
        stop = min((start for start in starts if start > default), default=end)
        around = 0
        outer = self.blocks.breakable
        while outer is not None:
            around += outer.kind in (Construct.SWITCH, Construct.REPEAT) and not outer.in_default
            outer = outer.parent
        index = first = default
        inside: list[int] = []  # the ends of switches and repeats in the body
        while index < stop:
            while inside and index >= inside[-1]:
                first = inside.pop()
            opcode = flow.instructions[index].opcode
            if opcode == op.BT:
                first = index + 1
                end = self._behind_counted(index)
                if end > first and end not in inside:
                    inside.append(end)
            elif opcode in (op.EXIT, op.RET):
                last = index - (1 if opcode == op.EXIT else 2)
                undone = self._values_undone(first, last) > around + len(inside)
                if undone or not inside:  # one inside may leave out its own
                    return undone
            if index + 1 in flow.functions and flow.targets.get(index, -1) > index:
                index = flow.targets[index]
            else:
                index += 1
        return False

    def _behind_counted(self, index: int) -> int:
        """The index behind a ``bt``: if it begins a switch or a repeat, behind all of that."""
        flow = self.flow
        copied = flow.is_opcode(index - 1, op.CMP) and flow.is_opcode(index - 3, op.DUP)
        if not copied or flow.instructions[index - 3].value:
            return index + 1
        if flow.instructions[index - 1].value == Comparison.LTE:
            return flow.behind(flow.targets[index], op.POPZ)
        while index < self.blocks.end and not flow.is_opcode(index, op.B):
            index += 1
        ends = [flow.targets[each] for each in (index, index + 1) if flow.is_opcode(each, op.B)]
        return flow.behind(max(index + 1, *ends), op.POPZ) if ends else index

    def _values_undone(self, first: int, last: int) -> int:
        """How many values are taken off the stack before an exit, from ``first`` to the
        instruction before it, ``last``."""
        is_opcode = self.flow.is_opcode
        while any(self.flow.is_call(last, name) for name in _LEFT):
            last -= 1  # what ends a try that is left stands behind
        undone = 0
        while last >= first and (is_opcode(last, op.POPZ) or is_opcode(last, op.POPENV)):
            undone += is_opcode(last, op.POPZ)
            last -= 1
        called = is_opcode(last, op.CALL) or is_opcode(last, op.CALLV)
        if called and not any(self.flow.is_call(last, name) for name in _DROPPED):
            undone -= 1  # the first takes what the call leaves
        return undone
