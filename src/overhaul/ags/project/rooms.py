"""Script names of a room's objects and hotspots: from the room, or guessed from its script."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from overhaul.ags.room.records import ObjectScriptNames
from overhaul.ags.room.room import Room

_SCRIPT_NAMES: Final = 9


@dataclass(slots=True)
class RoomNames:
    """The script names of objects and hotspots, in the order of their numbers; "" for none."""

    objects: list[str] = field(default_factory=list)
    hotspots: list[str] = field(default_factory=list)

    def guess(self, name: str, member: str, members: Callable[[str], frozenset[str]]) -> bool:
        """Take an undeclared name for an object or a hotspot; returns False if it is neither.

        ``member`` is what stands behind its dot, or "", and ``members`` gives those of a struct.
        """
        of_object = member in members("Object")
        of_hotspot = member in members("Hotspot")
        if not name or name in self.objects or name in self.hotspots:
            return False
        if name[0] == "h" and (of_hotspot or not of_object):
            self.hotspots.append(name)
        elif name[0] == "o" or of_object:
            self.objects.append(name)
        elif of_hotspot:
            self.hotspots.append(name)
        else:
            return False
        return True


def names_in_room(data: bytes, *, source: str | None = None) -> RoomNames:
    """The names in the bytes of a room file.  Raises FormatError."""
    room = Room.read(data, source=source)
    objects = room.blocks.find(_SCRIPT_NAMES, ObjectScriptNames)
    main = room.main
    hotspots = main.hotspot_script_names if main is not None else []
    return RoomNames(
        [str(name) for name in objects.names] if objects is not None else [],
        [str(name) for name in hotspots],
    )
