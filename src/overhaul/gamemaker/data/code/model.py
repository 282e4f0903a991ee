"""A game with the language tools at work on it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from overhaul.gamemaker.data.model import GameModel

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.language import Language


class CodeModel(GameModel):
    """The chunks of a game, and the tools that read and write its code."""

    @cached_property
    def language(self) -> Language:
        """The language tools at work on this game."""
        # start-up: opening a game and telling what it is need no language tools
        from overhaul.gamemaker.data.code.language import Language

        return Language(self)
