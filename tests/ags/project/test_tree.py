"""The files of a game's tree that its project is made of."""

from __future__ import annotations

import pytest

import ags_games
from overhaul.ags.project.tree import GameTree
from overhaul.document.reading import open_data
from overhaul.errors import FormatError


def test_a_file_that_each_game_has_is_not_left_out_silently() -> None:
    tree = GameTree(open_data(ags_games.package(), source="game.ags"))
    assert "compiled_with" in tree.json("game.json")
    with pytest.raises(FormatError, match=r"the game has no nothing\.json"):
        tree.json("nothing.json")
    assert tree.later_json("nothing.json") == {}
    assert "Plugins" in tree.later_json("plugins.json")
