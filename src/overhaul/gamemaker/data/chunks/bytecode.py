"""The instructions of code entries: rows of arrays that hold those of all code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from overhaul.gml.vm import columns as vm
from overhaul.gml.vm.columns import NO_RECORD
from overhaul.gml.vm.linking import concatenate
from overhaul.gml.vm.opcodes import REFERENCE_TYPE_MASK
from overhaul.gml.vm.stored_code import StoredCode

#: so many rows are looked at together
_AT_ONCE = 1 << 16


class Bytecode:
    """The instructions of a root entry, and what their operands refer to.

    ``columns`` is one row per instruction (see :class:`overhaul.gml.vm.columns.Columns`).
    ``record`` holds, for each row, the number of the variable or function record its operand
    refers to (``FUNCTION_BIT`` set for functions), or ``NO_RECORD``.  In the operand of such a
    row only the reference type (bits 27–31) counts; the rest is filled in on writing.
    ``unreadable`` says why the instructions are not known, of code that is kept word for word.

    The arrays of code that was read can't be written in place: assign a changed copy.
    """

    __slots__ = (
        *("_columns", "_given", "_record", "_size", "_start", "_stop", "_whole", "stored"),
        "unreadable",
    )

    def __init__(
        self,
        columns: vm.Columns | StoredCode,
        record: npt.NDArray[np.int32] | None,
        unreadable: str = "",
    ) -> None:
        #: the words, of code whose columns are made when something asks
        self.stored: StoredCode | None = columns if isinstance(columns, StoredCode) else None
        self._columns: vm.Columns | None = None if isinstance(columns, StoredCode) else columns
        self._given: vm.Held = ()
        self._record: npt.NDArray[np.int32] | None = record
        self.unreadable: str = unreadable
        #: the instructions that have these rows among theirs, if any
        self._whole: Bytecode | None = None
        self._start: int = 0
        self._stop: int = 0
        self._size: int = 0

    @classmethod
    def of(cls, columns: vm.Columns | StoredCode) -> Bytecode:
        """Instructions that refer to nothing yet."""
        return cls(columns, None)

    def rows(self, start: int, stop: int, size: int) -> Bytecode:
        """Some rows, of so many bytes; their columns are views, made when something asks."""
        part = object.__new__(Bytecode)
        part._columns = part._record = part.stored = None
        part._given = ()
        part.unreadable = ""
        part._whole, part._start, part._stop, part._size = self, start, stop, size
        return part

    @property
    def columns(self) -> vm.Columns:
        """One row per instruction."""
        columns = self._columns
        if columns is None:
            if self.stored is not None:
                return self.stored.all()
            assert self._whole is not None
            columns = self._columns = self._whole.source.rows(self._start, self._stop)
            self._given = columns.held()
        return columns

    @property
    def source(self) -> vm.Columns | StoredCode:
        """The columns, or the words that they are made of."""
        return self.columns if self.stored is None else self.stored

    def parts(self) -> Iterator[tuple[int, vm.Columns]]:
        """The columns of all rows, some at a time, each with its first row."""
        for start in range(0, len(self), _AT_ONCE):
            if self._whole is None or self._columns is not None:
                yield start, self.source.rows(start, start + _AT_ONCE)
            else:
                begin = self._start + start
                yield start, self._whole.source.rows(begin, min(begin + _AT_ONCE, self._stop))

    @property
    def record(self) -> npt.NDArray[np.int32]:
        """The record that each row refers to."""
        record = self._record
        if record is None:
            if self._whole is None:  # nothing was said yet
                record = np.full(len(self), NO_RECORD, np.int32)
            else:
                record = self._whole.record[self._start : self._stop]
            self._record = record
        return record

    @record.setter
    def record(self, record: npt.NDArray[np.int32]) -> None:
        self._record = record

    def place(self) -> tuple[Bytecode, int, int] | None:
        """The instructions that have these rows among theirs, with the first row and the one after
        the last; None where something changed since, or these rows stand alone."""
        whole, columns, record = self._whole, self._columns, self._record
        if whole is None:
            return None
        if columns is not None and not columns.hold(self._given):
            return None
        if record is not None and not vm.is_view(record, whole.record):
            return None
        return whole, self._start, self._stop

    @property
    def size(self) -> int:
        """Bytes of bytecode."""
        if self._whole is not None:
            return self._size
        return 4 * int(self.source.size.sum(dtype=np.int64))

    @property
    def has_residue(self) -> bool:
        """Whether first words have bits that nothing reads; see
        :class:`overhaul.gml.vm.columns.Columns`."""
        source = (self if self._whole is None else self._whole).source
        return source.has_residue if isinstance(source, StoredCode) else source.residue is not None

    @property
    def combines(self) -> bool:
        """Whether an instruction combines two booleans; of a part that of the whole."""
        source = (self if self._whole is None else self._whole).source
        if isinstance(source, StoredCode):
            return source.combines
        return bool(vm.is_combined(source).any())

    @property
    def may_refer(self) -> bool:
        """Whether an instruction may push a reference to an asset."""
        source = (self if self._whole is None else self._whole).source
        return source.has_references if isinstance(source, StoredCode) else True

    def __len__(self) -> int:
        return len(self.source) if self._whole is None else self._stop - self._start

    def __repr__(self) -> str:
        return repr(self.columns)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bytecode):
            return NotImplemented
        mine, theirs = self.columns, other.columns
        if len(mine) != len(theirs):
            return False
        kept = np.where(self.record == NO_RECORD, -1, REFERENCE_TYPE_MASK)
        return (
            all(
                bool((getattr(mine, name) == getattr(theirs, name)).all())
                for name in ("opcode", "type1", "type2", "value", "size")
            )
            and bool((self.record == other.record).all())
            and bool(((mine.operand & kept) == (theirs.operand & kept)).all())
        )


#: the instructions of children, which are their root's
NO_CODE = Bytecode.of(vm.decode(b"", 17))


def join(codes: Sequence[Bytecode], *, views: bool = False) -> Bytecode:
    """The instructions of several entries, one after another.

    ``views``: those of entries that were read together may be the very arrays of these, and have
    the offsets that they have there.
    """
    if not codes:
        return Bytecode.of(vm.decode(b"", 17))
    parts = list(_runs(codes))
    if views and len(parts) == 1:
        return parts[0]
    return Bytecode(
        concatenate([code.columns for code in parts]),
        np.concatenate([code.record for code in parts]),
    )


def _runs(codes: Iterable[Bytecode]) -> Iterator[Bytecode]:
    """The instructions of several entries; those that stand one after another are one part."""
    whole: Bytecode | None = None
    first = last = size = 0
    for code in codes:
        rows = code.place()
        if rows is not None and rows[0] is whole and rows[1] == last:
            last = rows[2]
            size += code.size
            continue
        if whole is not None:
            yield whole.rows(first, last, size)
        if rows is None:
            whole = None
            yield code
        else:
            whole, first, last = rows
            size = code.size
    if whole is not None:
        yield whole.rows(first, last, size)


def rows_of(code: Bytecode, sizes: list[int]) -> Iterator[Bytecode]:
    """Split joined instructions into entries of the given sizes in bytes, as views."""
    ends = np.cumsum(code.source.size, dtype=np.uint32)
    ends *= 4
    stops = np.searchsorted(ends, np.cumsum(sizes, dtype=np.uint32), side="right").tolist()
    start = 0
    for size, stop in zip(sizes, stops, strict=True):
        last = start if size == 0 else stop
        yield code.rows(start, last, size)
        start = last
