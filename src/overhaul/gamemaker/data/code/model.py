"""A game with the tools at work on its code and its sounds."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from overhaul.gamemaker.data.model import GameModel

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.language import Language
    from overhaul.gamemaker.data.sounds import AudioGroups


class CodeModel(GameModel):
    """The chunks of a game, and the tools that read and write its code and its sounds."""

    @cached_property
    def language(self) -> Language:
        """The language tools at work on this game."""
        # start-up: opening a game and telling what it is need no language tools
        from overhaul.gamemaker.data.code.language import Language

        return Language(self)

    @cached_property
    def audio_files(self) -> AudioGroups:
        """The sounds of the game and of the audio groups beside it."""
        from overhaul.gamemaker.data.sounds import AudioGroups  # start-up: records of sounds

        return AudioGroups(self)
