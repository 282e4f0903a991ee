"""Game data (game28.dta, ac2game.dta): everything of a game but rooms, sprites and sounds."""

from __future__ import annotations

from overhaul.ags.game.game import Game

__all__ = ["Game"]
