"""Rooms: a JSON file where instances name their layer and tile maps are written row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, TypeAlias

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.room import LayerType, Room, RoomFlags
from overhaul.gamemaker.data.room_rules import (
    FIRST_INSTANCE,
    FIRST_TILE,
    SLOTS,
    enlist_room,
    flags_of_release,
)
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.data_folder import kind_folders
from overhaul.gamemaker.data_folder.edits import KINDS, GameEdits, ids_in, ids_of
from overhaul.gamemaker.data_folder.names import ReferenceNames
from overhaul.gamemaker.data_folder.resource import JsonObject, ResourceEdit, ResourceFiles
from overhaul.gamemaker.data_folder.tables import GENERAL
from overhaul.suggest import did_you_mean

#: an object of a JSON file, whose values are looked into
_Json: TypeAlias = dict[str, Any]


class RoomFiles(ResourceFiles[Room]):
    """Rooms, which all games list in their order."""

    def defaults(self, version: Version) -> JsonObject:
        if version.major < 2:
            return {"caption": "", "speed": 30}
        flags = flags_of_release(version)
        return {"flags": [str(flag.name).lower() for flag in RoomFlags if flag in flags]}

    def show(self, record: Room, names: ReferenceNames) -> JsonObject:
        return _show_room(record, super().show(record, names))

    def read(self, values: JsonObject, edit: ResourceEdit[Room]) -> Room:
        plain = dict(values)
        edits, old = edit.edits, edit.record.layers or []
        if plain.get("layers"):
            layers = plain["layers"] = _dicts(plain["layers"], "layers")
            for index, layer in enumerate(layers):
                if "name" not in layer and not edit.added:
                    raise FormatError("a layer needs a name").within("name").within("layers", index)
            known = {str(layer.name): layer.id for layer in reversed(old)}
            _give_layer_ids(layers, known, edits.room_ids.rooms["layers"])
        room = super().read(_prepare_room(plain, edits.names), edit)
        if not edits.fresh:
            _give_own_ids(room, edit)
        _check_ids(room, edit)
        return room

    def enlist(self, record: Room, edits: GameEdits) -> None:
        if edits.edited(GENERAL.path):
            general = edits.json(GENERAL.path)
            if isinstance(general, dict) and "room_order" in general:
                return
        enlist_room(edits.game, record)


def _show_room(record: Room, plain: _Json) -> _Json:
    """The JSON of a room, where each instance names its layer."""
    if None in record.instances or None in (plain.get("layers") or ()):
        raise FormatError(f"the room {record.name} counts an instance or a layer that is missing")
    ids = [instance.id for instance in record.instances]
    if plain.get("instance_order") == ids:
        del plain["instance_order"]
    for number, layer in enumerate(plain.get("layers") or ()):
        data = layer.get("data")
        if isinstance(data, dict) and isinstance(data.get("tiles"), list) and "width" in data:
            data["tiles"] = rows(data["tiles"], data["width"])
        if "id" not in layer:  # that of the first one is 0, and a layer without is a new one
            plain["layers"][number] = {"name": layer.get("name"), "id": 0, **layer}
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


def _prepare_room(plain: _Json, names: ReferenceNames) -> _Json:
    """JSON of the record's fields: with ids, and layers that list their instances."""
    plain = dict(plain)
    general = names.game.general
    instances = _dicts(plain.get("instances"), "instances")
    general.last_object_id = _give_ids(instances, general.last_object_id, FIRST_INSTANCE)
    tiles = _dicts(plain.get("tiles"), "tiles")
    general.last_tile_id = _give_ids(tiles, general.last_tile_id, FIRST_TILE)
    if tiles:
        plain["tiles"] = tiles
    on_layer: dict[str, list[int]] = {}
    for instance in instances:
        layer = instance.pop("layer", None)
        if layer is not None:
            on_layer.setdefault(str(layer), []).append(instance["id"])
    if "instances" in plain:
        plain["instances"] = instances
    layer_names: list[str] = []
    if plain.get("layers"):
        layer_names = [str(layer.get("name")) for layer in _dicts(plain["layers"], "layers")]
        for index, name in enumerate(layer_names):
            if name in on_layer and name in layer_names[:index]:
                message = f"a layer before has the name {name!r} too, and instances are on it"
                raise FormatError(message).within("name").within("layers", index)
        plain["layers"] = [
            _prepare_layer(layer, on_layer) for layer in _dicts(plain["layers"], "layers")
        ]
    if on_layer:
        name = min(on_layer)
        raise FormatError(
            f"there is no layer of instances named {name!r} in layers"
            f"{did_you_mean(name, layer_names)}"
        ).within("instances")
    version = names.version
    if version.at_least(2024, 13) and "instance_order" not in plain:
        plain["instance_order"] = [instance["id"] for instance in instances]
    if "views" not in plain:
        plain["views"] = [{} for _ in range(SLOTS)]
    if "backgrounds" not in plain and version.major < 2:
        plain["backgrounds"] = [{} for _ in range(SLOTS)]
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
    """Allocate ids for elements without one; return the number after those given, or ``last``."""
    used = (item["id"] for item in items if isinstance(item.get("id"), int))
    following = max(last, first, *(number + 1 for number in used))
    for item in items:
        if "id" not in item:
            item["id"] = following
            last = following = following + 1
    return last


# ------------------------------------------------------------------------------------------ ids


def _give_layer_ids(layers: list[_Json], known: dict[str, int], taken: Collection[int]) -> None:
    """Number layers without id: those that were there keep theirs, new ones get the next."""
    here = set(ids_in(layers))
    following = max([-1, *taken, *known.values(), *here]) + 1
    for layer in layers:
        if "id" not in layer:
            before = known.get(str(layer.get("name")), following)
            layer["id"] = following if before in here else before
            here.add(layer["id"])
            following += layer["id"] == following


def _twice(ids: list[int]) -> list[int]:
    """The ids that occur more than once, in order."""
    counts = Counter(ids)
    return [number for number, count in counts.items() if count > 1]


def _give_own_ids(room: Room, edit: ResourceEdit[Room]) -> None:
    """Allocate an id for each new element of a room that has an id of another room.

    A room that was copied has the ids of the first; so have rooms of two mods that count on from
    the same last id.
    """
    taken = edit.edits.room_ids
    before = ids_of(edit.before) if not edit.added else dict.fromkeys(KINDS, ())
    for kind, ids in ids_of(room).items():
        once = [number for number, count in Counter(ids).items() if count == 1]  # see _check_ids
        given = taken.own(kind, edit.json_path, once, before[kind])
        if not given:
            continue
        for item in getattr(room, kind):
            item.id = given.get(item.id, item.id)
        if kind == "instances":
            room.instance_order[:] = [given.get(number, number) for number in room.instance_order]
            for layer in room.layers or ():
                if layer.type == LayerType.INSTANCES and layer.data is not None:
                    listed = layer.data.instances
                    listed[:] = [given.get(number, number) for number in listed]
        numbers = ", ".join(f"{old} is {new}" for old, new in [*given.items()][:3])
        more = f" and {len(given) - 3} more" if len(given) > 3 else ""
        edit.edits.findings.warn(
            "duplicate",
            f"other rooms have these ids, so there are new ones: {numbers}{more}",
            edit.json_path,
            kind,
        )


def _check_ids(room: Room, edit: ResourceEdit[Room]) -> None:
    """Refuse new duplicates among a room's ids; report old ones, of ids that other rooms have,
    and of instances on no layer."""
    instances = [instance.id for instance in room.instances]
    layers = [layer.id for layer in room.layers or ()]
    before = ids_of(edit.before)
    warn = edit.edits.findings.warn
    taken = edit.edits.room_ids
    for key, ids in (("instances", instances), ("layers", layers)):
        everywhere = taken.rooms[key]
        elsewhere = {
            number: path
            for number in ids
            for path in everywhere.get(number, ())
            if path != edit.json_path
        }
        for number in _twice(ids):
            message = f"the id {number} occurs twice"
            if not edit.edits.fresh and ids.count(number) > max(1, before[key].count(number)):
                last = len(ids) - 1 - ids[::-1].index(number)
                raise (
                    FormatError(f"{message} (without an id, it gets the next one)")
                    .within("id")
                    .within(key, last)
                )
            warn("duplicate", message, edit.json_path, key)
        shared = list(elsewhere)
        if shared:
            warn(
                "duplicate",
                f"the ids {_first_of(shared)} are those of {key} in {elsewhere[shared[0]]} too "
                "(without an id, they get new ones)",
                edit.json_path,
                key,
            )
    taken.add(edit.json_path, ids_of(room))
    if room.layers:
        _check_layers(room, set(instances), edit)


def _check_layers(room: Room, instances: set[int], edit: ResourceEdit[Room]) -> None:
    warn = edit.edits.findings.warn
    listed: list[int] = []
    for layer in room.layers or ():
        if layer.type == LayerType.INSTANCES and layer.data is not None:
            strange = [number for number in layer.data.instances if number not in instances]
            if strange:
                warn(
                    "missing-name",
                    f"the layer {layer.name} lists the instances {_first_of(strange)}, which the "
                    "room does not have",
                    edit.json_path,
                )
            listed += layer.data.instances
    lost = sorted(instances.difference(listed))
    if lost:
        warn("mismatch", f"the instances {_first_of(lost)} are on no layer", edit.json_path)
    if twice := _twice(listed):
        warn("duplicate", f"the instances {_first_of(twice)} are on two layers", edit.json_path)


def _first_of(numbers: list[int]) -> str:
    more = f" and {len(numbers) - 3} more" if len(numbers) > 3 else ""
    return ", ".join(map(str, numbers[:3])) + more


ROOMS = RoomFiles(kind_folders.ROOMS, Room)
