"""Reference chains of a game: resolved when its code is loaded, filled when it is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.code.splicing import spliced
from overhaul.gamemaker.data.strings import String
from overhaul.gml.dialect import Dialect
from overhaul.gml.vm.linking import Addresses, Chains, are_filled, fill_chains, read_chains

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.code import CodeArea
    from overhaul.gamemaker.data.chunks.func import Function, Variable
    from overhaul.gamemaker.data.model import GameModel
    from overhaul.gml.vm.columns import Columns
    from overhaul.gml.vm.stored_code import StoredCode
    from overhaul.schema import Buffer

    Records: TypeAlias = Sequence[Variable | Function]

Integers = npt.NDArray[np.int64]
_Tables: TypeAlias = tuple[tuple[Integers, Integers], tuple[Integers, Integers]]


def first_is_operand(game: GameModel) -> bool:
    """Whether FUNC holds the address of the operand (2.3+) instead of the instruction."""
    return game.release.number >= (2, 3)


def resolve(game: GameModel, area: CodeArea) -> Chains:
    """Note for each instruction the record it refers to; return the chains as they are stored.

    Raises FormatError for broken chains.
    """
    variables, functions = _records(game)
    shift = 4 if first_is_operand(game) else 0
    tables = _table(variables, 0), _table(functions, shift)
    found = game.found.get("chains")
    if isinstance(found, _Followed) and found.fits(area, tables):
        chains = found.chains
    else:
        chains = read_chains(area.code.source, area.addresses, *tables)
        chains.record.flags.writeable = False  # as the columns
        game.found["chains"] = _Followed(area.code.source, tables, chains)
    area.code.record = chains.record
    area.addresses = np.zeros(0, np.uint32)  # they take memory
    for records, table in ((variables, chains.variables), (functions, chains.functions)):
        for record, final in zip(records, table.final.tolist(), strict=True):
            if record.occurrences:
                name = record.name
                expected = name.number if isinstance(name, String) else -1
                record.chain_end = None if final == expected else final
            record.first_address = -1  # follows from the code, as the count does
    for entry in area.entries:
        if entry is not None:
            entry.game = game
    return chains


def are_usual(game: GameModel, area: CodeArea, chains: Chains) -> bool:
    """Whether filling the chains that were read gives them again."""
    return are_filled(area.code.source, chains, plain_dialect(game))


def _records(game: GameModel) -> tuple[Records, Records]:
    variables, functions = game.record("VARI"), game.record("FUNC")
    return (
        [] if variables is None else variables.variables,
        [] if functions is None else functions.functions,
    )


def _table(records: Records, shift: int) -> tuple[Integers, Integers]:
    first = np.array([record.first_address for record in records], np.int64)
    first[first != -1] -= shift
    return first, np.array([record.occurrences for record in records], np.int64)


class _Followed(NamedTuple):
    """The chains through some instructions, by what VARI and FUNC say of them."""

    source: Columns | StoredCode
    tables: _Tables
    chains: Chains

    def fits(self, area: CodeArea, tables: _Tables) -> bool:
        """Whether these are the chains through other instructions."""
        return self.source is area.code.source and all(
            np.array_equal(mine, theirs)
            for first, second in zip(self.tables, tables, strict=True)
            for mine, theirs in zip(first, second, strict=True)
        )


class ChainFiller:
    """Fills the chain words of joined code, and counts and first addresses into the records."""

    def __init__(self, game: GameModel, encode_string: Callable[[object], int]) -> None:
        self._game = game
        self._encode_string = encode_string

    def fill(self, code: Bytecode, addresses: Addresses) -> Chains:
        """Fill the chain words into the columns, and return the tables."""
        variables, functions = _records(self._game)
        return fill_chains(
            code.columns,
            addresses,
            code.record,
            self._finals(variables),
            self._finals(functions),
            plain_dialect(self._game),
        )

    def __call__(self, code: Bytecode, addresses: Addresses) -> None:
        """As :meth:`fill`, with the counts and first addresses put into the records."""
        self._note(self.fill(code, addresses))

    def splice(
        self, area: CodeArea, codes: Sequence[Bytecode], begin: int, source: Buffer
    ) -> memoryview | None:
        """The words of all code, from ``begin`` on, where little changed since ``source`` was read;
        None where all code has to be linked.  The records are filled as by a call."""
        if area.begin < 0 or not len(source):
            return None
        variables, functions = _records(self._game)
        finals = self._finals(variables), self._finals(functions)
        made = spliced(area, codes, begin, source, finals, plain_dialect(self._game))
        if made is None:
            return None
        words, chains = made
        self._note(chains)
        return words

    def _note(self, chains: Chains) -> None:
        """Put the counts and first addresses of chains into the records."""
        game = self._game
        variables, functions = _records(game)
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

    def _finals(self, records: Records) -> Integers:
        encode = self._encode_string
        return np.array(
            [
                encode(record.name) - 1 if record.chain_end is None else record.chain_end
                for record in records
            ],
            np.int64,
        )


def plain_dialect(game: GameModel) -> Dialect:
    """The dialect by its release number only: what the layout of code needs."""
    release = game.release
    return Dialect.for_version(release.bytecode, release.number, release.lts)
