"""The reader of a code entry: the parts that read instructions, and which reads which."""

from __future__ import annotations

from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.lift.calls import Calls
from overhaul.gml.decompiler.lift.expressions import OPERATORS, Expressions
from overhaul.gml.decompiler.lift.frame import Frame
from overhaul.gml.decompiler.lift.scope import Scope
from overhaul.gml.decompiler.lift.stores import Stores
from overhaul.gml.decompiler.lift.variables import Variables
from overhaul.gml.decompiler.regions.blocks import LOOP_HEAD, Blocks, Handler
from overhaul.gml.decompiler.regions.branches import Branches
from overhaul.gml.decompiler.regions.extended import ExtendedOperations
from overhaul.gml.decompiler.regions.functions import Functions
from overhaul.gml.decompiler.regions.jumps import Jumps
from overhaul.gml.decompiler.regions.loops import Loops
from overhaul.gml.decompiler.regions.switches import Switches
from overhaul.gml.decompiler.regions.tries import Tries
from overhaul.gml.decompiler.types.enums import EnumMembers
from overhaul.gml.decompiler.types.locations import Locations
from overhaul.gml.decompiler.types.uses import Uses
from overhaul.gml.vm.code import Code
from overhaul.gml.vm.opcodes import PUSHES, Opcode


class Reader:
    """Reads a root entry into the tree of its statements, functions in place.

    ``uses`` hears of the uses of ``locations``, and names numbers.
    """

    def __init__(self, code: Code, locations: Locations, uses: Uses) -> None:
        dialect = locations.context.dialect
        flow = ControlFlow(code)
        frame = Frame(flow.offsets)
        self.scope = scope = Scope(code, flow, locations)
        self.enums = EnumMembers(locations.context)
        variables = Variables(frame, scope, uses)
        expressions = Expressions(frame, scope, variables, uses, self.enums, dialect)
        stores = Stores(frame, scope, expressions, uses, dialect)
        self.calls = calls = Calls(frame, scope, uses)
        self.blocks = blocks = Blocks(code, dialect, flow, frame)
        tries = Tries(flow, frame, scope, blocks)
        calls.internal["@@try_hook@@"] = tries.on_try
        calls.internal["@@finish_finally@@"] = tries.on_finish_finally
        functions = Functions(flow, scope, blocks, tries)
        branches = Branches(flow, frame, blocks, expressions, tries)
        loops = Loops(flow, frame, scope, blocks, expressions, tries, uses)
        switches = Switches(flow, frame, blocks, branches)
        jumps = Jumps(flow, frame, scope, blocks, switches, functions, uses)
        extended = ExtendedOperations(flow, frame, blocks, expressions, stores)
        handlers: dict[int, Handler] = {
            **dict.fromkeys(map(int, OPERATORS), expressions.on_binary),
            **dict.fromkeys(map(int, PUSHES), expressions.on_push),
            int(Opcode.PUSHI): expressions.on_pushi,
            int(Opcode.CONV): expressions.on_conv,
            int(Opcode.CMP): expressions.on_cmp,
            int(Opcode.NEG): expressions.on_neg,
            int(Opcode.NOT): expressions.on_not,
            int(Opcode.POP): stores.on_pop,
            int(Opcode.DUP): loops.on_dup,
            int(Opcode.CALL): calls.on_call,
            int(Opcode.CALLV): calls.on_callv,
            int(Opcode.POPZ): jumps.on_popz,
            int(Opcode.RET): jumps.on_ret,
            int(Opcode.EXIT): jumps.on_exit,
            int(Opcode.B): jumps.on_b,
            int(Opcode.BT): switches.on_bt,
            int(Opcode.BF): branches.on_bf,
            int(Opcode.PUSHENV): loops.on_pushenv,
            int(Opcode.POPENV): jumps.on_popenv,
            int(Opcode.BREAK): extended.on_break,
            LOOP_HEAD: loops.on_head,
        }
        blocks.handlers.update(handlers)

    def read(self) -> Fragment:
        """The entry with its statements, before the passes over them.

        To be called once: afterwards the parts no longer know each other, so that they are freed at
        once.
        """
        fragment = self.scope.fragment
        try:
            fragment.statements = self.blocks.statements(fragment.start, fragment.end)
        finally:
            self.blocks.handlers.clear()
            self.calls.internal.clear()
        fragment.enum_values = self.enums.stand_ins
        return fragment
