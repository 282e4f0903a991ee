"""One run of packing, as the kinds of files see it: the game, the folder, and what was found."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from overhaul.document.plainfiles import Change, Folder
from overhaul.folder.edits import Edits
from overhaul.folder.jsonkit import in_file
from overhaul.gamemaker.data.chunks.tpag import TexturePageItem
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.painting import ImageEdits
from overhaul.gamemaker.data.pictures import PageImages
from overhaul.gamemaker.data_folder.names import Names
from overhaul.gamemaker.data_folder.room_ids import RoomIds
from overhaul.media import png


class GameEdits(Edits):
    """What the kinds of files read from, and write to, while a folder is applied to a game.

    ``fresh`` says that the game is made from the folder alone.
    """

    def __init__(self, game: GameData, folder: Folder, changes: Mapping[str, Change]) -> None:
        super().__init__(folder, changes)
        self.game = game
        self.fresh: bool = len(game.data) == 0
        self.names: Names = Names(game)
        self.images: PageImages = PageImages()
        self.painting: ImageEdits = ImageEdits(game, self.images)
        #: what the picture of a path (without its ending) showed, by textures.json; for new games
        self.items: dict[str, TexturePageItem] = {}
        #: the ids of these items
        self.known_items: set[int] = set()
        self._by_folder: dict[str, list[str]] = {}
        for path in self.present:
            self._by_folder.setdefault(path.rpartition("/")[0], []).append(path)

    @cached_property
    def room_ids(self) -> RoomIds:
        """The ids in all rooms, as edited files say."""
        edited = [path for path in self.changes if path.endswith(".json") and self.edited(path)]
        return RoomIds(self.game, edited, self.json)

    def picture(self, path: str) -> NDArray[np.uint8]:
        """The pixels of a PNG file of the folder.  Raises WorkspaceError."""
        with in_file(path):
            return png.decode(self.bytes(path))

    def numbered(self, folder: str, prefix: str = "") -> dict[int, str]:
        """The files ``PREFIXnumber.png`` of a folder, by number."""
        found = {}
        for path in self._by_folder.get(folder, ()):
            name = path.rpartition("/")[2]
            if name.startswith(prefix) and name.endswith(".png"):
                number = name[len(prefix) : -4]
                if number.isascii() and number.isdigit() and len(number) < 7:
                    found[int(number)] = path
        return dict(sorted(found.items()))
