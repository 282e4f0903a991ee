"""Branches forward: ``if``, ``?:``, ``&&``, ``||`` and ``switch``."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.choices import ELSE, Choices
from overhaul.gml.decompiler.lift.expressions import Expressions
from overhaul.gml.decompiler.lift.scope import Frame, Value
from overhaul.gml.decompiler.regions.blocks import Blocks, Breakable, Construct, Else
from overhaul.gml.decompiler.regions.tries import Tries
from overhaul.gml.decompiler.unstructured import StructureError
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Instruction

_LEAVING: Final = (op.B, op.EXIT, op.RET)
"""Behind these nothing is reached but by a branch."""


def _any_between(indices: list[int], after: int, before: int) -> bool:
    """Whether one of the indices, which ascend, lies between two."""
    first = bisect_right(indices, after)
    return first < len(indices) and indices[first] < before


@dataclass
class Branches:
    """Reads branches that skip a part of the code."""

    flow: ControlFlow
    frame: Frame
    blocks: Blocks
    expressions: Expressions
    tries: Tries
    choices: Choices

    def on_bf(self, instruction: Instruction, index: int) -> int:
        """bf: an operand of ``&&``, or the condition of an if or ``?:``."""
        blocks, frame = self.blocks, self.frame
        target = self.flow.targets[index]
        if target in self.flow.shorts:
            return self.short_circuit(index, target, "&&")
        condition = self.expressions.pop_condition()
        if not index < target <= blocks.end:
            raise StructureError(f"the branch at {self.flow.where(index)} leads out of its block")
        beyond = self._else_end(index, target)
        if beyond < 0:
            body = blocks.statements(index + 1, target)
            frame.emit(tree.If(condition.node, tree.Block(body)), target)
            return target
        before = frame.owner, frame.last_owner
        body, rest = blocks.block(index + 1, target - 1, salvage=True)
        frame.go_back(before[1])
        if rest:
            frame.owner = before[0]  # a part of the same statement
        height = len(frame.stack)
        record = Else(condition, body, rest, frame.begin, frame.out, blocks.end, height)
        blocks.elses.append(record)
        frame.out, frame.begin, blocks.end = [], target, beyond
        return target

    def _else_end(self, index: int, target: int) -> int:
        """Where the else part that begins at ``target`` ends; -1 if there is none."""
        flow, tries = self.flow, self.tries
        last = target - 1
        if last == index or flow.instructions[last].opcode != op.B:
            return -1
        beyond = flow.targets[last]
        if not target <= beyond <= self.blocks.end:
            return -1
        if _any_between(flow.exits[target], index, last):
            return -1  # the jump belongs to an if inside
        if beyond != target and _any_between(flow.jumps.get(target, []), index, last):
            return -1  # an else part inside ends here: the jump leaves its loop
        outer = self.blocks.breakable
        empty = last == index + 1
        if outer is not None:
            if tries.sets_flag(last - 1):
                return -1
            breaks = empty and outer.break_target == beyond
            if breaks and (tries.in_switch() or not tries.flagged()):
                return -1
            if empty and tries.asks_to_continue(index):
                return -1
        if beyond == target and flow.is_call(last - 2, "@@finish_finally@@"):
            return -1
        if tries.ends_finally(target, beyond):
            return -1
        nothing = beyond == target
        reached = last in flow.landing or flow.instructions[last - 1].opcode not in _LEAVING
        maybe = empty or (nothing and reached)
        if outer is None or not outer.may_leave(beyond):
            return beyond
        joined = maybe and self._continues(outer, index, beyond)
        return beyond if self.choices.take(ELSE, index, int(not joined), 2) else -1

    def _continues(self, outer: Breakable, index: int, target: int) -> bool:
        """Whether a forward jump to ``target`` at the end of the if at ``index`` is more likely a
        ``continue`` of the loop than a jump over an else part."""
        if self.tries.flagged():
            return False
        if outer.continue_target == target or outer.step == target:
            return True
        if outer.kind is Construct.DO or self._continues_behind(outer, index, target):
            return False
        blocks = self.blocks
        if outer.step >= 0 or blocks.end != outer.tail or blocks.elses or target == outer.tail:
            return False
        if any(leaving < index for leaving in self.flow.exits.get(outer.tail, ())):
            return False  # in an if at the end of the loop
        return outer.counted and self.flow.is_one_store(target, outer.tail)

    def _continues_behind(self, outer: Breakable, start: int, end: int) -> bool:
        """Whether a jump in a stretch leads behind it in the loop, as only a ``continue`` does."""
        return any(
            self.flow.is_opcode(at, op.B) and end < self.flow.targets[at] <= outer.tail
            for at in range(start, end)
        )

    def short_circuit(self, index: int, target: int, operator: str) -> int:
        """An operand of ``&&`` or ``||`` ends here; the first one reads all the others."""
        blocks, where = self.blocks, self.flow.where(target)
        if self.flow.shorts[target] != operator:
            raise StructureError(f"a mixed short circuit ends at {where}")
        first = self.expressions.pop_condition()
        if blocks.open_shorts and blocks.open_shorts[-1][0] == target:
            blocks.open_shorts[-1][1].append(first)
            return index + 1
        if target >= blocks.end:
            raise StructureError(f"a short circuit leaves its block at {where}")
        operands: list[Value] = []
        blocks.open_shorts.append((target, operands))
        problem = f"a short circuit of unknown shape ends at {where}"
        last = blocks.value(index + 1, target - 1, problem)
        blocks.open_shorts.pop()
        self.expressions.as_condition(last)
        operands.append(last)
        node = first.node
        if type(node) is tree.Binary and node.operator == operator:
            node.grouped = 1
        for operand in operands:
            node = tree.Binary(operator, node, operand.node)
        value = self.frame.grow_chain(Value(node, op.BOOLEAN), first, *operands)
        self.frame.stack.append(value)
        return target + 1


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
            labels = [other for other in cases if other.address == case.address]
            shared = label is None and len(labels) > 1
            breakable.in_default = None if shared else label is None
            case.body = blocks.body(start, stop, breakable)
            if shared and not breakable.in_default:
                values = [other.value for other in labels[:-1]]
                for other, label in zip(labels, [None, *values], strict=True):
                    other.value = label
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
            while at < self.blocks.end and not self._ends_test(at):
                at = self.blocks.handlers[instructions[at].opcode](instructions[at], at)
            if at >= self.blocks.end or not stack:
                raise StructureError(f"the switch at {flow.where(index)} has no end")
            test = stack.pop()
            if not stack or stack[-1] is not value or test.left is not value:
                raise StructureError(f"a case of an unknown shape at {flow.where(at)}")

    def _ends_test(self, at: int) -> bool:
        """Whether the comparison of a case ends with the instruction, not an operand of ``||``."""
        flow = self.flow
        compared = flow.is_opcode(at, op.BT) and flow.is_opcode(at - 1, op.CMP)
        return compared and flow.targets[at] not in flow.shorts
