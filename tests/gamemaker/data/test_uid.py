"""The UID block of GEN8: made from its inputs, kept while they stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks.gen8 import SeededRandom, earlier_of, inputs_of_uid, make_uid
from overhaul.gamemaker.data.game import GameData
from present import opened
from real_files import corpus_files, sample

GAMES = sample(corpus_files("datawin*/*.win"), 12, seed=2)


@pytest.mark.parametrize(
    ("seed", "numbers"),
    [
        (0, [1559595546, 1755192844, 1649316166, 1198642031]),
        (42, [1434747710, 302596119, 269548474]),
        (1700000000, [1820570548, 1547105294, 1245353318, 1188456677]),
    ],
)
def test_the_generator_is_dotnets(seed: int, numbers: list[int]) -> None:
    random = SeededRandom(seed)
    assert [random.next() for _ in numbers] == numbers


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_real_games_have_the_block_the_rule_gives(path: Path) -> None:
    game = opened(path, GameData)
    general = game.general
    if general.major < 2:
        return
    assert earlier_of(general.uid, inputs_of_uid(general)) is not None
    before = general.uid
    general.window_width += 16
    again = opened(game.to_bytes(), GameData)
    assert again.general.uid != before
    assert earlier_of(again.general.uid, inputs_of_uid(again.general)) is not None


@pytest.mark.parametrize("earlier", [1000, 0])
def test_the_block_follows_what_it_is_made_of(earlier: int) -> None:
    game = blank_game({"version": "2023.4"})
    general = game.general
    general.timestamp, general.game_id = 1_700_000_000, 4711
    general.window_width, general.window_height = 640, 480
    general.uid = make_uid(inputs_of_uid(general), earlier)
    general.uid_inputs = inputs_of_uid(general)
    read_game = GameData.from_bytes(game.to_bytes()).general
    assert read_game.uid == general.uid
    assert earlier_of(read_game.uid, inputs_of_uid(read_game)) == earlier
    game = GameData.from_bytes(game.to_bytes())
    game.general.window_width = 800
    read_game = GameData.from_bytes(game.to_bytes()).general
    assert read_game.uid == make_uid(inputs_of_uid(read_game), earlier) != general.uid


def test_a_block_of_another_kind_stays() -> None:
    game = blank_game({"version": "2023.4"})
    game.general.uid = bytes(range(1, 41))
    game = GameData.from_bytes(game.to_bytes())
    game.general.window_width += 16
    read_game = GameData.from_bytes(game.to_bytes()).general
    assert read_game.uid == bytes(range(1, 41))
    assert earlier_of(read_game.uid, inputs_of_uid(read_game)) is None
