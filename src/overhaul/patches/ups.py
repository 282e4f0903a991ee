"""UPS: what two files differ in, as ``old XOR new``; it works in both directions.

``UPS1``, the sizes of both files, then pieces: how many bytes are equal, and those that differ, up
to a zero byte.  The last 12 bytes are the CRC-32 of the old file, the new one, and the patch.
"""

from __future__ import annotations

import zlib

from overhaul.patches.stream import (
    Cursor,
    Data,
    Patch,
    check_new,
    check_old,
    check_size,
    fail,
    sealed,
)

MAGIC = b"UPS1"


def _read(patch: Data) -> tuple[Patch, Cursor]:
    sums, cursor = sealed(patch, MAGIC, 2)
    return Patch("ups", cursor.biased(), cursor.biased(), sums[0], sums[1]), cursor


def describe(patch: Data) -> Patch:
    """The sizes and checksums of both files.  Raises FormatError for a broken patch."""
    return _read(patch)[0]


def apply(patch: Data, old: Data) -> bytes:
    """The new file.  Raises FormatError for a broken patch or another old file.

    The old file may also be the new one: the patch is undone then.
    """
    said, cursor = _read(patch)
    if (len(old), zlib.crc32(old)) == (said.new_size, said.new_checksum):
        kind, old_size, new_size, old_checksum, new_checksum, _ = said
        said = Patch(kind, new_size, old_size, new_checksum, old_checksum)
    check_old(said, old)
    size = said.new_size or 0
    check_size(size, old, patch, len(MAGIC))
    out = bytearray(old[:size])
    out += bytes(size - len(out))
    position = 0
    data = bytes(patch[: cursor.end])
    while cursor.left:
        position += cursor.biased()
        end = data.find(0, cursor.position)
        if end < 0:
            raise fail("a piece of the patch has no end", cursor.position)
        mask = cursor.take(end - cursor.position)
        cursor.position += 1
        last = position + len(mask)
        if last > max(size, len(old)):
            raise fail(f"a piece ends at {last}, beyond both files", end)
        held = bytes(out[position:last])
        mixed = int.from_bytes(held, "big") ^ int.from_bytes(mask[: len(held)], "big")
        out[position : position + len(held)] = mixed.to_bytes(len(held), "big")
        position = last + 1
    check_new(said, out)
    return bytes(out)
