"""What the tracks of a sequence say at a place of it: the values of key frames and curves.

The rules are those of GameMaker's runner for browsers, whose source is public.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from overhaul.gamemaker.data.chunks.seqn import (
    AnimationCurve,
    BuiltinTrack,
    CurveFunction,
    UnnamedCurve,
)
from overhaul.gamemaker.data.references import Reference
from overhaul.media.canvas import Affine, Transform
from overhaul.schema.record import short_repr

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks import seqn
    from overhaul.gamemaker.data.chunks.seqn import CurveChannel, CurvePoint

#: a point of a curve: where it is, and its value
Point: TypeAlias = tuple[float, float]
#: red, green, blue, alpha: from 0 to 1 each, or beyond
Shares: TypeAlias = tuple[float, float, float, float]

#: the tracks that give values to the one they are in
_NUMBERS = frozenset(("GMRealTrack", "GMColourTrack", "GMBoolTrack"))
PARAMETERS = _NUMBERS | {"GMStringTrack"}
#: tags of tracks
_INVISIBLE, _DISABLED = 1, 2
#: where the channels of a colour (of a curve: alpha, red, green, blue) are in a stored one
_SHIFTS = (24, 0, 8, 16)
#: into how many pieces a curve is divided between two of its points
_PIECES = 32


@dataclass(slots=True)
class Values:
    """The values of a track at a place of its sequence."""

    __repr__ = short_repr

    position: Point = (0.0, 0.0)
    scale: Point = (1.0, 1.0)
    rotation: float = 0.0
    origin: Point = (0.0, 0.0)
    multiply: Shares = (1.0, 1.0, 1.0, 1.0)
    add: Shares = (0.0, 0.0, 0.0, 0.0)
    image_index: float | None = None
    image_speed: float = 1.0
    frame_size: Point = (0.0, 0.0)
    #: of texts, by the track that gives them
    spacings: dict[int, float] = field(default_factory=dict)

    def placed(self) -> Affine:
        """The placement in the track around it."""
        return Affine.of(Transform(*self.position, *self.origin, *self.scale, self.rotation))

    def tinted(self, colour: Shares) -> tuple[int, int, int, int]:
        """The colour it is drawn in, given the sequence's colour."""
        shares = _each(operator.mul, _each(operator.add, self.multiply, self.add), colour)
        red, green, blue, alpha = (round(255 * min(1.0, max(0.0, share))) for share in shares)
        return red, green, blue, alpha

    def inherit(self, parent: Values) -> None:
        """Inherit colours and frames from the track around it."""
        self.multiply = _each(operator.mul, self.multiply, parent.multiply)
        self.add = _each(operator.add, self.add, parent.add)
        self.image_speed *= parent.image_speed
        if parent.image_index is not None:
            self.image_index = (self.image_index or 0.0) + parent.image_index


def _each(of: Callable[[float, float], float], one: Shares, other: Shares) -> Shares:
    red, green, blue, alpha = map(of, one, other)
    return red, green, blue, alpha


def is_enabled(track: seqn.Track) -> bool:
    """Whether a track does anything."""
    return _DISABLED not in track.tags


def keys_of(track: seqn.Track) -> list[seqn.Keyframe]:
    """The key frames of a track."""
    keys: list[seqn.Keyframe] = getattr(track.keyframes, "frames", [])
    return keys


def channels_of(key: seqn.Keyframe | None) -> list[seqn.Channel]:
    """The channels of a key frame."""
    channels: list[seqn.Channel] = getattr(key, "channels", [])
    return channels


def is_visible(track: seqn.Track) -> bool:
    """Whether a track shows anything."""
    return not {_DISABLED, _INVISIBLE} & set(track.tags)


def values_at(track: seqn.Track, place: float, length: float) -> Values:
    """The values of a track at a place (in frames) of a sequence of a length.

    Tracks of values that GameMaker made itself count where no other gives the value.
    """
    values = Values()
    given: set[int] = set()
    for child in reversed(track.tracks):
        if str(child.model) not in _NUMBERS or not is_enabled(child):
            continue
        if child.is_creation_track and child.builtin_name in given:
            continue
        given.add(child.builtin_name)
        _set(values, child, place, length)
    return values


def _set(values: Values, track: seqn.Track, place: float, length: float) -> None:
    kind = track.builtin_name
    if kind in (BuiltinTrack.BLEND_MULTIPLY, BuiltinTrack.BLEND_ADD):
        parts = [_value(track, channel, place, length) for channel in range(4)]
        alpha, red, green, blue = (1.0 if part is None else part / 255 for part in parts)
        name = "multiply" if kind == BuiltinTrack.BLEND_MULTIPLY else "add"
        setattr(values, name, (red, green, blue, alpha))
        return
    first = _value(track, 0, place, length)
    if first is None:
        return
    if kind in _PAIRS:
        second = _value(track, 1, place, length)
        setattr(values, _PAIRS[kind], (first, 0.0 if second is None else second))
    elif kind in _SINGLE:
        setattr(values, _SINGLE[kind], first)
    else:
        values.spacings[kind] = first


_PAIRS: dict[int, str] = {
    BuiltinTrack.POSITION: "position",
    BuiltinTrack.SCALE: "scale",
    BuiltinTrack.ORIGIN: "origin",
    BuiltinTrack.FRAME_SIZE: "frame_size",
}
_SINGLE: dict[int, str] = {
    BuiltinTrack.ROTATION: "rotation",
    BuiltinTrack.IMAGE_INDEX: "image_index",
    BuiltinTrack.IMAGE_SPEED: "image_speed",
}


def numbers_at(track: seqn.Track, place: float, length: float) -> tuple[float, ...]:
    """The value of a track at a place: a number, two of a pair, or alpha, red, green and blue (0 to
    255) of a colour; nothing where it gives none."""
    if str(track.model) not in _NUMBERS:
        return ()
    coloured = str(track.model) == "GMColourTrack"
    count = 4 if coloured else 2 if track.builtin_name in _PAIRS else 1
    values = (_value(track, channel, place, length) for channel in range(count))
    return tuple(value for value in values if value is not None)


def _value(track: seqn.Track, channel: int, place: float, length: float) -> float | None:
    """The value of a channel; None where no key frame gives one."""
    finite = (point for point in _points(track, channel, length) if math.isfinite(point[0]))
    points = sorted(finite, key=operator.itemgetter(0))
    if not points:
        return None
    before = [point for point in points if point[0] <= place]
    if not before:
        return points[0][1]
    x, value = before[-1]
    if len(before) == len(points) or not getattr(track.keyframes, "interpolation", 0):
        return value
    next_x, next_value = points[len(before)]
    share = (place - x) / (next_x - x)
    return next_value * share + value * (1 - share)


def _points(track: seqn.Track, channel: int, length: float) -> Iterator[Point]:
    """The points of a channel of a track, from left to right."""
    keys = keys_of(track)
    for number, key in enumerate(keys):
        holder = _holder(track, key, channel)
        if holder is None:
            continue
        curve = _curve(holder)
        end = key.key + key.length
        if key.stretch:
            end = keys[number + 1].key if number + 1 < len(keys) else length + 1
        if curve is None:
            value = getattr(holder, "value", 0)
            if str(track.model) == "GMColourTrack":
                value = value >> _SHIFTS[channel] & 255
            yield key.key, value
            if end > key.key + 1:
                yield end, value
        elif curve.channels:
            shown = curve.channels[min(channel, len(curve.channels) - 1)]
            for x, value in curve_points(shown):
                yield key.key + x * (end - key.key), value


def _holder(track: seqn.Track, key: seqn.Keyframe, channel: int) -> seqn.Channel | None:
    """The channel of a key frame that a value is from.

    A curve, or a colour, is that of all channels where it is the only one.
    """
    channels = {channel.channel: channel for channel in reversed(channels_of(key))}
    first = channels.get(0)
    shared = str(track.model) == "GMColourTrack" or _curve(first) is not None
    return channels.get(channel, first if shared else None)


def _curve(holder: seqn.Channel | None) -> AnimationCurve | UnnamedCurve | None:
    """The curve a channel follows; None for none."""
    curve = getattr(holder, "own_curve", None) or getattr(holder, "curve", None)
    target = curve.target if isinstance(curve, Reference) else curve
    return target if isinstance(target, AnimationCurve | UnnamedCurve) else None


def curve_points(channel: CurveChannel) -> list[Point]:
    """The points a channel of a curve goes through in straight lines."""
    points = channel.points
    ends = [(point.x, point.value) for point in points]
    if channel.function == CurveFunction.LINEAR or len(points) < 2:
        return ends
    around = []
    for number in range(len(points) - 1):
        if channel.function == CurveFunction.BEZIER:
            controls = _bezier(points[number], points[number + 1])
        else:
            controls = _catmull_rom(ends, number)
        for step in range(_PIECES):
            around.append(_on_curve(controls, step / _PIECES))
    return [*around, ends[-1]]


def _bezier(one: CurvePoint, other: CurvePoint) -> list[Point]:
    return [
        (one.x, one.value),
        (one.x + one.bezier_x1, one.value + one.bezier_y1),
        (other.x + other.bezier_x0, other.value + other.bezier_y0),
        (other.x, other.value),
    ]


def _catmull_rom(ends: Sequence[Point], number: int) -> list[Point]:
    """The piece of a smooth curve (a centripetal Catmull-Rom spline) behind a point."""
    least = min(value for _, value in ends)
    height = max(1.0, max(value for _, value in ends) - least)
    near = [
        (x, (value - least) / height)
        for x, value in (ends[min(max(number + step, 0), len(ends) - 1)] for step in (-1, 0, 1, 2))
    ]
    steps = [
        math.sqrt(math.hypot(other[0] - point[0], other[1] - point[1]) or 0.01)
        for point, other in pairwise(near)
    ]
    controls: list[list[float]] = [[], [], [], []]
    for a, b, c, d in zip(*near, strict=True):
        slope = (b - a) / steps[0] - (c - a) / (steps[0] + steps[1]) + (c - b) / steps[1]
        next_slope = (c - b) / steps[1] - (d - b) / (steps[1] + steps[2]) + (d - c) / steps[2]
        third = steps[1] / 3
        for control, value in zip(
            controls, (b, b + slope * third, c - next_slope * third, c), strict=True
        ):
            control.append(value)
    return [(x, value * height + least) for x, value in controls]


def _on_curve(controls: Sequence[Point], t: float) -> Point:
    """A point of a Bézier curve of four points."""
    shares = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    x, y = (
        sum(share * point[axis] for share, point in zip(shares, controls, strict=True))
        for axis in (0, 1)
    )
    return x, y
