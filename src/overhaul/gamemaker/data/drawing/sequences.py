"""Sequences on layers of assets: what their tracks show at the playhead.

The first track of a sequence is drawn last.  Sprites, instances, texts, groups and the sequences
inside are drawn, with the places, turns, scales, origins and colours that tracks and curves give
them.  Sounds have nothing to draw; clipping masks and particles are not drawn, which is reported.

The rules of key frames and curves are those of GameMaker's runner for browsers, whose source is
public.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from PIL.Image import Image

from overhaul.gamemaker.data.chunks import seqn
from overhaul.gamemaker.data.chunks.gen8 import InfoFlags
from overhaul.gamemaker.data.chunks.room import SequenceInstance, TextInstance
from overhaul.gamemaker.data.chunks.seqn import (
    AnimationCurve,
    BuiltinTrack,
    CurveChannel,
    CurveFunction,
    CurvePoint,
    ObjectChannel,
    Playback,
    SequenceChannel,
    SpeedType,
    SpriteChannel,
    TextChannel,
    UnnamedCurve,
)
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.drawing.elements import (
    DrawnPicture,
    Report,
    painter,
    rgba,
    sprite_at,
    target_of,
    text_at,
)
from overhaul.gamemaker.data.model import GameModel
from overhaul.gamemaker.data.pictures import PageImages
from overhaul.gamemaker.data.references import Reference
from overhaul.media.canvas import Affine, Drawing, Transform
from overhaul.schema.record import short_repr

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


#: at how many places a sequence is looked at to know its size
_LOOKS = 61
#: pixels further than this from the origin do not count for the size
_FAR = 4096
#: how many tracks of a sequence on a layer are drawn, with those of the sequences inside
_MOST = 4096
#: the names of tracks that are not drawn
_NOT_DRAWN = {"GMParticleTrack": "the particles", "GMClipMaskTrack": "the clipping mask"}
#: the trait of a track that what is in it is placed from its corner, not from its origin
_IGNORE_ORIGIN = 1


class _Playing(NamedTuple):
    """A sequence being played: its place, the sequences around it, and the track it is played
    in."""

    sequence: seqn.Sequence
    place: float
    at: Affine
    outer: tuple[seqn.Sequence, ...] = ()
    parent: tuple[seqn.Track, Values] | None = None


class SequenceElements:
    """The elements of a sequence on a layer; ``report`` gets descriptions of what is not drawn."""

    def __init__(self, shown: SequenceInstance, report: Report) -> None:
        self.shown = shown
        self.report = report
        red, green, blue, alpha = (part / 255 for part in rgba(shown.colour))
        self.colour: Shares = (red, green, blue, alpha)
        self._left = _MOST

    def at(self, x: float, y: float) -> Iterator[DrawnPicture]:
        """Its pictures, for the offset of its layer."""
        shown, sequence = self.shown, target_of(self.shown.sequence)
        if sequence is not None:
            place = (shown.x + x, shown.y + y)
            scale = (shown.scale_x, shown.scale_y)
            origin = (sequence.origin_x, sequence.origin_y)
            at = Affine.of(Transform(*place, *origin, *scale, shown.rotation))
            playing = _Playing(sequence, _wrapped(sequence, shown.frame), at)
            yield from self._tracks(playing, sequence.tracks)

    def _tracks(self, playing: _Playing, tracks: Sequence[seqn.Track]) -> Iterator[DrawnPicture]:
        for track in reversed(tracks):
            kind = str(track.model)
            if kind in PARAMETERS or not is_visible(track):
                continue
            self._left -= 1
            if self._left < 0:
                self.report(f"more tracks of the sequence {playing.sequence.name}")
                return
            if kind in _NOT_DRAWN:
                self.report(f"{_NOT_DRAWN[kind]} of the sequence {playing.sequence.name}")
            else:
                yield from self._track(playing, track)

    def _track(self, playing: _Playing, track: seqn.Track) -> Iterator[DrawnPicture]:
        """The pictures of a track, and over them those of the tracks inside it."""
        sequence, place = playing.sequence, playing.place
        values = values_at(track, place, sequence.length)
        key = _key_at(track, place, sequence.length)
        channel = next(iter(channels_of(key)), None)
        start = place if key is None else key.key
        sprite = inner = None
        if isinstance(channel, SpriteChannel):
            sprite = target_of(channel.sprite)
        elif isinstance(channel, SequenceChannel):
            inner = target_of(channel.sequence)
        if (own := sprite or inner) is not None:
            values.origin = (values.origin[0] + own.origin_x, values.origin[1] + own.origin_y)
        at = self._placed(playing, values)
        if sprite is not None:
            frame = _frame(sprite, playing, start, values)
            colour = values.tinted(self.colour)
            yield from sprite_at(sprite, frame, at.simplified(), colour, self.report)
        elif isinstance(channel, ObjectChannel):
            yield from self._instance(channel, at, values)
        elif isinstance(channel, TextChannel):
            yield from self._text(channel, at, values)
        elif inner is not None:
            outer = (*playing.outer, sequence)
            if any(sequence is inner for sequence in outer):
                self.report(f"the sequence {inner.name} inside itself")
            else:
                passed = _scaled(sequence, inner, (place - start) * values.image_speed)
                within = _Playing(inner, _wrapped(inner, passed), at, outer, (track, values))
                yield from self._tracks(within, inner.tracks)
        yield from self._tracks(playing._replace(at=at, parent=(track, values)), track.tracks)

    def _placed(self, playing: _Playing, values: Values) -> Affine:
        """The placement of a track in the room; it inherits that of the track around it."""
        at = values.placed()
        if playing.parent is not None:
            track, parent = playing.parent
            values.inherit(parent)
            if not track.traits & _IGNORE_ORIGIN:
                at = at._replace(x=at.x + parent.origin[0], y=at.y + parent.origin[1])
        return at.within(playing.at)

    def _instance(
        self, channel: ObjectChannel, at: Affine, values: Values
    ) -> Iterator[DrawnPicture]:
        kind = target_of(channel.object)
        sprite = None if kind is None or not kind.visible else target_of(kind.sprite)
        if sprite is not None:
            x, y = at.place(0, 0)
            at = at._replace(x=x, y=y, origin_x=sprite.origin_x, origin_y=sprite.origin_y)
            frame, colour = values.image_index or 0.0, values.tinted(self.colour)
            yield from sprite_at(sprite, frame, at.simplified(), colour, self.report)

    def _text(self, channel: TextChannel, at: Affine, values: Values) -> Iterator[DrawnPicture]:
        font = target_of(channel.font)
        if font is None:
            return
        text = TextInstance(
            text=channel.text,
            wrap=channel.wrap,
            alignment=channel.alignment,
            frame_width=values.frame_size[0],
            frame_height=values.frame_size[1],
            character_spacing=values.spacings.get(BuiltinTrack.CHARACTER_SPACING, 0.0),
            line_spacing=values.spacings.get(BuiltinTrack.LINE_SPACING, 0.0),
        )
        for picture in text_at(font, text, 0, 0, values.tinted(self.colour), self.report):
            if isinstance(picture.at, Transform):
                picture.at = Affine.of(picture.at).within(at).simplified()
            yield picture


def _key_at(track: seqn.Track, place: float, length: float) -> seqn.Keyframe | None:
    """The key frame that holds at a place; None for none."""
    keys = keys_of(track)
    for number, key in reversed(list(enumerate(keys))):
        if key.key <= place:
            if key.stretch:
                return key
            end = key.key + key.length
            last = number == len(keys) - 1 and place == end == length
            return key if place < end or last else None
    return None


def _scaled(outer: seqn.Sequence, inner: seqn.Sequence, frames: float) -> float:
    """Frames of a sequence converted to frames of a sequence that is played in it."""
    if outer.speed_type == SpeedType.FRAMES_PER_SECOND and outer.speed:
        return frames * inner.speed / outer.speed
    return frames * inner.speed if outer.speed else frames


def _wrapped(sequence: seqn.Sequence, place: float) -> float:
    """A place inside a sequence that stops, loops or goes back and forth at its end."""
    length = sequence.length
    if not 0 < length < float("inf") or not abs(place) < float("inf"):
        return 0.0
    if sequence.playback == Playback.LOOP:
        return place % length
    if sequence.playback == Playback.PING_PONG:
        turn = abs(place) % (2 * length)
        return min(turn, 2 * length - turn)
    return min(max(place, 0.0), length)


def _frame(sprite: Sprite, playing: _Playing, start: float, values: Values) -> float:
    """Which frame of a sprite a track shows."""
    count = len(sprite.textures)
    if values.image_index is not None:
        return min(max(values.image_index, 0.0), max(0.0, count - 1.0))
    passed: float = (playing.place - start) * values.image_speed
    sequence = playing.sequence
    if sprite.playback_speed_type == SpeedType.FRAMES_PER_SECOND:
        return passed * sprite.playback_speed / sequence.speed if sequence.speed else 0.0
    return passed * sprite.playback_speed


# ------------------------------------------------------------------------ a sequence of its own


def draw_sequence(
    game: GameModel,
    images: PageImages,
    sequence: seqn.Sequence,
    frame: float,
    region: tuple[int, int, int, int],
    scale: float = 1.0,
) -> Image:
    """A scaled drawing of a rectangle of a sequence at a frame, with the sequence's origin at 0, 0.

    Raises EncodeError as :func:`~overhaul.media.canvas.Drawing.image` does.
    """
    smooth = bool(getattr(game.general, "flags", 0) & InfoFlags.INTERPOLATE)
    paint = painter(images, pictures_of(game, sequence, frame))
    return Drawing(str(sequence.name), paint, smooth).image(region, scale)


def pictures_of(
    game: GameModel, sequence: seqn.Sequence, frame: float, report: Report = lambda _: None
) -> Iterator[DrawnPicture]:
    """The pictures of a sequence at a frame, with its origin at 0, 0."""
    reference = game.named("SEQN").reference_to(sequence)
    shown = SequenceInstance(sequence=reference, frame=frame)
    return SequenceElements(shown, report).at(0, 0)


def area_of(game: GameModel, sequence: seqn.Sequence) -> tuple[int, int, int, int]:
    """The rectangle (left, top, width, height) around all pictures of a sequence."""
    lefts, tops, rights, bottoms = [0.0], [0.0], [0.0], [0.0]
    shows = False
    for number in range(_LOOKS):
        for picture in pictures_of(game, sequence, sequence.length * number / (_LOOKS - 1)):
            xs, ys = _corners(picture)
            if max(map(abs, (*xs, *ys))) > _FAR:
                continue
            if not shows:
                lefts, tops, rights, bottoms = [], [], [], []
                shows = True
            lefts.append(min(xs))
            tops.append(min(ys))
            rights.append(max(xs))
            bottoms.append(max(ys))
    left, top = math.floor(min(lefts)), math.floor(min(tops))
    return left, top, math.ceil(max(rights)) - left, math.ceil(max(bottoms)) - top


def _corners(picture: DrawnPicture) -> tuple[list[float], list[float]]:
    """The places of the four corners of a picture."""
    at, item = picture.at, picture.item
    width, height = item.bounding_width, item.bounding_height
    if picture.part is not None:
        width, height = picture.part[2:]
    placed = Affine.of(at) if isinstance(at, Transform) else at
    corners = [placed.place(x, y) for x in (0, width) for y in (0, height)]
    if not all(math.isfinite(x) and math.isfinite(y) for x, y in corners):
        return [math.inf], [math.inf]
    return [x for x, _ in corners], [y for _, y in corners]
