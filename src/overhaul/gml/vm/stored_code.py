"""Instructions as their stored words, and columns of the instructions that a caller asks for.

The columns of an instruction take three times the memory of its words.  So the words of a large
game stay in the file that was read, with the size of each instruction.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from overhaul.gml.vm.columns import (
    Columns,
    columns_at,
    is_chained,
    is_combined,
    is_pushref,
    words_and_sizes,
)

if TYPE_CHECKING:
    from overhaul.gml.vm.columns import Bytes, Places

_Rows: TypeAlias = npt.NDArray[np.int32]
_Words: TypeAlias = npt.NDArray[np.uint32]
#: so many rows are decoded for neighbours
_BLOCK: Final = 1 << 12
#: so many rows are decoded at a time for what looks at all of them
_AT_ONCE: Final = 1 << 16


class StoredCode:
    """Code that keeps its words, and makes its columns when a caller asks for them.

    ``size`` has the size of each instruction, in words.  The columns can't be written in place.
    """

    __slots__ = (
        *("_begins", "_block", "_bytecode", "_chained", "_made", "_next", "_words"),
        *("combines", "has_references", "has_residue", "size"),
    )

    def __init__(self, words: Bytes, bytecode: int, entries: npt.ArrayLike = ()) -> None:
        self._words: npt.NDArray[np.uint32]
        self.size: npt.NDArray[np.uint8]
        self._words, start, self.size = words_and_sizes(words, bytecode, entries)
        #: where each block of rows begins, in words
        self._begins: Places = start[::_BLOCK].copy()
        self._bytecode = bytecode
        #: whether first words have bits that nothing reads
        self.has_residue: bool = False
        #: whether an instruction pushes a reference to an asset or a function
        self.has_references: bool = False
        #: whether an instruction combines two booleans
        self.combines: bool = False
        #: the block that was decoded last, and the row that neighbours of that row go on with
        self._block: tuple[int, Columns] = (-1, self._decoded(0, 0))
        self._next = -1
        #: the arrays of all columns, as long as something has them
        self._made: list[weakref.ref[npt.NDArray[np.integer]]] = []
        self._chained: tuple[_Rows, _Words] | None = self._look_at_all()

    def __len__(self) -> int:
        return len(self.size)

    def _look_at_all(self) -> tuple[_Rows, _Words]:
        """Decode all rows once, for the methods that look at all code: see :meth:`chained`."""
        rows, words = [np.zeros(0, np.int32)], [np.zeros(0, np.uint32)]
        for start, part in self.parts():
            self.has_residue |= part.residue is not None
            self.has_references = self.has_references or bool(is_pushref(part).any())
            self.combines = self.combines or bool(is_combined(part).any())
            found = np.flatnonzero(is_chained(part))
            rows.append((found + start).astype(np.int32))
            words.append(part.operand[found].astype(np.uint32))
        return np.concatenate(rows), np.concatenate(words)

    def chained(self) -> tuple[_Rows, _Words]:
        """The rows whose operands may be words of chains, and these words; they are not kept."""
        known, self._chained = self._chained, None
        return self._look_at_all() if known is None else known

    @property
    def offsets(self) -> Places:
        """Where each instruction begins, in bytes."""
        end = np.cumsum(self.size, dtype=np.uint32)
        end -= self.size
        end *= np.uint32(4)
        return end

    def rows(self, start: int, stop: int) -> Columns:
        """The columns of some rows; offsets are those of all code."""
        stop = max(start, min(stop, len(self)))
        number = start // _BLOCK
        goes_on, self._next = start == self._next, stop
        if not goes_on or stop > (number + 1) * _BLOCK:
            return self._decoded(start, stop)
        known, block = self._block
        first = number * _BLOCK
        if known != number:
            block = self._decoded(first, min(first + _BLOCK, len(self)))
            self._block = number, block
        return block.rows(start - first, stop - first)

    def parts(self) -> Iterator[tuple[int, Columns]]:
        """The columns of all rows, some at a time, each with its first row."""
        for start in range(0, len(self), _AT_ONCE):
            yield start, self._decoded(start, min(start + _AT_ONCE, len(self)))

    def pick(self, rows: npt.NDArray[np.integer]) -> Columns:
        """The columns of single rows, in any order."""
        starts = self.offsets[rows] >> np.uint32(2)
        return self._columns(starts, self.size[rows])

    def all(self) -> Columns:
        """The columns of all rows: the same ones as long as something uses them."""
        arrays = [array for made in self._made if (array := made()) is not None]
        if arrays and len(arrays) == len(self._made):
            return Columns.of_arrays(arrays)
        whole = Columns.of_size(len(self))
        for start, part in self.parts():
            whole.put(start, part)
        whole = self._with_residue(whole)
        whole.lock()
        if not self.has_residue:
            self._made = [weakref.ref(array) for array in whole.arrays()]
        return whole

    def _decoded(self, start: int, stop: int) -> Columns:
        if start >= stop:
            return self._columns(np.zeros(0, np.uint32), self.size[:0])
        number = start // _BLOCK
        before = int(self.size[number * _BLOCK : start].sum(dtype=np.int64))
        size = self.size[start:stop]
        starts = np.cumsum(size, dtype=np.uint32)
        starts -= size
        starts += np.uint32(int(self._begins[number]) + before)
        return self._columns(starts, size)

    def _columns(self, starts: Places, size: npt.NDArray[np.uint8]) -> Columns:
        columns = self._with_residue(columns_at(self._words, starts, size, self._bytecode))
        columns.lock()
        return columns

    def _with_residue(self, columns: Columns) -> Columns:
        """Give all parts of code the same arrays."""
        if self.has_residue and columns.residue is None:
            columns.residue = np.zeros(len(columns), np.uint32)
        return columns
