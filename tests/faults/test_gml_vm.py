"""Broken bytecode: every layer from words to text refuses it in its own words, or reads it."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import gml_strategies as strategies
from overhaul import gml
from overhaul.errors import FormatError
from overhaul.gml.context import asset_types
from overhaul.gml.vm.code import Code, Instruction
from overhaul.gml.vm.columns import decode
from overhaul.gml.vm.linking import Linked, Tables, link, read_chains
from overhaul.gml.vm.registration import function_order, string_order, variable_order
from overhaul.gml.vm.rows import RowReader
from repeats import times

DIALECT = gml.Dialect()
BASE = 0x400


class Names:
    """A small file's names: whatever is not there raises IndexError."""

    def __init__(self, tables: Tables) -> None:
        self.variables = tables.variables.variables
        self.functions = list(tables.functions)
        self.strings = tables.string_list

    def variable(self, record: int) -> tuple[str, int | None]:
        return self.variables[record]

    def function(self, record: int) -> str:
        return self.functions[record]

    def string(self, index: int) -> str:
        return self.strings[index]

    def asset_kind(self, number: int) -> str:
        return asset_types(DIALECT).get(number, f"type_{number}")


def linked(rows: list[Instruction]) -> tuple[Linked, Tables]:
    code = Code("root", rows)
    strings = string_order([code], DIALECT)
    tables = Tables(
        DIALECT,
        variable_order([code], DIALECT),
        {name: at for at, name in enumerate(function_order([code]))},
        {text: at for at, text in enumerate(strings)},
        strings,
    )
    return link([code], [BASE], tables), tables


def read(words: bytes, result: Linked, names: Names) -> str:
    """All layers, from words and tables to text."""
    columns = decode(words, 17)
    tables = [(table.first, table.occurrences) for table in (result.variables, result.functions)]
    chains = read_chains(columns, columns.offset.astype(np.int64) + BASE, *tables)
    code = Code("root", RowReader(names).instructions(columns, chains.record))
    text = gml.disassemble(code)
    assert gml.assemble(text).instructions == code.instructions
    return text


@given(st.lists(strategies.instructions(), min_size=1, max_size=20), st.data())
@settings(max_examples=times(300, 5), deadline=None)
def test_flipped_bytes(rows: list[Instruction], data: st.DataObject) -> None:
    result, tables = linked(rows)
    words = bytearray(result.entries[0])
    for _ in range(data.draw(st.integers(1, 4))):
        words[data.draw(st.integers(0, len(words) - 1))] = data.draw(st.integers(0, 255))
    try:
        read(bytes(words), result, Names(tables))
    except FormatError as error:
        assert error.message


@given(st.lists(strategies.instructions(), min_size=1, max_size=20), st.data())
@settings(max_examples=times(300, 5), deadline=None)
def test_broken_tables(rows: list[Instruction], data: st.DataObject) -> None:
    result, tables = linked(rows)
    anything = st.integers(-(1 << 31), (1 << 32) - 1) | st.integers(BASE - 4, BASE + 200)
    for table in (result.variables, result.functions):
        for column in (table.first, table.occurrences):
            if len(column) and data.draw(st.booleans()):
                value = data.draw(anything)
                if column is table.occurrences:
                    value = abs(value)
                column[data.draw(st.integers(0, len(column) - 1))] = value
    names = Names(tables)
    if data.draw(st.booleans()):
        names.strings = names.strings[: data.draw(st.integers(0, 4))]
    try:
        read(result.entries[0], result, names)
    except FormatError as error:
        assert error.message
