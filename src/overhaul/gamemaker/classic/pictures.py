"""The pictures of projects and executables as pixels, transparent where the game shows nothing."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import numpy
from PIL import Image

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.bitmaps import bmp_pixels
from overhaul.gamemaker.classic.executable.resources import GamePicture
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.resources import OldPicture, Picture
from overhaul.media import png
from overhaul.media.bounds import MAX_PIXELS, PILLOW_ERRORS, check_pixels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.gamemaker.classic.executable.resources import Mask


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
    found = numpy.frombuffer(data, numpy.uint8).reshape(height, width, 4)
    return numpy.ascontiguousarray(found[:, :, [2, 1, 0, 3]])


def without_key(pixels: NDArray[numpy.uint8]) -> NDArray[numpy.uint8]:
    """Pixels of which those in the colour of the bottom left one are transparent."""
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
