"""The tables of contents of packages, one record per family of library versions.

Source: the engine's ``Common/data/multifilelib.cpp`` and its older ``Common/util/multifilelib.h``;
see docs/formats/ags-packages.md.  Names are kept as stored bytes here; the package decodes
them.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Final

from overhaul.ags.fields import FixedText, cstr
from overhaul.ags.text import NAME_KEY, add_key, subtract_key
from overhaul.ags.versions import PACKAGE_KEYED, PACKAGE_KEYED_NAMES, PACKAGE_PASSWORD
from overhaul.errors import EncodeError
from overhaul.schema import (
    Buffer,
    Bytes,
    Counted,
    Inline,
    NulText,
    RawBytes,
    Reader,
    Record,
    Writer,
    before,
    by_version,
    count_of,
    i32,
    i64,
    since,
    u8,
    u16,
    u32,
)


class _LengthName(RawBytes):
    """A name behind an i16 that is five times its length (library version 20)."""

    minimum = 2

    def type_name(self) -> str:
        return "i16 length × 5, obfuscated text"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[bytes, int]:
        length = int.from_bytes(data[position : position + 2], "little", signed=True)
        end = position + 2 + length // 5
        if position + 2 > len(data) or length < 0 or length % 5 or end > len(data):
            raise reader.fail(f"not a valid length of a name: {length}", position)
        return bytes(data[position + 2 : end]), end

    def write(self, writer: Writer, value: bytes) -> None:
        if len(value) * 5 > 0x7FFF:
            raise EncodeError(f"expected a name of at most 6553 bytes, got {len(value)}")
        writer.out += (len(value) * 5).to_bytes(2, "little")
        writer.out += value


class Table6(Record):
    """Library version 6: one file, names shifted by a number, data right behind the table."""

    modifier: Annotated[u8, "what is added to each byte of a name"] = 20
    unused: u8 = 0
    count: ClassVar[u16] = count_of("names")
    password: Annotated[bytes, Bytes(13)] = bytes(13)
    names: Annotated[list[Annotated[bytes, Bytes(13)]], Counted("count")] = []
    sizes: Annotated[list[u32], Counted("count")] = []
    flags: Annotated[list[Annotated[bytes, Bytes(2)]], Counted("count")] = []


class Table10(Record):
    """Library versions 10 to 21: names are obfuscated from 11 to 20, and longer from 20 on.

    In version 21 the names are plain, but the whole table is enciphered by a seed before it.
    """

    parts: Annotated[
        list[Annotated[str, by_version((20, FixedText(20)), last=NulText())]], Inline()
    ] = []
    count: ClassVar[u32] = count_of("offsets")
    stored_names: Annotated[
        list[Annotated[bytes, by_version((20, Bytes(25)), last=_LengthName())]],
        Counted("count"),
        before(21),
    ] = []
    names: Annotated[list[cstr], Counted("count"), since(21)] = []
    offsets: Annotated[list[u32], Counted("count")] = []
    sizes: Annotated[list[u32], Counted("count")] = []
    part_indexes: Annotated[list[u8], Counted("count")] = []


class Entry30(Record):
    """An asset in a table of library version 30."""

    name: cstr = ""
    part: u8 = 0
    offset: i64 = 0
    size: i64 = 0


class Head30(Record):
    """The fields before the entries of a table of library version 30."""

    options: Annotated[i32, "reserved, 0"] = 0
    parts: Annotated[list[cstr], Inline()] = []
    count: i32 = 0


class Table30(Record):
    """Library version 30: plain, with 64-bit offsets."""

    options: Annotated[i32, "reserved, 0"] = 0
    parts: Annotated[list[cstr], Inline()] = []
    entries: Annotated[list[Entry30], Inline()] = []


Table = Table6 | Table10 | Table30

TABLES: Final[dict[int, type[Table]]] = {
    6: Table6,
    **dict.fromkeys((10, 11, 15, 20, 21), Table10),
    30: Table30,
}
"""The record of the table of each library version."""


def plain_name(version: int, stored: bytes, modifier: int = 0) -> tuple[bytes, bytes]:
    """(name, stored bytes after its NUL) of a name in a table of library versions 6 to 20."""
    if version == PACKAGE_PASSWORD:
        name, _, rest = stored.partition(b"\0")
        return bytes([(byte - modifier) & 0xFF for byte in name]), rest
    plain = subtract_key(stored, NAME_KEY) if version >= PACKAGE_KEYED_NAMES else stored
    end = plain.find(b"\0")
    if end < 0:
        return plain, b""
    return plain[:end], stored[end + 1 :]


def stored_name(version: int, name: bytes, rest: bytes = b"", modifier: int = 0) -> bytes:
    """The stored form of a name; ``rest`` are the bytes after its NUL, cut or filled to fit."""
    if version == PACKAGE_KEYED:
        return add_key(name + b"\0", NAME_KEY) + rest
    size = 13 if version == PACKAGE_PASSWORD else 25
    if len(name) > size:
        raise EncodeError(f"expected an asset name of at most {size} bytes in this package version")
    if version == PACKAGE_PASSWORD:
        plain = bytes([(byte + modifier) & 0xFF for byte in name])
        if b"\0" in plain:
            raise EncodeError("this asset name can't be stored in this package version")
        stored = plain + b"\0" if len(name) < size else plain
    else:
        plain = name + b"\0" if len(name) < size else name
        stored = add_key(plain, NAME_KEY) if version >= PACKAGE_KEYED_NAMES else plain
    return (stored + rest).ljust(size, b"\0")[:size]
