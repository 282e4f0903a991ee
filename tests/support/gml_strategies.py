"""Hypothesis strategies for symbolic code: whatever an instruction can hold, sensible or not."""

from __future__ import annotations

import struct

from hypothesis import strategies as st

from overhaul.gml.asset_types import NEW_ASSET_TYPES
from overhaul.gml.vm.code import (
    AssetReference,
    Child,
    Code,
    FunctionReference,
    Instruction,
    VariableReference,
    double_from_bits,
)
from overhaul.gml.vm.opcodes import (
    POPENV_DROP,
    DataType,
    Extended,
    InstanceType,
    Opcode,
    ReferenceType,
)

SHORT = st.integers(-0x8000, 0x7FFF)
INT32 = st.integers(-(1 << 31), (1 << 31) - 1)
TYPES = st.sampled_from([int(kind) for kind in DataType])
ONE_WORD = [
    int(opcode)
    for opcode in Opcode
    if Opcode.CONV <= opcode <= Opcode.SHR or opcode in (Opcode.RET, Opcode.EXIT, Opcode.POPZ)
]
NAMES = st.text(min_size=1, max_size=12) | st.sampled_from(
    ["x", "argument0", "gml_Script_a", "a b", "self.x", "5.hp", "x ;;; y", '"', "f(argc=1)", "[x]"]
)
INSTANCES = st.sampled_from([int(kind) for kind in InstanceType]) | SHORT
VARIABLES = st.builds(
    VariableReference, NAMES, INSTANCES, st.sampled_from([int(kind) for kind in ReferenceType])
)
FUNCTIONS = st.builds(FunctionReference, NAMES)
ASSETS = st.builds(
    AssetReference,
    st.sampled_from([*NEW_ASSET_TYPES.values(), "type_99"]),
    st.integers(0, 0xFFFFFF),
)
DOUBLES = st.integers(0, (1 << 64) - 1).map(double_from_bits) | st.floats(allow_nan=False)
STRINGS = st.text(max_size=20) | st.binary(max_size=8).map(
    lambda raw: raw.decode("utf-8", "surrogateescape")
)


def _push(draw: st.DrawFn) -> Instruction:
    opcode = draw(st.sampled_from([0xC0, 0xC1, 0xC2, 0xC3]))
    type1 = draw(TYPES)
    value = draw(st.just(0) | SHORT)
    operand = {
        DataType.DOUBLE: DOUBLES,
        DataType.FLOAT: st.integers(0, 0xFFFFFFFF),
        DataType.INT32: INT32 | FUNCTIONS | VARIABLES,
        DataType.INT64: st.integers(-(1 << 63), (1 << 63) - 1),
        DataType.BOOLEAN: st.integers(0, 0xFFFFFFFF),
        DataType.VARIABLE: VARIABLES,
        DataType.STRING: STRINGS,
        DataType.INT16: st.none(),
    }[DataType(type1)]
    return Instruction(opcode, type1, draw(st.just(0) | TYPES), value, draw(operand))


@st.composite
def instructions(draw: st.DrawFn) -> Instruction:
    """One instruction, with any value and operand that has an encoding (bytecode 15+)."""
    shape = draw(st.integers(0, 9))
    two = draw(st.just(0) | TYPES)
    if shape <= 2:
        return _push(draw)
    if shape == 3:
        opcode = draw(st.sampled_from([0xB6, 0xB7, 0xB8, 0xBA, 0xBB]))
        distance = st.integers(-30, 30) | st.integers(-(1 << 22), (1 << 22) - 1)
        return Instruction(
            opcode, 0, 0, draw(distance | st.just(POPENV_DROP) if opcode == 0xBB else distance)
        )
    if shape == 4:
        type1 = draw(TYPES)
        operand = None if type1 == DataType.INT16 else draw(VARIABLES)
        return Instruction(Opcode.POP, type1, draw(TYPES), draw(SHORT), operand)
    if shape == 5:
        return Instruction(Opcode.CALL, draw(TYPES), two, draw(SHORT), draw(FUNCTIONS))
    if shape == 6:
        value = draw(st.sampled_from([int(operation) for operation in Extended]) | SHORT)
        type1 = draw(TYPES)
        reference = draw(ASSETS | FUNCTIONS) if type1 == DataType.INT32 else None
        return Instruction(Opcode.BREAK, type1, two, value, reference)
    if shape == 7:
        opcode = draw(st.sampled_from([Opcode.DUP, Opcode.CALLV, Opcode.PUSHI]))
        return Instruction(opcode, draw(TYPES), two, draw(SHORT))
    opcode = draw(st.sampled_from(ONE_WORD))
    value = draw(st.integers(0, 255)) if opcode == Opcode.CMP else draw(st.just(0) | SHORT)
    return Instruction(opcode, draw(TYPES), draw(TYPES), value)


@st.composite
def codes(draw: st.DrawFn) -> Code:
    """A root code entry with children that begin anywhere."""
    rows = draw(st.lists(instructions(), max_size=30))
    code = Code("gml_Script_test", rows)
    length = len(code)
    for name in draw(st.lists(NAMES, max_size=3)):
        offset = draw(st.integers(0, length) | st.sampled_from([*code.offsets(), length]))
        counts = st.integers(0, 0xFFFF)
        code.children.append(Child(name, offset, draw(counts), draw(counts)))
    code.local_names = draw(st.lists(NAMES, max_size=4))
    return code


def word(number: int) -> bytes:
    """A little-endian word."""
    return struct.pack("<I", number & 0xFFFFFFFF)
