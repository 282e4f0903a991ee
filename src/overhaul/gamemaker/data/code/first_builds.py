"""What the code of a game tells of the compilers of the first years, bytecode 13 and before.

Each trait is left to the release where the code has nothing that shows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from overhaul.gml.vm.columns import FUNCTION_BIT
from overhaul.gml.vm.opcodes import DataType, Extended, InstanceType, Opcode, ReferenceType

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.marks import Marks, Mask
    from overhaul.gamemaker.data.model import GameModel

_KIND = 0xF8  # of a variable's reference word, the top byte
#: of ``a[i, j]``, which is the element ``i * 32000 + j``: a constant this small is a push.e else
ROW_LENGTH = 32000
_BITWISE = (Opcode.AND, Opcode.OR, Opcode.XOR, Opcode.SHL, Opcode.SHR)


def first_builds(game: GameModel, marks: Marks) -> dict[str, bool]:
    """The capabilities of the dialect that the code shows."""
    columns = marks.columns
    variable = columns.type1 == int(DataType.VARIABLE)
    reads = marks.opcode(Opcode.PUSH) & variable
    accesses = reads | (marks.opcode(Opcode.POP) & variable)
    kind = columns.operand >> 24 & _KIND
    elements = accesses & (kind == int(ReferenceType.ARRAY))
    names = {str(each.name) for each in game.variables.present()}
    found: dict[str, bool] = {}
    if marks.any(accesses & marks.value(int(InstanceType.BUILTIN))):
        found["plain_as_builtin"] = True
    elif marks.any(accesses & marks.value(int(InstanceType.SELF))):
        found["plain_as_builtin"] = False
    duplicates = marks.opcode(Opcode.DUP) & (columns.type1 == int(DataType.INT32))
    checks = marks.extended(Extended.CHKINDEX)
    rows = marks.opcode(Opcode.PUSH) & (columns.type1 == int(DataType.INT32))
    rows &= columns.operand == ROW_LENGTH
    if marks.any(rows):
        found["two_indices_checked"] = marks.any(marks.then(checks, rows))
    if marks.any(elements):
        found["every_index_checked"] = marks.any(marks.then(checks, elements | duplicates))
    if marks.any(marks.then(duplicates, reads)):
        found["compound_reads_again"] = False
    if "$$$$temp$$$$" in names:
        found["switch_return_direct"] = False
    if "os_browser" in names:
        found["browser_constant"] = False
    if marks.any(_calls_of_constant(game, marks, "ord")):
        found["ord_folds"] = False
    bits = marks.opcode(*_BITWISE)
    integer, wide = int(DataType.INT32), int(DataType.INT64)
    if marks.any(bits & ((columns.type1 == wide) | (columns.type2 == wide))):
        found["bitwise_int64"] = True
    else:
        narrow = bits & marks.types(integer, integer)
        narrow |= marks.then(marks.opcode(Opcode.PUSH), narrow)
        converted = marks.opcode(Opcode.CONV) & marks.types(DataType.VARIABLE, integer)
        if marks.any(marks.then(converted, narrow)):
            found["bitwise_int64"] = False
    return found


def _calls_of_constant(game: GameModel, marks: Marks, name: str) -> Mask:
    """Calls of a function whose last argument is a string as it stands."""
    numbers = [i for i, each in enumerate(game.functions) if each is not None and each.name == name]
    records = [number | FUNCTION_BIT for number in numbers]
    calls = marks.opcode(Opcode.CALL) & np.isin(marks.record, records)
    strings = marks.opcode(Opcode.PUSH) & (marks.columns.type1 == int(DataType.STRING))
    converted = marks.opcode(Opcode.CONV) & marks.types(DataType.STRING, DataType.VARIABLE)
    return marks.then(strings, marks.then(converted, calls))
