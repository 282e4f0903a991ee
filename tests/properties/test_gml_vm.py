"""Assembly text and bytecode are lossless for every instruction there can be."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import gml_strategies as strategies
from overhaul import gml
from overhaul.errors import FormatError
from overhaul.gml.context import asset_types
from overhaul.gml.vm.code import Code, Instruction, Variable
from overhaul.gml.vm.columns import decode, encode
from overhaul.gml.vm.linking import Tables, link, read_chains
from overhaul.gml.vm.registration import VariableOrder, function_order, string_order, variable_order
from overhaul.gml.vm.rows import RowReader
from repeats import times

DIALECT = gml.Dialect()


@given(strategies.codes())
@settings(max_examples=times(300, 5), deadline=None)
def test_assemble_reads_what_disassemble_writes(code: Code) -> None:
    text = gml.disassemble(code)
    again = gml.assemble(text)
    assert again.instructions == code.instructions
    assert again.children == code.children
    assert again.local_names == code.local_names
    assert gml.disassemble(again) == text


def _game(rows: list[Instruction]) -> tuple[Code, Tables]:
    code = Code("root", rows)
    variables = variable_order([code], DIALECT)
    functions = {name: at for at, name in enumerate(function_order([code]))}
    strings = string_order([code], DIALECT)
    numbers = {text: at for at, text in enumerate(strings)}
    return code, Tables(DIALECT, variables, functions, numbers, strings)


class _Names:
    def __init__(self, tables: Tables) -> None:
        self._variables: VariableOrder = tables.variables
        self._functions = list(tables.functions)
        self._strings = tables.string_list

    def variable(self, record: int) -> Variable:
        return self._variables.variables[record]

    def function(self, record: int) -> str:
        return self._functions[record]

    def string(self, index: int) -> str:
        return self._strings[index]

    def asset_kind(self, number: int) -> str:
        return asset_types(DIALECT).get(number, f"type_{number}")


@given(st.lists(strategies.instructions(), max_size=30))
@settings(max_examples=times(200, 5), deadline=None)
def test_linked_code_reads_back(rows: list[Instruction]) -> None:
    code, tables = _game(rows)
    linked = link([code], [0x1000], tables)
    words = linked.entries[0]
    columns = decode(words, 17)
    assert encode(columns, 17) == words
    address = columns.offset.astype(np.int64) + 0x1000
    chains = read_chains(
        columns,
        address,
        (linked.variables.first, linked.variables.occurrences),
        (linked.functions.first, linked.functions.occurrences),
    )
    assert RowReader(_Names(tables)).instructions(columns, chains.record) == rows


@given(st.binary(max_size=120), st.sampled_from([13, 14, 15, 16, 17]))
@settings(max_examples=times(500, 5), deadline=None)
def test_any_words_decode_exactly_or_not_at_all(data: bytes, bytecode: int) -> None:
    try:
        columns = decode(data, bytecode)
    except FormatError as error:
        assert error.offset is None or 0 <= error.offset <= len(data)
        return
    assert encode(columns, bytecode) == data


@given(st.text(max_size=200))
@settings(max_examples=times(300, 5), deadline=None)
def test_any_text_assembles_or_says_where_it_is_wrong(text: str) -> None:
    assemble_or_say_where(text)


def assemble_or_say_where(text: str) -> None:
    try:
        gml.assemble(text)
    except gml.SyntaxError_ as error:
        assert 1 <= error.line <= text.count("\n") + 1
        assert error.column >= 1
        assert error.errors


TOKENS = st.sampled_from(
    [
        "push.v", "pushi.e", "pop.v.i", "pop.e.v", "call.i", "b", "bf", "popenv",
        "pushref.i", "dup.v", "break.e", "cmp.i.v", "push.s", "push.d", "push.l",
        "push.i", "[function]f", "[variable]v", ":[0]", ":[end]", "[0]", "[end]",
        "<drop>", "self.x", "[array]self.x", "f(argc=2)", "3", "-1", "0.5",
        "99999999999", '"a"', '"a\\', "@4", ">", "(locals=1,", ".localvar", "{5}",
        "EQ", "$-2", ";;;", "\n",
    ]
)  # fmt: skip


@given(st.lists(TOKENS, max_size=40))
@settings(max_examples=times(300, 5), deadline=None)
def test_any_mixture_of_words_assembles_or_says_where_it_is_wrong(tokens: list[str]) -> None:
    assemble_or_say_where(" ".join(tokens))
    assemble_or_say_where("\n".join(tokens))
