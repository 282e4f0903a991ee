"""Linking: symbolic code to a game's words, and the chains that run through all of it.

Columns of a whole game in, columns of a whole game out; where tables and entries lie in the file is
the caller's knowledge.  ``link`` does everything at once for a game built from symbolic code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from overhaul.errors import EncodeError, FormatError
from overhaul.gml.context import asset_types
from overhaul.gml.dialect import Dialect
from overhaul.gml.vm.chains import build_chains, resolve_both, resolve_chains
from overhaul.gml.vm.code import Code, StringReference, VariableReference
from overhaul.gml.vm.columns import (
    FUNCTION_BIT,
    NO_RECORD,
    Columns,
    encode,
    is_chained,
    is_pushref,
    is_unreadable,
)
from overhaul.gml.vm.opcodes import REFERENCE_TYPE_MASK, DataType, Opcode
from overhaul.gml.vm.registration import VariableOrder
from overhaul.gml.vm.rows import to_columns
from overhaul.gml.vm.stored_code import StoredCode

Integers = npt.NDArray[np.int64]
_PUSHREF = Opcode.BREAK << 8 | DataType.INT32
"""The upper half of a pushref."""
Records = npt.NDArray[np.int32]
Addresses = npt.NDArray[np.uint32] | Integers
Words = npt.NDArray[np.uint32] | Integers

_AT_ONCE = 1 << 16
"""So many words are looked at together."""
_FINAL_MASK = 0x7FFFFFF
INDEX_MASK = 0xFFFFFF
"""Bits of a pushref operand, and of the last word of its chain, that hold an index."""


@dataclass(slots=True)
class ChainTable:
    """The chains of a VARI or FUNC chunk, one item per record: the address of the first
    *instruction* (-1: none), the number of occurrences, and what the last word holds (the string
    index of the record's name)."""

    first: Integers
    occurrences: Integers
    final: Integers


@dataclass(slots=True)
class Chains:
    """The chains of a game: the record of each row's operand (``FUNCTION_BIT`` set for functions,
    NO_RECORD for none), and both tables."""

    record: Records
    variables: ChainTable
    functions: ChainTable


def read_chains(
    columns: Columns | StoredCode,
    address: Addresses,
    variables: tuple[Integers, Integers],
    functions: tuple[Integers, Integers],
) -> Chains:
    """Follow every chain of a game.

    ``address``: the file address of each row's instruction, ascending.  ``variables`` and
    ``functions``: (first, occurrences) of each record, ``first`` being the address of an
    *instruction* (2.3+ files store that of the word behind it in FUNC).  Raises FormatError.
    """
    rows, word = _chained_words(columns)
    where = address[rows]
    owner = resolve_both(where, word, variables, functions)
    if owner is None:
        owner = _resolve_each(where, word, variables, functions)
    record = np.full(len(columns), NO_RECORD, np.int32)
    record[rows] = owner
    finals = _finals(word, owner, len(variables[0]), len(functions[0]))
    return Chains(record, ChainTable(*variables, finals[0]), ChainTable(*functions, finals[1]))


def _resolve_each(
    where: Addresses,
    word: Words,
    variables: tuple[Integers, Integers],
    functions: tuple[Integers, Integers],
) -> Records:
    """The record of each word, one table after the other.  Raises FormatError."""
    chains = []
    for (first, occurrences), chunk in ((variables, "VARI"), (functions, "FUNC")):
        try:
            chains.append(resolve_chains(where, word, first, occurrences))
        except FormatError as error:
            raise error.within(chunk) from None
    variable, function = chains
    both = (variable != NO_RECORD) & (function != NO_RECORD)
    if both.any():
        raise FormatError(
            "a word is in the chains of a variable and of a function",
            offset=int(where[np.argmax(both)]) + 4,
        )
    return np.where(function != NO_RECORD, function | FUNCTION_BIT, variable)


def _chained_words(
    columns: Columns | StoredCode,
) -> tuple[Records | Integers, Words]:
    """The rows whose operands may be words of chains, and these words."""
    if isinstance(columns, StoredCode):
        return columns.chained()
    rows = np.flatnonzero(is_chained(columns))
    return rows, columns.operand[rows]


def _finals(
    word: Words, owner: Records, variables: int, functions: int
) -> tuple[Integers, Integers]:
    """The content of the last word of each chain: of so many variables, and functions."""
    finals = np.zeros(variables, np.int64), np.zeros(functions, np.int64)
    for start in range(0, len(owner), _AT_ONCE):
        part, content = owner[start : start + _AT_ONCE], word[start : start + _AT_ONCE]
        is_function = (part != NO_RECORD) & ((part & FUNCTION_BIT) != 0)
        is_variable = (part & FUNCTION_BIT) == 0
        # ascending: the last one stays
        finals[0][part[is_variable]] = content[is_variable] & _FINAL_MASK
        finals[1][part[is_function] & ~FUNCTION_BIT] = content[is_function] & INDEX_MASK
    return finals


def are_filled(columns: Columns | StoredCode, chains: Chains, dialect: Dialect) -> bool:
    """Whether :func:`fill_chains` gives chains as they are, which :func:`read_chains` read of the
    columns, where the last word of each holds what its table says.

    A chain that was followed ascends, so filling gives the same distances. Only the type in the
    last word of a function's chain may differ, and the fields of tables for records without
    references.
    """
    for table in (chains.variables, chains.functions):
        if (table.occurrences < 0).any() or (table.first[table.occurrences == 0] != -1).any():
            return False
    rows = np.flatnonzero((chains.record != NO_RECORD) & ((chains.record & FUNCTION_BIT) != 0))
    final = chains.functions.final
    last = np.full(len(final), -1, np.int64)
    last[chains.record[rows] & ~FUNCTION_BIT] = rows  # ascending: the last one stays
    known = last >= 0
    ends = columns.pick(last[known])
    low = final[known]
    scripts = _are_references(ends)
    if scripts.any():
        low[scripts] |= script_type(dialect) << 24
    word = ends.operand
    return bool((word == (word & REFERENCE_TYPE_MASK) | low).all())


def fill_chains(
    columns: Columns,
    address: Addresses,
    record: Records,
    variable_final: Integers,
    function_final: Integers,
    dialect: Dialect,
) -> Chains:
    """Write all chains again into ``columns.operand`` (in place), and return their tables.

    The inverse of :func:`read_chains`: ``record`` as it gives it, finals per record.  Raises
    EncodeError where two words of a chain are too far apart.
    """
    rows = np.flatnonzero(record != NO_RECORD)
    where = address[rows].astype(np.int64)
    owner = record[rows]
    is_function = (owner & FUNCTION_BIT) != 0
    tables = []
    low = np.zeros(len(rows), np.int64)
    for final, mine in ((variable_final, ~is_function), (function_final, is_function)):
        own = np.where(mine, owner & ~FUNCTION_BIT, NO_RECORD).astype(np.int32)
        if own.size and int(own.max()) >= len(final):
            raise EncodeError("an operand names a record that does not exist")
        part, first, occurrences = build_chains(where, own, final)
        low += part
        tables.append(ChainTable(first, occurrences, final))
    _mark_script_references(columns, rows, owner, low, dialect)
    columns.operand[rows] = (columns.operand[rows] & REFERENCE_TYPE_MASK) | low
    return Chains(record, *tables)


def _mark_script_references(
    columns: Columns, rows: Integers, owner: Records, low: Integers, dialect: Dialect
) -> None:
    """The last word of a function's chain carries the asset type "script" if it is a pushref's."""
    reference = np.flatnonzero(_are_references(columns.pick(rows)))
    if not len(reference):
        return
    number = script_type(dialect)
    last = dict(zip(owner.tolist(), range(len(owner)), strict=True))
    for at in reference.tolist():
        if last[int(owner[at])] == at:
            low[at] |= number << 24


def _are_references(columns: Columns) -> npt.NDArray[np.bool_]:
    """Which rows are those of a pushref, or words of one that can't be read."""
    shown: npt.NDArray[np.bool_] = is_pushref(columns)
    if columns.residue is not None:
        unreadable = columns.residue >> np.uint32(16) == _PUSHREF
        shown |= unreadable & is_unreadable(columns)
    return shown


def script_type(dialect: Dialect) -> int:
    """The number of the asset type of scripts."""
    return next(number for number, kind in asset_types(dialect).items() if kind == "script")


@dataclass(slots=True)
class Tables:
    """The numbers of a game's names.  ``functions`` and ``strings``: name -> number;
    ``string_list``: the string table itself, where strings may be named by number."""

    dialect: Dialect
    variables: VariableOrder
    functions: Mapping[str, int]
    strings: Mapping[str, int]
    string_list: Sequence[str] = ()

    def numbers(self, root: int) -> _RootNumbers:
        """The numbers of the names in root number ``root``."""
        return _RootNumbers(self, root)

    def string(self, text: str) -> int:
        """The index of a string operand or a name.  Raises EncodeError."""
        if isinstance(text, StringReference):
            number = text.number
            if number < len(self.string_list) and self.string_list[number] == text:
                return number
        try:
            return self.strings[str(text)]
        except KeyError:
            raise EncodeError(f"the string {str(text)!r} is not in the game") from None


class _RootNumbers:
    """``rows.Numbers`` of one root code entry."""

    def __init__(self, tables: Tables, root: int) -> None:
        self._tables = tables
        self._root = root

    def variable_record(self, reference: VariableReference) -> int:
        try:
            return self._tables.variables.record(self._root, reference)
        except KeyError:
            raise EncodeError(f"the variable {reference.name!r} is not in the game") from None

    def function_record(self, name: str) -> int:
        try:
            return self._tables.functions[name]
        except KeyError:
            raise EncodeError(f"the function {name!r} is not in the game") from None

    def string_index(self, text: str) -> int:
        return self._tables.string(text)

    def asset_number(self, kind: str) -> int:
        return asset_number(kind, self._tables.dialect)


def asset_number(kind: str, dialect: Dialect) -> int:
    """The type number of an asset kind in a pushref.  Raises EncodeError."""
    for number, name in asset_types(dialect).items():
        if name == kind:
            return number
    if kind.startswith("type_") and kind[5:].isdecimal():
        return int(kind[5:])
    raise EncodeError(f"this release has no references to assets of kind {kind!r}")


@dataclass(slots=True)
class Linked:
    """A game's code: the words of each root, and the chain tables."""

    entries: list[bytes]
    variables: ChainTable
    functions: ChainTable


def link(codes: Sequence[Code], addresses: Sequence[int], tables: Tables) -> Linked:
    """The words of all root entries of a game, and what VARI and FUNC must say.

    ``addresses``: where in the file each entry's first word will stand, ascending.  Raises
    EncodeError, with the entry's name in its path.
    """
    parts: list[Columns] = []
    records: list[Records] = []
    where: list[Integers] = []
    for root, (code, address) in enumerate(zip(codes, addresses, strict=True)):
        try:
            part, record = to_columns(code.instructions, tables.numbers(root))
        except EncodeError as error:
            raise error.within(code.name or f"code[{root}]") from None
        parts.append(part)
        records.append(record)
        where.append(part.offset.astype(np.int64) + address)
    columns = concatenate(parts)
    order = tables.variables.variables
    chains = fill_chains(
        columns,
        np.concatenate(where) if where else np.zeros(0, np.int64),
        np.concatenate(records) if records else np.zeros(0, np.int32),
        np.array([tables.string(variable.name) for variable in order], np.int64),
        np.array([tables.string(name) for name in tables.functions], np.int64),
        tables.dialect,
    )
    words = encode(columns, tables.dialect.bytecode)
    entries = []
    at = 0
    for code in codes:
        entries.append(words[at : at + len(code)])
        at += len(code)
    return Linked(entries, chains.variables, chains.functions)


_Number = TypeVar("_Number", bound=np.integer)


def concatenate(parts: Sequence[Columns]) -> Columns:
    """The columns joined, with new offsets."""

    def column(name: str, kind: type[_Number]) -> npt.NDArray[_Number]:
        if not parts:
            return np.zeros(0, kind)
        return np.concatenate([getattr(part, name) for part in parts])

    size = column("size", np.uint8)
    end = np.cumsum(size, dtype=np.int64) * 4
    residue = None
    if any(part.residue is not None for part in parts):
        residue = np.concatenate(
            [
                np.zeros(len(part), np.uint32) if part.residue is None else part.residue
                for part in parts
            ]
        )
    return Columns(
        (end - size.astype(np.int64) * 4).astype(np.uint32),
        column("opcode", np.uint8),
        column("type1", np.uint8),
        column("type2", np.uint8),
        column("value", np.int32),
        column("operand", np.int64),
        size,
        residue,
    )
