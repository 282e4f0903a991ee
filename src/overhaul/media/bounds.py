"""What keeps a broken picture from taking all memory, or from raising errors of Pillow."""

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
"""What Pillow raises for broken files; callers raise FormatError instead."""


def check_pixels(width: int, height: int, limit: int, *, offset: int | None = None) -> None:
    """Raise FormatError when an image has more pixels than the limit."""
    if width * height > limit:
        raise FormatError(
            f"an image of {width} x {height} exceeds the limit of {limit} pixels", offset=offset
        )
