"""Nine-slice pictures: the corners keep their size, the sides and the centre fill theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.media.canvas import Transform

#: How a part fills its place, as GameMaker numbers it; other numbers stretch.
REPEAT: Final = 1
MIRROR: Final = 2
BLANK_REPEAT: Final = 3
HIDE: Final = 4


class Cuts(Protocol):
    """Where a picture is cut, in pixels from its sides, and how each part fills its place."""

    @property
    def left(self) -> int: ...
    @property
    def top(self) -> int: ...
    @property
    def right(self) -> int: ...
    @property
    def bottom(self) -> int: ...
    @property
    def enabled(self) -> int: ...
    @property
    def left_mode(self) -> int: ...
    @property
    def top_mode(self) -> int: ...
    @property
    def right_mode(self) -> int: ...
    @property
    def bottom_mode(self) -> int: ...
    @property
    def centre_mode(self) -> int: ...


#: the largest picture that is made; a larger one is stretched as a whole
_LARGEST = 1 << 24


def nine_slice_picture(
    sheet: NDArray[np.uint8], cuts: Cuts, at: Transform
) -> tuple[NDArray[np.uint8], Transform] | None:
    """A picture of the size it is drawn at, and how to draw it; None where it is not cut."""
    height, width = sheet.shape[:2]
    if not at.is_finite or not cuts.enabled or (abs(at.scale_x), abs(at.scale_y)) == (1, 1):
        return None
    wide, high = round(width * abs(at.scale_x)), round(height * abs(at.scale_y))
    if min(cuts.left, cuts.right, cuts.top, cuts.bottom) < 0 or not 0 < wide * high <= _LARGEST:
        return None
    if cuts.left + cuts.right >= width or cuts.top + cuts.bottom >= height:
        return None
    if cuts.left + cuts.right > wide or cuts.top + cuts.bottom > high:
        return None
    out = np.zeros((high, wide, 4), np.uint8)
    columns = _spans(width, wide, cuts.left, cuts.right)
    rows = _spans(height, high, cuts.top, cuts.bottom)
    modes = (
        (None, cuts.top_mode, None),
        (cuts.left_mode, cuts.centre_mode, cuts.right_mode),
        (None, cuts.bottom_mode, None),
    )
    for (from_y, to_y), line in zip(rows, modes, strict=True):
        for (from_x, to_x), mode in zip(columns, line, strict=True):
            y, x = _chosen(from_y, to_y, mode), _chosen(from_x, to_x, mode)
            part = sheet[np.maximum(y, 0)[:, None], np.maximum(x, 0)]
            part[y < 0] = 0
            part[:, x < 0] = 0
            if mode != HIDE:
                out[to_y.start : to_y.stop, to_x.start : to_x.stop] = part
    across, down = abs(at.scale_x), abs(at.scale_y)
    return out, at._replace(
        scale_x=at.scale_x / across,
        scale_y=at.scale_y / down,
        origin_x=at.origin_x * across,
        origin_y=at.origin_y * down,
    )


def _spans(size: int, drawn: int, first: int, last: int) -> list[tuple[range, range]]:
    """The three parts of a side: where they are in the picture, and where they are drawn."""
    return [
        (range(first), range(first)),
        (range(first, size - last), range(first, drawn - last)),
        (range(size - last, size), range(drawn - last, drawn)),
    ]


def _chosen(source: range, target: range, mode: int | None) -> NDArray[np.int64]:
    """The row or column of the picture for each that is drawn; -1 for none."""
    count = np.arange(len(target))
    size = len(source)
    if mode is None or size == len(target) or not size:
        return source.start + count[: len(target)]
    if mode == REPEAT:
        return source.start + count % size
    if mode == MIRROR:
        turn = count % (2 * size)
        return source.start + np.minimum(turn, 2 * size - 1 - turn)
    if mode == BLANK_REPEAT:
        whole = len(target) // size * size
        return np.where(count < whole, source.start + count % size, -1)
    return source.start + (2 * count + 1) * size // (2 * max(1, len(target)))
