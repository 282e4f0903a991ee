"""The icon of a program, and the texts of its version, as Windows shows them.

Game Maker puts both into the executable as resources of the PE format, which the library pefile
reads.  Source: "PE Format" in Microsoft's documentation, and executables whose projects are known.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

import pefile

from overhaul.document.protocol import Buffer
from overhaul.errors import FormatError

_RESOURCES: Final = 2
_ICON: Final = 3
_ICON_GROUP: Final = 14
_GROUP: Final = struct.Struct("<HHH")
#: of an icon in a group: width, height, colours, reserved, planes, bits, size, number
_MEMBER: Final = struct.Struct("<BBBBHHIH")
#: of an icon in a file: the same, with the size and the offset at the end
_ENTRY: Final = struct.Struct("<BBBBHHII")
#: of a bitmap: the size of the head, width, height of picture and mask, planes, bits, ..., colours
_BITMAP: Final = struct.Struct("<IiiHHIIiiI")
_LARGEST: Final = 16 << 20


class Program(NamedTuple):
    """The icon as the bytes of an .ico file (empty: none), the version in four numbers, and its
    texts by their names in the resource, such as ``CompanyName``."""

    icon: bytes
    version: tuple[int, int, int, int]
    texts: dict[str, str]


def read_program(data: Buffer) -> Program:
    """The icon and the version of a program.

    Raises FormatError for a file that is not a program, or whose resources can't be read.
    """
    try:
        program = pefile.PE(data=bytes(data), fast_load=True)
        program.parse_data_directories([_RESOURCES])
        return Program(_icon(program), _version(program), dict(_texts(program)))
    except (pefile.PEFormatError, struct.error, AttributeError, ValueError) as error:
        raise FormatError(f"the resources of the program can't be read: {error}") from error


def _resources(program: pefile.PE, kind: int) -> Iterator[tuple[int, bytes]]:
    """The resources of a kind, each with its number."""
    root = getattr(program, "DIRECTORY_ENTRY_RESOURCE", None)
    for listed in () if root is None else root.entries:
        for named in listed.directory.entries if listed.id == kind else ():
            for language in named.directory.entries:
                place = language.data.struct
                yield named.id, program.get_data(place.OffsetToData, min(place.Size, _LARGEST))


def _icon(program: pefile.PE) -> bytes:
    """The first group of icons, which is the one that Windows shows, as an .ico file."""
    group = next((content for _, content in _resources(program, _ICON_GROUP)), b"")
    if len(group) < _GROUP.size:
        return b""
    pictures = dict(_resources(program, _ICON))
    count = min(_GROUP.unpack_from(group)[2], (len(group) - _GROUP.size) // _MEMBER.size)
    members = [_MEMBER.unpack_from(group, _GROUP.size + n * _MEMBER.size) for n in range(count)]
    found = [(member[:6], _trimmed(pictures.get(member[7], b""))) for member in members]
    at = _GROUP.size + _ENTRY.size * len(found)
    out = bytearray(_GROUP.pack(0, 1, len(found)))
    for fields, picture in found:
        out += _ENTRY.pack(*fields, len(picture), at)
        at += len(picture)
    return bytes(out) + b"".join(picture for _, picture in found)


def _trimmed(picture: bytes) -> bytes:
    """An icon's bitmap without the bytes behind it: before Game Maker 8 it stands in the place of
    another one, which may be larger."""
    if len(picture) < _BITMAP.size:
        return picture
    head, width, both, _, bits, *_, colours = _BITMAP.unpack_from(picture)
    if head != _BITMAP.size or not (0 < width <= 256 and 0 < both <= 512 and 0 < bits <= 32):
        return picture  # a PNG file, or none that is known
    palette = 4 * (colours or 1 << bits) if bits <= 8 else 0
    rows = both // 2 * ((width * bits + 31) // 32 * 4 + (width + 31) // 32 * 4)
    return picture[: head + palette + rows]


def _version(program: pefile.PE) -> tuple[int, int, int, int]:
    """The version of the file; 1.0.0.0, as Game Maker has it at first, where there is none."""
    known = getattr(program, "VS_FIXEDFILEINFO", None)
    if not known:
        return 1, 0, 0, 0
    high, low = int(known[0].FileVersionMS), int(known[0].FileVersionLS)
    return high >> 16, high & 0xFFFF, low >> 16, low & 0xFFFF


def _texts(program: pefile.PE) -> Iterator[tuple[str, str]]:
    """The texts of the version by their names."""
    for listed in getattr(program, "FileInfo", None) or ():
        for part in listed:
            for table in getattr(part, "StringTable", ()):
                for name, text in table.entries.items():
                    yield name.decode("utf-8", "replace"), text.decode("utf-8", "replace")
