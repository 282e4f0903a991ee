"""GEN8: general information.

From GMS2 on it ends with a UID block: 40 bytes that follow from the rest of the chunk.  Source: the
data.win reference, section 5.1, which found the formula right for all 179 GMS2+ files it was tried
on.  The block is kept as read; only when one of its inputs is changed on purpose, and the block was
the right one before, is it recomputed.
"""

import enum
import struct
from typing import Annotated

from overhaul.gamemaker.data.fields import RoomRef, StringRef
from overhaul.gamemaker.data.version import bytecode as since_bytecode
from overhaul.gamemaker.data.version import gms2
from overhaul.schema import Bytes, Inline, Record, b32, enum32, f32, i32, u8, u16, u32, u64


class InfoFlags(enum.IntFlag):
    """Bits of the general information flags; the studio version is bits 9–11."""

    FULLSCREEN = 0x1
    SYNC_VERTEX1 = 0x2
    SYNC_VERTEX2 = 0x4
    INTERPOLATE = 0x8
    KEEP_ASPECT = 0x10
    SHOW_CURSOR = 0x20
    SIZEABLE = 0x40
    ALLOW_FULLSCREEN_KEY = 0x80
    SYNC_VERTEX3 = 0x100
    STUDIO_VERSION1 = 0x200
    STUDIO_VERSION2 = 0x400
    STUDIO_VERSION3 = 0x800
    STEAM = 0x1000
    SAVE_UNDER_APPDATA = 0x2000
    BORDERLESS = 0x4000
    JAVASCRIPT_MODE = 0x8000
    RUN_FROM_IDE = 0x10000
    TRANSPARENT_BACKGROUND = 0x20000
    LEGACY_SWAP_EFFECT = 0x40000


class GeneralInfo(Record):
    """General information: names, window, flags, version, room order.

    ``uid_inputs`` are the inputs of ``uid`` as it was read.
    """

    debugger_disabled: Annotated[u8, "1 in a normal game; 0 waits for a debugger"] = 1
    bytecode: Annotated[u8, "bytecode version"] = 17
    unknown: Annotated[u16, "0"] = 0
    file_name: Annotated[StringRef, "base name of the project"] = None
    config: Annotated[StringRef, "build configuration"] = None
    last_object_id: Annotated[u32, "next room instance id"] = 100000
    last_tile_id: Annotated[u32, "next room tile id"] = 10000000
    game_id: u32 = 0
    direct_play_guid: Annotated[bytes, Bytes(16), "zero"] = bytes(16)
    name: StringRef = None
    major: Annotated[u32, "release as stored; 2.0.0.0 in every GameMaker Studio 2 file"] = 2
    minor: u32 = 0
    release: u32 = 0
    build: u32 = 0
    window_width: u32 = 640
    window_height: u32 = 480
    flags: Annotated[int, enum32(InfoFlags)] = 0
    licence_crc32: u32 = 0
    licence_md5: Annotated[bytes, Bytes(16)] = bytes(16)
    timestamp: Annotated[u64, "build time, Unix seconds"] = 0
    display_name: Annotated[StringRef, since_bytecode(10)] = None
    active_targets: Annotated[u64, since_bytecode(11)] = 0
    function_classifications: Annotated[
        u64, since_bytecode(12), "one bit for each class of functions the game uses"
    ] = 0
    steam_app_id: Annotated[i32, since_bytecode(13)] = 0
    debugger_port: Annotated[u32, since_bytecode(14)] = 0
    room_order: Annotated[list[RoomRef], Inline()] = []
    uid: Annotated[bytes, Bytes(40), gms2, "derived from time stamp, game id, window and flags"] = (
        bytes(40)
    )
    game_speed: Annotated[f32, gms2, "frames per second"] = 60.0
    allow_statistics: Annotated[b32, gms2] = False
    game_guid: Annotated[bytes, Bytes(16), gms2] = bytes(16)
    uid_inputs: tuple[int, ...] | None = None


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


def inputs_of_uid(general: GeneralInfo) -> tuple[int, ...]:
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
    """The block for the given :func:`inputs_of_uid`."""
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


def refresh_uid(general: GeneralInfo) -> None:
    """Recompute the block if its inputs changed and it was right for those before, or if it is
    empty, as in a new game."""
    if general.major < 2:
        return
    now, before = inputs_of_uid(general), general.uid_inputs
    general.uid_inputs = now
    if not any(general.uid):
        general.uid = make_uid(now)
    elif before is not None and now != before:
        earlier = earlier_of(general.uid, before)
        if earlier is not None:
            general.uid = make_uid(now, earlier)
