"""Which letters a font of a game has: WFN fonts (bitmaps by number), TrueType fonts."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from overhaul.errors import FormatError
from overhaul.media.typeface import Typeface

_WFN: Final = b"WGT Font File  "
_TRUETYPE: Final = (b"\x00\x01\x00\x00", b"OTTO", b"true", b"ttcf")


@dataclass
class Glyphs:
    """The letters of a font; ``by_number`` if they are known by their codes in the game's encoding,
    which are those of Unicode in games with UTF-8."""

    has: Callable[[int], bool]
    by_number: bool

    def missing(self, text: str, encoding: str) -> str:
        """The letters of a text that the font lacks, each once, in their order."""
        return "".join(
            letter
            for letter in dict.fromkeys(text)
            if letter.isprintable() and letter != " " and not self._has_letter(letter, encoding)
        )

    def _has_letter(self, letter: str, encoding: str) -> bool:
        if not self.by_number or encoding == "utf-8":
            return self.has(ord(letter))
        try:
            (code,) = letter.encode(encoding)
        except (UnicodeEncodeError, ValueError):
            return False
        return self.has(code)


def read_glyphs(data: bytes) -> Glyphs | None:
    """The letters of a font; None if the file is not a font that can be read."""
    if data.startswith(_WFN):
        return _read_wfn(data)
    if data.startswith(_TRUETYPE):
        return _read_truetype(data)
    return None


def _read_wfn(data: bytes) -> Glyphs | None:
    """Behind the signature the offset (u16) of the table at the end: a u16 offset per letter, where
    its width and height (u16 each) and its rows of bits are."""
    if len(data) < len(_WFN) + 2:
        return None
    (table,) = struct.unpack_from("<H", data, len(_WFN))
    if not len(_WFN) + 2 <= table <= len(data):
        return None
    count = (len(data) - table) // 2
    offsets = struct.unpack_from(f"<{count}H", data, table)

    def has(code: int) -> bool:
        if not 0 <= code < count or not len(_WFN) + 2 <= offsets[code] <= table - 4:
            return False
        width, height = struct.unpack_from("<HH", data, offsets[code])
        start = offsets[code] + 4
        return any(data[start : min(start + (width + 7) // 8 * height, table)])

    return Glyphs(has, by_number=True)


def _read_truetype(data: bytes) -> Glyphs | None:
    try:
        characters = Typeface(data, "a font of the game").characters
    except FormatError:
        return None
    return Glyphs(characters.__contains__, by_number=False)
