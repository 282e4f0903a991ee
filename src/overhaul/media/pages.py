"""Texture pages: a page's rectangle as a full-canvas frame, and back.

A *texture page item* says where a picture lies on a page (its source rectangle) and where it goes
on its canvas (the target rectangle within the bounding size): the compiler crops a picture to its
visible part.  :func:`frame` gives the picture on the canvas the game draws on, and
:func:`replace` puts a changed one back, if it still :func:`fits`.

Around a source rectangle the compiler draws a border of two pixels, so that filtering takes no
colour from a neighbour. Its contents are described in :class:`Border`; the facts are from the
pages of real games (``docs/formats/textures.md`` has the counts).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import EncodeError, FormatError
from overhaul.media.bounds import MAX_PIXELS, check_pixels

BORDER: Final = 2
"""The pixels of a border, as GameMaker draws it by default."""


class Rectangles(Protocol):
    """The rectangles of a texture page item, in pixels; any object with these attributes serves."""

    @property
    def source_x(self) -> int: ...
    @property
    def source_y(self) -> int: ...
    @property
    def source_width(self) -> int: ...
    @property
    def source_height(self) -> int: ...
    @property
    def target_x(self) -> int: ...
    @property
    def target_y(self) -> int: ...
    @property
    def target_width(self) -> int: ...
    @property
    def target_height(self) -> int: ...
    @property
    def bounding_width(self) -> int: ...
    @property
    def bounding_height(self) -> int: ...


class PlacedRectangles(Rectangles, Protocol):
    """The same, with the page the source rectangle lies on: its number, or an object for it."""

    @property
    def page(self) -> object: ...


@dataclass(frozen=True, slots=True)
class Placement:
    """A texture page item's rectangles as a plain value."""

    source_x: int
    source_y: int
    source_width: int
    source_height: int
    target_x: int
    target_y: int
    target_width: int
    target_height: int
    bounding_width: int
    bounding_height: int


class Border(Enum):
    """The contents of the pixels around a source rectangle.

    The first three repeat the nearest pixel of the picture, corners included.  They differ on the
    sides where the picture was cropped, so that there is nothing but transparency beyond.
    """

    REPEATED = "repeated"
    """Repeated there too: GameMaker: Studio up to bytecode 15."""
    CLEAR = "clear"
    """Transparent black there: bytecode 16 to GameMaker 2.3.5."""
    COLOURED = "coloured"
    """Repeated there with alpha 0: GameMaker 2.3.6 and later."""
    WRAPPED = "wrapped"
    """The picture begins again, as for pictures that tile in both directions."""
    WRAPPED_HORIZONTALLY = "wrapped horizontally"
    """It begins again at the left and right; above and below it is repeated."""
    WRAPPED_VERTICALLY = "wrapped vertically"
    """The other way round."""


# Where several rules give the same border, the first one counts.
_LIKELIEST_FIRST: Final = (
    Border.COLOURED,
    Border.CLEAR,
    Border.REPEATED,
    Border.WRAPPED,
    Border.WRAPPED_HORIZONTALLY,
    Border.WRAPPED_VERTICALLY,
)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of an image."""

    x: int
    y: int
    width: int
    height: int


def frame(
    page: NDArray[np.uint8], item: Rectangles, *, max_pixels: int = MAX_PIXELS
) -> NDArray[np.uint8]:
    """The picture of an item on its full canvas: (bounding height, bounding width, 4).

    A picture that was scaled down to fit its page is scaled up by repeating pixels. Parts that
    the target rectangle would put beyond the canvas are left out. Raises FormatError when the
    source rectangle isn't on the page, or the canvas has more than ``max_pixels``.
    """
    source = _source(page, item)
    check_pixels(item.bounding_width, item.bounding_height, max_pixels)
    check_pixels(item.target_width, item.target_height, max_pixels)
    if is_scaled(item):
        rows = np.arange(item.target_height) * item.source_height // max(1, item.target_height)
        columns = np.arange(item.target_width) * item.source_width // max(1, item.target_width)
        if not source.size:
            rows, columns = rows[:0], columns[:0]
        source = source[rows[:, np.newaxis], columns]
    size = (item.bounding_width, item.bounding_height)
    return on_canvas(source, item.target_x, item.target_y, size)


def on_canvas(
    picture: NDArray[np.uint8], x: int, y: int, size: tuple[int, int]
) -> NDArray[np.uint8]:
    """A picture at x, y of a transparent canvas of a size (width, height); what is beyond it is
    left out."""
    canvas = np.zeros((size[1], size[0], 4), np.uint8)
    part = canvas[y:, x:][: picture.shape[0], : picture.shape[1]]
    part[...] = picture[: part.shape[0], : part.shape[1]]
    return canvas


def visible(page: NDArray[np.uint8], item: Rectangles) -> tuple[NDArray[np.uint8], int, int]:
    """The part of a frame that is on the page, and where it is on the frame's canvas: x, y.

    A view of the page where the item is not scaled.  Raises FormatError as :func:`frame`.
    """
    if is_scaled(item):
        return frame(page, item), 0, 0
    rows = max(0, item.bounding_height - item.target_y)
    columns = max(0, item.bounding_width - item.target_x)
    return _source(page, item)[:rows, :columns], item.target_x, item.target_y


def fits(picture: NDArray[np.uint8], item: Rectangles) -> bool:
    """Whether a changed frame can be put back in place.

    It can if its canvas is as large as before, the item isn't scaled, and nothing visible lies
    outside the item's target rectangle.
    """
    if picture.shape != (item.bounding_height, item.bounding_width, 4) or is_scaled(item):
        return False
    outside = picture[..., 3] != 0
    outside[_target(item)] = False
    return not outside.any()


def replace(
    page: NDArray[np.uint8],
    item: Rectangles,
    picture: NDArray[np.uint8],
    *,
    neighbours: Iterable[Rectangles] = (),
    border: int = BORDER,
) -> None:
    """Put a changed frame back where it came from; ``page`` is changed in place.

    The border is redrawn as it was; where it followed no known rule, or one of the
    ``neighbours`` (other items of the page) reaches into it, it stays.  Raises EncodeError when
    the frame doesn't fit, FormatError when the source rectangle isn't on the page.
    """
    if not fits(picture, item):
        raise EncodeError("the changed frame doesn't fit into its place on the texture page")
    source = _source(page, item)
    around = _around(page, item, border)
    style = None
    if not any(overlap(item, other, border) for other in neighbours):
        style = _border_style(page, item, around, border)
    new = picture[_target(item)]
    source[: new.shape[0], : new.shape[1]] = new
    if style is not None:
        _draw_border(page, item, around, style, border)


def border_of(page: NDArray[np.uint8], item: Rectangles, border: int = BORDER) -> Border | None:
    """The border around the picture of an item; None where it follows no rule.

    Raises FormatError when the source rectangle isn't on the page.
    """
    return _border_style(page, item, _around(page, item, border), border)


def source_of(page: NDArray[np.uint8], item: Rectangles) -> NDArray[np.uint8]:
    """The source rectangle of an item, as a view of the page.

    Raises FormatError when it isn't on the page.
    """
    return _source(page, item)


def bordered(
    picture: NDArray[np.uint8],
    cropped: tuple[bool, bool, bool, bool],
    style: Border = Border.COLOURED,
    border: int = BORDER,
) -> NDArray[np.uint8]:
    """A picture with its border; ``cropped`` says left, top, right, bottom: was it cut there?"""
    if not picture.size:
        height, width = picture.shape[:2]
        return np.zeros((height + 2 * border, width + 2 * border, 4), np.uint8)
    across = style in (Border.WRAPPED, Border.WRAPPED_HORIZONTALLY)
    down = style in (Border.WRAPPED, Border.WRAPPED_VERTICALLY)
    out = _continued(_continued(picture, border, across).swapaxes(0, 1), border, down)
    out = np.ascontiguousarray(out.swapaxes(0, 1))
    if across or down or style is Border.REPEATED:
        return out
    left, top, right, bottom = cropped
    first = 0 if style is Border.CLEAR else 3
    out[:, : border * left, first:] = 0
    out[: border * top, :, first:] = 0
    out[:, out.shape[1] - border * right :, first:] = 0
    out[out.shape[0] - border * bottom :, :, first:] = 0
    return out


def _continued(picture: NDArray[np.uint8], border: int, wrap: bool) -> NDArray[np.uint8]:
    """A picture with its columns continued at the left and right (several times as fast as
    ``np.pad``)."""
    height, width = picture.shape[:2]
    if wrap and width < border:
        return np.pad(picture, ((0, 0), (border, border), (0, 0)), mode="wrap")
    out = np.empty((height, width + 2 * border, picture.shape[2]), np.uint8)
    out[:, border : border + width] = picture
    out[:, :border] = picture[:, width - border :] if wrap else picture[:, :1]
    out[:, border + width :] = picture[:, :border] if wrap else picture[:, -1:]
    return out


def content_box(picture: NDArray[np.uint8], *, hidden_colours: bool = False) -> Box:
    """The part of a frame the compiler keeps: the smallest box around all visible pixels.

    An invisible frame keeps the one pixel at its top left.  With ``hidden_colours``, pixels of
    alpha 0 whose colour isn't black count as well, so that cropping loses no byte.
    """
    height, width = picture.shape[:2]
    if height == 0 or width == 0:
        return Box(0, 0, width, height)
    counts = picture[..., 3] != 0
    if hidden_colours:
        counts = np.ascontiguousarray(picture).view(np.uint32)[..., 0] != 0
    rows = np.flatnonzero(np.any(counts, axis=1))
    if len(rows) == 0:
        return Box(0, 0, 1, 1)
    columns = np.flatnonzero(np.any(counts, axis=0))
    x, y = int(columns[0]), int(rows[0])
    return Box(x, y, int(columns[-1]) - x + 1, int(rows[-1]) - y + 1)


def sharing(items: Sequence[PlacedRectangles]) -> Mapping[int, tuple[int, ...]]:
    """Which items lie on the same pixels: index → the others that overlap it.

    The compiler stores equal pictures once, so a fifth of all items share; putting one
    back in place would change the others.
    """
    if not items:
        return {}
    left, top, width, height = np.array(
        [(i.source_x, i.source_y, i.source_width, i.source_height) for i in items], np.int64
    ).T
    known: list[object] = []
    page = np.array([_number(item.page, known) for item in items], np.int64)
    right, bottom = left + width, top + height
    shared: dict[int, tuple[int, ...]] = {}
    for index in range(len(items)):
        overlaps = (page == page[index]) & (left < right[index]) & (left[index] < right)
        overlaps &= (top < bottom[index]) & (top[index] < bottom)
        overlaps[index] = False
        others = np.flatnonzero(overlaps)
        if len(others):
            shared[index] = tuple(others.tolist())
    return shared


def _number(page: object, known: list[object]) -> int:
    """A number for each page met: references compare equal, but needn't be hashable."""
    for number, other in enumerate(known):
        if other is page or other == page:
            return number
    known.append(page)
    return len(known) - 1


def is_scaled(item: Rectangles) -> bool:
    """Whether a picture is stored in another size than it is shown."""
    return (item.source_width, item.source_height) != (item.target_width, item.target_height)


def _source(page: NDArray[np.uint8], item: Rectangles) -> NDArray[np.uint8]:
    """The source rectangle, as a view of the page."""
    right, bottom = item.source_x + item.source_width, item.source_y + item.source_height
    height, width = page.shape[:2]
    if min(item.source_x, item.source_y) < 0 or right > width or bottom > height:
        raise FormatError(
            f"the rectangle {item.source_x}, {item.source_y} to {right}, {bottom} "
            f"isn't on its page of {width} x {height}"
        )
    return page[item.source_y : bottom, item.source_x : right]


def _target(item: Rectangles) -> tuple[slice, slice]:
    return (
        slice(item.target_y, item.target_y + item.target_height),
        slice(item.target_x, item.target_x + item.target_width),
    )


def _cropped(item: Rectangles) -> tuple[bool, bool, bool, bool]:
    """On which sides (left, top, right, bottom) the canvas goes on beyond the picture."""
    return (
        item.target_x > 0,
        item.target_y > 0,
        item.target_x + item.target_width < item.bounding_width,
        item.target_y + item.target_height < item.bounding_height,
    )


def overlap(item: Rectangles, other: Rectangles, border: int = 0) -> bool:
    """Whether another item of a page reaches into an item's border; without one, into itself."""
    return (
        other is not item
        and other.source_x < item.source_x + item.source_width + border
        and item.source_x - border < other.source_x + other.source_width
        and other.source_y < item.source_y + item.source_height + border
        and item.source_y - border < other.source_y + other.source_height
    )


def _around(
    page: NDArray[np.uint8], item: Rectangles, border: int
) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """The bordered rectangle as far as it is on the page: on the page, and in the bordered."""
    x, y = item.source_x - border, item.source_y - border
    height, width = page.shape[:2]
    right = min(width, item.source_x + item.source_width + border)
    bottom = min(height, item.source_y + item.source_height + border)
    return (
        (slice(max(0, y), bottom), slice(max(0, x), right)),
        (slice(max(0, -y), bottom - y), slice(max(0, -x), right - x)),
    )


def _border_style(
    page: NDArray[np.uint8],
    item: Rectangles,
    around: tuple[tuple[slice, slice], tuple[slice, slice]],
    border: int,
) -> Border | None:
    """The rule the border of an item follows, if it follows one."""
    source = _source(page, item)
    if not source.size:
        return None
    on_page, in_bordered = around
    for style in _LIKELIEST_FIRST:
        expected = bordered(source, _cropped(item), style, border)[in_bordered]
        if np.array_equal(page[on_page], expected):
            return style
    return None


def _draw_border(
    page: NDArray[np.uint8],
    item: Rectangles,
    around: tuple[tuple[slice, slice], tuple[slice, slice]],
    style: Border,
    border: int,
) -> None:
    on_page, in_bordered = around
    page[on_page] = bordered(_source(page, item), _cropped(item), style, border)[in_bordered]
