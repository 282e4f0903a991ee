"""One run of packing as the kinds of files see it: the game, the folder, and reports."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from overhaul.document.names import FileNames
from overhaul.document.plainfiles import Change, Folder
from overhaul.document.registry import load
from overhaul.errors import OverhaulError
from overhaul.folder.edits import Edits
from overhaul.folder.json_fields import in_file
from overhaul.gamemaker.data.chunks.room import Room
from overhaul.gamemaker.data.chunks.txtr import TexturePageItem
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.painting import ImageEdits
from overhaul.gamemaker.data.pictures import PageImages
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.room_rules import FIRST_INSTANCE, FIRST_TILE
from overhaul.gamemaker.data_folder.names import ReferenceNames
from overhaul.media import png

if TYPE_CHECKING:
    from overhaul.folder.ahead import Ahead

#: numbers of slots, with the references that follow them, by texture group and field
Nameless: TypeAlias = "dict[str, dict[str, list[tuple[int, Reference[object]]]]]"
#: the value made of a file: something small, and pixels or nothing
Made: TypeAlias = "tuple[object, NDArray[np.uint8] | None]"
#: makes something of the bytes of a file, and of what else it is given
Maker: TypeAlias = Callable[..., Made]
#: how a file is read: by what, its path, and what else that is given
Making: TypeAlias = tuple[Maker, str, tuple[object, ...]]


def pixels_of(data: bytes) -> Made:
    """The pixels of a PNG file.  Raises FormatError."""
    return None, png.decode(data)


class GameEdits(Edits):
    """The state of one run of packing: the game and the folder.

    ``fresh`` says that the game is made from the folder only.
    """

    def __init__(self, game: GameData, folder: Folder, changes: Mapping[str, Change]) -> None:
        super().__init__(folder, changes)
        self.game = game
        self.fresh: bool = len(game.data) == 0
        self.names: ReferenceNames = ReferenceNames(game)
        self.images: PageImages = PageImages()
        self.painting: ImageEdits = ImageEdits(game, self.images)
        #: what the picture of a path (without its ending) showed, by textures.json; for new games
        self.items: dict[str, TexturePageItem] = {}
        #: the slots without a name that texture groups listed before the edit
        self.nameless: Nameless = {}
        #: the ids of these items
        self.known_items: set[int] = set()
        self._ahead: Ahead[Making] | None = None

    @cached_property
    def _by_folder(self) -> dict[str, list[str]]:
        """The paths of the files of each folder."""
        folders: dict[str, list[str]] = {}
        for path in self.present:
            folders.setdefault(path.rpartition("/")[0], []).append(path)
        return folders

    @cached_property
    def room_ids(self) -> RoomIds:
        """The ids in all rooms, as edited files say."""
        edited = [path for path in self.changes if path.endswith(".json") and self.edited(path)]
        return RoomIds(self.game, edited, self.json)

    def picture(self, path: str) -> NDArray[np.uint8]:
        """The pixels of a PNG file of the folder.  Raises WorkspaceError."""
        with in_file(path):
            pixels = self.made(pixels_of, path)[1]
            assert pixels is not None
            return pixels

    def made(self, make: Maker, path: str, *arguments: object) -> Made:
        """``make(data, *arguments)`` of a file, where another process has not done it already."""
        data = self.bytes(path)
        if self._ahead is not None and path not in self.replaced:
            made = self._ahead.take((make, path, arguments))
            if made is not None:
                said, shape = cast("tuple[object, tuple[int, ...] | None]", made[0])
                if shape is None:
                    return said, None
                return said, np.frombuffer(made[1], np.uint8).reshape(shape).copy()
        return make(data, *arguments)

    def expect(self, files: Iterable[Making]) -> None:
        """These files are read next, in about this order: other processes may begin."""
        if self.options.jobs > 1:
            if self._ahead is None:
                made: type[Ahead[Making]] = load("overhaul.folder.ahead:Ahead")
                self._ahead = made(partial(_make, self.folder.read), self.options.jobs)
            self._ahead.expect(self._expected(files))

    def _expected(self, files: Iterable[Making]) -> Iterator[tuple[Making, Making, int]]:
        for making in files:
            path = making[1]
            try:
                width, height = png.size(self.folder.read(path))
            except OverhaulError:  # reported when it is asked for
                continue
            yield making, making, 4 * width * height

    def end_processes(self) -> None:
        """End what reads files ahead."""
        if self._ahead is not None:
            self._ahead.close()

    def numbered(self, folder: str, prefix: str = "") -> dict[int, str]:
        """The files ``PREFIXnumber.png`` of a folder, by number."""
        listed = {}
        for path in self._by_folder.get(folder, ()):
            name = path.rpartition("/")[2]
            if name.startswith(prefix) and name.endswith(".png"):
                number = name[len(prefix) : -4]
                if number.isascii() and number.isdigit() and len(number) < 7:
                    listed[int(number)] = path
        return dict(sorted(listed.items()))


def _make(
    read: Callable[[str], bytes], making: Making
) -> tuple[tuple[object, tuple[int, ...] | None], memoryview | None]:
    """The pixels of a file, with their shape."""
    make, path, arguments = making
    said, pixels = make(read(path), *arguments)
    return ((said, None), None) if pixels is None else ((said, pixels.shape), pixels.data)


FOLDER = "rooms"
#: the keys of a room's JSON whose elements have ids
KINDS = ("instances", "tiles", "layers")


class RoomIds:
    """The ids of a game's rooms, with the JSON files of the rooms that have each.

    ``edited`` are the JSON files that count as they are now, ``read`` gives their values.
    """

    def __init__(
        self, game: GameData, edited: Iterable[str], read: Callable[[str], object]
    ) -> None:
        self._game = game
        #: by kind: the rooms that have an id
        self.rooms: dict[str, dict[int, list[str]]] = {kind: {} for kind in KINDS}
        #: the ids that rooms have rightly: those that they had before, and those they were given
        self._owned: dict[str, dict[int, set[str]]] = {kind: {} for kind in KINDS}
        paths = {path for path in edited if path.startswith(f"{FOLDER}/")}
        stems = FileNames()
        before: dict[str, dict[str, list[int]]] = {}
        for record in game.records.rooms.present():
            path = f"{FOLDER}/{stems(str(record.name))}.json"
            before[path] = ids_of(record)
            if path not in paths:
                self.add(path, before[path])
        for path in sorted(paths):
            plain = read(path)
            if isinstance(plain, dict):
                self.add(path, {kind: ids_in(plain.get(kind)) for kind in KINDS})
        for kind, rooms in self.rooms.items():
            for path, ids in before.items():
                for number in ids[kind]:
                    if path in rooms.get(number, ()):
                        self._owned[kind].setdefault(number, set()).add(path)
        self._following = {kind: max(rooms, default=-1) + 1 for kind, rooms in self.rooms.items()}

    def add(self, path: str, ids: dict[str, list[int]]) -> None:
        """Enter the ids of a room."""
        for kind, numbers in ids.items():
            known = self.rooms[kind]
            for number in numbers:
                paths = known.setdefault(number, [])
                if path not in paths:
                    paths.append(path)

    def own(self, kind: str, path: str, ids: Iterable[int], old: Collection[int]) -> dict[int, int]:
        """New ids for those of a room that another one has, by the old ones.

        ``old`` are the ids that the room had before, which stay.
        """
        owned = self._owned[kind]
        given: dict[int, int] = {}
        for number in ids:
            owners = owned.setdefault(number, set())
            if number not in old and owners - {path}:
                given[number] = self._next(kind)
                self.rooms[kind][number].remove(path)
                owned.setdefault(given[number], set()).add(path)
            else:
                owners.add(path)
        return given

    def _next(self, kind: str) -> int:
        """An unused id."""
        general = self._game.general
        following = self._following[kind]
        if kind == "instances":
            following = max(following, FIRST_INSTANCE, general.last_object_id)
            general.last_object_id = following + 1
        elif kind == "tiles":
            following = max(following, FIRST_TILE, general.last_tile_id)
            general.last_tile_id = following + 1
        self._following[kind] = following + 1
        return following


def ids_of(room: Room) -> dict[str, list[int]]:
    """The ids that a room has, by kind."""
    return {
        "instances": [instance.id for instance in room.instances],
        "tiles": [tile.id for tile in room.tiles or ()],
        "layers": [layer.id for layer in room.layers or ()],
    }


def ids_in(plain: object) -> list[int]:
    """The ids in a list of a room's JSON."""
    items = plain if isinstance(plain, list) else []
    ids = (item.get("id") for item in items if isinstance(item, dict))
    return [number for number in ids if isinstance(number, int)]
