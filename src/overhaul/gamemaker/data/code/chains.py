"""Reference chains of a game: resolved when its code is loaded, filled when it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.chunks.code import Bytecode
from overhaul.gml.dialect import Dialect
from overhaul.gml.vm.linking import Chains, fill_chains, read_chains

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data.slots import Slot

Integers = npt.NDArray[np.int64]

CODE_CHUNKS = ("CODE", "VARI", "FUNC")


def first_is_operand(game: GameData) -> bool:
    """Whether FUNC holds the address of the operand (2.3+) instead of the instruction."""
    return game.layout.number >= (2, 3)


def load_code(game: GameData) -> None:
    """Decode CODE, VARI and FUNC and resolve the references; all three are opaque or none."""
    slots = [game.slots[name] for name in ("CODE", "VARI", "FUNC") if name in game.slots]
    for slot in slots:
        game.decode_chunk(slot)
    if any(slot.raw is not None for slot in slots):
        for slot in slots:
            if slot.raw is None:
                _carry(game, slot, "another chunk of the code can't be read")
        return
    code = game.slots.get("CODE")
    if code is None or code.record.area is None:
        return
    try:
        _resolve(game, code.record.area)
    except (FormatError, EncodeError) as error:
        if isinstance(error, FormatError):
            error.source = game.source
        if game.strict:
            raise
        for slot in slots:
            _carry(game, slot, str(error))


def _resolve(game: GameData, area: Any) -> None:
    variables = _records(game, "VARI", "variables")
    functions = _records(game, "FUNC", "functions")
    shift = 4 if first_is_operand(game) else 0
    chains = read_chains(
        area.code.columns,
        area.addresses,
        _table(variables, 0),
        _table(functions, shift),
    )
    area.code.record[:] = chains.record
    for records, table in ((variables, chains.variables), (functions, chains.functions)):
        for record, final in zip(records, table.final.tolist(), strict=True):
            if record.occurrences:
                expected = -1 if record.name is None else record.name.index
                record.chain_end = None if final == expected else final
            record.first_address = -1  # follows from the code, as the count does
    _check_exact(game, area, chains)
    for entry in area.entries:
        if entry is not None:
            entry.game = game


def _check_exact(game: GameData, area: Any, stored: Chains) -> None:
    """Keep the chunks' bytes where filling the chains anew would not give the same."""
    columns = replace(area.code.columns, operand=area.code.columns.operand.copy())
    filler = ChainFiller(game, game.strings.encode)
    filled = filler.fill(Bytecode(columns, area.code.record), area.addresses)
    exact = bool((columns.operand == area.code.columns.operand).all())
    tables = ((filled.variables, stored.variables), (filled.functions, stored.functions))
    for mine, theirs in tables:
        exact &= bool((mine.first == theirs.first).all())
        exact &= bool((mine.occurrences == theirs.occurrences).all())
    if exact and not any(
        slot.kept for slot in map(game.slots.get, CODE_CHUNKS) if slot is not None
    ):
        return
    for slot in map(game.slots.get, CODE_CHUNKS):
        if slot is not None and slot.record is not None:
            game.keep_layout(slot, "reference chains that are not as compilers write them")
            game.settle_layout(slot)


def _records(game: GameData, name: str, attribute: str) -> list[Any]:
    slot = game.slots.get(name)
    return [] if slot is None or slot.record is None else getattr(slot.record, attribute)


def _table(records: list[Any], shift: int) -> tuple[Integers, Integers]:
    first = np.array([record.first_address for record in records], np.int64)
    first[first != -1] -= shift
    return first, np.array([record.occurrences for record in records], np.int64)


def _carry(game: GameData, slot: Slot, reason: str) -> None:
    slot.record = None
    game.give_up(slot, reason)


class ChainFiller:
    """Fills the chain words of joined code, and counts and first addresses into the records."""

    def __init__(self, game: GameData, encode_string: Callable[[Any], int]) -> None:
        self._game = game
        self._encode_string = encode_string

    def fill(self, code: Bytecode, addresses: Integers) -> Chains:
        """Fill the chain words into the columns, and return the tables."""
        return fill_chains(
            code.columns,
            addresses,
            code.record,
            self._finals(_records(self._game, "VARI", "variables")),
            self._finals(_records(self._game, "FUNC", "functions")),
            plain_dialect(self._game),
        )

    def __call__(self, code: Bytecode, addresses: Integers) -> None:
        """As :meth:`fill`, with the counts and first addresses put into the records."""
        game = self._game
        variables = _records(game, "VARI", "variables")
        functions = _records(game, "FUNC", "functions")
        chains = self.fill(code, addresses)
        shift = 4 if first_is_operand(game) else 0
        for records, table, more in (
            (variables, chains.variables, 0),
            (functions, chains.functions, shift),
        ):
            for record, first, count in zip(
                records, table.first.tolist(), table.occurrences.tolist(), strict=True
            ):
                record.occurrences = count
                record.first_address = first + more if count else -1

    def _finals(self, records: list[Any]) -> Integers:
        encode = self._encode_string
        return np.array(
            [
                encode(record.name) - 1 if record.chain_end is None else record.chain_end
                for record in records
            ],
            np.int64,
        )


def plain_dialect(game: GameData) -> Dialect:
    """The dialect by release number alone: what the layout of code needs."""
    return Dialect.for_version(game.layout.bytecode, game.layout.number, game.layout.lts)
