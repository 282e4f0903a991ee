"""The points of an animation curve: where a new one goes, and their order.

A channel goes from point to point in straight lines, smoothly, or as Bézier curves, whose handles
are given from their point on.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from overhaul.errors import WorkspaceError

#: how a channel goes from point to point; the first is usual
SHAPES: Final = ("linear", "smooth", "bezier")
HANDLES: Final = ("bezier_x0", "bezier_y0", "bezier_x1", "bezier_y1")
_KEYS: Final = frozenset(("x", "value", "unknown", *HANDLES))
_POINTS: Final = re.compile(r"/channels/(\d{1,6})/points")
_FARTHEST: Final = 1 << 31

Point = dict[str, object]


def channels_of(value: object) -> Iterator[tuple[int, dict[str, object], list[Point]]]:
    """The channels of a curve that have points: the number, the channel, the points."""
    channels = value.get("channels") if isinstance(value, dict) else None
    for number, channel in enumerate(channels if isinstance(channels, list) else ()):
        points = channel.get("points") if isinstance(channel, dict) else None
        if isinstance(points, list) and all(map(_is_point, points)):
            yield number, channel, points


def _is_point(value: object) -> bool:
    return isinstance(value, dict) and value.keys() <= _KEYS


def number_in(point: Point, key: str) -> float:
    """A number of a point; 0 where it is left out."""
    number = point.get(key, 0.0)
    return float(number) if isinstance(number, int | float) else 0.0


def points_at(value: object, pointer: str) -> list[Point] | None:
    """The points that a pointer leads to; None for another pointer."""
    match = _POINTS.fullmatch(pointer)
    if match is None:
        return None
    return next((points for n, _, points in channels_of(value) if n == int(match[1])), None)


def add_point(points: list[Point], typed: str) -> None:
    """Add a point: at an ``x value`` that is typed, or else in the middle of the widest gap.

    Raises WorkspaceError.
    """
    x, height = _typed(typed) if typed else _middle(points)
    new: Point = {"x": x, "value": height}
    at = sum(number_in(point, "x") <= x for point in points)
    points.insert(at, new)


def _typed(text: str) -> tuple[float, float]:
    try:
        x, height = (float(number) for number in text.split())
    except ValueError:
        raise WorkspaceError(
            f"expected the x and the value of a point, got {text[:40]!r}"
        ) from None
    if not (math.isfinite(x) and math.isfinite(height) and max(abs(x), abs(height)) < _FARTHEST):
        raise WorkspaceError(f"{text[:40]} is too far away for a point")
    return x, height


def _middle(points: Sequence[Point]) -> tuple[float, float]:
    if len(points) < 2:
        return (1.0, number_in(points[0], "value")) if points else (0.0, 0.0)
    one, other = max(
        pairwise(points), key=lambda pair: number_in(pair[1], "x") - number_in(pair[0], "x")
    )
    return (
        (number_in(one, "x") + number_in(other, "x")) / 2,
        (number_in(one, "value") + number_in(other, "value")) / 2,
    )


def sort_points(before: object, after: object) -> None:
    """Put the points of each channel in order, if they were."""
    was = {number: points for number, _, points in channels_of(before)}
    for number, _, points in channels_of(after):
        if _is_sorted(was.get(number, [])):
            points.sort(key=lambda point: number_in(point, "x"))


def _is_sorted(points: Sequence[Point]) -> bool:
    xs = [number_in(point, "x") for point in points]
    return xs == sorted(xs)
