"""Rooms: a JSON file where instances name their layer and tile maps are written row by row."""

from __future__ import annotations

from typing import Any, TypeAlias

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.room import LayerType, Room
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.data_folder.edits import GameEdits
from overhaul.gamemaker.data_folder.names import Names
from overhaul.gamemaker.data_folder.plain import JsonObject
from overhaul.gamemaker.data_folder.resource import ResourceEdit, ResourceFiles
from overhaul.gamemaker.data_folder.tables import GENERAL

#: an object of a JSON file, whose values are looked into
_Json: TypeAlias = dict[str, Any]
_FIRST_INSTANCE = 100000
_FIRST_TILE = 10000000


class RoomFiles(ResourceFiles[Room]):
    """Rooms, which all games list in their order."""

    def defaults(self, version: Version) -> JsonObject:
        if version.major < 2:
            return {"caption": "", "speed": 30}
        if version.at_least(2024, 13):
            return {"flags": ["gamemaker_2024_13"]}
        return {"flags": ["studio_2", "studio_2_3"] if version.at_least(2, 3) else ["studio_2"]}

    def show(self, record: Room, names: Names) -> JsonObject:
        return _show_room(record, super().show(record, names))

    def read(self, values: JsonObject, edit: ResourceEdit[Room]) -> Room:
        return super().read(_prepare_room(values, edit.edits.names), edit)

    def enlist(self, record: Room, edits: GameEdits) -> None:
        order = edits.game.general.room_order
        if edits.edited(GENERAL.path):
            general = edits.json(GENERAL.path)
            if isinstance(general, dict) and "room_order" in general:
                return
        reference = edits.game.rooms.reference_to(record)
        if all(entry is not reference for entry in order):
            order.append(reference)


def _show_room(record: Room, plain: _Json) -> _Json:
    """The JSON of a room, where each instance names its layer."""
    if None in record.instances or None in (plain.get("layers") or ()):
        raise FormatError(f"the room {record.name} counts an instance or a layer that is missing")
    ids = [instance.id for instance in record.instances]
    if plain.get("instance_order") == ids:
        del plain["instance_order"]
    for layer in plain.get("layers") or ():
        data = layer.get("data")
        if isinstance(data, dict) and isinstance(data.get("tiles"), list) and "width" in data:
            data["tiles"] = rows(data["tiles"], data["width"])
    _name_layers(plain, ids)
    return plain


def _name_layers(plain: _Json, ids: list[int]) -> None:
    layers = plain.get("layers") or []
    names = [layer.get("name") for layer in layers]
    if len(set(ids)) != len(ids) or None in names or len(set(names)) != len(names):
        return
    position = {number: index for index, number in enumerate(ids)}
    lists = [(layer, _instances_of(layer)) for layer in layers]
    where = [number for _, numbers in lists for number in numbers or ()]
    if len(set(where)) != len(where):
        return
    for layer, numbers in lists:
        if numbers is None or any(number not in position for number in numbers):
            continue
        places = [position[number] for number in numbers]
        if places != sorted(places):
            continue
        for place in places:
            plain["instances"][place] = {"layer": layer["name"], **plain["instances"][place]}
        data = dict(layer["data"])
        data.pop("instances", None)
        if data:
            layer["data"] = data
        else:
            del layer["data"]


def _instances_of(layer: _Json) -> list[int] | None:
    if layer.get("type", "instances") != "instances":
        return None
    data = layer.get("data")
    return None if not isinstance(data, dict) else data.get("instances", [])


def rows(tiles: list[int], width: int) -> list[int] | list[list[int]]:
    """Tiles as a list of rows; unchanged where they make no whole rows."""
    if width <= 0 or len(tiles) % width:
        return tiles
    return [tiles[at : at + width] for at in range(0, len(tiles), width)]


def flat(tiles: object) -> object:
    """The inverse of :func:`rows`."""
    if isinstance(tiles, list) and tiles and all(isinstance(row, list) for row in tiles):
        return [tile for row in tiles for tile in row]
    return tiles


def _prepare_room(plain: _Json, names: Names) -> _Json:
    """JSON of the record's fields: with ids, and layers that list their instances."""
    plain = dict(plain)
    general = names.game.general
    instances = _dicts(plain.get("instances"), "instances")
    general.last_object_id = _give_ids(instances, general.last_object_id, _FIRST_INSTANCE)
    tiles = _dicts(plain.get("tiles"), "tiles")
    general.last_tile_id = _give_ids(tiles, general.last_tile_id, _FIRST_TILE)
    if tiles:
        plain["tiles"] = tiles
    on_layer: dict[str, list[int]] = {}
    for instance in instances:
        layer = instance.pop("layer", None)
        if layer is not None:
            on_layer.setdefault(str(layer), []).append(instance["id"])
    if "instances" in plain:
        plain["instances"] = instances
    if plain.get("layers"):
        plain["layers"] = [
            _prepare_layer(layer, on_layer) for layer in _dicts(plain["layers"], "layers")
        ]
    if on_layer:
        raise FormatError(f"there is no layer of instances named {min(on_layer)!r}").within(
            "instances"
        )
    version = names.version
    if version.at_least(2024, 13) and "instance_order" not in plain:
        plain["instance_order"] = [instance["id"] for instance in instances]
    if "views" not in plain:
        plain["views"] = [{} for _ in range(8)]
    if "backgrounds" not in plain and version.major < 2:
        plain["backgrounds"] = [{} for _ in range(8)]
    return plain


def _dicts(value: object, name: str) -> list[_Json]:
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise FormatError("expected a list of objects").within(name)
    return [dict(item) for item in value]


def _prepare_layer(layer: _Json, on_layer: dict[str, list[int]]) -> _Json:
    kind = layer.get("type", "instances")
    data = layer.get("data")
    if kind in ("instances", int(LayerType.INSTANCES)):
        data = dict(data or {})
        mine = on_layer.pop(str(layer.get("name")), [])
        if "instances" not in data:
            data["instances"] = mine
        elif mine:
            data["instances"] = [*data["instances"], *mine]
        layer["data"] = data
    elif isinstance(data, dict) and "tiles" in data and "width" in data:
        layer["data"] = {**data, "tiles": flat(data["tiles"])}
    elif data is None and kind in ("background", "assets", "tiles", "effect", 1, 3, 4, 6):
        layer["data"] = {}
    return layer


def _give_ids(items: list[_Json], last: int, first: int) -> int:
    """Number what has no id; return the number after those given, or ``last`` if none was."""
    used = (item["id"] for item in items if isinstance(item.get("id"), int))
    following = max(last, first, *(number + 1 for number in used))
    for item in items:
        if "id" not in item:
            item["id"] = following
            last = following = following + 1
    return last


ROOMS = RoomFiles("ROOM", "rooms", Room)
