"""The machine that scripts run on: instructions, registers, fixups; operators of the language.

Source: the engine's ``Common/script/cc_internal.h`` and ``script_common.h``; see
docs/formats/ags-compiler.md.
"""

from __future__ import annotations

from typing import Final

SP: Final = 1
MAR: Final = 2
AX: Final = 3
BX: Final = 4
CX: Final = 5
OP: Final = 6
DX: Final = 7

ADDI: Final = 1
SUBI: Final = 2
MOVE: Final = 3
WRITE_LITERAL: Final = 4
RETURN: Final = 5
LITERAL: Final = 6
READ: Final = 7
WRITE: Final = 8
MULTIPLY: Final = 9
DIVIDE: Final = 10
ADD: Final = 11
SUBTRACT: Final = 12
EQUAL: Final = 15
NOT_EQUAL: Final = 16
LOGICAL_OR: Final = 22
CALL: Final = 23
READ_BYTE: Final = 24
READ_WORD: Final = 25
WRITE_BYTE: Final = 26
WRITE_WORD: Final = 27
JUMP_ZERO: Final = 28
PUSH: Final = 29
POP: Final = 30
JUMP: Final = 31
MULTIPLY_LITERAL: Final = 32
CALL_IMPORT: Final = 33
PUSH_ARGUMENT: Final = 34
DROP_ARGUMENTS: Final = 35
LINE: Final = 36
FUNCTION_BASE: Final = 38
ARGUMENT_COUNT: Final = 39
NOT: Final = 42
SET_OBJECT: Final = 45
CHECK_BOUNDS: Final = 46
WRITE_POINTER: Final = 47
READ_POINTER: Final = 48
RELEASE: Final = 49
INIT_POINTER: Final = 50
LOCAL_ADDRESS: Final = 51
CHECK_NULL: Final = 52
FLOAT_ADDI: Final = 53
FLOAT_SUBI: Final = 54
ZERO: Final = 63
CREATE_STRING: Final = 64
STRINGS_EQUAL: Final = 65
STRINGS_NOT_EQUAL: Final = 66
CHECK_NULL_REGISTER: Final = 67
LOOP_CHECK_OFF: Final = 68
RELEASE_KEPT: Final = 69
JUMP_NOT_ZERO: Final = 70
DYNAMIC_BOUNDS: Final = 71
NEW_ARRAY: Final = 72
NEW_OBJECT: Final = 73

FIX_DATA: Final = 1
FIX_FUNCTION: Final = 2
FIX_STRING: Final = 3
FIX_IMPORT: Final = 4
FIX_DATA_IN_DATA: Final = 5

#: The binary operators: how loosely each binds, and its instruction.
OPERATORS: Final[dict[str, tuple[int, int]]] = {
    "*": (2, 9),
    "/": (3, 10),
    "%": (4, 40),
    "+": (5, 11),
    "-": (5, 12),
    "<<": (7, 43),
    ">>": (8, 44),
    "&": (9, 13),
    "|": (10, 14),
    "^": (11, 41),
    "==": (12, 15),
    "!=": (13, 16),
    ">": (14, 17),
    "<": (15, 18),
    ">=": (16, 19),
    "<=": (17, 20),
    "&&": (18, 21),
    "||": (19, 22),
}
LOOSEST: Final = 19
SUM: Final = 5

#: The assignments that also compute; those of the first two exist in all versions.
COMPOUND: Final[dict[str, int]] = {
    "+=": 11,
    "-=": 12,
    "*=": 9,
    "/=": 10,
    "&=": 13,
    "|=": 14,
    "^=": 41,
    "<<=": 43,
    ">>=": 44,
}

#: The same operation on floats.
ON_FLOATS: Final[dict[int, int]] = {
    ADDI: FLOAT_ADDI,
    SUBI: FLOAT_SUBI,
    MULTIPLY: 55,
    DIVIDE: 56,
    ADD: 57,
    SUBTRACT: 58,
    EQUAL: EQUAL,
    NOT_EQUAL: NOT_EQUAL,
    17: 59,
    18: 60,
    19: 61,
    20: 62,
}

#: Operations whose result is a number whatever they compare.
COMPARISONS: Final = frozenset(
    {*range(EQUAL, LOGICAL_OR + 1), 59, 60, 61, 62, STRINGS_EQUAL, STRINGS_NOT_EQUAL}
)
