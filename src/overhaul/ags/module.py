"""Script modules (.scm): a script and its header, for use in other games.

Source: the editor's ``ImportExport.cs``; see docs/formats/ags-translations.md.
"""

from __future__ import annotations

from typing import Annotated, Final

from overhaul.ags.detect import MODULE as SIGNATURE
from overhaul.ags.fields import cstr, new_reader, record_bytes
from overhaul.errors import FormatError
from overhaul.schema import Buffer, OneOf, Reader, Record, VariableCodec, Writer, codec_for, i32

_CODE_PAGE_MARK: Final = 0xB4F76A66
_END_MARK: Final = 0xB4F76A65


class _SizedSource(VariableCodec[bytes]):
    """A source text behind its length, with a NUL that the length does not count."""

    minimum = 5

    def type_name(self) -> str:
        return "i32 length, bytes, NUL"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[bytes, int]:
        size = int.from_bytes(data[position : position + 4], "little", signed=True)
        end = position + 4 + size
        if size < 0 or end >= len(data):
            raise reader.fail(f"a text of {size} bytes does not fit into the bytes left", position)
        if data[end] != 0:
            raise reader.fail("expected a NUL after a source text", end)
        return bytes(data[position + 4 : end]), end + 1

    def write(self, writer: Writer, value: bytes) -> None:
        writer.out += len(value).to_bytes(4, "little")
        writer.out += value
        writer.out.append(0)


class _Trailer(VariableCodec[tuple[int | None, bool]]):
    """A mark and the code page, then the end mark; either may be missing."""

    def type_name(self) -> str:
        return f"u32 {_CODE_PAGE_MARK:#x}, i32 code page; u32 {_END_MARK:#x}"

    def read(
        self, data: Buffer, position: int, reader: Reader
    ) -> tuple[tuple[int | None, bool], int]:
        code_page: int | None = None
        if int.from_bytes(data[position : position + 4], "little") == _CODE_PAGE_MARK:
            code_page = int.from_bytes(data[position + 4 : position + 8], "little", signed=True)
            position += 8
        ended = int.from_bytes(data[position : position + 4], "little") == _END_MARK
        return (code_page, ended), position + 4 if ended else position

    def write(self, writer: Writer, value: tuple[int | None, bool]) -> None:
        code_page, ended = value
        if code_page is not None:
            writer.out += _CODE_PAGE_MARK.to_bytes(4, "little")
            writer.out += code_page.to_bytes(4, "little", signed=True)
        if ended:
            writer.out += _END_MARK.to_bytes(4, "little")


class ScriptModule(Record):
    """A script module.  ``trailer`` is (code page or None, whether the end mark is there)."""

    format: Annotated[int, OneOf(1)] = 1
    author: cstr = ""
    description: cstr = ""
    name: cstr = ""
    module_version: cstr = ""
    script: Annotated[bytes, _SizedSource()] = b""
    header: Annotated[bytes, _SizedSource()] = b""
    unique_key: i32 = 0
    permissions: i32 = 0
    owner: i32 = 0
    trailer: Annotated[tuple[int | None, bool], _Trailer()] = (None, True)


def read_module(data: bytes | memoryview, *, source: str | None = None) -> tuple[ScriptModule, int]:
    """The module in ``data``, and the position after it; FormatError."""
    if bytes(data[: len(SIGNATURE)]) != SIGNATURE:
        raise FormatError("not a script module: expected AGSScriptModule", source=source, offset=0)
    reader = new_reader(source=source)
    module, end = codec_for(ScriptModule, None).read(bytes(data), len(SIGNATURE), reader)
    return module, end


def write_module(module: ScriptModule) -> bytes:
    """The file of a module."""
    return SIGNATURE + record_bytes(module)
