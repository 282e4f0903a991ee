"""Changed code put among the stored words of a game's other code.

A word of a reference chain holds the distance to the next one. So the words of unchanged code
are those of the file, but for the last reference to each record before changed code, and the
last one of all: only these words are written, and the changed code. Where it is not certain that
the stored words are what linking all code would give, nothing is spliced.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gml.dialect import Dialect
from overhaul.gml.vm import columns as vm
from overhaul.gml.vm.columns import FUNCTION_BIT, NO_RECORD
from overhaul.gml.vm.linking import Chains, ChainTable, script_type
from overhaul.gml.vm.opcodes import REFERENCE_DISTANCE_MASK, REFERENCE_TYPE_MASK, Opcode
from overhaul.schema import Buffer

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.code import CodeArea

Integers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint32]

#: so many pieces of code are put together at most: of more, linking all takes no longer
_MOST: Final = 64
#: so many rows are looked at together
_AT_ONCE: Final = 1 << 16
_BREAK: Final = np.uint32(int(Opcode.BREAK))
_TYPE: Final = np.uint32(REFERENCE_TYPE_MASK)


class _UncertainError(Exception):
    """The words are not certain, or can't be written."""


class _Stored:
    """The code of a file as it was read: where it begins there, without a gap to its end, and the
    rows that refer to records."""

    def __init__(self, area: CodeArea) -> None:
        self._code = area.code
        self._begin = area.begin
        self._size = area.code.source.size
        self._offsets = area.code.source.offsets
        rows = np.flatnonzero(area.code.record != NO_RECORD)
        self._rows: npt.NDArray[np.int32] = rows.astype(np.int32)

    def parts(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """The parts of some rows that are looked at together."""
        for begin in range(start, stop, _AT_ONCE):
            yield begin, min(begin + _AT_ONCE, stop)

    def words(self, source: Buffer, start: int, stop: int) -> Words:
        """The words of some rows."""
        end = int(self._offsets[stop - 1]) + 4 * int(self._size[stop - 1])
        begin = int(self._offsets[start])
        return np.frombuffer(source, "<u4", (end - begin) // 4, self._begin + begin)

    def references(self, start: int, stop: int) -> tuple[Integers, npt.NDArray[np.int32]]:
        """The words among those of some rows that begin a reference, and their records."""
        first, last = np.searchsorted(self._rows, (start, stop))
        rows = self._rows[first:last]
        place = self._offsets[rows].astype(np.int64)
        return (place - int(self._offsets[start])) >> 2, self._code.record[rows]


def spliced(
    area: CodeArea,
    codes: Sequence[Bytecode],
    begin: int,
    source: Buffer,
    finals: tuple[Integers, Integers],
    dialect: Dialect,
) -> tuple[memoryview, Chains] | None:
    """The words of all code from ``begin`` on, and the chains; None where they are not certain.

    ``source`` is the file that ``area`` was read from, ``finals`` is what the last words of chains
    hold.
    """
    pieces = None if area.begin < 0 or not len(source) else _pieces(area.code, codes)
    if pieces is None:
        return None
    stored = _Stored(area)
    splice = _Splice(begin, finals, dialect)
    try:
        for piece in pieces:
            if isinstance(piece, tuple):
                for part in stored.parts(*piece):
                    splice.add(stored.words(source, *part), *stored.references(*part))
            elif len(piece):
                splice.add_new(piece)
        return splice.finished()
    except (_UncertainError, EncodeError):
        return None  # linking all code says what is wrong


def _pieces(whole: Bytecode, codes: Sequence[Bytecode]) -> list[tuple[int, int] | Bytecode] | None:
    """The pieces of code: rows of the code that was read, in its order, and new code.  None where
    nothing is new, or much is."""
    pieces: list[tuple[int, int] | Bytecode] = []
    is_new = False
    end = 0
    for code in codes:
        place = code.place()
        if place is None or place[0] is not whole:
            pieces.append(code)
            is_new = True
        elif place[1] < place[2]:
            _, start, stop = place
            if start < end:
                return None
            if pieces and start == end and isinstance(last := pieces[-1], tuple):
                pieces[-1] = (last[0], stop)
            else:
                pieces.append((start, stop))
            end = stop
        if len(pieces) > _MOST:
            return None
    return pieces if is_new else None


class _Splice:
    """Words of code that follow each other, and the chains through them.

    By record, those of variables first: where its first reference is, how many there are, and the
    last one so far.
    """

    def __init__(self, begin: int, finals: tuple[Integers, Integers], dialect: Dialect) -> None:
        self._begin = begin
        self._finals = finals
        self._dialect = dialect
        self._variables = len(finals[0])
        self._count = len(finals[0]) + len(finals[1])
        self._first = np.full(self._count, -1, np.int64)
        self._last = np.full(self._count, -1, np.int64)
        self._occurrences = np.zeros(self._count, np.int64)
        self._parts: list[Words] = []
        self._size = 0
        #: the references that lead to another piece, and the distances in words
        self._links: list[tuple[Integers, Integers]] = []

    def add(self, words: Words, place: Integers, record: npt.NDArray[np.int32]) -> None:
        """Add words, in which the chains are linked; ``place`` has where references are."""
        number = self._numbers(record)
        place = place + self._size
        first = np.full(self._count, -1, np.int64)
        first[number[::-1]] = place[::-1]  # the first one stays
        here = np.flatnonzero(first >= 0)
        before = self._last[here]
        is_linked = before >= 0
        self._links.append((before[is_linked], (first[here] - before)[is_linked]))
        begins = here[~is_linked]
        self._first[begins] = first[begins]
        self._last[number] = place  # the last one stays
        self._occurrences += np.bincount(number, minlength=self._count)
        self._parts.append(words)
        self._size += len(words)

    def add_new(self, code: Bytecode) -> None:
        """Add code that is not linked."""
        columns, record = code.columns, code.record
        if bool(vm.is_unreadable(columns).any()):
            raise _UncertainError
        words = np.frombuffer(bytearray(vm.encode(columns, self._dialect.bytecode)), "<u4")
        rows = np.flatnonzero(record != NO_RECORD)
        starts = np.cumsum(columns.size, dtype=np.int64) - columns.size
        place, owner = starts[rows], record[rows]
        number = self._numbers(owner)
        order = np.argsort(number, kind="stable")
        same = np.flatnonzero(number[order[1:]] == number[order[:-1]])
        at, after = place[order[same]], place[order[same + 1]]
        _link(words, at, (after - at) * 4)
        self.add(words, place, owner)

    def _numbers(self, record: npt.NDArray[np.int32]) -> Integers:
        """The numbers of records.  Raises _UncertainError for one that is not there."""
        is_function = (record & FUNCTION_BIT) != 0
        variable = record[~is_function]
        number = np.where(is_function, (record & ~FUNCTION_BIT) + self._variables, record)
        if (variable >= self._variables).any() or (number >= self._count).any():
            raise _UncertainError
        return number.astype(np.int64)

    def finished(self) -> tuple[memoryview, Chains]:
        """All words, and the chains."""
        if not self._parts:
            raise _UncertainError
        words = np.concatenate(self._parts)
        for at, distance in self._links:
            _link(words, at, distance * 4)
        used = np.flatnonzero(self._last >= 0)
        last = self._last[used]
        final = np.concatenate(self._finals)[used]
        is_reference = words[last] >> np.uint32(24) == _BREAK
        if is_reference.any():
            final[is_reference] |= script_type(self._dialect) << 24
        _link(words, last, final)
        first = np.where(self._first < 0, -1, self._begin + 4 * self._first)
        tables = [
            ChainTable(first[part], self._occurrences[part], own)
            for part, own in zip(
                (slice(self._variables), slice(self._variables, None)), self._finals, strict=True
            )
        ]
        return words.view(np.uint8).data, Chains(np.zeros(0, np.int32), *tables)


def _link(words: Words, place: Integers, low: Integers) -> None:
    """Put the low bits into the words behind some places."""
    if ((low < 0) | (low > REFERENCE_DISTANCE_MASK)).any():
        raise _UncertainError
    words[place + 1] = (words[place + 1] & _TYPE) | low.astype(np.uint32)
