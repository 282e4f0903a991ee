"""Mods that several files of tests share."""

from __future__ import annotations

import pytest

from lantern_edits import EDITS, GAME
from modded_games import changed
from overhaul import mods


@pytest.fixture(scope="session")
def made() -> dict[str, mods.Mod]:
    """A mod for each of the edits."""
    return {name: mods.make(GAME, changed(GAME, edits), name=name) for name, edits in EDITS.items()}
