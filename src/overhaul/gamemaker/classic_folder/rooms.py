"""Rooms: ``room.json``, GML, and one instance and one tile to a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeVar

from overhaul.folder.jsonkit import expect_list, in_file, json_bytes, rows
from overhaul.gamemaker.classic.rooms import Instance, Room, RoomBackground, RoomEditor, Tile, View
from overhaul.gamemaker.classic_folder.files import (
    JsonObject,
    Made,
    References,
    each,
    made_json,
    made_text,
    read_record,
    show_record,
    take,
)
from overhaul.gamemaker.classic_folder.kind import FolderKind, Reference, Unit
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.gamemaker.classic_folder.placed import NO_ID
from overhaul.schema import Record

T = TypeVar("T", bound=Record)

#: by list of a room: what its elements refer to
ROOM_REFERENCES: dict[str, References] = {
    "backgrounds": {"background": ("backgrounds", -1)},
    "views": {"follow_object": ("objects", -1)},
    "instances": {"object": ("objects", -1)},
    "tiles": {"background": ("backgrounds", -1)},
}
COLOURS = ("background_colour",)
APART = ("creation_code", *ROOM_REFERENCES)
_FIRST = {  # the fields of a row that come first, whatever their values are
    "instances": ("id", "object", "x", "y"),
    "tiles": ("id", "background", "x", "y", "tile_x", "tile_y", "width", "height"),
}


def show_part(part: str, record: Record, version: int, names: Names) -> JsonObject:
    """A layer, view, instance or tile of a room for JSON."""
    return show_record(record, version, names, references=ROOM_REFERENCES[part], short=True)


def _show(room: Room, stem: str, extra: JsonObject, names: Names) -> Iterator[Made]:
    version = room.version
    plain = extra | show_record(room, version, names, without=APART, colours=COLOURS)
    if room.editor == RoomEditor():
        del plain["editor"]
    plain["backgrounds"] = [
        show_part("backgrounds", layer, version, names) for layer in room.backgrounds
    ]
    plain["views"] = [show_part("views", view, version, names) for view in room.views]
    yield f"{stem}/room.json", made_json(plain)
    if room.creation_code:
        yield f"{stem}/creation.gml", made_text(room.creation_code)
    if room.instances:
        count = Counter(instance.id for instance in room.instances)

        def show_instances() -> list[JsonObject]:
            return [_show_instance(item, version, names, count) for item in room.instances]

        yield f"{stem}/instances.json", lambda: json_bytes(show_instances(), rows)
        for instance in room.instances:
            if instance.creation_code and count[instance.id] == 1:
                yield f"{stem}/instance_{instance.id}.gml", made_text(instance.creation_code)
    if room.tiles:

        def show_tiles() -> list[JsonObject]:
            return [_row("tiles", tile, version, names) for tile in room.tiles]

        yield f"{stem}/tiles.json", lambda: json_bytes(show_tiles(), rows)


def _show_instance(
    instance: Instance, version: int, names: Names, count: Counter[int]
) -> JsonObject:
    """A row of instances.json; it holds the code if the id is not unique."""
    plain = _row("instances", instance, version, names)
    code = plain.pop("creation_code", "")
    return plain | {"creation_code": code} if code and count[instance.id] > 1 else plain


def _row(part: str, record: Record, version: int, names: Names) -> JsonObject:
    first = {name: getattr(record, name) for name in _FIRST[part]}
    for name, (kind, none) in ROOM_REFERENCES[part].items():
        first[name] = names.show(kind, first[name], none)
    return first | show_part(part, record, version, names)


def _read(unit: Unit, base: Room | None) -> Room:
    files = unit.files
    layers = take(unit.plain, "backgrounds", expect_list, [{}] * 8)
    views = take(unit.plain, "views", expect_list, [{}] * 8)
    room = unit.record(Room, base, colours=COLOURS)
    room.backgrounds = _records(unit, "backgrounds", RoomBackground, layers, "backgrounds")
    room.views = _records(unit, "views", View, views, "views")
    creation = f"{unit.folder}/creation.gml"
    room.creation_code = files.text(creation) if creation in files else ""
    room.instances = _rows(unit, "instances", Instance)
    for instance in room.instances:
        code = f"{unit.folder}/instance_{instance.id}.gml"
        if code in files:
            instance.creation_code = files.text(code)
    room.tiles = _rows(unit, "tiles", Tile)
    return room


def _rows(unit: Unit, part: str, record: type[T]) -> list[T]:
    path = f"{unit.folder}/{part}.json"
    with in_file(path):
        return _records(unit, part, record, unit.files.json_list(path))


def _records(unit: Unit, part: str, record: type[T], items: list[object], key: str = "") -> list[T]:
    references = ROOM_REFERENCES[part]

    def read(item: object) -> T:
        if key == "" and isinstance(item, dict) and "id" not in item:
            item = {**item, "id": NO_ID}
        return read_record(record, item, unit.version, unit.names, references=references)

    return each(read, items, key)


def _references(room: Room) -> Iterator[Reference]:
    for layer in room.backgrounds:
        yield "backgrounds", layer.background
    for tile in room.tiles:
        yield "backgrounds", tile.background
    for instance in room.instances:
        yield "objects", instance.object
    for view in room.views:
        yield "objects", view.follow_object


ROOMS = FolderKind("rooms", _show, _read, json="/room.json", references=_references)
