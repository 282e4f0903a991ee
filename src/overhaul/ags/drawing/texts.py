"""Texts in the fonts of a game: WFN bitmaps, TrueType."""

from __future__ import annotations

import io
import unicodedata
from abc import ABC, abstractmethod
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from overhaul.ags.detect import FONT
from overhaul.ags.font.model import BitmapFont, numbering
from overhaul.ags.font.wfn import read_loose
from overhaul.errors import FormatError
from overhaul.media.bounds import PILLOW_ERRORS

#: The largest side of a font, in pixels.
_LARGEST: Final = 1024
#: As much of a text is drawn.
_LETTERS: Final = 2000


class TextFont(ABC):
    """A font: ``height`` is that of a line, in pixels; ``own`` whether it is the game's."""

    height: int
    own = True

    @abstractmethod
    def line(self, text: str) -> NDArray[np.bool_]:
        """The pixels of a line of text: (height, width)."""

    def width(self, text: str) -> int:
        """The width of a line of text, in pixels."""
        return len(self.line(text)[0])


class LettersFont(TextFont):
    """A bitmap font, whose letters are those of the game's encoding."""

    def __init__(self, font: BitmapFont, encoding: str) -> None:
        self._font, self._encoding = font, encoding
        self.height = max(font.height, 1)

    def line(self, text: str) -> NDArray[np.bool_]:
        letters = (self._font.glyph(code) for code in self._codes(text))
        glyphs = [letter.pixels for letter in letters if letter is not None]
        high = max([self.height, *(glyph.shape[0] for glyph in glyphs)])
        shown = np.zeros((high, sum(glyph.shape[1] for glyph in glyphs)), np.bool_)
        at = 0
        for glyph in glyphs:
            shown[: glyph.shape[0], at : at + glyph.shape[1]] = glyph
            at += glyph.shape[1]
        return shown

    def _codes(self, text: str) -> list[int]:
        if numbering(self._encoding) is ord:
            return [ord(letter) for letter in text]
        return list(text.encode(self._encoding, "replace"))


class DrawnFont(TextFont):
    """A font that Pillow draws, without grey pixels."""

    def __init__(
        self, font: ImageFont.FreeTypeFont | ImageFont.ImageFont, height: int, *, own: bool
    ) -> None:
        self._font = font
        self.height = height
        self.own: bool = own

    def line(self, text: str) -> NDArray[np.bool_]:
        right, bottom = (round(side) for side in self._font.getbbox(text)[2:])
        width = max(0, min(right, 64 * _LARGEST))
        image = Image.new("1", (width, max(self.height, bottom, 1)))
        if width:
            pen = ImageDraw.Draw(image)
            pen.fontmode = "1"
            pen.text((0, 0), text, fill=1, font=self._font)
        return np.asarray(image, np.bool_)


class PlainFont(DrawnFont):
    """The font of texts whose own is not known, in which each letter is as wide as any other.

    It has the letters of Latin-1.  Others are drawn without their accents, or as a box.
    """

    def __init__(self) -> None:
        super().__init__(ImageFont.load_default_imagefont(), 11, own=False)

    def line(self, text: str) -> NDArray[np.bool_]:
        known = [_in_latin(letter) for letter in text]
        shown = super().line("".join(letter or " " for letter in known)).copy()
        wide = super().line("m").shape[1]
        for number, letter in enumerate(known):
            if not letter:
                left = number * wide
                shown[2:9, left : left + wide - 1] = True
                shown[3:8, left + 1 : left + wide - 2] = False
        return shown


def _in_latin(letter: str) -> str:
    """A letter, or the same without its accent, that Latin-1 has; empty where there is none."""
    for character in (letter, unicodedata.normalize("NFKD", letter)[:1]):
        if character <= "\xff":
            return character
    return ""


def plain_font() -> TextFont:
    """The font of texts whose own is not known."""
    return PlainFont()


def read_font(data: bytes | None, size: int, encoding: str, *, nominal: bool = False) -> TextFont:
    """A font file; a plain font where it is missing or broken.

    ``size`` is that of TrueType fonts, in pixels: what reaches above and below the line together,
    or, where it is ``nominal``, the size the font itself calls so.  ``encoding`` is that of the
    game's texts.
    """
    if data is None:
        return plain_font()
    try:
        if data.startswith(FONT):
            return LettersFont(read_loose(data), encoding)
        size = max(1, min(size, _LARGEST))
        made = _truetype(data, size)
        for smaller in range(size - 1, 0, -1):
            if nominal or sum(made.getmetrics()) <= size:
                break
            made = _truetype(data, smaller)
        return DrawnFont(made, sum(made.getmetrics()), own=True)
    except (*PILLOW_ERRORS, FormatError):
        return plain_font()


def _truetype(data: bytes, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(io.BytesIO(data), size, layout_engine=ImageFont.Layout.BASIC)


def wrapped(font: TextFont, text: str, width: int) -> list[str]:
    """The lines of a text of at most so many pixels; ``[`` begins a new one, as in games."""
    lines = []
    for part in (
        text[:_LETTERS].replace("\\[", "\0").replace("[", "\n").replace("\0", "[").split("\n")
    ):
        line = ""
        for word in part.split(" "):
            longer = f"{line} {word}" if line else word
            if line and font.width(longer) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


def text_image(font: TextFont, text: str, width: int = 640) -> Image.Image:
    """A text in a font: black on nothing, in mode RGBA, wrapped at ``width`` pixels."""
    lines = [font.line(line) for line in wrapped(font, text, width)]
    high = max(font.height, 1)
    shown = np.zeros((high * len(lines) + 1, max(1, *(line.shape[1] for line in lines))), np.bool_)
    for at, line in enumerate(lines):
        rows = line[: shown.shape[0] - at * high]
        shown[at * high : at * high + rows.shape[0], : rows.shape[1]] |= rows
    image = np.zeros((*shown.shape, 4), np.uint8)
    image[shown, 3] = 255
    return Image.fromarray(image)
