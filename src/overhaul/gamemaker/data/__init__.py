"""data.win and its relatives: every chunk of GameMaker: Studio 1.x to GameMaker 2024.x."""

from __future__ import annotations

from .game import GameData

__all__ = ["GameData"]
