"""Structures of a data.win that the outlines only name.

Each function takes the walk, the position and the numbers that its codec looks at, and gives the
position after it and its value, as the codec of the same structure reads it (its method
``outline`` names the function; ``tests/gamemaker/data/test_relocation.py`` compares the two).
"""

from __future__ import annotations

import struct
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from overhaul.document.registry import load
from overhaul.gamemaker.data.places import PLACES
from overhaul.gamemaker.data.strings import Data, name_at
from overhaul.gamemaker.data.version import Version
from overhaul.schema.outline import Outlines, Unlike, Walk
from overhaul.schema.streams import Reader
from overhaul.stretch import Passing

if TYPE_CHECKING:
    from overhaul.schema.outline import Own, Places

_TILES_END: Final = b"\x81\xff\xff\xff\xff"
_CODE_PAGE: Final = 512
_BLOBS: Final = 128
_HLSL11: Final = "overhaul.gamemaker.data.chunks.shdr:hlsl11_length"


class ChunkWalk(Walk):
    """A walk through a chunk of a file."""

    def __init__(self, file: Data, start: int, end: int, version: Version) -> None:
        super().__init__(memoryview(file)[:end], start, version)
        self.file = file
        self.texts: dict[int, str] = {}
        self._passing = Passing(file)

    def skip(self, position: int, size: int) -> int:
        """As that of every walk; what was read of a large file is let go from time to time."""
        self._passing.over(size)
        return super().skip(position, size)

    def text(self, address: int) -> str:
        """The string at an address."""
        known = self.texts.get(address)
        if known is None:
            known = self.texts[address] = name_at(self.file, address)
        return known


class Walked(NamedTuple):
    """The result of a walk through a regular chunk: the offsets of the pointers by kind, the
    texts by address that the layout follows from, the multiples by which the chunk can be moved,
    and the end of its content."""

    found: dict[str, Places]
    texts: dict[int, str]
    alignment: int
    end: int


def _text(walk: ChunkWalk, address: int) -> str:
    return walk.text(address)


def _mark(walk: ChunkWalk, position: int) -> tuple[int, int]:
    walk.skip(position, 8)
    if walk.number(position) != 0xFFFFFFFF:
        return position, 0
    version = walk.number(position + 4)
    if not 1 <= version <= 3:
        raise Unlike(f"a special sprite of the unknown sub-version {version}", offset=position)
    return position + 8, version


def _masks(
    walk: ChunkWalk,
    position: int,
    width: int,
    height: int,
    left: int,
    right: int,
    top: int,
    bottom: int,
) -> tuple[int, int]:
    count = walk.number(position)
    position += 4
    if walk.version.number >= (2024, 6):
        width, height = right - left + 1, bottom - top + 1
    size = (width + 7) // 8 * height
    if count and size <= 0:
        raise Unlike("masks without pixels", offset=position)
    position = walk.skip(position, count * size) if count else position
    end = walk.skip(position, -(count * size) % 4)
    if any(walk.data[position:end]):
        raise Unlike("padding that is not zero", offset=position)
    return end, 0


def _tiles(walk: ChunkWalk, position: int, width: int, height: int) -> tuple[int, int]:
    count = width * height
    if walk.version.number < (2024, 2):
        return walk.skip(position, 4 * count), 0
    data, done, last = walk.data, 0, [b"", b"x"]
    while done < count:
        control = data[position]
        repeat = control >= 0x80
        length, words = ((control & 0x7F) + 1, 1) if repeat else (control, control)
        end = walk.skip(position, 1 + 4 * words)
        done += length
        beyond = done - count
        if beyond > (repeat and data[position + 1 : end] == _TILES_END[1:]):
            raise Unlike("a run goes beyond the map", offset=position)
        if length:
            word = bytes(data[end - 4 : end])
            before = word if repeat else bytes(data[end - 8 : end - 4])
            last = [before if length > 1 else last[1], word]
        position = end
    alike = count > 1 and last[0] == last[1]
    if done == count > 0 and not alike and data[position : position + 5] == _TILES_END:
        position += len(_TILES_END)
    if walk.version.number >= (2024, 4):
        position = walk.aligned(position, 4)
    return position, 0


def _pages(walk: ChunkWalk, position: int) -> tuple[int, int]:
    """The heads of the texture pages, then their blobs, up to the end of the chunk."""
    release = walk.version.number
    size = max(size for since, size in PLACES["TexturePage"] if since <= release)
    count = walk.number(position)
    position += 4
    walk.check(count, 4 + size, position)
    walk.of("pointer").extend(range(position, position + 4 * count, 4))
    places = struct.unpack_from(f"<{count}I", walk.data, position)
    position += 4 * count
    if places != tuple(range(position, position + size * count, size)):
        raise Unlike("heads of texture pages out of order", offset=position)
    slots = range(position + size - 4, position + size * count, size)
    walk.of("pointer").extend(slots)
    position += size * count
    blobs = [blob for blob in map(walk.number, slots) if blob]
    if blobs:
        walk.aligned(position, _BLOBS)
        if blobs[0] != position + -position % _BLOBS:
            raise Unlike("a blob out of running order", offset=position)
        if any(blob % _BLOBS for blob in blobs) or blobs != sorted(set(blobs)):
            raise Unlike("blobs out of running order", offset=position)
        walk.skip(blobs[-1], 0)
        position = walk.end
    return position, 0


def _languages(walk: ChunkWalk, position: int, count: int, entries: int) -> tuple[int, int]:
    end = walk.skip(position, count * (8 + 4 * entries))
    walk.of("string").extend(range(position, end, 4))
    return end, 0


def _code_page(walk: ChunkWalk, position: int) -> tuple[int, int]:
    return position + (_CODE_PAGE if position + _CODE_PAGE <= walk.end else 0), 0


def _product_ids(walk: ChunkWalk, position: int) -> tuple[int, int]:
    size = 16 * walk.number(walk.base)
    return position + (size if position + size <= walk.end else 0), 0


def _hlsl11(walk: ChunkWalk, position: int) -> tuple[int, int]:
    length: int = load(_HLSL11)(walk.data, position, Reader())
    return position + length, 0


def _jpeg_table(walk: ChunkWalk, position: int) -> tuple[int, int]:
    position = walk.aligned(position, 4)
    size = walk.number(position) & 0x7FFFFFFF
    return walk.aligned(walk.skip(position, 8 + size), 4), 0


def _code(walk: ChunkWalk, position: int) -> tuple[int, int]:
    """The pointers, then the bytecode of all roots, and a head of 20 bytes for each entry; before
    bytecode 15 each head of 8 bytes is followed by its bytecode."""
    count = walk.number(position)
    position += 4
    walk.check(count, 4, position)
    walk.of("pointer").extend(range(position, position + 4 * count, 4))
    pointers = struct.unpack_from(f"<{count}I", walk.data, position)
    position += 4 * count
    if walk.version.bytecode <= 14:
        return _old_code(walk, position, pointers), 0
    heads = [pointer for pointer in pointers if pointer]
    first = heads[0] if heads else position
    if heads != list(range(first, first + 20 * len(heads), 20)):
        raise Unlike("a code entry out of order", offset=position)
    roots: dict[int, int] = {}
    for head in heads:
        length, _, _, address, offset = struct.unpack_from("<IHHiI", walk.data, head + 4)
        begin = head + 12 + address
        if length and begin in roots:
            if roots[begin] != length:
                raise Unlike("a child entry of another length than its root", offset=head)
        elif begin != position or offset:
            raise Unlike("bytecode out of order", offset=head)
        elif length:
            roots[begin] = length
            position = walk.skip(position, length)
    if position != first:
        raise Unlike("bytes between the bytecode and the records", offset=position)
    end = walk.skip(position, 20 * len(heads))
    walk.of("string").extend(range(position, end, 20))
    return end, 0


def _old_code(walk: ChunkWalk, position: int, pointers: tuple[int, ...]) -> int:
    for pointer in pointers:
        if pointer != position:
            raise Unlike("a code entry out of order", offset=position)
        walk.of("string").append(position)
        position = walk.skip(position, 8 + walk.number(position + 4))
    return position


OWN: Final[dict[str, Own]] = {
    "mark": _mark,
    "masks": _masks,
    "tiles": _tiles,
    "pages": _pages,
    "languages": _languages,
    "code page": _code_page,
    "product ids": _product_ids,
    "hlsl11": _hlsl11,
    "jpeg table": _jpeg_table,
    "code": _code,
}


@cache
def outlines() -> Outlines:
    """The outlines of the chunks of a data.win."""
    records = load("overhaul.gamemaker.data.outlines:RECORDS")
    return Outlines(records, OWN, _text)
