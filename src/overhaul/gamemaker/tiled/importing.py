"""Maps brought back into a game: what differs from the room's own map is changed in the room."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from overhaul.errors import PlainFileError
from overhaul.findings import Findings
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.layers import Layer as RoomLayer
from overhaul.gamemaker.data.resources.rooms import Room
from overhaul.gamemaker.tiled.changes import LayerChanges, ObjectChanges
from overhaul.gamemaker.tiled.model import Layer, Map
from overhaul.gamemaker.tiled.reading import MapReader
from overhaul.gamemaker.tiled.rooms import map_of


class Imported(NamedTuple):
    """The maps that were read, those that changed their room, and what to know of it."""

    maps: list[str]
    changed: list[str]
    findings: Findings

    @property
    def warnings(self) -> list[str]:
        """The findings as texts."""
        return self.findings.texts()


def import_rooms(
    game: GameData, folder: str, *, progress: Callable[[int, int, str], None] | None = None
) -> Imported:
    """Change the rooms of a game as the maps (``*.tmx``) of a folder say.

    Parts that a map shows as in the game do not change. After an error the game is as before.
    Raises PlainFileError with file, line and reason for a map that is damaged, or says what a
    room can't hold; OSError for a folder that can't be read.
    """
    paths = sorted(name for name in os.listdir(folder) if name.endswith(".tmx"))
    done = Imported(paths, [], Findings())
    if not paths:
        raise PlainFileError("there are no maps (*.tmx)", folder)
    reader = MapReader(game, folder)
    rooms: dict[int, str] = {}
    with game.edit():
        for count, path in enumerate(paths):
            if progress is not None:
                progress(count, len(paths), path)
            map_ = reader.read(path)
            if map_.room in rooms:
                raise PlainFileError(f"the room is that of {rooms[map_.room]} too", path)
            rooms[map_.room] = path
            changes = RoomChanges(game, path, map_)
            if changes.apply():
                done.changed.append(path)
            done.findings.extend(changes.findings)
    if progress is not None:
        progress(len(paths), len(paths), "")
    return done


class RoomChanges:
    """The changes that a map makes in its room."""

    def __init__(self, game: GameData, path: str, map_: Map) -> None:
        record = game.records.rooms[map_.room]
        self.path = path
        self.room: Room = Room(game, record)
        self.base: Map = map_of(game, record)
        self.map = map_
        self.old: bool = game.release.major < 2
        self.findings: Findings = Findings()
        self.objects: ObjectChanges = ObjectChanges(self.room, path, self.findings)
        self.layers: LayerChanges = LayerChanges(self.room, path)

    def apply(self) -> bool:
        """Change the room; whether anything changed."""
        changed = self._size_and_colour()
        pairs = self._pairs()
        kept = {id(before) for before, _ in pairs if before is not None}
        gone = [before for before in self.base.layers if id(before) not in kept]
        targets: list[tuple[Layer, RoomLayer | None]] = []
        for number, (before, now) in enumerate(pairs):
            if before is None:
                before = self._new_layer(now, self._depth_at(number, pairs))
                changed = True
            elif self.layers.change(before, now):
                changed = True
            targets.append((now, self.layers.of(before)))
        self._check_order(pairs)
        befores = self.base.layers
        changed |= self.objects.apply(befores, [(now, layer) for now, layer in targets])
        for before in gone:
            self._remove_layer(before)
            changed = True
        return changed

    def _fail(self, layer: Layer, message: str) -> PlainFileError:
        return PlainFileError(message, self.path, layer.name, layer.line)

    def _size_and_colour(self) -> bool:
        room, base, now = self.room, self.base, self.map
        names = ("width", "height", "colour")
        changed = any(getattr(now, name) != getattr(base, name) for name in names)
        try:
            room.width = now.width if now.width != base.width else room.width
            room.height = now.height if now.height != base.height else room.height
            if now.colour != base.colour:
                room.draw_background_colour = bool(now.colour)
                room.background_colour = now.colour or room.background_colour
        except ValueError as error:
            raise PlainFileError(str(error), self.path) from None
        return changed

    def _pairs(self) -> list[tuple[Layer | None, Layer]]:
        """Each layer of the map, with the one it was; a copy of one is a new layer."""
        known: dict[tuple[str, int | None], list[Layer]] = {}
        for layer in self.base.layers:
            known.setdefault((layer.kind, layer.id), []).append(layer)
        pairs: list[tuple[Layer | None, Layer]] = []
        for layer in self.map.layers:
            same = known.get((layer.kind, layer.id), [])
            pairs.append((same.pop(0) if same else None, layer))
        return pairs

    def _depth_at(self, number: int, pairs: list[tuple[Layer | None, Layer]]) -> int:
        """The depth of a new layer between its neighbours in the map, which is from the back."""
        stated = pairs[number][1].properties.get("depth")
        if stated is not None and pairs[number][1].id is None:
            return self.layers.depth(pairs[number][1])
        behind, front = (
            [self.layers.depth(now) for _, now in part if "depth" in now.properties]
            for part in (pairs[:number], pairs[number + 1 :])
        )
        if not behind and not front:
            return 0
        if not behind or not front:
            return max(front) + 100 if front else min(behind) - 100
        return (min(behind) + max(front)) // 2

    def _new_layer(self, now: Layer, depth: int) -> Layer:
        if self.old:
            raise self._fail(now, "rooms of this release have no layers: put it on another one")
        now.properties["depth"] = str(depth)
        return self.layers.add(now, depth)

    def _remove_layer(self, before: Layer) -> None:
        if before.kind == "objects" and self.old:
            return  # the objects are gone already
        if self.old:
            raise PlainFileError(f"{before.name} can't be removed: hide it", self.path)
        layer = self.layers.of(before)
        if layer is not None:
            self.room.layers.remove(layer)

    def _check_order(self, pairs: list[tuple[Layer | None, Layer]]) -> None:
        if self.old:
            order = [self.base.layers.index(before) for before, _ in pairs if before is not None]
            if order != sorted(order):
                raise PlainFileError(
                    "the order of layers follows from the depths of objects and tiles", self.path
                )
            return
        for (_, back), (_, front) in pairwise(pairs):
            if self.layers.depth(back) < self.layers.depth(front):
                message = (
                    f"it is in front of {back.name}, but its depth {self.layers.depth(front)} "
                    f"is greater than {self.layers.depth(back)}: change the property depth too"
                )
                raise self._fail(front, message)
