"""Sequences, with their tracks and key frames."""

from __future__ import annotations

from typing import Any

from overhaul.gamemaker.data.chunks import seqn
from overhaul.gamemaker.data.chunks.acrv import AnimationCurve as CurveRecord
from overhaul.gamemaker.data.chunks.acrv import UnnamedCurve
from overhaul.gamemaker.data.chunks.seqn import BuiltinTrack, Playback, SpeedType
from overhaul.gamemaker.data.chunks.seqn import Keyframe as KeyframeRecord
from overhaul.gamemaker.data.chunks.seqn import Sequence as SequenceRecord
from overhaul.gamemaker.data.chunks.seqn import Track as TrackRecord
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.colour import Colour
from overhaul.gamemaker.data.resources.curves import CurveChannels
from overhaul.gamemaker.data.resources.fields import (
    Choice,
    Field,
    Flag,
    Held,
    Number,
    Real,
    Text,
)
from overhaul.gamemaker.data.resources.parts import Part, Parts
from overhaul.gamemaker.data.resources.related import NamedParts, Related


class _SignedPaint(Field[Colour]):
    """A colour in a signed number."""

    def shown(self, value: int, holder: Held) -> Colour:
        return Colour.from_abgr(value & 0xFFFFFFFF)

    def stored(self, value: Colour | tuple[int, ...] | str, holder: Held) -> object:
        number = Colour.of(value).to_abgr()
        return number - (1 << 32) if number >> 31 else number


#: what a channel's value is, by the class of its record
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
            return [str(each) for each in record.messages]
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

    frame = Real("when it begins, in frames of the sequence", "key")
    length = Real("for how many frames it holds")
    stretch = Flag("whether it holds to the end of the track")
    disabled = Flag("whether it does nothing")

    @property
    def channels(self) -> Channels:
        """Its channels; ``keyframe.channels[0].value``."""
        return Channels(self.game, self.owner, getattr(self.record, "channels", []))

    def _about(self) -> str:
        values = ", ".join(repr(each.value) for each in self.channels)
        return f"at {self.frame:g}: {values}"


class Keyframes(Parts[Keyframe]):
    """The key frames of a track."""

    title = "key frame"

    def _over(self, record: KeyframeRecord) -> Keyframe:
        return Keyframe(self.game, self.owner, record)


class Track(Part[SequenceRecord, TrackRecord]):
    """A track of a sequence; tracks nest."""

    __slots__ = ()

    name = Text("its name")
    builtin = Choice(BuiltinTrack, "what it animates, by its name", "builtin_name")
    is_creation_track = Flag("whether it was made by GameMaker")

    @property
    def kind(self) -> str:
        """What kind of track it is: ``GMGraphicTrack``, ``GMRealTrack``, ..."""
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

    def _about(self) -> str:
        return f"{self.name} ({self.kind}), {len(self.keyframes)} key frames"


class Tracks(NamedParts[Track]):
    """Tracks by number and by name."""

    title = "track"

    def _over(self, record: TrackRecord) -> Track:
        return Track(self.game, self.owner, record)


class Sequence(Resource[SequenceRecord]):
    """A sequence."""

    __slots__ = ()
    chunk = "SEQN"

    playback = Choice(Playback, "what happens at its end")
    speed = Real("frames per second or per step of the game")
    speed_type = Choice(SpeedType, "what the speed counts")
    length = Real("frames")
    origin_x = Number("pixels")
    origin_y = Number("pixels")
    volume = Real("of its sounds, from 0 to 1")
    width = Real("pixels (2024.13 and later)")
    height = Real("pixels (2024.13 and later)")

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
