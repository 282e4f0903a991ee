"""SHDR: shaders: sources, and the compiled forms of several platforms."""

import enum
import struct
from typing import TYPE_CHECKING, Annotated

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.fields import StringRef
from overhaul.schema import (
    Buffer,
    Condition,
    CountedBytes,
    Deferred,
    FixedCodec,
    Inline,
    Pointers,
    RawBytes,
    Reader,
    Record,
    When,
    Writer,
    i32,
    u32,
)

if TYPE_CHECKING:
    from overhaul.schema.outline import Outline
    from overhaul.schema.outlining import Outliner, SlotOf


class ShaderType(enum.IntEnum):
    """The language of a shader; bit 31 is always set in files."""

    GLSL_ES = 0x80000001
    GLSL = 0x80000002
    HLSL9 = 0x80000003
    HLSL11 = 0x80000004
    PSSL = 0x80000005
    CG_VITA = 0x80000006
    CG_PS3 = 0x80000007


_HEAD = struct.Struct("<13I")
#: bytes of one record of the five tables of an HLSL11 blob
_TABLE_SIZES = (20, 32, 12, 12, 20)


class Hlsl11Blob(RawBytes):
    """A compiled HLSL11 shader; its own header has its length."""

    media = True

    def type_name(self) -> str:
        return "HLSL11 blob"

    def outline(self, outliner: "Outliner", slot_of: "SlotOf") -> "Outline":
        return ("own", "hlsl11", (), -1)

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[bytes, int]:
        end = position + hlsl11_length(data, position, reader)
        return bytes(data[position:end]), end

    def write(self, writer: Writer, value: bytes, *needed: object) -> None:
        try:
            length = hlsl11_length(value, 0, Reader())
        except FormatError as error:
            raise EncodeError(f"not a compiled HLSL11 shader: {error}") from None
        if length != len(value):
            raise EncodeError(f"an HLSL11 shader says it has {length} bytes, got {len(value)}")
        super().write(writer, value)


def hlsl11_length(data: Buffer, start: int, reader: Reader) -> int:
    """The length of an HLSL11 blob: five tables, byte code, and the pool of names after it."""
    if start + _HEAD.size > len(data):
        raise reader.truncated(data, start)
    head = _HEAD.unpack_from(data, start)
    counts, code_length, offsets = head[1:6], int(head[6]), head[7:13]
    left = len(data) - start
    end = int(offsets[5]) + code_length
    if end > left:
        raise reader.fail("the byte code of an HLSL11 shader leaves the chunk", start)
    view = memoryview(data)[start:]
    for count, offset, size in zip(counts, offsets, _TABLE_SIZES, strict=False):
        if offset + count * size > left:
            raise reader.fail("a table of an HLSL11 shader leaves the chunk", start)
        for at in range(offset, offset + count * size, size):
            name = int.from_bytes(view[at : at + 4], "little")
            if name >= left:
                raise reader.fail("a name of an HLSL11 shader leaves the chunk", start + at)
            if name >= end or name + 1 > end:
                end = max(end, _end_of_name(view, name, reader, start))
    return end


def _end_of_name(view: memoryview, name: int, reader: Reader, start: int) -> int:
    piece = bytes(view[name : name + 4096])
    zero = piece.find(b"\0")
    if zero < 0:
        raise reader.fail("a name of an HLSL11 shader has no end", start + name)
    return name + zero + 1


later: Condition = Condition(lambda version: version.bytecode > 13, "bytecode 14+")
second: When = When("version", lambda v: v >= 2, "version 2+")


def _blob(length: str) -> Deferred:
    return Deferred(CountedBytes(length, media=True), align=8)


class Shader(Record):
    """A shader. Of the platforms' blobs only HLSL11 is verified: no file at hand has others."""

    name: StringRef = None
    type: Annotated[int, FixedCodec("I", "ShaderType", names=ShaderType)] = 0x80000001
    glsl_es_vertex: StringRef = None
    glsl_es_fragment: StringRef = None
    glsl_vertex: StringRef = None
    glsl_fragment: StringRef = None
    hlsl9_vertex: StringRef = None
    hlsl9_fragment: StringRef = None
    hlsl11_vertex: Annotated[bytes | None, Deferred(Hlsl11Blob(), align=8)] = None
    hlsl11_pixel: Annotated[bytes | None, Deferred(Hlsl11Blob(), align=8)] = None
    attributes: Annotated[list[StringRef], Inline()] = []
    version: Annotated[i32, later] = 2
    pssl_vertex: Annotated[bytes | None, _blob("pssl_vertex_length"), later] = None
    pssl_vertex_length: Annotated[u32, later] = 0
    pssl_pixel: Annotated[bytes | None, _blob("pssl_pixel_length"), later] = None
    pssl_pixel_length: Annotated[u32, later] = 0
    vita_vertex: Annotated[bytes | None, _blob("vita_vertex_length"), later] = None
    vita_vertex_length: Annotated[u32, later] = 0
    vita_pixel: Annotated[bytes | None, _blob("vita_pixel_length"), later] = None
    vita_pixel_length: Annotated[u32, later] = 0
    ps3_vertex: Annotated[bytes | None, _blob("ps3_vertex_length"), later, second] = None
    ps3_vertex_length: Annotated[u32, later, second] = 0
    ps3_pixel: Annotated[bytes | None, _blob("ps3_pixel_length"), later, second] = None
    ps3_pixel_length: Annotated[u32, later, second] = 0


class ShaderList(Record):
    """All shaders."""

    shaders: Annotated[list[Shader], Pointers()] = []
