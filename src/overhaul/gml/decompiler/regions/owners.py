"""What the marks of array owners tell about loops.

A compiler leaves out the mark of an owner that it knows to be the one marked last.  It forgets
that one at the end of a loop's body with a mark or a jump in it, before the step of a ``for``.  So
a mark that is there, or is not, may show where a step begins, and that a jump leads to the loop's
end.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import takewhile

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.lift.frame import Frame
from overhaul.gml.decompiler.passes.nested import jumps_out
from overhaul.gml.decompiler.regions.tries import Tries
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import FunctionReference, VariableReference
from overhaul.gml.vm.opcodes import Extended

_WAYS = (tree.Exit, tree.Return, tree.Throw)
_MAKERS = ("@@NewGMLArray@@", "array_create", "array_set")
"""How functions are called that want an owner marked."""


@dataclass
class OwnerMarks:
    """Compares the marks of owners with what a compiler knows."""

    flow: ControlFlow
    frame: Frame
    dialect: Dialect
    tries: Tries
    _cases: defaultdict[int, list[int]] | None = None

    def step(self, body: list[tree.Statement], head: int, tail: int, end: int, copies: bool) -> int:
        """The byte offset of the statement that a ``for``'s step begins with, -1 if no mark tells.

        A mark in it is of the owner known before it, or is known still behind the loop and before
        the ``end`` of what is around it.  ``copies``: a copy of a finally part may stand in the
        step before a way out, which must not be cut in two; what leaves the loop ends one.
        """
        if not self.tells:
            return -1
        following = tail
        carried: bool | None = None
        found, growing, leaves = -1, False, False
        for statement in reversed(body):
            if jumps_out(statement):
                break  # of the loop, perhaps: no step does
            leaves = leaves or any(isinstance(part, _WAYS) for part in statement.walk())
            start = self.flow.at_offset[statement.address]
            marks = [at for at in range(start, following) if self._mark(at) is not None]
            known = any(self._mark(at) == self.frame.marks.get(at) for at in marks)
            if marks and carried is None:
                carried = self._known_behind(head, tail, end)
            if (known and self._forgets(head, start, tail)) or (carried and marks and found < 0):
                found, growing = statement.address, copies and leaves
            elif found >= 0:
                growing = growing and not marks and not isinstance(statement, _WAYS)
                found = statement.address if growing else found
            following = start
        return found

    def forgotten_before(self, step: int) -> bool:
        """Note that no owner was known before the marks in a step at a byte offset, which is behind
        all others; whether there are any."""
        marks = self.frame.marks
        inside = [*takewhile(lambda mark: self.flow.offsets[mark] > step, reversed(marks))]
        marks |= dict.fromkeys(inside)
        return bool(inside)

    def jumped(self, head: int, tail: int, end: int) -> bool | None:
        """Whether a loop has a jump to its step or its end, or behind it, that does not show: the
        owner known before it is marked again in the step, or behind it and before the ``end`` of
        what is around it.  False if it is known there, None if no mark tells."""
        before = self.frame.known_owner
        if not self.tells or before is None:
            return None
        if any(head < jump < tail for jump in self.flow.jumps.get(tail + 1, [])):
            return None
        inside = next((at for at in range(head, tail) if self._mark(at) is not None), -1)
        if inside >= 0:
            return (self._mark(inside) == before and self._is_jumped_to(head, inside)) or None
        if not self._jumps_ahead(head, tail):
            return None
        if any(self._mark(index) == before for index in self._behind(head, tail, end)):
            return True
        return False if self._known_behind(head, tail, end) else None

    def joins(self, test: int, start: int, end: int) -> bool:
        """Whether the stretch behind the first part of an if, whose ``bf`` is ``test``, is no else
        part: an array in it has no mark, but its owner is only known from the first part, or has
        one, but is known before the if."""
        if not self.tells:
            return False
        before = self.frame.known_owner
        own = [at for at in range(test, start) if self._mark(at) not in (None, before)]
        if not own:
            return False
        known = None if before is None else self._marked(before)
        last = self._variable(own[-1])
        for index in self._behind(test, start - 1, end, end=end):
            mark = self._mark(index)
            if mark is not None:
                joined = mark == before
            elif before is None:
                joined = self._variable(index) in (None, last)
            else:
                joined = None not in (known, last) and self._variable(index) == last != known
            if joined:
                return True
        return False

    def _marked(self, owner: int) -> str | None:
        """The variable of the last mark of an owner so far."""
        marks = (index for index in reversed(self.frame.marks) if self._mark(index) == owner)
        return next((self._variable(index) for index in marks), None)

    def _variable(self, index: int) -> str | None:
        """The variable that an array is stored in by a statement with a mark at ``index``, or which
        stores there; None where none is named."""
        instructions = self.flow.instructions
        step = -1 if self._stores_element(index) else 1
        while 0 <= index < len(instructions):
            opcode, operand = instructions[index].opcode, instructions[index].operand
            base = opcode == op.PUSH and self._is_of_kind(index, op.POPAF)
            if isinstance(operand, VariableReference) and (base or opcode == op.POP):
                return operand.name
            index += step
        return None

    def _stores_element(self, index: int) -> bool:
        """Whether an instruction stores an element of an element of an array."""
        instruction = self.flow.instructions[index]
        return instruction.opcode == op.BREAK and instruction.value == Extended.POPAF

    @property
    def tells(self) -> bool:
        """Whether marks are left out where an owner is known."""
        return self.dialect.array_copy_on_write and not self.dialect.owners_always_marked

    def _is_jumped_to(self, head: int, end: int) -> bool:
        """Whether nothing but a jump forward in a loop can have made its owner unknown at ``end``,
        which no path has marked before."""
        for index in range(head, end):
            if index in self.tries.part_ends or self._jumps_in(self._loop_to(index), head):
                return False
        return self._jumps_ahead(head, end)

    def _jumps_ahead(self, start: int, end: int) -> bool:
        """Whether a jump leads forward in a stretch, or to its end."""
        return any(
            self.flow.is_opcode(index, op.B)
            and index < self.flow.targets[index] <= end
            and not self._inside(index)
            for index in range(start, end)
        )

    def _known_behind(self, head: int, tail: int, end: int) -> bool:
        """Whether an array is made or changed behind a loop without a mark before it."""
        found = self._behind(head, tail, end, merged=True)
        return any(self._mark(index) is None for index in found)

    def _behind(
        self, head: int, tail: int, around: int, merged: bool = False, end: int | None = None
    ) -> list[int]:
        """The first mark behind a loop, or what makes or changes an array and comes before it, and
        the first of each further else part and body of a switch; none where another path comes in
        first, or a loop with jumps in it.  In a function that is a part of an assignment with a
        mark, and up to the end of that, no other is needed.

        ``around``: where the loop around the loop ends; ``end``: where all ends (of the code
        without it).  ``merged``: whichever path comes in, as what has no mark is known on each.
        """
        found: list[int] = []
        part = self._function(head)
        unmarked = bool(part) and not self.has_mark(part.start, part.stop)
        index = tail + 1
        end = len(self.flow.instructions) if end is None else end
        while index < end:
            entries = self._case_branches if merged else self._entries
            while (other := self._other_part(index, head)) is not None:
                loops = any(self._jumps_in(self._loop_to(each), tail) for each in other)
                changes = loops or self.has_mark(other.start, other.stop)
                if (changes and not merged) or other.stop >= end:
                    return found
                index = other.stop
                entries = self._case_branches if merged else self._paths
            jumps = not merged and self._jumps_in(self._loop_to(index), tail)
            if jumps or index in self.tries.part_ends:
                index = self._next_path(tail, index, around, end)  # none is known here
                continue
            if any(entry < head for entry in entries(index)):
                break
            if self._mark(index) is not None or (self._uses_owner(index) and not unmarked):
                found.append(index)
                index = self._next_path(tail, index, around, end)
                continue
            unmarked = unmarked and (index < part.stop or not self._stores(index))
            index += 1
        return found

    def _next_path(self, tail: int, index: int, around: int, end: int) -> int:
        """Where the next else part or body of a switch begins that a branch between a loop and
        ``index`` leads to: a compiler knows there what it did before the branch; ``end`` if there
        is none."""
        flow = self.flow
        begun = [
            target
            for branch in range(tail + 1, index)
            if (target := flow.targets.get(branch, -1)) > index
            and (self._is_case(branch, target) or self._is_else(branch, target, tail, around))
        ]
        return min(begun, default=end)

    def _is_case(self, branch: int, target: int) -> bool:
        """Whether a branch leads to a body of a switch."""
        flow = self.flow
        is_case = flow.is_opcode(branch, op.BT) and target not in flow.shorts
        is_default = flow.is_opcode(branch, op.B) and flow.is_opcode(branch - 1, op.BT)
        return (is_case or is_default) and not flow.is_opcode(target, op.POPZ)

    def _is_else(self, branch: int, target: int, tail: int, end: int) -> bool:
        """Whether a branch behind a loop can only lead to an else part: the jump before that leads
        to no end of a loop or switch."""
        flow = self.flow
        beyond = flow.targets.get(target - 1, -1)
        forward = flow.is_opcode(branch, op.BF) and flow.is_opcode(target - 1, op.B)
        if not forward or target in flow.shorts or not target < beyond <= end:
            return False
        if flow.is_opcode(beyond, op.POPZ) or beyond == end < len(flow.instructions):
            return False
        return not any(tail < flow.targets.get(at, -1) <= branch for at in range(target, end))

    def _other_part(self, index: int, head: int) -> range | None:
        """The else part that a jump leads over, at the end of an if that began before a loop."""
        target = self.flow.targets.get(index, -1)
        if not self.flow.is_opcode(index, op.B) or target < index or self._inside(index):
            return None
        begun = self.flow.exits.get(index + 1, ())
        return range(index + 1, target) if any(each < head for each in begun) else None

    def _loop_to(self, index: int) -> range:
        """The loop that ends with an instruction; empty if none does."""
        return range(self.flow.targets.get(index, index + 1), index)

    def _jumps_in(self, loop: range, tail: int) -> bool:
        """Whether a loop behind ``tail`` has a jump that may leave its body early."""
        return loop.start > tail and any(
            self.flow.is_opcode(index, op.B) and not self._inside(index) for index in loop
        )

    def _function(self, index: int) -> range:
        """The instructions of the outermost function around one; empty without one."""
        for start in sorted(self.flow.functions):
            around = range(start, self.flow.targets.get(start - 1, -1))
            if index in around:
                return around
        return range(0)

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
        found = [*self._case_branches(index)]
        for jump in self.flow.jumps.get(index, ()):
            if not self._inside(jump):
                begin = self.flow.exits.get(jump + 1, [jump])[0]
                if begin >= jump or self.has_mark(begin, index):
                    found.append(jump)
        return found

    def _case_branches(self, index: int) -> list[int]:
        """The branches of cases that lead to a part of a switch."""
        flow = self.flow
        if self._cases is None:
            self._cases = defaultdict(list)
            for branch, target in flow.targets.items():
                statics = flow.instructions[branch - 1].value == Extended.ISSTATICOK
                statics = statics and flow.is_opcode(branch - 1, op.BREAK)
                is_case = flow.is_opcode(branch, op.BT) and target not in flow.shorts
                if is_case and not statics:
                    self._cases[target].append(branch)
        return self._cases.get(index, [])

    def _forgets(self, head: int, step: int, tail: int) -> bool:
        """Whether no owner is known behind a loop's body, before a step: with a mark in it, or a
        jump out of the loop or to the step."""
        out = [*self.flow.jumps.get(tail + 1, ()), *self.flow.jumps.get(step, ())]
        return self.has_mark(head, step) or any(head < jump < step for jump in out)

    def has_mark(self, start: int, end: int) -> bool:
        """Whether an owner is marked in a stretch."""
        return any(self._mark(index) is not None for index in range(start, end))

    def _mark(self, index: int) -> int | None:
        """The number that an instruction marks as the owner of arrays."""
        instruction = self.flow.instructions[index]
        if instruction.opcode != op.BREAK or instruction.value != Extended.SETOWNER:
            return None
        source = self.flow.instructions[index - 1]
        owner = source.value if source.type1 == op.INT16 else source.operand
        return owner if isinstance(owner, int) else -1

    def _stores(self, index: int) -> bool:
        """Whether a statement may end with an instruction."""
        return self._stores_element(index) or self.flow.instructions[index].opcode in (
            op.POP,
            op.POPZ,
        )

    def _uses_owner(self, index: int) -> bool:
        """Whether an instruction makes or changes an array in a way that wants an owner marked."""
        instruction = self.flow.instructions[index]
        operand = instruction.operand
        if instruction.opcode == op.BREAK:
            return instruction.value == Extended.POPAF and not self._steps(index)
        if instruction.opcode == op.DUP:  # `a[i].b += c`
            on_stack = self._is_of_kind(index + 1, op.ON_STACK) and self._of_element(index - 1)
            return on_stack and not self._is_step(index + 2)
        if instruction.opcode == op.POPZ:  # the second reading of what `++` changes without a mark
            before = self.flow.instructions[index - 1]
            if before.opcode == op.BREAK:
                return before.value == Extended.PUSHAF
            return before.opcode == op.PUSH and self._is_of_kind(index - 1, op.ARRAY)
        if instruction.opcode == op.POP:
            stacktop = self._is_of_kind(index, op.ON_STACK) and self._of_element(index - 1)
            return stacktop or (self._is_of_kind(index, op.ARRAY) and not self._steps(index))
        if instruction.opcode != op.CALL or not isinstance(operand, FunctionReference):
            return False
        return operand.name.startswith(_MAKERS)

    def _steps(self, index: int) -> bool:
        """Whether a store ends a ``++`` or ``--``, which want no mark in an expression."""
        before = index - 1
        while self.flow.is_opcode(before, op.DUP):
            before -= 1
        added = self.flow.is_opcode(before, op.ADD) or self.flow.is_opcode(before, op.SUB)
        return added and self._is_step(before - 1)

    def _is_step(self, index: int) -> bool:
        """Whether the 1 of a ``++`` or ``--`` is pushed."""
        one = self.flow.instructions[index]
        return one.opcode == op.PUSH and one.type1 == op.INT16

    def _is_of_kind(self, index: int, kind: int) -> bool:
        """Whether an instruction reads or writes a variable in this way."""
        operand = self.flow.instructions[index].operand
        return isinstance(operand, VariableReference) and operand.kind == kind

    def _of_element(self, index: int) -> bool:
        """Whether the instance that an instruction leaves is an element of an array, or a member of
        one: ``a[i].b``."""
        while True:
            instruction = self.flow.instructions[index]
            opcode = instruction.opcode
            if opcode == op.BREAK:
                return instruction.value == Extended.PUSHAF
            stacktop = opcode == op.PUSHI and instruction.value == op.STACKTOP
            if not stacktop and not self._is_of_kind(index, op.ON_STACK):
                return opcode == op.PUSH and self._is_of_kind(index, op.ARRAY)
            index -= 1

    def _inside(self, jump: int) -> bool:
        """Whether a ``b`` is in an expression: over a function, or at the end of ``&&``, ``||``."""
        return jump + 1 in self.flow.functions or jump + 1 in self.flow.shorts
