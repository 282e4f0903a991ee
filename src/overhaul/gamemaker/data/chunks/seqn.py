"""SEQN, ACRV and PATH: sequences, animation curves and paths."""

import enum
from typing import Annotated, ClassVar

import msgspec

from overhaul.gamemaker.data.fields import (
    CurveRef,
    FontRef,
    ObjectRef,
    ParticleSystemRef,
    SequenceRef,
    SoundRef,
    SpriteRef,
    StringRef,
)
from overhaul.gamemaker.data.version import since
from overhaul.schema import (
    Align,
    Condition,
    Counted,
    Inline,
    Pointers,
    Record,
    Switch,
    When,
    b32,
    count_of,
    enum32,
    f32,
    i32,
    u32,
)


class CurveFunction(enum.IntEnum):
    """How a channel goes from point to point."""

    LINEAR = 0
    SMOOTH = 1
    BEZIER = 2


class CurvePoint(Record):
    """A point of a channel."""

    x: f32 = 0.0
    value: f32 = 0.0
    unknown: Annotated[u32, Condition(lambda v: v.number < (2, 3, 1), "2.3.0"), "0"] = 0
    bezier_x0: Annotated[f32, since(2, 3, 1)] = 0.0
    bezier_y0: Annotated[f32, since(2, 3, 1)] = 0.0
    bezier_x1: Annotated[f32, since(2, 3, 1)] = 0.0
    bezier_y1: Annotated[f32, since(2, 3, 1)] = 0.0


class CurveChannel(Record):
    """A channel of a curve."""

    name: StringRef = None
    function: Annotated[int, enum32(CurveFunction)] = 0
    iterations: u32 = 16
    points: Annotated[list[CurvePoint], Inline()] = []


class UnnamedCurve(Record):
    """A curve inside a key frame."""

    graph_type: u32 = 0
    channels: Annotated[list[CurveChannel], Inline()] = []


class AnimationCurve(Record):
    """An animation curve."""

    name: StringRef = None
    graph_type: u32 = 0
    channels: Annotated[list[CurveChannel], Inline()] = []


class AnimationCurveList(Record):
    """All animation curves."""

    version: Annotated[u32, Align(4), "1"] = 1
    curves: Annotated[list[AnimationCurve], Pointers()] = []


class PathPoint(Record):
    """A point of a path."""

    x: f32 = 0.0
    y: f32 = 0.0
    speed: Annotated[f32, "per cent"] = 100.0


class Path(Record):
    """A path."""

    name: StringRef = None
    smooth: b32 = False
    closed: b32 = False
    precision: Annotated[u32, "1 to 8"] = 4
    points: Annotated[list[PathPoint], Inline()] = []


class PathList(Record):
    """All paths."""

    paths: Annotated[list[Path], Pointers()] = []


class Playback(enum.IntEnum):
    """The behaviour at the end of a sequence."""

    ONE_SHOT = 0
    LOOP = 1
    PING_PONG = 2


class SpeedType(enum.IntEnum):
    """The unit of a playback speed."""

    FRAMES_PER_SECOND = 0
    FRAMES_PER_GAME_FRAME = 1


class BuiltinTrack(enum.IntEnum):
    """The property that a track with a built-in name animates."""

    NONE = 0
    GAIN = 5
    PITCH = 6
    FALLOFF = 7
    ROTATION = 8
    BLEND_ADD = 9
    BLEND_MULTIPLY = 10
    MASK = 12
    SUBJECT = 13
    POSITION = 14
    SCALE = 15
    ORIGIN = 16
    IMAGE_SPEED = 17
    IMAGE_INDEX = 18
    FRAME_SIZE = 20
    CHARACTER_SPACING = 21
    LINE_SPACING = 22
    PARAGRAPH_SPACING = 23


# --- what a key frame's channel holds, by kind of track ---------------------------------------


class Channel(Record):
    """The number of a channel; its value follows."""

    channel: i32 = 0


class IntegerChannel(Channel):
    """A number: a frame of a sprite, a boolean."""

    value: i32 = 0


class StringChannel(Channel):
    """A string."""

    value: StringRef = None


class SpriteChannel(Channel):
    """A sprite."""

    sprite: SpriteRef = None


class ObjectChannel(Channel):
    """An object."""

    object: ObjectRef = None


class SequenceChannel(Channel):
    """A sequence."""

    sequence: SequenceRef = None


class ParticleChannel(Channel):
    """A particle system."""

    particle_system: ParticleSystemRef = None


class SoundChannel(Channel):
    """A sound, played once or in a loop."""

    sound: SoundRef = None
    unknown: Annotated[u32, "0"] = 0
    mode: Annotated[i32, "0 once, 1 loop"] = 0


class TextChannel(Channel):
    """A text."""

    text: StringRef = None
    wrap: b32 = False
    alignment: Annotated[i32, "low byte horizontal, next byte vertical"] = 0
    font: FontRef = None
    wrap_mode: Annotated[i32, since(2024, 14)] = 0
    origin: Annotated[i32, since(2024, 14)] = 0


class RealChannel(Channel):
    """A number, or a curve: embedded, or one of ACRV."""

    value: f32 = 0.0
    embedded: b32 = False
    curve: Annotated[CurveRef, When("embedded", lambda v: not v, "not embedded")] = None
    unknown: Annotated[i32, When("embedded", bool, "embedded"), "-1"] = -1
    own_curve: Annotated[UnnamedCurve | None, When("embedded", bool, "embedded")] = None


class ColourChannel(Channel):
    """A colour, or a curve: embedded, or one of ACRV."""

    value: Annotated[i32, "ABGR"] = 0
    embedded: b32 = False
    curve: Annotated[CurveRef, When("embedded", lambda v: not v, "not embedded")] = None
    unknown: Annotated[i32, When("embedded", bool, "embedded"), "-1"] = -1
    own_curve: Annotated[UnnamedCurve | None, When("embedded", bool, "embedded")] = None


# --- key frames -------------------------------------------------------------------------------


class Keyframe(Record):
    """When a key frame begins, and for how long it holds; its channels follow."""

    key: Annotated[f32, "frame"] = 0.0
    length: Annotated[f32, "frames"] = 1.0
    stretch: b32 = False
    disabled: b32 = False


class IntegerKeyframe(Keyframe):
    """A key frame of numbers."""

    channels: Annotated[list[IntegerChannel], Inline()] = []


class StringKeyframe(Keyframe):
    """A key frame of strings."""

    channels: Annotated[list[StringChannel], Inline()] = []


class SpriteKeyframe(Keyframe):
    """A key frame of sprites."""

    channels: Annotated[list[SpriteChannel], Inline()] = []


class ObjectKeyframe(Keyframe):
    """A key frame of objects."""

    channels: Annotated[list[ObjectChannel], Inline()] = []


class SequenceKeyframe(Keyframe):
    """A key frame of sequences."""

    channels: Annotated[list[SequenceChannel], Inline()] = []


class ParticleKeyframe(Keyframe):
    """A key frame of particle systems."""

    channels: Annotated[list[ParticleChannel], Inline()] = []


class SoundKeyframe(Keyframe):
    """A key frame of sounds."""

    channels: Annotated[list[SoundChannel], Inline()] = []


class TextKeyframe(Keyframe):
    """A key frame of texts."""

    channels: Annotated[list[TextChannel], Inline()] = []


class RealKeyframe(Keyframe):
    """A key frame of numbers or curves."""

    channels: Annotated[list[RealChannel], Inline()] = []


class ColourKeyframe(Keyframe):
    """A key frame of colours or curves."""

    channels: Annotated[list[ColourChannel], Inline()] = []


class Messages(Record):
    """The messages of a channel."""

    channel: i32 = 0
    messages: Annotated[list[StringRef], Inline()] = []


class MessageKeyframe(Keyframe):
    """A key frame of messages, broadcast or moments."""

    channels: Annotated[list[Messages], Inline()] = []


# --- the key frame store of a track, by its model name ----------------------------------------


class IntegerFrames(Record):
    """Key frames of numbers."""

    frames: Annotated[list[IntegerKeyframe], Inline(), Align(4)] = []


class StringFrames(Record):
    """Key frames of strings."""

    frames: Annotated[list[StringKeyframe], Inline(), Align(4)] = []


class SpriteFrames(Record):
    """Key frames of sprites."""

    frames: Annotated[list[SpriteKeyframe], Inline(), Align(4)] = []


class ObjectFrames(Record):
    """Key frames of objects."""

    frames: Annotated[list[ObjectKeyframe], Inline(), Align(4)] = []


class SequenceFrames(Record):
    """Key frames of sequences."""

    frames: Annotated[list[SequenceKeyframe], Inline(), Align(4)] = []


class ParticleFrames(Record):
    """Key frames of particle systems."""

    frames: Annotated[list[ParticleKeyframe], Inline(), Align(4)] = []


class SoundFrames(Record):
    """Key frames of sounds."""

    frames: Annotated[list[SoundKeyframe], Inline(), Align(4)] = []


class TextFrames(Record):
    """Key frames of texts."""

    frames: Annotated[list[TextKeyframe], Inline(), Align(4)] = []


class RealFrames(Record):
    """Key frames of numbers or curves."""

    interpolation: Annotated[i32, Align(4), "0 stepped, 1 linear"] = 0
    frames: Annotated[list[RealKeyframe], Inline()] = []


class ColourFrames(Record):
    """Key frames of colours or curves."""

    interpolation: Annotated[i32, Align(4), "0 stepped, 1 linear"] = 0
    frames: Annotated[list[ColourKeyframe], Inline()] = []


class NoFrames(Record):
    """A track without key frames of its own."""


FRAMES_BY_MODEL: dict[str, type[Record]] = {
    "GMAudioTrack": SoundFrames,
    "GMInstanceTrack": ObjectFrames,
    "GMGraphicTrack": SpriteFrames,
    "GMSequenceTrack": SequenceFrames,
    "GMParticleTrack": ParticleFrames,
    "GMSpriteFramesTrack": IntegerFrames,
    "GMBoolTrack": IntegerFrames,
    "GMStringTrack": StringFrames,
    "GMColourTrack": ColourFrames,
    "GMRealTrack": RealFrames,
    "GMAudioEffectTrack": RealFrames,
    "GMTextTrack": TextFrames,
    "GMGroupTrack": NoFrames,
    "GMClipMaskTrack": NoFrames,
    "GMClipMask_Mask": NoFrames,  # these two: the runtime's source has them, no game at hand
    "GMClipMask_Subject": NoFrames,
}


#: the key frame store that the track's model name calls for
FRAMES = Switch("model", FRAMES_BY_MODEL, key=str, unknown="a track of the unknown kind")


class OwnedResource(Record):
    """A resource that a track owns: always an animation curve so far."""

    model: Annotated[StringRef, "GMAnimCurve"] = None
    curve: AnimationCurve = msgspec.field(default_factory=AnimationCurve)


class Track(Record):
    """A track of a sequence; tracks nest."""

    model: Annotated[StringRef, "kind of track"] = None
    name: StringRef = None
    builtin_name: Annotated[int, enum32(BuiltinTrack, "i")] = 0
    traits: Annotated[i32, "1: children ignore the origin"] = 0
    is_creation_track: b32 = False
    tag_count: ClassVar[u32] = count_of("tags")
    owned_count: ClassVar[u32] = count_of("owned")
    track_count: ClassVar[u32] = count_of("tracks")
    tags: Annotated[list[i32], Counted("tag_count")] = []
    owned: Annotated[list[OwnedResource], Counted("owned_count")] = []
    tracks: Annotated[list["Track"], Counted("track_count")] = []
    keyframes: Annotated[object, FRAMES] = None


class SequenceFunction(Record):
    """A function of a sequence."""

    id: i32 = 0
    name: StringRef = None


class Sequence(Record):
    """A sequence."""

    name: StringRef = None
    playback: Annotated[int, enum32(Playback)] = 0
    speed: f32 = 60.0
    speed_type: Annotated[int, enum32(SpeedType)] = 0
    length: Annotated[f32, "frames"] = 0.0
    origin_x: i32 = 0
    origin_y: i32 = 0
    volume: f32 = 1.0
    width: Annotated[f32, since(2024, 13)] = 0.0
    height: Annotated[f32, since(2024, 13)] = 0.0
    broadcast_messages: Annotated[list[MessageKeyframe], Inline()] = []
    tracks: Annotated[list[Track], Inline()] = []
    functions: Annotated[list[SequenceFunction], Inline()] = []
    moments: Annotated[list[MessageKeyframe], Inline()] = []


class SequenceList(Record):
    """All sequences; the chunk may also be empty."""

    version: Annotated[u32, Align(4), "1"] = 1
    sequences: Annotated[list[Sequence], Pointers()] = []
