"""What rooms look like, to the pixel: every element of both generations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image as pillow

from drawn_games import (
    add_background,
    add_item,
    add_object,
    add_sprite,
    art,
    drawn_game,
    pixels,
    text_of,
)
from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks.font import Font, Glyph, Kerning
from overhaul.gamemaker.data.chunks.room import TextInstance
from overhaul.gamemaker.data.chunks.sprt import NineSlice, SpriteType
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.layers import AssetLayer, BackgroundLayer, TileLayer
from overhaul.gamemaker.data.resources.rooms import Room
from overhaul.media import canvas

OLD, NEW = "1.0.0.1804", "2.3"
BOTH = pytest.mark.parametrize("version", [OLD, NEW])


def made(version: str) -> tuple[GameData, Room]:
    game = drawn_game(version)
    room = game.rooms["rm"]
    if game.release.major >= 2:
        room.layers.add("things", depth=0)
    return game, room


def with_sprite(version: str, picture: str, **how: Any) -> tuple[GameData, Room]:
    game, room = made(version)
    add_object(game, "obj", add_sprite(game, "spr", picture, **how))
    return game, room


@BOTH
def test_a_room_of_nothing_is_its_colour(version: str) -> None:
    _, room = made(version)
    room.background_colour = (255, 0, 0)
    assert text_of(room) == art("RRRRRR RRRRRR RRRRRR RRRRRR")
    assert room.record.background_colour & 0xFFFFFF == 0x0000FF
    room.draw_background_colour = False
    assert text_of(room) == art("KKKKKK KKKKKK KKKKKK KKKKKK")
    wanted = ["instances"] if version == OLD else ["things"]
    assert text_of(room, layers=wanted) == art("...... ...... ...... ......")


@BOTH
def test_an_instance_is_drawn_at_its_origin(version: str) -> None:
    _, room = with_sprite(version, "RG BW", origin=(1, 0))
    room.instances.add("obj", 3, 1)
    room.instances.add("obj", 6, 3)
    assert text_of(room) == art("KKKKKK KKRGKK KKBWKK KKKKKR")


@BOTH
def test_pictures_that_wait_for_a_page_are_drawn(version: str) -> None:
    game, room = made(version)
    game.sprites.add("spr_new", frames=[pixels("RG BW")])
    add_object(game, "obj", game.records.sprites["spr_new"])
    room.instances.add("obj", 1, 0)
    assert text_of(room) == art("KRGKKK KBWKKK KKKKKK KKKKKK")
    game.sprites["spr_new"].frames[0] = pixels("YY Y.")
    assert text_of(room) == art("KYYKKK KYKKKK KKKKKK KKKKKK")
    assert text_of(GameData.from_bytes(game.to_bytes()).rooms["rm"]) == text_of(room)


@BOTH
def test_scales_stretch_and_mirror_around_the_origin(version: str) -> None:
    _, room = with_sprite(version, "RG BW")
    room.instances.add("obj", 0, 0).scale_x = 2
    turned = room.instances.add("obj", 6, 4)
    turned.scale_x, turned.scale_y = -1, -1
    assert text_of(room) == art("RRGGKK BBWWKK KKKKWB KKKKGR")


@BOTH
def test_a_scale_below_one_takes_the_pixel_under_each_centre(version: str) -> None:
    _, room = with_sprite(version, "RGBW RGBW YYYY YYYY")
    instance = room.instances.add("obj", 1, 1)
    instance.scale_x = instance.scale_y = 0.5
    assert text_of(room) == art("KKKKKK KGWKKK KYYKKK KKKKKK")


@BOTH
@pytest.mark.parametrize(
    ("angle", "shown"),
    [
        (0, "KKKKKK KKKKKK KKKRGK KKKBWK"),
        (90, "KKKGWK KKKRBK KKKKKK KKKKKK"),
        (180, "KWBKKK KGRKKK KKKKKK KKKKKK"),
        (270, "KKKKKK KKKKKK KBRKKK KWGKKK"),
        (-90, "KKKKKK KKKKKK KBRKKK KWGKKK"),
        (450, "KKKGWK KKKRBK KKKKKK KKKKKK"),
    ],
)
def test_rotation_is_anticlockwise_around_the_origin(
    version: str, angle: float, shown: str
) -> None:
    _, room = with_sprite(version, "RG BW")
    room.instances.add("obj", 3, 2).rotation = angle
    assert text_of(room) == art(shown)


def test_another_angle_covers_the_pixels_whose_centre_is_inside() -> None:
    _, room = with_sprite(NEW, "RRRR RRRR RRRR RRRR", origin=(2, 2))
    room.instances.add("obj", 3, 2).rotation = 45
    # a square of diagonal 4·√2, whose corners are beyond the room above and below
    assert text_of(room) == art("KKRRKK KRRRRK KRRRRK KKRRKK")


@BOTH
def test_colour_and_alpha(version: str) -> None:
    _, room = with_sprite(version, "WY")
    room.instances.add("obj", 0, 0).colour = "#ff0000"
    room.instances.add("obj", 2, 0).alpha = 0.5
    room.instances.add("obj", 4, 0).colour = (0x80, 0x40, 0x20)
    row = np.asarray(room.image())[0].tolist()
    assert row[:2] == [[255, 0, 0, 255], [255, 0, 0, 255]]
    assert row[2:4] == [[128, 128, 128, 255], [128, 128, 0, 255]]
    assert row[4:] == [[0x80, 0x40, 0x20, 255], [0x80, 0x40, 0, 255]]


@BOTH
def test_half_transparent_pixels_are_mixed_with_what_is_behind(version: str) -> None:
    _, room = with_sprite(version, "r")
    room.background_colour = (0, 0, 255)
    room.instances.add("obj", 1, 1)
    assert np.asarray(room.image())[1, 1].tolist() == [128, 0, 127, 255]
    alone = room.image(layers="instances" if version == OLD else "things")
    assert np.asarray(alone)[1, 1].tolist() == [255, 0, 0, 128]


def test_cropped_pictures_keep_their_place() -> None:
    game, room = made(NEW)
    sprite = add_sprite(game, "spr", "...... .RGBW. ......", origin=(1, 1), margin=1)
    assert sprite.textures[0].source_width == 4
    add_object(game, "obj", sprite)
    room.instances.add("obj", 1, 2)
    assert text_of(room) == art("KKKKKK KKKKKK KRGBWK KKKKKK")
    room.instances[0].scale_x = -1
    room.instances[0].x = 5
    assert text_of(room) == art("KKKKKK KKKKKK KWBGRK KKKKKK")


def test_frames_count_on_from_the_first() -> None:
    game, room = made(NEW)
    add_object(game, "obj", add_sprite(game, "spr", "R", "G", "B"))
    for place, frame in enumerate((0, 1, 2, 3, -1)):
        room.instances.add("obj", place, 0).image_index = frame
    assert text_of(room).split("\n")[0] == "RGBRBK"


@BOTH
def test_what_has_no_picture_is_not_drawn(version: str) -> None:
    game, room = made(version)
    sprite = add_sprite(game, "spr", "R")
    add_object(game, "obj_none", None)
    add_object(game, "obj_hidden", sprite).visible = False
    vector = add_sprite(game, "spr_vector", "G")
    vector.sub_version, vector.sprite_type = 1, SpriteType.SWF
    add_object(game, "obj_vector", vector)
    add_object(game, "obj_empty", add_sprite(game, "spr_empty", "G"))
    game.records.sprites["spr_empty"].textures = []
    for name in ("obj_none", "obj_hidden", "obj_vector", "obj_empty"):
        room.instances.add(name, 0, 0)
    room.instances[0].record.object = 4711  # an object that is not there
    for number in (float("nan"), float("inf"), 0.0):
        instance = room.instances.add("obj_hidden", 1, 0)
        instance.record.object = game.records.objects.reference_to("obj_none")
        instance.record.scale_x = number
    assert text_of(room) == art("KKKKKK KKKKKK KKKKKK KKKKKK")


def test_depth_orders_instances_and_tiles_before_layers() -> None:
    game, room = made(OLD)
    for name, letter, depth in (("near", "R", -5), ("far", "G", 10), ("same", "B", 0)):
        add_object(game, name, add_sprite(game, f"spr_{name}", f"{letter}{letter}"), depth=depth)
    add_background(game, "bg", "WWW")
    room.instances.add("near", 0, 0)
    room.instances.add("far", 1, 0)
    room.instances.add("same", 2, 0)
    room.tiles.add("bg", 0, 0, source=(0, 0, 3, 1), depth=5)
    room.tiles.add("bg", 0, 0, source=(0, 0, 3, 1), depth=0)
    assert text_of(room).split("\n")[0] == "RRBBKK"
    room.tiles[1].depth = -1
    assert text_of(room).split("\n")[0] == "RRWBKK"
    room.instances[2].object = "far"
    assert text_of(room).split("\n")[0] == "RRWGKK"


def test_instances_of_one_depth_are_drawn_in_their_order() -> None:
    game, room = made(OLD)
    add_object(game, "a", add_sprite(game, "spr_a", "RR"))
    add_object(game, "b", add_sprite(game, "spr_b", "GG"))
    room.instances.add("a", 0, 0)
    room.instances.add("b", 1, 0)
    assert text_of(room).split("\n")[0] == "RGGKKK"


def test_old_tiles_show_a_part_of_a_background() -> None:
    game, room = made(OLD)
    add_background(game, "bg", "RGB WYK")
    room.tiles.add("bg", 0, 0, source=(1, 0, 2, 2))
    room.tiles.add("bg", 2, 2, source=(0, 1, 1, 1), scale=(3, 2))
    room.tiles.add("bg", 4, 0, source=(0, 1, 1, 1), colour="#0000ff")
    room.tiles.add("bg", 5, 0, source=(2, 0, 9, 9))
    assert text_of(room) == art("GBKKBB YKKKKK KKWWWK KKWWWK")


def test_backgrounds_tile_stretch_and_cover() -> None:
    game, room = made(OLD)
    add_background(game, "bg", "RG")
    add_background(game, "dot", "B")
    add_object(game, "obj", add_sprite(game, "spr", "WW WW"))
    first, second = room.backgrounds[0], room.backgrounds[1]
    first.background = "bg"
    first.x, first.y = 1, 1
    assert text_of(room) == art("KKKKKK KKKKKK KKKKKK KKKKKK")
    first.enabled = True
    first.tile_x, first.tile_y = True, False
    assert text_of(room) == art("KKKKKK GRGRGR KKKKKK KKKKKK")
    first.tile_x, first.tile_y = False, True
    assert text_of(room) == art("KRGKKK KRGKKK KRGKKK KRGKKK")
    first.tile_x = True
    assert text_of(room) == art("GRGRGR GRGRGR GRGRGR GRGRGR")
    first.tile_x = first.tile_y = False
    assert text_of(room) == art("KKKKKK KRGKKK KKKKKK KKKKKK")
    first.stretch, first.x, first.y = True, 0, 0
    assert text_of(room) == art("RRRGGG RRRGGG RRRGGG RRRGGG")
    second.background, second.enabled = "dot", True
    second.tile_x = second.tile_y = False
    second.x = 1
    room.instances.add("obj", 0, 0)
    assert text_of(room) == art("WWRGGG WWRGGG RRRGGG RRRGGG")
    second.foreground = True
    assert text_of(room) == art("WBRGGG WWRGGG RRRGGG RRRGGG")


def test_the_parts_of_a_room_before_layers() -> None:
    game, room = made(OLD)
    add_background(game, "bg", "R")
    add_object(game, "obj", add_sprite(game, "spr", "W"))
    for number, x in enumerate((0, 1)):
        shown = room.backgrounds[number]
        shown.background, shown.enabled, shown.x = "bg", True, x
        shown.tile_x = shown.tile_y = False
        shown.foreground = number == 1
    room.instances.add("obj", 2, 0)
    room.tiles.add("bg", 3, 0, source=(0, 0, 1, 1))
    rows = {
        part: text_of(room, layers=part).split("\n")[0]
        for part in ("backgrounds", "foregrounds", "instances", "tiles")
    }
    assert rows == {
        "backgrounds": "R.....",
        "foregrounds": ".R....",
        "instances": "..W...",
        "tiles": "...R..",
    }
    with pytest.raises(KeyError, match="did you mean 'tiles'"):
        room.image(layers=["tile"])


def test_layers_are_drawn_by_depth_and_hidden_ones_are_not() -> None:
    game, room = made(NEW)
    for letter in "RGB":
        add_object(game, letter, add_sprite(game, f"spr_{letter}", letter * 3))
    room.layers.add("back", depth=50)
    room.layers.add("front", depth=-50)
    room.instances.add("R", 0, 0, layer="front")
    room.instances.add("G", 1, 0, layer="things")
    room.instances.add("B", 2, 0, layer=room.layers["back"])
    assert text_of(room).split("\n")[0] == "RRRGBK"
    room.layers["things"].visible = False
    assert text_of(room).split("\n")[0] == "RRRBBK"
    assert text_of(room, layers=["things", "back"]).split("\n")[0] == ".GGGB."
    room.layers["front"].depth = 51
    room.layers["things"].visible = True
    assert text_of(room).split("\n")[0] == "RGGGBK"
    # at one depth the later layer of the file is in front
    room.layers["front"].depth = room.layers["things"].depth = 50
    assert text_of(room).split("\n")[0] == "RRRBBK"


def test_the_offset_of_a_layer_moves_all_but_instances() -> None:
    _, room = with_sprite(NEW, "R")
    room.instances.add("obj", 0, 0)
    room.layers["things"].offset_x = 3
    assets = room.layers.add("assets", "assets", depth=10)
    assert isinstance(assets, AssetLayer)
    assets.add_sprite("spr", 1, 0)
    assets.tiles.add("spr", 0, 1, source=(0, 0, 1, 1))
    assets.offset_x, assets.offset_y = 2, 1
    assert text_of(room) == art("RKKKKK KKKRKK KKRKKK KKKKKK")


def test_sprites_on_a_layer_are_drawn_as_instances_are() -> None:
    game, room = made(NEW)
    add_sprite(game, "spr", "RG", "BW")
    assets = room.layers.add("assets", "assets")
    assert isinstance(assets, AssetLayer)
    sprite = assets.add_sprite("spr", 2, 1)
    sprite.image_index, sprite.rotation, sprite.scale_x = 1.5, 90, 2
    assets.add_sprite("spr", 4, 3).colour = "#00ff00"
    assert [sprite.name for sprite in assets.sprites] == ["graphic_0", "graphic_1"]
    # turned by 90 degrees, the strip goes up from its origin, which is beyond the room above
    sprite.y = 4
    assert text_of(room) == art("KKWKKK KKWKKK KKBKKK KKBKKG")
    assets.sprites.remove(sprite)
    assert text_of(room) == art("KKKKKK KKKKKK KKKKKK KKKKKG")


def test_single_tiles_are_drawn_in_front_of_sprites() -> None:
    game, room = made(NEW)
    add_sprite(game, "spr", "RG BW")
    assets = room.layers.add("assets", "assets")
    assert isinstance(assets, AssetLayer)
    assets.tiles.add("spr", 0, 0, source=(0, 1, 2, 1), scale=(2, 1))
    assets.add_sprite("spr", 0, 0)
    assert text_of(room) == art("BBWWKK BWKKKK KKKKKK KKKKKK")


def test_background_layers() -> None:
    game, room = made(NEW)
    add_sprite(game, "spr", "RG", "BW", origin=(1, 0))
    layer = room.layers.add("back", "background", depth=100)
    assert isinstance(layer, BackgroundLayer)
    layer.colour = "#00ff00"
    assert text_of(room) == art("GGGGGG GGGGGG GGGGGG GGGGGG")
    layer.colour = (255, 255, 255, 255)
    layer.sprite = "spr"
    layer.offset_x, layer.offset_y = 1, 2
    assert text_of(room) == art("KKKKKK KKKKKK KRGKKK KKKKKK")
    layer.tile_horizontally = True
    assert text_of(room) == art("KKKKKK KKKKKK GRGRGR KKKKKK")
    layer.image_index = 1.0
    layer.tile_horizontally, layer.tile_vertically = False, True
    assert text_of(room) == art("KBWKKK KBWKKK KBWKKK KBWKKK")
    layer.tile_vertically, layer.stretch = False, True
    layer.offset_x = layer.offset_y = 0
    assert text_of(room) == art("BBBWWW BBBWWW BBBWWW BBBWWW")
    layer.colour = "#0000ff"
    assert text_of(room) == art("BBBBBB BBBBBB BBBBBB BBBBBB")
    layer.record.data.visible = False
    assert text_of(room) == art("KKKKKK KKKKKK KKKKKK KKKKKK")
    layer.record.data.visible, layer.record.data.foreground = True, True
    assert text_of(room) == art("KKKKKK KKKKKK KKKKKK KKKKKK")


def test_a_colour_over_the_room_is_mixed_by_its_alpha() -> None:
    _, room = made(NEW)
    layer = room.layers.add("shade", "background", depth=-10)
    assert isinstance(layer, BackgroundLayer)
    room.background_colour = (255, 255, 255)
    layer.colour = (255, 0, 0, 128)
    assert np.asarray(room.image())[3, 5].tolist() == [255, 127, 127, 255]


def test_tiles_with_their_flags() -> None:
    game, room = made(NEW)
    # tiles of 2×2 with a border of one: RG/WY at (5, 1), and BK/KK at (9, 1)
    tiles = add_background(game, "tiles", "............ .....RG..BK. .....WY..KK. ............")
    tiles.tile_width = tiles.tile_height = 2
    tiles.output_border_x = tiles.output_border_y = 1
    tiles.columns, tiles.tile_count, tiles.tile_ids = 3, 3, [0, 1, 2]
    layer = room.layers.add("map", "tiles", depth=20)
    assert isinstance(layer, TileLayer)
    layer.tile_set = "tiles"
    layer.tiles = np.array([[1, 0, 2], [1, 1, 1]])
    layer.tiles[1, 0:1].mirror = True
    layer.tiles[1, 1:2].flip = True
    layer.tiles[1, 2:3].rotate = True
    assert text_of(room) == art("RGKKBK WYKKKK GRWYWR YWRGYG")
    layer.tiles[1, 2:3].mirror = True  # first mirrored, then turned
    assert text_of(room) == art("RGKKBK WYKKKK GRWYYG YWRGWR")
    layer.offset_x, layer.offset_y = 1, -2
    assert text_of(room) == art("KGRWYY KYWRGW KKKKKK KKKKKK")
    # the first frame of an animation; what a set does not have is not drawn
    tiles.frames_per_tile, tiles.tile_ids = 2, [0, 0, 2, 1, 9, 9]
    layer.offset_x = layer.offset_y = 0
    layer.tiles = np.array([[1, 2, 0]])
    assert text_of(room) == art("BKKKKK KKKKKK KKKKKK KKKKKK")


def test_tiles_that_are_no_squares_keep_their_place_when_turned() -> None:
    game, room = made(NEW)
    tiles = add_background(game, "tiles", "....RGBW ....YYKK")
    tiles.tile_width, tiles.tile_height = 4, 2
    tiles.output_border_x = tiles.output_border_y = 0
    tiles.columns, tiles.tile_count, tiles.tile_ids = 2, 2, [0, 1]
    layer = room.layers.add("map", "tiles")
    assert isinstance(layer, TileLayer)
    layer.tile_set = "tiles"
    layer.tiles = np.array([[1]])
    layer.tiles.rotate = True
    # turned it is YR/YG/KB/KW, of which rows 1 and 3 and each column twice are seen
    assert text_of(room) == art("YYGGKK KKWWKK KKKKKK KKKKKK")


def test_a_big_map_is_drawn_in_parts() -> None:
    game, room = made(NEW)
    tiles = add_background(game, "tiles", "..RG ..BW")
    tiles.tile_width = tiles.tile_height = 2
    tiles.output_border_x = tiles.output_border_y = 0
    tiles.columns, tiles.tile_count, tiles.tile_ids = 2, 2, [0, 1]
    layer = room.layers.add("map", "tiles")
    assert isinstance(layer, TileLayer)
    layer.tile_set = "tiles"
    room.width, room.height = 3000, 3001
    layer.tiles = np.ones((1501, 1500), np.uint32)
    image = np.asarray(room.image())
    assert np.array_equal(image, np.tile(pixels("RG BW"), (1501, 1500, 1))[:3001])
    assert text_of(room, region=(2997, 2997, 5, 6)) == art("WBWKK GRGKK WBWKK GRGKK WBWKK KKKKK")


def test_nine_slices_keep_their_corners() -> None:
    game, room = made(NEW)
    sprite = add_sprite(game, "spr", "RGR BWB RGR")
    sprite.nine_slice = NineSlice(1, 1, 1, 1)
    add_object(game, "obj", sprite)
    room.width = room.height = 7
    instance = room.instances.add("obj", 1, 0)
    instance.scale_x, instance.scale_y = 5 / 3, 4 / 3
    rows = ["KRGGGRK", "KBWWWBK", "KBWWWBK", "KRGGGRK", "KKKKKKK", "KKKKKKK", "KKKKKKK"]
    assert text_of(room) == "\n".join(rows)
    sprite.nine_slice.centre_mode = 4
    sprite.nine_slice.top_mode = 4
    rows[:3] = ["KRKKKRK", "KBKKKBK", "KBKKKBK"]
    assert text_of(room) == "\n".join(rows)
    sprite.nine_slice.enabled = False
    assert text_of(room).split("\n")[0] == "KRRGRRK"


@pytest.mark.parametrize(
    ("mode", "shown"), [(0, "AABBCC"), (1, "ABCABC"), (2, "ABCCBA"), (3, "ABCABC"), (4, "......")]
)
def test_the_sides_of_nine_slices_are_filled_by_their_mode(mode: int, shown: str) -> None:
    game, room = made(NEW)
    letters = {"A": "G", "B": "B", "C": "W", ".": "K"}
    sprite = add_sprite(game, "spr", "RGBWR")
    sprite.nine_slice = NineSlice(1, 0, 1, 0, centre_mode=mode)
    add_object(game, "obj", sprite)
    room.width = 8
    room.instances.add("obj", 0, 0).scale_x = 8 / 5
    row = "".join(letters[c] for c in shown)
    assert text_of(room).split("\n")[0] == f"R{row}R"


def test_blank_repeat_leaves_what_is_no_whole_part() -> None:
    game, room = made(NEW)
    sprite = add_sprite(game, "spr", "RGBWR")
    sprite.nine_slice = NineSlice(1, 0, 1, 0, centre_mode=3)
    add_object(game, "obj", sprite)
    room.instances.add("obj", 0, 0).scale_x = 6 / 5
    assert text_of(room).split("\n")[0] == "RGBWKR"


@BOTH
def test_views_regions_and_scales(version: str) -> None:
    _, room = with_sprite(version, "RG BW")
    room.instances.add("obj", 2, 1)
    assert text_of(room, region=(2, 1, 3, 1)) == "RGK"
    # beyond the room too, all is its colour
    assert text_of(room, region=(-1, -1, 2, 2)) == art("KK KK")
    view = room.views[1]
    view.view_x, view.view_y, view.view_width, view.view_height = 3, 0, 2, 3
    assert text_of(room, view=1) == art("KK GK WK")
    assert text_of(room, region=(2, 1, 2, 2), scale=2) == art("RRGG RRGG BBWW BBWW")
    with pytest.raises(IndexError, match="view number 8"):
        room.image(view=8)
    with pytest.raises(ValueError, match="got both"):
        room.image(view=0, region=(0, 0, 1, 1))
    for scale in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="scale: expected"):
            room.image(scale=scale)
    with pytest.raises(ValueError, match="region: expected"):
        room.image(region=(0, 0, -1, 5))


def test_a_large_room_made_smaller_is_drawn_in_strips(monkeypatch: pytest.MonkeyPatch) -> None:
    _, room = with_sprite(NEW, "RG BW")
    room.record.width, room.record.height = 37, 53
    for x, y in ((3, 4), (20, 30), (35, 51)):
        room.instances.add("obj", x, y)
    whole = [np.asarray(room.image(scale=scale)) for scale in (0.5, 0.3, 0.11)]
    monkeypatch.setattr(canvas, "_STRIP", 37 * 9)
    for scale, expected in zip((0.5, 0.3, 0.11), whole, strict=True):
        assert np.array_equal(np.asarray(room.image(scale=scale)), expected)
    # more pixels than a picture may have, but not as a small one
    monkeypatch.setattr(canvas, "LARGEST", 37 * 52)
    with pytest.raises(EncodeError, match="37 x 53 exceeds"):
        room.image()
    assert np.array_equal(np.asarray(room.image(scale=0.3)), whole[1])
    monkeypatch.setattr(canvas, "SEEN", 37 * 53 - 1)
    with pytest.raises(EncodeError, match="37 x 53 exceeds"):
        room.image(scale=0.3)
    monkeypatch.undo()
    with pytest.raises(EncodeError, match="rm: a picture of 30000 x 30000 exceeds 268435456"):
        room.image(region=(0, 0, 30_000, 30_000), scale=1e-5)


def test_an_absurd_room_is_refused_but_its_region_drawn() -> None:
    _, room = with_sprite(NEW, "R")
    room.record.width = room.record.height = 0xFFFFFFFF
    room.instances.add("obj", 4_000_000, 7)
    with pytest.raises(EncodeError, match="rm: a picture of 4294967295 x 4294967295 exceeds"):
        room.image()
    with pytest.raises(EncodeError, match="exceeds"):
        room.image(region=(0, 0, 1000, 1000), scale=100)
    assert text_of(room, region=(3_999_999, 7, 3, 1)) == "KRK"
    room.record.width = 0
    assert room.image(region=(0, 0, 0, 5)).size == (0, 5)


def test_games_that_interpolate_have_smooth_pixels() -> None:
    game, room = with_sprite(NEW, "KW")
    room.instances.add("obj", 0, 0).scale_x = 3
    assert np.asarray(room.image())[0, :, 0].tolist() == [0, 0, 0, 255, 255, 255]
    game.general.flags |= 0x8
    row = np.asarray(room.image())[0, :, 0].tolist()
    assert row == sorted(row) and row[0] == 0 and row[-1] == 255 and 0 < row[2] < row[3] < 255


@pytest.mark.parametrize("angle", [0.0, 30.0, 45.0, 100.0])
def test_smooth_pixels_are_at_the_same_place(angle: float) -> None:
    game, room = with_sprite(NEW, " ".join(["R" * 9] * 5 + ["G" * 9] * 4), origin=(2, 3))
    room.width = room.height = 60
    shown = room.instances.add("obj", 25, 30)
    shown.rotation, shown.scale_x, shown.scale_y = angle, 2, 1.5
    sharp = np.asarray(room.image(), np.int16)
    game.general.flags |= 0x8
    smooth = np.asarray(room.image(), np.int16)
    apart = (abs(sharp - smooth) > 140).any(axis=2).sum()
    assert (sharp[:, :, :3] > 0).any(axis=2).sum() > 200 > 20 > apart


@BOTH
@pytest.mark.parametrize("scale", [1.5, 2, 3])
def test_a_larger_picture_has_the_colours_of_the_room_alone(version: str, scale: float) -> None:
    _, room = with_sprite(version, "RGRG BWBW RGRG BWBW")
    room.instances.add("obj", 0, 0)
    assert "?" not in text_of(room, scale=scale)


def test_texts_on_layers_of_assets() -> None:
    game = drawn_game("2024.13")
    room = game.rooms["rm"]
    room.width = 12
    sheet = "RR.G.BBB RR.G.BBB".replace(".", "K")
    font = Font(game.strings.add("fnt"), game.strings.add("Font"), line_height=2)
    font.texture = add_item(game, pixels(sheet))
    font.glyphs = [
        Glyph(ord("a"), 0, 0, 2, 2, 3),
        Glyph(ord("b"), 3, 0, 1, 2, 2, kerning=[Kerning(ord("a"), -1)]),
        Glyph(ord(" "), 0, 0, 0, 0, 1),
    ]
    game.records.fonts.append(font)
    layer = room.layers.add("texts", "assets")
    assert isinstance(layer, AssetLayer)
    reference = game.records.fonts.reference_to(font)
    text = TextInstance(game.strings.add("t"), 1, 0, reference, text=game.strings.add("ab?b\na"))
    layer.record.data.texts.append(text)
    # b is a pixel closer to a than a's width says; ? is not in the font
    assert text_of(room) == art("KRRGKGKKKKKK KRRGKGKKKKKK KRRKKKKKKKKK KRRKKKKKKKKK")
    text.character_spacing = 1.0
    text.colour = 0xFF0000FF
    assert text_of(room).split("\n")[0] == "KRRKKKKKKKKK"
    text.colour = 0xFFFFFFFF
    assert text_of(room).split("\n")[0] == "KRRKGKKGKKKK"
    text.character_spacing, text.frame_width, text.alignment = 0.0, 10.0, 2
    assert text_of(room).split("\n")[0] == "KKKKKRRGKGKK"
    text.alignment, text.text = 1 | 2 << 8, game.strings.add("a")
    text.frame_height = 4.0
    assert text_of(room) == art("KKKKKKKKKKKK KKKKKKKKKKKK KKKKRRKKKKKK KKKKRRKKKKKK")
    text.text, text.alignment = game.strings.add("a a b"), 0
    text.wrap, text.frame_width = True, 7.0
    assert text_of(room) == art("KRRKKRRKKKKK KRRKKRRKKKKK KGKKKKKKKKKK KGKKKKKKKKKK")
    text.wrap, text.text, text.scale_x, text.origin_x = False, game.strings.add("a"), 2.0, 1.0
    text.x = 4
    assert text_of(room).split("\n")[0] == "KKRRRRKKKKKK"
    font.sdf_spread = 8
    assert text_of(room).split("\n")[0] == "KKKKKKKKKKKK"


def with_all_elements(*, smooth: bool = False) -> Room:
    """A room of 320×240 with a colour, a wallpaper, a tile map, and instances; all of them in
    squares of 16."""
    game, room = with_sprite(NEW, "RG BW")
    room.width, room.height = 320, 240
    big = np.kron(pixels("RG BW").view(np.uint32)[..., 0], np.ones((16, 16), np.uint32))
    item = add_item(game, big.astype(np.uint32)[..., np.newaxis].view(np.uint8))
    tiles = add_background(game, "tiles", "RG")
    tiles.texture = game.texture_items.reference_to(item)
    tiles.tile_width = tiles.tile_height = 16
    tiles.output_border_x = tiles.output_border_y = 0
    tiles.columns, tiles.tile_count, tiles.tile_ids = 2, 4, [0, 1, 2, 3]
    layer = room.layers.add("map", "tiles", depth=20)
    assert isinstance(layer, TileLayer)
    layer.tile_set, layer.offset_x, layer.offset_y = "tiles", 16, 32
    layer.tiles = np.arange(12 * 5).reshape(5, 12) % 4
    back = room.layers.add("back", "background", depth=50)
    assert isinstance(back, BackgroundLayer)
    add_sprite(game, "spr_big", " ".join(["R" * 16 + "G" * 16] * 16 + ["B" * 16 + "W" * 16] * 16))
    back.sprite, back.tile_horizontally = "spr_big", True
    back.offset_y = 208
    for number, (x, y) in enumerate(((160, 16), (300, 144), (-16, 80), (64, 224))):
        it = room.instances.add("obj", x, y)
        it.scale_x = it.scale_y = 16 + 16 * (number % 2)
    if smooth:
        game.general.flags |= 0x8
        room.instances[0].rotation = 30
    return room


@pytest.mark.parametrize("smooth", [False, True])
def test_strips_together_are_the_picture(smooth: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    room = with_all_elements(smooth=smooth)
    regions = [None, (7, 5, 301, 97), (-20, -30, 90, 400)]
    asked = [(region, scale) for region in regions for scale in (1.0, 0.5, 0.13, 2.0)]
    wholes = [np.asarray(room.image(region=region, scale=scale)) for region, scale in asked]
    monkeypatch.setattr(canvas, "_STRIP", 320 * 11)
    for (region, scale), whole in zip(asked, wholes, strict=True):
        size, strips = room.strips(region=region, scale=scale)
        parts = [np.asarray(strip) for strip in strips]
        again = np.asarray(room.image(region=region, scale=scale))
        for item in (np.concatenate(parts), again):
            assert item.shape == whole.shape
            difference = np.abs(item.astype(int) - whole).max()
            assert difference <= (scale < 1), (region, scale)  # rounding
        assert size == whole.shape[1::-1]
        assert len(parts) > 1 or scale == 2


def test_strips_may_be_of_more_than_an_image(monkeypatch: pytest.MonkeyPatch) -> None:
    room = with_all_elements()
    monkeypatch.setattr(canvas, "LARGEST", 320 * 239)
    with pytest.raises(EncodeError, match="320 x 240 exceeds"):
        room.image()
    assert room.strips()[0] == (320, 240)
    monkeypatch.setattr(canvas, "SEEN", 320 * 239)
    with pytest.raises(EncodeError, match="320 x 240 exceeds"):
        room.strips()
    with pytest.raises(KeyError):
        room.strips(layers=["nothing"])


def test_what_is_drawn_quickly_is_what_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    room = with_all_elements()
    drawing = room.drawing()
    whole = (0, 0, 320, 240)
    monkeypatch.setattr(canvas, "_STRIP", 320 * 239)
    for region in (whole, (16, 32, 240, 160), (-64, -64, 448, 368)):
        if region[2] * region[3] <= canvas._STRIP:
            monkeypatch.setattr(canvas, "_STRIP", region[2] * region[3] - 1)
        exact = np.asarray(drawing.image(region, 1 / 16))
        quick = np.asarray(drawing.image(region, 1 / 16, quick=True))
        assert np.array_equal(exact, quick), region
    seen: list[tuple[float, int, int]] = []

    def paint(drawn: canvas.Canvas) -> None:
        seen.append((drawn.scale, drawn.width, drawn.height))

    other = drawing._replace(paint=paint)
    for scale, chosen in ((1 / 16, True), (1 / 16, False), (1 / 4, True)):
        other.image(whole, scale, quick=chosen)
    assert seen[0] == (1 / 4, 80, 60)
    assert {item[0] for item in seen[1:]} == {1}
    assert max(item[2] for item in seen[1:]) < 240  # in strips
    seen.clear()
    monkeypatch.setattr(canvas, "_STRIP", 320 * 240)
    other.image(whole, 1 / 16, quick=True)
    assert seen == [(1, 320, 240)]


@pytest.mark.parametrize("left", [0, 8, 10, 11, 13])
def test_what_is_drawn_quickly_is_in_its_place(left: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def paint(drawn: canvas.Canvas) -> None:
        """Four shades of red for each pixel of the plane, from the left."""
        places = drawn.seen[0] + (np.arange(drawn.width) + 0.5) / drawn.scale
        shades = np.zeros((drawn.height, drawn.width, 4), np.uint8)
        shades[..., 0], shades[..., 3] = 4 * places, 255
        drawn.image.paste(pillow.fromarray(shades))

    monkeypatch.setattr(canvas, "_STRIP", 1)
    drawing = canvas.Drawing("a ramp", paint, False)
    region = (left, left, 48, 48)
    exact = np.asarray(drawing.image(region, 1 / 16)).astype(int)
    quick = np.asarray(drawing.image(region, 1 / 16, quick=True)).astype(int)
    assert np.abs(exact - quick).max() <= 2


def test_what_is_turned_is_drawn_quickly_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    room = with_all_elements(smooth=True)
    drawing = room.drawing()
    monkeypatch.setattr(canvas, "_STRIP", 1)
    exact = np.asarray(drawing.image((3, 7, 300, 200), 1 / 10)).astype(int)
    quick = np.asarray(drawing.image((3, 7, 300, 200), 1 / 10, quick=True)).astype(int)
    assert exact.shape == quick.shape == (20, 30, 4)
    assert np.abs(exact - quick).mean() < 6


def test_a_large_room_is_drawn_in_bounded_memory() -> None:
    _, room = with_sprite(NEW, "RG BW")
    room.width, room.height = 4000, 6000
    size, strips = room.strips()
    heights = [strip.height for strip in strips]
    assert (size, sum(heights)) == ((4000, 6000), 6000)
    assert 4000 * max(heights) <= 1 << 22
