"""Rooms of projects drawn: layers, instances, tiles, backgrounds, and what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image as pillow

import overhaul
from ide_projects import studio_project, styled_project, write
from overhaul.cli import main
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.printing import print_text
from overhaul.gamemaker.ide.resources.making import record
from overhaul.gamemaker.ide.resources.rooms import Room
from overhaul.gamemaker.ide.stores import JsonStore
from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.ide.texts import JsonFile
from overhaul.gamemaker.ide.values import Json
from overhaul.media import png

RED, BLUE, CLEAR = (255, 0, 0, 255), (0, 0, 255, 255), (0, 0, 0, 0)
BLACK = (0, 0, 0, 255)


def opened(path: Path) -> IdeProjectDocument:
    project = overhaul.open_project(path)
    assert isinstance(project, IdeProjectDocument)
    return project


def pixels(room: Room, *places: tuple[int, int], layers: list[str] | None = None) -> list[object]:
    image = room.image(layers=layers)
    return [image.getpixel(place) for place in places]


def room_of(folder: Path) -> Room:
    """A room with a red sprite of 64 x 64 pixels at 10, 20, above black."""
    project = opened(styled_project(folder, "D"))
    sprite = project.sprites.add("spr_a")
    sprite.frames[0].image = pillow.new("RGBA", (64, 64), RED)
    kind = project.objects.add("obj_a")
    kind.sprite = sprite
    room = project.rooms.add("rm_a")
    room.width, room.height = 200, 150
    room.layers["Instances"].instances.add(kind, 10, 20)
    return room


def add_layer(room: Room, kind: str, **members: Json) -> None:
    """Put a layer in front of all others."""
    store = room.store
    assert isinstance(store, JsonStore)
    common: dict[str, Json] = {"visible": True, "depth": -100, "layers": [], **members}
    store.insert(("layers", 0), record(kind, store.file.style, common, "Front"))


def test_instances_and_colours(tmp_path: Path) -> None:
    room = room_of(tmp_path)
    assert room.image().size == (200, 150)
    assert pixels(room, (9, 20), (10, 20), (73, 83), (74, 83)) == [BLACK, RED, RED, BLACK]
    instance = room.instances[0]
    instance.scale_x, instance.colour = 2.0, 0xFF0000FF
    assert pixels(room, (137, 20), (138, 20)) == [RED, BLACK]
    document = room.document
    assert isinstance(document, IdeProjectDocument)
    document.sprites["spr_a"].origin = (10, 0)
    assert pixels(room, (0, 20), (118, 20)) == [RED, BLACK]
    assert room.not_drawn() == []


def test_layers(tmp_path: Path) -> None:
    room = room_of(tmp_path)
    assert room.layers.names() == ["Instances", "Background"]
    assert pixels(room, (9, 20), (10, 20), layers=["Instances"]) == [CLEAR, RED]
    assert pixels(room, (10, 20), layers=["Background"]) == [BLACK]
    room.layers["Background"].colour = 0xFFFF0000
    room.layers["Instances"].visible = False
    assert pixels(room, (10, 20)) == [BLUE]
    with pytest.raises(KeyError, match=r"there is no layer named 'Instancs' .did you mean"):
        room.image(layers=["Instancs"])
    with pytest.raises(KeyError, match="there is no layer named 'X'"):
        _ = room.layers["X"]
    assert "Instances" in room.layers
    assert room.layers[1].name == "Background"


def test_an_object_that_is_not_drawn(tmp_path: Path) -> None:
    room = room_of(tmp_path)
    kind = room.instances[0].object
    assert kind is not None
    kind.visible = False
    assert pixels(room, (10, 20)) == [BLACK]


def test_sprites_and_effects_in_layers(tmp_path: Path) -> None:
    room = room_of(tmp_path)
    style = room.store.file.style if isinstance(room.store, JsonStore) else None
    assert style is not None
    sprite: Json = {"name": "spr_a", "path": "sprites/spr_a/spr_a.yy"}
    asset = record("GMRSpriteGraphic", style, {
        "spriteId": sprite, "x": 100.0, "y": 0.0, "scaleX": 1.0, "scaleY": 1.0, "rotation": 0.0,
        "colour": 0xFFFFFFFF, "headPosition": 0.0,
    }, "graphic_1")  # fmt: skip
    text = record("GMRTextItem", style, {}, "text_1")
    add_layer(room, "GMRAssetLayer", assets=[asset, text], effectEnabled=True,
              effectType="_filter_blur")  # fmt: skip
    assert pixels(room, (100, 0), (99, 0)) == [RED, BLACK]
    assert room.not_drawn() == ["layer Front: the effect _filter_blur", "layer Front: a text"]


def test_tiles(tmp_path: Path) -> None:
    room = room_of(tmp_path)
    sheet = pillow.new("RGBA", (64, 64), RED)
    sheet.paste(BLUE, (32, 0, 64, 32))
    document = room.document
    assert isinstance(document, IdeProjectDocument)
    document.sprites["spr_a"].frames[0].image = sheet
    value = record("GMTileSet", JsonStore(document, room.path).file.style, {
        "spriteId": {"name": "spr_a", "path": "sprites/spr_a/spr_a.yy"}, "tileWidth": 32,
        "tileHeight": 32, "tilexoff": 0, "tileyoff": 0, "tilehsep": 0, "tilevsep": 0,
    }, "ts_a")  # fmt: skip
    path = "tilesets/ts_a/ts_a.yy"
    listing = document.json_file(document.name)
    document.put(path, JsonFile(print_text(value, Style("D"))))
    row: Json = {"id": {"name": "ts_a", "path": path}}
    document.put(document.name, listing.added("resources", 0, value=row))
    tiles: Json = {
        "SerialiseWidth": 2, "SerialiseHeight": 1, "TileDataFormat": 1,
        "TileCompressedData": [2, 1, -2147483648],
    }  # fmt: skip
    add_layer(room, "GMRTileLayer", tiles=tiles, tilesetId={"name": "ts_a", "path": path}, x=100,
              y=0)  # fmt: skip
    assert document.tile_sets["ts_a"].tile_places == [(0, 0), (32, 0), (0, 32), (32, 32)]
    assert pixels(room, (100, 0), (131, 31), (132, 0)) == [BLUE, BLUE, BLACK]
    room.store.put(("layers", 0, "tiles", "TileCompressedData"), [2, 1, "a"])
    with pytest.raises(FormatError, match="expected 2 x 1 numbers of tiles, got 2 elements"):
        _ = room.layers["Front"].tiles
    room.store.put(("layers", 0, "tiles", "TileCompressedData"), [-3, 1])
    with pytest.raises(FormatError, match="expected 2 x 1 numbers of tiles, got 3 elements"):
        _ = room.layers["Front"].tiles


def test_a_room_of_studio_1(tmp_path: Path) -> None:
    path = studio_project(tmp_path)
    write(tmp_path, "sprites/images/spr_a_0.png", _png(4, 2, RED))
    room = opened(path).rooms["rm_a"]
    store = room.store
    for tag, text in (("width", "20"), ("height", "10"), ("colour", "16711680"),
                      ("showcolour", "-1")):  # fmt: skip
        store.put((tag,), text)
    assert pixels(room, (0, 0), (3, 1), (4, 0)) == [RED, RED, BLUE]
    assert pixels(room, (0, 0), (4, 0), layers=["instances"]) == [RED, CLEAR]


def _png(width: int, height: int, colour: tuple[int, int, int, int]) -> bytes:
    return png.encode(png.from_image(pillow.new("RGBA", (width, height), colour)))


def test_what_is_not_there_is_left_out(tmp_path: Path) -> None:
    room = room_of(tmp_path)
    document = room.document
    assert isinstance(document, IdeProjectDocument)
    document.files.write("objects/obj_a/obj_a.yy", None)
    document.forget("objects/obj_a/obj_a.yy")
    assert pixels(room, (10, 20)) == [BLACK]
    name = room.instances[0].name
    assert room.not_drawn() == [f"instance {name}: its object is not there"]


def test_the_command(tmp_path: Path) -> None:
    room = room_of(tmp_path / "game")
    document = room.document
    assert isinstance(document, IdeProjectDocument)
    document.save()
    assert main(["render", str(tmp_path / "game/Game.yyp"), "*/*", "-o", str(tmp_path)]) == 0
    assert png.size((tmp_path / "rooms/rm_a.png").read_bytes()) == (200, 150)
    pixel = png.decode((tmp_path / "sprites/spr_a/0.png").read_bytes())[0, 0]
    assert tuple(pixel.tolist()) == RED
