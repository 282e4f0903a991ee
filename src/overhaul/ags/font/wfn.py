"""WFN files: the signature, the letters, and a table of where each is.

Source: the engine's ``Common/font/wfnfont.cpp``, and files of games; see docs/formats/ags-fonts.md.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from overhaul.ags.detect import FONT as WFN
from overhaul.ags.font.model import BitmapFont, Glyph
from overhaul.document.protocol import Buffer
from overhaul.errors import FormatError

_START: Final = len(WFN) + 2
#: Letters that share bytes may take this many times the file's size together.
_MOST_SHARED: Final = 16


def read_font(data: Buffer, source: str | None = None) -> BitmapFont:
    """The font of a WFN file.  Raises FormatError."""
    view = memoryview(data).toreadonly()
    table, offsets = _table(view, source)
    glyphs = [_glyph(view, offset, index, source) for index, offset in enumerate(offsets)]
    if sum(len(glyph.rows) for glyph in glyphs) > _MOST_SHARED * len(view):
        raise FormatError("the letters share too many bytes", source=source, offset=table)
    font = BitmapFont(glyphs)
    if write_font(font) != view:
        font.offsets, font.table = offsets, table
        font.extra = dict(_unused(view, font))
    return font


def read_loose(data: Buffer) -> BitmapFont:
    """The letters of a damaged file as well: those that are cut off are empty, as games show them.

    Raises FormatError for a file that is not a WFN file.
    """
    view = memoryview(data).toreadonly()
    _, offsets = _table(view, None)
    glyphs = []
    for index, offset in enumerate(offsets):
        try:
            glyphs.append(_glyph(view, offset, index, None))
        except FormatError:
            glyphs.append(Glyph())
    return BitmapFont(glyphs)


def _table(view: memoryview, source: str | None) -> tuple[int, list[int]]:
    """Where the table is, and the offsets in it."""
    if view[: len(WFN)] != WFN or len(view) < _START:
        raise FormatError("not a font: expected WGT Font File", source=source, offset=0)
    (table,) = struct.unpack_from("<H", view, len(WFN))
    if not _START <= table <= len(view) or (len(view) - table) % 2:
        raise FormatError(
            f"expected the table of letters between {_START} and {len(view)}, got {table}",
            source=source,
            offset=len(WFN),
        )
    return table, list(struct.unpack_from(f"<{(len(view) - table) // 2}H", view, table))


def _glyph(view: memoryview, offset: int, index: int, source: str | None) -> Glyph:
    if _START <= offset <= len(view) - 4:
        width, height = struct.unpack_from("<HH", view, offset)
        end = offset + 4 + (width + 7) // 8 * height
        if end <= len(view):
            return Glyph(width, height, view[offset + 4 : end])
    raise FormatError(
        "the letter lies outside of the file", source=source, offset=offset, path=f"glyphs[{index}]"
    )


def keeps_places(font: BitmapFont) -> bool:
    """Whether the letters can be written at the places that ``offsets`` says, if it says any."""
    offsets = font.offsets
    if offsets is None:
        return not font.table and not font.extra
    return len(offsets) == len(font.glyphs) and _placed(font, offsets) is not None


def write_font(font: BitmapFont) -> bytes:
    """The WFN file of a font.  Raises FormatError for one that is too large."""
    if font.offsets is not None and len(font.offsets) == len(font.glyphs):
        placed = _placed(font, font.offsets)
        if placed is not None:
            return placed
    out = bytearray(WFN + bytes(2))
    offsets = []
    for glyph in font.glyphs:
        offsets.append(len(out))
        out += struct.pack("<HH", glyph.width, glyph.height)
        out += glyph.rows
    if len(out) > 0xFFFF:
        raise FormatError(f"a font holds up to 65535 bytes of letters, got {len(out)}")
    struct.pack_into("<H", out, len(WFN), len(out))
    return bytes(out + struct.pack(f"<{len(offsets)}H", *offsets))


def _placed(font: BitmapFont, offsets: list[int]) -> bytes | None:
    """The file with letters at their old places; None where an edit no longer fits them."""
    out = bytearray(font.table + 2 * len(offsets))
    pieces = dict(font.extra)
    pieces[0] = WFN + struct.pack("<H", font.table)
    for at, piece in pieces.items():
        out[at : at + len(piece)] = piece
    for offset, glyph in zip(offsets, font.glyphs, strict=True):
        stored = struct.pack("<HH", glyph.width, glyph.height) + bytes(glyph.rows)
        out[offset : offset + len(stored)] = stored
    out[font.table : font.table + 2 * len(offsets)] = struct.pack(f"<{len(offsets)}H", *offsets)
    size = font.table + 2 * len(offsets)
    if len(out) != size:
        return None
    fits = all(
        out[offset : offset + 4] == struct.pack("<HH", glyph.width, glyph.height)
        and out[offset + 4 : offset + 4 + len(glyph.rows)] == bytes(glyph.rows)
        for offset, glyph in zip(offsets, font.glyphs, strict=True)
    )
    return bytes(out) if fits else None


def _unused(view: memoryview, font: BitmapFont) -> Iterator[tuple[int, bytes]]:
    """The bytes that belong to no letter and are not 0, by their places."""
    used = bytearray(len(view))
    offsets = font.offsets or []
    spans = [(0, _START), (font.table, len(view))]
    spans += [
        (offset, offset + 4 + len(glyph.rows))
        for offset, glyph in zip(offsets, font.glyphs, strict=True)
    ]
    for start, end in spans:
        used[start:end] = b"\1" * (end - start)
    start = used.find(0)
    while start >= 0:
        end = used.find(1, start)
        end = len(view) if end < 0 else end
        piece = bytes(view[start:end])
        if any(piece):
            yield start, piece
        start = used.find(0, end)
