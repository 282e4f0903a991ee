"""The paths behind a loop, and the marks of array owners that come first on them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.regions.owner_uses import OwnerUses
from overhaul.gml.decompiler.regions.tries import Tries
from overhaul.gml.vm.opcodes import Extended

_FARTHEST: Final = 500
"""Instructions behind a loop that are looked at."""


@dataclass
class Paths:
    """Finds the first marks of array owners behind a loop."""

    flow: ControlFlow
    tries: Tries
    uses: OwnerUses
    _cases: defaultdict[int, list[int]] | None = None

    def behind(
        self, head: int, tail: int, around: int, merged: bool = False, end: int | None = None
    ) -> list[int]:
        """The first mark behind a loop, or what makes or changes an array and comes before it, and
        the first of each further else part and body of a switch; none where another path comes in
        first, or a loop with jumps in it.  In a function that is a part of an assignment with a
        mark, and up to the end of that, no other is needed.

        ``around``: where the loop around the loop ends; ``end``: where looking ends, no farther
        than that is worth without it.  ``merged``: whichever path comes in, as what has no mark is
        known on each.
        """
        found: list[int] = []
        part = self._function(head)
        unmarked = bool(part) and not self.uses.has_mark(part.start, part.stop)
        index = tail + 1
        if end is None:
            end = min(len(self.flow.instructions), index + _FARTHEST)
            around = min(around, end)
        while index < end:
            entries = self._case_branches if merged else self._entries
            while (other := self._other_part(index, head)) is not None:
                loops = any(self.jumps_in(self.loop_to(each), tail) for each in other)
                changes = loops or self.uses.has_mark(other.start, other.stop)
                if (changes and not merged) or other.stop >= end:
                    return found
                index = other.stop
                entries = self._case_branches if merged else self._paths
            jumps = not merged and self.jumps_in(self.loop_to(index), tail)
            if jumps or index in self.tries.part_ends:
                index = self._next_path(tail, index, around, end)  # none is known here
                continue
            if any(entry < head for entry in entries(index)):
                break
            if self.uses.mark(index) is not None or (self.uses.wants_owner(index) and not unmarked):
                found.append(index)
                index = self._next_path(tail, index, around, end)
                continue
            unmarked = unmarked and (index < part.stop or not self.uses.ends_statement(index))
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
        to no end of a loop or switch, or what needs no mark in it has nothing to do with the last
        mark in the part before."""
        flow = self.flow
        beyond = flow.targets.get(target - 1, -1)
        forward = flow.is_opcode(branch, op.BF) and flow.is_opcode(target - 1, op.B)
        if not forward or target in flow.shorts or not target < beyond <= end:
            return False
        may_leave = flow.is_opcode(beyond, op.POPZ) or beyond == end < len(flow.instructions)
        if may_leave or any(tail < flow.targets.get(at, -1) <= branch for at in range(target, end)):
            return self._differs(branch, target, beyond)
        return True

    def _differs(self, branch: int, target: int, end: int) -> bool:
        """Whether the first array behind ``target`` needs no mark, and the last mark before that is
        of another variable."""
        uses = self.uses
        marks = [at for at in range(branch, target) if uses.mark(at) is not None]
        asked = range(target, end)
        found = (at for at in asked if uses.mark(at) is not None or uses.wants_owner(at))
        first = next(found, -1)
        if not marks or first < 0 or uses.mark(first) is not None:
            return False
        last, variable = uses.variable(marks[-1]), uses.variable(first)
        return None not in (last, variable) and last != variable

    def _other_part(self, index: int, head: int) -> range | None:
        """The else part that a jump leads over, at the end of an if that began before a loop."""
        target = self.flow.targets.get(index, -1)
        if not self.flow.is_opcode(index, op.B) or target < index or self.is_inside(index):
            return None
        begun = self.flow.exits.get(index + 1, ())
        return range(index + 1, target) if any(each < head for each in begun) else None

    def _entries(self, index: int) -> list[int]:
        """The branches that lead to an instruction on another path: to the end of an if with an
        else part, to that part, or to a part of a switch."""
        flow = self.flow
        found = [*self._paths(index)]
        if flow.instructions[index - 1].opcode == op.B and flow.targets[index - 1] > index - 1:
            found += flow.exits.get(index, ())
        return found

    def _paths(self, index: int) -> list[int]:
        """The branches to the end of an else part that was marked in, or of another construct, and
        to parts of switches.  At the end of a switch without marks all is as behind its last
        body."""
        found = [*self._case_branches(index)]
        is_end = self.flow.is_opcode(index, op.POPZ)
        for jump in self.flow.jumps.get(index, ()):
            if not self.is_inside(jump):
                begin = self.flow.exits.get(jump + 1, [jump])[0]
                if (begin >= jump and not is_end) or self.uses.has_mark(begin, index):
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

    def _function(self, index: int) -> range:
        """The instructions of the outermost function around one; empty without one."""
        for start in sorted(self.flow.functions):
            around = range(start, self.flow.targets.get(start - 1, -1))
            if index in around:
                return around
        return range(0)

    def loop_to(self, index: int) -> range:
        """The loop that ends with an instruction; empty if none does."""
        return range(self.flow.targets.get(index, index + 1), index)

    def jumps_in(self, loop: range, tail: int) -> bool:
        """Whether a loop behind ``tail`` has a jump that may leave its body early."""
        return loop.start > tail and any(
            self.flow.is_opcode(index, op.B) and not self.is_inside(index) for index in loop
        )

    def is_inside(self, jump: int) -> bool:
        """Whether a ``b`` is in an expression: over a function, or at the end of ``&&``, ``||``."""
        return jump + 1 in self.flow.functions or jump + 1 in self.flow.shorts
