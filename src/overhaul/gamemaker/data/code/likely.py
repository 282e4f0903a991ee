"""Habits of a game's author that instructions show, before the code is read.

Whether fractions have one denominator is certain only when all code is read.  The instructions show
nearly the same, so that code is mostly read once; where it is another after all, what depends
on it is read again (:class:`~overhaul.gml.decompiler.types.provisional.Contents`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from overhaul.gamemaker.data.chunks.bytecode import Bytecode, join
from overhaul.gamemaker.data.model import GameModel
from overhaul.gml.decompiler.types.constants import is_worked_out
from overhaul.gml.decompiler.types.habits import Fractions, infer_fractions
from overhaul.gml.vm.columns import FUNCTION_BIT, is_push
from overhaul.gml.vm.opcodes import DataType, Opcode

_MUL: Final = int(Opcode.MUL)


def likely_fractions(game: GameModel, codes: Sequence[Bytecode]) -> Fractions:
    """How the author of a game probably writes fractions, by the doubles in its code, and by those
    that are multiplied with a variable."""
    code = join(codes, views=True)
    columns = code.columns
    rows = np.flatnonzero(is_push(columns, int(DataType.DOUBLE)))
    values = columns.operand[rows].view(np.float64).tolist()
    doubles = set(filter(is_worked_out, set(values)))
    if not doubles:
        return Fractions()
    products: dict[str, set[float]] = {}
    opcode, record = columns.opcode, code.record
    variable = is_push(columns, int(DataType.VARIABLE))
    for row, value in zip(rows.tolist(), values, strict=True):
        if value not in doubles:
            continue
        for at in (row - 1, row - 2, row + 1):  # a conversion may stand between
            after = max(row, at) + 1
            if not 0 <= at < len(opcode) or not variable[at] or record[at] & FUNCTION_BIT:
                continue
            if _MUL in opcode[after : after + 2].tolist():
                held = game.variables.items[int(record[at])]
                name = "" if held is None else str(held.name)
                products.setdefault(name, set()).add(value)
    return infer_fractions(doubles, products)
