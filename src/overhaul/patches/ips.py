"""IPS: pieces of bytes and where they go, up to 16 MB; it names no file and has no checksum.

The patch begins with ``PATCH`` and ends with ``EOF``, which a length may follow that the file is
cut to (Lunar IPS).  Each piece is an offset (3 bytes, the highest first), a length (2) and bytes;
a length of 0 stands before another length and one byte that is repeated.
"""

from __future__ import annotations

from overhaul.patches.stream import Cursor, Data, Patch, fail, most_made

MAGIC = b"PATCH"
_END = b"EOF"


def describe(patch: Data) -> Patch:
    """The description of the patch: only its kind."""
    return Patch("ips")


def apply(patch: Data, old: Data) -> bytes:
    """The new file.  Raises FormatError for a broken patch."""
    cursor = Cursor(patch, len(MAGIC))
    out = bytearray(old)
    left = most_made(old, patch)
    while True:
        head = bytes(cursor.take(3))
        if head == _END and cursor.left in (0, 3):
            break
        start = int.from_bytes(head, "big")
        count = cursor.number(2)
        if count:
            piece = bytes(cursor.take(count))
        else:
            count = cursor.number(2)
            piece = bytes(cursor.take(1)) * count
        left -= count
        if left < 0:
            raise fail("the patch writes out of all proportion to its size", cursor.position)
        if start > len(out):
            out += bytes(start - len(out))
        out[start : start + count] = piece
    if cursor.left:
        del out[cursor.number(3) :]
    return bytes(out)
