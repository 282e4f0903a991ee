"""Bytecode as columns: a whole blob decoded at once into NumPy arrays, and encoded back exactly.

An instruction is 1, 2 or 3 words, and its first word shows which.  So a word is certainly
the start of an instruction when neither of the two words before it could reach over it; nearly
every start is found that way in one vector operation, and the rest by walking on from those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from operator import is_
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from overhaul.errors import EncodeError, FormatError
from overhaul.gml.vm.opcodes import (
    BRANCHES,
    MNEMONICS,
    OLD_COMPARISON_BASE,
    OLD_OPCODES,
    POPENV_DROP,
    POPENV_DROP_BITS,
    TYPE_LETTERS,
    DataType,
    Opcode,
    instruction_words,
)

Mask = npt.NDArray[np.bool_]
Bytes = bytes | bytearray | memoryview
Places = npt.NDArray[np.uint32]
"""Word numbers: what a file of 32-bit offsets can have."""

UNKNOWN: Final = 0
"""Length of a first word that is not an instruction, in the length table."""

UNREADABLE: Final = 0
"""The opcode of a word that is kept as it is."""

WALK_STEPS: Final = 64
"""Vector steps from known starts before what is left is walked word by word."""

_BLOCK: Final = 1 << 16
"""So many rows or words are decoded at a time."""

_ARRAYS: Final = ("offset", "opcode", "type1", "type2", "value", "operand", "size")
"""The columns that every instruction has."""

_OLD_COMPARISONS: Final = range(OLD_COMPARISON_BASE + 1, OLD_COMPARISON_BASE + 7)


@dataclass(slots=True, repr=False)
class Columns:
    """Instructions as equally long arrays, one row per instruction.

    ``offset`` bytes from the blob's start · ``opcode`` in the bytecode-15+ numbering · ``type1``,
    ``type2`` DataType numbers (0 for branches) · ``value`` as in
    :class:`~overhaul.gml.vm.code.Instruction` · ``operand`` the raw 32-bit word, unsigned, or the
    64 raw bits of a double or int64; 0 where there is none · ``size`` in words.

    ``residue`` holds the bits of first words that nothing reads (the low byte of a cmp, bit 23 of
    a branch), or is None where they are all zero, as compilers write them.

    Each word of code that can't be read is a row with the opcode ``UNREADABLE``: its ``residue`` is
    the word, its ``operand`` the next word (-1 behind the last), as a chain may go through it.
    """

    offset: npt.NDArray[np.uint32]
    opcode: npt.NDArray[np.uint8]
    type1: npt.NDArray[np.uint8]
    type2: npt.NDArray[np.uint8]
    value: npt.NDArray[np.int32]
    operand: npt.NDArray[np.int64]
    size: npt.NDArray[np.uint8]
    residue: npt.NDArray[np.uint32] | None = None

    def __len__(self) -> int:
        return len(self.opcode)

    def __repr__(self) -> str:
        return f"<{len(self)} instructions>"

    def rows(self, start: int, stop: int) -> Columns:
        """Some rows, as views; offsets stay those of the blob."""
        part = slice(start, stop)
        return Columns(
            self.offset[part],
            self.opcode[part],
            self.type1[part],
            self.type2[part],
            self.value[part],
            self.operand[part],
            self.size[part],
            None if self.residue is None else self.residue[part],
        )

    def lock(self) -> None:
        """Let no array be written in place: what changes them gives a copy to the attribute."""
        for array in (
            *(self.offset, self.opcode, self.type1, self.type2),
            *(self.value, self.operand, self.size, self.residue),
        ):
            if array is not None:
                array.flags.writeable = False

    def held(self) -> Held:
        """The arrays besides ``offset``; :meth:`hold` compares them to find a replaced one."""
        return (
            *(self.opcode, self.type1, self.type2, self.value, self.operand, self.size),
            self.residue,
        )

    def hold(self, held: Held) -> bool:
        """Whether the arrays still are those that :meth:`held` gave."""
        return all(map(is_, self.held(), held))

    @staticmethod
    def of_size(count: int) -> Columns:
        """Columns of so many rows that hold anything."""
        like = unreadable(b"")
        return Columns(*(np.empty(count, getattr(like, name).dtype) for name in _ARRAYS))

    def put(self, start: int, part: Columns) -> None:
        """Write rows over those from ``start`` on."""
        stop = start + len(part)
        for name in _ARRAYS:
            getattr(self, name)[start:stop] = getattr(part, name)
        if part.residue is not None:
            _residue(self)[start:stop] = part.residue

    def arrays(self) -> list[npt.NDArray[np.integer]]:
        """The columns that every instruction has, in the order of the fields."""
        return [getattr(self, name) for name in _ARRAYS]

    @staticmethod
    def of_arrays(arrays: Iterable[npt.NDArray[np.integer]]) -> Columns:
        """The inverse of :meth:`arrays`."""
        made = Columns.of_size(0)
        for name, array in zip(_ARRAYS, arrays, strict=True):
            setattr(made, name, array)
        return made

    def parts(self) -> Iterator[tuple[int, Columns]]:
        """All rows, some at a time, each with its first row."""
        for part in _blocks(len(self)):
            yield part.start, self.rows(part.start, part.stop)

    def pick(self, rows: npt.NDArray[np.integer]) -> Columns:
        """Some rows, in any order."""
        return Columns(
            self.offset[rows],
            self.opcode[rows],
            self.type1[rows],
            self.type2[rows],
            self.value[rows],
            self.operand[rows],
            self.size[rows],
            None if self.residue is None else self.residue[rows],
        )

    @property
    def offsets(self) -> Places:
        """Where each instruction begins, in bytes."""
        return self.offset

    def row_at(self, offset: int) -> int:
        """The number of the first row at or behind a byte offset."""
        return int(np.searchsorted(self.offset, offset))

    def entry(self, offset: int, length: int) -> Columns:
        """The rows of ``length`` bytes from ``offset`` on, as views."""
        return self.rows(self.row_at(offset), self.row_at(offset + length))


#: the arrays of columns besides the offsets
Held: TypeAlias = tuple[npt.NDArray[np.integer] | None, ...]


def is_view(part: npt.NDArray[np.integer] | None, whole: npt.NDArray[np.integer] | None) -> bool:
    """Whether an array is a view of another one, as long as changed ones are copies."""
    if part is None or whole is None:
        return part is whole
    return part.base is (whole if whole.base is None else whole.base)


@dataclass(frozen=True, slots=True)
class _Tables:
    """Look-up tables of one encoding family."""

    lengths: npt.NDArray[np.uint8]  # by the upper half of the first word
    opcodes: npt.NDArray[np.uint8]  # file opcode -> modern opcode
    file_opcodes: npt.NDArray[np.uint8]  # and back


@cache
def _tables(old: bool) -> _Tables:
    opcodes = np.zeros(256, np.uint8)
    file_opcodes = np.zeros(256, np.uint8)
    numbering = OLD_OPCODES if old else {opcode: opcode for opcode in MNEMONICS}
    for modern, number in numbering.items():
        opcodes[number] = modern
        file_opcodes[modern] = number
    if old:
        opcodes[list(_OLD_COMPARISONS)] = Opcode.CMP
        for push in (Opcode.PUSHI, Opcode.PUSHLOC, Opcode.PUSHGLB, Opcode.PUSHBLTN):
            file_opcodes[push] = OLD_OPCODES[Opcode.PUSH]
    known_types = [number for number, letter in enumerate(TYPE_LETTERS) if letter != "?"]
    lengths = np.zeros(65536, np.uint8)
    for number in range(256):
        modern = int(opcodes[number])
        if modern in BRANCHES:
            lengths[number << 8 : (number + 1) << 8] = 1
        elif modern:
            for type1 in known_types:
                for type2 in known_types:
                    lengths[number << 8 | type2 << 4 | type1] = instruction_words(modern, type1)
    return _Tables(lengths, opcodes, file_opcodes)


def decode(words: Bytes, bytecode: int, entries: npt.ArrayLike = ()) -> Columns:
    """Decode a blob of instructions.

    ``entries``: byte offsets that are known to begin an instruction (code entries).  Raises
    FormatError, with the offset in the blob, for an unknown opcode or type, an instruction that
    runs over the end, or one that runs into an entry.
    """
    word, start, size = words_and_sizes(words, bytecode, entries)
    if len(start) <= _BLOCK:
        return columns_at(word, start, size, bytecode)
    whole = Columns.of_size(len(start))
    for part in _blocks(len(start)):
        whole.put(part.start, columns_at(word, start[part], size[part], bytecode))
    return whole


def words_and_sizes(
    words: Bytes, bytecode: int, entries: npt.ArrayLike = ()
) -> tuple[npt.NDArray[np.uint32], Places, npt.NDArray[np.uint8]]:
    """The words of a blob of instructions, the words where these begin, and their sizes.

    As :func:`decode`, raises FormatError.
    """
    if len(words) % 4:
        raise FormatError("bytecode is not whole words", offset=len(words) & ~3)
    tables = _tables(bytecode <= 14)
    word = np.frombuffer(words, "<u4")
    length = np.empty(len(word), np.uint8)
    for part in _blocks(len(word)):
        length[part] = tables.lengths[word[part] >> np.uint32(16)]
    start = _starts(length, np.asarray(entries, np.int64) >> 2)
    size = length[start]
    _check(start, size, len(word), word)
    return word, start, size


def _blocks(count: int) -> Iterator[slice]:
    """Parts of so many rows or words, so that arrays made on the way are as large as a part."""
    for begin in range(0, count, _BLOCK):
        yield slice(begin, min(begin + _BLOCK, count))


def unreadable(words: Bytes) -> Columns:
    """Code whose instructions are not known, word for word.  FormatError: not whole words."""
    if len(words) % 4:
        raise FormatError("bytecode is not whole words", offset=len(words) & ~3)
    word = np.frombuffer(words, "<u4")
    nothing = np.zeros(len(word), np.uint8)
    return Columns(
        np.arange(len(word), dtype=np.uint32) * np.uint32(4),
        np.full(len(word), UNREADABLE, np.uint8),
        nothing,
        nothing,
        np.zeros(len(word), np.int32),
        np.append(word[1:].astype(np.int64), -1)[: len(word)],
        np.ones(len(word), np.uint8),
        word.copy(),
    )


def is_unreadable(columns: Columns) -> Mask:
    """Words that are kept unchanged."""
    return _is(columns.opcode, UNREADABLE)


def _starts(length: npt.NDArray[np.uint8], known: npt.NDArray[np.int64]) -> Places:
    """The word numbers where instructions start."""
    count = len(length)
    if not count:
        return np.zeros(0, np.uint32)
    if len(known) and (known.min() < 0 or known.max() > count):
        raise FormatError("a code entry lies outside the bytecode")
    step = np.maximum(length, 1)
    is_start = np.zeros(count + 3, np.bool_)
    is_start[0] = True
    is_start[1:count] = step[:-1] == 1
    is_start[2:count] &= step[:-2] <= 2
    is_start[known] = True
    is_start[count:] = True  # never walked from
    for part in _blocks(count):
        _walk(np.flatnonzero(is_start[part]) + part.start, is_start, step)
    start = np.empty(np.count_nonzero(is_start[:count]), np.uint32)
    filled = 0
    for part in _blocks(count):
        found = np.flatnonzero(is_start[part]) + part.start
        start[filled : filled + len(found)] = found
        filled += len(found)
    return start


def _walk(
    front: npt.NDArray[np.intp], is_start: npt.NDArray[np.bool_], step: npt.NDArray[np.uint8]
) -> None:
    """Mark the starts that follow from some."""
    for _ in range(WALK_STEPS):
        front = front + step[front]
        front = front[~is_start[front]]
        if not len(front):
            break
        is_start[front] = True
    for position in front.tolist():
        at = position
        while not is_start[at] or at == position:
            is_start[at] = True
            at += int(step[at])


def _check(
    start: Places,
    size: npt.NDArray[np.uint8],
    count: int,
    word: npt.NDArray[np.uint32],
) -> None:
    """Every first word is an instruction, and each ends where the next begins."""
    if not len(start):
        return
    unknown = size == UNKNOWN
    if unknown.any():
        at = int(start[np.argmax(unknown)])
        raise FormatError(f"not an instruction: word {int(word[at]):08x}", offset=4 * at)
    ends = start + size
    meets = ends[:-1] == start[1:]
    if not meets.all():
        at = int(start[np.argmin(meets)])
        raise FormatError("an instruction runs into the next code entry", offset=4 * at)
    if int(ends[-1]) != count:
        raise FormatError("an instruction's operand is cut off", offset=4 * int(start[-1]))


def columns_at(
    word: npt.NDArray[np.uint32], start: Places, size: npt.NDArray[np.uint8], bytecode: int
) -> Columns:
    """The instructions of so many words that begin at some of a blob's."""
    tables = _tables(bytecode <= 14)
    first = word[start]
    number = (first >> np.uint32(24)).astype(np.uint8)
    opcode = tables.opcodes[number]
    types = (first >> np.uint32(16)).astype(np.uint8)
    type1 = types & np.uint8(15)
    type2 = types >> np.uint8(4)
    value = first.astype(np.uint16).view(np.int16).astype(np.int32)
    operand = np.zeros(len(start), np.int64)
    with_operand = np.flatnonzero(size > 1)
    operand[with_operand] = word[start[with_operand] + 1]
    double = np.flatnonzero(size == 3)
    high = word[start[double] + 2].astype(np.uint64) << np.uint64(32)
    operand[double] |= high.view(np.int64)
    columns = Columns(start * np.uint32(4), opcode, type1, type2, value, operand, size)
    _read_comparisons(columns, number, bytecode)
    _read_branches(columns, first, bytecode)
    return columns


def _residue(columns: Columns) -> npt.NDArray[np.uint32]:
    if columns.residue is None:
        columns.residue = np.zeros(len(columns), np.uint32)
    return columns.residue


def _read_comparisons(columns: Columns, number: npt.NDArray[np.uint8], bytecode: int) -> None:
    rows = np.flatnonzero(columns.opcode == Opcode.CMP)
    low = columns.value[rows] & 0xFFFF
    if bytecode <= 14:
        columns.value[rows] = number[rows].astype(np.int32) - OLD_COMPARISON_BASE
        rest = low
    else:
        columns.value[rows] = low >> 8
        rest = low & 0xFF
    if rest.any():
        _residue(columns)[rows] = rest.astype(np.uint32)


def _read_branches(columns: Columns, first: npt.NDArray[np.uint32], bytecode: int) -> None:
    rows = np.flatnonzero(is_branch(columns))
    low = (first[rows] & np.uint32(0xFFFFFF)).astype(np.int32)
    drop = (columns.opcode[rows] == Opcode.POPENV) & (low == POPENV_DROP_BITS)
    unused = 32 - (24 if bytecode <= 14 else 23)
    columns.value[rows] = np.where(drop, POPENV_DROP, (low << unused) >> unused)
    columns.type1[rows] = 0
    columns.type2[rows] = 0
    if bytecode > 14:
        flag = (low & 0x800000).astype(np.uint32)
        flag[drop] = 0
        if flag.any():
            _residue(columns)[rows] = flag


def encode(columns: Columns, bytecode: int) -> bytes:
    """The words of instructions: the exact inverse of :func:`decode`.

    Raises EncodeError for a value or branch distance that does not fit its bits, or an opcode that
    the bytecode does not have.
    """
    if is_unreadable(columns).any():  # these rows are not on their own
        return _encode(columns, bytecode)
    parts = (columns.rows(part.start, part.stop) for part in _blocks(len(columns)))
    return b"".join(_encode(part, bytecode) for part in parts)


def _encode(columns: Columns, bytecode: int) -> bytes:
    check_values(columns, bytecode)
    opcode = columns.opcode
    number = _tables(bytecode <= 14).file_opcodes[opcode]
    value = columns.value
    compare = opcode == Opcode.CMP
    branch = is_branch(columns)
    if bytecode <= 14:
        number = np.where(compare, OLD_COMPARISON_BASE + value, number)
        low = np.where(compare, 0, value)
    else:
        low = np.where(compare, value << 8, value)
    drop = branch & (value == POPENV_DROP)
    bits = 24 if bytecode <= 14 else 23
    low = np.where(drop, POPENV_DROP_BITS, low)
    mask = np.where(drop, 0xFFFFFF, np.where(branch, (1 << bits) - 1, 0xFFFF))
    first = number.astype(np.uint32) << np.uint32(24)
    types = columns.type2.astype(np.uint32) << np.uint32(20)
    types |= columns.type1.astype(np.uint32) << np.uint32(16)
    first |= np.where(branch, np.uint32(0), types)
    first |= (low & mask).astype(np.uint32)
    if columns.residue is not None:
        first |= columns.residue
    followed = np.flatnonzero(is_unreadable(columns) & (columns.operand >= 0))
    first[followed + 1] = columns.operand[followed].astype(np.uint32)
    return _lay_out(columns, first)


def check_values(columns: Columns, bytecode: int) -> None:
    """Raise EncodeError for a value or branch distance that does not fit its bits, or an opcode
    that the bytecode does not have."""
    opcode, value = columns.opcode, columns.value
    compare = opcode == Opcode.CMP
    known = compare | is_unreadable(columns)
    known |= _tables(bytecode <= 14).file_opcodes[opcode] != 0
    branch = is_branch(columns)
    drop = branch & (value == POPENV_DROP)
    limit = np.where(branch, 1 << ((24 if bytecode <= 14 else 23) - 1), 1 << 15)
    wrong = ~known | ((value >= limit) | (value < -limit)) & ~drop & ~compare
    wrong |= compare & ((value < 0) | (value > 255))
    if wrong.any():
        row = int(np.argmax(wrong))
        name = MNEMONICS.get(int(opcode[row]), hex(int(opcode[row])))
        raise EncodeError(f"{name} with value {int(value[row])} has no encoding in bytecode "
                          f"{bytecode}", path=f"instruction[{row}]")  # fmt: skip


def _lay_out(columns: Columns, first: npt.NDArray[np.uint32]) -> bytes:
    size = columns.size
    start = np.cumsum(size, dtype=np.int64)
    count = int(start[-1]) if len(start) else 0
    start -= size
    word = np.zeros(count, "<u4")
    word[start] = first
    with_operand = np.flatnonzero(size > 1)
    word[start[with_operand] + 1] = columns.operand[with_operand].astype(np.uint32)
    double = np.flatnonzero(size == 3)
    word[start[double] + 2] = (columns.operand[double] >> 32).astype(np.uint32)
    return word.tobytes()


# -- what an instruction's operand is ---------------------------------------------------------


def _is(column: npt.NDArray[np.integer], number: int) -> Mask:
    mask: Mask = column == int(number)
    return mask


def is_branch(columns: Columns) -> Mask:
    """b, bt, bf, pushenv, popenv."""
    mask = _is(columns.opcode, Opcode.PUSHENV) | _is(columns.opcode, Opcode.POPENV)
    mask |= (columns.opcode >= int(Opcode.B)) & (columns.opcode <= int(Opcode.BF))
    return mask


def is_push(columns: Columns, data_type: int) -> Mask:
    """push, pushloc, pushglb, pushbltn of one type."""
    opcode = columns.opcode
    mask = (opcode >= int(Opcode.PUSH)) & (opcode <= int(Opcode.PUSHBLTN))
    mask &= _is(columns.type1, data_type)
    return mask


def is_variable(columns: Columns) -> Mask:
    """Pushes and pops of a variable: the operand is a word of a VARI chain."""
    pop = _is(columns.opcode, Opcode.POP) & _is(columns.size, 2)
    return is_push(columns, DataType.VARIABLE) | pop


def is_call(columns: Columns) -> Mask:
    """Calls: the operand is a word of a FUNC chain."""
    return _is(columns.opcode, Opcode.CALL)


def is_string_push(columns: Columns) -> Mask:
    """push.s: the operand is an index into the string table."""
    return is_push(columns, DataType.STRING)


def is_integer_push(columns: Columns) -> Mask:
    """push.i: the operand is a number, or a word of a FUNC or VARI chain, which the chain shows."""
    return is_push(columns, DataType.INT32)


def is_pushref(columns: Columns) -> Mask:
    """pushref (the only break with an operand): an asset, or a word of a FUNC chain."""
    return _is(columns.opcode, Opcode.BREAK) & _is(columns.size, 2)


def is_chained(columns: Columns) -> Mask:
    """Operands that may be words of chains."""
    mask = is_variable(columns) | is_call(columns) | is_integer_push(columns) | is_pushref(columns)
    mask |= is_unreadable(columns) & (columns.operand >= 0)
    return mask


def is_combined(columns: Columns) -> Mask:
    """Two booleans that an instruction combines, where others branch."""
    boolean = int(DataType.BOOLEAN)
    mask = _is(columns.opcode, Opcode.AND) | _is(columns.opcode, Opcode.OR)
    mask &= _is(columns.type1, boolean) & _is(columns.type2, boolean)
    return mask


# -- records, which operands refer to --------------------------------------------------------------

FUNCTION_BIT: Final = 1 << 30
"""Set in a row's record number where the record is a function's, not a variable's."""

NO_RECORD: Final = -1
