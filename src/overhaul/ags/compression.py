"""The two codecs of Adventure Game Studio's pictures; the LZW encoder has a module of its own.

*LZW* (as the engine calls it; it is an LZSS) packs room backgrounds and some sprites: flag bytes,
lowest bit first, 0 for a literal byte and 1 for a 16-bit reference whose top four bits are the
length less 3 and whose low twelve bits are the distance less 1, in a window of 4096 bytes that
starts as zeros.  *RLE* packs masks and sprites: a signed control byte, then literal units or one
repeated unit of 1, 2 or 4 bytes.  Sources: the engine's ``Common/util/lzw.cpp`` and
``compress.cpp``; checked on the rooms and sprite sets listed in docs/formats/ags.md.
"""

from __future__ import annotations

import struct
import sys
from typing import Final

from overhaul.document.registry import load
from overhaul.errors import FormatError

WINDOW: Final = 4096
SHORTEST_MATCH: Final = 3
LONGEST_MATCH: Final = 18
_RUN_LIMIT: Final = 126
#: Eight references after a flag byte that says so: most of a plain picture.
_ALL_REFERENCES: Final = 255
_REFERENCES: Final = struct.Struct("<8H")
#: sizes from which on NumPy is quicker, and so much that importing it is worth it
_LARGE: Final = 1 << 14
_WORTH_NUMPY: Final = 1 << 23
_FAST: Final = "overhaul.ags.lzw_fast:decompress_lzw_fast"


def decompress_lzw(packed: bytes, size: int) -> bytes:
    """Undo LZW: exactly ``size`` bytes from ``packed``.

    Raises FormatError if the stream holds fewer bytes. Data beyond ``size`` is ignored, as the
    engine does.
    """
    # Eight references of two bytes give at most 144 bytes for 17: a larger claim is wrong, and
    # is refused before anything is allocated for it.
    if size < 0 or size > len(packed) * 9 + LONGEST_MATCH:
        raise FormatError(f"{len(packed)} bytes of LZW can't unpack to {size}")
    if size >= (_LARGE if "numpy" in sys.modules else _WORTH_NUMPY):
        unpacked: bytes | None = load(_FAST)(bytes(packed), size)
        if unpacked is not None:
            return unpacked
    return decompress_lzw_one_by_one(packed, size)


def decompress_lzw_one_by_one(packed: bytes, size: int) -> bytes:
    """As :func:`decompress_lzw`, token after token."""
    out = bytearray(WINDOW)
    full = size + WINDOW
    position = 0
    end = len(packed)
    while position < end and len(out) < full:
        flags = packed[position]
        position += 1
        if flags == 0:
            out += packed[position : position + 8]
            position += 8
            continue
        if flags == _ALL_REFERENCES and position + _REFERENCES.size <= end:
            for word in _REFERENCES.unpack_from(packed, position):
                distance = (word & 0xFFF) + 1
                length = (word >> 12) + SHORTEST_MATCH
                start = len(out) - distance
                if distance >= length:
                    out += out[start : start + length]
                else:
                    out += (out[start:] * (length // distance + 1))[:length]
            position += _REFERENCES.size
            continue
        for _ in range(8):
            if position >= end:
                break
            if flags & 1:
                if position + 2 > end:
                    raise FormatError("the LZW data ends inside a reference", offset=position)
                high = packed[position + 1]
                distance = ((high & 15) << 8 | packed[position]) + 1
                length = (high >> 4) + SHORTEST_MATCH
                position += 2
                start = len(out) - distance
                if distance >= length:
                    out += out[start : start + length]
                else:
                    piece = out[start:]
                    out += (piece * (length // distance + 1))[:length]
            else:
                out.append(packed[position])
                position += 1
            flags >>= 1
    if len(out) < full:
        raise FormatError(f"expected {size} bytes of LZW data, got {len(out) - WINDOW}")
    return bytes(memoryview(out)[WINDOW:full])


def decompress_rle(packed: bytes, size: int, unit: int = 1, start: int = 0) -> tuple[bytes, int]:
    """Undo RLE from ``start`` on: (``size`` bytes, position after the packed bytes used).

    ``unit`` is the size of a pixel in bytes.  A picture packed row by row reads the same as one
    packed whole.  Raises FormatError where the data ends early or a run passes the end.
    """
    # Two packed bytes give at most 128 units.
    if size < 0 or size > (len(packed) - start + 1) * 128 * unit:
        raise FormatError(f"{len(packed) - start} bytes of RLE can't unpack to {size}")
    out = bytearray()
    position = start
    end = len(packed)
    while len(out) < size:
        if position >= end:
            raise FormatError("the RLE data ends early", offset=position)
        control = packed[position]
        position += 1
        if control >= 128:
            # -128 counts as 0: one literal unit.
            count = 1 if control == 128 else 257 - control
            out += packed[position : position + unit] * count
            position += unit
        else:
            length = (control + 1) * unit
            out += packed[position : position + length]
            position += length
        if position > end:
            raise FormatError("the RLE data ends inside a run", offset=end)
    if len(out) > size:
        raise FormatError("an RLE run passes the end of the picture", offset=position)
    return bytes(out), position


def measure_rle(packed: bytes, size: int, unit: int = 1, start: int = 0) -> int:
    """The position after the packed bytes that give ``size`` bytes; nothing is unpacked.

    Raises FormatError as :func:`decompress_rle` does.
    """
    position = start
    end = len(packed)
    left = size // unit
    while left > 0:
        if position >= end:
            raise FormatError("the RLE data ends early", offset=position)
        control = packed[position]
        if control > 128:
            left -= 257 - control
            position += 1 + unit
        elif control == 128:
            left -= 1
            position += 1 + unit
        else:
            left -= control + 1
            position += 1 + (control + 1) * unit
    if position > max(start, end):
        raise FormatError("the RLE data ends inside a run", offset=end)
    if left:
        raise FormatError("an RLE run passes the end of the picture", offset=position)
    return position


def compress_rle(data: bytes, unit: int = 1, row: int = 0) -> bytes:
    """Pack ``data`` in units of ``unit`` bytes, byte for byte as the official editors do.

    ``row`` is the length of a row in bytes where each row is packed on its own (editors up to
    3.5.1), or 0 for one run over the whole picture (3.6.0 and later).
    """
    if row <= 0:
        return _pack_units(data, unit)
    return b"".join(_pack_units(data[at : at + row], unit) for at in range(0, len(data), row))


def _pack_units(data: bytes, unit: int) -> bytes:
    units = data if unit == 1 else [data[i : i + unit] for i in range(0, len(data), unit)]
    out = bytearray()
    last = len(units) - 1
    start = 0
    while start <= last:
        limit = min(start + _RUN_LIMIT, last)
        end = start + 1
        if start == last:
            end = start
            out.append(0)
            out += data[start * unit : (start + 1) * unit]
        elif units[start] == units[end]:
            value = units[start]
            while end < limit and units[end + 1] == value:
                end += 1
            out.append((start - end) & 0xFF)
            out += data[start * unit : (start + 1) * unit]
        else:
            while end < limit and units[end] != units[end + 1]:
                end += 1
            out.append(end - start)
            out += data[start * unit : (end + 1) * unit]
        start = end + 1
    return bytes(out)
