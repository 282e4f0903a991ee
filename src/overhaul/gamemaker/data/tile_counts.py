"""What follows from the picture of a tile set: its numbers, and the borders of its tiles."""

from __future__ import annotations

from array import array
from itertools import product

import numpy as np
from numpy.typing import NDArray

from overhaul.gamemaker.data.chunks.bgnd import Background


def cell_of(record: Background) -> tuple[int, int]:
    """The width and height that a tile takes in the picture: each has borders around it."""
    return (
        record.tile_width + 2 * record.output_border_x,
        record.tile_height + 2 * record.output_border_y,
    )


def with_borders(
    pixels: NDArray[np.uint8],
    before: NDArray[np.uint8],
    cell: tuple[int, int],
    border: tuple[int, int],
) -> NDArray[np.uint8]:
    """A picture of tiles where the borders of repainted tiles repeat the pixels at their edges.

    Borders that somebody painted stay, as do those that were of another kind.
    """
    (width, height), (x, y) = cell, border
    inside = np.s_[y : height - y, x : width - x]

    def extended(tile: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.pad(tile[inside], ((y, y), (x, x), (0, 0)), "edge")

    result = pixels.copy()
    high, wide = (min(pixels.shape[axis], before.shape[axis]) for axis in (0, 1))
    tops, lefts = range(0, high - height + 1, height), range(0, wide - width + 1, width)
    for top, left in product(tops, lefts):
        place = np.s_[top : top + height, left : left + width]
        new, old = pixels[place], before[place]
        if np.array_equal(new, old):
            continue
        repainted = old.copy()
        repainted[inside] = new[inside]
        if np.array_equal(new, repainted) and np.array_equal(old, extended(old)):
            result[place] = extended(new)
    return result


def follows_rule(record: Background, size: tuple[int, int]) -> bool:
    """Whether the numbers of a tile set are what the compiler makes of its picture: whole rows, the
    last of which may have places left."""
    cell = cell_of(record)
    if size[0] % cell[0] or size[1] % cell[1] or not record.columns:
        return False
    return (size[0] // cell[0], size[1] // cell[1]) == (
        record.columns,
        -(-record.tile_count // record.columns),
    )


def same_tiles(record: Background, before: Background) -> bool:
    """Whether no edit sets what follows from the picture's size."""
    names = ("columns", "tile_count", "tile_ids")
    return all(getattr(record, name) == getattr(before, name) for name in names)


def set_tile_count(record: Background, count: int) -> None:
    """Give a tile set more or fewer tiles; those that stay keep their frames."""
    frames = record.frames_per_tile
    new = [tile for tile in range(record.tile_count, count) for _ in range(frames)]
    record.tile_ids = array("I", [*record.tile_ids[: count * frames], *new])
    record.tile_count = count
