"""Lip synchronisation of speech (``syncdata.dat`` in ``speech.vox``): which frame of the mouth is
seen until when, for each file of speech.

A u32 version, a u32 count, and for each line: a u16 number of frames, the name of the speech file
without its ending, the end of each frame in milliseconds (i32), and its number (i16).  A name has
14 bytes in version 4 (the editor up to 3.6.1), and ends with a NUL in version 3060200.  Source:
the engine's ``Engine/main/game_start.cpp`` and the editor's ``SpeechComponent.cs``.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from overhaul.ags.text import decode, encode
from overhaul.document.registry import Probe
from overhaul.errors import EncodeError, FormatError
from overhaul.schema.record import short_repr

TYPE_CHECKING = False

FILE: Final = "syncdata.dat"
OLD, NEW = 4, 3060200
VERSIONS: Final = (OLD, NEW)
_NAME: Final = 14
_HEAD: Final = 8


@dataclass(slots=True)
class SyncLine:
    """A line: the ``file`` of its speech without the ending, and for each frame when it ends, in
    milliseconds, and its number; ``rest`` are the bytes behind the name, which mean nothing."""

    file: str
    frames: list[tuple[int, int]] = field(default_factory=list)
    rest: bytes = b""

    __repr__ = short_repr


@dataclass(slots=True)
class LipSync:
    """The lines of all speech files that have synchronisation."""

    version: int = OLD
    lines: list[SyncLine] = field(default_factory=list)

    __repr__ = short_repr


def read_lip_sync(data: bytes | memoryview, *, source: str | None = None) -> LipSync:
    """The synchronisation in a file.  Raises FormatError."""
    data = bytes(data)
    version, count = _head(data)
    if version not in VERSIONS:
        raise FormatError(f"unknown version {version} of lip sync", source=source, offset=0)
    made = LipSync(version)
    position = _HEAD
    for number in range(count):
        line, position = _line(data, position, version, number, source)
        made.lines.append(line)
    if position != len(data):
        raise FormatError(
            f"{len(data) - position} bytes follow the last line", source=source, offset=position
        )
    return made


def is_lip_sync(probe: Probe) -> bool:
    """Whether a file is one of these: no signature says so, but all of it must fit."""
    version, count = _head(probe.head[:_HEAD])
    if version not in VERSIONS or not 0 < count <= probe.size // 3:
        return False
    try:
        lines = read_lip_sync(bytes(probe.data)).lines
        return all(line.file.isprintable() and line.file for line in lines)
    except FormatError:
        return False


def _head(data: bytes) -> tuple[int, int]:
    return struct.unpack_from("<II", data) if len(data) >= _HEAD else (0, 0)


def _line(
    data: bytes, position: int, version: int, number: int, source: str | None
) -> tuple[SyncLine, int]:
    start = position + 2
    (count,) = struct.unpack_from("<H", data, position) if start <= len(data) else (0,)
    end = start + _NAME if version == OLD else data.find(b"\0", start) + 1
    if not start < end <= len(data) - 6 * count:
        raise FormatError(f"line {number} is not whole", source=source, offset=position)
    name, nul, rest = data[start:end].partition(b"\0")
    ends = struct.unpack_from(f"<{count}i", data, end)
    frames = struct.unpack_from(f"<{count}h", data, end + 4 * count)
    unused = rest if nul and any(rest) else b""
    return SyncLine(decode(name), list(zip(ends, frames, strict=True)), unused), end + 6 * count


def write_lip_sync(made: LipSync) -> bytes:
    """The file.  Raises EncodeError for a name that is too long or has a NUL."""
    out = bytearray(struct.pack("<II", made.version, len(made.lines)))
    for number, line in enumerate(made.lines):
        name = encode(line.file)
        out += struct.pack("<H", len(line.frames))
        out += _stored(name, line.rest, made.version, number)
        out += struct.pack(f"<{len(line.frames)}i", *(end for end, _ in line.frames))
        out += struct.pack(f"<{len(line.frames)}h", *(frame for _, frame in line.frames))
    return bytes(out)


def _stored(name: bytes, rest: bytes, version: int, number: int) -> bytes:
    if b"\0" in name:
        raise EncodeError(f"lines[{number}].file: a name can't have a NUL")
    if version == NEW:
        return name + b"\0"
    if len(name) > _NAME:
        raise EncodeError(f"lines[{number}].file: a name has at most {_NAME} bytes")
    stored = name + b"\0" + rest if len(name) < _NAME else name
    return stored[:_NAME].ljust(_NAME, b"\0")


def by_file(lines: Sequence[SyncLine]) -> dict[str, SyncLine]:
    """The lines by the names of their speech files, in small letters."""
    return {line.file.casefold(): line for line in lines}
