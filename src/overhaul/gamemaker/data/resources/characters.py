"""The characters of a game's strings."""

from __future__ import annotations

from overhaul.gamemaker.data.model import GameModel
from overhaul.media.typeface import LAST_CHARACTER


def letters_of_strings(game: GameModel) -> str:
    """The characters of all strings of a game that a font can have and that can be seen."""
    found = set("".join(map(str, game.strings)))
    return "".join(
        sorted(
            character
            for character in found
            if character.isprintable() and ord(character) <= LAST_CHARACTER
        )
    )
