"""Spine sprites: skeleton JSON, atlas and textures."""

from typing import Annotated, Any

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.fields import ItemRef
from overhaul.gamemaker.data.version import before, since
from overhaul.schema import (
    Align,
    Buffer,
    Condition,
    Inline,
    Reader,
    Record,
    VariableCodec,
    When,
    Writer,
    i32,
    u32,
)

KEY = 42


def unscramble(data: bytes) -> bytes:
    """The JSON or atlas text behind the runner's obfuscation."""
    return _shift(data, -1)


def scramble(text: bytes) -> bytes:
    """The inverse of :func:`unscramble`."""
    return _shift(text, 1)


def _shift(data: bytes, sign: int) -> bytes:
    key = KEY
    shifted = bytearray(len(data))
    for index, byte in enumerate(data):
        shifted[index] = byte + sign * (key & 255) & 255
        key = key * (key + 1) & 0xFFFFFFFF
    return bytes(shifted)


class Block(VariableCodec):
    """Raw bytes whose length is an earlier field."""

    def __init__(self, length: str) -> None:
        self.needs = (length,)

    def type_name(self) -> str:
        return f"bytes × {self.needs[0]}"

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[bytes, int]:
        end = position + needed[0]
        if needed[0] < 0 or end > len(data):
            raise reader.fail(f"{needed[0]} bytes do not fit what is left", position)
        return bytes(data[position:end]), end

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        if len(value) != needed[0]:
            raise EncodeError(f"{self.needs[0]} is {needed[0]}, but there are {len(value)} bytes")
        writer.media += len(value)
        writer.out += value

    def to_jsonable(self, value: Any, scheme: Any) -> Any:
        return value.hex()

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        try:
            return bytes.fromhex(value)
        except (TypeError, ValueError):
            raise FormatError("expected hexadecimal bytes") from None


class SpineTexture(Record):
    """A texture of a Spine sprite; from 2023.1 on the bytes are on a texture page instead."""

    width: i32 = 0
    height: i32 = 0
    length: u32 = 0
    data: Annotated[bytes, Block("length"), before(2023, 1, lts=True)] = b""


first = When("version", lambda v: v == 1, "version 1")
later = When("version", lambda v: v >= 2, "version 2 or 3")
third = When("version", lambda v: v >= 3, "version 3")


class TextureCount(VariableCodec):
    """Textures of a version 2 or 3 sprite: their count stands before the two texts."""

    needs = ("texture_count",)

    def type_name(self) -> str:
        return "texture_count × SpineTexture"

    def bind(self, version: Any) -> VariableCodec:
        from overhaul.schema import codec_for

        bound = TextureCount()
        bound.codec = codec_for(SpineTexture, version)  # type: ignore[attr-defined]
        return bound

    def read(
        self, data: Buffer, position: int, reader: Reader, *needed: Any
    ) -> tuple[list[SpineTexture], int]:
        if needed[0] * 12 > len(data) - position:
            raise reader.fail(f"{needed[0]} textures do not fit what is left", position)
        textures = []
        for _ in range(needed[0]):
            texture, position = self.codec.read(data, position, reader)  # type: ignore[attr-defined]
            textures.append(texture)
        return textures, position

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        for texture in value:
            self.codec.write(writer, texture)  # type: ignore[attr-defined]

    def to_jsonable(self, value: Any, scheme: Any) -> Any:
        from overhaul.schema.jsonable import to_jsonable

        return [to_jsonable(texture, scheme) for texture in value]

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        from overhaul.schema.jsonable import from_jsonable

        return [from_jsonable(SpineTexture, texture, scheme) for texture in value]


class SpineSprite(Record):
    """A Spine skeleton; its JSON and atlas are scrambled (see :func:`unscramble`)."""

    items: Annotated[list[ItemRef], Inline(), Align(4), since(2023, 1, lts=False)] = []
    version: Annotated[
        u32, Align(4, Condition(lambda v: v.number < (2023, 1) or v.lts, "")), "1, 2 or 3"
    ] = 3
    cache_version: Annotated[u32, third, "1"] = 1
    json_length: u32 = 0
    atlas_length: u32 = 0
    texture_length: Annotated[u32, first] = 0
    texture_width: Annotated[u32, first] = 0
    texture_height: Annotated[u32, first] = 0
    texture_count: Annotated[u32, later] = 0
    json: Annotated[bytes, Block("json_length")] = b""
    atlas: Annotated[bytes, Block("atlas_length")] = b""
    texture: Annotated[bytes, Block("texture_length"), first] = b""
    textures: Annotated[list[SpineTexture], TextureCount(), later] = []
