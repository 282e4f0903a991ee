"""AUDO: the bytes of sounds."""

from typing import Annotated, Any

from overhaul.errors import FormatError
from overhaul.schema import Buffer, Pointers, Reader, Record, VariableCodec, Writer
from overhaul.schema.streams import U32


class MediaBytes(VariableCodec):
    """A length and as many bytes of a format of their own."""

    def type_name(self) -> str:
        return "u32 length, bytes"

    def minimum(self, version: Any) -> int:
        return 4

    def read(
        self, data: Buffer, position: int, reader: Reader, *needed: Any
    ) -> tuple[memoryview, int]:
        if position + 4 > len(data):
            raise reader.truncated(data, position)
        (length,) = U32.unpack_from(data, position)
        end = position + 4 + length
        if end > len(data):
            raise reader.fail(f"{length} bytes do not fit the chunk", position)
        return memoryview(data)[position + 4 : end], end

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        writer.out += U32.pack(len(value))
        writer.out += value
        writer.media += len(value)

    def to_jsonable(self, value: Any, scheme: Any) -> Any:
        return bytes(value).hex()

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        try:
            return bytes.fromhex(value)
        except (TypeError, ValueError):
            raise FormatError("expected hexadecimal bytes") from None


class Audio(Record):
    """The bytes of a sound: a complete WAV, OGG or MP3 file."""

    data: Annotated[bytes | memoryview, MediaBytes()] = b""


class AudioList(Record):
    """All sounds' bytes."""

    audio: Annotated[list[Audio | None], Pointers(align=4)] = []
