"""Transparent pixels as Game Maker before 8 stores them: in the colour of the bottom left pixel.

A picture without alpha is transparent where it has the colour of its bottom left pixel.  So the
transparent pixels of a PNG get a colour that no visible pixel has, an outline in black is safe,
and the bottom left pixel gets it too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The alpha from which on a pixel is visible.
VISIBLE = 128
#: The colours tried first: magenta, green, cyan, yellow, blue, red.
_USUAL = (0xFF00FF, 0x00FF00, 0x00FFFF, 0xFFFF00, 0x0000FF, 0xFF0000)


def with_key_colour(
    pixels: NDArray[numpy.uint8], before: NDArray[numpy.uint8] | None = None
) -> tuple[NDArray[numpy.uint8], list[str]]:
    """Pixels (height, width, 4) without alpha, and what that changed, in words for people.

    ``before``: the picture that it replaces, whose colour is used again if it can be.
    """
    alpha = pixels[:, :, 3]
    clear = alpha < VISIBLE
    half = int(numpy.count_nonzero((alpha > 0) & (alpha < 255)))
    words = []
    if half:
        words.append(f"{half} half-transparent pixels became solid or transparent")
    made = pixels.copy()
    made[:, :, 3] = 255
    if clear.any():
        colours = made[:, :, 0].astype(numpy.uint32) << 16
        colours |= made[:, :, 1].astype(numpy.uint32) << 8
        colours |= made[:, :, 2]
        visible = set(numpy.unique(colours[~clear]).tolist())
        key = next(colour for colour in _candidates(before) if colour not in visible)
        if not clear[-1, 0]:
            words.append("the bottom left pixel became transparent, as its colour is the key")
            clear[-1, 0] = True
        made[clear, :3] = key >> 16, key >> 8 & 255, key & 255
        words.append(f"{numpy.count_nonzero(clear)} transparent pixels have the colour #{key:06X}")
    return made, words


def _candidates(before: NDArray[numpy.uint8] | None) -> Iterator[int]:
    """All colours, the likely ones first."""
    if before is not None:
        red, green, blue = (int(value) for value in before[-1, 0, :3])
        yield red << 16 | green << 8 | blue
    yield from _USUAL
    yield from range(0xFFFFFF, -1, -1)
