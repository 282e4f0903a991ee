"""Damaged games: an error of ours, or a project."""

from __future__ import annotations

import random

import pytest

import overhaul
from furnished import furnished
from overhaul.errors import OverhaulError
from overhaul.gamemaker.recovery import recover
from repeats import times


@pytest.mark.parametrize("edition", ["current", "gms1"])
def test_a_damaged_game_gives_an_error_or_a_project(edition: str) -> None:
    dice, whole = random.Random(3), furnished(edition)
    made = 0
    for _ in range(times(300, 10)):
        data = bytearray(whole)
        for _ in range(dice.choice([1, 1, 3])):
            data[dice.randrange(len(data))] = dice.choice([0, 255, dice.randrange(256)])
        try:
            with overhaul.open_game(bytes(data)) as game:
                for path, read in recover(game).files.items():
                    assert ".." not in path.split("/") and not path.startswith("/")
                    read()
        except OverhaulError:
            continue
        made += 1
    assert made > 10
