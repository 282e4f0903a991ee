"""What the marks of array owners tell about loops.

A compiler leaves out the mark of an owner that it knows to be the one marked last.  It forgets
that one at the end of a loop's body with a mark or a jump in it, before the step of a ``for``.  So
a mark that is there, or is not, may show where a step begins, and that a jump leads to the loop's
end.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.passes.nested import jumps_out
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import FunctionReference, VariableReference
from overhaul.gml.vm.opcodes import Extended

Owner = tuple[object]
"""The number of an owner."""
_MAKERS = ("@@NewGMLArray@@", "array_create", "array_set")
"""How functions are called that want an owner marked."""


@dataclass
class OwnerMarks:
    """Compares the marks of owners with what a compiler knows."""

    flow: ControlFlow
    dialect: Dialect
    _cases: defaultdict[int, list[int]] | None = None

    def step(self, body: list[tree.Statement], head: int, tail: int, end: int, copies: bool) -> int:
        """The byte offset of the statement that a ``for``'s step begins with, -1 if no mark tells.

        Its mark is of the last owner marked before it, or is known still behind the loop
        and before the ``end`` of what is around it.  ``copies``: a copy of a finally part may stand
        in the step, which must not be cut in two.
        """
        if not self.dialect.array_copy_on_write or self.dialect.owners_always_marked:
            return -1
        following = tail
        carried: bool | None = None
        found = -1
        for statement in reversed(body):
            start = self.flow.at_offset[statement.address]
            owner = next((each for each in map(self._mark, range(start, following)) if each), None)
            leaves = jumps_out(statement)
            if found >= 0 and (not copies or owner is not None or leaves):
                break
            if found >= 0:
                found = statement.address
            elif leaves:
                break  # of the loop, perhaps: no step does
            elif owner is not None:
                if carried is None:
                    carried = self._known_behind(head, tail, end)
                if carried or owner == self._last(start):
                    found = statement.address
            following = start
        return found

    def jumped(self, head: int, tail: int, end: int) -> bool:
        """Whether a loop without marks has a jump to its end or behind it that does not show: the
        owner known before it is marked again behind it, before the ``end`` of what is around it."""
        if not self.dialect.array_copy_on_write or self.dialect.owners_always_marked:
            return False
        before = self._last(head)
        jumps = self.flow.jumps.get(tail + 1, [])
        if before is None or any(head < jump < tail for jump in jumps):
            return False
        if any(map(self._mark, range(head, tail))):
            return False
        return any(self._mark(index) == before for index in self._behind(head, tail, end))

    def _known_behind(self, head: int, tail: int, end: int) -> bool:
        """Whether an array is made or changed behind a loop without a mark before it."""
        return any(
            self._mark(index) is None and self._uses_owner(index)
            for index in self._behind(head, tail, end)
        )

    def _behind(self, head: int, tail: int, end: int) -> list[int]:
        """The first mark behind a loop, or what makes or changes an array and comes before it;
        empty where another path or a loop comes first."""
        flow = self.flow
        for index in range(tail + 1, end):
            if tail < flow.targets.get(index, -1) <= index:
                return []
            if any(entry < head for entry in self._entries(index)):
                return []
            if self._mark(index) is not None or self._uses_owner(index):
                return [index]
        return []

    def _entries(self, index: int) -> list[int]:
        """The branches that lead to an instruction on another path: to the end of an if with an
        else part, to that part, or to a part of a switch."""
        flow = self.flow
        found = [*self._paths(index)]
        if flow.instructions[index - 1].opcode == op.B and flow.targets[index - 1] > index - 1:
            found += flow.exits.get(index, ())
        return found

    def _paths(self, index: int) -> list[int]:
        """The branches to the end of an else part that was marked in, and to parts of switches."""
        flow = self.flow
        if self._cases is None:
            self._cases = defaultdict(list)
            for branch, target in flow.targets.items():
                statics = flow.instructions[branch - 1].value == Extended.ISSTATICOK
                statics = statics and flow.is_opcode(branch - 1, op.BREAK)
                is_case = flow.is_opcode(branch, op.BT) and target not in flow.shorts
                if is_case and not statics:
                    self._cases[target].append(branch)
        found = [*self._cases.get(index, ())]
        for jump in flow.jumps.get(index, ()):
            if not self._inside(jump):
                begin = flow.exits.get(jump + 1, [jump])[0]
                if begin >= jump or any(map(self._mark, range(begin, index))):
                    found.append(jump)
        return found

    def _mark(self, index: int) -> Owner | None:
        """The number that an instruction marks as the owner of arrays."""
        instruction = self.flow.instructions[index]
        if instruction.opcode != op.BREAK or instruction.value != Extended.SETOWNER:
            return None
        source = self.flow.instructions[index - 1]
        return (source.value if source.type1 == op.INT16 else source.operand,)

    def _uses_owner(self, index: int) -> bool:
        """Whether an instruction makes or changes an array."""
        instruction = self.flow.instructions[index]
        operand = instruction.operand
        if instruction.opcode == op.BREAK:
            return instruction.value == Extended.POPAF
        if instruction.opcode == op.POPZ:  # the second reading of what `++` changes without a mark
            before = self.flow.instructions[index - 1]
            if before.opcode == op.BREAK:
                return before.value == Extended.PUSHAF
            operand = before.operand if before.opcode == op.PUSH else None
            return isinstance(operand, VariableReference) and operand.kind == op.ARRAY
        if instruction.opcode == op.POP:
            return isinstance(operand, VariableReference) and operand.kind == op.ARRAY
        if instruction.opcode != op.CALL or not isinstance(operand, FunctionReference):
            return False
        return operand.name.startswith(_MAKERS)

    def _last(self, at: int) -> Owner | None:
        """The owner that compilers take for the last one marked before an instruction: an ``else``
        begins with what was known before the ``if``, loops forget it."""
        flow = self.flow
        exits = flow.exits
        while at > 0:
            if any(entry < at for entry in self._paths(at)):
                return None
            at -= 1
            if (owner := self._mark(at)) is not None:
                return owner
            target = flow.targets.get(at, at + 1)
            if target <= at:
                return None
            if flow.is_opcode(at, op.B) and not self._inside(at):
                at = exits.get(at + 1, [at])[0]
                if flow.is_opcode(at, op.B):
                    return None
        return None

    def _inside(self, jump: int) -> bool:
        """Whether a ``b`` is in an expression: over a function, or at the end of ``&&``, ``||``."""
        return jump + 1 in self.flow.functions or jump + 1 in self.flow.shorts
