"""The UID block of GEN8 (GMS2 and later): 40 bytes that follow from the rest of the chunk.

Source: the data.win reference, section 5.1, which found the formula right for all 179 GMS2+ files
it was tried on.  The block is kept as read; only when one of its inputs is changed on purpose, and
the block was the right one before, is it recomputed.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.gen8 import GeneralInfo

_LARGEST = 0x7FFFFFFF
#: the time stamp is taken this many seconds earlier, unless the game was run from the IDE
EARLIER = 1000


def _wrap(value: int) -> int:
    """A 32-bit signed number, as .NET's arithmetic wraps it."""
    return (value + 0x80000000 & 0xFFFFFFFF) - 0x80000000


class SeededRandom:
    """.NET's seeded ``System.Random``: Knuth's subtractive generator in wrapping arithmetic."""

    def __init__(self, seed: int) -> None:
        seed = _LARGEST if seed == -0x80000000 else abs(seed)
        table = [0] * 56
        table[55] = j = _wrap(161803398 - seed)
        m = 1
        for i in range(1, 55):
            k = 21 * i % 55
            table[k] = m
            m = _wrap(j - m)
            if m < 0:
                m += _LARGEST
            j = table[k]
        for _ in range(4):
            for i in range(1, 56):
                value = _wrap(table[i] - table[1 + (i + 30) % 55])
                table[i] = value + _LARGEST if value < 0 else value
        self._table = table
        self._first = 0
        self._second = 21

    def next(self) -> int:
        """The next number, 0 to 2**31 - 2."""
        self._first = self._first % 55 + 1
        self._second = self._second % 55 + 1
        value = _wrap(self._table[self._first] - self._table[self._second])
        if value == _LARGEST:
            value -= 1
        if value < 0:
            value += _LARGEST
        self._table[self._first] = value
        return value


def inputs(general: GeneralInfo) -> tuple[int, ...]:
    """The inputs of the block: time stamp, game id, window, flags, bytecode, rooms."""
    return (
        general.timestamp,
        general.game_id,
        general.window_width,
        general.window_height,
        general.flags,
        general.bytecode,
        len(general.room_order),
    )


def make_uid(values: tuple[int, ...], earlier: int = EARLIER) -> bytes:
    """The block for the given :func:`inputs`."""
    timestamp, game_id, width, _, _, _, rooms = values
    random = SeededRandom(_wrap(timestamp))
    first = random.next() << 32 | random.next()
    low = _wrap((timestamp & 0xFFFF) // 7 + _wrap(_wrap(game_id) - _wrap(width)) + rooms)
    slot = abs(low) % 4
    parts = [struct.pack("<Q", first)]
    for index in range(4):
        if index == slot:
            parts.append(_information(values, first, earlier))
        else:
            parts.append(struct.pack("<II", random.next(), random.next()))
    return b"".join(parts)


def _information(values: tuple[int, ...], first: int, earlier: int) -> bytes:
    timestamp, game_id, width, height, flags, bytecode, _ = values
    t = (timestamp - earlier & 0xFFFFFFFFFFFFFFFF).to_bytes(8, "little")
    number = int.from_bytes(bytes(t[i] for i in (4, 3, 5, 2, 6, 1, 7, 0)), "little")
    number ^= first
    number = ~number & 0xFFFFFFFFFFFFFFFF
    number ^= game_id << 32 | game_id
    wide, high = width + flags, height + flags
    number ^= wide << 48 | high << 32 | high << 16 | wide
    number ^= bytecode
    return struct.pack("<Q", number & 0xFFFFFFFFFFFFFFFF)


def earlier_of(uid: bytes, values: tuple[int, ...]) -> int | None:
    """How much earlier a block's time stamp is: 1000 or 0; None for a block of other values."""
    return next(
        (values_of for values_of in (EARLIER, 0) if make_uid(values, values_of) == uid), None
    )


def refresh(general: GeneralInfo) -> None:
    """Recompute the block if its inputs changed and it was right for those before, or if it is
    empty, as in a new game."""
    if general.major < 2:
        return
    now, before = inputs(general), general.uid_inputs
    general.uid_inputs = now
    if not any(general.uid):
        general.uid = make_uid(now)
    elif before is not None and now != before:
        earlier = earlier_of(general.uid, before)
        if earlier is not None:
            general.uid = make_uid(now, earlier)
