"""Chains, the tables that follow from code, and linking a small game."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np
import pytest

from overhaul import gml
from overhaul.errors import EncodeError, FormatError
from overhaul.gml.vm import chains as vm_chains
from overhaul.gml.vm import linking
from overhaul.gml.vm.chains import build_chains, resolve_chains
from overhaul.gml.vm.code import (
    Code,
    FunctionReference,
    Instruction,
    StringReference,
    Variable,
    VariableReference,
)
from overhaul.gml.vm.columns import NO_RECORD, Columns, decode
from overhaul.gml.vm.linking import (
    Chains,
    Tables,
    are_filled,
    asset_number,
    fill_chains,
    link,
    read_chains,
)
from overhaul.gml.vm.opcodes import DataType, Opcode
from overhaul.gml.vm.registration import (
    VariableOrder,
    function_order,
    local_names,
    root_counts,
    string_order,
    variable_ids,
    variable_order,
)


def array(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def test_chains_both_ways() -> None:
    address = array(100, 108, 120, 132, 140)
    record = np.array([0, 1, 0, NO_RECORD, 0], np.int32)
    low, first, occurrences = build_chains(address, record, array(7, 9, 11))
    assert low.tolist() == [20, 9, 20, 0, 7]
    assert first.tolist() == [100, 108, -1]
    assert occurrences.tolist() == [3, 1, 0]
    word = low | 0xA0000000
    assert resolve_chains(address, word, first, occurrences).tolist() == record.tolist()


def test_broken_chains_are_refused() -> None:
    address = array(100, 108, 120)
    with pytest.raises(FormatError, match="leaves the code") as caught:
        resolve_chains(address, array(8, 5, 0), array(100), array(3))
    assert caught.value.path == "[0]"
    with pytest.raises(FormatError, match="meet") as caught:
        resolve_chains(address, array(8, 12, 0), array(100, 108), array(2, 1))
    assert caught.value.path == "[1]"
    with pytest.raises(FormatError, match="only 3 operands"):
        resolve_chains(address, array(8, 12, 0), array(100), array(4_000_000_000))
    with pytest.raises(FormatError, match="leaves the code"):
        resolve_chains(address, array(8, 12, 0), array(-1), array(1))
    with pytest.raises(FormatError, match="0 operands"):
        resolve_chains(array(), array(), array(5), array(1))


def test_a_chain_does_not_run_on_behind_its_last_word() -> None:
    # The last word holds a string index that happens to be the distance to a word of another.
    record = resolve_chains(array(100, 108), array(8, 8), array(100), array(1))
    assert record.tolist() == [0, NO_RECORD]


def test_random_chains_are_followed_all_at_once() -> None:
    random = np.random.default_rng(3)
    for records in (1, 2, 7, 60):
        address = np.cumsum(random.integers(4, 30, 500)).astype(np.int64)
        record = random.integers(-1, records, 500).astype(np.int32)
        low, first, occurrences = build_chains(address, record, np.zeros(records, np.int64))
        assert resolve_chains(address, low, first, occurrences).tolist() == record.tolist()
        assert resolve_chains(address, low, first, occurrences // 2).tolist() == [
            number if number >= 0 and nth < occurrences[number] // 2 else NO_RECORD
            for number, nth in zip(record.tolist(), _nth(record), strict=True)
        ]
        for broken in range(0, 500, 31):
            word = low.copy()
            word[broken] += 1
            expected = (
                record[broken] == NO_RECORD
                or _nth(record)[broken] + 1 == occurrences[record[broken]]
            )
            try:
                resolve_chains(address, word, first, occurrences)
            except FormatError:
                assert not expected
            else:
                assert expected


def test_words_are_looked_at_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chains through several parts, also through those whose words are far apart."""
    monkeypatch.setattr(vm_chains, "_BLOCK", 7)
    monkeypatch.setattr(linking, "_AT_ONCE", 7)
    test_random_chains_are_followed_all_at_once()
    test_a_small_game_links()
    test_chains_are_known_to_be_filled_without_filling_them()
    apart = 1000 * np.arange(100, dtype=np.int64)
    record = np.arange(100, dtype=np.int32) % 3
    low, first, occurrences = build_chains(apart, record, np.zeros(3, np.int64))
    words = low.astype(np.uint32)
    assert resolve_chains(apart.astype(np.uint32), words, first, occurrences).tolist() == (
        record.tolist()
    )


def _nth(record: np.ndarray) -> list[int]:
    """How many words before each one have the same record."""
    seen: dict[int, int] = {}
    numbers = []
    for number in record.tolist():
        numbers.append(seen.get(number, 0))
        seen[number] = numbers[-1] + 1
    return numbers


def test_words_that_do_not_ascend_are_found() -> None:
    """As those of a damaged game's entries."""
    address = np.array([1000, 1008, 12, 24, 12], np.uint32)
    words = np.array([8, 0, 12, 0, 12], np.uint32)
    record = resolve_chains(address, words, array(1000, 24), array(2, 1))
    assert record.tolist() == [0, 0, NO_RECORD, 1, NO_RECORD]
    record = resolve_chains(address, words, array(12, 1008), array(2, 1))
    assert record.tolist() == [NO_RECORD, 1, 0, 0, NO_RECORD]


def test_negative_counts_have_no_chain() -> None:
    address = array(100, 108, 120)
    record = resolve_chains(address, array(8, 12, 0), array(100, 120), array(2, -5))
    assert record.tolist() == [0, 0, NO_RECORD]
    counts = array(2_000_000_000, -2_000_000_000)
    with pytest.raises(FormatError, match="meet"):
        resolve_chains(address, array(8, 12, 0), array(100, 120), counts)


def test_words_too_far_apart_are_refused() -> None:
    with pytest.raises(EncodeError, match="too far"):
        build_chains(array(0, 1 << 28), np.zeros(2, np.int32), array(0))


FIRST = """
push.v self.x
pop.v.v local.a
push.v self.a
push.v global.a
call.i f(argc=0)
push.s "hello"
pop.v.s local.b
"""
SECOND = """
push.v local.b
pop.v.v local.a
push.i [function]g
call.i f(argc=1)
push.v global.c
push.v arg.argument0
push.s "hello"
"""


def game(dialect: gml.Dialect) -> list[Code]:
    codes = [gml.assemble(text, dialect) for text in (FIRST, "", SECOND)]
    for code, name in zip(codes, ("one", "empty", "two"), strict=True):
        code.name = name
        code.local_names = local_names(code)
    return codes


def test_order_of_variables() -> None:
    dialect = gml.Dialect()
    codes = game(dialect)
    order = variable_order(codes, dialect)
    assert order.variables == [
        Variable("prototype", -1), Variable("@@array@@", -1),
        Variable("arguments", -7), Variable("x", -1), Variable("a", -7), Variable("a", -1),
        Variable("a", -5), Variable("b", -7),
        Variable("arguments", -7),
        Variable("arguments", -7), Variable("b", -7), Variable("a", -7), Variable("c", -5),
        Variable("argument0", -6),
    ]  # fmt: skip
    old = gml.Dialect.for_version(14, (1, 0, 0, 1567))
    assert [variable.name for variable in variable_order(codes, old).variables] == [
        "x", "a", "b", "c", "argument0",
    ]  # fmt: skip


def test_ids_of_variables() -> None:
    new = gml.Dialect()
    codes = game(new)
    strings = string_order(codes, new)
    order = variable_order(codes, new)
    ids = variable_ids(order, codes, new, {"x"}, strings.index)
    assert ids == [0, 1, 2, -6, 4, 4, 4, 7, 2, 2, 7, 4, 9, 0]
    before = gml.Dialect.for_version(16, (2, 0, 0, 0))
    ids = variable_ids(order, codes, before, {"x"}, strings.index)
    # prototype, @@array@@, arguments, x, local a, self a, global a, local b …
    assert ids[:8] == [0, 1, 0, -6, 1, 2, 3, 2]
    separate = gml.Dialect.for_version(15, (1, 0, 0, 1763))
    ids = variable_ids(order, codes, separate, {"x"}, strings.index)
    assert ids[:8] == [0, 1, 0, -6, 1, 2, 0, 2]


def test_orders_of_strings_functions_and_locals() -> None:
    dialect = gml.Dialect()
    codes = game(dialect)
    assert string_order(codes, dialect) == [
        "prototype", "@@array@@", "arguments", "x", "a", "f", "hello", "b", "g", "c", "argument0",
    ]  # fmt: skip
    old = gml.Dialect.for_version(13, (1, 0, 0, 1300))
    assert string_order(codes, old)[:2] == ["x", "a"]
    assert function_order(codes) == ["f", "g"]
    assert local_names(codes[0]) == ["arguments", "a", "b"]
    assert local_names(codes[2]) == ["arguments", "b", "a"]
    assert root_counts(codes[0], dialect) == (2, 0)
    assert root_counts(codes[1], dialect) == (0, 0x8000)
    assert root_counts(codes[0], old) == (0, 0)


def test_locals_of_children_are_not_the_roots() -> None:
    code = gml.assemble(
        "pushloc.v local.outer\nb [1]\n> f (locals=1, argc=0)\npushloc.v local.inner\nexit.i\n:[1]"
    )
    assert local_names(code) == ["arguments", "outer", "inner"]
    assert root_counts(code, gml.Dialect()) == (1, 0)


def test_a_small_game_links() -> None:
    dialect = gml.Dialect()
    codes = game(dialect)
    codes[2].instructions.append(gml.assemble("pushref.i g").instructions[0])
    strings = string_order(codes, dialect)
    order = variable_order(codes, dialect)
    functions = {name: at for at, name in enumerate(function_order(codes))}
    numbers = {text: at for at, text in enumerate(strings)}
    tables = Tables(dialect, order, functions, numbers, strings)
    addresses = [1000, 1000 + len(codes[0]), 1000 + len(codes[0])]
    linked = link(codes, addresses, tables)
    assert [len(entry) for entry in linked.entries] == [len(code) for code in codes]
    assert linked.entries[1] == b""
    # g's last word is a pushref's: the asset type "script" over the index of its name.
    assert struct.unpack("<I", linked.entries[2][-4:]) == (5 << 24 | strings.index("g"),)
    blob = b"".join(linked.entries)
    columns = decode(blob, 17, [0, len(linked.entries[0])])
    chains = read_chains(
        columns,
        columns.offset.astype(np.int64) + 1000,
        (linked.variables.first, linked.variables.occurrences),
        (linked.functions.first, linked.functions.occurrences),
    )
    assert chains.functions.final.tolist() == [strings.index("f"), strings.index("g")]
    used = linked.variables.occurrences > 0
    assert [strings[at] for at in chains.variables.final[used]] == [
        variable.name for variable, has in zip(order.variables, used, strict=True) if has
    ]
    assert linked.variables.first[~used].tolist() == [-1] * int((~used).sum())


def test_chains_are_known_to_be_filled_without_filling_them() -> None:
    dialect = gml.Dialect()
    codes = game(dialect)
    codes[2].instructions.append(gml.assemble("pushref.i g").instructions[0])
    strings = string_order(codes, dialect)
    functions = {name: at for at, name in enumerate(["unused", *function_order(codes)])}
    numbers = {text: at for at, text in enumerate([*strings, "unused"])}
    tables = Tables(dialect, variable_order(codes, dialect), functions, numbers, strings)
    linked = link(codes, [1000, 1000 + len(codes[0]), 1000 + len(codes[0])], tables)
    random = np.random.default_rng(5)
    results: list[bool] = []
    for _ in range(400):
        columns = decode(b"".join(linked.entries), 17, [0, len(linked.entries[0])])
        address = columns.offset.astype(np.int64) + 1000
        both = [
            (table.first.copy(), table.occurrences.copy())
            for table in (linked.variables, linked.functions)
        ]
        row = random.integers(len(columns))
        change = random.integers(5)
        if change == 1:
            columns.operand[row] ^= 1 << random.integers(32)
        elif change > 1:
            numbers_of = both[random.integers(2)][random.integers(2)]
            numbers_of[random.integers(len(numbers_of))] += random.choice([-4, -1, 1, 1005])
        try:
            chains = read_chains(columns, address, *both)
        except FormatError:
            continue
        results.append(are_filled(columns, chains, dialect))
        assert results[-1] is refills(columns, address, chains, dialect)
    assert results.count(False) > 10 and results.count(True) > 100


def refills(columns: Columns, address: np.ndarray, chains: Chains, dialect: gml.Dialect) -> bool:
    """Whether filling chains gives them again."""
    filled = replace(columns, operand=columns.operand.copy())
    made = fill_chains(
        filled, address, chains.record, chains.variables.final, chains.functions.final, dialect
    )
    pairs = (made.variables, chains.variables), (made.functions, chains.functions)
    return bool((filled.operand == columns.operand).all()) and all(
        (one.first == two.first).all() and (one.occurrences == two.occurrences).all()
        for one, two in pairs
    )


def test_unknown_names_are_refused_with_their_place() -> None:
    dialect = gml.Dialect()
    code = gml.assemble(FIRST)
    code.name = "one"
    nothing = Tables(dialect, variable_order([], dialect), {}, {})
    with pytest.raises(EncodeError, match=r"one\.instruction\[0\]: the variable 'x'"):
        link([code], [0], nothing)
    with pytest.raises(EncodeError, match="not linked"):
        code.to_bytes()
    with pytest.raises(EncodeError, match="no references to assets of kind"):
        asset_number("monster", dialect)
    assert asset_number("type_77", dialect) == 77


@pytest.mark.parametrize(
    "wrong",
    [
        Instruction(Opcode.PUSHI, DataType.INT16, operand=VariableReference("x", -1, 0xA0)),
        Instruction(Opcode.PUSH, DataType.INT32, operand="x"),
        Instruction(Opcode.PUSH, DataType.STRING, operand=VariableReference("x", -1, 0xA0)),
        Instruction(Opcode.PUSH, DataType.VARIABLE, operand=FunctionReference("f")),
        Instruction(Opcode.PUSH, DataType.VARIABLE),
        Instruction(Opcode.CALL, DataType.INT32, operand=1.5),
    ],
)
def test_operands_that_do_not_fit_their_instruction_are_refused(wrong: Instruction) -> None:
    dialect = gml.Dialect()
    known = gml.assemble('push.v self.x\ncall.i f(argc=0)\npush.s "x"')
    tables = Tables(dialect, variable_order([known], dialect), {"f": 0}, {"x": 0}, ["x"])
    with pytest.raises(EncodeError, match=r"bad\.instruction\[0\]: .*operand"):
        link([Code("bad", [wrong])], [0], tables)


def test_strings_by_number_link_to_that_number() -> None:
    dialect = gml.Dialect()
    tables = Tables(dialect, variable_order([], dialect), {}, {"a": 0}, ["a", "b", "a"])
    assert tables.string("a") == 0
    assert tables.string(StringReference("a", 2)) == 2
    assert tables.string(StringReference("a", 1)) == 0
    assert tables.string(StringReference("a", 99)) == 0


def test_a_numbered_string_keeps_its_number_where_the_table_has_it_there() -> None:
    tables = Tables(gml.Dialect(), VariableOrder(), {}, {"a": 0, "b": 1}, ["a", "b", "a"])
    assert [tables.string(StringReference("a", number)) for number in range(5)] == [0, 0, 2, 0, 0]
    with pytest.raises(EncodeError, match="'c' is not in the game"):
        tables.string(StringReference("c", 0))
