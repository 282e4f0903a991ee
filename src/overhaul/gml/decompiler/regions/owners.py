"""What the marks of array owners tell about loops.

A compiler leaves out the mark of an owner that it knows to be the one marked last.  It forgets
that one at the end of a loop's body with a mark or a jump in it, before the step of a ``for``.  So
a mark that is there, or is not, may show where a step begins, and that a jump leads to the loop's
end.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.lift.frame import Frame
from overhaul.gml.decompiler.passes.nested import jumps_out
from overhaul.gml.decompiler.regions.owner_uses import OwnerUses
from overhaul.gml.decompiler.regions.paths import Paths
from overhaul.gml.decompiler.regions.tries import Tries
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree

_WAYS = (tree.Exit, tree.Return, tree.Throw)


@dataclass
class OwnerMarks:
    """Compares the marks of owners with what a compiler knows."""

    flow: ControlFlow
    frame: Frame
    dialect: Dialect
    tries: Tries
    uses: OwnerUses
    paths: Paths

    @property
    def tells(self) -> bool:
        """Whether marks are left out where an owner is known."""
        return self.dialect.array_copy_on_write and not self.dialect.owners_always_marked

    def step(
        self, body: list[tree.Statement], head: int, tail: int, around: int, copies: bool
    ) -> int:
        """The byte offset of the statement that a ``for``'s step begins with, -1 if no mark tells.

        A mark in it is of the owner known before it, or is known still behind the loop.
        ``around``: where the loop around it ends.  ``copies``: a copy of a finally part may stand
        in the step before a way out, which must not be cut in two; what leaves the loop ends one.
        """
        if not self.tells:
            return -1
        following = tail
        carried: bool | None = None
        found, growing, leaves = -1, False, False
        for statement in reversed(body):
            if jumps_out(statement):
                break  # of the loop, perhaps: no step does
            leaves = leaves or (copies and isinstance(statement, _WAYS))
            start = self.flow.at_offset[statement.address]
            marks = [at for at in range(start, following) if self.uses.mark(at) is not None]
            known = any(self.uses.mark(at) == self.frame.marks.get(at) for at in marks)
            if marks and carried is None:
                carried = self._known_behind(head, tail, around)
            if (known and self._forgets(head, start, tail)) or (carried and marks and found < 0):
                found, growing = statement.address, leaves
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

    def jumped(self, head: int, tail: int, around: int) -> bool | None:
        """Whether a loop has a jump to its step or its end, or behind it, that does not show: the
        owner known before it is marked again in the step or behind it.  False if it is known there,
        None if no mark tells.  ``around``: where the loop around it ends."""
        before = self.frame.known_owner
        if not self.tells or before is None:
            return None
        if any(head < jump < tail for jump in self.flow.jumps.get(tail + 1, [])):
            return None
        inside = next((at for at in range(head, tail) if self.uses.mark(at) is not None), -1)
        if inside >= 0:
            return (self.uses.mark(inside) == before and self._is_jumped_to(head, inside)) or None
        if not self._jumps_ahead(head, tail):
            return None
        if any(self.uses.mark(index) == before for index in self.paths.behind(head, tail, around)):
            return True
        return False if self._known_behind(head, tail, around) else None

    def joins(self, test: int, start: int, end: int) -> bool:
        """Whether the stretch behind the first part of an if, whose ``bf`` is ``test``, is no else
        part: an array in it has no mark, but its owner is only known from the first part, or has
        one, but is known before the if."""
        if not self.tells:
            return False
        before = self.frame.known_owner
        own = [at for at in range(test, start) if self.uses.mark(at) not in (None, before)]
        if not own:
            return False
        known = None if before is None else self.frame.variables.get(before)
        last = self.uses.variable(own[-1])
        for index in self.paths.behind(test, start - 1, end, end=end):
            mark = self.uses.mark(index)
            if mark is not None:
                joined = mark == before
            elif before is None:
                joined = self.uses.variable(index) in (None, last)
            else:
                joined = None not in (known, last) and self.uses.variable(index) == last != known
            if joined:
                return True
        return False

    def _is_jumped_to(self, head: int, end: int) -> bool:
        """Whether nothing but a jump forward in a loop can have made its owner unknown at ``end``,
        which no path has marked before."""
        paths = self.paths
        if any(paths.jumps_in(paths.loop_to(index), head) for index in range(head, end)):
            return False
        if any(head <= each < end for each in self.tries.part_ends):
            return False
        return self._jumps_ahead(head, end)

    def _jumps_ahead(self, start: int, end: int) -> bool:
        """Whether a jump leads forward in a stretch, or to its end."""
        return any(
            self.flow.is_opcode(index, op.B)
            and index < self.flow.targets[index] <= end
            and not self.paths.is_inside(index)
            for index in range(start, end)
        )

    def _known_behind(self, head: int, tail: int, around: int) -> bool:
        """Whether an array is made or changed behind a loop without a mark before it."""
        found = self.paths.behind(head, tail, around, merged=True)
        return any(self.uses.mark(index) is None for index in found)

    def _forgets(self, head: int, step: int, tail: int) -> bool:
        """Whether no owner is known behind a loop's body, before a step: with a mark in it, or a
        jump out of the loop or to the step."""
        out = [*self.flow.jumps.get(tail + 1, ()), *self.flow.jumps.get(step, ())]
        return self.uses.has_mark(head, step) or any(head < jump < step for jump in out)
