"""The views and backgrounds of rooms, their single tiles and tile maps."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overhaul.gamemaker.data.chunks.room import Room as RoomRecord
from overhaul.gamemaker.data.chunks.room import RoomBackground as RoomBackgroundRecord
from overhaul.gamemaker.data.chunks.room import Tile as TileRecord
from overhaul.gamemaker.data.chunks.room import TileMap, TilesLayer
from overhaul.gamemaker.data.chunks.room import View as ViewRecord
from overhaul.gamemaker.data.resources.backgrounds import Background
from overhaul.gamemaker.data.resources.fields import Colour, Flag, Link, Number, Paint, Real
from overhaul.gamemaker.data.resources.objects import GameObject
from overhaul.gamemaker.data.resources.parts import Part, Parts
from overhaul.gamemaker.data.resources.sprites import Sprite
from overhaul.gamemaker.data.room_rules import new_tile_id
from overhaul.media import tilemap


class View(Part[RoomRecord, ViewRecord]):
    """A view of a room: the rectangle of the room it shows, and where it shows it."""

    __slots__ = ()

    enabled: Flag = Flag("whether it is shown")
    view_x: Number = Number("pixels of the room")
    view_y: Number = Number("pixels of the room")
    view_width: Number = Number("pixels of the room")
    view_height: Number = Number("pixels of the room")
    port_x: Number = Number("pixels of the window")
    port_y: Number = Number("pixels of the window")
    port_width: Number = Number("pixels of the window")
    port_height: Number = Number("pixels of the window")
    border_x: Number = Number("pixels around the object it follows")
    border_y: Number = Number("pixels around the object it follows")
    speed_x: Number = Number("pixels per step it follows with; -1 for at once")
    speed_y: Number = Number("pixels per step it follows with; -1 for at once")
    follow: Link[GameObject] = Link(GameObject, "the object it follows")

    def _about(self) -> str:
        state = "" if self.enabled else "disabled, "
        return f"{state}{self.view_width}×{self.view_height} at {self.view_x}, {self.view_y}"


class Views(Parts[View]):
    """The views of a room: always eight."""

    title = "view"
    part = View


class RoomBackground(Part[RoomRecord, RoomBackgroundRecord]):
    """A background of a room, before GameMaker 2."""

    __slots__ = ()

    enabled: Flag = Flag("whether it is drawn")
    foreground: Flag = Flag("whether it is drawn in front of everything")
    background: Link[Background] = Link(Background, "the picture")
    x: Number = Number("pixels")
    y: Number = Number("pixels")
    tile_x: Flag = Flag("whether it repeats across")
    tile_y: Flag = Flag("whether it repeats down")
    speed_x: Number = Number("pixels per step")
    speed_y: Number = Number("pixels per step")
    stretch: Flag = Flag("whether it is scaled to the size of the room")

    def _about(self) -> str:
        shown = self.background
        return f"{'' if self.enabled else 'disabled, '}{shown.name if shown else 'no picture'}"


class RoomBackgrounds(Parts[RoomBackground]):
    """The backgrounds of a room before GameMaker 2: always eight."""

    title = "background"
    part = RoomBackground


class Tile(Part[RoomRecord, TileRecord]):
    """A single tile: a rectangle of a background (before GameMaker 2) or of a sprite."""

    __slots__ = ()

    x: Number = Number("pixels")
    y: Number = Number("pixels")
    background: Link[Background] = Link(Background, "the picture, before GameMaker 2")
    sprite: Link[Sprite] = Link(Sprite, "the picture, from GameMaker 2 on")
    source_x: Number = Number("where the rectangle is in the picture")
    source_y: Number = Number("where the rectangle is in the picture")
    width: Number = Number("pixels")
    height: Number = Number("pixels")
    depth: Number = Number("greater is farther back; before GameMaker 2")
    id: Number = Number("the number code knows it by")
    scale_x: Real = Real()
    scale_y: Real = Real()
    colour: Paint = Paint("the colour it is blended with; white leaves it as it is")

    def _about(self) -> str:
        found = [
            resource.name for resource in (self.background, self.sprite) if resource is not None
        ]
        return f"{self.id} of {found[0] if found else 'nothing'} at {self.x}, {self.y}"


class Tiles(Parts[Tile]):
    """Single tiles, in the order of the file."""

    title = "tile"
    part = Tile

    def add(
        self,
        picture: Background | Sprite | str,
        x: int,
        y: int,
        *,
        source: tuple[int, int, int, int],
        depth: int = 0,
        scale: tuple[float, float] = (1.0, 1.0),
        colour: Colour | tuple[int, ...] | str = "#ffffff",
    ) -> Tile:
        """Add a tile: the rectangle ``source`` (x, y, width, height) of a picture.

        ``picture`` is a background before GameMaker 2, later a sprite.  Raises KeyError,
        ValueError or TypeError.
        """
        tile = self._over(TileRecord())
        setattr(tile, "background" if self.game.release.major < 2 else "sprite", picture)
        tile.x, tile.y, tile.depth = x, y, depth
        tile.source_x, tile.source_y, tile.width, tile.height = source
        tile.scale_x, tile.scale_y = scale
        tile.colour = colour
        tile.record.id = new_tile_id(self.game)
        self.records.append(tile.record)
        return tile

    def remove(self, tile: Tile) -> None:
        """Take a tile away.  Raises ValueError if it is not among these."""
        del self.records[self._place(tile)]


class TileArray(np.ndarray[tuple[int, ...], np.dtype[np.uint32]]):
    """The words of a tile layer: an array of (rows, columns), each a tile's number and its flags.

    ``tiles.index`` is the array of the tiles' numbers (0 is the empty tile), ``tiles.mirror``,
    ``tiles.flip`` and ``tiles.rotate`` are arrays of bool: left and right, top and bottom change
    places, then the tile is turned by 90 degrees clockwise. All four can be assigned, whole or
    for a part: ``layer.tiles[2:4].index = 7``. Changes are made in the layer.
    """

    if TYPE_CHECKING:

        def __getitem__(self, key: Any) -> Any:
            """A part is an array of tiles too, a single one a number."""

    @property
    def index(self) -> NDArray[np.uint32]:
        """The numbers of the tiles."""
        return np.asarray(self) & np.uint32(tilemap.INDEX_BITS)

    @index.setter
    def index(self, value: ArrayLike) -> None:
        numbers = np.asarray(value)
        if numbers.dtype.kind not in "iu":
            raise TypeError(f"index: expected whole numbers, got {numbers.dtype}")
        if numbers.size and not 0 <= numbers.min() <= numbers.max() <= tilemap.INDEX_BITS:
            raise ValueError(f"index: expected numbers from 0 to {tilemap.INDEX_BITS}")
        others = np.asarray(self) & np.uint32(~tilemap.INDEX_BITS & 0xFFFFFFFF)
        np.asarray(self)[...] = others | numbers.astype(np.uint32)

    def _bit(self, bit: int) -> NDArray[np.bool_]:
        return np.asarray(np.asarray(self) & np.uint32(bit), np.bool_)

    def _set_bit(self, bit: int, value: ArrayLike) -> None:
        words = np.asarray(self)
        words[...] = np.where(value, words | np.uint32(bit), words & np.uint32(~bit & 0xFFFFFFFF))

    @property
    def mirror(self) -> NDArray[np.bool_]:
        """Where left and right change places."""
        return self._bit(tilemap.MIRROR)

    @mirror.setter
    def mirror(self, value: ArrayLike) -> None:
        self._set_bit(tilemap.MIRROR, value)

    @property
    def flip(self) -> NDArray[np.bool_]:
        """Where top and bottom change places."""
        return self._bit(tilemap.FLIP)

    @flip.setter
    def flip(self, value: ArrayLike) -> None:
        self._set_bit(tilemap.FLIP, value)

    @property
    def rotate(self) -> NDArray[np.bool_]:
        """Where the tile is turned by 90 degrees, clockwise."""
        return self._bit(tilemap.ROTATE)

    @rotate.setter
    def rotate(self, value: ArrayLike) -> None:
        self._set_bit(tilemap.ROTATE, value)


def tiles_of(data: TilesLayer) -> TileArray:
    """The tiles of a layer, not copied: changing them changes the layer.

    Raises ValueError where they are not as many as the layer's size says.
    """
    if len(data.tiles) != data.width * data.height:
        raise ValueError(f"{len(data.tiles)} tiles in a map of {data.width} x {data.height}")
    if not isinstance(data.tiles, array) or data.tiles.typecode != "I":
        data.tiles = TileMap("I", data.tiles)
    words = np.frombuffer(data.tiles, np.uint32) if len(data.tiles) else np.zeros(0, np.uint32)
    return words.reshape(data.height, data.width).view(TileArray)


def set_tiles(data: TilesLayer, value: ArrayLike, count: int | None) -> None:
    """Replace the tiles of a layer by an array of (rows, columns), whose shape it takes.

    ``count`` is how many tiles its tile set has, if it has one. Raises TypeError for values
    other than whole numbers, ValueError for another shape and for tiles that do not exist.
    """
    words = np.asarray(value)
    if words.ndim != 2:
        raise ValueError(f"tiles: expected an array of (rows, columns), got {words.ndim} axes")
    if words.dtype.kind not in "iu":
        raise TypeError(f"tiles: expected whole numbers, got {words.dtype}")
    if words.size and not 0 <= words.min() <= words.max() <= 0xFFFFFFFF:
        raise ValueError("tiles: expected words of 32 bits without sign")
    numbers = words & tilemap.INDEX_BITS
    if count is not None and words.size and int(numbers.max()) >= max(1, count):
        row, column = np.argwhere(numbers >= max(1, count))[0]
        raise ValueError(
            f"tiles: there is no tile {numbers[row, column]} (row {row}, column {column}): "
            f"the tile set has {count}"
        )
    made = TileMap("I")
    made.frombytes(np.ascontiguousarray(words, np.uint32).tobytes())
    data.tiles = made
    data.height, data.width = words.shape
