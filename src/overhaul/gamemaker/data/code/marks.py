"""Masks over the instructions of a whole game, in which traits of compilers are looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from overhaul.gml.vm.opcodes import Opcode

if TYPE_CHECKING:
    from overhaul.gml.vm.columns import Columns

Mask = npt.NDArray[np.bool_]


class Marks:
    """Masks over all instructions of a game."""

    def __init__(self, columns: Columns, record: npt.NDArray[np.int32]) -> None:
        self.columns = columns
        self.record = record

    def opcode(self, *opcodes: int) -> Mask:
        """Instructions with one of these opcodes."""
        return np.isin(self.columns.opcode, [int(opcode) for opcode in opcodes])

    def types(self, type1: int, type2: int) -> Mask:
        """Instructions of these types."""
        mask: Mask = (self.columns.type1 == int(type1)) & (self.columns.type2 == int(type2))
        return mask

    def value(self, *values: int) -> Mask:
        """Instructions with one of these values."""
        return np.isin(self.columns.value, values)

    def extended(self, number: int) -> Mask:
        """Extended operations of one kind."""
        return self.opcode(Opcode.BREAK) & self.value(int(number))

    def then(self, first: Mask, second: Mask) -> Mask:
        """Where an instruction of the first mask is followed by one of the second."""
        found = np.zeros(len(first), np.bool_)
        found[:-1] = first[:-1] & second[1:]
        return found

    @staticmethod
    def any(mask: Mask) -> bool:
        """Whether the mask has a single instruction."""
        return bool(mask.any())
