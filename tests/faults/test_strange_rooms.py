"""Rooms of strange numbers are drawn or refused, in bounded time and memory."""

from __future__ import annotations

import contextlib
import random
from typing import Any, NamedTuple

import numpy as np
import pytest

from drawn_games import add_background, add_item, add_object, add_sprite, drawn_game, pixels
from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks.font import Font, Glyph
from overhaul.gamemaker.data.chunks.room import TextInstance
from overhaul.gamemaker.data.chunks.sprt import NineSlice
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.fields import put_field
from overhaul.gamemaker.data.resources.layers import AssetLayer, BackgroundLayer, TileLayer
from overhaul.schema import Record
from repeats import times

STRANGE = {
    int: (0, 1, 2, 7, 255, 0x7FFF, 0x7FFFFFFF, 0xFFFFFFFF, -1, -0x80000000),
    float: (0.0, -1.0, 0.5, 1e-40, 1e30, -1e38, float("nan"), float("inf"), float("-inf")),
}


class Holder(NamedTuple):
    """A record of a game, as fields are set through one."""

    game: GameData
    record: Record


def game_of_everything(version: str) -> GameData:
    game = drawn_game(version)
    room = game.rooms["rm"]
    sprite = add_sprite(game, "spr", "RGBR GBRG BRGB RGBR", origin=(1, 1))
    add_object(game, "obj", sprite)
    tiles = add_background(game, "bg", "RGBRGBRG GBRGBRGB")
    if game.release.major < 2:
        room.backgrounds[0].background, room.backgrounds[0].enabled = "bg", True
        room.tiles.add("bg", 0, 0, source=(0, 0, 2, 2))
        room.instances.add("obj", 3, 3)
        return game
    sprite.nine_slice = NineSlice(1, 1, 1, 1)
    tiles.tile_width = tiles.tile_height = 2
    tiles.output_border_x = tiles.output_border_y = 0
    tiles.columns, tiles.tile_count, tiles.tile_ids = 4, 4, [0, 1, 2, 3]
    ground = room.layers.add("ground", "tiles")
    back = room.layers.add("back", "background")
    assets = room.layers.add("assets", "assets")
    assert isinstance(ground, TileLayer) and isinstance(back, BackgroundLayer)
    assert isinstance(assets, AssetLayer)
    ground.tile_set, ground.tiles = "bg", np.arange(16).reshape(4, 4) % 4 | 5 << 28
    back.sprite, back.tile_horizontally = "spr", True
    assets.add_sprite("spr", 2, 2)
    assets.tiles.add("spr", 1, 1, source=(0, 0, 2, 2))
    font = Font(game.strings.add("fnt"), texture=add_item(game, pixels("WW WW")))
    font.glyphs = [Glyph(ord("a"), 0, 0, 2, 2, 3)]
    game.records.fonts.append(font)
    text = TextInstance(None, 0, 0, game.records.fonts.reference_to(font))
    text.text, text.wrap, text.frame_width = game.strings.add("a aa"), True, 5.0
    assets.record.data.texts.append(text)
    room.layers.add("things")
    room.instances.add("obj", 3, 3)
    return game


def records_of(value: Any, found: list[Record], depth: int = 0) -> list[Record]:
    """A record with those in it."""
    if isinstance(value, list):
        for each in value:
            records_of(each, found, depth)
    elif isinstance(value, Record) and depth < 6:
        found.append(value)
        for name in value.__struct_fields__:
            records_of(getattr(value, name), found, depth + 1)
    return found


@pytest.mark.parametrize("version", ["1.0.0.1804", "2024.13"])
@pytest.mark.parametrize("seed", range(4))
def test_strange_numbers_are_drawn_or_refused(version: str, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(times(40, 2)):
        game = game_of_everything(version)
        room = game.rooms["rm"]
        found = records_of(room.record, [])
        for each in (game.records.sprites, game.records.backgrounds, game.records.fonts):
            records_of(list(each), found)
        records_of(list(game.texture_items), found)
        for _ in range(rng.randint(1, 6)):
            record = rng.choice(found)
            name = rng.choice(record.__struct_fields__)
            kind = type(getattr(record, name))
            if kind in STRANGE and name not in ("type", "depth"):
                # what a file can't hold is no number that is read from one
                with contextlib.suppress(ValueError):
                    put_field(Holder(game, record), name, rng.choice(STRANGE[kind]))
        image = room.image(region=(-3, -2, 40, 30))
        assert image.size == (40, 30)
        try:
            image = room.image()
        except EncodeError:
            assert room.width * room.height > 1 << 28
        else:
            assert image.size == (room.width, room.height)
