"""The instructions of a code entry, as columns and as rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, overload

from overhaul.gml.vm.code import Instruction
from overhaul.gml.vm.columns import Columns

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Instructions(Sequence["Instruction"]):
    """A root entry's instructions: NumPy columns, one value per instruction, and rows.

    ``opcode``, ``type1``, ``type2``, ``value``, ``operand`` and ``size`` are the columns as
    :class:`overhaul.gml.vm.columns.Columns` has them, ``offset`` counts bytes from the beginning of
    the entry.  Indexing and iterating give rows: :class:`overhaul.gml.Instruction`, which name what
    they refer to.  To change code, assign ``assembly`` or ``gml`` of the entry.
    """

    __slots__ = ("_name", "_read", "_rows", "columns")

    def __init__(self, name: str, columns: Columns, read: Callable[[], list[Instruction]]) -> None:
        self._name = name
        self._read = read
        self._rows: list[Instruction] | None = None
        self.columns: Columns = columns

    @property
    def offset(self) -> npt.NDArray[np.integer]:
        """Where each instruction begins, in bytes from the beginning of the entry."""
        starts = self.columns.offset
        return starts - starts[0] if len(starts) else starts

    def __getattr__(self, name: str) -> npt.NDArray[np.integer]:
        if name not in ("opcode", "type1", "type2", "value", "operand", "size"):
            raise AttributeError(f"instructions have no column {name!r}")
        column: npt.NDArray[np.integer] = getattr(self.columns, name)
        return column

    @property
    def rows(self) -> list[Instruction]:
        """All instructions as rows."""
        if self._rows is None:
            self._rows = self._read()
        return self._rows

    def __len__(self) -> int:
        return len(self.columns)

    @overload
    def __getitem__(self, index: int) -> Instruction: ...
    @overload
    def __getitem__(self, index: slice) -> list[Instruction]: ...
    def __getitem__(self, index: int | slice) -> Instruction | list[Instruction]:
        return self.rows[index]

    def __iter__(self) -> Iterator[Instruction]:
        return iter(self.rows)

    def __repr__(self) -> str:
        return f"<{len(self)} instructions of {self._name}>"
