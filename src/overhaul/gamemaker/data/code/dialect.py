"""The dialect of a game: by its release, corrected by what its own code shows.

Evidence from the compiler raises the release itself (:mod:`overhaul.gamemaker.data.detect_code`).

Each trait of the first builds is left to the release where the code has nothing that shows it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.model import GameModel
from overhaul.gml.dialect import Dialect
from overhaul.gml.vm.columns import FUNCTION_BIT, Columns
from overhaul.gml.vm.opcodes import DataType, Extended, InstanceType, Opcode, ReferenceType

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
    names = {str(variable.name) for variable in game.variables.present()}
    shown: dict[str, bool] = {}
    if marks.any(accesses & marks.value(int(InstanceType.BUILTIN))):
        shown["plain_as_builtin"] = True
    elif marks.any(accesses & marks.value(int(InstanceType.SELF))):
        shown["plain_as_builtin"] = False
    duplicates = marks.opcode(Opcode.DUP) & (columns.type1 == int(DataType.INT32))
    checks = marks.extended(Extended.CHKINDEX)
    rows = marks.opcode(Opcode.PUSH) & (columns.type1 == int(DataType.INT32))
    rows &= columns.operand == ROW_LENGTH
    if marks.any(rows):
        shown["two_indices_checked"] = marks.any(marks.then(checks, rows))
    if marks.any(elements):
        shown["every_index_checked"] = marks.any(marks.then(checks, elements | duplicates))
    if marks.any(marks.then(duplicates, reads)):
        shown["compound_reads_again"] = False
    if "$$$$temp$$$$" in names:
        shown["switch_return_direct"] = False
    if "os_browser" in names:
        shown["browser_constant"] = False
    if marks.any(_calls_of_constant(game, marks, "ord")):
        shown["ord_folds"] = False
    bits = marks.opcode(*_BITWISE)
    integer, wide = int(DataType.INT32), int(DataType.INT64)
    if marks.any(bits & ((columns.type1 == wide) | (columns.type2 == wide))):
        shown["bitwise_int64"] = True
    else:
        narrow = bits & marks.types(integer, integer)
        narrow |= marks.then(marks.opcode(Opcode.PUSH), narrow)
        converted = marks.opcode(Opcode.CONV) & marks.types(DataType.VARIABLE, integer)
        if marks.any(marks.then(converted, narrow)):
            shown["bitwise_int64"] = False
    return shown


def _calls_of_constant(game: GameModel, marks: Marks, name: str) -> Mask:
    """Calls of a function whose last argument is a literal string."""
    numbers = [
        i
        for i, function in enumerate(game.functions)
        if function is not None and function.name == name
    ]
    records = [number | FUNCTION_BIT for number in numbers]
    calls = marks.opcode(Opcode.CALL) & np.isin(marks.record, records)
    strings = marks.opcode(Opcode.PUSH) & (marks.columns.type1 == int(DataType.STRING))
    converted = marks.opcode(Opcode.CONV) & marks.types(DataType.STRING, DataType.VARIABLE)
    return marks.then(strings, marks.then(converted, calls))


Mask = npt.NDArray[np.bool_]


class Marks:
    """Masks over all instructions of a game."""

    def __init__(self, columns: Columns, record: npt.NDArray[np.int32]) -> None:
        self.columns = columns
        self.record = record
        self._of_opcode: dict[int, Mask] = {}

    def opcode(self, *opcodes: int) -> Mask:
        """Instructions with one of these opcodes."""
        return _one_of([self._of(int(opcode)) for opcode in opcodes])

    def _of(self, opcode: int) -> Mask:
        mask = self._of_opcode.get(opcode)
        if mask is None:
            mask = self._of_opcode[opcode] = self.columns.opcode == opcode
        return mask

    def types(self, type1: int, type2: int) -> Mask:
        """Instructions of these types."""
        mask: Mask = (self.columns.type1 == int(type1)) & (self.columns.type2 == int(type2))
        return mask

    def value(self, *values: int) -> Mask:
        """Instructions with one of these values."""
        return _one_of([self.columns.value == int(value) for value in values])

    def extended(self, number: int) -> Mask:
        """Extended operations of one kind."""
        return self.opcode(Opcode.BREAK) & self.value(int(number))

    def then(self, first: Mask, second: Mask) -> Mask:
        """Where an instruction of the first mask is followed by one of the second."""
        rows_found = np.zeros(len(first), np.bool_)
        rows_found[:-1] = first[:-1] & second[1:]
        return rows_found

    @staticmethod
    def any(mask: Mask) -> bool:
        """Whether the mask has a single instruction."""
        return bool(mask.any())


def _one_of(masks: Sequence[Mask]) -> Mask:
    """Where one of some masks has an instruction, as an array of its own."""
    found = masks[0].copy()
    for mask in masks[1:]:
        found |= mask
    return found


def game_dialect(game: GameModel) -> Dialect:
    """The dialect the game's code was compiled in.

    The capability rules are those of the release; single capabilities are overridden where the
    instructions themselves show them (the marks are those of the bytecode reference, section 1).
    """
    version, evidence = code_evidence(game)
    return Dialect.for_version(game.release.bytecode, version, game.release.lts, **evidence)


def code_evidence(game: GameModel) -> tuple[tuple[int, ...], dict[str, bool]]:
    """The release as the whole game's code shows it, and the capabilities that it decides."""
    layout = game.release
    version: tuple[int, ...] = layout.number
    record = game.record("CODE")
    if record is None or record.area is None or not len(record.area.code):
        return version, {}
    code = record.area.code
    evidence: dict[str, bool] = {}
    if code.combines:
        evidence["logical_short_circuit"] = False
    if layout.bytecode == 16 and version < (2,):
        return version, evidence  # which does not need all columns at once
    marks = Marks(code.columns, code.record)
    if layout.bytecode <= 13:
        evidence |= first_builds(game, marks)
    if version >= (2, 3):
        if version >= (2024, 2) and _counts_arguments(game):
            version = (2023, 11, 0, 0)
        return version, evidence | _evidence_of_2_3(game, version, marks)
    if version >= (2,):
        evidence["enums_as_int64"] = _has_int64_constants(marks)
    if layout.bytecode == 15 and marks.any(_numbers_as_instances(marks)):
        evidence["instance_keywords_as_id"] = False
    return version, evidence


def _numbers_as_instances(marks: Marks) -> Mask:
    """Where ``with (self)`` and ``with (other)`` are pushed as numbers."""
    small = marks.opcode(Opcode.PUSH, Opcode.PUSHI) & (marks.columns.type1 == int(DataType.INT16))
    keyword = marks.value(int(InstanceType.SELF), int(InstanceType.OTHER))
    return marks.then(small & keyword, marks.opcode(Opcode.PUSHENV))


def _has_int64_constants(marks: Marks) -> bool:
    """Whether a small constant is an int64, as members of enums are where the compiler makes them
    so: neither the index of a built-in array without one, nor the missing condition of a loop.
    """
    columns = marks.columns
    pushes = marks.opcode(Opcode.PUSH) & (columns.type1 == int(DataType.INT64))
    small = pushes & (abs(columns.operand) < 1 << 31)
    for value, type_ in ((0, DataType.INT32), (1, DataType.BOOLEAN)):
        converted = marks.opcode(Opcode.CONV) & marks.types(DataType.INT64, type_)
        small &= ~(marks.then(pushes, converted) & (columns.operand == value))
    return marks.any(small)


def _counts_arguments(game: GameModel) -> bool:
    """Whether roots without locals still count `arguments`, as until 2024.2: then the code is
    not newer, even if another chunk suggests it."""
    roots = [entry for entry in game.records.code if entry is not None and entry.root is None]
    if any(entry.locals_count == 0 and not _has_locals(entry) for entry in roots):
        return False
    return not all(map(_has_locals, roots))


def _has_locals(root: CodeEntry) -> bool:
    """Whether the code of a root names a local variable."""
    return bool((root.bytecode.columns.value == int(InstanceType.LOCAL)).any())


def _evidence_of_2_3(game: GameModel, version: tuple[int, ...], marks: Marks) -> dict[str, bool]:
    evidence: dict[str, bool] = {}
    columns = marks.columns
    integer, variable = int(DataType.INT32), int(DataType.VARIABLE)
    # the tail of a repeat loop: sub, dup, then either the conversion or the branch at once
    tail = marks.then(
        marks.opcode(Opcode.SUB) & marks.types(integer, integer),
        marks.opcode(Opcode.DUP) & (columns.type1 == integer),
    )
    tail = np.roll(tail, 1)
    converts = marks.any(
        marks.then(tail, marks.opcode(Opcode.CONV) & marks.types(integer, int(DataType.BOOLEAN)))
    )
    branches = marks.any(marks.then(tail, marks.opcode(Opcode.BT)))
    if converts or branches:
        evidence["extra_repeat_instruction"] = converts
    evidence["array_copy_on_write"] = marks.any(marks.extended(Extended.SETOWNER))
    owners = _owner_ids(marks)
    if len(owners):
        # 65536 and more for the function; variables count from 100000, -6 is any parameter
        with_function = (owners >= 65530) & (owners < 100000) | (owners >= 165530)
        evidence["new_array_owners"] = bool(with_function.any())
    builtins = marks.opcode(Opcode.PUSHBLTN)
    if marks.any(builtins):
        evidence["builtin_globals_as_self"] = marks.any(
            builtins & marks.value(int(InstanceType.SELF))
        )
    static = marks.extended(Extended.ISSTATICOK)
    marker = marks.extended(Extended.SETSTATIC)
    evidence["static_marker_everywhere"] = marks.any(marker) and not marks.any(static)
    if marks.any(marks.opcode(Opcode.RET)):
        evidence["static_marker_at_returns"] = marks.any(
            marks.then(marker, marks.opcode(Opcode.RET))
        )
    if marks.any(static):
        after = np.flatnonzero(static)[0] + 2
        evidence["reentrant_static"] = after >= len(columns) or not bool(
            marks.extended(Extended.SETSTATIC)[after]
        )
    evidence |= _evidence_of_calls(game, version, marks)
    if (2, 3, 6) <= version < (2023, 1) and "FEDS" in game.chunks:
        evidence["nullish_operator"] = True
        typed = marks.then(
            marks.opcode(Opcode.PUSHI) & marks.value(0, 1),
            marks.opcode(Opcode.CONV) & marks.types(int(DataType.BOOLEAN), variable),
        )
        evidence["typed_booleans"] = version >= (2022, 1) or marks.any(typed)
    return evidence


def _evidence_of_calls(game: GameModel, version: tuple[int, ...], marks: Marks) -> dict[str, bool]:
    """The evidence in the functions that code calls or names."""
    evidence: dict[str, bool] = {}
    columns, record = marks.columns, marks.record
    names = ["" if function is None else str(function.name) for function in game.functions.items]
    if not {"@@array_get@@", "@@array_set@@"}.isdisjoint(names):
        evidence["internal_array_access"] = True
    text = marks.then(
        marks.opcode(Opcode.PUSH) & (columns.type1 == int(DataType.STRING)),
        marks.opcode(Opcode.CONV) & marks.types(int(DataType.STRING), int(DataType.VARIABLE)),
    )
    if "string" in names:
        call = marks.opcode(Opcode.CALL) & marks.value(1)
        call &= record == names.index("string") | FUNCTION_BIT
        if marks.any(marks.then(np.roll(text, 1), call)):
            evidence["string_call_folds"] = False
    called = marks.then(
        marks.opcode(Opcode.PUSH) & marks.value(int(InstanceType.STATIC)),
        marks.opcode(Opcode.CALLV),
    )
    if marks.any(called):
        evidence["statics_called_directly"] = True
    if version >= (2024, 13):
        shown = _functions_shown(names, marks)
        if shown is not None:
            evidence["function_script_references"] = shown
    return evidence


#: calls that a function's number before them is an argument of, whatever the release
_TAKE_NUMBERS = ("method", "@@NullObject@@", "@@NewGMLObject@@", "@@CopyStatic@@", "static_get")


def _functions_shown(names: list[str], marks: Marks) -> bool | None:
    """Whether script functions as values are references, not numbers; None where none is one."""
    record = marks.record
    functions = (record >= 0) & (record & FUNCTION_BIT != 0)
    if marks.any(functions & marks.extended(Extended.PUSHREF)):
        return True
    numbers = functions & marks.opcode(Opcode.PUSH)
    calls = functions & marks.opcode(Opcode.CALL)
    for row in np.flatnonzero(numbers).tolist():
        if not names[record[row] & ~FUNCTION_BIT].startswith("gml_Script_"):
            continue
        behind = np.flatnonzero(calls[row : row + 6])
        if not len(behind) or names[record[row + behind[0]] & ~FUNCTION_BIT] not in _TAKE_NUMBERS:
            return False
    return None


def _owner_ids(marks: Marks) -> npt.NDArray[np.int64]:
    """The numbers pushed before every setowner."""
    columns = marks.columns
    rows = np.flatnonzero(marks.extended(Extended.SETOWNER)) - 1
    rows = rows[rows >= 0]
    short = columns.size[rows] == 1
    numbers: npt.NDArray[np.int64] = np.where(short, columns.value[rows], columns.operand[rows])
    return numbers
