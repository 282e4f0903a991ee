"""Roots whose bytecode follows from their instructions: each of their names has one number.

Instructions hold names, and bytecode numbers of records and strings.  Where a root uses one number
for each name, registering equal instructions gives the numbers that it has, so that code need not
be registered to be compared.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from overhaul.gamemaker.data.chunks.bytecode import Bytecode, join
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.model import GameModel
from overhaul.gml.context import Context, asset_types
from overhaul.gml.vm.code import Instruction
from overhaul.gml.vm.columns import (
    FUNCTION_BIT,
    NO_RECORD,
    is_call,
    is_pushref,
    is_string_push,
    is_variable,
)
from overhaul.gml.vm.opcodes import REFERENCE_TYPE_MASK, WORDS, DataType

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.index import CodeIndex

_Numbers = npt.NDArray[np.int64]
_Rows = npt.NDArray[np.signedinteger]
_Mask = npt.NDArray[np.bool_]


class PlainlyNamed:
    """The roots of a game, as they are, whose bytecode follows from their instructions."""

    def __init__(self, game: GameModel, context: Context, index: CodeIndex) -> None:
        self._game, self._context = game, context
        self._known: dict[int, tuple[CodeEntry, Bytecode]] = {}
        if game.record("VARI") is None or game.record("FUNC") is None or not index.roots:
            return
        roots = index.roots
        whole = join([root.bytecode for root in roots], views=True)
        ends = np.cumsum([len(root.bytecode) for root in roots])
        odd = np.searchsorted(ends, np.flatnonzero(self._odd(whole)), side="right")
        open_ = {*odd.tolist(), *self._ambiguous(whole, ends)}
        self._known = {
            id(root): (root, root.bytecode)
            for number, root in enumerate(roots)
            if number not in open_ and not root.bytecode.has_residue and not root.unreadable
        }

    def __contains__(self, root: CodeEntry) -> bool:
        known = self._known.get(id(root))
        return known is not None and known[0] is root and known[1] is root.bytecode

    def _odd(self, code: Bytecode) -> _Mask:
        """The rows that no registered instruction has: names by other numbers than records', and
        what :meth:`Bytecode.__eq__` compares besides."""
        columns, record = code.columns, code.record
        named = record != NO_RECORD
        functions = named & ((record & FUNCTION_BIT) != 0)
        call, pushref, variable = is_call(columns), is_pushref(columns), is_variable(columns)
        scripts = [
            number
            for number, kind in asset_types(self._context.dialect).items()
            if kind == "script"
        ]
        number = columns.type1 == int(DataType.INT32)
        odd: _Mask = ~named & (
            call | variable | (pushref & np.isin(columns.operand >> 24, scripts))
        )
        odd |= named & ~(call | variable | pushref | number)
        odd |= named & (((call | pushref) & ~functions) | (variable & functions))
        odd |= functions & ((columns.operand & REFERENCE_TYPE_MASK) != 0)
        words = np.frombuffer(WORDS, np.uint8)
        known = columns.type1 < 16
        at = columns.opcode.astype(np.int32) << 4 | columns.type1 & 15
        odd |= ~known | (words[at] != columns.size)
        return odd

    def _ambiguous(self, code: Bytecode, ends: npt.NDArray[np.signedinteger]) -> Iterable[int]:
        """The numbers of roots that have two records or texts of one name."""
        game, record = self._game, code.record
        typed = game.release.bytecode >= 15
        variables, functions = game.variables.items, game.functions.items
        texts = np.flatnonzero(is_string_push(code.columns) & (record == NO_RECORD))
        named = np.flatnonzero(record != NO_RECORD)
        is_function = (record[named] & FUNCTION_BIT) != 0
        found: set[int] = set()
        named_rows: tuple[tuple[_Rows, _Rows, Sequence[Hashable]], ...] = (
            (texts, code.columns.operand[texts], list(map(str, game.strings))),
            (
                named[~is_function],
                record[named[~is_function]],
                [
                    None if item is None else (str(item.name), item.instance_type if typed else 0)
                    for item in variables
                ],
            ),
            (
                named[is_function],
                record[named[is_function]] & ~FUNCTION_BIT,
                [None if item is None else str(item.name) for item in functions],
            ),
        )
        for rows, numbers, keys in named_rows:
            number_of, shared = _first_of_each(keys)
            inside = (numbers >= 0) & (numbers < len(keys))
            found.update(np.searchsorted(ends, rows[~inside], side="right").tolist())
            rows, numbers = rows[inside], numbers[inside]
            several = shared[numbers]
            rows, numbers = rows[several], numbers[several].astype(np.int64)
            root = np.searchsorted(ends, rows, side="right").astype(np.int64)
            both = root * (len(keys) + 1) + number_of[numbers]
            order = np.argsort(both, kind="stable")
            both, numbers = both[order], numbers[order]
            differ = (both[1:] == both[:-1]) & (numbers[1:] != numbers[:-1])
            found.update(root[order][1:][differ].tolist())
        return found


def _first_of_each(keys: Sequence[Hashable]) -> tuple[_Numbers, _Mask]:
    """The number of the first equal key of each, and which keys others are equal to."""
    known: dict[Hashable, int] = {}
    first = np.array([known.setdefault(key, at) for at, key in enumerate(keys)], np.int64)
    counts = np.bincount(first, minlength=len(keys)) if len(keys) else first
    return first, counts[first] > 1


def are_exactly(made: list[Instruction], wanted: list[Instruction]) -> bool:
    """Whether instructions are the same, their operands of the same kinds, and bit for bit; of two
    equal texts the number in the table is not compared."""
    if made != wanted:
        return False
    for mine, theirs in zip(made, wanted, strict=True):
        operand, other = mine.operand, theirs.operand
        if operand is None:
            continue
        if type(operand) is not type(other):
            if not isinstance(operand, str) or not isinstance(other, str):
                return False
        elif type(operand) is float and repr(operand) != repr(other):
            return False  # 0.0 and -0.0 are equal
    return True
