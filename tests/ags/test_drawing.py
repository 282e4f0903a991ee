"""Rooms as pictures: exact pixels of made rooms."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import ags_games
from ags_rooms import GREY, KEY, RED, Siblings, bgra, main_of, picture, room, sprites, with_object
from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.drawing import areas as areas_module
from overhaul.ags.drawing import (
    background_image,
    background_speed,
    backgrounds,
    baselines,
    edges,
    game_image,
    placed,
    room_areas,
    room_size,
)
from overhaul.ags.drawing.areas import MOST_RECTANGLES, area_colour
from overhaul.ags.drawing.art import Art, art_of, game_palette
from overhaul.ags.pictures import GREYS, Pixels
from overhaul.ags.room.records import (
    AnimatedBackgrounds,
    MainBlock,
    RoomObject,
)
from overhaul.ags.room.room import Room, block_format
from overhaul.ags.sprites import SpriteSet, SpriteSetHeader
from overhaul.errors import EncodeError, FormatError

WHITE, EDGE = (255, 255, 255), (255, 220, 0)


def mixed(number: int, under: tuple[int, int, int] = GREY) -> tuple[int, ...]:
    return tuple(int((a + b) / 2) for a, b in zip(area_colour(number), under, strict=True))


def rows(image: Image.Image) -> list[list[tuple[int, ...]]]:
    return [[tuple(pixel) for pixel in row] for row in np.asarray(image).tolist()]


def test_a_background_alone() -> None:
    image = RoomDocument.from_bytes(room().to_bytes()).image()
    assert image.mode == "RGB"
    assert rows(image) == [[GREY] * 4] * 3


def test_areas_have_half_of_their_colour_and_nothing_elsewhere() -> None:
    made = room(hotspot=bytes([0, 1, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0]))
    image = RoomDocument.from_bytes(made.to_bytes()).image(overlays=["hotspots"])
    one, two = mixed(1), mixed(2)
    assert rows(image) == [[GREY, one, one, GREY], [GREY, two, GREY, GREY], [GREY] * 4]


def test_overlays_lie_over_each_other_in_their_order() -> None:
    made = room(2, 1, region=b"\1\0", walkable=b"\2\2")
    image = RoomDocument.from_bytes(made.to_bytes()).image(0, ["regions", "walk_areas"])
    assert rows(image) == [[mixed(2, mixed(1)), mixed(2)]]  # type: ignore[arg-type]
    image = RoomDocument.from_bytes(made.to_bytes()).image(0, ["walk_areas", "regions"])
    assert rows(image) == [[mixed(1, mixed(2)), mixed(2)]]  # type: ignore[arg-type]


def test_a_smaller_mask_is_made_as_large_as_the_room() -> None:
    made = room(4, 2, shrunk=2, hotspot=b"\1\0")
    assert (
        rows(RoomDocument.from_bytes(made.to_bytes()).image(overlays=["hotspots"]))
        == [[mixed(1), mixed(1), GREY, GREY]] * 2
    )
    (area,) = room_areas(made, "hotspots", (4, 2))
    assert (area.box, area.pixels, area.shape) == ((0, 0, 2, 2), 4, [(0, 0, 2, 2)])
    # 5 pixels of 2: the last column belongs to the second
    (area,) = room_areas(made, "hotspots", (5, 2))
    assert area.box == (0, 0, 3, 2)


def test_areas_are_rectangles_from_the_top() -> None:
    mask = bytes([1, 1, 0, 2, 1, 1, 0, 0, 1, 0, 0, 2])
    first, second = room_areas(room(walkable=mask), "walk_areas", (4, 3))
    assert (first.kind, first.number, first.pixels) == ("walk_areas", 1, 5)
    assert (first.box, first.shape) == ((0, 0, 2, 3), [(0, 0, 2, 2), (0, 2, 1, 1)])
    assert not first.coarse
    assert (second.number, second.box) == (2, (3, 0, 4, 3))
    assert second.shape == [(3, 0, 1, 1), (3, 2, 1, 1)]
    assert first.colour != second.colour == area_colour(2)


def test_an_area_of_dots_is_reported_coarsely() -> None:
    width, height = 160, 120
    dots = bytes((x + y) % 2 for y in range(height) for x in range(width))
    (area,) = room_areas(room(width, height, hotspot=dots), "hotspots", (width, height))
    assert area.coarse
    assert area.pixels == width * height // 2
    assert len(area.shape) <= MOST_RECTANGLES
    covered = {
        (x, y)
        for left, top, wide, high in area.shape
        for x in range(left, left + wide)
        for y in range(top, top + high)
    }
    assert covered >= {(x, y) for y in range(height) for x in range(width) if (x + y) % 2}


def test_areas_of_very_large_rooms_are_reported_coarsely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(areas_module, "MOST_PIXELS", 8)
    mask = bytes([1, 1, 2, 2] * 4)
    first, second = room_areas(room(hotspot=mask, height=4), "hotspots", (4, 4))
    assert (first.box, first.pixels, first.shape) == ((0, 0, 2, 4), 8, [(0, 0, 2, 4)])
    assert (second.box, second.coarse) == ((2, 0, 4, 4), True)


def test_walk_behinds_have_baselines_and_rooms_edges() -> None:
    made = room(4, 4, walk_behind=bytes([0, 1, 1, 0] + [0] * 12))
    main = main_of(made)
    main.walk_behind_baselines = [0, 3]
    main.edge_left, main.edge_top, main.edge_right, main.edge_bottom = 0, 1, 3, 9
    document = RoomDocument.from_bytes(made.to_bytes())
    assert baselines(document.room, (4, 4)) == {0: 0, 1: 3}
    assert edges(document.room, (4, 4)) == {"left": 0, "top": 1, "right": 3, "bottom": 9}
    image = document.image(overlays=["walk_behinds"])
    assert rows(image)[3] == [GREY, area_colour(1), area_colour(1), GREY]
    assert rows(image)[0] == [GREY, mixed(1), mixed(1), GREY]
    shown = rows(document.image(overlays=["edges"]))
    assert shown[1] == [EDGE] * 4
    assert [row[0] for row in shown] == [row[3] for row in shown] == [EDGE] * 4
    assert shown[2][1:3] == shown[3][1:3] == [GREY] * 2


def test_objects_stand_on_their_y_with_their_sprites() -> None:
    sprite = Pixels(2, 2, 4, bgra((*RED, 0), (*KEY, 0), (*RED, 0), (*RED, 0)))
    siblings = Siblings(ACSPRSET_SPR=sprites(None, sprite))
    document = RoomDocument.from_bytes(with_object().to_bytes(), siblings=siblings)
    (found,) = placed(document.room, document.art, (4, 3))
    assert (found.name, found.box, found.known) == ("a lamp", (1, 0, 2, 2), True)
    assert rows(document.image(overlays=["objects"])) == [
        [GREY, RED, GREY, GREY],
        [GREY, RED, RED, GREY],
        [GREY] * 4,
    ]


def test_an_object_that_is_off_is_half_as_dense() -> None:
    siblings = Siblings(acsprset_spr=sprites(None, Pixels(1, 1, 4, bgra((*RED, 0)))))
    document = RoomDocument.from_bytes(with_object(on=0).to_bytes(), siblings=siblings)
    assert not placed(document.room, document.art, (4, 3))[0].visible
    assert rows(document.image(overlays=["objects"]))[1][1] == (150, 50, 50)


def test_objects_of_older_rooms_hang_from_their_y() -> None:
    siblings = Siblings(acsprset_spr=sprites(None, Pixels(1, 2, 4, bgra(RED, RED))))
    made = with_object(26, y=1)
    document = RoomDocument.from_bytes(made.to_bytes(), siblings=siblings)
    assert placed(document.room, document.art, (4, 3))[0].box == (1, 1, 1, 2)
    made.version = 27
    assert placed(made, document.art, (4, 3))[0].box == (1, -1, 1, 2)


def test_places_of_older_rooms_of_high_resolution_are_doubled() -> None:
    made = with_object(28, x=3, y=5)
    main = main_of(made)
    main.walk_behind_baselines, main.edge_left = [2], 3
    size = (8, 6)
    assert placed(made, Art(None), size)[0].box == (6, 10 - 16, 16, 16)
    assert baselines(made, size) == {0: 4}
    assert edges(made, size)["left"] == 6
    made.version = 29
    assert placed(made, Art(None), size)[0].box == (3, 5 - 16, 16, 16)
    made.version, main.width = 8, 0
    assert placed(made, Art(None), (640, 400))[0].box == (6, 10, 16, 16)


def _indexed_room(version: int = 33) -> Room:
    """A room of 8 bits: ground in colour 0, colours 1, 2, 3 of six bits, an object at 1, 2."""
    made = with_object(version)
    main = main_of(made)
    main.depth = 1
    main.background.palette = bytes([1, 1, 1, 0, 11, 0, 0, 0, 22, 0, 0, 0, 33, 0, 0, 0]).ljust(1024)
    main.background.set_pixels(Pixels(4, 3, 1, bytes(12)), signed=False)
    return made


def test_objects_of_8_bits_have_the_colours_of_the_room_where_the_game_leaves_them_to_it() -> None:
    game = ags_games.game()
    assert game.content is not None
    settings = game.content.settings
    settings.palette = bytes([0, 0, 0, 0, 0, 44, 0, 0, 0, 55, 0, 0, 0, 63, 0, 0]).ljust(1024)
    settings.palette_uses = bytes([0, 0, 2, 1]).ljust(256, b"\0")
    spr = sprites(None, Pixels(3, 1, 1, b"\1\2\3"))
    siblings = Siblings(acsprset_spr=spr, game28_dta=game.to_bytes())
    document = RoomDocument.from_bytes(_indexed_room().to_bytes(), siblings=siblings)
    ground = (4, 4, 4)
    shown = rows(document.image(overlays=["objects"]))
    assert shown[1] == [ground, (0, 178, 0), (89, 0, 0), (0, 255, 0)]
    alone = RoomDocument.from_bytes(_indexed_room().to_bytes(), siblings=Siblings(acsprset_spr=spr))
    shown = rows(alone.image(overlays=["objects"]))
    assert shown[1] == [ground, (44, 0, 0), (89, 0, 0), (134, 0, 0)]
    # in a room of more bits, the game's colours count
    document = RoomDocument.from_bytes(with_object().to_bytes(), siblings=siblings)
    assert rows(document.image(overlays=["objects"]))[1][1:] == [
        (0, 178, 0),
        (0, 223, 0),
        (0, 255, 0),
    ]


def test_sprites_of_a_low_resolution_are_doubled_in_rooms_of_a_high_one() -> None:
    game = ags_games.game()
    assert game.content is not None
    game.content.sprite_flags = bytes([0, 16, 17]).ljust(len(game.content.sprite_flags), b"\0")
    art = {"acsprset_spr": sprites(None, *[Pixels(1, 1, 4, bgra(RED))] * 2)}
    siblings = Siblings(game28_dta=game.to_bytes(), **art)
    made = with_object(32, x=1, y=2)
    main_of(made).resolution = 2
    document = RoomDocument.from_bytes(made.to_bytes(), siblings=siblings)
    assert placed(document.room, document.art, (4, 3))[0].box == (1, 0, 2, 2)
    assert rows(document.image(overlays=["objects"])) == [
        [GREY, RED, RED, GREY],
        [GREY, RED, RED, GREY],
        [GREY] * 4,
    ]
    main_of(document.room).objects[0].sprite = 2  # made for a high resolution
    assert placed(document.room, document.art, (4, 3))[0].box == (1, 1, 1, 1)
    main_of(document.room).objects[0].sprite = 1
    main_of(document.room).resolution = 1
    assert placed(document.room, document.art, (4, 3))[0].box == (1, 1, 1, 1)
    # later the number is that of the masks; and without the game nothing is known
    main_of(document.room).resolution = 2
    assert placed(document.room, Art(Siblings(**art)), (4, 3))[0].box == (1, 1, 1, 1)
    document.room.version = 33
    assert placed(document.room, document.art, (4, 3))[0].box == (1, 1, 1, 1)


def test_the_game_shows_objects_by_their_baselines_behind_walk_behinds() -> None:
    made = with_object(x=0, y=2, width=4, height=3)
    main = main_of(made)
    main.objects.append(RoomObject(sprite=2, x=1, y=2, on=1))
    main.objects.append(RoomObject(sprite=9, x=0, y=3, on=1))  # its sprite is not there
    main.object_events, main.object_flags = [[], [], []], [0, 0, 0]
    main.object_baselines = [3, 0, 0]  # 0: where it stands
    blue = (0, 0, 200)
    siblings = Siblings(
        acsprset_spr=sprites(
            None, Pixels(2, 1, 4, bgra(RED, RED)), Pixels(2, 1, 4, bgra(*[blue] * 2))
        )
    )
    main.walk_behind_mask.set_pixels(
        Pixels(4, 3, 1, bytes(4) + b"\0\1\1\0" + bytes(4)), by_row=False
    )
    art = Art(siblings)

    def shown(walk_behind: int) -> list[tuple[int, ...]]:
        main.walk_behind_baselines = [0, walk_behind]
        return [pixel[:3] for pixel in rows(game_image(made, art))[1]]

    # the second stands farther away (2) than the first (3), which covers it
    assert shown(2) == [RED, RED, blue, GREY]
    assert shown(3) == [RED, RED, GREY, GREY]
    assert shown(4) == [RED, GREY, GREY, GREY]
    main.object_flags = [2, 0, 0]  # no walk-behind covers the first
    assert shown(4) == [RED, RED, GREY, GREY]
    main.object_baselines = [1, 0, 0]
    assert shown(0) == [RED, blue, blue, GREY]
    main.objects[1].on = 0
    assert shown(0) == [RED, RED, GREY, GREY]


def test_parts_of_rooms_as_the_game_shows_them() -> None:
    siblings = Siblings(acsprset_spr=sprites(None, Pixels(1, 1, 4, bgra(RED))))
    art, made = Art(siblings), with_object(x=3, y=3)
    nothing = (0, 0, 0, 0)
    assert rows(game_image(made, art, layers=["objects"], region=(2, 1, 3, 3))) == [
        [nothing, nothing, nothing],
        [nothing, (*RED, 255), nothing],
        [nothing, nothing, nothing],
    ]
    assert game_image(made, art, scale=0.1).size == (1, 1)
    assert rows(game_image(made, art, layers=["background"]))[2][3] == (*GREY, 255)
    for region in ((0, 0, -1, 2), (0, 0, 1)):
        with pytest.raises(ValueError, match="expected left, top, width, height"):
            game_image(made, art, region=region)  # type: ignore[arg-type]
    with pytest.raises(EncodeError, match="exceeds"):
        game_image(made, art, scale=10000)


def test_an_object_without_its_sprite_is_a_box_with_its_number() -> None:
    made = with_object(x=2, y=18, width=20, height=20)
    document = RoomDocument.from_bytes(made.to_bytes())
    (found,) = placed(document.room, document.art, (20, 20))
    assert (found.box, found.known) == ((2, 2, 16, 16), False)
    assert document.art.problem == "there is no acsprset.spr next to the file"
    shown = rows(document.image(overlays=["objects"]))
    assert shown[2][2:18] == [WHITE] * 16 == shown[17][2:18]
    assert [row[2] for row in shown[2:18]] == [WHITE] * 16
    assert WHITE in shown[8][4:16]
    assert shown[1] == [GREY] * 20


def test_more_backgrounds_at_their_speed() -> None:
    made = room(1, 1)
    assert (backgrounds(made), background_speed(made)) == (1, 0.0)
    more = AnimatedBackgrounds(2, 3, [0, 0], [picture(1, 1, RED)])
    made.blocks.add(6, more)
    assert (backgrounds(made), background_speed(made)) == (2, 10.0)
    assert rows(background_image(made, 1)) == [[RED]]
    with pytest.raises(IndexError, match="the room has 2 backgrounds, got 2"):
        background_image(made, 2)
    with pytest.raises(IndexError):
        background_image(made, -1)


def test_a_room_whose_backgrounds_can_not_be_read_is_a_broken_file() -> None:
    whole = room(1, 1).to_bytes()
    drawn = 0
    for end in range(len(whole) + 1):
        try:
            drawn += RoomDocument.from_bytes(whole[:end]).image().size == (1, 1)
        except FormatError:
            continue
    assert drawn >= 1
    with pytest.raises(FormatError, match="background of the room can't be read"):
        background_image(Room(33))


def test_a_background_of_the_oldest_rooms_has_a_palette_of_six_bits() -> None:
    main = MainBlock(walk_area_light=[0] * 16)
    main.old_background.set_pixels(Pixels(1, 1, 1, b"\1"), by_row=True)
    main.old_background.palette = bytes([0, 0, 0, 63, 0, 32]) + bytes(762)
    made = Room(version=4, blocks=DecodedBlocks(block_format(4), 4))
    made.blocks.add(1, main)
    assert rows(background_image(made)) == [[(255, 0, 130)]]


def test_a_broken_background_is_refused_and_its_size_is_what_the_room_says() -> None:
    made = room()
    main_of(made).background.packed = b"\0"
    with pytest.raises(FormatError):
        background_image(made)
    assert room_size(made) == (4, 3)


def test_unknown_overlays_are_refused() -> None:
    document = RoomDocument.from_bytes(room().to_bytes())
    with pytest.raises(ValueError, match=r"expected one of hotspots, .*, got 'walls'"):
        document.image(overlays=["hotspots", "walls"])
    with pytest.raises(ValueError, match="got 'objects'"):
        room_areas(room(), "objects", (4, 3))


# --------------------------------------------------------------------------------------- sprites


def test_what_is_transparent_follows_the_depth() -> None:
    palette = bytes([9, 9, 9, 1, 2, 3]) + bytes(762)
    eight = Pixels(2, 1, 1, b"\0\1")
    sixteen = Pixels(2, 1, 2, b"\x1f\xf8\x00\xf8")
    alpha = Pixels(2, 1, 4, bgra((1, 2, 3, 4), (255, 0, 255, 255)))
    art = Art(Siblings(acsprset_spr=sprites(eight, sixteen, alpha, version=4, palette=palette)))
    shown = [art.sprite(slot) for slot in range(3)]
    assert [rows(each)[0] for each in shown if each is not None] == [
        [(0, 0, 0, 0), (4, 8, 12, 255)],
        [(0, 0, 0, 0), (255, 0, 0, 255)],
        [(1, 2, 3, 4), (255, 0, 255, 255)],
    ]
    assert (art.size(1), art.size(3), art.sprite(3), art.sprite(-1)) == ((2, 1), None, None, None)


def test_broken_sprites_are_none_and_a_broken_set_is_reported() -> None:
    art = Art(Siblings(acsprset_spr=sprites(None, Pixels(1, 1, 4, bytes(4)))[:-1]))
    assert art.sprite(1) is None
    assert art.problem.startswith("acsprset.spr")
    whole = sprites(None, Pixels(2, 2, 4, bytes(16)))
    art = Art(Siblings(acsprset_spr=whole))
    stored = art.sprites
    assert stored is not None
    stored.slots[1].data = b"short"  # type: ignore[union-attr]
    assert (art.sprite(1), art.size(1), art.problem) == (None, (2, 2), "")


def test_colours_are_those_of_the_game_then_of_the_set() -> None:
    game = ags_games.game()
    assert game.content is not None
    game.content.settings.palette = bytes([0, 0, 0, 0, 63, 32, 0, 0]) + bytes(1016)
    siblings = Siblings(GAME28_DTA=game.to_bytes())
    own = SpriteSet(4, SpriteSetHeader(palette=bytes([0, 0, 0, 1, 1, 1]) + bytes(762)))
    assert game_palette(siblings, own)[:6] == bytes([0, 0, 0, 255, 130, 0])
    assert game_palette(None, own)[:6] == bytes([0, 0, 0, 4, 4, 4])
    assert game_palette(None, None) == GREYS
    own.header.palette = bytes([64]) + bytes(767)
    assert game_palette(None, own) == GREYS


def test_documents_share_the_art_beside_them() -> None:
    siblings = Siblings(acsprset_spr=sprites(Pixels(1, 1, 4, bytes(4))))
    first, second = art_of(siblings), art_of(siblings)
    assert first is second
    assert first.sprites is second.sprites
    assert siblings.reads == 1
    assert art_of(Siblings()) is not first
    assert art_of(None) is not art_of(None)
