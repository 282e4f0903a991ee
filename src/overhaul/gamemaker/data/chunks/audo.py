"""AUDO: the bytes of sounds."""

from typing import Annotated

from overhaul.schema import Buffer, Pointers, Reader, Record, Scheme, VariableCodec, Writer
from overhaul.schema.codec import bytes_from_json


class MediaBytes(VariableCodec[memoryview | bytes]):
    """A length and as many bytes of a format of their own, which stay in the file's memory."""

    minimum = 4

    def type_name(self) -> str:
        return "u32 length, bytes"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[memoryview, int]:
        start, end = reader.sized(data, position)
        return memoryview(data)[start:end], end

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
