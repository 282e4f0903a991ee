"""SOND: sounds; their bytes are in AUDO here or in an audio group's file."""

import enum
from typing import Annotated

from overhaul.gamemaker.data.fields import StringRef
from overhaul.gamemaker.data.version import since
from overhaul.schema import Pointers, Record, enum32, f32, i32, u32


class SoundFlags(enum.IntFlag):
    """Bits of a sound's flags; ``REGULAR`` (three bits) means the new audio system."""

    EMBEDDED = 0x1
    COMPRESSED = 0x2
    REGULAR = 0x64


class Sound(Record):
    """A sound."""

    name: StringRef = None
    flags: Annotated[int, enum32(SoundFlags)] = 0x65
    type: Annotated[StringRef, ".wav, .ogg, .mp3, or none"] = None
    file: Annotated[StringRef, "original or streamed file name"] = None
    effects: u32 = 0
    volume: f32 = 1.0
    pitch: f32 = 0.0
    group: Annotated[i32, "audio group; before bytecode 14: preload"] = 0
    audio: Annotated[i32, "index in AUDO of the group's file; -1: streamed"] = -1
    length: Annotated[f32, since(2024, 6), "seconds"] = 0.0


class SoundList(Record):
    """All sounds."""

    sounds: Annotated[list[Sound], Pointers()] = []
