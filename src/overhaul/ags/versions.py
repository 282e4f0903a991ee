"""The versions of the formats that code compares with, each number once.

Every format of the engine counts its own versions.  Records say themselves since which version
they have a field; what an editor's release writes is in
:mod:`overhaul.ags.project.building.releases`.

Source: the engine's own lists of versions, and the files of the corpus.
"""

from __future__ import annotations

from typing import Final

# Rooms.
ROOM_OLDEST: Final = 2
ROOM_BLOCKS: Final = 5
"""A room is a list of blocks."""
ROOM_REGIONS: Final = 8
ROOM_SIZES: Final = 9
"""The size of the room is stored, apart from that of its picture."""
ROOM_WIDE_DEPTH: Final = 12
"""The bytes of a pixel are a number of 32 bits."""
ROOM_PROPERTIES: Final = 24
ROOM_GAME_ID: Final = 25
ROOM_COUNTED_HOTSPOTS: Final = 26
"""Lists of hotspots are as long as there are hotspots."""
ROOM_LONG_BLOCKS: Final = 32
"""The length of a block is a number of 64 bits."""
ROOM_SHARED: Final = 33
"""The version of 3.x and of early releases of AGS 4."""
ROOM_SHORT_AGS4: Final = 2304
"""A version of AGS 4 that wrote its number in 16 bits."""
ROOM_NEWEST: Final = 4000033

# Game data.
GAME_OLDEST_SMALL: Final = 5
GAME_NEWEST_SMALL: Final = 12
"""Games of 1.x and 2.0, with a layout of their own."""
GAME_OLDEST_DECODED: Final = 18
"""Game data between the two is kept as bytes after its header."""
GAME_AGS3: Final = 33
GAME_FONT_SPACING: Final = 49
GAME_FONT_RECORDS: Final = 50
"""The stored fields of a font are one record."""
GAME_BLOCK_LIST: Final = 3060000
GAME_SPEECH_NAMES: Final = 3060200
"""Voices are found by the script names of characters."""
GAME_AGS4: Final = 3999999
GAME_EIGHT_BIT_PALETTES: Final = 4000008
"""Colours of palettes have 8 bits, in rooms and game data; 6 before."""
GAME_NEWEST: Final = 4000099

# GUIs.
GUI_FIRST: Final = 99
"""The version of GUIs before they had one."""
GUI_TRANSLATED: Final = 116
GUI_COUNTED_CONTROLS: Final = 118
"""A GUI has as many controls as it says; 30 before."""


def is_known_gui(version: int) -> bool:
    """Whether GUIs of this version can be read."""
    return 100 <= version <= 119 or 3060300 <= version <= 3060308 or 4000000 <= version <= 4000100


# Packages.
PACKAGE_PASSWORD: Final = 6
PACKAGE_PARTS: Final = 10
"""A package can have several files."""
PACKAGE_KEYED_NAMES: Final = 11
PACKAGE_KEYED: Final = 20
PACKAGE_ENCRYPTED: Final = 21
"""The table is encrypted with a seed."""
PACKAGE_LONG: Final = 30
"""Offsets and sizes have 64 bits."""

# Compiled scripts.
SCRIPT_SECTIONS: Final = 83
SCRIPT_NEWEST_COMPILED: Final = 90
"""The newest version that the compiler of 3.x makes."""
SCRIPT_NEWEST: Final = 95

# Sprite sets.
SPRITES_PACKED: Final = 5
"""Version 5 is compressed by run lengths; from 6 on, the file says how."""
SPRITES_CHOICE: Final = 6
SPRITES_STORAGE: Final = 12
"""Each sprite says how it is stored, and has the length of its data."""
