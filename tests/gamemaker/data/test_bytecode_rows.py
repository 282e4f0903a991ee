"""The instructions of entries as rows of those of the game."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import overhaul
from modded_games import lantern
from overhaul.gamemaker.data.chunks import bytecode
from overhaul.gamemaker.data.chunks.bytecode import Bytecode, join
from overhaul.gamemaker.data.code.context import own_names
from overhaul.gamemaker.data.code.index import CodeIndex
from overhaul.gamemaker.data.code.remembered import digest_of
from overhaul.gamemaker.data.code.roots_by_name import RootsByName
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.vm import stored_code
from overhaul.gml.vm.columns import Columns
from overhaul.gml.vm.linking import concatenate
from overhaul.gml.vm.stored_code import StoredCode

NAMES = ("offset", "opcode", "type1", "type2", "value", "operand", "size")


def opened(edition: str = "current") -> GameData:
    game = overhaul.open(lantern(edition))
    assert isinstance(game, GameData)
    return game


def codes_of(game: GameData) -> list[Bytecode]:
    return [entry.bytecode for entry in game.records.code if entry and entry.root is None]


def one_by_one(codes: list[Bytecode]) -> tuple[Columns, list[int]]:
    columns = concatenate([code.columns for code in codes])
    return columns, np.concatenate([code.record for code in codes]).tolist()


def check(codes: list[Bytecode]) -> None:
    joined = join(codes)
    columns, record = one_by_one(codes)
    for name in NAMES:
        assert getattr(joined.columns, name).tolist() == getattr(columns, name).tolist(), name
    assert joined.record.tolist() == record
    assert len(joined) == sum(map(len, codes))
    assert joined.size == sum(code.size for code in codes)


@pytest.mark.parametrize("edition", ["current", "gms1"])
def test_neighbours_are_joined_as_any_others(edition: str) -> None:
    codes = codes_of(opened(edition))
    assert len(codes) > 10
    for chosen in (codes, codes[3:], codes[::2], codes[::-1], [codes[4], codes[4]], codes[7:8]):
        check(codes_of(opened(edition))[:5])
        check(chosen)
    assert len(join([])) == 0


def test_sizes_are_known_without_columns() -> None:
    game, other = opened(), opened()
    for one, two in zip(codes_of(game), codes_of(other), strict=True):
        columns = two.columns
        assert (len(one), one.size) == (len(columns), 4 * int(columns.size.sum()))
        assert not one.has_residue


def test_what_changed_is_no_longer_a_part_of_the_whole() -> None:
    codes = codes_of(opened())
    changed = codes[5].columns
    changed.operand = changed.operand + 1
    codes[7].record = codes[7].record.copy()
    codes[7].record[:] = 3
    check(codes)
    assert join(codes).columns.operand[len(join(codes[:5]))] == changed.operand[0]
    assert join(codes).record[len(join(codes[:7]))] == 3


def test_bits_that_nothing_reads_are_a_column_that_can_be_replaced() -> None:
    """Code with a comparison that has one."""
    stored = StoredCode(struct.pack("<4I", *[0x15520103, 0x15520100] * 2), 17)
    whole = Bytecode.of(stored)
    part = whole.rows(1, 3, 8)
    assert part.place() == (whole, 1, 3)
    assert part.columns.residue is not None and part.place() == (whole, 1, 3)
    part.columns.residue = part.columns.residue.copy()
    assert part.place() is None


def test_parts_are_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all code, of some of it, and of what stands alone."""
    monkeypatch.setattr(bytecode, "_AT_ONCE", 4)
    codes = codes_of(opened())
    whole = next(place[0] for code in codes if (place := code.place()) is not None)
    for stored in (True, False):
        if not stored:
            whole = Bytecode(whole.columns, whole.record)
        assert (whole.stored is not None) == stored
        assert whole.may_refer or stored
        for code in (whole, whole.rows(7, 30, 99), whole.rows(5, 6, 4)):
            starts = [start for start, _ in code.parts()]
            assert starts == list(range(0, len(code), 4))
            made = concatenate([part for _, part in code.parts()])
            for name in NAMES[1:]:
                wanted = getattr(code.columns, name).tolist()
                assert getattr(made, name).tolist() == wanted, name


def test_all_code_is_looked_at_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What code is read by names, and what names are read plainly, does not depend on them."""

    def found() -> list[object]:
        game = opened()
        language = game.language
        index = CodeIndex(game)
        names = RootsByName(game, language.context, index)
        words = sorted({str(text) for text in game.strings})
        return [
            [sorted(names.saying(word)) for word in words],
            names.fractions,
            names.dividing,
            own_names(game, language.context, set(words)),
        ]

    whole = found()
    for module in (bytecode, stored_code):
        monkeypatch.setattr(module, "_AT_ONCE", 5)
    assert found() == whole


def test_what_is_known_of_code_depends_on_changed_rows() -> None:
    game = opened("gms1")
    before = digest_of(game)
    columns = next(code for code in codes_of(game) if len(code) > 3).columns
    columns.value = columns.value.copy()
    assert digest_of(game) == before
    columns.value[0] += 1
    assert digest_of(game) != before
