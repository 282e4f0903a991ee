"""The pictures of projects and executables as pixels, and BMP files."""

from __future__ import annotations

import struct
from io import BytesIO

import numpy
from numpy.typing import NDArray
from PIL import Image

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.executable.records import GamePicture, Mask
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.resources import OldPicture, Picture
from overhaul.media import png
from overhaul.media.bounds import MAX_PIXELS, PILLOW_ERRORS, check_pixels

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


def pixels_of(
    picture: OldPicture | Picture | GamePicture | None, *, keyed: bool = False
) -> NDArray[numpy.uint8] | None:
    """The pixels (height, width, 4) of a picture, RGBA; None where there is none.

    ``keyed``: pixels in the colour of the bottom left one are transparent, as Game Maker before 8
    draws transparent sprites.  Raises FormatError for a damaged picture.
    """
    if picture is None:
        return None
    if isinstance(picture, OldPicture):
        if picture.file is None:
            return None
        pixels = _of_bmp(picture.file.data)
        return without_key(pixels) if keyed else pixels
    stored = picture.pixels
    data = stored.data if isinstance(stored, Deflated) else stored
    if not data:
        return None
    width, height = picture.width, picture.height
    if min(width, height) <= 0 or len(data) != width * height * 4:
        raise FormatError(f"{len(data)} bytes of pixels in a picture of {width} by {height}")
    pixels_ = numpy.frombuffer(data, numpy.uint8).reshape(height, width, 4)
    return numpy.ascontiguousarray(pixels_[:, :, [2, 1, 0, 3]])


def without_key(pixels: NDArray[numpy.uint8]) -> NDArray[numpy.uint8]:
    """Pixels, transparent where they have the colour of the one at the bottom left."""
    if not pixels.size:
        return pixels
    shown = pixels.copy()
    shown[(pixels[:, :, :3] == pixels[-1, 0, :3]).all(axis=2), 3] = 0
    return shown


def mask_of(mask: Mask) -> NDArray[numpy.bool_]:
    """A collision mask (height, width), True where it is solid."""
    words = numpy.frombuffer(mask.bits, "<u4").reshape(mask.height, mask.width)
    solid: NDArray[numpy.bool_] = words != 0
    return solid


def _of_bmp(data: bytes) -> NDArray[numpy.uint8]:
    pixels = bmp_pixels(data)
    return _decoded(data) if pixels is None else pixels


def _decoded(data: bytes) -> NDArray[numpy.uint8]:
    """The pixels of a BMP that Game Maker did not write."""
    try:
        with Image.open(BytesIO(data), formats=["BMP"]) as image:
            check_pixels(*image.size, MAX_PIXELS)
            return png.from_image(image)
    except FormatError:
        raise
    except (*PILLOW_ERRORS, Image.DecompressionBombError) as error:
        raise FormatError(f"the BMP file can't be decoded: {error}", offset=0) from error
