"""The elements that a room is drawn with: sprites, texture page items, nine-slice pictures and
texts.

Lines of a text are broken at line ends and, where it wraps, at spaces.  Fonts of distance fields
(SDF) are not drawn: their pictures are not those of characters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image as pillow
from PIL.Image import Image

from overhaul.gamemaker.data.chunks.font import Font, Glyph
from overhaul.gamemaker.data.chunks.room import TextInstance
from overhaul.gamemaker.data.chunks.sprt import NineSlice, Sprite, SpriteType
from overhaul.gamemaker.data.chunks.txtr import Background
from overhaul.gamemaker.data.pictures import PageImages, PageItem, page_number
from overhaul.gamemaker.data.references import Reference
from overhaul.media import png, tilemap
from overhaul.media.canvas import RGBA, WHITE, Affine, Canvas, Transform
from overhaul.media.nine_slice import nine_slice_picture
from overhaul.media.pool import KEPT, Share
from overhaul.media.tile_drawing import draw_map
from overhaul.schema.record import short_repr


class Piece(NamedTuple):
    """The visible part of a picture, and where it is on the picture's canvas."""

    image: Image
    x: int
    y: int


class Pieces:
    """The visible parts of texture page items; those used last are kept.

    Several threads may ask at a time.
    """

    def __init__(self, pages_: PageImages) -> None:
        self.pages = pages_
        # with its item, whose identity is the key
        self._kept: Share[tuple[PageItem, Piece | None]] = Share()
        self._sheets: Share[tuple[PageItem, NDArray[np.uint8]]] = Share()

    def prepare(self, items: Iterable[PageItem]) -> None:
        """Cut out all of them, page by page, so that each page is decoded once."""
        unique = {id(item): item for item in items if item is not None}
        size = 0
        for item in sorted(unique.values(), key=page_number):
            size += _bytes(self.get(item))
            if size > KEPT.limit // 4:
                return

    def get(self, item: PageItem) -> Piece | None:
        """The piece of an item; None where it has no picture."""
        return self._made((id(item),), item, lambda: self._cut(item))

    def part(self, item: PageItem, left: int, top: int, width: int, height: int) -> Piece | None:
        """The piece of a rectangle of an item's canvas; None where nothing is visible there."""
        whole = self.get(item)
        if whole is None:
            return None

        def cut() -> Piece | None:
            x, y = max(left, whole.x), max(top, whole.y)
            right = min(left + width, whole.x + whole.image.width)
            bottom = min(top + height, whole.y + whole.image.height)
            if x >= right or y >= bottom:
                return None
            box = (x - whole.x, y - whole.y, right - whole.x, bottom - whole.y)
            return Piece(whole.image.crop(box), x - left, y - top)

        return self._made((id(item), left, top, width, height), item, cut)

    def sheet(self, item: PageItem) -> NDArray[np.uint8] | None:
        """The whole canvas of an item as (height, width, 4); None where it has no picture."""
        known = self._sheets.get(id(item))
        if known is not None:
            return known[1]
        made = self.pages.frame(item)
        if made is not None:
            self._sheets.put(id(item), (item, made), made.nbytes)
        return made

    def _made(
        self, key: tuple[object, ...], item: PageItem, make: Callable[[], Piece | None]
    ) -> Piece | None:
        known = self._kept.get(key)
        if known is not None:
            return known[1]
        piece = make()
        self._kept.put(key, (item, piece), _bytes(piece))
        return piece

    def _cut(self, item: PageItem) -> Piece | None:
        visible = self.pages.visible(item)
        if visible is None or not visible[0].size:
            return None
        return Piece(png.to_image(visible[0]), *visible[1:])


def _bytes(piece: Piece | None) -> int:
    return 200 if piece is None else 300 + 4 * piece.image.width * piece.image.height


class Element(Protocol):
    """Something that is drawn."""

    def items(self) -> Iterator[PageItem]:
        """The texture page items it shows."""

    def draw(self, canvas: Canvas, pieces: Pieces) -> None:
        """Draw it on a canvas."""


def painter(images: PageImages, drawn: Iterable[Element]) -> Callable[[Canvas], None]:
    """A function that draws elements on a canvas, one after the other; each picture is cut out
    once."""
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

    def items(self) -> Iterator[PageItem]:
        yield from ()

    def draw(self, canvas: Canvas, pieces: Pieces) -> None:
        canvas.fill(self.colour)


@dataclass(slots=True)
class DrawnPicture:
    """A picture, or with ``part`` (left, top, width, height) a rectangle of one; with ``cuts`` a
    nine-slice one, whose corners keep their size."""

    __repr__ = short_repr
    item: PageItem
    at: Transform | Affine
    colour: RGBA = WHITE
    part: tuple[int, int, int, int] | None = None
    cuts: NineSlice | None = None

    def items(self) -> Iterator[PageItem]:
        yield self.item

    def draw(self, canvas: Canvas, pieces: Pieces) -> None:
        at = self.at
        if self.cuts is not None and isinstance(at, Transform):
            sheet = pieces.sheet(self.item)
            made = None if sheet is None else nine_slice_picture(sheet, self.cuts, at)
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
    item: PageItem
    at: Transform
    across: bool
    down: bool
    colour: RGBA = WHITE

    def items(self) -> Iterator[PageItem]:
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

    def items(self) -> Iterator[PageItem]:
        yield self.tiles.texture

    def draw(self, canvas: Canvas, pieces: Pieces) -> None:
        size = (self.tiles.tile_height, self.tiles.tile_width)
        sheet = pieces.sheet(self.tiles.texture)
        if sheet is None or 0 in size or not self.tiles.columns:
            return
        if size[0] > sheet.shape[0] or size[1] > sheet.shape[1]:
            return
        draw_map(canvas, self.words, sheet, places_of(self.tiles), size, self.x, self.y)


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


#: a function that takes descriptions of what is not drawn
Report: TypeAlias = Callable[[str], None]

#: the sprites that are not made of pictures
_OTHERS = {
    SpriteType.SWF: "an SWF sprite",
    SpriteType.SPINE: "a Spine sprite",
    SpriteType.VECTOR: "a vector sprite",
}


def sprite_at(
    sprite: Sprite, frame: float, at: Transform | Affine, colour: RGBA, report: Report
) -> Iterator[DrawnPicture]:
    """A frame of a sprite, drawn as an instance of it is."""
    if sprite.sprite_type in _OTHERS:
        report(f"{_OTHERS[SpriteType(sprite.sprite_type)]} ({sprite.name})")
    item = frame_of(sprite, frame)
    if item is not None:
        cuts = sprite.nine_slice
        yield DrawnPicture(item, at, colour, cuts=cuts if cuts and cuts.enabled else None)


def frame_of(sprite: Sprite, frame: float) -> PageItem | None:
    """The texture page item of a frame, counted on from the first again after the last; None for
    a sprite without, and for sprites of vectors or skeletons."""
    if sprite.sprite_type != SpriteType.BITMAP or not sprite.textures or frame != frame:
        return None
    number = int(min(max(frame, -1e9), 1e9))
    item: PageItem | None = sprite.textures[number % len(sprite.textures)]
    return item


def rgba(colour: int) -> RGBA:
    """The parts of a stored colour, whose lowest byte is red and whose highest byte is alpha."""
    return colour & 255, colour >> 8 & 255, colour >> 16 & 255, colour >> 24 & 255


def target_of(reference: object) -> Any:
    """The target of a reference field; None without one."""
    return reference.target if isinstance(reference, Reference) else None


#: the most characters of a text that are drawn
_MOST = 1 << 14


class Layout:
    """The lines of a text in a font; sizes in pixels of the font.

    ``words`` are drawn in the place of those of ``text``.
    """

    def __init__(self, font: Font, text: TextInstance, words: str | None = None) -> None:
        self.glyphs: dict[int, Glyph] = {g.character: g for g in font.glyphs if g is not None}
        self.text = text
        highest = max((glyph.height for glyph in self.glyphs.values()), default=0)
        self.line_height: float = (font.line_height or highest) + text.line_spacing
        self.lines: list[str] = list(
            self._lines((str(text.text or "") if words is None else words)[:_MOST])
        )

    def width(self, line: str) -> float:
        """How wide a line is."""
        end = 0.0
        for glyph, x in self._along(line):
            end = x + glyph.shift + self.text.character_spacing
        return end

    def _along(self, line: str) -> Iterator[tuple[Glyph, float]]:
        """The characters of a line that the font has, and where each begins."""
        x, before = 0.0, 0
        for character in line:
            glyph = self.glyphs.get(ord(character))
            if glyph is not None:
                x += sum(k.amount for k in glyph.kerning if k is not None and k.other == before)
                yield glyph, x
                x += glyph.shift + self.text.character_spacing
                before = glyph.character

    def _lines(self, text: str) -> Iterator[str]:
        for paragraph in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
            if not self.text.wrap or self.text.frame_width <= 0:
                yield paragraph
                continue
            line = ""
            for word in paragraph.split(" "):
                longer = f"{line} {word}" if line else word
                if line and self.width(longer) > self.text.frame_width:
                    yield line
                    longer = word
                line = longer
            yield line

    def placed(self) -> Iterator[tuple[Glyph, float, float]]:
        """Each character, and where its upper left corner is in the frame of the text."""
        across, down = self.text.alignment & 255, self.text.alignment >> 8 & 255
        room = self.text.frame_height - len(self.lines) * self.line_height
        y = room * down / 2 if self.text.frame_height > 0 else 0.0
        for line in self.lines:
            left = self.text.frame_width - self.width(line) if self.text.frame_width > 0 else 0.0
            for glyph, x in self._along(line):
                yield glyph, left * across / 2 + x + glyph.offset, y
            y += self.line_height


def text_at(
    font: Font, text: TextInstance, x: float, y: float, colour: RGBA, report: Report
) -> Iterator[DrawnPicture]:
    """The pictures of the characters of a text, for the offset of its layer."""
    if font.sdf_spread:
        report(f"a text in the font of distance fields {font.name}")
    if font.texture is None or font.sdf_spread:
        return
    for glyph, left, top in Layout(font, text).placed():
        if not math.isfinite(left + top + text.origin_x + text.origin_y):
            return
        if glyph.width and glyph.height:
            at = Transform(
                text.x + x,
                text.y + y,
                text.origin_x - math.ceil(left - 0.5),
                text.origin_y - math.ceil(top - 0.5),
                text.scale_x,
                text.scale_y,
                text.rotation,
            )
            part = (glyph.x, glyph.y, glyph.width, glyph.height)
            yield DrawnPicture(font.texture, at, colour, part)
