"""Backgrounds and tile sets as people edit them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from overhaul.gamemaker.data.resources.backgrounds import texture_page
from present import present
from small_games import again, game_of

VERSIONS = ["1.0.0.1763", "2.2.5", "2022.9", "2024.14"]


def sheet(columns: int, rows: int, width: int = 8, height: int = 6) -> NDArray[np.uint8]:
    """A sheet of tiles, each of pixels of its own; the first is empty."""
    made = np.random.default_rng(1).integers(1, 255, (rows * height, columns * width, 4), np.uint8)
    made[:height, :width] = 0
    return made


@pytest.mark.parametrize("version", VERSIONS)
def test_a_new_background_or_tile_set(version: str) -> None:
    game = game_of(version)
    picture = sheet(4, 3)
    added = game.backgrounds.add("ts_wood", Image.fromarray(picture), tile_size=(8, 6))
    assert game.tile_sets["ts_wood"] == added
    read = again(game).backgrounds["ts_wood"]
    page = present(texture_page(again(game), 0))
    assert (page.kind, page.name, len(game.textures)) == ("texture page", "0", 1)
    if version == "1.0.0.1763":
        assert np.array_equal(np.array(present(read.image)), picture)
        assert repr(read) == "<Background ts_wood 32×18>"
        assert (read.tile_size, read.tile_places) == ((0, 0), [])
        with pytest.raises(ValueError, match="has no tiles"):
            read.tile(1)
        return
    assert (read.columns, read.tile_count, read.border_x, read.border_y) == (4, 12, 2, 2)
    assert list(read.record.tile_ids) == list(range(12))
    assert present(read.image).size == (4 * 12, 3 * 10) == (read.width, read.height)
    assert repr(read) == "<Background ts_wood 48×30, 12 tiles of 8×6>"
    places = [(2 + 12 * column, 2 + 10 * row) for row in range(3) for column in range(4)]
    assert (read.tile_size, read.tile_places) == ((8, 6), places)
    for number in range(12):
        x, y = number % 4 * 8, number // 4 * 6
        assert np.array_equal(np.array(read.tile(number)), picture[y : y + 6, x : x + 8])
    whole = np.array(present(read.image))
    assert (whole[22:28, 12:14] == picture[12:18, 8:9]).all()  # tile 9 begins with its border
    assert (whole[20:22, 14:22] == picture[12:13, 8:16]).all()
    with pytest.raises(IndexError, match="has 12 tiles, no tile 12"):
        read.tile(12)
    if "TGIN" in game.chunks:
        assert again(game).texture_groups[0].tile_sets == ["ts_wood"]


def test_the_tiles_follow_the_picture() -> None:
    game = game_of("2024.14")
    tiles = game.backgrounds.add("ts_wood", sheet(4, 3), tile_size=(8, 6))
    tiles.image = np.full((40, 48, 4), 9, np.uint8)
    read = again(game).backgrounds["ts_wood"]
    assert (read.columns, read.tile_count, len(read.record.tile_ids)) == (4, 16, 16)
    before = game.to_bytes()
    with pytest.raises(
        ValueError, match="50 x 40 pixels are not a whole number of tiles of 12 x 10"
    ):
        tiles.image = np.full((40, 50, 4), 9, np.uint8)
    assert game.to_bytes() == before
    tiles.image = np.full((40, 48, 4), 77, np.uint8)
    assert np.array(present(again(game).backgrounds["ts_wood"].image)).min() == 77


def test_borders_follow_repainted_tiles() -> None:
    game = game_of("2024.14")
    tiles = game.backgrounds.add("ts_wood", sheet(4, 3), tile_size=(8, 6))
    pixels = np.array(present(tiles.image))
    pixels[12:18, 14:22] = (1, 2, 3, 255)  # tile 5, without its borders
    tiles.image = pixels
    whole = np.array(present(again(game).backgrounds["ts_wood"].image))
    assert (whole[10:20, 12:24] == (1, 2, 3, 255)).all()
    pixels[10:20, 12:24] = (1, 2, 3, 255)
    assert np.array_equal(whole, pixels)


def test_a_picture_with_an_empty_edge_is_not_cropped() -> None:
    game = game_of("2024.14")
    game.backgrounds.add("ts_wood", sheet(2, 1), tile_size=(8, 6))
    item = again(game).records.backgrounds[0].texture
    assert (item.target_x, item.target_y, item.source_width) == (0, 0, 24)


@pytest.mark.parametrize("border", [(0, 0), (1, 0), (0, 3)])
def test_tiles_without_a_border(border: tuple[int, int]) -> None:
    game = game_of("2024.14")
    picture = sheet(4, 3)
    made = game.tile_sets.add("ts_wood", picture, tile_size=(8, 6), border=border)
    across, down = border
    assert present(made.image).size == (4 * (8 + 2 * across), 3 * (6 + 2 * down))
    assert np.array_equal(np.array(made.tile(7)), picture[6:12, 24:32])


@pytest.mark.parametrize(
    ("size", "border", "message"),
    [
        ((7, 6), (2, 2), "32 x 18 pixels are not a whole number of tiles of 7 x 6"),
        ((0, 6), (2, 2), "at least 1 x 1"),
        ((8, 6), (-1, 2), "borders"),
        ((8, 6), (2, -1), "borders"),
    ],
)
def test_tiles_that_do_not_fit(
    size: tuple[int, int], border: tuple[int, int], message: str
) -> None:
    game = game_of("2024.14")
    before = game.to_bytes()
    with pytest.raises(ValueError, match=message):
        game.tile_sets.add("ts_wood", sheet(4, 3), tile_size=size, border=border)
    with pytest.raises(ValueError, match="taken by the object"):
        game.tile_sets.add("obj_a", sheet(4, 3), tile_size=(8, 6))
    assert game.to_bytes() == before
