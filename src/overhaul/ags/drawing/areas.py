"""The areas of a room: what its masks mark as hotspots, regions, walkable areas, walk-behinds."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overhaul.ags.room.room import Room
from overhaul.media.masks import rectangles

#: The kinds of areas, and the mask of each.
MASK_OF: Final = {
    "hotspots": "hotspot",
    "regions": "region",
    "walk_areas": "walkable",
    "walk_behinds": "walk_behind",
}
#: Areas of more rectangles are given as coarser ones.
MOST_RECTANGLES: Final = 3000
#: In rooms of more pixels, only every second one counts, or fourth, and so on.
MOST_PIXELS: Final = 1 << 23


@dataclass(frozen=True, slots=True)
class Area:
    """An area of a room: the pixels of the room that have its number in a mask.

    ``colour`` is r, g, b; ``box`` is left, top, right, bottom, the last two not included;
    ``shape`` are rectangles (left, top, width, height) that cover it, in order; ``coarse`` where
    these are somewhat larger.
    """

    kind: str
    number: int
    colour: tuple[int, int, int]
    pixels: int
    box: tuple[int, int, int, int]
    shape: list[tuple[int, int, int, int]]
    coarse: bool


def area_colour(number: int) -> tuple[int, int, int]:
    """A colour that keeps an area apart from those with numbers close to it."""
    red, green, blue = colorsys.hsv_to_rgb(number * 0.381966 % 1, 0.85, 0.95)
    return round(red * 255), round(green * 255), round(blue * 255)


def area_map(room: Room, kind: str, size: tuple[int, int]) -> NDArray[np.uint8] | None:
    """The number of the area of each pixel of the room; 0 is none. None without a mask.

    ``size`` is the width and height of the room; a smaller mask is made as large.  Raises
    FormatError for a broken mask, ValueError for an unknown kind.
    """
    if kind not in MASK_OF:
        raise ValueError(f"expected one of {', '.join(MASK_OF)}, got {kind!r}")
    mask = dict(room.masks()).get(MASK_OF[kind])
    if mask is None or not mask.width or not mask.height:
        return None
    pixels = mask.pixels()
    numbers = np.frombuffer(pixels.data, np.uint8).reshape(pixels.height, pixels.width)
    if (pixels.width, pixels.height) == size:
        return numbers
    width, height = size
    columns = np.arange(width) * pixels.width // max(width, 1)
    rows = np.arange(height) * pixels.height // max(height, 1)
    return numbers[rows[:, None], columns]


def room_areas(room: Room, kind: str, size: tuple[int, int]) -> list[Area]:
    """The areas of a kind that have pixels, by number; as for :func:`area_map`."""
    numbers = area_map(room, kind, size)
    if numbers is None:
        return []
    step = 1
    while numbers.size > MOST_PIXELS:
        numbers, step = numbers[::2, ::2], step * 2
    there = np.flatnonzero(np.bincount(numbers.ravel(), minlength=1)[1:]) + 1
    return [_area(numbers == number, kind, number, step) for number in there.tolist()]


def _area(within: NDArray[np.bool_], kind: str, number: int, by: int) -> Area:
    """The area of what is marked, in pixels ``by`` times as large."""
    rows, columns = np.flatnonzero(within.any(axis=1)), np.flatnonzero(within.any(axis=0))
    box = int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
    pixels = int(np.count_nonzero(within))
    step, shape = 1, rectangles(within)
    while len(shape) > MOST_RECTANGLES:
        step *= 2
        shape = [_times(rectangle, step) for rectangle in rectangles(_coarser(within, step))]
    left, top, right, bottom = (side * by for side in box)
    shape = [_times(each, by) for each in shape]
    return Area(
        kind, number, area_colour(number), pixels * by * by, (left, top, right, bottom), shape,
        step * by > 1,
    )  # fmt: skip


def _times(box: tuple[int, int, int, int], by: int) -> tuple[int, int, int, int]:
    """A rectangle so many times as large, as is its place."""
    left, top, width, height = box
    return left * by, top * by, width * by, height * by


def _coarser(within: NDArray[np.bool_], step: int) -> NDArray[np.bool_]:
    """A mask of one pixel for each square with a pixel in it."""
    height, width = within.shape
    padded = np.pad(within, ((0, -height % step), (0, -width % step)))
    high, wide = padded.shape
    squares = padded.reshape(high // step, step, wide // step, step)
    coarse: NDArray[np.bool_] = np.any(squares, axis=(1, 3))
    return coarse
