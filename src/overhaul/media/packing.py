"""New texture pages: frames packed tightly, the same way every time.

:func:`pack` places rectangles by the MaxRects method: it keeps the largest free rectangles of a
page and puts each picture, the largest first, into the free one that leaves the least over on the
shorter side.  :func:`build` does the rest: crops the frames, stores equal pictures once, draws
the borders, and says where each frame went.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import EncodeError
from overhaul.media.pages import (
    BORDER,
    Border,
    Box,
    Placement,
    bordered,
    content_box,
    on_canvas,
)
from overhaul.schema.record import short_repr

MAX_PAGE_SIZE: Final = 2048
"""GameMaker's default for the largest width and height of a texture page."""


# Four numbers of this size make one of 64 bits.
_SIZE_BITS: Final = 15


@dataclass(frozen=True, slots=True)
class PackedPage:
    """The size of a page and (rectangle's index, x, y) of what lies on it, borders left out."""

    __repr__ = short_repr

    width: int
    height: int
    places: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class PackedPicture:
    """The part of a texture page that shows a frame: its pixels (height, width, 4), their place
    on the frame's canvas, and the canvas's size. ``style`` is the border; None for none."""

    __repr__ = short_repr

    pixels: NDArray[np.uint8]
    x: int
    y: int
    canvas: tuple[int, int]
    style: Border | None = Border.COLOURED

    @property
    def size(self) -> tuple[int, int]:
        """The width and height on the page."""
        return self.pixels.shape[1], self.pixels.shape[0]

    @property
    def cropped(self) -> tuple[bool, bool, bool, bool]:
        """Whether the canvas goes on at the left, top, right, bottom."""
        (width, height), (whole_width, whole_height) = self.size, self.canvas
        return (
            self.x > 0,
            self.y > 0,
            self.x + width < whole_width,
            self.y + height < whole_height,
        )

    @property
    def key(self) -> Hashable:
        """Equal for pictures that can share a place.

        They must also be cropped on the same sides, or the one border would be wrong for the
        other.
        """
        digest = hashlib.blake2b(np.ascontiguousarray(self.pixels).data, digest_size=20).digest()
        return digest, self.size, self.cropped, self.style

    def frame(self) -> NDArray[np.uint8]:
        """The picture on its canvas (height, width, 4)."""
        return on_canvas(self.pixels, self.x, self.y, self.canvas)

    def placed(self, x: int, y: int) -> Placement:
        """The rectangles of the picture at (x, y) of its page."""
        return Placement(x, y, *self.size, self.x, self.y, *self.size, *self.canvas)


def trim(
    frame: NDArray[np.uint8],
    style: Border | None = Border.COLOURED,
    *,
    crop: bool = True,
    hidden_colours: bool = False,
) -> PackedPicture:
    """The picture a frame (height, width, 4) becomes.

    With ``crop`` it keeps only its visible part (see :func:`content_box`, also for
    ``hidden_colours``).
    """
    height, width = frame.shape[:2]
    box = content_box(frame, hidden_colours=hidden_colours) if crop else Box(0, 0, width, height)
    part = frame[box.y : box.y + box.height, box.x : box.x + box.width]
    return PackedPicture(part.copy(), box.x, box.y, (width, height), style)


@dataclass(frozen=True, slots=True)
class Plan:
    """New pages before they are drawn, and each picture's (page among them, x, y)."""

    __repr__ = short_repr

    pages: list[PackedPage]
    where: list[tuple[int, int, int]]


def plan(
    keys: Sequence[Hashable],
    sizes: Sequence[tuple[int, int]],
    *,
    max_size: int = MAX_PAGE_SIZE,
    border: int = BORDER,
    strict: bool = False,
) -> Plan:
    """Find places for pictures of these sizes; those with equal keys share one.

    ``strict``: see :func:`pack`.  The places of the pages have the index of the first picture of a
    key.  Raises EncodeError when a picture is larger than a page may be.
    """
    first: dict[Hashable, int] = {}
    for index, key in enumerate(keys):
        first.setdefault(key, index)
    shown = list(first.values())
    packed = pack([sizes[i] for i in shown], max_size=max_size, border=border, strict=strict)
    pages = []
    where: dict[int, tuple[int, int, int]] = {}
    for number, page in enumerate(packed):
        places = tuple((shown[which], x, y) for which, x, y in page.places)
        where.update((index, (number, x, y)) for index, x, y in places)
        pages.append(PackedPage(page.width, page.height, places))
    return Plan(pages, [where[first[key]] for key in keys])


def draw(
    page: PackedPage,
    picture: Callable[[int], PackedPicture],
    *,
    border: int = BORDER,
    onto: NDArray[np.uint8] | None = None,
) -> NDArray[np.uint8]:
    """The pixels of a planned page, or of a page with these ``onto`` it; ``border`` is how far
    pictures are continued around."""
    pixels = np.zeros((page.height, page.width, 4), np.uint8) if onto is None else onto.copy()
    for index, x, y in page.places:
        _draw(pixels, x, y, picture(index), border)
    return pixels


@dataclass(frozen=True, slots=True)
class BuiltPages:
    """New pages, and for each frame the number of its page among them and its rectangles."""

    __repr__ = short_repr

    pages: list[NDArray[np.uint8]]
    items: list[tuple[int, Placement]]


def build(
    frames: Sequence[NDArray[np.uint8]],
    *,
    max_size: int = MAX_PAGE_SIZE,
    border: int = BORDER,
    style: Border = Border.COLOURED,
    crop: bool = True,
    hidden_colours: bool = False,
) -> BuiltPages:
    """Put frames (height, width, 4) on new texture pages: :func:`trim`, :func:`plan`,
    :func:`draw`.

    Raises EncodeError when a frame is larger than a page may be.
    """
    pictures = [trim(frame, style, crop=crop, hidden_colours=hidden_colours) for frame in frames]
    planned = plan(
        [picture.key for picture in pictures],
        [picture.size for picture in pictures],
        max_size=max_size,
        border=border,
    )
    return BuiltPages(
        [draw(page, pictures.__getitem__, border=border) for page in planned.pages],
        [
            (number, picture.placed(x, y))
            for picture, (number, x, y) in zip(pictures, planned.where, strict=True)
        ],
    )


def pack(
    sizes: Sequence[tuple[int, int]],
    *,
    max_size: int = MAX_PAGE_SIZE,
    border: int = BORDER,
    strict: bool = False,
) -> list[PackedPage]:
    """Place rectangles (width, height) on pages whose sides are powers of two up to ``max_size``.

    All but the last page are full-sized; that one is the smallest that holds what is left.  A
    rectangle that leaves its page no room for a border goes without, as with GameMaker; with
    ``strict`` only where a page of ``max_size`` has no room either.  Raises EncodeError when a
    rectangle is larger than a page may be.
    """
    largest = 1 << min(_SIZE_BITS, max(1, max_size).bit_length()) - 1
    for index, (width, height) in enumerate(sizes):
        if max(width, height) > largest:
            raise EncodeError(
                f"a picture of {width} x {height} doesn't fit a texture page of {largest} x "
                f"{largest} pixels",
                path=f"[{index}]",
            )
    left = sorted(range(len(sizes)), key=lambda i: (-max(sizes[i]), -min(sizes[i]), i))
    pages: list[PackedPage] = []
    while left:
        page = _smallest_page(left, sizes, largest, border, strict)
        if page is None:
            page = _Page(largest, largest, border)
            page.fill(left, sizes)
        pages.append(PackedPage(page.width, page.height, tuple(page.places)))
        done = {index for index, _, _ in page.places}
        left = [index for index in left if index not in done]
    return pages


def room(
    page: tuple[int, int],
    taken: Iterable[Box],
    sizes: Sequence[tuple[int, int]],
    *,
    border: int = BORDER,
) -> PackedPage | None:
    """Places for rectangles on a page of a size, between those that are ``taken``; None where it
    has no room for all of them.  Borders do not meet."""
    width, height = page
    filled = _Page(width, height, border, max(width, height))
    for box in taken:
        right, bottom = box.x + box.width + border, box.y + box.height + border
        filled.take(box.x - border, box.y - border, right, bottom)
    order = sorted(range(len(sizes)), key=lambda i: (-max(sizes[i]), -min(sizes[i]), i))
    if not filled.fill(order, sizes, all_or_none=True):
        return None
    return PackedPage(width, height, tuple(filled.places))


def _smallest_page(
    order: Sequence[int],
    sizes: Sequence[tuple[int, int]],
    largest: int,
    border: int,
    strict: bool,
) -> _Page | None:
    """A page with all of the rectangles on it; None if not even the largest holds them."""
    widths, heights = np.array([sizes[index] for index in order], np.int64).T
    sides = [1 << power for power in range(largest.bit_length())]
    candidates = [(width, height) for width in sides for height in sides]
    # By area; of one area the squarer first, the wider before the higher.
    candidates.sort(key=lambda size: (size[0] * size[1], max(size), -size[0]))
    for width, height in candidates:
        if widths.max() > width or heights.max() > height:
            continue
        # As place() takes room: with borders, or the page's whole width or height.
        outer_widths = np.minimum(widths + 2 * border, width)
        outer_heights = np.minimum(heights + 2 * border, height)
        if (outer_widths * outer_heights).sum() > width * height:
            continue
        page = _Page(width, height, border, largest if strict else 0)
        if page.fill(order, sizes, all_or_none=True):
            return page
    return None


class _Page:
    """A page being filled: its free rectangles as columns left, top, right, bottom.

    Where a rectangle with its border is not wider (or higher) than ``roomy``, it keeps the border.
    """

    def __init__(self, width: int, height: int, border: int, roomy: int = 0) -> None:
        self.roomy = roomy
        self.width = width
        self.height = height
        self.border = border
        self.places: list[tuple[int, int, int]] = []
        self.free = np.array([[0, 0, width, height]], np.int64)

    def fill(
        self, order: Sequence[int], sizes: Sequence[tuple[int, int]], *, all_or_none: bool = False
    ) -> bool:
        """Place what fits, in this order; whether all did.  With ``all_or_none``, stop early."""
        complete = True
        for index in order:
            if not self.place(index, *sizes[index]):
                complete = False
                if all_or_none:
                    break
        return complete

    def place(self, index: int, width: int, height: int) -> bool:
        """Place a rectangle, if there is room."""
        outer_width, outer_height = width + 2 * self.border, height + 2 * self.border
        border_x = border_y = self.border
        if self.width < outer_width <= self.roomy or self.height < outer_height <= self.roomy:
            return False
        if outer_width > self.width:  # no room for borders: it has the page's width to itself
            border_x, outer_width = 0, max(width, self.width)
        if outer_height > self.height:
            border_y, outer_height = 0, max(height, self.height)
        spare_x = self.free[:, 2] - self.free[:, 0] - outer_width
        spare_y = self.free[:, 3] - self.free[:, 1] - outer_height
        fitting = np.flatnonzero((spare_x >= 0) & (spare_y >= 0))
        if len(fitting) == 0:
            return False
        corners = self.free[fitting]
        spare_x, spare_y = spare_x[fitting], spare_y[fitting]
        # One number to rank by: the lesser spare room, then the greater, then top and left.
        rank = np.minimum(spare_x, spare_y)
        for term in (np.maximum(spare_x, spare_y), corners[:, 1], corners[:, 0]):
            rank = rank << _SIZE_BITS | term
        x, y = (int(value) for value in corners[rank.argmin(), :2])
        self.places.append((index, x + border_x, y + border_y))
        self.take(x, y, x + outer_width, y + outer_height)
        return True

    def take(self, left: int, top: int, right: int, bottom: int) -> None:
        """Take a rectangle out of the free ones: each it cuts leaves up to four around it."""
        free = self.free
        cut = (free[:, 0] < right) & (left < free[:, 2]) & (free[:, 1] < bottom)
        cut &= top < free[:, 3]
        pieces = []
        for column, edge in ((2, left), (3, top), (0, right), (1, bottom)):
            piece = free[cut].copy()
            piece[:, column] = edge
            pieces.append(piece)
        new = np.concatenate(pieces)
        new = new[(new[:, 0] < new[:, 2]) & (new[:, 1] < new[:, 3])]
        kept = free[~cut]
        # A free rectangle within another is useless, and of equal ones the first is enough. Only
        # the new ones need checking: the kept ones lay in no other, so in no part of one.
        rest = np.concatenate((kept, new))
        one = new[:, np.newaxis]
        inside = (one[..., 0] >= rest[:, 0]) & (one[..., 1] >= rest[:, 1])
        inside &= (one[..., 2] <= rest[:, 2]) & (one[..., 3] <= rest[:, 3])
        later = len(kept) + np.arange(len(new))[:, np.newaxis] > np.arange(len(rest))
        equal = np.all(one == rest, axis=2)
        useless = np.any(inside & (~equal | later), axis=1)
        self.free = np.concatenate((kept, new[~useless]))


def _draw(page: NDArray[np.uint8], x: int, y: int, picture: PackedPicture, border: int) -> None:
    """Draw a picture at (x, y) with as much of its border as is on the page."""
    if not picture.pixels.size:
        return
    width, height = picture.size
    if picture.style is None:
        border = 0
    with_border = (
        picture.pixels
        if picture.style is None
        else bordered(picture.pixels, picture.cropped, picture.style, border)
    )
    left, top = max(0, x - border), max(0, y - border)
    right = min(page.shape[1], x + width + border)
    bottom = min(page.shape[0], y + height + border)
    page[top:bottom, left:right] = with_border[
        top - y + border : bottom - y + border, left - x + border : right - x + border
    ]
