"""The machine's numbers as plain ints: looking up members of enums costs time in each handler."""

from __future__ import annotations

from overhaul.gml.vm.opcodes import DataType, InstanceType, Opcode, ReferenceType

ADD, SUB, MUL, REM = int(Opcode.ADD), int(Opcode.SUB), int(Opcode.MUL), int(Opcode.REM)
NEG, NOT = int(Opcode.NEG), int(Opcode.NOT)
AND, OR, XOR = int(Opcode.AND), int(Opcode.OR), int(Opcode.XOR)
SHL, SHR = int(Opcode.SHL), int(Opcode.SHR)
CMP, CONV, DUP, BREAK = int(Opcode.CMP), int(Opcode.CONV), int(Opcode.DUP), int(Opcode.BREAK)
PUSH, PUSHBLTN, PUSHI = int(Opcode.PUSH), int(Opcode.PUSHBLTN), int(Opcode.PUSHI)
POP, POPZ, CALL, CALLV = int(Opcode.POP), int(Opcode.POPZ), int(Opcode.CALL), int(Opcode.CALLV)
B, BT, BF, EXIT, RET = (
    int(Opcode.B), int(Opcode.BT), int(Opcode.BF), int(Opcode.EXIT), int(Opcode.RET)
)  # fmt: skip
PUSHENV, POPENV = int(Opcode.PUSHENV), int(Opcode.POPENV)

DOUBLE, STRING, VARIABLE = int(DataType.DOUBLE), int(DataType.STRING), int(DataType.VARIABLE)
INT16, INT32, INT64 = int(DataType.INT16), int(DataType.INT32), int(DataType.INT64)
BOOLEAN = int(DataType.BOOLEAN)

NORMAL, ARRAY, ON_STACK = (
    int(ReferenceType.NORMAL), int(ReferenceType.ARRAY), int(ReferenceType.STACKTOP)
)  # fmt: skip
ROOM_INSTANCE = int(ReferenceType.INSTANCE)
PUSHAF, POPAF = int(ReferenceType.ARRAY_PUSHAF), int(ReferenceType.ARRAY_POPAF)

SELF, OTHER, ALL, NOONE = (
    int(InstanceType.SELF), int(InstanceType.OTHER), int(InstanceType.ALL), int(InstanceType.NOONE)
)  # fmt: skip
GLOBAL, BUILTIN, LOCAL = (
    int(InstanceType.GLOBAL), int(InstanceType.BUILTIN), int(InstanceType.LOCAL)
)  # fmt: skip
STACKTOP, ARGUMENT, STATIC = (
    int(InstanceType.STACKTOP), int(InstanceType.ARGUMENT), int(InstanceType.STATIC)
)  # fmt: skip
