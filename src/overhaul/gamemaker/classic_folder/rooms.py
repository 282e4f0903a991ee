"""Rooms as files: ``room.json``, one instance and one tile to a line, and GML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.rooms import (
    Instance,
    Room,
    RoomBackground,
    RoomEditor,
    Tile,
    View,
)
from overhaul.gamemaker.classic_folder.files import Files, in_file, read_record, show_record
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.gamemaker.classic_folder.resources import Made, made_json, made_text

BACKGROUND = {"background": ("backgrounds", -1)}
FOLLOWED = {"follow_object": ("objects", -1)}
OBJECT = {"object": ("objects", -1)}
COLOURS = ("background_colour",)
APART = ("creation_code", "backgrounds", "views", "instances", "tiles")


def show_room(room: Room, stem: str, extra: dict[str, Any], names: Names) -> Iterator[Made]:
    """The files of a room."""
    version = room.version
    plain = extra | show_record(room, version, names, without=APART, colours=COLOURS)
    if room.editor == RoomEditor():
        del plain["editor"]
    plain["backgrounds"] = [
        show_record(layer, version, names, references=BACKGROUND, short=True)
        for layer in room.backgrounds
    ]
    plain["views"] = [
        show_record(view, version, names, references=FOLLOWED, short=True) for view in room.views
    ]
    yield f"{stem}/room.json", made_json(plain)
    if room.creation_code:
        yield f"{stem}/creation.gml", made_text(room.creation_code)
    if room.instances:
        repeated = Counter(instance.id for instance in room.instances)
        yield (
            f"{stem}/instances.json",
            lambda: _lines(
                [_show_instance(item, version, names, repeated) for item in room.instances]
            ),
        )
        for instance in room.instances:
            if instance.creation_code and repeated[instance.id] == 1:
                yield f"{stem}/instance_{instance.id}.gml", made_text(instance.creation_code)
    if room.tiles:
        yield (
            f"{stem}/tiles.json",
            lambda: _lines([_show_tile(tile, version, names) for tile in room.tiles]),
        )


def _show_instance(
    instance: Instance, version: int, names: Names, repeated: Counter[int]
) -> dict[str, Any]:
    plain: dict[str, Any] = {"id": instance.id, "object": None, "x": instance.x, "y": instance.y}
    plain |= show_record(
        instance, version, names, without=["creation_code"], references=OBJECT, short=True
    )
    plain["object"] = names.show("objects", instance.object)
    if instance.creation_code and repeated[instance.id] > 1:
        plain["creation_code"] = instance.creation_code
    return plain


def _show_tile(tile: Tile, version: int, names: Names) -> dict[str, Any]:
    plain: dict[str, Any] = {"id": tile.id, "background": None, "x": tile.x, "y": tile.y}
    plain |= {"tile_x": tile.tile_x, "tile_y": tile.tile_y}
    plain |= {"width": tile.width, "height": tile.height}
    plain |= show_record(tile, version, names, references=BACKGROUND, short=True)
    plain["background"] = names.show("backgrounds", tile.background)
    return plain


def _lines(rows: list[dict[str, Any]]) -> bytes:
    """JSON with one row to a line, however long."""
    import json

    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{lines}\n]\n".encode("utf-8", "backslashreplace")


def read_room(
    files: Files, stem: str, plain: dict[str, Any], version: int, names: Names, base: Room | None
) -> Room:
    """The room of its files."""
    path = f"rooms/{stem}"
    layers = plain.pop("backgrounds", [{}] * 8)
    views = plain.pop("views", [{}] * 8)
    room = read_record(Room, plain, version, names, colours=COLOURS, base=base)
    room.backgrounds = _records(RoomBackground, layers, version, names, BACKGROUND, "backgrounds")
    room.views = _records(View, views, version, names, FOLLOWED, "views")
    creation = f"{path}/creation.gml"
    room.creation_code = files.text(creation) if creation in files else ""
    listed = f"{path}/instances.json"
    room.instances = in_file(
        listed, lambda: _records(Instance, files.array(listed), version, names, OBJECT, "")
    )
    for instance in room.instances:
        code = f"{path}/instance_{instance.id}.gml"
        if code in files:
            instance.creation_code = files.text(code)
    tiles = f"{path}/tiles.json"
    room.tiles = in_file(
        tiles, lambda: _records(Tile, files.array(tiles), version, names, BACKGROUND, "")
    )
    return room


def _records(
    kind: Any, plain: Any, version: int, names: Names, references: Any, step: str
) -> list[Any]:
    if not isinstance(plain, list):
        raise FormatError("a list is expected", path=step)
    result = []
    for index, item in enumerate(plain):
        try:
            result.append(read_record(kind, item, version, names, references=references))
        except FormatError as error:
            raise error.within(step, index) from None
    return result
