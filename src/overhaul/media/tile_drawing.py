"""Tile maps drawn on a canvas, as far as they are seen."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image as pillow

from overhaul.media import tilemap
from overhaul.media.canvas import Canvas, Transform

#: how many pixels of a map are made at a time
_BAND: Final = 1 << 22


def draw_map(
    canvas: Canvas,
    words: NDArray[np.uint32],
    sheet: NDArray[np.uint8],
    places: NDArray[np.int64],
    size: tuple[int, int],
    x: int,
    y: int,
) -> None:
    """Draw a map (rows, columns) on a canvas, as far as it is seen, from ``x``, ``y`` on.

    ``places`` says where each tile is in the sheet (y, x; -1 where it is empty), ``size`` is the
    height and width of a tile.
    """
    left, top, width, height = canvas.seen
    rows = _seen(words.shape[0], y, size[0], top, height)
    columns = _seen(words.shape[1], x, size[1], left, width)
    if not rows or not columns:
        return
    step = max(1, _BAND // (len(columns) * size[0] * size[1]))
    for start in range(rows.start, rows.stop, step):
        shown = words[start : min(start + step, rows.stop), columns.start : columns.stop]
        if not (shown & tilemap.INDEX_BITS).any():
            continue
        drawn = tilemap.draw(shown, sheet, places, size)
        at = Transform(x + columns.start * size[1], y + start * size[0])
        canvas.draw(pillow.fromarray(drawn), at)


def _seen(count: int, start: int, size: int, first: int, length: int) -> range:
    """Which of ``count`` rows of a map, each of ``size`` pixels, are on the canvas."""
    low = max(0, (first - start) // size)
    high = min(count, math.ceil((first + length - start) / size))
    return range(low, high) if low < high else range(0)
