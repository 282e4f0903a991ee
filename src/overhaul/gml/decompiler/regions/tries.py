"""``try``, ``catch`` and ``finally``, and what they do to jumps."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.fragment import BREAKING, CONTINUING
from overhaul.gml.decompiler.lift.scope import Frame, Scope, Value
from overhaul.gml.decompiler.regions.blocks import Blocks, Breakable, Construct
from overhaul.gml.decompiler.unstructured import StructureError
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import VariableReference


@dataclass
class Tries:
    """Reads try statements, and answers about the ways out of those being read.

    ``depth``: how many are.  ``around``: what stands around the innermost of them.
    """

    flow: ControlFlow
    frame: Frame
    scope: Scope
    blocks: Blocks
    depth: int = 0
    around: Breakable | None = None
    _found: list[int] | None = None

    def on_try(self, arguments: list[Value], index: int) -> int:
        """@@try_hook@@: reads the try statement up to its finally part."""
        flow = self.flow
        self.scope.fragment.has_try = True
        if len(arguments) != 2 or self.frame.stack:
            raise StructureError("a try hook of an unknown shape")
        catch, final = arguments[0].constant, arguments[1].constant
        end = flow.at_offset.get(final, -1) if final is not None else -1
        inside = index + 1 < end < self.blocks.end and flow.is_opcode(index + 1, op.POPZ)
        if catch is None or not inside:
            raise StructureError("a try hook of an unknown shape")
        if not flow.is_call(end, "@@try_unhook@@"):
            raise StructureError("a try without an end")
        self.depth += 1
        outer, self.around = self.around, self.blocks.breakable
        try:
            if catch == -1:
                node = tree.Try(tree.Block(self.blocks.statements(index + 2, end)))
            else:
                node = self._read_catch(index, flow.at_offset.get(catch, -1), end)
        finally:
            self.depth -= 1
            self.around = outer
        following = flow.behind(end + 1, op.POPZ)
        self.frame.emit(node, following)
        return following

    def _read_catch(self, index: int, handler: int, end: int) -> tree.Try:
        """A try with a catch part at ``handler``."""
        flow = self.flow
        if not (index + 1 < handler < end and flow.is_branch(handler - 1, op.B, end)):
            raise StructureError("a catch of an unknown shape")
        store = flow.instructions[handler]
        if store.opcode != op.POP or type(store.operand) is not VariableReference:
            raise StructureError("a catch without a variable")
        if not flow.is_call(handler + 1, "@@try_unhook@@"):
            raise StructureError("a catch of an unknown shape")
        if not flow.is_call(end - 3, "@@finish_catch@@"):
            raise StructureError("a catch without an end")
        body = self.blocks.statements(index + 2, handler - 1)
        name = store.operand.name
        self.scope.fragment.locals.add(name)
        caught = self.blocks.statements(flow.behind(handler + 2, op.POPZ), end - 3)
        return tree.Try(tree.Block(body), name, tree.Block(caught))

    def on_finish_finally(self, arguments: list[Value], index: int) -> int:
        """@@finish_finally@@: all since the last try statement was its finally part."""
        out = self.frame.out
        for position in range(len(out) - 1, -1, -1):
            statement = out[position]
            if isinstance(statement, tree.Try) and statement.final is None:
                break
        else:
            raise StructureError("a finally without a try")
        statement.final = tree.Block(out[position + 1 :])
        del out[position + 1 :]
        following = self.flow.behind(index + 1, op.POPZ)
        if self.flow.is_branch(following, op.B, following + 1):
            following += 1
        self.frame.begin = following
        return following

    # -- jumps ---------------------------------------------------------------------------------

    def flagged(self) -> bool:
        """Whether a ``break`` or ``continue`` here would set the flag of a try first.

        From 2024.11 on none does in a loop inside the try, but for a ``do``.  (Nor behind a
        ``while``, but there an ``if`` with an ``else`` is as good.)
        """
        if self.depth == 0 or not self.blocks.dialect.better_try_break_continue:
            return self.depth > 0
        outer = self.blocks.breakable
        while outer is not None and outer is not self.around:
            if outer.kind not in (Construct.DO, Construct.SWITCH, Construct.ONCE):
                return False
            outer = outer.parent
        return True

    def in_switch(self) -> bool:
        """Whether a ``break`` here leaves a switch (a ``do`` does not count): it sets no flag."""
        outer = self.blocks.breakable
        while outer is not None and outer.kind is Construct.DO:
            outer = outer.parent
        return outer is not None and outer.kind is Construct.SWITCH

    def sets_flag(self, index: int) -> bool:
        """Whether a store stands at ``index`` that comes before a jump out of a try statement."""
        return self._accesses(index, (BREAKING, CONTINUING))

    def asks_to_continue(self, index: int) -> bool:
        """Whether the branch at ``index`` asks whether a try statement wants the loop continued."""
        return any(self._accesses(before, (CONTINUING,)) for before in (index - 2, index - 1))

    def _accesses(self, index: int, flags: tuple[str, ...]) -> bool:
        if not self.scope.fragment.has_try or index < 0:
            return False
        operand = self.flow.instructions[index].operand
        return type(operand) is VariableReference and operand.name.startswith(flags)

    def ends_finally(self, start: int, end: int) -> bool:
        """Whether a finally part that began before ``start`` ends before ``end``."""
        if not self.scope.fragment.has_try:
            return False
        bounds = self._bounds
        begun = 0
        for index in bounds[bisect_left(bounds, start) : bisect_left(bounds, end)]:
            begun += 1 if self.flow.is_call(index, "@@try_hook@@") else -1
            if begun < 0:
                return True
        return False

    @property
    def _bounds(self) -> list[int]:
        """Where tries begin and finally parts end."""
        if self._found is None:
            is_call = self.flow.is_call
            self._found = [
                index
                for index in range(len(self.flow.instructions))
                if is_call(index, "@@try_hook@@") or is_call(index, "@@finish_finally@@")
            ]
        return self._found
