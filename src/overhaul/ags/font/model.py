"""A bitmap font: a bitmap for each number of a letter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overhaul.schema.record import short_repr

#: The largest side of a letter that is drawn, in pixels.
LARGEST: Final = 1024
_UTF_8: Final = ("utf-8", "utf8")


@dataclass(frozen=True, slots=True)
class Glyph:
    """A letter: ``height`` rows of bits, the leftmost pixel in the highest bit of a byte.

    Bits behind the ``width`` of a row mean nothing, and are kept.
    """

    width: int = 0
    height: int = 0
    rows: bytes | memoryview = b""

    @property
    def stride(self) -> int:
        """The bytes of a row."""
        return (self.width + 7) // 8

    @property
    def pixels(self) -> NDArray[np.bool_]:
        """The pixels: (height, width); none of a letter larger than 1024 pixels."""
        if not self.width or not self.height or max(self.width, self.height) > LARGEST:
            return np.zeros((0, 0), np.bool_)
        stored = np.frombuffer(self.rows, np.uint8).reshape(self.height, self.stride)
        return np.unpackbits(stored, axis=1, count=self.width).view(np.bool_)

    @property
    def padding(self) -> bytes:
        """The unused bits of each row; empty where all are 0."""
        unused = (1 << (8 * self.stride - self.width)) - 1 if self.width else 0
        if not unused:
            return b""
        bits = bytes(self.rows[row * self.stride - 1] & unused for row in range(1, self.height + 1))
        return bits if any(bits) else b""

    @property
    def is_blank(self) -> bool:
        """Whether no pixel is set."""
        return not self.pixels.any()


def glyph_of(pixels: NDArray[np.bool_], padding: bytes = b"") -> Glyph:
    """The letter with these pixels (height, width), and the unused bits of its rows."""
    height, width = pixels.shape
    rows = bytearray(np.packbits(pixels, axis=1).tobytes())
    stride = (width + 7) // 8
    for row, bits in enumerate(padding[: height if stride else 0]):
        rows[(row + 1) * stride - 1] |= bits
    return Glyph(width, height, bytes(rows))


@dataclass(slots=True)
class BitmapFont:
    """The letters of a font by number: in the game's encoding, or in Unicode where that is UTF-8.

    ``offsets`` are where the letters lie in a file that does not have them consecutively in
    their order, and ``extra`` bytes there that belong to no letter, by their places.
    """

    __repr__ = short_repr

    glyphs: list[Glyph] = field(default_factory=list)
    offsets: list[int] | None = None
    table: int = 0
    extra: dict[int, bytes] = field(default_factory=dict)

    @property
    def height(self) -> int:
        """The height of a line in pixels: that of the highest of the first 128 letters."""
        return max((glyph.height for glyph in self.glyphs[:128]), default=0)

    def glyph(self, number: int) -> Glyph | None:
        """The letter of a number; None where the font does not have it."""
        return self.glyphs[number] if 0 <= number < len(self.glyphs) else None

    def set_glyph(self, number: int, glyph: Glyph) -> None:
        """Give a number another letter; those up to it are empty where there were none.

        Raises ValueError for a number that no font has.
        """
        if not 0 <= number <= 0xFFFF:
            raise ValueError(f"expected the number of a letter, 0 to 65535, got {number}")
        missing = number + 1 - len(self.glyphs)
        self.glyphs += [Glyph()] * missing
        self.glyphs[number] = glyph
        self.forget_places()

    def forget_places(self) -> None:
        """Let letters lie consecutively in the file."""
        self.offsets, self.table, self.extra = None, 0, {}

    def missing(self, text: str, encoding: str) -> str:
        """The letters of a text that the font lacks, each once, in their order."""
        number = numbering(encoding)
        return "".join(
            letter
            for letter in dict.fromkeys(text)
            if letter.isprintable() and letter != " " and not self._shows(number(letter))
        )

    def characters(self, encoding: str) -> dict[str, int]:
        """The letters that have a width, by character, with their numbers."""
        character = _characters_in(encoding)
        named = ((character(n), n) for n, glyph in enumerate(self.glyphs) if glyph.width)
        return {name: number for name, number in named if name is not None and name.isprintable()}

    def _shows(self, number: int | None) -> bool:
        glyph = None if number is None else self.glyph(number)
        return glyph is not None and any(glyph.rows)


def numbering(encoding: str) -> Callable[[str], int | None]:
    """The function that gives the number of a letter in fonts of a game; None where it has none."""
    if encoding.lower().replace("_", "-") in _UTF_8:
        return ord

    def number(letter: str) -> int | None:
        try:
            (code,) = letter.encode(encoding)
        except (UnicodeEncodeError, ValueError):
            return None
        return code

    return number


def _characters_in(encoding: str) -> Callable[[int], str | None]:
    """The function that gives the character of a number in fonts of a game; None where it has
    none."""
    if numbering(encoding) is ord:
        return chr

    def character(number: int) -> str | None:
        try:
            return bytes([number]).decode(encoding)
        except (ValueError, UnicodeDecodeError):
            return None

    return character
