"""GEN8: general information."""

import enum
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

    ``uid_inputs`` is what :mod:`~overhaul.gamemaker.data.uid` saw when ``uid`` was made.
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
