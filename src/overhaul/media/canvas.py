"""A picture that others are drawn on as GameMaker draws them: moved, scaled, rotated, tinted.

A pixel belongs to a drawn picture if its centre does, and takes the picture's pixel its centre
falls into (or, where the game interpolates, a mixture of the four nearest).  Colours are blended
by the alpha of what is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image as pillow
from PIL.Image import Image

from overhaul.errors import EncodeError

#: red, green, blue, alpha: 0 to 255 each
RGBA: TypeAlias = tuple[int, int, int, int]

WHITE: Final = (255, 255, 255, 255)
#: the largest picture that is made, in pixels: 1 GiB
LARGEST: Final = 1 << 28
#: an image that is made smaller, or drawn strip by strip, may have so many pixels; a strip has so
#: many
SEEN: Final = 1 << 30
_STRIP: Final = 1 << 22
#: of what is drawn quickly, so many pixels across and down become one
_SAMPLES: Final = 4
#: how many pixels are made at a time of something that fills the canvas
_BAND: Final = 1 << 22
#: cosine and sine of the angles at which no pixel is lost
_QUARTERS: Final = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))


class Transform(NamedTuple):
    """How a picture is drawn: its origin is at ``x``, ``y``, scaled and then turned around it.

    ``angle`` is in degrees, anticlockwise; a negative scale mirrors.
    """

    x: float
    y: float
    origin_x: float = 0.0
    origin_y: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0
    angle: float = 0.0

    @property
    def is_plain(self) -> bool:
        """Whether the picture is only moved, by whole pixels."""
        return (
            self.scale_x == 1
            and self.scale_y == 1
            and self.angle == 0
            and float(self.x - self.origin_x).is_integer()
            and float(self.y - self.origin_y).is_integer()
        )

    @property
    def is_finite(self) -> bool:
        """Whether there is anything to draw: no scale is 0, and all are numbers."""
        return all(map(math.isfinite, self)) and self.scale_x != 0 != self.scale_y

    def scaled(self, scale: float, x: float, y: float) -> Transform:
        """The same in a plane that is scaled itself, with ``x``, ``y`` at 0, 0."""
        return self._replace(
            x=(self.x - x) * scale, y=(self.y - y) * scale,
            scale_x=self.scale_x * scale, scale_y=self.scale_y * scale,
        )  # fmt: skip

    @property
    def axes(self) -> tuple[float, float, float, float]:
        """Where a pixel to the right and one down lead: x and y of each."""
        cosine, sine = cosine_and_sine(self.angle)
        return (
            self.scale_x * cosine,
            -self.scale_x * sine,
            self.scale_y * sine,
            self.scale_y * cosine,
        )

    @property
    def sources(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """How far in the picture a pixel to the right and one down of the plane lead: across, and
        down."""
        cosine, sine = cosine_and_sine(self.angle)
        return (
            (cosine / self.scale_x, -sine / self.scale_x),
            (sine / self.scale_y, cosine / self.scale_y),
        )


class Affine(NamedTuple):
    """How a picture or plane is placed where it may be skewed, too.

    Its origin is at ``x``, ``y``; a pixel to the right leads to ``right_x``, ``right_y`` from
    there, one down to ``down_x``, ``down_y``.
    """

    x: float
    y: float
    origin_x: float
    origin_y: float
    right_x: float
    right_y: float
    down_x: float
    down_y: float

    @classmethod
    def of(cls, at: Transform) -> Affine:
        """The same as a transform."""
        return cls(at.x, at.y, at.origin_x, at.origin_y, *at.axes)

    @property
    def is_plain(self) -> bool:
        """Whether the picture is only moved (no: those are transforms)."""
        return False

    @property
    def is_finite(self) -> bool:
        """Whether there is anything to draw."""
        return all(map(math.isfinite, self)) and self._area != 0

    @property
    def _area(self) -> float:
        return self.right_x * self.down_y - self.right_y * self.down_x

    @property
    def axes(self) -> tuple[float, float, float, float]:
        """See :attr:`Transform.axes`."""
        return self[4:]

    @property
    def sources(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """See :attr:`Transform.sources`."""
        area = self._area
        return (
            (self.down_y / area, -self.down_x / area),
            (-self.right_y / area, self.right_x / area),
        )

    def scaled(self, scale: float, x: float, y: float) -> Affine:
        """See :meth:`Transform.scaled`."""
        place = (self.x - x) * scale, (self.y - y) * scale
        return Affine(*place, *self[2:4], *(axis * scale for axis in self.axes))

    def turned(self, x: float, y: float) -> tuple[float, float]:
        """Where a step in the plane leads."""
        return x * self.right_x + y * self.down_x, x * self.right_y + y * self.down_y

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the plane is."""
        across, down = self.turned(x - self.origin_x, y - self.origin_y)
        return self.x + across, self.y + down

    def within(self, outer: Affine) -> Affine:
        """The same in a plane that is itself placed in another."""
        right = outer.turned(self.right_x, self.right_y)
        down = outer.turned(self.down_x, self.down_y)
        origin = (self.origin_x, self.origin_y)
        return Affine(*outer.place(self.x, self.y), *origin, *right, *down)

    def simplified(self) -> Transform | Affine:
        """As a transform, if it is not skewed."""
        across, area = math.hypot(self.right_x, self.right_y), self._area
        skew = self.right_x * self.down_x + self.right_y * self.down_y
        if not self.is_finite or abs(skew) > 1e-9 * abs(area):
            return self
        angle = math.degrees(math.atan2(-self.right_y, self.right_x))
        return Transform(*self[:4], across, area / across, angle)


class Canvas:
    """A rectangle of a plane: pixel 0, 0 of ``image`` is at ``left``, ``top``.

    ``smooth`` says whether pixels are interpolated where a picture is scaled or turned. Drawings
    have their place in a plane that is scaled by ``scale`` (see :meth:`part`).
    """

    def __init__(
        self,
        left: int,
        top: int,
        width: int,
        height: int,
        *,
        smooth: bool = False,
    ) -> None:
        self.left = left
        self.top = top
        self.scale: float = 1.0
        #: the rectangle of the plane that is on it: left, top, width, height
        self.seen: tuple[int, int, int, int] = left, top, width, height
        self.image: Image = pillow.new("RGBA", (width, height))
        self.smooth = smooth

    @property
    def width(self) -> int:
        """Pixels."""
        return self.image.width

    @property
    def height(self) -> int:
        """Pixels."""
        return self.image.height

    @classmethod
    def part(
        cls, region: tuple[int, int, int, int], scale: float, *, smooth: bool = False
    ) -> Canvas:
        """A canvas of a rectangle of the plane (left, top, width, height), scaled."""
        wide, high = (max(1, math.ceil(size * scale)) for size in region[2:])
        made = cls(0, 0, wide, high, smooth=smooth)
        made.scale, made.seen = scale, region
        return made

    def fill(self, colour: RGBA) -> None:
        """Cover everything with a colour."""
        if colour[3] == 255:
            self.image.paste(colour, (0, 0, self.width, self.height))
            return
        rows = self._band_rows()
        band = pillow.new("RGBA", (self.width, min(rows, self.height)), colour)
        for top in range(0, self.height, rows):
            self.put(band, self.left, self.top + top)

    def put(self, image: Image, x: int, y: int) -> None:
        """Draw a picture whose upper left corner is at ``x``, ``y``, where no scale counts."""
        x, y = x - self.left, y - self.top
        left, top = max(0, -x), max(0, -y)
        right, bottom = min(image.width, self.width - x), min(image.height, self.height - y)
        if left >= right or top >= bottom:
            return
        if (left, top, right, bottom) != (0, 0, image.width, image.height):
            image = image.crop((left, top, right, bottom))
        box = (x + left, y + top, x + right, y + bottom)
        self.image.paste(pillow.alpha_composite(self.image.crop(box), image), box)

    def draw(self, image: Image, at: Transform | Affine, colour: RGBA = WHITE) -> None:
        """Draw a picture, multiplied with a colour."""
        if self.scale != 1:
            at = at.scaled(self.scale, *self.seen[:2])
        if not at.is_finite or not image.width or not image.height:
            return
        box = self._box(image, at)
        if box is None:
            return
        if colour != WHITE:
            image = tinted(image, colour)
        if at.is_plain:
            self.put(image, int(at.x - at.origin_x), int(at.y - at.origin_y))
            return
        left, top, right, bottom = box
        across, down = at.sources
        if self.smooth:
            x, y = left - at.x, top - at.y
            coefficients = (
                *across,
                x * across[0] + y * across[1] + at.origin_x,
                *down,
                x * down[0] + y * down[1] + at.origin_y,
            )
            size = (right - left, bottom - top)
            drawn = image.transform(
                size, pillow.Transform.AFFINE, coefficients, pillow.Resampling.BILINEAR
            )
            self.put(drawn, left, top)
            return
        # from the place in the plane, so that parts of a canvas are as the whole
        columns = _centres(left, right) - at.x
        rows = max(1, _BAND // (right - left))
        pixels = np.pad(_numbers(image), ((0, 1), (0, 1)))
        for first in range(top, bottom, rows):
            lines = _centres(first, min(first + rows, bottom))[:, np.newaxis] - at.y
            u = _inside(_mixed(columns, lines, across) + at.origin_x, image.width)
            v = _inside(_mixed(columns, lines, down) + at.origin_y, image.height)
            self.put(_picture(pixels[v, u]), left, first)

    def _box(self, image: Image, at: Transform | Affine) -> tuple[int, int, int, int] | None:
        """The pixels of the canvas around a drawn picture; None if it is beyond the canvas."""
        right_x, right_y, down_x, down_y = at.axes
        xs, ys = [], []
        for u in (-at.origin_x, image.width - at.origin_x):
            for v in (-at.origin_y, image.height - at.origin_y):
                xs.append(at.x + u * right_x + v * down_x)
                ys.append(at.y + u * right_y + v * down_y)
        left, right = max(min(xs), self.left), min(max(xs), self.left + self.width)
        top, bottom = max(min(ys), self.top), min(max(ys), self.top + self.height)
        if not (left < right and top < bottom):
            return None
        return math.floor(left), math.floor(top), math.ceil(right), math.ceil(bottom)

    def tile(
        self,
        image: Image,
        at: Transform,
        colour: RGBA = WHITE,
        *,
        across: bool,
        down: bool,
    ) -> None:
        """Draw a picture again and again, across, down or both ways; it is not turned."""
        if self.scale != 1:
            at = at.scaled(self.scale, *self.seen[:2])
        if not at.is_finite or not image.width or not image.height:
            return
        pixels = _numbers(tinted(image, colour) if colour != WHITE else image)
        columns = _sources(
            _centres(self.left, self.left + self.width), at.x, at.scale_x, image.width, across
        )
        rows = _sources(
            _centres(self.top, self.top + self.height), at.y, at.scale_y, image.height, down
        )
        inside = np.flatnonzero(columns >= 0)
        if not len(inside):
            return
        first, columns = int(inside[0]), columns[inside]
        step = self._band_rows()
        for start in range(0, self.height, step):
            band = np.flatnonzero(rows[start : start + step] >= 0)
            if len(band):
                top = start + int(band[0])
                drawn = pixels[rows[start + band][:, np.newaxis], columns]
                self.put(_picture(drawn), self.left + first, self.top + top)

    def _band_rows(self) -> int:
        return max(1, _BAND // max(1, self.width))


def region_of(
    whole: tuple[int, int],
    view: tuple[int, int, int, int] | None,
    region: tuple[int, int, int, int] | None,
    scale: float,
) -> tuple[int, int, int, int]:
    """The rectangle (left, top, width, height) of a plane that is drawn: that of a view, the given
    one, or all of a plane of ``whole`` pixels.

    Raises ValueError for both, for an invalid region, and for a scale that is not a number above
    0.
    """
    if view is not None and region is not None:
        raise ValueError("expected a view or a region, got both")
    chosen = view or region or (0, 0, *whole)
    if len(chosen) != 4 or chosen[2] < 0 or chosen[3] < 0:
        raise ValueError(f"region: expected left, top, width, height, got {chosen!r}")
    if not 0 < scale < math.inf:
        raise ValueError(f"scale: expected a number above 0, got {scale!r}")
    return chosen


class Drawing(NamedTuple):
    """The picture of a plane, ready to be painted; ``name`` is for errors.

    Its pictures can be made on any thread.
    """

    name: str
    paint: Callable[[Canvas], None]
    smooth: bool

    def image(
        self, region: tuple[int, int, int, int], scale: float = 1.0, *, quick: bool = False
    ) -> Image:
        """A rectangle of it (left, top, width, height) as an RGBA image, scaled.

        With ``quick`` only some pixels of what becomes much smaller are drawn: 16 for each of the
        image.  Raises EncodeError for an image of more than :data:`LARGEST` pixels, and for one
        that is made smaller from more than :data:`SEEN`.
        """
        size = self._size(region, scale, LARGEST)
        if quick and scale * _SAMPLES < 1 and region[2] * region[3] > _STRIP:
            return self._sampled(region, scale, size)
        made, row = None, 0
        for strip in self._strips(region, scale, size):
            if strip.size == size:
                return strip
            made = made or pillow.new("RGBA", size)
            made.paste(strip, (0, row))
            row += strip.height
        return made or pillow.new("RGBA", size)

    def strips(
        self, region: tuple[int, int, int, int], scale: float = 1.0
    ) -> tuple[tuple[int, int], Iterator[Image]]:
        """The size of what :meth:`image` gives, and the image from top to bottom in strips, which
        take little memory.

        Raises EncodeError as :meth:`image`, but for more than :data:`SEEN` pixels.
        """
        size = self._size(region, scale, SEEN)
        return size, self._strips(region, scale, size)

    def _size(
        self, region: tuple[int, int, int, int], scale: float, largest: int
    ) -> tuple[int, int]:
        """The size of an image.  Raises EncodeError for one that is too large."""
        width, height = region[2:]
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        if scale == 1 or 0 in (width, height):
            size = (width, height)
        whole = LARGEST if scale > 1 else largest if scale == 1 else SEEN
        for wide, high, most in (
            (*size, largest),
            (width, height, whole),
            (width, math.ceil(height / max(1, size[1])), LARGEST),
        ):
            if wide * high > most:
                raise EncodeError(
                    f"{self.name}: a picture of {wide} x {high} exceeds {most} pixels "
                    "(a region of it can be drawn)"
                )
        return size

    def _part(self, region: tuple[int, int, int, int], first: int, end: int) -> Image:
        """Some rows of a region, at their own size."""
        left, top, width, _ = region
        canvas = Canvas(left, top + first, width, end - first, smooth=self.smooth)
        self.paint(canvas)
        return canvas.image

    def _strips(
        self, region: tuple[int, int, int, int], scale: float, size: tuple[int, int]
    ) -> Iterator[Image]:
        """The rows of an image, some at a time."""
        width, height = region[2:]
        if size == (width, height):
            rows = max(1, _STRIP // max(1, width))
            for first in range(0, height, rows):
                yield self._part(region, first, min(first + rows, height))
        elif scale > 1 or width * height <= _STRIP:
            way = pillow.Resampling.NEAREST if scale > 1 else pillow.Resampling.BOX
            yield self._part(region, 0, height).resize(size, way)
        else:
            step = height / size[1]
            rows = max(1, int(_STRIP / width / step))
            for row in range(0, size[1], rows):
                count = min(rows, size[1] - row)
                start, end = row * step, (row + count) * step
                above = math.floor(start)
                strip = self._part(region, above, min(height, math.ceil(end)))
                box = (0, start - above, width, min(end - above, strip.height))
                yield strip.resize((size[0], count), pillow.Resampling.BOX, box)

    def _sampled(
        self, region: tuple[int, int, int, int], scale: float, size: tuple[int, int]
    ) -> Image:
        """An image from a plane that is drawn smaller than its size."""
        finer = scale * _SAMPLES
        canvas = Canvas.part(region, finer, smooth=self.smooth)
        self.paint(canvas)
        ends = max(1.0, region[2] * finer), max(1.0, region[3] * finer)
        return canvas.image.resize(size, pillow.Resampling.BOX, (0, 0, *ends))


def _numbers(image: Image) -> NDArray[np.uint32]:
    """A picture as an array in which a pixel is one number."""
    return np.asarray(image).view(np.uint32)[..., 0]


def _picture(numbers: NDArray[np.uint32]) -> Image:
    return pillow.fromarray(np.ascontiguousarray(numbers)[..., np.newaxis].view(np.uint8))


def _centres(first: int, end: int) -> NDArray[np.float64]:
    """The middles of pixels of a row or column."""
    return np.arange(first, end, dtype=np.float64) + 0.5


def _mixed(
    x: NDArray[np.float64], y: NDArray[np.float64], shares: tuple[float, float]
) -> NDArray[np.float64]:
    """Linear interpolation of two images; a single image keeps its shape."""
    if shares[1] == 0:
        return x * shares[0]
    return y * shares[1] if shares[0] == 0 else x * shares[0] + y * shares[1]


def _inside(places: NDArray[np.float64], size: int) -> NDArray[np.int64]:
    """The pixel that each place falls into; ``size``, which is a transparent one, for others."""
    floors = np.floor(places)
    floors[~((floors >= 0) & (floors < size))] = size
    pixels: NDArray[np.int64] = floors.astype(np.int64)
    return pixels


def _sources(
    places: NDArray[np.float64], start: float, scale: float, size: int, repeats: bool
) -> NDArray[np.int64]:
    """The pixel of a picture that each place of a row or column shows; -1 for none."""
    pixels = np.floor((places - start) / scale)
    if repeats:
        pixels %= size
    else:
        pixels[(pixels < 0) | (pixels >= size)] = -1
    shown: NDArray[np.int64] = pixels.astype(np.int64)
    return shown


def cosine_and_sine(angle: float) -> tuple[float, float]:
    """Of an angle in degrees; exact for quarters of a turn, NaN for an invalid angle."""
    if not math.isfinite(angle):
        return math.nan, math.nan
    turns, rest = divmod(angle % 360, 90)
    if rest == 0:
        return _QUARTERS[int(turns) % 4]
    return math.cos(math.radians(angle)), math.sin(math.radians(angle))


def tinted(image: Image, colour: RGBA) -> Image:
    """A picture multiplied with a colour, alpha included."""
    table = [(value * part + 127) // 255 for part in colour for value in range(256)]
    return image.point(table)
