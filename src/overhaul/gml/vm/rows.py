"""Between columns and symbolic instructions: numbers become names, and names numbers."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import numpy as np
import numpy.typing as npt

from overhaul.errors import EncodeError, FormatError
from overhaul.gml.vm.code import (
    AssetReference,
    FunctionReference,
    Instruction,
    Operand,
    VariableReference,
    bits_from_double,
    double_from_bits,
)
from overhaul.gml.vm.columns import FUNCTION_BIT, NO_RECORD, Columns, is_unreadable
from overhaul.gml.vm.opcodes import (
    REFERENCE_DISTANCE_MASK,
    WORDS,
    DataType,
    InstanceType,
    Opcode,
    ReferenceType,
    instruction_words,
)

_POP = int(Opcode.POP)
_CALL = int(Opcode.CALL)
_BREAK = int(Opcode.BREAK)
_DOUBLE = int(DataType.DOUBLE)
_INT32 = int(DataType.INT32)
_INT64 = int(DataType.INT64)
_VARIABLE = int(DataType.VARIABLE)
_STRING = int(DataType.STRING)
_NORMAL = int(ReferenceType.NORMAL)
_SELF = int(InstanceType.SELF)
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1  # of an operand in columns
_KIND = 0xF8000000  # the kind of reference of an operand
_MIX, _OTHER_MIX = 0x2545F4914F6CDD1D, 0x1B03738712FAD5C9  # odd, and their bits in no order
_SCOPED = (int(InstanceType.LOCAL), int(InstanceType.GLOBAL))


class NumberNames(Protocol):
    """The meaning of a file's numbers."""

    def variable(self, record: int) -> tuple[str, int | None]:
        """The name and instance type of a VARI record (no type in bytecode 13 and 14)."""

    def function(self, record: int) -> str:
        """The name of a FUNC record."""

    def string(self, index: int) -> str:
        """A string of the table (a StringReference where it is not the first of its content).
        Raises IndexError."""

    def asset_kind(self, number: int) -> str:
        """The asset kind of a type number in a pushref, ``type_N`` where it has none."""


class Numbers(Protocol):
    """A file's numbers for names; each raises EncodeError for what it does not know."""

    def variable_record(self, reference: VariableReference) -> int:
        """The VARI record."""

    def function_record(self, name: str) -> int:
        """The FUNC record."""

    def string_index(self, text: str) -> int:
        """The index in the string table: that of a StringReference where its number still has
        that text, else the first of the content."""

    def asset_number(self, kind: str) -> int:
        """The type number of an asset kind in a pushref."""


@contextmanager
def _placed(columns: Columns, result: list[Instruction]) -> Iterator[None]:
    """Let an error name the offset of the row behind those in ``result``."""
    try:
        yield
    except IndexError as error:
        raise FormatError(
            "an operand is outside its table", offset=int(columns.offset[len(result)])
        ) from error
    except FormatError as error:
        error.offset = int(columns.offset[len(result)])
        raise


def _refuse_unreadable(columns: Columns) -> None:
    if (unknown := is_unreadable(columns)).any():
        at = int(columns.offset[int(np.argmax(unknown))])
        raise FormatError("the code has words that are not instructions", offset=at)
    if columns.residue is not None and columns.residue.any():
        row = int(np.argmax(columns.residue != 0))
        raise FormatError("unknown bits in an instruction", offset=int(columns.offset[row]))


class RowReader:
    """Makes instructions from columns.  One per game: what it has named, it keeps."""

    def __init__(self, names: NumberNames) -> None:
        self._names = names
        self._variables: dict[tuple[int, int, int], VariableReference] = {}
        self._functions: dict[int, FunctionReference] = {}
        self._shared: dict[tuple[int, int, int, int, int, int, int], Instruction] = {}
        self._numbered: NumberedRows | None = None

    def number(self, columns: Columns, record: npt.NDArray[np.int32]) -> None:
        """Number the rows of all code of a game; most of it is going to be read by
        :meth:`shared_rows`."""
        if self._numbered is None or self._numbered.record is not record:
            self._numbered = NumberedRows(columns, record, self._instruction)

    def shared_rows(
        self, record: npt.NDArray[np.int32], start: int, stop: int
    ) -> tuple[list[Instruction], list[int]] | None:
        """As :meth:`shared`, for some rows of what :meth:`number` was given last with ``record``,
        and the offsets of these from the first one on; None where they have to be read one by
        one."""
        numbered = self._numbered
        if numbered is None or numbered.record is not record:
            return None
        return numbered.instructions(start, stop)

    def shared(self, columns: Columns, record: npt.NDArray[np.int32]) -> list[Instruction]:
        """As :meth:`instructions`, for code that is only read: equal instructions are one object,
        in all code of the game."""
        _refuse_unreadable(columns)
        named = record != NO_RECORD
        operand = columns.operand
        if named.any():  # how far the next of a chain is means nothing here
            operand = np.where(named, operand & _KIND, operand)
        result: list[Instruction] = []
        append, known = result.append, self._shared.get
        rows = zip(
            columns.opcode.tolist(), columns.type1.tolist(), columns.type2.tolist(),
            columns.value.tolist(), columns.size.tolist(), operand.tolist(), record.tolist(),
            strict=True,
        )  # fmt: skip
        with _placed(columns, result):
            for row in rows:
                instruction = known(row)
                if instruction is None:
                    instruction = self._shared[row] = self._instruction(*row)
                append(instruction)
        return result

    def _instruction(
        self, opcode: int, type1: int, type2: int, value: int, size: int, raw: int, record: int
    ) -> Instruction:
        operand = None if size == 1 else self._operand(opcode, type1, value, raw, record)
        return Instruction(opcode, type1, type2, value, operand)

    def instructions(
        self, columns: Columns, record: npt.NDArray[np.int32] | None = None
    ) -> list[Instruction]:
        """The instructions of some rows.

        ``record``: the record of each row's operand as ``resolve_chains`` gives it, with
        ``FUNCTION_BIT`` for functions.  Raises FormatError, with the offset in the blob, for an
        operand that names nothing.
        """
        _refuse_unreadable(columns)
        count = len(columns)
        records = [NO_RECORD] * count if record is None else record.tolist()
        result: list[Instruction] = []
        append = result.append
        with _placed(columns, result):
            for opcode, type1, type2, value, size, raw, number in zip(
                columns.opcode.tolist(),
                columns.type1.tolist(),
                columns.type2.tolist(),
                columns.value.tolist(),
                columns.size.tolist(),
                columns.operand.tolist(),
                records,
                strict=True,
            ):
                operand = None if size == 1 else self._operand(opcode, type1, value, raw, number)
                append(Instruction(opcode, type1, type2, value, operand))
        return result

    def _operand(self, opcode: int, type1: int, value: int, raw: int, record: int) -> Operand:
        if opcode == _CALL:
            return self._function(raw, record)
        if opcode == _POP or type1 == _VARIABLE:
            return self._variable(value, raw, record)
        if opcode == _BREAK:
            if record != NO_RECORD:
                return self._function(raw, record)
            kind, index = self._names.asset_kind(raw >> 24), raw & 0xFFFFFF
            return self._unlinked(index) if kind == "script" else AssetReference(kind, index)
        if type1 == _STRING:
            return self._names.string(raw)
        if type1 == _INT32:
            if record == NO_RECORD:
                return raw - 0x100000000 if raw & 0x80000000 else raw
            if record & FUNCTION_BIT:
                return self._function(raw, record)
            return self._variable(value, raw, record)
        if type1 == _DOUBLE:
            return double_from_bits(raw)
        return raw

    def _function(self, raw: int, record: int) -> FunctionReference:
        if record == NO_RECORD:
            # Calls in code of removed objects (2024.11+) hold the name's string index instead.
            return FunctionReference(str(self._names.string(raw & REFERENCE_DISTANCE_MASK)))
        reference = self._functions.get(record)
        if reference is None:
            reference = FunctionReference(self._names.function(record & ~FUNCTION_BIT))
            self._functions[record] = reference
        return reference

    def _unlinked(self, index: int) -> FunctionReference | AssetReference:
        """The target of a reference to a script that no chain has: in code of removed objects
        (2024.11+) the string index of a function's name."""
        try:
            name = str(self._names.string(index))
        except IndexError:
            name = ""
        if name.startswith("gml_Script_"):
            return FunctionReference(name)
        return AssetReference("script", index)

    def _variable(self, value: int, raw: int, record: int) -> VariableReference:
        kind = raw >> 24 & 0xF8
        key = record, kind, value
        reference = self._variables.get(key)
        if reference is None:
            if record == NO_RECORD:
                raise FormatError("a variable operand refers to no variable")
            name, scope = self._names.variable(record)
            if scope is None:
                scope = value if kind == _NORMAL and value in _SCOPED else _SELF
            reference = VariableReference(name, scope, kind)
            self._variables[key] = reference
        return reference


class NumberedRows:
    """The rows of much code, equal ones with one number: an instruction is made once of them."""

    def __init__(
        self,
        columns: Columns,
        record: npt.NDArray[np.int32],
        make: Callable[[int, int, int, int, int, int, int], Instruction],
    ) -> None:
        self.record = record
        self._offset = columns.offset
        self._numbers: npt.NDArray[np.int32] | None = None
        if columns.residue is not None or is_unreadable(columns).any():
            return
        operand = np.where(record != NO_RECORD, columns.operand & _KIND, columns.operand)
        heads = columns.value.astype(np.int64) << 32
        for shift, part in enumerate((columns.opcode, columns.type1, columns.type2, columns.size)):
            heads |= part.astype(np.int64) << 8 * shift
        mixed = (heads ^ operand * _MIX).astype(np.uint64) * np.uint64(_MIX)
        mixed ^= mixed >> np.uint64(29)
        mixed += record.astype(np.uint64) * np.uint64(_OTHER_MIX)
        _, first, numbers = np.unique(mixed, return_index=True, return_inverse=True)
        for values in (heads, operand, record.astype(np.int64)):
            if not np.array_equal(values[first][numbers], values):
                return  # different rows with one number
        self._numbers = numbers.astype(np.int32)
        self._known = _KnownRows(columns, operand, record, first, make)

    def instructions(self, start: int, stop: int) -> tuple[list[Instruction], list[int]] | None:
        """The instructions of some rows and their offsets from the first one on; None where reading
        them one by one says why not."""
        if self._numbers is None:
            return None
        try:
            made = list(map(self._known.__getitem__, self._numbers[start:stop].tolist()))
        except (FormatError, IndexError):
            return None
        offsets = self._offset[start:stop]
        return made, (offsets - offsets[:1]).tolist()


class _KnownRows(dict[int, Instruction]):
    """The instruction of each number, made when it is asked for first."""

    def __init__(
        self,
        columns: Columns,
        operand: npt.NDArray[np.int64],
        record: npt.NDArray[np.int32],
        first: npt.NDArray[np.int64],
        make: Callable[[int, int, int, int, int, int, int], Instruction],
    ) -> None:
        super().__init__()
        self._make = make
        self._rows = [
            column[first]
            for column in (
                columns.opcode, columns.type1, columns.type2, columns.value, columns.size,
                operand, record,
            )
        ]  # fmt: skip

    def __missing__(self, number: int) -> Instruction:
        opcode, type1, type2, value, size, raw, record = (int(part[number]) for part in self._rows)
        made = self[number] = self._make(opcode, type1, type2, value, size, raw, record)
        return made


def to_columns(
    instructions: Sequence[Instruction], numbers: Numbers
) -> tuple[Columns, npt.NDArray[np.int32]]:
    """Columns of instructions, and the record of each row's operand (as ``RowReader`` takes it).

    Chain words have their reference type but no distance yet: ``build_chains`` makes it once all
    code of the game is laid out.  Raises EncodeError (with the instruction's number) for names that
    ``numbers`` does not know and operands that do not fit their instruction.
    """
    count = len(instructions)
    operands = [0] * count
    records = [NO_RECORD] * count
    sizes = bytearray(b"\1") * count
    for row, instruction in enumerate(instructions):
        opcode, type1 = instruction.opcode, instruction.type1
        if 0 <= opcode <= 0xFF and 0 <= type1 <= 15:
            words = WORDS[opcode << 4 | type1]
        else:
            words = instruction_words(opcode, type1)
        if words == 1:
            if instruction.operand is not None:
                raise EncodeError(
                    f"{instruction!r} cannot have an operand", path=f"instruction[{row}]"
                )
            continue
        sizes[row] = words
        try:
            operand, records[row] = _raw_operand(instruction, numbers)
            if not _LEAST <= operand <= _MOST:
                raise OverflowError
            operands[row] = operand
        except EncodeError as error:
            raise error.within("instruction", row) from None
        except (OverflowError, AttributeError, TypeError, struct.error) as error:
            raise EncodeError(
                f"{instruction!r} has an operand of the wrong kind", path=f"instruction[{row}]"
            ) from error
    size = np.frombuffer(sizes, np.uint8)
    end = np.cumsum(size, dtype=np.int64) * 4
    try:
        columns = Columns(
            (end - size * 4).astype(np.uint32),
            np.array([row.opcode for row in instructions], np.uint8),
            np.array([row.type1 for row in instructions], np.uint8),
            np.array([row.type2 for row in instructions], np.uint8),
            np.array([row.value for row in instructions], np.int32),
            np.array(operands, np.int64),
            size,
        )
    except OverflowError as error:
        raise EncodeError(f"a field of an instruction is out of range: {error}") from error
    return columns, np.array(records, np.int32)


def _raw_operand(instruction: Instruction, numbers: Numbers) -> tuple[int, int]:
    operand = instruction.operand
    type1 = instruction.type1
    if isinstance(operand, VariableReference):
        if instruction.opcode != _POP and type1 not in (_VARIABLE, _INT32):
            raise TypeError
        return operand.kind << 24, numbers.variable_record(operand)
    if isinstance(operand, FunctionReference):
        if instruction.opcode != _CALL and type1 != _INT32:
            raise TypeError
        return 0, numbers.function_record(operand.name) | FUNCTION_BIT
    if isinstance(operand, AssetReference):
        number = numbers.asset_number(operand.kind)
        if not (0 <= operand.index <= 0xFFFFFF and 0 <= number <= 0xFF):
            raise EncodeError(f"{operand!r} does not fit its operand")
        return number << 24 | operand.index, NO_RECORD
    if isinstance(operand, str):
        if type1 != _STRING:
            raise TypeError
        return numbers.string_index(operand), NO_RECORD
    if isinstance(operand, float):
        if type1 != _DOUBLE:
            raise TypeError
        return bits_from_double(operand), NO_RECORD
    if operand is None or type1 in (_VARIABLE, _STRING, _DOUBLE):
        raise TypeError
    bits = 63 if type1 == _INT64 else 31
    if not -(1 << bits) <= operand < 1 << bits + (type1 not in (_INT32, _INT64)):
        raise EncodeError(f"{operand} does not fit its operand")
    return (operand if bits == 63 else operand & 0xFFFFFFFF), NO_RECORD
