"""Rules for every room: the parts of a new one, and the ids that must be unique."""

from __future__ import annotations

from overhaul.findings import Findings, warning
from overhaul.gamemaker.data.chunks.room import Room, RoomBackground, RoomFlags, View
from overhaul.gamemaker.data.model import GameModel
from overhaul.gamemaker.data.version import Version

FIRST_INSTANCE = 100000
FIRST_TILE = 10000000
#: how many views every room has, and before GameMaker 2 how many backgrounds
SLOTS = 8


def flags_of_release(version: Version) -> RoomFlags:
    """The flags of a new room that mark the generation of the compiler."""
    if version.major < 2:
        return RoomFlags(0)
    if version.at_least(2024, 13):
        return RoomFlags.GAMEMAKER_2024_13
    if version.at_least(2, 3):
        return RoomFlags.STUDIO_2 | RoomFlags.STUDIO_2_3
    return RoomFlags.STUDIO_2


def fill_slots(room: Room, version: Version) -> None:
    """Give a new room its unused views and backgrounds."""
    room.views = room.views or [View() for _ in range(SLOTS)]
    if version.major < 2:
        room.backgrounds = room.backgrounds or [RoomBackground() for _ in range(SLOTS)]


def enlist_room(game: GameModel, room: Room) -> None:
    """Enter a new room at the end of the game's order of rooms, if it is not in it."""
    reference = game.records.rooms.reference_to(room)
    if all(entry is not reference for entry in game.general.room_order):
        game.general.room_order.append(reference)


def findings_of_no_room(game: GameModel) -> Findings:
    """The findings after rooms were removed."""
    if any(True for _ in game.records.rooms.present()):
        return Findings()
    message = "the game has no room now: it begins in its first one, and can't start without"
    return Findings([warning("missing-name", message)])


def new_instance_id(game: GameModel) -> int:
    """An id for a new instance; the next one continues from it."""
    rooms = game.records.rooms.present()
    used = (instance.id for room in rooms for instance in room.instances if instance is not None)
    number = max(game.general.last_object_id, FIRST_INSTANCE, *(taken + 1 for taken in used))
    game.general.last_object_id = number + 1
    return number


def new_tile_id(game: GameModel) -> int:
    """An id for a new tile; the next one continues from it."""
    used = [tile.id for room in game.records.rooms.present() for tile in room.tiles]
    for room in game.records.rooms.present():
        for layer in room.layers or ():
            used += [
                tile.id for tile in getattr(layer.data, "tiles", None) or () if hasattr(tile, "id")
            ]
    number = max(game.general.last_tile_id, FIRST_TILE, *(taken + 1 for taken in used))
    game.general.last_tile_id = number + 1
    return number


def new_layer_id(game: GameModel) -> int:
    """An id for a new layer: the one after the greatest of the game."""
    rooms = game.records.rooms.present()
    return max((layer.id + 1 for room in rooms for layer in room.layers or ()), default=0)
