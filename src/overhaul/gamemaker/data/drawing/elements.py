"""What a room is drawn with: each element knows its texture page items and draws itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from PIL import Image as pillow

from overhaul.gamemaker.data.drawing import nine_slice
from overhaul.gamemaker.data.drawing.pieces import Pieces
from overhaul.media import tilemap
from overhaul.media.canvas import RGBA, WHITE, Affine, Canvas, Transform
from overhaul.schema.record import short_repr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.gamemaker.data.chunks.bgnd import Background
    from overhaul.gamemaker.data.chunks.sprt import NineSlice
    from overhaul.gamemaker.data.pictures import Item, PageImages

#: how many pixels of a tile map are made at a time
_BAND = 1 << 22


class Element(Protocol):
    """Something that is drawn."""

    def items(self) -> Iterator[Item]:
        """The texture page items it shows."""

    def draw(self, canvas: Canvas, pieces: Pieces) -> None:
        """Draw it on a canvas."""


def painter(images: PageImages, drawn: Iterable[Element]) -> Callable[[Canvas], None]:
    """What draws elements on a canvas, one after the other; each picture is cut out once."""
    pieces = Pieces(images)
    elements = list(drawn)
    pieces.prepare(item for element in elements for item in element.items())

    def paint(canvas: Canvas) -> None:
        for element in elements:
            element.draw(canvas, pieces)

    return paint


@dataclass(slots=True)
class Fill:
    """A colour over everything."""

    __repr__ = short_repr
    colour: RGBA

    def items(self) -> Iterator[Item]:
        yield from ()

    def draw(self, canvas: Canvas, pieces: Pieces) -> None:
        canvas.fill(self.colour)


@dataclass(slots=True)
class Picture:
    """A picture, or with ``part`` (left, top, width, height) a rectangle of one; with ``cuts`` a
    nine-slice one, whose corners keep their size."""

    __repr__ = short_repr
    item: Item
    at: Transform | Affine
    colour: RGBA = WHITE
    part: tuple[int, int, int, int] | None = None
    cuts: NineSlice | None = None

    def items(self) -> Iterator[Item]:
        yield self.item

    def draw(self, canvas: Canvas, pieces: Pieces) -> None:
        at = self.at
        if self.cuts is not None and isinstance(at, Transform):
            sheet = pieces.sheet(self.item)
            made = None if sheet is None else nine_slice.made(sheet, self.cuts, at)
            if made is not None:
                canvas.draw(pillow.fromarray(made[0]), made[1], self.colour)
                return
        if self.part is None:
            piece = pieces.get(self.item)
        else:
            piece = pieces.part(self.item, *self.part)
        if piece is not None:
            at = at._replace(origin_x=at.origin_x - piece.x, origin_y=at.origin_y - piece.y)
            canvas.draw(piece.image, at, self.colour)


@dataclass(slots=True)
class Wallpaper:
    """A picture that repeats across, down or both ways, over everything."""

    __repr__ = short_repr
    item: Item
    at: Transform
    across: bool
    down: bool
    colour: RGBA = WHITE

    def items(self) -> Iterator[Item]:
        yield self.item

    def draw(self, canvas: Canvas, pieces: Pieces) -> None:
        sheet = pieces.sheet(self.item)
        if sheet is not None:
            canvas.tile(
                pillow.fromarray(sheet), self.at, self.colour, across=self.across, down=self.down
            )


@dataclass(slots=True)
class TileMap:
    """A map of tile words (rows, columns); tiles that are animated show their first frame."""

    __repr__ = short_repr
    words: NDArray[np.uint32]
    tiles: Background
    x: int
    y: int

    def items(self) -> Iterator[Item]:
        yield self.tiles.texture

    def draw(self, canvas: Canvas, pieces: Pieces) -> None:
        size = (self.tiles.tile_height, self.tiles.tile_width)
        sheet = pieces.sheet(self.tiles.texture)
        if sheet is None or 0 in size or not self.tiles.columns:
            return
        if size[0] > sheet.shape[0] or size[1] > sheet.shape[1]:
            return
        left, top, width, height = canvas.seen
        rows = _seen(self.words.shape[0], self.y, size[0], top, height)
        columns = _seen(self.words.shape[1], self.x, size[1], left, width)
        if not rows or not columns:
            return
        places = places_of(self.tiles)
        step = max(1, _BAND // (len(columns) * size[0] * size[1]))
        for start in range(rows.start, rows.stop, step):
            words = self.words[start : min(start + step, rows.stop), columns.start : columns.stop]
            if not (words & tilemap.INDEX_BITS).any():
                continue
            drawn = tilemap.draw(words, sheet, places, size)
            x, y = self.x + columns.start * size[1], self.y + start * size[0]
            canvas.draw(pillow.fromarray(drawn), Transform(x, y))


def _seen(count: int, start: int, size: int, first: int, length: int) -> range:
    """Which of ``count`` rows of a map, each of ``size`` pixels, are on the canvas."""
    low = max(0, (first - start) // size)
    high = min(count, math.ceil((first + length - start) / size))
    return range(low, high) if low < high else range(0)


def places_of(tiles: Background) -> NDArray[np.int64]:
    """Where each tile of a tile set is in its picture: rows of y, x; -1 where it is empty."""
    frames = max(1, tiles.frames_per_tile)
    shown = np.array(tiles.tile_ids[::frames], np.int64)[: tiles.tile_count]
    if not len(shown):
        shown = np.arange(min(tiles.tile_count, tilemap.INDEX_BITS + 1), dtype=np.int64)
    row, column = shown // tiles.columns, shown % tiles.columns
    border_x, border_y = tiles.output_border_x, tiles.output_border_y
    y = row * (tiles.tile_height + 2 * border_y) + border_y
    x = column * (tiles.tile_width + 2 * border_x) + border_x
    places = np.stack([y, x], axis=1)
    places[shown == 0] = -1
    return places
