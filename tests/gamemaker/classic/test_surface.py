"""The resources of projects as people look at them: pictures with exact pixels, names, lists."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Any

import numpy
import pytest

import overhaul
from drawn_projects import BLACK, BLUE, CLEAR, GREEN, RED, WHITE, Made, picture, pixels
from handmade_project import project_file
from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.classic.actions import Object
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.executable.records import GameSprite, Mask
from overhaul.gamemaker.classic.resources import (
    Font,
    Instance,
    OldPicture,
    OldSprite,
    Path,
    Room,
    RoomBackground,
    Sound,
    Sprite,
    Tile,
    View,
)
from overhaul.gamemaker.classic.surface.assets import Sprite as SpriteSurface
from overhaul.gamemaker.classic.surface.base import Places
from present import instance
from real_files import corpus_files, finished, sample

GREY = (192, 192, 192, 255)


def drawn(made: Made, room: Room, **options: Any) -> list[list[tuple[int, ...]]]:
    """The pixels of the picture of a room."""
    number = made.add("rooms", "rm", room)
    image = made.document.rooms[number].image(**options)
    return [[tuple(map(int, pixel)) for pixel in row] for row in numpy.asarray(image)]


def room_of(width: int = 3, height: int = 2, **fields: Any) -> Room:
    return Room(version=541, width=width, height=height, **fields)


ONE = pixels([RED])


def test_a_room_has_its_colour_or_black() -> None:
    assert drawn(Made(), room_of(1, 1)) == [[GREY]]
    assert drawn(Made(), room_of(1, 1, background_colour=0x030201)) == [[(1, 2, 3, 255)]]
    # bit 1 says something else (8.1)
    assert drawn(Made(), room_of(1, 1, draw_background_colour=2)) == [[BLACK]]
    assert drawn(Made(), room_of(1, 1, draw_background_colour=3)) == [[GREY]]


@pytest.mark.parametrize(
    ("fields", "row"),
    [
        ({"tile_horizontally": 0, "tile_vertically": 0}, [GREY, RED, GREEN, GREY, GREY]),
        ({"tile_vertically": 0}, [GREEN, RED, GREEN, RED, GREEN]),
        ({"tile_horizontally": 0}, [GREY, RED, GREEN, GREY, GREY]),
        ({"visible": 0}, [GREY] * 5),
        ({"background": 1}, [GREY] * 5),
        ({"background": -1}, [GREY] * 5),
    ],
)
def test_backgrounds_stand_or_repeat(fields: dict[str, Any], row: list[Any]) -> None:
    made = Made()
    made.background("bg", pixels([RED, GREEN]))
    shown = RoomBackground(**({"visible": 1, "background": 0, "x": 1} | fields))
    rows = drawn(made, room_of(5, 2, backgrounds=[shown]))
    assert rows[0] == row
    below = row if shown.tile_vertically and shown.visible and shown.background == 0 else [GREY] * 5
    assert rows[1] == below


def test_a_stretched_background_covers_the_room() -> None:
    made = Made()
    made.background("bg", pixels([RED, GREEN]))
    shown = RoomBackground(
        visible=1, background=0, stretch=1, tile_horizontally=0, tile_vertically=0
    )
    assert drawn(made, room_of(4, 2, backgrounds=[shown])) == [[RED, RED, GREEN, GREEN]] * 2


def test_the_greatest_depth_is_behind_and_of_one_depth_instances_are() -> None:
    """And backgrounds are behind all, foregrounds before all."""
    made = Made()
    red = made.sprite("spr_red", pixels([RED] * 6))
    green = made.sprite("spr_green", pixels([GREEN] * 5))
    for name, sprite, depth in (("near", red, -5), ("far", green, 5), ("also_far", red, 5)):
        made.add("objects", name, Object(version=430, sprite=sprite, depth=depth))
    bg = made.background("bg", pixels([BLUE] * 9))
    fg = made.background("fg", pixels([WHITE]))
    room = room_of(
        9, 1,
        backgrounds=[
            RoomBackground(visible=1, background=fg, foreground=1, tile_horizontally=0),
            RoomBackground(visible=1, background=bg),
        ],
        instances=[Instance(x=0, object=0), Instance(x=3, object=1), Instance(x=5, object=2)],
        tiles=[Tile(x=7, background=bg, width=4, height=1, depth=5),
               Tile(x=3, background=bg, width=1, height=1, depth=-4),
               Tile(x=4, background=fg, width=1, height=1, depth=-6)],
    )  # fmt: skip
    expected = [WHITE, RED, RED, RED, WHITE, RED, RED, BLUE, BLUE]
    assert drawn(made, room) == [expected]
    room.instances.reverse()  # the order of instances decides only between those of one depth
    assert drawn(made, room)[0][5:7] == [RED, GREEN]


def test_single_layers_are_on_a_transparent_ground() -> None:
    made = Made()
    made.sprite("spr", ONE)
    made.add("objects", "obj", Object(version=430, sprite=0))
    bg = made.background("bg", pixels([GREEN]))
    room = room_of(
        4, 1,
        backgrounds=[
            RoomBackground(visible=1, background=bg, tile_horizontally=0),
            RoomBackground(visible=1, background=bg, tile_horizontally=0, foreground=1, x=3),
        ],
        instances=[Instance(x=1, object=0)],
        tiles=[Tile(x=2, background=bg, width=1, height=1)],
    )  # fmt: skip
    number = made.add("rooms", "rm", room)
    surface = made.document.rooms[number]
    for place, layer in enumerate(("backgrounds", "instances", "tiles", "foregrounds")):
        row = numpy.asarray(surface.image(layers=layer))[0]
        assert [bool(pixel[3]) for pixel in row] == [n == place for n in range(4)]
    both = numpy.asarray(surface.image(layers=["tiles", "instances"]))[0]
    assert [bool(pixel[3]) for pixel in both] == [False, True, True, False]
    with pytest.raises(KeyError, match=r"there is no layer named 'tile'.*tiles"):
        surface.image(layers="tile")


def test_an_instance_is_drawn_at_its_origin_scaled_turned_and_tinted() -> None:
    made = Made()
    made.sprite("spr", pixels([RED, WHITE]), pixels([BLUE, BLUE]), origin=(1, 0))
    made.add("objects", "obj", Object(version=430, sprite=0))
    plain = drawn(made, room_of(4, 1, instances=[Instance(x=2, object=0)]))
    assert plain == [[GREY, RED, WHITE, GREY]]
    mirrored = Instance(x=2, object=0, scale_x=-1.0)
    assert drawn(made, room_of(4, 1, instances=[mirrored])) == [[GREY, WHITE, RED, GREY]]
    higher = Instance(x=1, object=0, scale_y=2.0)
    assert drawn(made, room_of(3, 3, instances=[higher]))[1:] == [[RED, WHITE, GREY], [GREY] * 3]
    turned = Instance(x=1, y=1, object=0, rotation=90.0)
    assert [row[1] for row in drawn(made, room_of(3, 3, instances=[turned]))] == [WHITE, RED, GREY]
    tinted = Instance(x=1, object=0, blend=-1 << 24 | 0x00FF80)  # the lowest byte is red
    assert drawn(made, room_of(3, 1, instances=[tinted]))[0][1] == (128, 255, 0, 255)


def test_what_is_not_there_or_not_visible_is_not_drawn() -> None:
    made = Made()
    made.sprite("spr", ONE)
    made.sprite("empty")
    for fields in ({"sprite": 0, "visible": 0}, {"sprite": -1}, {"sprite": 1}, {"sprite": 99}):
        made.add("objects", "obj", Object(version=430, **fields))  # type: ignore[arg-type]
    numbers = [0, 1, 2, 3, 4, -1]
    assert drawn(made, room_of(1, 1, instances=[Instance(object=n) for n in numbers])) == [[GREY]]


def test_a_tile_is_a_part_of_a_background() -> None:
    made = Made()
    made.background("bg", pixels([RED, GREEN], [BLUE, WHITE]))
    tile = Tile(x=1, y=0, background=0, tile_x=1, tile_y=0, width=1, height=2)
    assert drawn(made, room_of(3, 2, tiles=[tile])) == [[GREY, GREEN, GREY], [GREY, WHITE, GREY]]
    beyond = Tile(x=0, y=0, background=0, tile_x=-1, tile_y=1, width=9, height=9)
    assert drawn(made, room_of(4, 2, tiles=[beyond])) == [[GREY, BLUE, WHITE, GREY], [GREY] * 4]
    wide = Tile(x=0, y=0, background=0, width=1, height=1, scale_x=2.0, blend=-1 << 24 | 0x80)
    dark = (128, 0, 0, 255)
    assert drawn(made, room_of(3, 1, tiles=[wide])) == [[dark, dark, GREY]]
    gone = Tile(background=0, tile_x=7, width=4, height=4)
    assert drawn(made, room_of(1, 1, tiles=[gone, Tile(background=5)])) == [[GREY]]


def test_views_and_regions_are_parts_of_the_room() -> None:
    made = Made()
    made.sprite("spr", ONE)
    made.add("objects", "obj", Object(version=430, sprite=0))
    room = room_of(
        4, 2,
        enable_views=1,
        views=[View(), View(visible=1, view_x=1, view_y=1, view_width=2, view_height=1)],
        instances=[Instance(x=2, y=1, object=0)],
    )  # fmt: skip
    assert drawn(made, room, view=1) == [[GREY, RED]]
    assert drawn(made, room, region=(2, 1, 1, 1)) == [[RED]]
    assert drawn(made, room, region=(2, 1, 1, 1), scale=2) == [[RED] * 2] * 2
    surface = made.document.rooms[0]
    assert [view.enabled for view in surface.views] == [False, True]
    assert surface.views[1][1:] == (1, 1, 2, 1)
    room.enable_views = 0
    assert not any(view.enabled for view in surface.views)
    with pytest.raises(ValueError, match="a view or a region"):
        surface.image(view=1, region=(0, 0, 1, 1))
    with pytest.raises(IndexError):
        surface.image(view=2)


def test_a_room_that_is_too_large_is_refused() -> None:
    made = Made()
    made.add("rooms", "rm", room_of(1 << 20, 1 << 20))
    room = made.document.rooms["rm"]
    with pytest.raises(EncodeError, match="rm: a picture of 1048576 x 1048576 exceeds"):
        room.image()
    assert room.image(region=(5, 5, 2, 1)).size == (2, 1)


def test_pixels_are_smooth_where_the_project_says_so() -> None:
    made = Made()
    made.sprite("spr", pixels([BLACK, WHITE]))
    made.add("objects", "obj", Object(version=430, sprite=0))
    room = room_of(4, 1, instances=[Instance(object=0, scale_x=2.0)])
    assert drawn(made, room) == [[BLACK, BLACK, WHITE, WHITE]]
    made.project.settings.interpolate = 1
    assert BLACK[0] < drawn(made, room)[0][1][0] < 255


@pytest.mark.parametrize("version", [600, 701])
def test_before_8_the_bottom_left_pixel_is_transparent(version: int) -> None:
    made = Made(version)
    shown = pixels([RED, GREEN], [GREEN, BLUE])
    made.sprite("spr", shown)
    made.background("bg", shown)
    sprite, background = made.document.sprites[0], made.document.backgrounds[0]
    alphas = [[255, 0], [0, 255]]
    assert numpy.asarray(sprite.frames[0].image)[:, :, 3].tolist() == alphas
    assert numpy.asarray(background.image)[:, :, 3].min() == 255
    background.record.transparent = 1
    assert background.pixels is not None
    assert background.pixels[:, :, 3].tolist() == alphas
    record = sprite.record
    assert isinstance(record, OldSprite)
    record.transparent = 0
    assert numpy.asarray(sprite.frames[0].image)[:, :, 3].min() == 255
    assert (sprite.width, sprite.height, background.width, background.height) == (2, 2, 2, 2)


def test_the_pixels_of_8_are_as_stored() -> None:
    made = Made()
    shown = pixels([RED, CLEAR, (10, 20, 30, 40)])
    made.sprite("spr", shown, shown, origin=(2, 1))
    sprite = made.document.sprites["spr"]
    pixels_ = sprite.frames[1].pixels
    assert pixels_ is not None
    assert pixels_.tolist() == shown.tolist()
    assert (sprite.width, sprite.height, sprite.origin, sprite.masks) == (3, 1, (2, 1), [])
    assert repr(sprite) == "<Sprite spr 3×1, 2 frames>"
    assert sprite._repr_png_() is not None
    record = sprite.record
    assert isinstance(record, Sprite)
    record.bbox_left, record.bbox_top, record.bbox_right, record.bbox_bottom = 1, 2, 3, 4
    assert sprite.bbox == (1, 2, 3, 4)


def test_other_pictures() -> None:
    made = Made(701)
    other = numpy.zeros((1, 2, 3), numpy.uint8)
    import io

    from PIL import Image

    from overhaul.gamemaker.classic.fields import Deflated

    file = io.BytesIO()
    Image.fromarray(other).quantize(2).save(file, "BMP")  # one with a palette
    frames = [
        OldPicture(file=Deflated.of(file.getvalue())),
        OldPicture(present=-1),
        OldPicture(file=Deflated.of(b"BM no picture")),
    ]
    made.add(
        "sprites", "spr", OldSprite(version=542, width=2, height=1, transparent=0, frames=frames)
    )
    sprite = made.document.sprites[0]
    assert numpy.asarray(sprite.frames[0].image).tolist() == [[list(BLACK)] * 2]
    assert sprite.frames[1].image is None
    with pytest.raises(FormatError, match="BMP"):
        _ = sprite.frames[2].image


def test_a_picture_whose_size_is_wrong_is_reported() -> None:
    made = Made()
    broken = picture(ONE)
    broken.width = 5
    made.add("sprites", "spr", Sprite(version=800, frames=[broken]))
    with pytest.raises(FormatError, match="4 bytes of pixels in a picture of 5 by 1"):
        _ = made.document.sprites[0].frames[0].image


def test_masks_of_executables() -> None:
    bits = numpy.array([[0, 1], [7, 0]], "<u4").tobytes()
    mask = Mask(version=800, width=2, height=2, left=0, right=1, top=2, bottom=3, bits=bits)
    record = GameSprite(version=800, masks=[mask])

    class Place:
        exists, name, resource = 1, "spr", record

    sprite = SpriteSurface(Places({"sprites": [Place()]}), 0)
    assert [mask.tolist() for mask in sprite.masks] == [[[False, True], [True, False]]]
    assert sprite.bbox == (0, 2, 1, 3)
    assert (sprite.width, sprite.height, sprite.frames) == (0, 0, [])
    record.masks = []
    assert sprite.bbox == (0, 0, -1, -1)


@pytest.mark.parametrize(
    ("fields", "columns", "rows"),
    [
        ({}, [0, 16], [0]),
        ({"tile_width": 8, "tile_h_sep": 1, "tile_h_offset": 2}, [2, 11, 20], [0]),
        ({"tile_height": 5, "tile_v_offset": 1, "tile_v_sep": 2}, [0, 16], [1, 8, 15]),
        ({"tile_v_offset": -3}, [0, 16], [0]),
        ({"use_as_tileset": 0}, [], []),
        ({"tile_width": 0}, [], [0]),
        ({"tile_h_sep": -16}, [], [0]),
        ({"tile_height": 23}, [0, 16], []),
    ],
)
def test_the_tiles_of_a_set(fields: dict[str, Any], columns: list[int], rows: list[int]) -> None:
    made = Made()
    shown = numpy.zeros((22, 32, 4), numpy.uint8)
    made.background("bg", shown, **({"use_as_tileset": 1} | fields))
    background = made.document.backgrounds[0]
    assert [*background.tile_columns] == columns
    assert [*background.tile_rows] == rows


def test_lists_are_by_name_and_by_place_among_what_is_there() -> None:
    made = Made()
    made.sprite("spr_a", ONE)
    made.sprite("spr_gone", ONE)
    made.sprite("spr_b", ONE)
    made.sprite("spr_a", ONE, ONE)
    gone = made.project.sprites.slots[1]
    gone.exists, gone.resource = 0, None
    sprites = made.document.sprites
    assert sprites.names() == ["spr_a", "spr_b", "spr_a"]
    assert [sprite.index for sprite in sprites] == [0, 2, 3]
    assert (sprites[1].name, sprites[-1].index, len(sprites["spr_a"].frames)) == ("spr_b", 3, 1)
    assert [sprite.index for sprite in sprites[1:]] == [2, 3]
    assert "spr_b" in sprites
    assert sprites[0] in sprites
    assert "spr_gone" not in sprites
    assert sprites[0] == sprites["spr_a"] != sprites[2]
    with pytest.raises(KeyError, match=r"there is no sprite named 'spr_c' \(did"):
        sprites["spr_c"]
    with pytest.raises(IndexError):
        sprites[3]
    assert repr(sprites).splitlines()[0] == "<3 sprites>"


def test_objects_know_their_family() -> None:
    made = Made()
    made.sprite("spr", ONE)
    made.add("objects", "top", Object(version=430, sprite=0))
    made.add("objects", "middle", Object(version=430, parent=0))
    made.add("objects", "low", Object(version=430, parent=1))
    made.add("objects", "loop", Object(version=430, parent=3))
    top, middle, low, loop = made.document.objects
    assert [ancestor.name for ancestor in low.ancestors()] == ["middle", "top"]
    assert [ancestor.name for ancestor in loop.ancestors()] == []
    assert [child.name for child in top.children] == ["middle"]
    assert (top.parent, middle.parent, middle.sprite) == (None, top, None)
    assert top.sprite is not None
    assert top.sprite.name == "spr"


def test_sounds_paths_and_fonts() -> None:
    made = Made()
    wave = (
        b"RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data\x08\0\0\0"
    )
    made.add(
        "sounds", "snd", Sound(version=800, file_type=".WAV", has_data=1, data=wave + bytes(8))
    )
    made.add("sounds", "none", Sound(version=800, file_name="a.b.mid"))
    snd, none = made.document.sounds
    assert (snd.extension, none.extension, none.bytes, none.format, none.info) == (
        "wav", "mid", None, None, None,
    )  # fmt: skip
    assert snd.format is not None
    assert snd.format.value == "wav"
    assert snd.info is not None
    assert snd.info.duration == pytest.approx(0.001)
    made.add("paths", "pth", Path(version=530, connection=1, closed=0))
    assert repr(made.document.paths[0]) == "<Path pth 0 points, smooth>"
    made.add("fonts", "fnt", Font(version=800, range_start=32 | 3 << 24, range_end=127, bold=1))
    font = made.document.fonts[0]
    assert font.characters == range(32, 128)
    assert repr(font) == "<Font fnt Arial 12 bold>"


@pytest.mark.corpus
def test_every_room_of_real_projects_is_drawn(corpus: Any) -> None:
    count = 0
    for path in sample(finished(corpus_files("projects/*.g[mb]*")), 12, seed=5):
        with overhaul.open(path) as document:
            for room in document.rooms if isinstance(document, ProjectDocument) else ():
                assert room.image().size == (room.width, room.height)
                count += 1
    assert count


def test_the_text_of_an_event_is_its_code() -> None:
    with overhaul.open(project_file(810)) as document:
        made = instance(ProjectDocument, document)
        player = made.objects["obj_player"]
        events = {event.title: event for event in player.events}
        assert str(events["Create"]) == "hspeed = 4;" == events["Create"].code
        text = str(events["Collision with obj_wall"]).splitlines()
        code = next(n for n, line in enumerate(text) if line.strip() == "move_bounce_solid(true);")
        assert text[code].index("m") == len(text[code - 1]) - len(text[code - 1].lstrip()) + 4
        assert events["Collision with obj_wall"].code is None


def test_a_sound_is_saved(tmp_path: FilePath) -> None:
    with overhaul.open(project_file(701)) as document:
        made = instance(ProjectDocument, document)
        sound = made.sounds["snd_jump"]
        sound.save(tmp_path / "a.wav")
        assert (tmp_path / "a.wav").read_bytes() == b"RIFF\4\0\0\0WAVE" == sound.bytes
        with pytest.raises(FileExistsError):
            sound.save(tmp_path / "a.wav")
        sound.save(tmp_path / "a.wav", force=True)
        sound.record.data = None
        with pytest.raises(FileNotFoundError, match="the sound snd_jump has no bytes"):
            sound.save(tmp_path / "b.wav")
        assert not (tmp_path / "b.wav").exists()
