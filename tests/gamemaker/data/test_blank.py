"""New games, as packing a folder without an original starts from them."""

from __future__ import annotations

import pytest

from overhaul.errors import FormatError
from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.blank import blank_game, settings_of


@pytest.mark.parametrize("version", ["1.0.0.1307", "1.4.0.1773", "2.0.6", "2.3.2", "2024.14"])
def test_a_game_may_lack_any_chunk_but_the_two_that_all_need(version: str) -> None:
    settings = {"kind": "gamemaker-data", "version": version}
    names = list(blank_game(settings).chunks)
    for name in set(names) - {"GEN8", "STRG"}:
        left = [item for item in names if item != name]
        made = blank_game({**settings, "chunks": left})
        assert list(GameData.from_bytes(made.to_bytes()).chunks) == left


@pytest.mark.parametrize(
    "version, alignment",
    [("1.0.0.1757", 1), ("1.4.0.1767", 1), ("1.4.0.9999", 16), ("2.2.5", 16), ("2024.14", 16)],
)
def test_chunks_are_aligned_as_in_the_release(version: str, alignment: int) -> None:
    game = blank_game({"version": version})
    assert game.alignment == alignment
    assert "chunk_alignment" not in settings_of(game)
    other = blank_game({"version": version, "chunk_alignment": 17 - alignment})
    assert settings_of(other)["chunk_alignment"] == 17 - alignment
    with pytest.raises(FormatError, match="chunk_alignment"):
        blank_game({"version": version, "chunk_alignment": 8})
