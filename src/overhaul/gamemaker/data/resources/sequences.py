"""Sequences, with their tracks and key frames."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from PIL.Image import Image

from overhaul.gamemaker.data.chunks import seqn
from overhaul.gamemaker.data.chunks.seqn import AnimationCurve as CurveRecord
from overhaul.gamemaker.data.chunks.seqn import BuiltinTrack, Playback, SpeedType, UnnamedCurve
from overhaul.gamemaker.data.chunks.seqn import Keyframe as KeyframeRecord
from overhaul.gamemaker.data.chunks.seqn import Sequence as SequenceRecord
from overhaul.gamemaker.data.chunks.seqn import Track as TrackRecord
from overhaul.gamemaker.data.drawing.sequences import (
    area_of,
    draw_sequence,
    numbers_at,
    pictures_of,
)
from overhaul.gamemaker.data.pictures import page_images, png_bytes
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.base import R, Resource, Resources
from overhaul.gamemaker.data.resources.curves import CurveChannels
from overhaul.gamemaker.data.resources.fields import (
    Choice,
    Colour,
    Field,
    Flag,
    Held,
    NamedParts,
    Number,
    Real,
    Related,
    Text,
)
from overhaul.gamemaker.data.resources.fonts import Font
from overhaul.gamemaker.data.resources.parts import Part, Parts
from overhaul.schema import Record

#: the longer side of the picture in a notebook, in pixels
_SHOWN = 512


class _SignedPaint(Field[Colour]):
    """A colour in a signed number."""

    def shown(self, value: int, holder: Held) -> Colour:
        return Colour.from_abgr(value & 0xFFFFFFFF)

    def stored(self, value: Colour | tuple[int, ...] | str, holder: Held) -> object:
        number = Colour.of(value).to_abgr()
        return number - (1 << 32) if number >> 31 else number


#: the type of a channel's value, by the class of its record
_VALUES: dict[type[seqn.Channel], Field[Any]] = {
    seqn.IntegerChannel: Number(name="value"),
    seqn.StringChannel: Text(name="value"),
    seqn.TextChannel: Text(name="text"),
    seqn.RealChannel: Real(name="value"),
    seqn.ColourChannel: _SignedPaint(name="value"),
    seqn.SpriteChannel: Related("SPRT", name="sprite"),
    seqn.ObjectChannel: Related("OBJT", name="object"),
    seqn.SequenceChannel: Related("SEQN", name="sequence"),
    seqn.ParticleChannel: Related("PSYS", name="particle_system"),
    seqn.SoundChannel: Related("SOND", name="sound"),
}


class Channel(Part[SequenceRecord, seqn.Channel | seqn.Messages]):
    """A channel of a key frame."""

    __slots__ = ()

    @property
    def number(self) -> int:
        """Which channel it is: of a position 0 is x and 1 is y."""
        return int(self.record.channel)

    @property
    def value(self) -> Any:
        """Its value, as the kind of track has it: a number, a text, a :class:`Colour`, a resource
        or None, the messages of a moment as a list.

        A number or colour that follows a curve has it as well (:attr:`curve`).  Messages can't be
        set here; other wrong values raise as those of a resource do.
        """
        record = self.record
        if isinstance(record, seqn.Messages):
            return [str(message) for message in record.messages]
        field = _VALUES[type(record)]
        return field.shown(getattr(record, field.name), self)

    @value.setter
    def value(self, value: Any) -> None:
        if not isinstance(self.record, seqn.Messages):
            _VALUES[type(self.record)].__set__(self, value)
        elif value != self.value:
            raise TypeError("value: the messages of a moment can't be set")

    @property
    def curve(self) -> CurveChannels | None:
        """The channels of the curve it follows; None where it follows none."""
        curve = getattr(self.record, "own_curve", None) or getattr(self.record, "curve", None)
        found = curve.target if isinstance(curve, Reference) else curve
        if not isinstance(found, CurveRecord | UnnamedCurve):
            return None
        return CurveChannels(self.game, found, found.channels)

    def _about(self) -> str:
        return f"{self.number}: {self.value!r}"


class Channels(Parts[Channel]):
    """The channels of a key frame."""

    title = "channel"

    def _over(self, record: seqn.Channel | seqn.Messages) -> Channel:
        return Channel(self.game, self.owner, record)


class Keyframe(Part[SequenceRecord, KeyframeRecord]):
    """A key frame of a track."""

    __slots__ = ()

    frame: Real = Real("when it begins, in frames of the sequence", "key")
    length: Real = Real("for how many frames it holds")
    stretch: Flag = Flag("whether it holds to the end of the track")
    disabled: Flag = Flag("whether it does nothing")

    @property
    def channels(self) -> Channels:
        """Its channels; ``keyframe.channels[0].value``."""
        return Channels(self.game, self.owner, getattr(self.record, "channels", []))

    def _about(self) -> str:
        values = ", ".join(repr(channel.value) for channel in self.channels)
        return f"at {self.frame:g}: {values}"


class Keyframes(Parts[Keyframe]):
    """The key frames of a track."""

    title = "key frame"

    def _over(self, record: KeyframeRecord) -> Keyframe:
        return Keyframe(self.game, self.owner, record)


class Track(Part[SequenceRecord, TrackRecord]):
    """A track of a sequence; tracks nest."""

    __slots__ = ()

    name: Text = Text("its name")
    builtin: Choice[BuiltinTrack] = Choice(
        BuiltinTrack, "the property that it animates, by its name", "builtin_name"
    )
    is_creation_track: Flag = Flag("whether it was made by GameMaker")

    @property
    def kind(self) -> str:
        """The kind of the track: ``GMGraphicTrack``, ``GMRealTrack``, ..."""
        return str(self.record.model or "")

    @property
    def tracks(self) -> Tracks:
        """The tracks inside it."""
        return Tracks(self.game, self.owner, self.record.tracks)

    @property
    def keyframes(self) -> Keyframes:
        """Its key frames."""
        found: list[KeyframeRecord] = getattr(self.record.keyframes, "frames", [])
        return Keyframes(self.game, self.owner, found)

    def values_at(self, frame: float) -> tuple[float, ...]:
        """The values of a track at a frame, between key frames and by curves too.

        Two numbers for position, scale, origin and frame size, one for others (degrees for
        rotation), alpha, red, green and blue from 0 to 255 for colours.  Empty for tracks that
        give no numbers.
        """
        return numbers_at(self.record, frame, self.owner.length)

    def _about(self) -> str:
        return f"{self.name} ({self.kind}), {len(self.keyframes)} key frames"


class _Shows(NamedTuple):
    """The parts of a track of a kind: its model, and the records of its key frames."""

    model: str
    frames: Callable[..., Record]
    keyframe: Callable[..., KeyframeRecord]
    channel: type[seqn.Channel]


#: the tracks of resources, by chunk
_SHOWS = {
    "SPRT": _Shows("GMGraphicTrack", seqn.SpriteFrames, seqn.SpriteKeyframe, seqn.SpriteChannel),
    "OBJT": _Shows("GMInstanceTrack", seqn.ObjectFrames, seqn.ObjectKeyframe, seqn.ObjectChannel),
    "SOND": _Shows("GMAudioTrack", seqn.SoundFrames, seqn.SoundKeyframe, seqn.SoundChannel),
    "SEQN": _Shows(
        "GMSequenceTrack", seqn.SequenceFrames, seqn.SequenceKeyframe, seqn.SequenceChannel
    ),
    "PSYS": _Shows(
        "GMParticleTrack", seqn.ParticleFrames, seqn.ParticleKeyframe, seqn.ParticleChannel
    ),
}
_FONT = Related[Font]("FONT", name="font")
_TEXTS = _Shows("GMTextTrack", seqn.TextFrames, seqn.TextKeyframe, seqn.TextChannel)
_COLOURS = frozenset((BuiltinTrack.BLEND_MULTIPLY, BuiltinTrack.BLEND_ADD))
_PAIRS = frozenset(
    (
        *(BuiltinTrack.POSITION, BuiltinTrack.SCALE),
        *(BuiltinTrack.ORIGIN, BuiltinTrack.FRAME_SIZE),
    )
)
#: the names of tracks in files that are not those of the members
_TRACK_NAMES = {
    BuiltinTrack.FRAME_SIZE: "frameSize",
    BuiltinTrack.CHARACTER_SPACING: "characterSpacing",
    BuiltinTrack.LINE_SPACING: "lineSpacing",
    BuiltinTrack.PARAGRAPH_SPACING: "paragraphSpacing",
}


class Tracks(NamedParts[Track]):
    """Tracks by number and by name; the first one is drawn over the others."""

    title = "track"

    def _over(self, record: TrackRecord) -> Track:
        return Track(self.game, self.owner, record)

    def add(
        self,
        resource: Resource[R],
        *,
        start: float = 0,
        length: float | None = None,
        name: str | None = None,
    ) -> Track:
        """Add a track of a sprite, object, sound, sequence or particle system, over the others.

        It begins at the frame ``start`` and holds for ``length`` frames (None: to the end of the
        sequence); ``name`` is that of the resource if left out.  Raises TypeError for another
        kind of resource, ValueError for one of another game, for a sequence in itself and for
        frames that are none.
        """
        shows = _SHOWS.get(getattr(resource, "chunk", ""))
        if shows is None:
            raise TypeError(
                f"expected a sprite, object, sound, sequence or particle system, got {resource!r}"
            )
        if resource.game is not self.game:
            raise ValueError(f"{resource!r} is of another game")
        if resource.record is self.owner:
            raise ValueError(f"{resource.name} can't be played in itself")
        channel = shows.channel()
        field = _VALUES[shows.channel]
        setattr(channel, field.name, self.game.named(resource.chunk).reference_to(resource.record))
        return self._add(shows, channel, resource.name if name is None else name, start, length)

    def add_text(
        self,
        text: str,
        font: Font | str,
        *,
        start: float = 0,
        length: float | None = None,
        name: str = "Text",
    ) -> Track:
        """Add a track of a text in a font, over the others; see :meth:`add`.

        Raises KeyError for a font that there is not, TypeError and ValueError for wrong values.
        """
        if not isinstance(text, str):
            raise TypeError(f"text: expected a text, got {text!r}")
        channel = seqn.TextChannel()
        held = Channel(self.game, self.owner, channel)
        channel.font = _FONT.stored(font, held)
        track = self._add(_TEXTS, channel, name, start, length)
        held.value = text
        return track

    def add_group(self, name: str) -> Track:
        """Add a track that others are put into, over the others."""
        return self._insert(0, "GMGroupTrack", name, seqn.NoFrames())

    def add_values(
        self,
        what: BuiltinTrack | str,
        keys: Mapping[float, object],
        *,
        interpolate: bool = True,
    ) -> Track:
        """Add a track of values for the track these are in: its position, scale, rotation, ...

        ``keys`` are the values by frame: pairs (x, y) for position, scale, origin and frame size,
        colours for the blends, numbers for the others (degrees for rotation).  Between two of
        them the value goes evenly; without ``interpolate`` it jumps.  Raises ValueError and
        TypeError for wrong names and values.
        """
        held = Track(self.game, self.owner, TrackRecord())
        held.builtin = what
        kind = held.builtin
        if not keys:
            raise ValueError(f"{kind.name.lower()}: expected values by frame, got none")
        coloured = kind in _COLOURS
        frames = _colour_frames(held, keys) if coloured else _real_frames(held, kind, keys)
        frames.interpolation = int(interpolate)
        model = "GMColourTrack" if coloured else "GMRealTrack"
        name = _TRACK_NAMES.get(kind, kind.name.lower())
        track = self._insert(len(self), model, name, frames)
        track.record.builtin_name = int(kind)
        return track

    def remove(self, track: Track) -> None:
        """Take a track away, with what is in it.  Raises ValueError if it is not among these."""
        del self.records[self._place(track)]

    def _add(
        self,
        shows: _Shows,
        channel: seqn.Channel,
        name: str,
        start: float,
        length: float | None,
    ) -> Track:
        key = shows.keyframe(channels=[channel])
        held = Keyframe(self.game, self.owner, key)
        held.frame = start
        held.length = self.owner.length - start if length is None else length
        if not (0 <= key.key < math.inf and 0 < key.length < math.inf):
            raise ValueError(
                f"expected a start from 0 on and a length above 0, got {start} and {held.length}"
            )
        return self._insert(0, shows.model, name, shows.frames(frames=[key]))

    def _insert(self, place: int, model: str, name: str, keyframes: object) -> Track:
        made = TrackRecord(keyframes=keyframes)
        track = Track(self.game, self.owner, made)
        track.name = name
        made.model = self.game.strings.add(model)
        self.records.insert(place, made)
        return track


def _colour_frames(held: Track, keys: Mapping[float, object]) -> seqn.ColourFrames:
    frames = []
    for frame, value in sorted(keys.items()):
        channel = seqn.ColourChannel()
        Channel(held.game, held.owner, channel).value = value
        key = seqn.ColourKeyframe(channels=[channel])
        Keyframe(held.game, held.owner, key).frame = frame
        frames.append(key)
    return seqn.ColourFrames(frames=frames)


def _real_frames(held: Track, kind: BuiltinTrack, keys: Mapping[float, object]) -> seqn.RealFrames:
    frames = []
    expected = 2 if kind in _PAIRS else 1
    for frame, value in sorted(keys.items()):
        values = tuple(value) if isinstance(value, list | tuple) else (value,)
        if len(values) != expected:
            raise ValueError(f"{kind.name.lower()}: expected {expected} numbers, got {value!r}")
        key = seqn.RealKeyframe()
        key.channels = [seqn.RealChannel(channel=number) for number in range(expected)]
        for channel, each in zip(key.channels, values, strict=True):
            Channel(held.game, held.owner, channel).value = each
        Keyframe(held.game, held.owner, key).frame = frame
        frames.append(key)
    return seqn.RealFrames(frames=frames)


class Sequence(Resource[SequenceRecord]):
    """A sequence."""

    __slots__ = ()
    chunk = "SEQN"

    playback: Choice[Playback] = Choice(Playback, "what happens at its end")
    speed: Real = Real("frames per second or per step of the game")
    speed_type: Choice[SpeedType] = Choice(SpeedType, "the unit of the speed")
    length: Real = Real("frames")
    origin_x: Number = Number("pixels")
    origin_y: Number = Number("pixels")
    volume: Real = Real("of its sounds, from 0 to 1")
    width: Real = Real("pixels (2024.13 and later)")
    height: Real = Real("pixels (2024.13 and later)")

    @property
    def tracks(self) -> Tracks:
        """Its tracks by number and by name."""
        return Tracks(self.game, self.record, self.record.tracks)

    @property
    def moments(self) -> Keyframes:
        """The functions it calls: key frames whose values are lists of names."""
        return Keyframes(self.game, self.record, self.record.moments)

    @property
    def broadcasts(self) -> Keyframes:
        """The messages it broadcasts: key frames whose values are lists of texts."""
        return Keyframes(self.game, self.record, self.record.broadcast_messages)

    @property
    def fps(self) -> float:
        """Its frames per second, at the game's own speed."""
        per_step = self.speed_type == SpeedType.FRAMES_PER_GAME_FRAME
        return self.speed * (self.game.general.game_speed if per_step else 1)

    @property
    def area(self) -> tuple[int, int, int, int]:
        """The rectangle (left, top, width, height) around all it shows, in pixels from its origin;
        what is more than 4096 away from that is not counted."""
        return area_of(self.game, self.record)

    def image(
        self,
        frame: float = 0,
        *,
        region: tuple[int, int, int, int] | None = None,
        scale: float = 1.0,
    ) -> Image:
        """The picture at a frame, on a transparent ground, as a Pillow image (RGBA).

        ``region`` (left, top, width, height) is in pixels from its origin; left out, it is
        :attr:`area`.  ``scale`` is the size of the picture to that of the sequence.  Sounds have
        no picture; :meth:`not_drawn` lists what else is left out.

        Raises ValueError for a frame, scale or region that is none, EncodeError for a picture of
        more than 2**28 pixels.
        """
        if not -math.inf < frame < math.inf:
            raise ValueError(f"frame: expected a number, got {frame!r}")
        if not 0 < scale < math.inf:
            raise ValueError(f"scale: expected a number above 0, got {scale!r}")
        shown = self.area if region is None else region
        if len(shown) != 4 or shown[2] < 0 or shown[3] < 0:
            raise ValueError(f"region: expected left, top, width, height, got {region!r}")
        return draw_sequence(self.game, page_images(self.game), self.record, frame, shown, scale)

    def not_drawn(self, frame: float = 0) -> list[str]:
        """The parts that :meth:`image` leaves out at a frame, in words."""
        left_out: list[str] = []
        for _ in pictures_of(self.game, self.record, frame, left_out.append):
            pass
        return list(dict.fromkeys(left_out))

    def _repr_png_(self) -> bytes | None:
        _, _, width, height = area = self.area
        if not width or not height:
            return None
        scale = min(1.0, _SHOWN / max(width, height))
        return png_bytes(self.image(self.length / 2, region=area, scale=scale))

    def _about(self) -> str:
        count = len(self.record.tracks)
        return f"{self.length:g} frames, {count} track{'' if count == 1 else 's'}"


class Sequences(Resources[Sequence]):
    """The sequences of a game."""

    resource = Sequence

    def add(
        self,
        name: str,
        *,
        length: float = 60,
        speed: float = 60,
        playback: Playback | str = Playback.ONE_SHOT,
    ) -> Sequence:
        """Add a sequence without tracks: ``length`` in frames, ``speed`` in frames per second.

        Raises ValueError for a name that is taken or is none, and where the release has none,
        ValueError and TypeError for other wrong values.
        """
        made = Sequence(self.game, SequenceRecord())
        made.length, made.speed, made.playback = length, speed, playback
        return self._add(made.record, name)
