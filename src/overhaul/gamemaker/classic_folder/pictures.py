"""The pictures of projects as files: PNG where that loses nothing, otherwise the BMP as stored."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.resources import OldPicture, Picture
from overhaul.media import png

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BMP = struct.Struct("<2sIHHIIiiHHIIiiII")
_HEADER = _BMP.size
BMP_SIZES = 26  # as many bytes tell the size of a BMP


def bmp_pixels(data: bytes) -> NDArray[Any] | None:
    """The pixels (height, width, 4) of a BMP as Game Maker writes it; None for any other."""
    import numpy

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


def bmp_of(pixels: NDArray[Any]) -> bytes:
    """The BMP that Game Maker before 8 would store: 24 bits, from the bottom, no alpha."""
    import numpy

    height, width = pixels.shape[:2]
    rows = numpy.zeros((height, (width * 3 + 3) // 4 * 4), numpy.uint8)
    rows[:, : width * 3] = pixels[::-1, :, 2::-1].reshape(height, width * 3)
    return _bmp_header(width, height) + rows.tobytes()


def _bmp_header(width: int, height: int) -> bytes:
    size = (width * 3 + 3) // 4 * 4 * height
    return _BMP.pack(
        b"BM", _HEADER + size, 0, 0, _HEADER, 40, width, height, 1, 24, 0, size, 0, 0, 0, 0
    )


def old_file(picture: OldPicture) -> tuple[str, bytes] | None:
    """The extension and the bytes of a picture's file; None if there is no picture."""
    if picture.file is None:
        return None
    data = picture.file.data
    pixels = bmp_pixels(data)
    return (".bmp", data) if pixels is None else (".png", png.encode(pixels))


def old_picture(extension: str, data: bytes, before: OldPicture | None = None) -> OldPicture:
    """The picture of a file; what was there ``before`` stays if it says the same."""
    bmp = data if extension == ".bmp" else bmp_of(png.decode(data))
    if before is not None and before.file is not None and before.file.data == bmp:
        return before
    return OldPicture(file=Deflated.of(bmp))


def file_of(picture: Picture) -> bytes | None:
    """The PNG of a picture; None if it has no pixels."""
    import numpy

    if not picture.pixels:
        return None
    pixels = numpy.frombuffer(picture.pixels, numpy.uint8)
    pixels = pixels.reshape(picture.height, picture.width, 4)
    return png.encode(numpy.ascontiguousarray(pixels[:, :, [2, 1, 0, 3]]))


def picture_of(data: bytes, version: int = 800) -> Picture:
    """The picture of a PNG."""
    import numpy

    pixels = png.decode(data)
    height, width = pixels.shape[:2]
    stored = numpy.ascontiguousarray(pixels[:, :, [2, 1, 0, 3]]).tobytes()
    return Picture(version=version, width=width, height=height, pixels=stored)


def bmp_size(data: bytes) -> tuple[int, int]:
    """Width and height of a BMP.  FormatError: not a BMP."""
    if len(data) < BMP_SIZES or data[:2] != b"BM":
        raise FormatError("not a BMP file", offset=0)
    width, height = struct.unpack_from("<ii", data, 18)
    return width, abs(height)
