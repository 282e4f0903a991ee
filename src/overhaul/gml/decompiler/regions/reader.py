"""The reader of a code entry: the parts that read instructions, and which reads which."""

from __future__ import annotations

from typing import Final

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.fragment import Fragment, RootEntry
from overhaul.gml.decompiler.lift.calls import Calls
from overhaul.gml.decompiler.lift.expressions import OPERATORS, Expressions
from overhaul.gml.decompiler.lift.scope import Frame, Scope
from overhaul.gml.decompiler.lift.stores import Stores
from overhaul.gml.decompiler.lift.variables import Variables
from overhaul.gml.decompiler.regions.blocks import LOOP_HEAD, Blocks
from overhaul.gml.decompiler.regions.branches import Branches, Switches
from overhaul.gml.decompiler.regions.extended import ExtendedOperations
from overhaul.gml.decompiler.regions.jumps import Functions, Jumps
from overhaul.gml.decompiler.regions.loops import Loops
from overhaul.gml.decompiler.regions.tries import Tries
from overhaul.gml.decompiler.types.constants import EnumMembers
from overhaul.gml.decompiler.types.locations import Locations, Uses
from overhaul.gml.vm.opcodes import PUSHES

_OPERATORS: Final = tuple(map(int, OPERATORS))
_PUSHES: Final = tuple(map(int, PUSHES))


class Reader:
    """Reads a root entry into the trees of its functions, which have marks where passes decide.

    ``uses`` receives the uses of ``locations``, and names numbers.
    """

    def __init__(self, entry: RootEntry, locations: Locations, uses: Uses) -> None:
        dialect, flow = entry.dialect, entry.flow
        self.frame: Frame = Frame(flow.offsets)
        frame = self.frame
        self.scope = scope = Scope(entry, locations)
        self.enums: EnumMembers = EnumMembers(locations.context)
        variables = Variables(frame, scope, uses)
        expressions = Expressions(frame, scope, variables, uses, self.enums, dialect)
        stores = Stores(frame, scope, expressions, uses, dialect)
        self.calls = calls = Calls(frame, scope, uses)
        self.blocks = blocks = Blocks(entry, frame)
        self.tries = tries = Tries(flow, frame, scope, blocks)
        calls.internal["@@try_hook@@"] = tries.on_try
        calls.internal["@@finish_finally@@"] = tries.on_finish_finally
        functions = Functions(flow, scope, blocks, tries)
        branches = Branches(flow, frame, blocks, expressions, tries, entry.choices)
        loops = Loops(flow, frame, scope, blocks, expressions, tries, uses)
        switches = Switches(flow, frame, blocks, branches)
        jumps = Jumps(flow, frame, scope, blocks, switches, functions, uses)
        extended = ExtendedOperations(flow, frame, blocks, expressions, stores)
        blocks.handlers = {
            **dict.fromkeys(_OPERATORS, expressions.on_binary),
            **dict.fromkeys(_PUSHES, expressions.on_push),
            op.PUSHI: expressions.on_pushi,
            op.CONV: expressions.on_conv,
            op.CMP: expressions.on_cmp,
            op.NEG: expressions.on_neg,
            op.NOT: expressions.on_not,
            op.POP: stores.on_pop,
            op.DUP: loops.on_dup,
            op.CALL: calls.on_call,
            op.CALLV: calls.on_callv,
            op.POPZ: jumps.on_popz,
            op.RET: jumps.on_ret,
            op.EXIT: jumps.on_exit,
            op.B: jumps.on_b,
            op.BT: switches.on_bt,
            op.BF: branches.on_bf,
            op.PUSHENV: loops.on_pushenv,
            op.POPENV: jumps.on_popenv,
            op.BREAK: extended.on_break,
            LOOP_HEAD: loops.on_head,
        }

    def read(self) -> list[Fragment]:
        """The functions of the entry, each behind those inside it: the entry itself is the last.

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
        fragment.globals = self.scope.globals
        return [*self.scope.functions(), fragment]
