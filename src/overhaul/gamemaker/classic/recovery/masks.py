"""The settings of collision masks that give the masks of an executable.

Compiling a sprite of Game Maker 8 replaces the shape of its masks, the tolerance and the way of its
bounding box by the masks themselves.  Settings are tried: those that make the same masks are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from overhaul.gamemaker.classic.executable.records import Mask

Bits: TypeAlias = "NDArray[np.bool_]"
Box: TypeAlias = "tuple[int, int, int, int]"

PRECISE: Final = 0
RECTANGLE: Final = 1
DISK: Final = 2
DIAMOND: Final = 3
AUTOMATIC: Final = 0
FULL: Final = 1
MANUAL: Final = 2


class MaskSettings(NamedTuple):
    """Shape, tolerance (a more opaque pixel collides), way of the bounding box, and the box as
    left, top, right, bottom; ``is_proven``: they make the masks of the executable."""

    shape: int
    tolerance: int
    box_mode: int
    box: Box
    is_proven: bool


def settings_of(
    frames: Sequence[NDArray[np.uint8]], masks: Sequence[Mask], shape: int | None
) -> MaskSettings:
    """The settings of the masks of a sprite; ``frames`` are the alpha of its subimages (height,
    width), ``shape`` is the one that an executable of 8.1 names."""
    found = [_bits(mask) for mask in masks]
    boxes = [(mask.left, mask.top, mask.right, mask.bottom) for mask in masks]
    if not masks or not frames or any(bits is None for bits in found):
        return MaskSettings(shape or PRECISE, 0, AUTOMATIC, _around(boxes), not masks)
    known = [bits for bits in found if bits is not None]
    if any(bits.shape != alpha.shape for bits, alpha in zip(known, frames, strict=False)):
        return MaskSettings(shape or PRECISE, 0, AUTOMATIC, _around(boxes), False)
    separate = len(masks) == len(frames) and len(frames) > 1
    opaque = list(frames) if separate else [np.maximum.reduce(list(frames))]
    whole = _around(boxes)
    shapes = (PRECISE, RECTANGLE, DISK, DIAMOND) if shape is None else (shape,)
    for tried in shapes:
        for tolerance in _tolerances(opaque, known, tried):
            mode = _box_mode(opaque, boxes, tolerance)
            made = [
                shaped(alpha, box, tried, tolerance)
                for alpha, box in zip(opaque, boxes, strict=False)
            ]
            if mode is not None and all(map(np.array_equal, made, known)):
                return MaskSettings(tried, tolerance, mode, whole, True)
    return MaskSettings(shape or PRECISE, 0, MANUAL, whole, False)


def shaped(alpha: NDArray[np.uint8], box: Box, shape: int, tolerance: int) -> Bits:
    """The mask that a shape gives in a bounding box."""
    left, top, right, bottom = box
    y, x = np.ogrid[: alpha.shape[0], : alpha.shape[1]]
    inside: Bits = (left <= x) & (x <= right) & (top <= y) & (y <= bottom)
    if shape == PRECISE:
        return inside & (alpha > tolerance)
    if shape == RECTANGLE:
        return inside
    half_x, half_y = (right - left) / 2, (bottom - top) / 2
    across = (x - (left + right) / 2) / (half_x + 0.5)
    down = (y - (top + bottom) / 2) / (half_y + 0.5)
    if shape == DISK:
        return inside & (across * across + down * down <= 1)
    return inside & (np.abs(across) + np.abs(down) <= 1)


def _bits(mask: Mask) -> Bits | None:
    """The solid pixels of a mask (height, width); None for one of another size than it says."""
    if min(mask.width, mask.height) <= 0 or len(mask.bits) != 4 * mask.width * mask.height:
        return None
    words = np.frombuffer(mask.bits, "<u4").reshape(mask.height, mask.width)
    solid: Bits = words != 0
    return solid


def _tolerances(
    opaque: Sequence[NDArray[np.uint8]], known: Sequence[Bits], shape: int
) -> Iterator[int]:
    """The tolerances that may give masks: the usual one, and the most opaque of the pixels that do
    not collide."""
    yield 0
    if shape == PRECISE:
        free = [alpha[~bits] for alpha, bits in zip(opaque, known, strict=False)]
        most = max((int(part.max()) for part in free if part.size), default=0)
        if most:
            yield most
        solid = [alpha[bits] for alpha, bits in zip(opaque, known, strict=False)]
        least = min((int(part.min()) for part in solid if part.size), default=0)
        if least > 1:
            yield least - 1
    else:
        yield from sorted({int(value) for alpha in opaque for value in np.unique(alpha)[:256]})


def _box_mode(
    opaque: Sequence[NDArray[np.uint8]], boxes: Sequence[Box], tolerance: int
) -> int | None:
    """The way of the bounding box that gives the boxes of the masks; None where none does."""
    if all(map(np.array_equal, (_opaque_box(alpha, tolerance) for alpha in opaque), boxes)):
        return AUTOMATIC
    if all(
        box == (0, 0, alpha.shape[1] - 1, alpha.shape[0] - 1)
        for alpha, box in zip(opaque, boxes, strict=False)
    ):
        return FULL
    return MANUAL if len(set(boxes)) == 1 else None


def _opaque_box(alpha: NDArray[np.uint8], tolerance: int) -> Box:
    """The box around the pixels that are more opaque."""
    rows, columns = np.nonzero(alpha > tolerance)
    if not rows.size:
        return 0, 0, 0, 0
    return int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())


def _around(boxes: Sequence[Box]) -> Box:
    """The box around boxes."""
    if not boxes:
        return 0, 0, 0, 0
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
