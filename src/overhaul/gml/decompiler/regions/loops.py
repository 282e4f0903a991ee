"""Loops: ``do``, ``while``, ``for``, ``repeat`` and ``with``."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.fragment import AnyLoop, Loop, is_missing
from overhaul.gml.decompiler.lift.expressions import Expressions
from overhaul.gml.decompiler.lift.scope import Frame, Scope
from overhaul.gml.decompiler.regions.blocks import Blocks, Breakable, Construct
from overhaul.gml.decompiler.regions.tries import Tries
from overhaul.gml.decompiler.types.locations import Uses
from overhaul.gml.decompiler.unstructured import StructureError
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Instruction, VariableReference
from overhaul.gml.vm.opcodes import POPENV_DROP, Comparison

_OTHER_ID: Final = tree.Member(tree.Name("other"), "id")
"""The number that ``other`` as a value compiles to before 2.3."""


def _is_one(instruction: Instruction) -> bool:
    """Whether an instruction is ``push.l 1``."""
    return (
        instruction.opcode == op.PUSH and instruction.type1 == op.INT64 and instruction.operand == 1
    )


@dataclass
class Loops:
    """Reads loops, each into a mark (:class:`Loop`)."""

    flow: ControlFlow
    frame: Frame
    scope: Scope
    blocks: Blocks
    expressions: Expressions
    tries: Tries
    uses: Uses

    def on_head(self, instruction: Instruction, index: int) -> int:
        """A place that a later branch jumps back to: ``do``, ``while`` or ``for``."""
        loops, where = self.flow.loops, self.flow.where(index)
        tails = loops[index]
        tail = tails.pop()
        is_do = self.flow.instructions[tail].opcode == op.BF
        if not is_do or not tails:
            del loops[index]
        if self.frame.stack or tail >= self.blocks.end:
            raise StructureError(f"the loop at {where} crosses another construct")
        if not is_do:
            return self._read_while(index, tail, once=not tails)
        breakable = Breakable(Construct.DO, tail + 1, -1, tail, self.blocks.breakable)
        self.blocks.breakable = breakable
        out, rest = self.blocks.block(index, tail)
        self.blocks.breakable = breakable.parent
        if len(rest) != 1:
            raise StructureError(f"a do without a condition at {self.flow.where(tail)}")
        if breakable.step >= 0 and out[-1].address >= self.flow.offsets[breakable.step]:
            raise StructureError(f"a continue leads into the do at {where}")
        self.expressions.as_condition(rest[0])
        self._mark(tree.DoUntil(tree.Block(out), rest[0].node), index, tail + 1)
        return tail + 1

    def _read_while(self, index: int, tail: int, once: bool) -> int:
        """``head: condition; bf out; body; b head``: a while or for; ``once``: no other jump leads
        to the head."""
        flow = self.flow
        problem = f"the loop at {flow.where(index)} has no condition"
        exits = flow.exits.get(tail + 1, [])
        first = bisect_left(exits, index)
        test = exits[first] if first < len(exits) else -1
        if not index <= test < tail:
            raise StructureError(problem)
        condition = self.blocks.value(index, test, problem)
        self.expressions.as_condition(condition)
        endless = condition.constant == 1 and type(condition.node) is tree.Number
        if test == index + 2 and _is_one(flow.instructions[index]):
            condition.node = tree.Int64(1)  # not a member of an enum: it stands for no condition
        elif endless and not self.blocks.dialect.typed_booleans:
            condition.node = tree.Boolean(True)  # it is not written with a number
        part = self.tries.depth > 0 and self.tries.asks_to_continue(test + 2)
        kind = Construct.ONCE if part else Construct.WHILE
        counted = once and self._counts(tail)
        breakable = Breakable(kind, tail + 1, index, tail, self.blocks.breakable, counted)
        body = self.blocks.body(test + 1, tail, breakable)
        loop: tree.While | tree.For
        if breakable.step < 0:
            loop = tree.While(condition.node, tree.Block(body))
        elif breakable.continued:
            raise StructureError("a loop is continued in two ways")
        else:
            loop = self._as_for(condition.node, body, breakable.step, tail)
        mark = self._mark(loop, index, tail + 1)
        mark.is_part = part
        mark.is_open = not breakable.continued and breakable.step < 0
        return tail + 1

    def _as_for(
        self, condition: tree.Expression, body: list[tree.Statement], step: int, tail: int
    ) -> tree.For:
        """A loop with a ``continue`` that jumps to its ``step``, as only that of a ``for`` does."""
        offset = self.flow.offsets[step]
        first = next(
            (at for at, statement in enumerate(body) if statement.address >= offset), len(body)
        )
        if first < len(body) and body[first].address != offset:
            raise StructureError("a continue leads into a statement")
        if first == len(body) and step != tail:
            raise StructureError("a continue leads nowhere")
        test = None if is_missing(condition) else condition
        return tree.For(None, test, tree.Block(body[first:]), tree.Block(body[:first]))

    def _mark(self, loop: AnyLoop, head: int, following: int) -> Loop:
        """Add the mark of a loop that ends before the instruction at ``following``."""
        mark = Loop(loop, head, not self.tries.flagged())
        self.scope.fragment.has_loops = True
        self.frame.emit(mark, following)
        return mark

    def _counts(self, tail: int) -> bool:
        """Whether a loop ends in a store of a variable that is set right before it."""
        operand = self.flow.instructions[tail - 1].operand
        if not self.flow.is_opcode(tail - 1, op.POP) or type(operand) is not VariableReference:
            return False
        if operand.kind == op.ARRAY:
            return False
        targets = [
            statement.target
            for statement in self.frame.out[-2:]
            if isinstance(statement, tree.Assignment)
        ]
        return any(
            isinstance(target, (tree.Name, tree.Member)) and target.name == operand.name
            for target in targets
        )

    # -- repeat --------------------------------------------------------------------------------

    def on_dup(self, instruction: Instruction, index: int) -> int:
        """dup: the head of a repeat, or just a copy."""
        flow = self.flow
        if instruction.value == 0 and instruction.type1 in (op.INT32, op.INT64):
            zero = flow.is_opcode(index + 2, op.CMP) and flow.instructions[index + 1].operand == 0
            if zero and flow.instructions[index + 2].value == Comparison.LTE:
                if flow.is_opcode(index + 3, op.BT):
                    return self._read_repeat(index)
                raise StructureError(f"the repeat at {flow.where(index)} has no end")
        return self.expressions.on_dup(instruction, index)

    def _read_repeat(self, index: int) -> int:
        """``dup; push.i 0; cmp LTE; bt end; body; push 1; sub; dup; [conv]; bt body; end: popz``"""
        flow = self.flow
        end = flow.targets[index + 3]
        if not (flow.is_branch(end - 1, op.BT, index + 4) and flow.is_opcode(end, op.POPZ)):
            raise StructureError(f"the repeat at {flow.where(index)} has no end")
        count = self.frame.stack.pop()
        tail = end - 5 if flow.instructions[end - 2].opcode == op.CONV else end - 4
        if self.frame.stack or tail < index + 4 or end >= self.blocks.end:
            raise StructureError(f"the repeat at {flow.where(index)} crosses another construct")
        breakable = Breakable(Construct.REPEAT, end, tail, tail, self.blocks.breakable)
        body = self.blocks.body(index + 4, tail, breakable)
        self._mark(tree.Repeat(count.node, tree.Block(body)), index, end + 1)
        return end + 1

    # -- with ----------------------------------------------------------------------------------

    def on_pushenv(self, instruction: Instruction, index: int) -> int:
        """pushenv: ``with``."""
        flow, stack = self.flow, self.frame.stack
        tail = flow.targets[index]
        instance = stack.pop()
        if instance.constant == op.STACKTOP and stack:
            instance = stack.pop()
        if stack or not flow.is_branch(tail, op.POPENV, index + 1) or tail >= self.blocks.end:
            raise StructureError(f"the with at {flow.where(index)} has no end")
        following, leave = tail + 1, -1
        broken = flow.is_branch(tail + 1, op.B, tail + 3) and flow.is_opcode(tail + 2, op.POPENV)
        if broken and flow.instructions[tail + 2].value == POPENV_DROP:
            following, leave = tail + 3, tail + 2
        breakable = Breakable(Construct.WITH, leave, tail, tail, self.blocks.breakable)
        locations = self.scope.locations
        owner, locations.owner = locations.owner, locations.object_of(instance.node)
        try:
            body = self.blocks.body(index + 1, tail, breakable)
        finally:
            locations.owner = owner
        self.uses.addressed(instance.node)
        node = instance.node
        if not self.blocks.dialect.gml_v2:
            by_id = self.blocks.dialect.instance_keywords_as_id
            if not by_id and type(node) is tree.Number and node.value in (-1, -2):
                node = tree.Name("self" if node.value == -1 else "other")
            elif node == _OTHER_ID:
                node = tree.Name("other")
        target = self.uses.as_instance(node)
        self._mark(tree.With(target, tree.Block(body)), index, following)
        return following
