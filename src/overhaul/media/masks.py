"""Collision masks: one bit per pixel, rows from the top, each row padded to whole bytes.

The leftmost pixel is the most significant bit.  A set bit is solid.  The bits after the width in
a row's last byte mean nothing; some games have them set, so they can be kept apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import EncodeError, FormatError

if TYPE_CHECKING:
    from PIL import Image


def row_size(width: int) -> int:
    """The bytes of one row."""
    return (width + 7) // 8


def mask_size(width: int, height: int) -> int:
    """The bytes of one mask."""
    return row_size(width) * height


def unpack(data: bytes | memoryview, width: int, height: int) -> NDArray[np.bool_]:
    """The mask as booleans (height, width), True where solid; raises FormatError."""

    bits = np.unpackbits(_rows(data, width, height), axis=1, count=width)
    return bits.view(np.bool_)


def spare_bits(data: bytes | memoryview, width: int, height: int) -> bytes:
    """The bits after the width, one byte per row; empty when none is set (as mostly)."""

    used_in_last = width % 8
    if used_in_last == 0:
        return b""
    spare = _rows(data, width, height)[:, -1] & np.uint8(0xFF >> used_in_last)
    return spare.tobytes() if spare.any() else b""


def pack(mask: NDArray[np.bool_], spare: bytes = b"") -> bytes:
    """The bytes of a mask (height, width), with its spare bits put back.

    Raises EncodeError when the spare bits are for another number of rows or touch pixels.
    """

    if mask.ndim != 2:
        raise EncodeError(f"expected a mask of (height, width), got {mask.shape}")
    rows = np.packbits(mask.astype(np.bool_, copy=False), axis=1)
    if spare:
        height, width = mask.shape
        last = np.frombuffer(spare, np.uint8)
        if len(last) != height:
            raise EncodeError(f"spare bits for {len(last)} rows, but the mask has {height}")
        if width % 8 == 0 or (last & np.uint8(0xFF00 >> width % 8 & 0xFF)).any():
            raise EncodeError("the spare bits overlap the mask's pixels")
        rows[:, -1] |= last
    return rows.tobytes()


def to_image(mask: NDArray[np.bool_]) -> Image.Image:
    """A Pillow image of mode "1": white where solid."""
    from PIL import Image  # start-up: Pillow

    height, width = mask.shape
    return Image.frombytes("1", (width, height), pack(mask))


def from_image(image: Image.Image) -> NDArray[np.bool_]:
    """The mask of a Pillow image of any mode: solid where it is lighter than middle grey.

    Transparent pixels are not solid.
    """
    from PIL import Image  # start-up: Pillow

    if image.mode == "1":
        return np.array(image, np.bool_)
    rgba = image.convert("RGBA")
    black = Image.new("RGBA", rgba.size, (0, 0, 0, 255))
    return np.array(Image.alpha_composite(black, rgba).convert("L")) > 127


def _rows(data: bytes | memoryview, width: int, height: int) -> NDArray[np.uint8]:

    if width < 0 or height < 0:
        raise FormatError(f"a mask can't be {width} x {height}")
    wanted = mask_size(width, height)
    if len(data) != wanted:
        raise FormatError(
            f"a mask of {width} x {height} takes {wanted} bytes, got {len(data)}", offset=0
        )
    return np.frombuffer(data, np.uint8).reshape(height, row_size(width))


def rectangles(mask: NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """Rectangles (left, top, width, height) that cover what is solid, once each, from the top.

    Runs of the same place in rows that follow each other are one rectangle.
    """
    edges = np.diff(np.pad(mask, ((0, 0), (1, 1))).view(np.int8), axis=1)
    rows, starts = np.nonzero(edges == 1)
    _, ends = np.nonzero(edges == -1)
    boxes: list[tuple[int, int, int, int]] = []
    last: dict[tuple[int, int], int] = {}  # (start, end) -> place in found, of the row above
    this: dict[tuple[int, int], int] = {}
    at = -1
    for row, start, end in zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True):
        if row != at:
            last, this, at = (this if row == at + 1 else {}), {}, row
        place = last.get((start, end))
        if place is None:
            place = len(boxes)
            boxes.append((start, row, end - start, 0))
        left, top, width, height = boxes[place]
        boxes[place] = left, top, width, height + 1
        this[start, end] = place
    return boxes
