"""Fonts of Sierra's games (SCI), which the editor imports: read, and written.

A number (u16, 0x87) that says it is a font; behind it a number that is not used, how many letters
there are, the height of a line (u16 each), and where each letter is (u16, from behind the first
number): its width and height (u8 each) and its rows of bits.

Source: the editor's import of such fonts (``agsnative.cpp``).
"""

from __future__ import annotations

import struct
from typing import Final

from overhaul.ags.font.model import BitmapFont, Glyph
from overhaul.document.protocol import Buffer
from overhaul.errors import FormatError

_SIGNATURE: Final = b"\x87\0"
_HEADER: Final = struct.Struct("<3H")
_START: Final = len(_SIGNATURE)
#: More letters no such font has.
_MOST: Final = 256


def is_sci_font(data: Buffer) -> bool:
    """Whether a file begins as such a font, with its first letter right behind the table."""
    if bytes(data[:2]) != _SIGNATURE or len(data) < _START + _HEADER.size + 2:
        return False
    _, count, _ = _HEADER.unpack_from(data, _START)
    (first,) = struct.unpack_from("<H", data, _START + _HEADER.size)
    return bool(0 < count <= _MOST) and bool(first == _HEADER.size + 2 * count < len(data))


def read_sci_font(data: Buffer, source: str | None = None) -> BitmapFont:
    """The letters of a font.  Raises FormatError."""
    view = memoryview(data).toreadonly()
    if not is_sci_font(view):
        raise FormatError("not a font of Sierra's games", source=source, offset=0)
    _, count, _ = _HEADER.unpack_from(view, _START)
    glyphs = []
    for index in range(count):
        (offset,) = struct.unpack_from("<H", view, _START + _HEADER.size + 2 * index)
        at = _START + offset
        width, height = (view[at], view[at + 1]) if at + 2 <= len(view) else (0, 0)
        end = at + 2 + (width + 7) // 8 * height
        if end > len(view):
            raise FormatError(
                "the letter lies outside of the file",
                source=source,
                offset=at,
                path=f"glyphs[{index}]",
            )
        glyphs.append(Glyph(width, height, view[at + 2 : end]))
    return BitmapFont(glyphs)


def write_sci_font(font: BitmapFont) -> bytes:
    """The file of a font.  Raises FormatError for letters that it can't hold."""
    count = len(font.glyphs)
    if not 0 < count <= _MOST:
        raise FormatError(f"a font of Sierra's games has 1 to {_MOST} letters, got {count}")
    letters = bytearray()
    offsets = []
    for index, glyph in enumerate(font.glyphs):
        offsets.append(_HEADER.size + 2 * count + len(letters))
        if max(glyph.width, glyph.height) > 255 or offsets[-1] > 0xFFFF:
            raise FormatError("the letter is too large", path=f"glyphs[{index}]")
        letters += bytes((glyph.width, glyph.height)) + bytes(glyph.rows)
    header = _HEADER.pack(0, count, font.height) + struct.pack(f"<{count}H", *offsets)
    return _SIGNATURE + header + bytes(letters)
