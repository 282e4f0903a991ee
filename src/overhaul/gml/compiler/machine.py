"""The machine's numbers as plain ints, which are quicker to make instructions of than enums."""

from __future__ import annotations

from typing import Final

from overhaul.gml.vm.code import double_from_bits
from overhaul.gml.vm.opcodes import POPENV_DROP as POPENV_DROP
from overhaul.gml.vm.opcodes import (
    Comparison,
    DataType,
    Extended,
    InstanceType,
    Opcode,
    ReferenceType,
)

D: Final = int(DataType.DOUBLE)
I: Final = int(DataType.INT32)  # noqa: E741 - the machine's own letters
L: Final = int(DataType.INT64)
B: Final = int(DataType.BOOLEAN)
V: Final = int(DataType.VARIABLE)
S: Final = int(DataType.STRING)
E: Final = int(DataType.INT16)

CONV: Final = int(Opcode.CONV)
MUL: Final = int(Opcode.MUL)
DIV: Final = int(Opcode.DIV)
REM: Final = int(Opcode.REM)
MOD: Final = int(Opcode.MOD)
ADD: Final = int(Opcode.ADD)
SUB: Final = int(Opcode.SUB)
AND: Final = int(Opcode.AND)
OR: Final = int(Opcode.OR)
XOR: Final = int(Opcode.XOR)
NEG: Final = int(Opcode.NEG)
NOT: Final = int(Opcode.NOT)
SHL: Final = int(Opcode.SHL)
SHR: Final = int(Opcode.SHR)
CMP: Final = int(Opcode.CMP)
POP: Final = int(Opcode.POP)
PUSHI: Final = int(Opcode.PUSHI)
DUP: Final = int(Opcode.DUP)
CALLV: Final = int(Opcode.CALLV)
RET: Final = int(Opcode.RET)
EXIT: Final = int(Opcode.EXIT)
POPZ: Final = int(Opcode.POPZ)
BRANCH: Final = int(Opcode.B)
BRANCH_TRUE: Final = int(Opcode.BT)
BRANCH_FALSE: Final = int(Opcode.BF)
PUSHENV: Final = int(Opcode.PUSHENV)
POPENV: Final = int(Opcode.POPENV)
PUSH: Final = int(Opcode.PUSH)
PUSHLOC: Final = int(Opcode.PUSHLOC)
PUSHGLB: Final = int(Opcode.PUSHGLB)
PUSHBLTN: Final = int(Opcode.PUSHBLTN)
CALL: Final = int(Opcode.CALL)
BREAK: Final = int(Opcode.BREAK)

LT: Final = int(Comparison.LT)
LTE: Final = int(Comparison.LTE)
EQ: Final = int(Comparison.EQ)
NEQ: Final = int(Comparison.NEQ)
GTE: Final = int(Comparison.GTE)
GT: Final = int(Comparison.GT)

CHKINDEX: Final = int(Extended.CHKINDEX)
PUSHAF: Final = int(Extended.PUSHAF)
POPAF: Final = int(Extended.POPAF)
PUSHAC: Final = int(Extended.PUSHAC)
SETOWNER: Final = int(Extended.SETOWNER)
ISSTATICOK: Final = int(Extended.ISSTATICOK)
SETSTATIC: Final = int(Extended.SETSTATIC)
SAVEAREF: Final = int(Extended.SAVEREF)
RESTOREAREF: Final = int(Extended.RESTOREREF)
CHKNULLISH: Final = int(Extended.CHKNULLISH)
PUSHREF: Final = int(Extended.PUSHREF)

ARRAY: Final = int(ReferenceType.ARRAY)
ARRAY_PUSHAF: Final = int(ReferenceType.ARRAY_PUSHAF)
STACKTOP: Final = int(ReferenceType.STACKTOP)
ARRAY_POPAF: Final = int(ReferenceType.ARRAY_POPAF)
NORMAL: Final = int(ReferenceType.NORMAL)
INSTANCE: Final = int(ReferenceType.INSTANCE)

SELF: Final = int(InstanceType.SELF)
OTHER: Final = int(InstanceType.OTHER)
ALL: Final = int(InstanceType.ALL)
NOONE: Final = int(InstanceType.NOONE)
GLOBAL: Final = int(InstanceType.GLOBAL)
BUILTIN: Final = int(InstanceType.BUILTIN)
LOCAL: Final = int(InstanceType.LOCAL)
STACKED: Final = int(InstanceType.STACKTOP)
ARGUMENT: Final = int(InstanceType.ARGUMENT)
STATIC: Final = int(InstanceType.STATIC)

NAN: Final = double_from_bits(0xFFF8_0000_0000_0000)  # as a processor makes it
