"""SOND, AGRP and AUDO: sounds, their groups, and their bytes."""

import enum
from typing import TYPE_CHECKING, Annotated

from overhaul.gamemaker.data.fields import StringRef
from overhaul.gamemaker.data.version import since
from overhaul.schema import (
    Buffer,
    Pointers,
    Reader,
    Record,
    Scheme,
    VariableCodec,
    Writer,
    enum32,
    f32,
    i32,
    u32,
)
from overhaul.schema.codec import bytes_from_json

if TYPE_CHECKING:
    from overhaul.schema.outline import Outline
    from overhaul.schema.outlining import Outliner, SlotOf


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


class AudioGroupEntry(Record):
    """An audio group; group 0 is in this file, others in ``audiogroup<index>.dat``."""

    name: StringRef = None
    path: Annotated[StringRef, since(2024, 14), "relative path of the group's file"] = None


class AudioGroupList(Record):
    """All audio groups."""

    groups: Annotated[list[AudioGroupEntry], Pointers()] = []


class MediaBytes(VariableCodec[memoryview | bytes]):
    """A length and as many bytes of a format of their own, which stay in the file's memory."""

    minimum = 4

    def type_name(self) -> str:
        return "u32 length, bytes"

    def outline(self, outliner: "Outliner", slot_of: "SlotOf") -> "Outline":
        return ("sized", "I")

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[memoryview, int]:
        start, end = reader.sized(data, position)
        return reader.media(data, start, end), end

    def write(self, writer: Writer, value: memoryview | bytes) -> None:
        writer.length(len(value))
        writer.add_media(value)

    def to_jsonable(self, value: memoryview | bytes, scheme: Scheme) -> object:
        return bytes(value).hex()

    def from_jsonable(self, value: object, scheme: Scheme) -> bytes:
        return bytes_from_json(value)


class Audio(Record):
    """The bytes of a sound: a complete WAV, OGG or MP3 file."""

    data: Annotated[bytes | memoryview, MediaBytes()] = b""


class AudioList(Record):
    """All sounds' bytes."""

    audio: Annotated[list[Audio | None], Pointers(align=4)] = []
