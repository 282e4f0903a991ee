"""The words of the editor for the settings of a game: see :mod:`overhaul.ags.folder.words`."""

from __future__ import annotations

from overhaul.ags.folder.words import defaults
from overhaul.ags.game.game import COUNTS
from overhaul.ags.game.records import GameSettings
from overhaul.ags.game.resources import SaveInformation
from overhaul.ags.marks import words
from overhaul.ags.shapes import Named, Object


def settings(version: int) -> Object:
    """The settings of a game."""
    names = (
        "name unique_id player_character total_score colour_depth resolution width height "
        "inventory_hot_sprite hot_dot_colour_16 hot_cross_colour_16 dialog_bullet options "
        "has_message"
    )
    quiet = defaults(GameSettings, version)
    for said in (*COUNTS, "extension_offset"):  # where they are there, they do not follow
        quiet.pop(said, None)
    return Object(words(version, names, GameSettings), quiet)


def game(version: int) -> Object:
    """What game.json has."""
    save = Object(words(version, "guid extension folder", SaveInformation))
    kept = ("version", "compiled_with", "capabilities")
    return Object(
        [
            *(Named(name, name) for name in kept),
            Named("Settings", "settings", settings(version)),
            Named("Saves", "save", save),
        ]
    )
