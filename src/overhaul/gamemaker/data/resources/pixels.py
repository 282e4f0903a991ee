"""Pictures as people hand them over: Pillow images, arrays, files."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from PIL import Image

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.painting import new_picture
from overhaul.media import png
from overhaul.media.frames import frames_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.gamemaker.data.version import Version

    Pixels: TypeAlias = NDArray[np.uint8]
    #: a Pillow image of any mode, or an array (height, width, 4) of red, green, blue, alpha
    Picture: TypeAlias = Image.Image | NDArray[np.uint8]


def pixels_of(picture: Picture, release: Version) -> Pixels:
    """The pixels of a picture, (height, width, 4), which a page of the release can hold.

    Raises TypeError for what is no picture, ValueError for one without pixels or too large.
    """
    if isinstance(picture, Image.Image):
        pixels = png.from_image(picture)
    elif isinstance(picture, np.ndarray) and picture.ndim == 3 and picture.shape[2] == 4:
        if picture.dtype != np.uint8:
            raise TypeError(f"expected an array of uint8, got {picture.dtype}")
        pixels = picture.copy()
    else:
        got = f"an array of {picture.shape}" if isinstance(picture, np.ndarray) else repr(picture)
        raise TypeError(
            f"expected a Pillow image or an array of (height, width, 4), got {got[:100]}"
        )
    try:
        new_picture(pixels, release)
    except EncodeError as error:
        raise ValueError(error.message) from None
    return pixels


def all_pixels(
    pictures: Sequence[Picture] | Picture | str | PathLike[str], release: Version
) -> list[Pixels]:
    """The pixels of several pictures, of one picture, or of those in a file.

    See :func:`overhaul.media.frames.frames_of` for files.  Raises ValueError where there is none,
    or they are of several sizes.
    """
    if isinstance(pictures, (str, PathLike)):
        pictures = frames_of(pictures)
    elif isinstance(pictures, Image.Image) or (
        isinstance(pictures, np.ndarray) and pictures.ndim == 3
    ):
        pictures = [pictures]
    found = [pixels_of(picture, release) for picture in pictures]
    if not found:
        raise ValueError("expected at least one picture")
    sizes = sorted({(pixels.shape[1], pixels.shape[0]) for pixels in found})
    if len(sizes) > 1:
        words = " and ".join(f"{width} x {height}" for width, height in sizes)
        raise ValueError(f"the frames of a sprite are of one size, not of {words}")
    return found
