"""Compiled scripts (SCOM): the sections of one, as a record.

Source: the engine's ``Common/script/cc_script.cpp``; see docs/formats/ags-scripts.md.  Versions
81 to 95 are read; 81 lacks the section list, and only 95 has extension blocks.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Annotated, ClassVar, Final

from overhaul.ags.blocks import GAME, Block, BlockList, read_blocks
from overhaul.ags.detect import SCRIPT as SIGNATURE
from overhaul.ags.fields import cstr, new_reader, new_writer
from overhaul.ags.text import decode
from overhaul.ags.versions import SCRIPT_NEWEST, SCRIPT_SECTIONS
from overhaul.errors import UnsupportedVersion
from overhaul.schema import (
    Buffer,
    Constant,
    Counted,
    CountedBytes,
    Inline,
    Reader,
    Record,
    VariableCodec,
    Writer,
    codec_for,
    count_of,
    i32,
    since,
    u32,
)

if TYPE_CHECKING:
    from overhaul.schema.spans import Walk, Way

_END_MARK: Final = (0xBEEFCAFE).to_bytes(4, "little")
_SOURCE_MARK: Final = "__NEWSCRIPTSTART_"
_HEADER: Final = struct.Struct("<4si")


class Export(Record):
    """A name that other scripts see."""

    name: cstr = ""
    address: Annotated[u32, "kind << 24 (1 function, 2 data), and code index or data offset"] = 0


class Section(Record):
    """The start of one source file's code."""

    name: cstr = ""
    offset: Annotated[i32, "index of the first code word"] = 0


class _Blocks(VariableCodec[list[Block]]):
    """The extension blocks at the end of a script of version 95."""

    def type_name(self) -> str:
        return "extension blocks"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[list[Block], int]:
        blocks = read_blocks(memoryview(data), GAME, position)
        return blocks.blocks, position + blocks.size

    def write(self, writer: Writer, value: list[Block]) -> None:
        writer.out += BlockList(GAME, value).to_bytes()


class ScriptBody(Record):
    """Everything after a script's signature and version."""

    data_size: ClassVar[Annotated[u32, "bytes of global data"]] = count_of("global_data")
    code_size: ClassVar[Annotated[u32, "words of code"]] = count_of("code", unit=4)
    strings_size: ClassVar[Annotated[u32, "bytes of the string table"]] = count_of("strings")
    global_data: Annotated[bytes, CountedBytes("data_size")] = b""
    code: Annotated[bytes, CountedBytes("code_size", unit=4)] = b""
    strings: Annotated[bytes, CountedBytes("strings_size"), "texts, each ended by a NUL"] = b""
    fixup_count: ClassVar[u32] = count_of("fixup_types")
    fixup_types: Annotated[bytes, CountedBytes("fixup_count")] = b""
    fixup_positions: Annotated[
        list[i32], Counted("fixup_count"), "code word, or data offset for type 5"
    ] = []
    imports: Annotated[list[cstr], Inline()] = []
    exports: Annotated[list[Export], Inline()] = []
    sections: Annotated[list[Section], Inline(), since(SCRIPT_SECTIONS)] = []
    extensions: Annotated[list[Block], _Blocks(), since(95)] = []
    end_mark: Annotated[None, Constant(_END_MARK, "the mark that ends a script")] = None


class Script(ScriptBody):
    """A compiled script."""

    version: int = 90

    @property
    def words(self) -> tuple[int, ...]:
        """The code as 32-bit numbers."""
        return struct.unpack(f"<{len(self.code) // 4}i", self.code)

    @property
    def name(self) -> str:
        """The name of the script: that of its last section, or empty."""
        return self.sections[-1].name if self.sections else ""

    def texts(self) -> list[str]:
        """The texts of the string table, without the marks of source files."""
        pieces = (decode(piece) for piece in self.strings.split(b"\0"))
        return [text for text in pieces if text and not text.startswith(_SOURCE_MARK)]

    def to_bytes(self) -> bytes:
        """The script as stored in a file."""
        writer = new_writer()
        write_script(writer, self)
        return bytes(writer.out)


_FIELDS: Final = ScriptBody.__struct_fields__


def read_script(
    data: Buffer, position: int = 0, reader: Reader | None = None
) -> tuple[Script, int]:
    """The script that starts at ``position``, and the position after it."""
    reader = reader or new_reader()
    if position + _HEADER.size > len(data):
        raise reader.truncated(data, position)
    signature, version = _HEADER.unpack_from(data, position)
    if signature != SIGNATURE:
        raise reader.fail("not a compiled script: expected SCOM", position)
    if not 0 < version <= SCRIPT_NEWEST:
        raise UnsupportedVersion(
            f"expected a script version up to {SCRIPT_NEWEST}, got {version}",
            source=reader.source,
            offset=position + 4,
        )
    body, end = codec_for(ScriptBody, version).read(data, position + _HEADER.size, reader)
    fields = {name: getattr(body, name) for name in _FIELDS}
    return Script(**fields, version=version), end


def write_script(writer: Writer, script: Script) -> None:
    """Append a script."""
    writer.out += _HEADER.pack(SIGNATURE, script.version)
    codec_for(ScriptBody, script.version).write(writer, script)


class ScriptCodec(VariableCodec["Script"]):
    """A compiled script as a field of another record."""

    minimum = _HEADER.size + 28

    def type_name(self) -> str:
        return "compiled script"

    def walk(self, walk: Walk, position: int, way: Way) -> None:
        """Walk through the header and the parts (see :mod:`overhaul.schema.spans`)."""
        _, version = _HEADER.unpack_from(walk.data, position)
        walk.add((*way, "signature"), "signature", position, position + 4, SIGNATURE)
        walk.add((*way, "version"), "i32", position + 4, position + 8, version)
        with walk.at(version):
            walk.record(ScriptBody, position + _HEADER.size, way)

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[Script, int]:
        return read_script(data, position, reader)

    def write(self, writer: Writer, value: Script) -> None:
        write_script(writer, value)


script = Annotated[Script, ScriptCodec()]
"""The type of a field that holds a compiled script."""
