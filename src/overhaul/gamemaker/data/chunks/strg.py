"""STRG: the string table."""

from typing import Annotated

import msgspec

from overhaul.gamemaker.data.strings import (
    STRINGS_END,
    String,
    StringTable,
    read_strings,
    write_strings,
)
from overhaul.schema import Buffer, Padding, Reader, Record, Scheme, VariableCodec, Writer
from overhaul.schema.codec import list_of_json, text_from_json


class Strings(VariableCodec[StringTable]):
    """A pointer list of strings: length, bytes, a zero; aligned to 4 in newer files."""

    def type_name(self) -> str:
        return "pointer list of (u32 length, bytes, 0)"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[StringTable, int]:
        return read_strings(data, position, reader)

    def write(self, writer: Writer, value: StringTable) -> None:
        write_strings(writer, value)

    def to_jsonable(self, value: StringTable, scheme: Scheme) -> object:
        return [str(string) for string in value]

    def from_jsonable(self, value: object, scheme: Scheme) -> StringTable:
        return StringTable([String(text_from_json(text)) for text in list_of_json(value)])


class StringList(Record):
    """All strings; other chunks point at their first character, not at the length."""

    strings: Annotated[StringTable, Strings()] = msgspec.field(default_factory=StringTable)
    padding: Annotated[None, Padding(STRINGS_END)] = None


class DebugStringList(Record):
    """The strings of a debugger file: without the padding at the end."""

    strings: Annotated[StringTable, Strings()] = msgspec.field(default_factory=StringTable)
