"""The first keyframe of a track of a sequence that has none: what it holds follows from the track.

Tracks of sprites, objects, sounds, sequences and particle systems need the name of one.  Which
channels a track of numbers has was seen in files: positions, scales, origins and sizes have two.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from overhaul.errors import WorkspaceError


class Held(NamedTuple):
    """The channels of a track: the ``key`` of the value in JSON, and the kind of resource that
    it names; "" for a value of its own."""

    key: str
    kind: str = ""
    typed: bool = False


_NUMBER: Final = Held("value")
#: The channels of a track, by its model.
_MODELS: Final[Mapping[str, Held]] = {
    "GMGraphicTrack": Held("sprite", "sprite", True),
    "GMInstanceTrack": Held("object", "object", True),
    "GMAudioTrack": Held("sound", "sound", True),
    "GMSequenceTrack": Held("sequence", "sequence", True),
    "GMParticleTrack": Held("particle_system", "particle system", True),
    "GMStringTrack": Held("value", typed=True),
    "GMTextTrack": Held("text", typed=True),
    "GMRealTrack": _NUMBER,
    "GMAudioEffectTrack": _NUMBER,
    "GMColourTrack": _NUMBER,
    "GMBoolTrack": _NUMBER,
    "GMSpriteFramesTrack": _NUMBER,
}
_TWO_CHANNELS: Final = frozenset(("position", "scale", "origin", "frame_size"))
#: The values that change nothing, where that is not 0: white, and the natural size, speed and
#: loudness.
_WHITE: Final = -1
_ONES: Final = frozenset(("scale", "gain", "pitch", "image_speed"))


def held_by(track: Mapping[str, object]) -> Held | None:
    """The channels of a track's keyframes; None for tracks that have none, or of an unknown
    kind."""
    return _MODELS.get(str(track.get("model", "")))


def frames_of(track: Mapping[str, object]) -> list[object] | None:
    """The keyframes of a track; None for one that can have none."""
    store = track.get("keyframes")
    frames = store.get("frames") if isinstance(store, dict) else None
    if isinstance(frames, list):
        return frames
    return [] if frames is None and held_by(track) is not None else None


def add_first(track: dict[str, object], typed: str, length: float) -> None:
    """Give a track its first keyframe, at 0; ``typed`` is the name or text it holds.

    ``length`` is that of the sequence, for which a sprite or a sound stays.  Raises WorkspaceError
    for a track that can have none, and where a name is missing.
    """
    held = held_by(track)
    if held is None:
        raise WorkspaceError("a track of this kind has no keyframes of its own")
    if held.kind and not typed:
        raise WorkspaceError(f"a keyframe of this track shows a {held.kind}: type its name")
    builtin = str(track.get("builtin_name", ""))
    value: object = typed if held.typed else 0
    if track.get("model") == "GMColourTrack":
        value = _WHITE
    elif builtin in _ONES and not held.typed:
        value = 1
    count = 2 if builtin in _TWO_CHANNELS else 1
    channels: list[object] = [
        {**({"channel": number} if number else {}), held.key: value} for number in range(count)
    ]
    frame: dict[str, object] = {"channels": channels}
    if held.typed:
        frame["length"] = max(length, 1.0)
    store = track.get("keyframes")
    track["keyframes"] = {**(store if isinstance(store, dict) else {}), "frames": [frame]}
