"""Script names of a room's objects and hotspots: from the room, or guessed from its script."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from overhaul.ags.language import LateNames
from overhaul.document.registry import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.ags.room.records import ObjectScriptNames
    from overhaul.ags.room.room import Room

_SCRIPT_NAMES: Final = 9
#: Rooms of editors since 3.0 have this many hotspots, all of them with a name.
_HOTSPOTS: Final = 50
_HANDLER: Final = re.compile(
    r"\b([oh][A-Za-z0-9]\w*?)_"
    r"(?:Look|Interact|Talk|UseInv|AnyClick|PickUp|Mode8|Mode9|WalkOn|MouseMove)\s*\("
)


@dataclass(slots=True)
class RoomNames:
    """The script names of objects and hotspots, in the order of their numbers; "" for none."""

    objects: list[str] = field(default_factory=list)
    hotspots: list[str] = field(default_factory=list)

    def imports(self) -> list[tuple[str, str]]:
        """The type and the name of each in the header of the room's script."""
        return [
            *(("Object", name) for name in self.objects if name),
            *(("Hotspot", name) for name in self.hotspots if name),
        ]


class Guesses:
    """Names that the script of a room gives away; the room itself is not there.

    Objects and hotspots are taken to be numbered in the order of the script, and hotspots that the
    script does not name to have the names that the editor gives them.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.objects: list[str] = []
        self.hotspots: list[str] = []
        self._places: dict[str, int] = {}
        for match in _HANDLER.finditer(text):
            name = match.group(1)
            self._places.setdefault(name, match.start())
            self._add(name, hotspot=name[0] == "h")

    def _add(self, name: str, *, hotspot: bool) -> None:
        names = self.hotspots if hotspot else self.objects
        if name not in names:
            names.append(name)

    def remove(self, name: str) -> bool:
        """Take a guess back; returns False if there is none."""
        for names in (self.objects, self.hotspots):
            if name in names:
                names.remove(name)
                return True
        return False

    def add(self, name: str, member: str, members: Callable[[str], frozenset[str]]) -> bool:
        """Take an undeclared name for an object or a hotspot; returns False if it is neither.

        ``member`` is the name after its dot, or "", and ``members`` gives those of a struct.
        """
        of_object = member in members("Object")
        of_hotspot = member in members("Hotspot")
        if not name or name in self.objects or name in self.hotspots:
            return False
        if name[0] == "h" and (of_hotspot or not of_object):
            self._add(name, hotspot=True)
        elif name[0] == "o" or of_object or of_hotspot:
            self._add(name, hotspot=of_hotspot and not of_object)
        else:
            return False
        return True

    def names(self) -> RoomNames:
        """The names as guessed so far."""
        most = max((_default_number(name) for name in self.objects), default=-1)
        objects = _placed(self._ordered(self.objects), "oObject", most + 1, first=0)
        hotspots = _placed(self._ordered(self.hotspots), "hHotspot", _HOTSPOTS, first=1)
        return RoomNames(objects, hotspots)

    def _ordered(self, names: list[str]) -> list[str]:
        """Names by where the text has their first handler, or has them first."""
        return sorted(names, key=self._place)

    def _place(self, name: str) -> int:
        place = self._places.get(name)
        if place is None:
            match = re.search(rf"\b{re.escape(name)}\b", self.text)
            place = match.start() if match else len(self.text)
            self._places[name] = place
        return place


def guessed_names(
    header: int, guesses: Guesses, members: Callable[[str], frozenset[str]]
) -> LateNames:
    """The things of a room as its script gives them away while it is compiled.

    ``members`` gives the names of the members of a struct.
    """

    def guess(name: str, member: str) -> str:
        if not guesses.add(name, member, members):
            return ""
        return "Hotspot" if name in guesses.hotspots else "Object"

    return LateNames(header, guesses.names().imports(), guess, lambda: guesses.names().imports())


def _default_number(name: str) -> int:
    """The number in a name that the editor gives to an object; -1 for others."""
    match = re.fullmatch(r"oObject(\d{1,3})", name)
    return int(match.group(1)) if match else -1


def _placed(names: list[str], prefix: str, count: int, *, first: int) -> list[str]:
    """At least ``count`` names: those with the editor's numbers at their places, others between."""
    places = [f"{prefix}{number}" for number in range(count)]
    given = [name for name in names if name not in places]
    free = [number for number in range(first, count) if places[number] not in names]
    for number, name in zip(free, given, strict=False):
        places[number] = name
    return places + given[len(free) :]


def names_in_room(data: bytes, *, source: str | None = None) -> RoomNames:
    """The names in the bytes of a room file.  Raises FormatError."""
    room_type: type[Room] = load("overhaul.ags.room.room:Room")  # start-up: pictures need numpy
    names: type[ObjectScriptNames] = load("overhaul.ags.room.records:ObjectScriptNames")
    room = room_type.read(data, source=source)
    objects = room.blocks.find(_SCRIPT_NAMES, names)
    main = room.main
    hotspots = main.hotspot_script_names if main is not None else []
    return RoomNames(
        [_ended(name) for name in objects.names] if objects is not None else [],
        [_ended(name) for name in hotspots],
    )


def _ended(name: object) -> str:
    """A name up to the NUL that ends it."""
    return str(name).partition("\0")[0]
