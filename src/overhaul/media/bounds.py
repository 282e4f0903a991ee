"""Bounds that keep a broken picture from taking all memory, or from raising errors of Pillow."""

from __future__ import annotations

import struct
import zlib
from typing import Final

from overhaul.errors import FormatError

MAX_PIXELS: Final = 1 << 26
"""The default bound of a decoded image: 8192 x 8192, four times GameMaker's largest page."""

PILLOW_ERRORS: Final = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    OverflowError,
    AttributeError,
    NotImplementedError,
    struct.error,
    zlib.error,
)
"""The exceptions of Pillow for broken files; callers raise FormatError instead."""


_ANY_SIZE: Final = 1 << 24


def most_pixels(size: int) -> int:
    """The pixels that a picture of ``size`` bytes may have where it comes from somebody's mod.

    4096 x 4096, and one more for each byte: in memory a pixel takes four.
    """
    return min(MAX_PIXELS, _ANY_SIZE + size)


def check_pixels(width: int, height: int, limit: int, *, offset: int | None = None) -> None:
    """Raise FormatError when an image has more pixels than the limit."""
    if width * height > limit:
        raise FormatError(
            f"an image of {width} x {height} exceeds the limit of {limit} pixels", offset=offset
        )
