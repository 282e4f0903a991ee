"""The FORM container: chunk names, where their content lies, and what stands around them."""

from __future__ import annotations

import struct
from typing import NamedTuple

from overhaul.errors import FormatError, UnsupportedVersion

Data = bytes | memoryview

_HEAD = struct.Struct("<4sI")
#: the GMS2 rule: every chunk header but the first stands at a multiple of this
CHUNK_ALIGNMENT = 16


class ChunkPlace(NamedTuple):
    """A chunk's name, and the absolute offsets its content begins and ends at."""

    name: str
    start: int
    end: int


class Container(NamedTuple):
    """A FORM file.

    ``alignment`` is 16 where the chunk headers but the first stand at multiples of 16 (the bytes
    decide: no version number tells; a few that another tool added may stand elsewhere), else 1.
    ``form_length`` is the stored length; ``trailing`` are bytes after the FORM.
    """

    chunks: tuple[ChunkPlace, ...]
    alignment: int
    form_length: int
    trailing: bytes

    @property
    def form_excess(self) -> int:
        """How much more the stored length is than that of the chunks: 0 in a whole file."""
        return self.form_length - (self.chunks[-1].end - 8 if self.chunks else 0)

    def find(self, name: str) -> ChunkPlace | None:
        """The place of a chunk, or None."""
        for chunk in self.chunks:
            if chunk.name == name:
                return chunk
        return None


def read_container(data: Data, source: str | None = None) -> Container:
    """The chunks of a FORM file.

    Raises FormatError for anything else or a broken chain of chunks, UnsupportedVersion for
    big-endian files of old consoles.
    """
    if len(data) < 8:
        raise FormatError("too short for a FORM file", source=source, offset=0)
    magic, length = _HEAD.unpack_from(data, 0)
    turned = int.from_bytes(data[4:8], "big")
    if magic == b"MROF" or (magic == b"FORM" and turned == len(data) - 8 < length):
        kind = "an AIFF sound" if bytes(data[8:12]) in (b"AIFF", b"AIFC") else "of an old console"
        raise UnsupportedVersion(
            f"a big-endian FORM file ({kind}), which Overhaul does not read",
            source=source,
            offset=0,
        )
    if magic != b"FORM":
        raise FormatError("not a FORM file", source=source, offset=0)
    end = min(len(data), 8 + length)
    chunks: list[ChunkPlace] = []
    names: set[str] = set()
    position = 8
    while position < end:
        if end - position < 8:
            raise FormatError("a chunk header is cut off", source=source, offset=position)
        raw, size = _HEAD.unpack_from(data, position)
        name = raw.decode("ascii", "backslashreplace")
        if not (len(name) == 4 and name.isprintable()):
            raise FormatError("no chunk begins here", source=source, offset=position)
        start = position + 8
        if size > end - start:
            raise FormatError(
                f"the chunk says {size} bytes, but {end - start} are left",
                source=source,
                offset=position + 4,
                path=name,
            )
        if name in names:
            raise FormatError("the chunk occurs twice", source=source, offset=position, path=name)
        names.add(name)
        chunks.append(ChunkPlace(name, start, start + size))
        position = start + size
    aligned = sum((chunk.start - 8) % CHUNK_ALIGNMENT == 0 for chunk in chunks[1:])
    rule = len(chunks) > 1 and aligned >= (len(chunks) - 1) * 3 / 4  # by chance it is 1/16
    alignment = CHUNK_ALIGNMENT if rule else 1
    return Container(tuple(chunks), alignment, length, bytes(data[8 + length :]))
