"""The assets of a part without a table: those whose length follows from their contents.

Part 0 of a split package has the table for all parts.  Without it, a part can still be split as
far as it consists of sprite sets, rooms and sounds, one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from overhaul.ags.detect import is_room, is_sprite_set
from overhaul.ags.room.room import room_size
from overhaul.ags.sprites import SpriteSet
from overhaul.document.registry import Probe
from overhaul.errors import FormatError


def split_part(data: memoryview) -> Iterator[tuple[str, int, int]]:
    """(name, start, size) of the assets from the start of ``data`` on, up to the first unknown one.

    The names are made up: ``acsprset.spr``, then the kind and a number.
    """
    position = 0
    count = 0
    while position < len(data):
        rest = data[position:]
        found = _first(rest)
        if found is None:
            return
        name, size = found
        if name is SPRITES:
            yield (SPRITES if position == 0 else f"sprites_{count}.spr"), position, size
        else:
            yield f"{count:04}{name}", position, size
        position += size
        count += 1


SPRITES: Final = "acsprset.spr"


def _first(rest: memoryview) -> tuple[str, int] | None:
    for name, measure in _MEASURES:
        try:
            size = measure(rest)
        except FormatError:
            continue
        if 0 < size <= len(rest):
            return name, size
    return None


def _sprites(rest: memoryview) -> int:
    if not is_sprite_set(Probe(rest)):
        return 0
    return len(rest) - len(SpriteSet.read(rest).trailing)


def _room(rest: memoryview) -> int:
    return room_size(rest) if is_room(Probe(rest)) else 0


def _ogg(rest: memoryview) -> int:
    """The pages up to the last of the stream."""
    position = 0
    while bytes(rest[position : position + 4]) == b"OggS" and position + 27 <= len(rest):
        segments = rest[position + 26]
        table = rest[position + 27 : position + 27 + segments]
        ended = rest[position + 5] & 4
        position += 27 + segments + sum(table)
        if ended:
            break
    return position


def _riff(rest: memoryview) -> int:
    if bytes(rest[:4]) != b"RIFF":
        return 0
    return 8 + int.from_bytes(rest[4:8], "little")


_MEASURES: Final[tuple[tuple[str, Callable[[memoryview], int]], ...]] = (
    (SPRITES, _sprites),
    (".crm", _room),
    (".ogg", _ogg),
    (".wav", _riff),
)
