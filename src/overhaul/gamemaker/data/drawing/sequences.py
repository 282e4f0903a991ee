"""Sequences on layers of assets: what their tracks show at the playhead.

The first track of a sequence is drawn last.  Sprites, instances, texts, groups and the sequences
inside are drawn, with the places, turns, scales, origins and colours that tracks and curves give
them.  Sounds have nothing to draw; clipping masks and particles are not drawn, which is reported.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from overhaul.gamemaker.data.chunks.gen8 import InfoFlags
from overhaul.gamemaker.data.chunks.room import SequenceInstance, TextInstance
from overhaul.gamemaker.data.chunks.seqn import (
    BuiltinTrack,
    ObjectChannel,
    Playback,
    SequenceChannel,
    SpeedType,
    SpriteChannel,
    TextChannel,
)
from overhaul.gamemaker.data.drawing.elements import (
    Report,
    painter,
    rgba,
    sprite_at,
    target_of,
    text_at,
)
from overhaul.gamemaker.data.drawing.tracks import (
    PARAMETERS,
    Shares,
    channels_of,
    is_visible,
    keys_of,
    values_at,
)
from overhaul.media.canvas import Affine, Drawing, Transform

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.gamemaker.data.chunks import seqn
    from overhaul.gamemaker.data.chunks.sprt import Sprite
    from overhaul.gamemaker.data.drawing.elements import Picture
    from overhaul.gamemaker.data.drawing.tracks import Values
    from overhaul.gamemaker.data.model import GameModel
    from overhaul.gamemaker.data.pictures import PageImages

#: at how many places a sequence is looked at to know its size
_LOOKS = 61
#: pixels further than this from the origin do not count for the size
_FAR = 4096
#: how many tracks of a sequence on a layer are drawn, with those of the sequences inside
_MOST = 4096
#: what tracks that are not drawn are called
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

    def at(self, x: float, y: float) -> Iterator[Picture]:
        """Its pictures, for the offset of its layer."""
        shown, sequence = self.shown, target_of(self.shown.sequence)
        if sequence is not None:
            place = (shown.x + x, shown.y + y)
            scale = (shown.scale_x, shown.scale_y)
            origin = (sequence.origin_x, sequence.origin_y)
            at = Affine.of(Transform(*place, *origin, *scale, shown.rotation))
            playing = _Playing(sequence, _wrapped(sequence, shown.frame), at)
            yield from self._tracks(playing, sequence.tracks)

    def _tracks(self, playing: _Playing, tracks: Sequence[seqn.Track]) -> Iterator[Picture]:
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

    def _track(self, playing: _Playing, track: seqn.Track) -> Iterator[Picture]:
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

    def _instance(self, channel: ObjectChannel, at: Affine, values: Values) -> Iterator[Picture]:
        kind = target_of(channel.object)
        sprite = None if kind is None or not kind.visible else target_of(kind.sprite)
        if sprite is not None:
            x, y = at.place(0, 0)
            at = at._replace(x=x, y=y, origin_x=sprite.origin_x, origin_y=sprite.origin_y)
            frame, colour = values.image_index or 0.0, values.tinted(self.colour)
            yield from sprite_at(sprite, frame, at.simplified(), colour, self.report)

    def _text(self, channel: TextChannel, at: Affine, values: Values) -> Iterator[Picture]:
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
) -> Iterator[Picture]:
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


def _corners(picture: Picture) -> tuple[list[float], list[float]]:
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
