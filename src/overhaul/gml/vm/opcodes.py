"""Numbers of the virtual machine: opcodes, types, instances, references, extended operations.

In memory an opcode always has its bytecode-15+ number; the other numbering of bytecode 13 and 14
is only a matter of encoding (``OLD_OPCODES``).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Opcode(IntEnum):
    """Operations, in the numbering of bytecode 15 and later."""

    CONV = 0x07
    MUL = 0x08
    DIV = 0x09
    REM = 0x0A
    MOD = 0x0B
    ADD = 0x0C
    SUB = 0x0D
    AND = 0x0E
    OR = 0x0F
    XOR = 0x10
    NEG = 0x11
    NOT = 0x12
    SHL = 0x13
    SHR = 0x14
    CMP = 0x15
    POP = 0x45
    PUSHI = 0x84
    DUP = 0x86
    CALLV = 0x99
    RET = 0x9C
    EXIT = 0x9D
    POPZ = 0x9E
    B = 0xB6
    BT = 0xB7
    BF = 0xB8
    PUSHENV = 0xBA
    POPENV = 0xBB
    PUSH = 0xC0
    PUSHLOC = 0xC1
    PUSHGLB = 0xC2
    PUSHBLTN = 0xC3
    CALL = 0xD9
    BREAK = 0xFF


class DataType(IntEnum):
    """Types of values on the machine's stack.  INT16 exists only as an operand."""

    DOUBLE = 0
    FLOAT = 1
    INT32 = 2
    INT64 = 3
    BOOLEAN = 4
    VARIABLE = 5
    STRING = 6
    INT16 = 15


class InstanceType(IntEnum):
    """The owner of a variable. Numbers from 0 up are object indices."""

    SELF = -1
    OTHER = -2
    ALL = -3
    NOONE = -4
    GLOBAL = -5
    BUILTIN = -6
    LOCAL = -7
    STACKTOP = -9
    ARGUMENT = -15
    STATIC = -16


class ReferenceType(IntEnum):
    """How a variable operand finds its instance (the top byte of the operand, masked F8)."""

    ARRAY = 0x00
    ARRAY_PUSHAF = 0x10
    STACKTOP = 0x80
    ARRAY_POPAF = 0x90
    NORMAL = 0xA0
    INSTANCE = 0xE0


class Comparison(IntEnum):
    """The kinds of ``cmp``."""

    LT = 1
    LTE = 2
    EQ = 3
    NEQ = 4
    GTE = 5
    GT = 6


class Extended(IntEnum):
    """The operations behind ``break``, by the number in the instruction's value."""

    CHKINDEX = -1
    PUSHAF = -2
    POPAF = -3
    PUSHAC = -4
    SETOWNER = -5
    ISSTATICOK = -6
    SETSTATIC = -7
    SAVEREF = -8
    RESTOREREF = -9
    CHKNULLISH = -10
    PUSHREF = -11


POPENV_DROP: Final = -0x80000000
"""The value of a ``popenv`` that is no branch: it leaves the current ``with`` early."""

POPENV_DROP_BITS: Final = 0xF00000
"""The low 24 bits of that instruction in a file."""

REFERENCE_DISTANCE_MASK: Final = 0x07FFFFFF
"""Bits of a reference word that hold the distance to the chain's next word (bytes)."""

REFERENCE_TYPE_MASK: Final = 0xF8000000

TYPE_LETTERS: Final = "dfilbvs????????e"
"""The assembly's letter of each data type; ``?`` where no file has the type."""

STACK_SIZES: Final = (8, 4, 4, 8, 4, 16, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4)
"""Bytes a value of each data type takes on the stack: what ``dup`` counts."""

MNEMONICS: Final[dict[int, str]] = {int(opcode): opcode.name.lower() for opcode in Opcode}

BRANCHES: Final = frozenset((Opcode.B, Opcode.BT, Opcode.BF, Opcode.PUSHENV, Opcode.POPENV))
PUSHES: Final = frozenset((Opcode.PUSH, Opcode.PUSHLOC, Opcode.PUSHGLB, Opcode.PUSHBLTN))
TWO_TYPES: Final = frozenset((*range(Opcode.CONV, Opcode.NEG), Opcode.SHL, Opcode.SHR, Opcode.CMP))
"""Opcodes whose text has both types: ``add.i.v`` (``pop`` depends on its form)."""

OLD_OPCODES: Final[dict[int, int]] = {
    **{opcode: opcode - 4 for opcode in range(Opcode.CONV, Opcode.CMP)},
    Opcode.POP: 0x41,
    Opcode.DUP: 0x82,
    Opcode.RET: 0x9D,
    Opcode.EXIT: 0x9E,
    Opcode.POPZ: 0x9F,
    Opcode.B: 0xB7,
    Opcode.BT: 0xB8,
    Opcode.BF: 0xB9,
    Opcode.PUSHENV: 0xBB,
    Opcode.POPENV: 0xBC,
    Opcode.PUSH: 0xC0,
    Opcode.CALL: 0xDA,
    Opcode.BREAK: 0xFF,
}
"""Modern opcode -> its byte in bytecode 13 and 14.  ``cmp`` is 0x10 + its kind there, and the
special pushes do not exist."""

OLD_COMPARISON_BASE: Final = 0x10


def instruction_words(opcode: int, type1: int) -> int:
    """The length of an instruction in 32-bit words (1, 2 or 3)."""
    if PUSH_FIRST <= opcode <= PUSH_LAST:
        return PUSH_WORDS[type1]
    if opcode == Opcode.CALL:
        return 2
    if opcode == Opcode.POP:
        return 1 if type1 == DataType.INT16 else 2
    if opcode == Opcode.BREAK:
        return 2 if type1 == DataType.INT32 else 1
    return 1


PUSH_FIRST: Final = 0xC0
PUSH_LAST: Final = 0xC3
PUSH_WORDS: Final = (3, 2, 2, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1)
"""Words of a push by type1."""


WORDS: Final = bytes(
    instruction_words(opcode, type1) for opcode in range(256) for type1 in range(16)
)
"""Length of an instruction in words, by ``opcode << 4 | type1``: for loops over many."""


def dup_value(size: int, swap: int | None = None) -> int:
    """Put a ``dup`` value together; ``swap`` None for plain duplication."""
    word = size & 0xFF if swap is None else (size & 0xFF) | 0x8000 | (swap & 0x7F) << 8
    return word - 0x10000 if word & 0x8000 else word
