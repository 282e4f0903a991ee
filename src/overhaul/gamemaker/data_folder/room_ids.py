"""The ids of instances and layers, which no two rooms of a game share."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from overhaul.document.names import FileNames
from overhaul.gamemaker.data.game import GameData

FOLDER = "rooms"


class RoomIds:
    """The ids of a game's instances and layers, with the JSON files of the rooms that have each.

    ``edited`` are the JSON files that count as they are now, ``read`` gives their values.
    """

    def __init__(
        self, game: GameData, edited: Iterable[str], read: Callable[[str], object]
    ) -> None:
        self.instances: dict[int, list[str]] = {}
        self.layers: dict[int, list[str]] = {}
        paths = {path for path in edited if path.startswith(f"{FOLDER}/")}
        stems = FileNames()
        for record in game.records.rooms.present():
            path = f"{FOLDER}/{stems(str(record.name))}.json"
            if path not in paths:
                layers = [layer.id for layer in record.layers or ()]
                self.add(path, [instance.id for instance in record.instances], layers)
        for path in sorted(paths):
            plain = read(path)
            if isinstance(plain, dict):
                self.add(path, ids_in(plain.get("instances")), ids_in(plain.get("layers")))

    def add(self, path: str, instances: Iterable[int], layers: Iterable[int]) -> None:
        """Enter the ids of a room."""
        for known, ids in ((self.instances, instances), (self.layers, layers)):
            for number in ids:
                paths = known.setdefault(number, [])
                if path not in paths:
                    paths.append(path)


def ids_in(plain: object) -> list[int]:
    """The ids in a list of a room's JSON."""
    items = plain if isinstance(plain, list) else []
    found = (item.get("id") for item in items if isinstance(item, dict))
    return [number for number in found if isinstance(number, int)]
