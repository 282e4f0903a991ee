"""A data.win under test: bounded access to its words, before any of it is decoded."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.strings import name_at
from overhaul.gamemaker.form import Data, Form

if TYPE_CHECKING:
    from overhaul.gamemaker.form import FormChunk

Number = tuple[int, ...]
"""The numbers of a release: as many as are known."""

NOTHING: Number = ()
"""What a test returns that proves no release."""

_U32 = struct.Struct("<I")


class Probe:
    """A file under test: bounded access to words, chunks and pointer lists."""

    def __init__(self, data: Data, form: Form) -> None:
        self.data = data
        self.chunks: dict[str, FormChunk] = {chunk.name: chunk for chunk in form.chunks}
        self.number: Number = (1,)
        self.bytecode = 0
        self.lts = False

    def u32(self, at: int) -> int:
        """A word; FormatError outside the file."""
        if not 0 <= at <= len(self.data) - 4:
            raise FormatError("a test reads outside the file", offset=at)
        return int(_U32.unpack_from(self.data, at)[0])

    def i32(self, at: int) -> int:
        """A signed word."""
        value = self.u32(at)
        return value - (1 << 32) if value >> 31 else value

    def end(self, name: str) -> int:
        """Where a chunk ends."""
        return self.chunks[name].end

    def start(self, name: str, skip: int = 0) -> int:
        """Where a chunk's content begins, ``skip`` bytes in."""
        return self.chunks[name].start + skip

    def pointers(self, at: int, most: int = 1 << 20) -> list[int]:
        """The pointers of a list that are not null (at most so many)."""
        count = min(self.u32(at), most, (len(self.data) - at) // 4)
        if at + 4 + 4 * count > len(self.data):
            raise FormatError("a list leaves the file", offset=at)
        return [p for p in struct.unpack_from(f"<{count}I", self.data, at + 4) if p]

    def listed(self, name: str, most: int = 1 << 20) -> list[int]:
        """The elements of a chunk's top-level list, null entries left out."""
        chunk = self.chunks.get(name)
        if chunk is None or chunk.end - chunk.start < 4:
            return []
        return self.pointers(CHUNKS[name].list_start(chunk.start), most)

    def name_at(self, at: int) -> str:
        """The string a field points at."""
        return name_at(self.data, self.u32(at))
