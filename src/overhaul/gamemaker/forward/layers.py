"""The tiles of a room of Studio 1 on layers, so that each is drawn over the same others.

A layer of tiles has one tile set and one tile in each cell; what does not lie on the grid of its
background stays a part of a picture, on a layer of assets.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.gamemaker.forward.modern_assets import Sheet

#: Places are compared on a raster of so many pixels.
_RASTER: Final = 8
_MOST_CELLS: Final = 1 << 22
#: A depth with more layers of tiles than these has one layer of parts of pictures.
_MOST_LAYERS: Final = 24
_WHITE: Final = 0xFFFFFFFF


@dataclass(frozen=True)
class Tile:
    """A tile of a room: its background by the new name, its places and sizes."""

    background: str
    x: int
    y: int
    width: int
    height: int
    left: int
    top: int
    depth: int
    scale_x: float
    scale_y: float
    colour: int
    name: str


@dataclass
class TileLayer:
    """A layer: of tiles of ``sheet``, or without one of parts of pictures.

    ``depth`` is that of the tiles, ``shown_depth`` its own.
    """

    depth: int
    sheet: Sheet | None
    phase: tuple[int, int]
    tiles: list[Tile] = field(default_factory=list)
    cells: dict[tuple[int, int], int] = field(default_factory=dict)
    shown_depth: int = 0

    def words(self) -> tuple[tuple[int, int], NDArray[np.uint32]]:
        """Where the layer begins, and the numbers of its tiles by rows and columns."""
        assert self.sheet is not None
        columns = [column for column, _ in self.cells]
        lines = [line for _, line in self.cells]
        first, top = min(columns), min(lines)
        made = np.zeros((max(lines) - top + 1, max(columns) - first + 1), np.uint32)
        for (column, line), number in self.cells.items():
            made[line - top, column - first] = number
        wide, high = self.sheet.size
        return (self.phase[0] + first * wide, self.phase[1] + top * high), made


class _Stack:
    """The layers of a depth on their way, the first behind the others."""

    def __init__(self, depth: int, sheets: Mapping[str, Sheet]) -> None:
        self.depth = depth
        self.sheets = sheets
        self.layers: list[TileLayer] = []
        #: the number of the last layer at each place of the raster
        self._last: dict[tuple[int, int], int] = {}

    def add(self, tile: Tile) -> None:
        """Put a tile on the first layer that is not behind what the tile covers."""
        places = _raster(tile)
        lowest = max((self._last.get(place, 0) for place in places), default=0)
        sheet, number = self._numbered(tile)
        for index in range(lowest, len(self.layers)):
            if self._put(self.layers[index], tile, sheet, number):
                break
        else:
            phase = (0, 0) if sheet is None else (tile.x % sheet.size[0], tile.y % sheet.size[1])
            self.layers.append(TileLayer(self.depth, sheet, phase))
            index = len(self.layers) - 1
            self._put(self.layers[index], tile, sheet, number)
        for place in places:
            self._last[place] = index

    def _numbered(self, tile: Tile) -> tuple[Sheet | None, int]:
        """The tile set of a tile, and its number there; none for a part of a picture."""
        sheet = self.sheets.get(tile.background)
        is_plain = tile.scale_x == tile.scale_y == 1 and tile.colour == _WHITE
        if sheet is None or not is_plain:
            return None, 0
        number = sheet.tile(tile.left, tile.top, tile.width, tile.height)
        return (None, 0) if number is None else (sheet, number)

    def _put(self, layer: TileLayer, tile: Tile, sheet: Sheet | None, number: int) -> bool:
        """Put a tile on a layer if that is of its kind, and has a place for it."""
        if layer.sheet is not sheet:
            return False
        if sheet is not None:
            wide, high = sheet.size
            if (tile.x % wide, tile.y % high) != layer.phase:
                return False
            cell = (tile.x - layer.phase[0]) // wide, (tile.y - layer.phase[1]) // high
            if cell in layer.cells:
                return False
            layer.cells[cell] = number
        layer.tiles.append(tile)
        return True


def _raster(tile: Tile) -> list[tuple[int, int]]:
    """The places of the raster that a tile covers, as large as the graphic that is made of it."""
    wide, high = tile.width * tile.scale_x, tile.height * tile.scale_y
    left, right = sorted((tile.x, tile.x + round(wide)))
    top, bottom = sorted((tile.y, tile.y + round(high)))
    if (right - left) * (bottom - top) > _RASTER * _RASTER * _MOST_CELLS:
        right, bottom = left + 1, top + 1
    return [
        (column, line)
        for column in range(left // _RASTER, -(-max(right, left + 1) // _RASTER))
        for line in range(top // _RASTER, -(-max(bottom, top + 1) // _RASTER))
    ]


def layers_of(
    tiles: Iterable[Tile], sheets: Mapping[str, Sheet], others: Collection[int]
) -> list[TileLayer]:
    """The layers of the tiles of a room, the first behind all others.

    Tiles are in front of those of the same depth that come before them, and behind instances of
    that; ``others`` are the depths that instances have.  So of several layers of a depth each has a
    depth of its own, up to the next that something has.  Where these do not suffice, one layer has
    all as parts of pictures.
    """
    by_depth: dict[int, list[Tile]] = {}
    for tile in tiles:
        by_depth.setdefault(tile.depth, []).append(tile)
    known = sorted({*by_depth, *others})
    made: list[TileLayer] = []
    for depth in sorted(by_depth, reverse=True):
        stack = _Stack(depth, sheets)
        for tile in by_depth[depth]:
            stack.add(tile)
        found = stack.layers
        after = bisect_right(known, depth)
        first = depth + (depth in others)
        room = known[after] - first if after < len(known) else len(found)
        if len(found) > min(room, _MOST_LAYERS) or any(map(_is_huge, found)):
            found = [TileLayer(depth, None, (0, 0), by_depth[depth])]
        for number, layer in enumerate(reversed(found)):
            layer.shown_depth = first + number if room > 0 else depth
        made += found
    return made


def _is_huge(layer: TileLayer) -> bool:
    """Whether tiles are so far apart that a map of them would have too many cells."""
    if layer.sheet is None or not layer.cells:
        return False
    columns = [column for column, _ in layer.cells]
    lines = [line for _, line in layer.cells]
    sides = max(columns) - min(columns) + 1, max(lines) - min(lines) + 1
    return sides[0] * sides[1] > _MOST_CELLS
