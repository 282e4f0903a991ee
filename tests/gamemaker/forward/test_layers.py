"""Tiles on layers: the order of drawing stays, whatever lies on what."""

from __future__ import annotations

import random

import numpy as np
import pytest

from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.forward.layers import Tile, TileLayer, layers_of
from overhaul.gamemaker.forward.modern_assets import Sheet
from repeats import times


def sheet(name: str, size: int = 16, width: int = 64, height: int = 32, **more: int) -> Sheet:
    values = {
        "tilewidth": size, "tileheight": size, "tilexoff": 0, "tileyoff": 0, "tilehsep": 0,
        "tilevsep": 0, "width": width, "height": height,
    } | more  # fmt: skip
    return Sheet(
        name, XmlNode("background", children=[XmlNode(k, str(v)) for k, v in values.items()])
    )


def tile(x: int, y: int, left: int = 0, top: int = 0, **more: object) -> Tile:
    values: dict[str, object] = {
        "background": "bg", "width": 16, "height": 16, "depth": 10, "scale_x": 1.0,
        "scale_y": 1.0, "colour": 0xFFFFFFFF, "name": "",
    }  # fmt: skip
    return Tile(x=x, y=y, left=left, top=top, **(values | more))  # type: ignore[arg-type]


def test_tiles_on_a_grid_are_one_layer() -> None:
    sheets = {"bg": sheet("bg")}
    (made,) = layers_of([tile(32, 16), tile(64, 48, 16, 16), tile(48, 16, 48)], sheets, ())
    assert made.sheet is sheets["bg"] and made.shown_depth == 10
    place, words = made.words()
    assert place == (32, 16)
    assert words.tolist() == [[4, 7, 0], [0, 0, 0], [0, 0, 9]]  # the first row of tiles is empty


def test_phases_and_offsets() -> None:
    own = sheet("bg", tilexoff=2, tileyoff=1, tilehsep=1, tilevsep=1)
    assert (own.columns, own.rows) == (3, 1)
    assert own.tile(2, 1, 16, 16) == 3 and own.tile(19, 1, 16, 16) == 4
    assert own.tile(0, 1, 16, 16) is None and own.tile(2, 1, 8, 16) is None
    assert own.tile(2 + 3 * 17, 1, 16, 16) is None
    (made,) = layers_of([tile(5, -3, 2, 1)], {"bg": own}, ())
    assert made.phase == (5, 13) and made.words()[0] == (5, -3)


@pytest.mark.parametrize(
    "other",
    [
        tile(64, 64, 3),
        tile(64, 64, width=32),
        tile(64, 64, scale_x=-1.0),
        tile(64, 64, colour=0x80FFFFFF),
        tile(64, 64, background="unknown"),
    ],
)
def test_what_does_not_fit_is_a_part_of_a_picture(other: Tile) -> None:
    made = layers_of([tile(0, 0), other], {"bg": sheet("bg")}, ())
    assert [layer.sheet is None for layer in made] == [False, True]
    assert made[1].tiles == [other]
    assert [layer.shown_depth for layer in made] == [11, 10]


def test_depths_do_not_pass_others() -> None:
    over = [tile(0, 0), tile(0, 0, 16), tile(0, 0, 32)]
    sheets = {"bg": sheet("bg")}
    free = layers_of(over, sheets, ())
    assert [layer.shown_depth for layer in free] == [12, 11, 10]
    behind = layers_of(over, sheets, {10})
    assert [layer.shown_depth for layer in behind] == [13, 12, 11]
    narrow = layers_of(over, sheets, {12})
    assert [(layer.sheet, layer.shown_depth) for layer in narrow] == [(None, 10)]
    assert narrow[0].tiles == over
    none = layers_of(over, sheets, {10, 11})
    assert [(layer.sheet, layer.shown_depth) for layer in none] == [(None, 10)]


@pytest.mark.parametrize(
    "thin", [{"scale_x": 0.05}, {"scale_y": 0.05}, {"scale_x": 0.02}, {"scale_y": 0.02}]
)
def test_what_is_thinner_than_a_pixel_is_drawn_between_others_too(thin: dict[str, object]) -> None:
    tiles = [tile(64, 64), tile(0, 0, 16, 0, **thin), tile(0, 0)]
    made = layers_of(tiles, {"bg": sheet("bg")}, ())
    assert [layer.tiles for layer in made] == [[each] for each in tiles]


def test_tiles_far_apart_need_no_large_map() -> None:
    made = layers_of([tile(0, 0), tile(1 << 24, 1 << 24)], {"bg": sheet("bg")}, ())
    assert [layer.sheet for layer in made] == [None]


def _painted(tiles: list[tuple[int, Tile]]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """The number of the tile that is seen at each pixel: tiles are as large as whole pixels."""
    canvas = np.zeros((256, 256), np.int64)
    for number, each in tiles:
        wide, high = round(each.width * each.scale_x), round(each.height * each.scale_y)
        left, right = sorted((each.x + 64, each.x + 64 + wide))
        top, bottom = sorted((each.y + 64, each.y + 64 + high))
        canvas[top:bottom, left:right] = number
    return canvas


@pytest.mark.parametrize("seed", range(times(300, 10)))
def test_random_tiles_are_drawn_in_the_same_order(seed: int) -> None:
    chance = random.Random(seed)
    sheets = {
        "bg": sheet("bg"), "small": sheet("small", 8), "wide": sheet("wide", 12, tileheight=8)
    }  # fmt: skip
    sides = {"bg": (16, 16), "small": (8, 8), "wide": (12, 8), "none": (12, 12)}
    tiles = []
    for _ in range(40):
        name = chance.choice([*sides])
        wide, high = sides[name]
        steps = chance.choice([(wide, high), (4, 4)])
        x, y = (chance.randrange(0, 80 // step) * step for step in steps)
        left, top = chance.randrange(2) * wide, chance.randrange(2) * high
        scales = chance.choices([1.0, -1.0, 0.3, 1.05, -2.3], [20, 1, 1, 1, 1], k=2)
        more = {"scale_x": scales[0], "scale_y": scales[1]}
        tiles.append(tile(x, y, left, top, background=name, width=wide, height=high, **more))
    numbers = {id(each): number for number, each in enumerate(tiles, 1)}
    made: list[TileLayer] = layers_of(tiles, sheets, ())
    shown = [(numbers[id(each)], each) for layer in made for each in layer.tiles]
    assert np.array_equal(_painted(shown), _painted(list(enumerate(tiles, 1))))
    for layer in made:
        if layer.sheet is not None:
            place, words = layer.words()
            assert int((words != 0).sum()) == len(layer.cells) == len(layer.tiles)
            for each in layer.tiles:
                column, across = divmod(each.x - place[0], each.width)
                line, down = divmod(each.y - place[1], each.height)
                number = layer.sheet.tile(each.left, each.top, each.width, each.height)
                assert (across, down, words[line, column]) == (0, 0, number)
