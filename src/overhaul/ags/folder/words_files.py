"""The words of the editor in the files of game data that have no thing of their own."""

from __future__ import annotations

from typing import Final

from overhaul.ags.folder import words_game
from overhaul.ags.folder.words import OfFormat, property_definition
from overhaul.ags.game.resources import Plugin
from overhaul.ags.marks import words
from overhaul.ags.shapes import Json, ListOf, Named, Object

#: The version of GUIs that a new game has.
GUI_VERSION: Final = 119

_PLUGIN: Final = Object(words(0, "name data", Plugin))

_DEFINITIONS: Final = OfFormat("definitions", property_definition())
_TABLES: Final[dict[str, Object]] = {
    "properties.json": Object([Named("PropertyDefinitions", "property_schema", _DEFINITIONS)]),
    "plugins.json": Object([Named("Plugins", "plugins", ListOf(_PLUGIN))]),
}
_NOTHING: Final = Object([])


def words_of(path: str, version: int) -> Object:
    """The words of a file."""
    if path == "game.json":
        return words_game.game(version)
    return _TABLES.get(path, _NOTHING)


__all__ = ["GUI_VERSION", "Json", "words_of"]
