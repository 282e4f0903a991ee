"""The BMP files that Game Maker before 8 stores as pictures."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy

from overhaul.errors import FormatError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BMP = struct.Struct("<2sIHHIIiiHHIIiiII")
_HEADER = _BMP.size
SIZE_BYTES = 26  # the first bytes of a BMP, which hold its size


def bmp_pixels(data: bytes) -> NDArray[numpy.uint8] | None:
    """The pixels (height, width, 4) of a BMP as Game Maker writes it; None for any other."""
    if len(data) < _HEADER:
        return None
    width, height = _BMP.unpack_from(data)[6:8]
    if width <= 0 or height <= 0:
        return None
    row = (width * 3 + 3) // 4 * 4
    if len(data) != _HEADER + row * height or data[:_HEADER] != _bmp_header(width, height):
        return None
    rows = numpy.frombuffer(data, numpy.uint8, offset=_HEADER).reshape(height, row)
    if rows[:, width * 3 :].any():  # padding that a rebuilt file would lose
        return None
    pixels = numpy.full((height, width, 4), 255, numpy.uint8)
    pixels[:, :, :3] = rows[::-1, : width * 3].reshape(height, width, 3)[:, :, ::-1]
    return pixels


def bmp_of(pixels: NDArray[numpy.uint8]) -> bytes:
    """The BMP that Game Maker before 8 would store: 24 bits, from the bottom, no alpha."""
    height, width = pixels.shape[:2]
    rows = numpy.zeros((height, (width * 3 + 3) // 4 * 4), numpy.uint8)
    rows[:, : width * 3] = pixels[::-1, :, 2::-1].reshape(height, width * 3)
    return _bmp_header(width, height) + rows.tobytes()


def _bmp_header(width: int, height: int) -> bytes:
    size = (width * 3 + 3) // 4 * 4 * height
    return _BMP.pack(
        b"BM", _HEADER + size, 0, 0, _HEADER, 40, width, height, 1, 24, 0, size, 0, 0, 0, 0
    )


def bmp_size(data: bytes) -> tuple[int, int]:
    """Width and height of a BMP.  FormatError: not a BMP."""
    if len(data) < SIZE_BYTES or data[:2] != b"BM":
        raise FormatError("not a BMP file", offset=0)
    width, height = struct.unpack_from("<ii", data, 18)
    return width, abs(height)
