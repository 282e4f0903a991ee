"""The index of a sprite set (sprindex.dat): sizes and places of the sprites by slot.

It is a cache: the engine ignores one whose id differs from its sprite set's, and repositories
often contain an outdated one.  Source: the engine's ``Common/ac/spritefile.cpp``.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Final

from overhaul.ags.detect import SPRITE_INDEX as SIGNATURE
from overhaul.ags.fields import new_reader, record_bytes
from overhaul.ags.sprites import EmptySlot, SpriteSet
from overhaul.ags.versions import SPRITES_STORAGE
from overhaul.errors import FormatError, UnsupportedVersion
from overhaul.schema import (
    Counted,
    Record,
    before,
    codec_for,
    count_of,
    i8,
    i16,
    i32,
    i64,
    since,
    u32,
)

VERSIONS: Final = (1, 2, 10, 11, 12)


class SpriteIndex(Record):
    """Sizes and offsets by slot; an empty slot has offset 0, or its own (3.6 and later)."""

    file_id: Annotated[i32, since(2), "that of the sprite set"] = 0
    last_slot: i32 = 0
    count: ClassVar[i32] = count_of("widths")
    widths: Annotated[list[i16], Counted("count")] = []
    heights: Annotated[list[i16], Counted("count")] = []
    short_offsets: Annotated[list[u32], Counted("count"), before(10)] = []
    offsets: Annotated[list[i64], Counted("count"), since(10)] = []
    depths: Annotated[list[i8], Counted("count"), since(12)] = []


def read_index(data: bytes | memoryview, *, source: str | None = None) -> tuple[int, SpriteIndex]:
    """(version, index) of a file.  Raises FormatError, UnsupportedVersion."""
    if bytes(data[:8]) != SIGNATURE:
        raise FormatError("not a sprite index: expected SPRINDEX", source=source, offset=0)
    version = int.from_bytes(data[8:12], "little", signed=True)
    if version not in VERSIONS:
        raise UnsupportedVersion(f"unknown sprite index version {version}", source=source, offset=8)
    reader = new_reader(version, source)
    index, end = codec_for(SpriteIndex, version).read(data, 12, reader)
    if end != len(data):
        raise reader.fail(f"{len(data) - end} bytes follow the index", end)
    return version, index


def write_index(version: int, index: SpriteIndex) -> bytes:
    """The file of an index."""
    return SIGNATURE + version.to_bytes(4, "little", signed=True) + record_bytes(index, version)


def index_of(sprites: SpriteSet, version: int = 11) -> SpriteIndex:
    """The index of a sprite set whose offsets are final (after its ``to_bytes``)."""
    index = SpriteIndex(sprites.header.file_id, sprites.header.last_slot)
    for slot in sprites.slots:
        empty = isinstance(slot, EmptySlot)
        index.widths.append(0 if isinstance(slot, EmptySlot) else slot.width)
        index.heights.append(0 if isinstance(slot, EmptySlot) else slot.height)
        index.depths.append(0 if isinstance(slot, EmptySlot) else 8 * slot.depth)
        index.offsets.append(0 if empty and sprites.version < SPRITES_STORAGE else slot.offset)
        index.short_offsets.append(0 if empty else slot.offset)
    return index


def renewed(index: bytes | memoryview, old: SpriteSet, new: SpriteSet) -> bytes | None:
    """The index of ``new`` where ``index`` is that of ``old``, in the same version; else None.

    The engine checks only the id of an index, so one that fits must follow its sprite set.
    ``old`` is written first, so that its offsets are final.
    """
    old.to_bytes()
    version = version_of(index, old)
    if version is None:
        return None
    new.to_bytes()
    return write_index(version, index_of(new, version))


def version_of(index: bytes | memoryview, sprites: SpriteSet) -> int | None:
    """The version of an index that is just that of a sprite set; None for another one.

    The offsets of the set must be final: it was read, or written.
    """
    try:
        version, _ = read_index(index)
    except FormatError:
        return None
    return version if write_index(version, index_of(sprites, version)) == bytes(index) else None


def refreshed(index: bytes | memoryview, sprites: SpriteSet) -> bytes | None:
    """The index of a sprite set in the place of an outdated one that has its id; None where it
    needs no other.  Raises FormatError."""
    version, stored = read_index(index)
    if stored.file_id != sprites.header.file_id:
        return None
    sprites.to_bytes()
    made = write_index(version, index_of(sprites, version))
    return None if made == bytes(index) else made
