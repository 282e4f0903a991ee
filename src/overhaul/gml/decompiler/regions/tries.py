"""``try``, ``catch`` and ``finally``."""

from __future__ import annotations

from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.errors import StructureError
from overhaul.gml.decompiler.lift.calls import Calls
from overhaul.gml.decompiler.lift.frame import Frame
from overhaul.gml.decompiler.lift.scope import Scope
from overhaul.gml.decompiler.lift.values import Value
from overhaul.gml.decompiler.opcodes import POP, POPZ, B
from overhaul.gml.decompiler.regions.blocks import Blocks
from overhaul.gml.decompiler.regions.try_exits import TryExits
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import VariableReference


class Tries:
    """Reads try statements."""

    def __init__(
        self,
        flow: ControlFlow,
        frame: Frame,
        scope: Scope,
        blocks: Blocks,
        exits: TryExits,
        calls: Calls,
    ) -> None:
        self.flow = flow
        self.frame = frame
        self.scope = scope
        self.blocks = blocks
        self.exits = exits
        calls.internal["@@try_hook@@"] = self.on_try
        calls.internal["@@finish_finally@@"] = self.on_finish_finally

    def on_try(self, arguments: list[Value], index: int) -> int:
        """@@try_hook@@: reads the try statement up to its finally part."""
        flow, exits = self.flow, self.exits
        self.scope.fragment.has_try = True
        if len(arguments) != 2 or self.frame.stack:
            raise StructureError("a try hook of an unknown shape")
        catch, final = arguments[0].constant, arguments[1].constant
        end = flow.at_offset.get(final, -1) if final is not None else -1
        inside = index + 1 < end < self.blocks.end and flow.is_opcode(index + 1, POPZ)
        if catch is None or not inside:
            raise StructureError("a try hook of an unknown shape")
        if not flow.is_call(end, "@@try_unhook@@"):
            raise StructureError("a try without an end")
        exits.depth += 1
        outer, exits.around = exits.around, self.blocks.breakable
        try:
            if catch == -1:
                node = tree.Try(tree.Block(self.blocks.statements(index + 2, end)))
            else:
                node = self._read_catch(index, flow.at_offset.get(catch, -1), end)
        finally:
            exits.depth -= 1
            exits.around = outer
        following = flow.behind(end + 1, POPZ)
        self.frame.emit(node, following)
        return following

    def _read_catch(self, index: int, handler: int, end: int) -> tree.Try:
        """A try with a catch part at ``handler``."""
        flow = self.flow
        if not (index + 1 < handler < end and flow.is_branch(handler - 1, B, end)):
            raise StructureError("a catch of an unknown shape")
        store = flow.instructions[handler]
        if store.opcode != POP or type(store.operand) is not VariableReference:
            raise StructureError("a catch without a variable")
        if not flow.is_call(handler + 1, "@@try_unhook@@"):
            raise StructureError("a catch of an unknown shape")
        if not flow.is_call(end - 3, "@@finish_catch@@"):
            raise StructureError("a catch without an end")
        body = self.blocks.statements(index + 2, handler - 1)
        name = store.operand.name
        self.scope.fragment.locals.add(name)
        caught = self.blocks.statements(flow.behind(handler + 2, POPZ), end - 3)
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
        following = self.flow.behind(index + 1, POPZ)
        if self.flow.is_branch(following, B, following + 1):
            following += 1
        self.frame.begin = following
        return following
