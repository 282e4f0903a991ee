"""What try statements around a place, or inside it, do to its jumps."""

from __future__ import annotations

from bisect import bisect_left

from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.lift.scope import Scope
from overhaul.gml.decompiler.passes.exceptions.flags import BREAKING, CONTINUING
from overhaul.gml.decompiler.regions.blocks import Blocks, Breakable, Construct
from overhaul.gml.vm.code import VariableReference


class TryExits:
    """Answers about the ways out of the try statements that are being read.

    ``depth``: how many are.  ``around``: what stands around the innermost of them.
    """

    def __init__(self, flow: ControlFlow, scope: Scope, blocks: Blocks) -> None:
        self.flow = flow
        self.scope = scope
        self.blocks = blocks
        self.better = blocks.dialect.better_try_break_continue
        self.depth = 0
        self.around: Breakable | None = None
        self._marks: list[int] | None = None

    def flagged(self) -> bool:
        """Whether a ``break`` or ``continue`` here would set the flag of a try first.

        From 2024.11 on none does in a loop inside the try, but for a ``do``.  (Nor behind a
        ``while``, but there an ``if`` with an ``else`` is as good.)
        """
        if self.depth == 0 or not self.better:
            return self.depth > 0
        outer = self.blocks.breakable
        while outer is not None and outer is not self.around:
            if outer.kind not in (Construct.DO, Construct.SWITCH, Construct.ONCE):
                return False
            outer = outer.parent
        return True

    def in_switch(self) -> bool:
        """Whether a ``break`` here leaves a switch (a ``do`` is not looked at): it sets no flag."""
        outer = self.blocks.breakable
        while outer is not None and outer.kind is Construct.DO:
            outer = outer.parent
        return outer is not None and outer.kind is Construct.SWITCH

    def sets_flag(self, index: int) -> bool:
        """Whether a store stands at ``index`` that comes before a jump out of a try statement."""
        return self._accesses(index, (BREAKING, CONTINUING))

    def asks_to_continue(self, index: int) -> bool:
        """Whether the branch at ``index`` asks whether a try statement wants the loop continued."""
        return any(self._accesses(each, (CONTINUING,)) for each in (index - 2, index - 1))

    def _accesses(self, index: int, flags: tuple[str, ...]) -> bool:
        if not self.scope.fragment.has_try or index < 0:
            return False
        operand = self.flow.instructions[index].operand
        return type(operand) is VariableReference and operand.name.startswith(flags)

    def ends_finally(self, start: int, end: int) -> bool:
        """Whether a finally part that began before ``start`` ends before ``end``."""
        if not self.scope.fragment.has_try:
            return False
        is_call = self.flow.is_call
        if self._marks is None:
            self._marks = [
                index
                for index in range(len(self.flow.instructions))
                if is_call(index, "@@try_hook@@") or is_call(index, "@@finish_finally@@")
            ]
        begun = 0
        for index in self._marks[bisect_left(self._marks, start) : bisect_left(self._marks, end)]:
            begun += 1 if is_call(index, "@@try_hook@@") else -1
            if begun < 0:
                return True
        return False
