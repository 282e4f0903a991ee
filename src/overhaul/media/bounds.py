"""The bound that keeps a false header from taking all memory."""

from __future__ import annotations

from typing import Final

from overhaul.errors import FormatError

MAX_PIXELS: Final = 1 << 26
"""The default bound of a decoded image: 8192 x 8192, four times GameMaker's largest page."""


def check_pixels(width: int, height: int, limit: int, *, offset: int | None = None) -> None:
    """Raise FormatError when an image has more pixels than the limit."""
    if width * height > limit:
        raise FormatError(
            f"an image of {width} x {height} exceeds the limit of {limit} pixels", offset=offset
        )
