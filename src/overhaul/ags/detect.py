"""Detects the files of Adventure Game Studio by their content; imports next to nothing."""

from __future__ import annotations

from collections.abc import Callable

from overhaul.ags.versions import ROOM_BLOCKS, ROOM_LONG_BLOCKS, ROOM_SHORT_AGS4, ROOM_WIDE_DEPTH
from overhaul.document.registry import Probe

TYPE_CHECKING = False


FONT = b"WGT Font File  "
GAME = b"Adventure Creator Game File v2"
MODULE = b"AGSScriptModule\0"
PACKAGE = b"CLIB\x1a"
#: The end of a file with a package after a program.
PACKAGE_TAIL = b"CLIB\x01\x02\x03\x04SIGE"
#: AGS 4; earlier rooms have no signature.
ROOM = b"\xff\xffAGS Room File v2"
SAVE = b"Adventure Game Studio saved game"
SCRIPT = b"SCOM"
SPRITE_INDEX = b"SPRINDEX"
#: After two bytes of version.
SPRITE_SET = b" Sprite File "
TRANSLATION = b"AGSTranslation\0"


def is_package(probe: Probe) -> bool:
    """A package (.ags, .vox, .001 ...), by itself or behind a program."""
    return probe.head.startswith(PACKAGE) or probe.tail(len(PACKAGE_TAIL)) == PACKAGE_TAIL


def is_damaged_package(probe: Probe) -> bool:
    """A program with a package in it, whose end is lost."""
    return probe.head[:2] == b"MZ" and PACKAGE in bytes(probe.data)


def is_sprite_set(probe: Probe) -> bool:
    """A sprite set (acsprset.spr)."""
    return probe.head[2:15] == SPRITE_SET


def _begins(*signatures: bytes) -> Callable[[Probe], bool]:
    return lambda probe: probe.head.startswith(signatures)


is_game = _begins(GAME)
is_module = _begins(MODULE)
is_save = _begins(SAVE, b"RGMH")
is_script = _begins(SCRIPT)
is_sprite_index = _begins(SPRITE_INDEX)
is_translation = _begins(TRANSLATION)


def is_font(probe: Probe) -> bool:
    """A bitmap font: a WFN file, or a font of Sierra's games, whose table must lie in the file."""
    head = probe.head
    if head.startswith(FONT):
        return True
    count = int.from_bytes(head[4:6], "little")
    if head[:2] != b"\x87\0" or not 0 < count <= 256 or len(head) < 8 + 2 * count:
        return False
    first = int.from_bytes(head[8:10], "little")
    return first == 6 + 2 * count and first < probe.size


def is_room(probe: Probe) -> bool:
    """A room (.crm): rooms have no signature before AGS 4, so several fields must fit."""
    head = probe.head
    if head.startswith(ROOM):
        return True
    version = int.from_bytes(head[:2], "little")
    if not (2 <= version <= 40 or version == ROOM_SHORT_AGS4 or 36300 <= version < 36400):
        return False
    if version < ROOM_BLOCKS:
        # Undivided; all known ones begin with 15 walk-behinds.
        return head[2:4] == b"\x0f\0" and probe.size > 1024
    width = 8 if version >= ROOM_LONG_BLOCKS else 4
    length = int.from_bytes(head[3 : 3 + width], "little")
    if head[2:3] != b"\x01" or not 0 < length < 1 << 30:
        return False
    if length <= probe.size - 3 - width:
        return True
    # Cut short: the first fields must look right (bytes per pixel, number of walk-behinds).
    main = head[3 + width : 9 + width]
    if version < ROOM_WIDE_DEPTH:
        return len(main) == 6 and main[0] <= 16 and main[1] == 0
    return len(main) == 6 and main[0] <= 4 and main[1:4] == bytes(3) and main[4] <= 16
