"""The files that GameMaker writes: games (`data`), their debug files, old projects, ds_map strings.

The functions that commands are made of are imported when they are first used.
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.document.rendering import HasPictures as HasPictures
    from overhaul.document.rendering import View as View
    from overhaul.document.rendering import picture_names as picture_names
    from overhaul.document.rendering import render as render
    from overhaul.gamemaker.data.game import GameData as GameData
    from overhaul.gamemaker.data.resources.characters import (
        letters_of_strings as letters_of_strings,
    )
    from overhaul.gamemaker.tiled.exporting import export_rooms as export_rooms
    from overhaul.gamemaker.tiled.importing import import_rooms as import_rooms
    from overhaul.media.characters import read_characters as read_characters

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.gamemaker.data.game": "GameData",
            "overhaul.document.rendering": "HasPictures View picture_names render",
            "overhaul.gamemaker.data.resources.characters": "letters_of_strings",
            "overhaul.gamemaker.tiled.exporting": "export_rooms",
            "overhaul.gamemaker.tiled.importing": "import_rooms",
            "overhaul.media.characters": "read_characters",
        },
    )
