"""Which roots of a game have a name in their instructions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from overhaul.gamemaker.data.chunks.bytecode import Bytecode, join
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.model import GameModel
from overhaul.gml.context import Context, asset_types
from overhaul.gml.decompiler.lift.calls import INSTANCES
from overhaul.gml.decompiler.types.constants import is_worked_out
from overhaul.gml.decompiler.types.facts import LOCAL, Location
from overhaul.gml.vm.columns import FUNCTION_BIT, NO_RECORD, is_pushref, is_string_push
from overhaul.gml.vm.opcodes import DataType, Opcode

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.index import CodeIndex
    from overhaul.gml.vm.columns import Columns

_Rows = npt.NDArray[np.signedinteger]


class _RowsByNumber:
    """The rows that have some number, of those ``which`` have any: an index, made once."""

    def __init__(self, numbers: npt.NDArray[np.signedinteger], rows: _Rows) -> None:
        order = np.argsort(numbers)
        self._rows = rows[order].astype(np.int32)
        self._numbers = numbers[order]

    def of(self, numbers: Iterable[int]) -> _Rows:
        """The rows that have one of some numbers."""
        wanted = np.array([*numbers], self._numbers.dtype)
        starts = np.searchsorted(self._numbers, wanted, side="left").tolist()
        ends = np.searchsorted(self._numbers, wanted, side="right").tolist()
        parts = [self._rows[start:end] for start, end in zip(starts, ends, strict=True)]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)


class RootsByName:
    """The numbers of the roots that have names, for the present code."""

    def __init__(self, game: GameModel, context: Context, index: CodeIndex) -> None:
        self._game = game
        self._context = context
        self._index = index
        self._roots: list[CodeEntry] = index.roots
        self._codes = [root.bytecode for root in self._roots]
        self._mentions: dict[str, frozenset[int]] = {}

    def mentioning(self, location: Location) -> frozenset[int]:
        """All roots that may show something of a location; none if its word is not a name in
        instructions."""
        if location.kind != LOCAL:
            return self.naming(location.name)
        name = location.owner.partition(":")[0]
        return self._declaring(name) or self._declaring(name.partition("@")[0])

    def saying(self, name: str) -> frozenset[int]:
        """The roots with a name, also as a text."""
        texts = [number for number, text in enumerate(self._game.strings) if text == name]
        return self.naming(name) | self._roots_at(self._rows_of_texts.of(texts))

    def naming(self, name: str) -> frozenset[int]:
        """The roots with a variable, a function or an asset of a name."""
        known = self._mentions.get(name)
        if known is None:
            records = self._named.get(name, ())
            known = self._declaring(name)
            known |= self._roots_at(self._rows_of_records.of(records))
            known |= self._roots_at(self._rows_of_assets.of(self._operands_of(name)))
            self._mentions[name] = known
        return known

    def _operands_of(self, name: str) -> list[int]:
        """The operands of instructions that stand for an asset."""
        kind, number = self._context.asset_ids.get(name, ("", 0))
        types = asset_types(self._context.dialect)
        return [code << 24 | number for code, shown in types.items() if shown == kind]

    @cached_property
    def _ends(self) -> npt.NDArray[np.int64]:
        """Where each root ends in the rows of all."""
        return np.cumsum([len(code) for code in self._codes])

    @cached_property
    def _all(self) -> Bytecode:
        """The instructions of all roots."""
        return join(self._codes, views=True)

    def _operands_at(
        self, which: Callable[[Columns], npt.NDArray[np.bool_]]
    ) -> tuple[npt.NDArray[np.int64], _Rows]:
        """The operands of the rows of all that are of some kind, and these rows."""
        operands, rows = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for start, columns in self._all.parts():
            found = np.flatnonzero(which(columns))
            operands.append(columns.operand[found])
            rows.append(found + start)
        return np.concatenate(operands), np.concatenate(rows)

    def _roots_at(self, rows: _Rows) -> frozenset[int]:
        """The roots that some rows of all are in."""
        if not len(rows):
            return frozenset()
        return frozenset(np.searchsorted(self._ends, rows, side="right").tolist())

    @cached_property
    def _rows_of_records(self) -> _RowsByNumber:
        """The rows of all that refer to records."""
        record = self._all.record
        rows = np.flatnonzero(record != NO_RECORD)
        return _RowsByNumber(record[rows], rows)

    @cached_property
    def _rows_of_assets(self) -> _RowsByNumber:
        """The rows of all whose operands name assets."""
        if not self._all.may_refer:
            return _RowsByNumber(np.zeros(0, np.int64), np.zeros(0, np.int64))
        operands, rows = self._operands_at(is_pushref)
        bare = self._all.record[rows] == NO_RECORD
        return _RowsByNumber(operands[bare], rows[bare])

    @cached_property
    def _rows_of_texts(self) -> _RowsByNumber:
        """The rows of all that push texts."""
        return _RowsByNumber(*self._operands_at(is_string_push))

    @cached_property
    def fractions(self) -> dict[float, frozenset[int]]:
        """The doubles that may have been quotients, each with the roots that have it."""
        operands, rows = self._operands_at(lambda columns: columns.type1 == int(DataType.DOUBLE))
        values = operands.view(np.float64)
        found = [number for number in np.unique(values).tolist() if is_worked_out(number)]
        return {number: self._roots_at(rows[values == number]) for number in found}

    @cached_property
    def dividing(self) -> frozenset[int]:
        """The roots that divide numbers, where the compiler left that to the game."""
        return self._roots_at(
            self._operands_at(lambda columns: columns.opcode == int(Opcode.DIV))[1]
        )

    @cached_property
    def _named(self) -> dict[str, list[int]]:
        """The records of variables and functions that stand for a name in source."""
        records: defaultdict[str, list[int]] = defaultdict(list)
        for number, variable in enumerate(self._game.variables.items):
            if variable is not None:
                records[str(variable.name)].append(number)
        for number, function in enumerate(self._game.functions.items):
            if function is not None:
                word = INSTANCES.get(str(function.name))
                for name in self._aliases(str(function.name)) if word is None else (word,):
                    records[name].append(number | FUNCTION_BIT)
        return dict(records)

    def _declaring(self, name: str) -> frozenset[int]:
        """The roots that are or have an entry of a name."""
        known = self._declared.get(name, frozenset())
        return frozenset((known,)) if isinstance(known, int) else known

    @cached_property
    def _declared(self) -> dict[str, int | frozenset[int]]:
        """The root, or the roots, by the names of the entries that they are or have in them."""
        declared: dict[str, int | frozenset[int]] = {}
        for number, root in enumerate(self._roots):
            for entry in (root, *self._index.children(root)):
                for name in self._aliases(str(entry.name)):
                    known = declared.setdefault(name, number)
                    if known != number:
                        before = frozenset((known,)) if isinstance(known, int) else known
                        declared[name] = before | {number}
        return declared

    def _aliases(self, name: str) -> Iterable[str]:
        """The names by which source calls the function of a code entry."""
        if not name.startswith("gml_Script_") and "@" not in name:
            known = self._context.function_of_code(name)
            return (name,) if known is None or known == name else (name, known)
        bare = name.removeprefix("gml_Script_")
        known = self._context.function_of_code(name)
        return {name, bare, bare.partition("@")[0]} | ({known} if known else set())
