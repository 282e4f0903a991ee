"""The tiles of a tile layer, as an array."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

import numpy as np

from overhaul.gamemaker.data.chunks.room import TileMap
from overhaul.media import tilemap

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from overhaul.gamemaker.data.chunks.room import TilesLayer


class TileArray(np.ndarray[tuple[int, ...], np.dtype[np.uint32]]):
    """The words of a tile layer: an array of (rows, columns), each a tile's number and its flags.

    ``tiles.index`` is the array of the tiles' numbers (0 is the empty tile), ``tiles.mirror``,
    ``tiles.flip`` and ``tiles.rotate`` are arrays of bool: left and right, top and bottom change
    places, then the tile is turned by 90 degrees clockwise.  All four can be assigned, whole or
    for a part: ``layer.tiles[2:4].index = 7``.  What is changed is changed in the layer.
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

    ``count`` is how many tiles its tile set has, if it has one.  Raises TypeError for what are no
    whole numbers, ValueError for another shape and for tiles that do not exist.
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
