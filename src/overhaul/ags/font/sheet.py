"""All letters of a font in one picture, a cell for each, and back.

The space around a letter has a colour of its own, so that the picture shows the width and height
of letters. A letter without width or height has no pixel to show the other side with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overhaul.ags.font.model import LARGEST, BitmapFont, Glyph, glyph_of
from overhaul.ags.images import open_png
from overhaul.ags.pictures import Pixels
from overhaul.errors import FormatError

#: r, g, b of the numbers in the picture: no pixel, a pixel, outside of the letter.
COLOURS: Final = bytes((0, 0, 0, 255, 255, 255, 255, 0, 255))
COLUMNS: Final = 16
_OUTSIDE: Final = 2
_UNKNOWN: Final = 255
#: The most pixels of a picture.
_MOST: Final = 1 << 26


@dataclass(frozen=True, slots=True)
class Sheet:
    """How letters are laid out: how many, in how many columns, and the size of a cell in pixels."""

    letters: int
    columns: int
    width: int
    height: int

    def __post_init__(self) -> None:
        if not 1 <= self.columns <= 0x10000 or not 0 <= self.letters <= 0x10000:
            raise FormatError("expected 1 to 65536 columns, and up to 65536 letters")
        if not 0 < self.width <= LARGEST or not 0 < self.height <= LARGEST:
            raise FormatError(f"expected a cell of 1 to {LARGEST} pixels")
        if self.size[0] * self.size[1] > _MOST:
            raise FormatError(f"the picture would have {self.size[0]} x {self.size[1]} pixels")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture."""
        rows = max(1, -(-self.letters // self.columns))
        return self.columns * self.width, rows * self.height

    def __str__(self) -> str:
        return (
            f"letters: {self.letters} in columns: {self.columns}, each of width: {self.width} and "
            f"height: {self.height}"
        )

    def cell(self, number: int) -> tuple[slice, slice]:
        """The rows and columns of a letter's cell."""
        row, column = divmod(number, self.columns)
        top, left = row * self.height, column * self.width
        return slice(top, top + self.height), slice(left, left + self.width)


def sheet_of(font: BitmapFont) -> Sheet:
    """The layout that shows all of a font's letters.  Raises FormatError if they are too large."""
    width = max((glyph.width for glyph in font.glyphs if glyph.height), default=1)
    height = max((glyph.height for glyph in font.glyphs if glyph.width), default=1)
    return Sheet(len(font.glyphs), COLUMNS, max(width, 1), max(height, 1))


def picture_of(font: BitmapFont, sheet: Sheet) -> Pixels:
    """The picture of a font's letters, indexed: the numbers of :data:`COLOURS`."""
    across, down = sheet.size
    pixels = np.full((down, across), _OUTSIDE, np.uint8)
    for number, glyph in enumerate(font.glyphs):
        cell = pixels[sheet.cell(number)]
        shown = glyph.pixels
        cell[: shown.shape[0], : shown.shape[1]] = shown
    return Pixels(across, down, 1, pixels.tobytes())


def read_picture(data: bytes, sheet: Sheet) -> list[NDArray[np.bool_]]:
    """The pixels of the letters in a PNG file; what is transparent is outside of letters.

    Raises FormatError for a broken file or one of another size, for a pixel of another colour,
    and for a letter that does not fill a rectangle at the top left of its cell.
    """
    image = open_png(data)
    if image.size != sheet.size:
        expected, got = (" x ".join(map(str, size)) for size in (sheet.size, image.size))
        raise FormatError(f"expected {expected} pixels ({sheet}), got {got}")
    pixels = _numbers(np.asarray(image.convert("RGBA")))
    cells = sheet.size[0] // sheet.width * (sheet.size[1] // sheet.height)
    for number in range(sheet.letters, cells):
        if (pixels[sheet.cell(number)] != _OUTSIDE).any():
            raise FormatError(f"there is a letter {number}, and letters: {sheet.letters}")
    return [_letter(pixels[sheet.cell(number)], number) for number in range(sheet.letters)]


def _numbers(shown: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The numbers of the colours of pixels (height, width, 4)."""
    numbers = np.full(shown.shape[:2], _UNKNOWN, np.uint8)
    for number, colour in enumerate(np.frombuffer(COLOURS, np.uint8).reshape(-1, 3)):
        numbers[(shown[..., :3] == colour).all(axis=-1)] = number
    numbers[shown[..., 3] == 0] = _OUTSIDE
    wrong = np.argwhere(numbers == _UNKNOWN)
    if len(wrong):
        y, x = wrong[0].tolist()
        raise FormatError(
            f"the pixel at {x}, {y} is #{bytes(shown[y, x, :3]).hex().upper()}: expected black, "
            "white, or #FF00FF outside of letters"
        )
    return numbers


def _letter(cell: NDArray[np.uint8], number: int) -> NDArray[np.bool_]:
    inside = cell != _OUTSIDE
    height, width = int(inside.any(axis=1).sum()), int(inside.any(axis=0).sum())
    if int(inside.sum()) != width * height or not inside[:height, :width].all():
        raise FormatError(
            f"letter {number} is no rectangle at the top left of its cell: what is not of a letter "
            "has the colour #FF00FF"
        )
    letter: NDArray[np.bool_] = cell[:height, :width] == 1
    return letter


def take_pixels(glyph: Glyph | None, pixels: NDArray[np.bool_], padding: bytes) -> Glyph:
    """The letter with these pixels; the ``glyph`` itself where it has them."""
    if glyph is not None:
        same = (glyph.height, glyph.width) == pixels.shape
        same = same and bool((glyph.pixels == pixels).all())
        if same and glyph.padding == padding:
            return glyph
    return glyph_of(pixels, padding)
