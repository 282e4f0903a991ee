"""data.win and its relatives: every chunk of GameMaker: Studio 1.x to GameMaker 2024.x."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.gamemaker.data.game import GameData

if TYPE_CHECKING:
    from overhaul.gamemaker.data.audiogroup import AudioGroup

__all__ = ["AudioGroup", "GameData"]


def __getattr__(name: str) -> object:
    if name == "AudioGroup":
        # start-up: a game is opened without its audio groups
        from overhaul.gamemaker.data.audiogroup import AudioGroup

        return AudioGroup
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
