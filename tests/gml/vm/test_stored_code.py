"""Columns of stored words: as decoding all of them makes them, for the rows that are asked for."""

from __future__ import annotations

import gc
import struct
from dataclasses import fields
from random import Random
from typing import Any

import numpy as np
import pytest

from overhaul.errors import FormatError
from overhaul.gml.vm import stored_code
from overhaul.gml.vm.columns import Columns, columns_at, decode, is_chained
from overhaul.gml.vm.stored_code import StoredCode

#: one to three words each: pushi, push.v, push.d, call, cmp, b, popenv
INSTRUCTIONS = (
    [0x840F0005], [0xC005FFFF, 0xA0000010], [0xC0000000, 1, 0x40000000], [0xD9020002, 7],
    [0x15520100], [0xB67FFFF9], [0xBBF00000],
)  # fmt: skip
#: bits that nothing reads: of a comparison, and of a branch
ODD = ([0x15520103], [0xB6800001])


def blob(count: int, seed: int = 1, odd: int = -1) -> bytes:
    """So many instructions; one is of :data:`ODD` if ``odd`` says so."""
    chosen = Random(seed).choices(INSTRUCTIONS, k=count)
    if odd >= 0:
        chosen[count // 2] = ODD[odd]
    words = [word for instruction in chosen for word in instruction]
    return struct.pack(f"<{len(words)}I", *words)


def check(made: Columns, wanted: Columns) -> None:
    for field in fields(Columns):
        mine, theirs = getattr(made, field.name), getattr(wanted, field.name)
        if theirs is None:
            assert mine is None, field.name
            continue
        assert mine.dtype == theirs.dtype and np.array_equal(mine, theirs), field.name
        assert not mine.flags.writeable, field.name


@pytest.mark.parametrize("odd", [-1, 0, 1])
@pytest.mark.parametrize("bytecode", [16, 17])
def test_rows_are_those_of_all(odd: int, bytecode: int) -> None:
    data = blob(10_000, odd=odd)
    whole, stored = decode(data, bytecode), StoredCode(data, bytecode)
    assert len(stored) == len(whole) == 10_000
    assert stored.has_residue == (whole.residue is not None) == (odd >= 0)
    assert np.array_equal(stored.size, whole.size)
    assert np.array_equal(stored.offsets, whole.offset)
    check(stored.all(), whole)
    random = Random(2)
    at = 0
    for _ in range(60):
        # neighbours, and others; across blocks, and behind the end
        at = at if random.random() < 0.7 else random.randrange(10_010)
        stop = at + random.choice([0, 1, 7, 60, 5000])
        check(stored.rows(at, stop), whole.rows(at, stop))
        at = stop
    picked = np.array([9_999, 3, 3, 5_000, 0])
    check_values = stored.pick(picked)
    check(check_values, whole.pick(picked))


def test_parts_are_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_code, "_AT_ONCE", 999)
    data = blob(3_000)
    whole, stored = decode(data, 17), StoredCode(data, 17)
    parts = list(stored.parts())
    assert [start for start, _ in parts] == [0, 999, 1998, 2997]
    for start, part in parts:
        check(part, whole.rows(start, start + len(part)))
    assert sum(len(part) for _, part in parts) == 3_000


def test_old_code() -> None:
    """Comparisons have opcodes of their own, and 16 bits that nothing reads."""
    for low in (0, 1):
        data = struct.pack("<2I", 0x12550000 | low, 0xB7000001)
        stored = StoredCode(data, 14)
        assert stored.has_residue == (decode(data, 14).residue is not None) == bool(low)
        check(stored.rows(0, 2), decode(data, 14))


def test_neighbours_are_decoded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries one after another decode a block of rows; one alone decodes its own rows only."""
    stored = StoredCode(blob(20_000), 17)
    sizes: list[int] = []

    def counting(words: Any, starts: Any, *given: Any) -> Columns:
        sizes.append(len(starts))
        return columns_at(words, starts, *given)

    monkeypatch.setattr(stored_code, "columns_at", counting)
    for start in range(0, 16_000, 40):
        stored.rows(start, start + 40)
    assert len(sizes) <= 8 and sum(sizes) <= 20_600
    sizes.clear()
    for start in (19_000, 40, 12_345):
        stored.rows(start, start + 50)
    assert sizes == [50, 50, 50]


def test_all_columns_are_made_once_while_something_has_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored = StoredCode(blob(100), 17)
    first = stored.all()
    assert stored.all().operand is first.operand
    value = first.value
    monkeypatch.setattr(stored_code, "columns_at", None)
    assert stored.all().value is value
    del first
    gc.collect()
    with pytest.raises(TypeError):  # they are made again
        stored.all()


def test_what_all_code_shows_is_found_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of chains, references to assets, and booleans that an instruction combines."""
    plain = StoredCode(blob(1_000), 17)
    assert not plain.has_references and not plain.combines
    whole = decode(blob(1_000), 17)
    rows, words = plain.chained()
    assert np.array_equal(rows, np.flatnonzero(is_chained(whole))) and len(rows)
    assert np.array_equal(words, whole.operand[rows])
    again = plain.chained()  # they were not kept
    assert np.array_equal(rows, again[0]) and np.array_equal(words, again[1])
    pushref, both = struct.pack("<2I", 0xFF02FFF5, 5), struct.pack("<I", 0x0E440000)
    assert StoredCode(blob(9) + pushref, 17).has_references
    assert StoredCode(blob(9) + both, 17).combines
    sizes: list[int] = []

    def counting(words: Any, starts: Any, *given: Any) -> Columns:
        sizes.append(len(starts))
        return columns_at(words, starts, *given)

    monkeypatch.setattr(stored_code, "columns_at", counting)
    StoredCode(blob(1_000), 17).chained()
    assert sum(sizes) == 1_000


def test_what_the_first_of_several_parts_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """References, combined booleans and bits that nothing reads; later parts have none."""
    monkeypatch.setattr(stored_code, "_AT_ONCE", 7)
    for words in ((0xFF02FFF5, 5), (0x0E440000,), *ODD):
        data = struct.pack(f"<{len(words)}I", *words) + blob(30)
        whole, stored = decode(data, 17), StoredCode(data, 17)
        assert stored.has_references == (len(words) == 2)
        assert stored.combines == (words == (0x0E440000,))
        assert stored.has_residue == (whole.residue is not None) == isinstance(words, list)
        rows, _ = stored.chained()
        assert np.array_equal(rows, np.flatnonzero(is_chained(whole)))
        first = stored.all()
        check(first, whole)
        check(stored.all(), whole)  # as long as something has the first ones


def test_what_is_not_an_instruction_is_refused() -> None:
    with pytest.raises(FormatError) as wrong:
        StoredCode(struct.pack("<2I", 0x840F0001, 0), 17)
    assert wrong.value.offset == 4
    with pytest.raises(FormatError):
        StoredCode(b"abc", 17)
    check(StoredCode(b"", 17).all(), decode(b"", 17))
