"""The instructions of entries as rows of those of the game."""

from __future__ import annotations

import numpy as np
import pytest

import overhaul
from modded_games import lantern
from overhaul.gamemaker.data.chunks.bytecode import Bytecode, join
from overhaul.gamemaker.data.code.remembered import digest_of
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.vm.columns import Columns
from overhaul.gml.vm.linking import concatenate

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


def test_what_is_known_of_code_depends_on_changed_rows() -> None:
    game = opened("gms1")
    before = digest_of(game)
    columns = next(code for code in codes_of(game) if len(code) > 3).columns
    columns.value = columns.value.copy()
    assert digest_of(game) == before
    columns.value[0] += 1
    assert digest_of(game) != before
