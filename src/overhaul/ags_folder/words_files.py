"""The words of the editor in the files of game data that have no thing of their own."""

from __future__ import annotations

from typing import Final

from overhaul.ags_folder import words_game
from overhaul.ags_folder.shapes import Json, ListOf, Named, Object, Shape, Steps
from overhaul.ags_folder.words import property_definition
from overhaul.folder.jsonkit import expect_object

#: The version of GUIs that a new game has.
GUI_VERSION: Final = 119

_PLUGIN: Final = Object([Named("FileName", "name"), Named("Data", "data")])


class _Definitions(Shape):
    """The definitions of custom properties: of format 2, a list."""

    _list = ListOf(property_definition())

    def show(self, value: object) -> object:
        usual = {"format", "definitions"}
        if isinstance(value, dict) and value.keys() == usual and value["format"] == 2:
            return self._list.show(value["definitions"])
        return value

    def read(self, shown: object) -> object:
        if isinstance(shown, list):
            return {"format": 2, "definitions": self._list.read(shown)}
        return expect_object(shown)

    def place(self, steps: Steps) -> Steps:
        return self._list.place(steps[1:]) if steps[:1] == ["definitions"] else steps


_TABLES: Final[dict[str, Object]] = {
    "properties.json": Object([Named("PropertyDefinitions", "property_schema", _Definitions())]),
    "plugins.json": Object([Named("Plugins", "plugins", ListOf(_PLUGIN))]),
}
_NOTHING: Final = Object([])


def words_of(path: str, version: int) -> Object:
    """The words of a file."""
    if path == "game.json":
        return words_game.game(version)
    return _TABLES.get(path, _NOTHING)


__all__ = ["GUI_VERSION", "Json", "words_of"]
