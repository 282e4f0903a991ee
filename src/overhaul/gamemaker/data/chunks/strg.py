"""STRG: the string table."""

import struct
from typing import Annotated

import msgspec

from overhaul.gamemaker.data.strings import String, StringTable, decoded
from overhaul.schema import Buffer, Padding, Reader, Record, Scheme, VariableCodec, Writer
from overhaul.schema.codec import list_of_json, text_from_json
from overhaul.schema.streams import U32


class Strings(VariableCodec[StringTable]):
    """A pointer list of strings: length, bytes, a zero; aligned to 4 in newer files."""

    def type_name(self) -> str:
        return "pointer list of (u32 length, bytes, 0)"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[StringTable, int]:
        pointers, position = read_pointers(data, position, reader)
        alignment = reader.version.string_alignment
        unpack = U32.unpack_from
        size = len(data)
        strings: list[String] = []
        append = strings.append
        for index, pointer in enumerate(pointers):
            if alignment > 1 and position % alignment:
                position = reader.skip_padding(data, position, alignment)
            if pointer != position:
                if not reader.base <= pointer <= size - 5:
                    raise reader.fail(
                        f"the pointer {pointer:#x} is outside the chunk", position
                    ).within("", index)
                reader.note("a string out of order", pointer)
                reader.charge(data, 64, pointer)
            if pointer > size - 5:
                raise reader.truncated(data, pointer).within("", index)
            (length,) = unpack(data, pointer)
            end = pointer + 4 + length
            if end >= size or data[end]:
                raise reader.fail("a string without a zero byte at the end", pointer).within(
                    "", index
                )
            append(decoded(bytes(data[pointer + 4 : end])))
            position = end + 1
        return StringTable(strings), position

    def write(self, writer: Writer, value: StringTable) -> None:
        out = writer.out
        count = len(value)
        out += U32.pack(count)
        table = len(out)
        position = table + 4 * count
        alignment = writer.version.string_alignment
        pointers = []
        parts = []
        for string in value:
            raw = string.raw
            padding = -position % alignment
            if padding:
                parts.append(bytes(padding))
                position += padding
            pointers.append(position)
            parts.append(U32.pack(len(raw)))
            parts.append(raw)
            parts.append(b"\0")
            position += 5 + len(raw)
        out += struct.pack(f"<{count}I", *pointers)
        out += b"".join(parts)
        writer.noted("pointer").extend(range(table, table + 4 * count, 4))
        writer.string_pointers = pointers  # type: ignore[attr-defined]

    def to_jsonable(self, value: StringTable, scheme: Scheme) -> object:
        return [str(string) for string in value]

    def from_jsonable(self, value: object, scheme: Scheme) -> StringTable:
        return StringTable([String(text_from_json(text)) for text in list_of_json(value)])


def read_pointers(data: Buffer, position: int, reader: Reader) -> tuple[tuple[int, ...], int]:
    """The count and pointers a pointer list begins with, and the position after them."""
    reader.take(data, position, 4)
    (count,) = U32.unpack_from(data, position)
    if 4 * count > len(data) - position - 4:
        raise reader.fail(f"a count of {count} does not fit the chunk", position)
    pointers = struct.unpack_from(f"<{count}I", data, position + 4)
    return pointers, position + 4 + 4 * count


class StringList(Record):
    """All strings; other chunks point at their first character, not at the length."""

    strings: Annotated[StringTable, Strings()] = msgspec.field(default_factory=StringTable)
    padding: Annotated[None, Padding(128)] = None


class DebugStringList(Record):
    """The strings of a debugger file: without the padding at the end."""

    strings: Annotated[StringTable, Strings()] = msgspec.field(default_factory=StringTable)
