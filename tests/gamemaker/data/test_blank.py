"""New games, as packing a folder without an original starts from them."""

from __future__ import annotations

import pytest

from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.blank import blank_game


@pytest.mark.parametrize("version", ["1.0.0.1307", "1.4.0.1773", "2.0.6", "2.3.2", "2024.14"])
def test_a_game_may_lack_any_chunk_but_the_two_that_all_need(version: str) -> None:
    settings = {"kind": "gamemaker-data", "version": version}
    names = list(blank_game(settings).chunks)
    for name in set(names) - {"GEN8", "STRG"}:
        left = [each for each in names if each != name]
        made = blank_game({**settings, "chunks": left})
        assert list(GameData.from_bytes(made.to_bytes()).chunks) == left
