"""BPS: what is copied from the old file, from the new one, and what is new.

``BPS1``, the sizes of both files, a text about the patch, then actions; the last 12 bytes are the
CRC-32 of the old file, the new one, and the patch.  An action is a number: its two low bits say
what is done, the others how many bytes it makes, less one.
"""

from __future__ import annotations

import zlib
from enum import IntEnum

from overhaul.patches.matching import copies
from overhaul.patches.stream import (
    Cursor,
    Data,
    Patch,
    biased,
    check_new,
    check_old,
    check_size,
    copy_within,
    fail,
    sealed,
)

MAGIC = b"BPS1"
#: how much of the text about a patch is shown
_NOTE = 1000


class Action(IntEnum):
    """The action for the next bytes."""

    SAME_PLACE = 0
    NEW = 1
    FROM_OLD = 2
    FROM_NEW = 3


def _read(patch: Data) -> tuple[Patch, Cursor]:
    sums, cursor = sealed(patch, MAGIC, 3)
    old_size, new_size = cursor.biased(), cursor.biased()
    note = bytes(cursor.take(cursor.biased())[:_NOTE]).decode("utf-8", "replace")
    return Patch("bps", old_size, new_size, sums[0], sums[1], note), cursor


def describe(patch: Data) -> Patch:
    """Sizes and checksums of both files, and the text.  Raises FormatError for a broken patch."""
    return _read(patch)[0]


def apply(patch: Data, old: Data) -> bytes:
    """The new file.  Raises FormatError for a broken patch or another old file."""
    said, cursor = _read(patch)
    check_old(said, old)
    size = said.new_size or 0
    check_size(size, old, patch, len(MAGIC))
    out = bytearray()
    places = {Action.FROM_OLD: 0, Action.FROM_NEW: 0}
    while cursor.left:
        at = cursor.position
        number = cursor.biased()
        action, count = Action(number & 3), (number >> 2) + 1
        if len(out) + count > size:
            raise fail(f"the actions make more than the {size} bytes of the new file", at)
        if action is Action.NEW:
            out += cursor.take(count)
            continue
        start = len(out)
        if action is not Action.SAME_PLACE:
            move = cursor.biased()
            start = places[action] + (-(move >> 1) if move & 1 else move >> 1)
            places[action] = start + count
        if start < 0 or (action is Action.FROM_NEW and start >= len(out)):
            raise fail(f"an action copies from {start}, where nothing is yet", at)
        if action is Action.FROM_NEW:
            copy_within(out, start, count)
        elif start + count > len(old):
            raise fail(f"an action copies up to {start + count}, beyond the old file", at)
        else:
            out += old[start : start + count]
    if len(out) != size:
        raise fail(f"the actions make {len(out)} bytes, expected {size}", cursor.position)
    check_new(said, out)
    return bytes(out)


def make(old: Data, new: Data) -> bytes:
    """The patch that makes ``new`` from ``old``."""
    out = bytearray(MAGIC + biased(len(old)) + biased(len(new)) + biased(0))
    done = place = 0

    def act(action: Action, count: int) -> None:
        out.extend(biased(action | count - 1 << 2))

    for start, source, count in [*copies(old, new), (len(new), 0, 0)]:
        if start > done:
            act(Action.NEW, start - done)
            out += new[done:start]
        if not count:
            break
        if source == start:
            act(Action.SAME_PLACE, count)
        else:
            act(Action.FROM_OLD, count)
            move = source - place
            out += biased(abs(move) << 1 | (move < 0))
            place = source + count
        done = start + count
    for data in (old, new):
        out += zlib.crc32(data).to_bytes(4, "little")
    return bytes(out) + zlib.crc32(out).to_bytes(4, "little")
