"""What follows from other pictures of sprites, fonts and tile sets, and what is refused."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image

from edited_games import changed, edited, frame, packed, shown
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.pictures import PageImages
from overhaul.gamemaker.data_folder.sprites import mask_of
from overhaul.media import png
from present import present
from small_folders import picture

VERSIONS = ["1.0.0.1763", "2024.14"]


def image(width: int, height: int, seed: int = 1) -> bytes:
    return png.encode(picture(width, height, seed))


# --------------------------------------------------------------------------------------- sprites


@cache
def with_mixed_frames(version: str) -> bytes:
    """spr_player says 16 x 16, its frames are of 16 x 16 and 20 x 12 pixels."""
    game, _ = edited(packed(version), {"sprites/spr_odd/0.png": image(20, 12)})
    game.records.sprites["spr_player"].textures[1] = game.records.sprites["spr_odd"].textures[0]
    game.records.sprites.remove("spr_odd")
    data: bytes = game.to_bytes()
    return data


def size_of(game: Any, name: str) -> tuple[int, int]:
    sprite = game.records.sprites[name]
    return sprite.width, sprite.height


@pytest.mark.parametrize("version", VERSIONS)
def test_a_repaint_keeps_the_size_that_the_game_has(version: str) -> None:
    """Not that of the frames, where these differ from it."""

    def widen(game: GameData) -> None:
        game.records.sprites["spr_wall"].width = 33
        game.records.sprites["spr_wall"].masks = []

    data = changed(version, widen)
    game, warnings = edited(data, {"sprites/spr_wall/0.png": image(32, 8, 9)})
    assert size_of(game, "spr_wall") == (33, 8) and warnings == []
    assert np.array_equal(frame(game, "spr_wall", 0), picture(32, 8, 9))
    game, warnings = edited(data, {"sprites/spr_wall/0.png": image(34, 8, 9)})
    assert size_of(game, "spr_wall") == (34, 8) and warnings == []


@pytest.mark.parametrize("version", VERSIONS)
def test_frames_of_several_sizes_are_edited(version: str) -> None:
    data = with_mixed_frames(version)
    for number, size in ((0, (16, 16)), (1, (20, 12))):
        path = f"sprites/spr_player/{number}.png"
        game, warnings = edited(data, {path: image(*size, 7)})
        assert np.array_equal(frame(game, "spr_player", number), picture(*size, 7))
        assert size_of(game, "spr_player") == (16, 16) and warnings == []
    game, warnings = edited(data, {"sprites/spr_player/1.png": image(24, 12, 7)})
    assert np.array_equal(frame(game, "spr_player", 1), picture(24, 12, 7))
    assert size_of(game, "spr_player") == (16, 16)
    (warning,) = warnings
    assert "of 24 x 12 and 16 x 16 pixels, as they were of several sizes before" in warning
    game, warnings = edited(data, {"sprites/spr_player/1.png": image(16, 16, 7)})
    assert size_of(game, "spr_player") == (16, 16) and warnings == []
    both = {f"sprites/spr_player/{number}.png": image(30, 30, number) for number in range(2)}
    game, warnings = edited(data, both)
    assert size_of(game, "spr_player") == (30, 30) and warnings == []


def test_a_new_frame_of_another_size_is_refused() -> None:
    with pytest.raises(WorkspaceError, match="of one size, not of 16 x 16 and 20 x 20"):
        edited(packed("2024.14"), {"sprites/spr_player/2.png": image(20, 20)})


# ----------------------------------------------------------------------------------------- fonts

FONT = "fonts/fnt_a/font.json"
PAGE = "fonts/fnt_a/font.png"


@cache
def with_font(version: str, start: int = 65, end: int = 67) -> bytes:
    """A font of the characters A to C in a picture of 32 x 16 pixels."""
    glyphs = [
        {"character": 65 + n, "x": 10 * n, "width": 10, "height": 16, "shift": 10} for n in range(3)
    ]
    plain = {"glyphs": glyphs, "range_start": start, "range_end": end}
    return bytes(edited(packed(version), {FONT: plain, PAGE: image(32, 16)})[0].to_bytes())


def glyph(character: int, **fields: int) -> dict[str, int]:
    return {"character": character, "x": 0, "y": 0, "width": 4, "height": 4, **fields}


def test_a_glyph_that_is_nothing() -> None:
    data = with_font("2.3.2")
    plain = shown(data, FONT)
    plain["glyphs"].append(None)
    with pytest.raises(WorkspaceError, match=r"glyphs\[3\].*a glyph needs its character"):
        edited(data, {FONT: plain})


@pytest.mark.parametrize("version", VERSIONS)
def test_glyphs_are_sorted_and_their_range_follows(version: str) -> None:
    data = with_font(version)
    plain = shown(data, FONT)
    plain["glyphs"] += [glyph(0x20AC), glyph(33)]
    game, warnings = edited(data, {FONT: plain})
    font = game.records.fonts["fnt_a"]
    assert [g.character for g in font.glyphs] == [33, 65, 66, 67, 0x20AC]
    assert (font.range_start, font.range_end) == (33, 0x20AC) and warnings == []
    del plain["glyphs"][1:]
    font = edited(data, {FONT: plain})[0].records.fonts["fnt_a"]
    assert (font.range_start, font.range_end, len(font.glyphs)) == (65, 65, 1)
    font = edited(data, {FONT: plain | {"glyphs": []}})[0].records.fonts["fnt_a"]
    assert (font.range_start, font.range_end) == (0, 0)


def test_a_glyph_has_a_character() -> None:
    plain = shown(with_font("2.3.2"), FONT)
    del plain["glyphs"][1]["character"]
    with pytest.raises(WorkspaceError, match=r"glyphs\[1\].character: a glyph needs its char"):
        edited(with_font("2.3.2"), {FONT: plain})


def test_a_range_of_its_own_stays() -> None:
    data = with_font("1.0.0.1763", 0, 0)  # as the first releases have it
    plain = shown(data, FONT)
    plain["glyphs"].append(glyph(99))
    font = edited(data, {FONT: plain})[0].records.fonts["fnt_a"]
    assert (font.range_start, font.range_end) == (0, 0)


@pytest.mark.parametrize(("key", "value"), [("range_start", 64), ("range_end", 68)])
def test_a_range_that_is_edited_is_refused(key: str, value: int) -> None:
    data = with_font("2024.14")
    plain = shown(data, FONT)
    kept = {"range_start": 65, "range_end": 67}[key]
    with pytest.raises(WorkspaceError, match=f"{key}: it follows from the glyphs, and is {kept}"):
        edited(data, {FONT: plain | {key: value}})
    plain["glyphs"].append(glyph({"range_start": 64, "range_end": 68}[key]))
    font = edited(data, {FONT: plain | {key: value}})[0].records.fonts["fnt_a"]
    assert getattr(font, key) == value


def test_a_character_twice_is_refused() -> None:
    data = with_font("2024.14")
    plain = shown(data, FONT)
    plain["glyphs"].append(glyph(66))
    with pytest.raises(WorkspaceError, match=r"glyphs: the character 'B' \(66\) occurs twice"):
        edited(data, {FONT: plain})


@pytest.mark.parametrize(
    ("place", "inside"),
    [({"x": 22}, True), ({"x": 23}, False), ({"height": 17}, False), ({"y": 1}, False),
     ({"x": 99, "width": 0}, True), ({"y": 99, "height": 0}, True)],
)  # fmt: skip
def test_glyphs_are_inside_the_picture(place: dict[str, int], inside: bool) -> None:
    data = with_font("2024.14")
    plain = shown(data, FONT)
    plain["glyphs"][1] |= place
    if inside:
        edited(data, {FONT: plain})
        return
    with pytest.raises(WorkspaceError, match=r"glyphs\[1\]: 'B' \(66\) is at .* of 32 x 16 pixels"):
        edited(data, {FONT: plain})
    edited(data, {FONT: plain, PAGE: image(33, 17)})


def test_a_smaller_picture_of_a_font_is_refused() -> None:
    data = with_font("2024.14")
    edited(data, {PAGE: image(30, 16)})
    with pytest.raises(WorkspaceError, match=r"glyphs\[2\]: 'C' \(67\) .* of 29 x 16 pixels"):
        edited(data, {PAGE: image(29, 16)})


# ------------------------------------------------------------------------------------- tile sets

TILES = "tilesets/ts_a.json"
TILES_PAGE = "tilesets/ts_a.png"


@cache
def with_tiles(count: int = 0, frames: int = 1) -> bytes:
    """Three columns and two rows of tiles of 16 x 8 pixels, with borders of 2."""
    plain: dict[str, Any] = {"tile_width": 16, "tile_height": 8, "frames_per_tile": frames}
    if count:
        ids = [tile for tile in range(count) for _ in range(frames)]
        plain |= {"columns": 3, "tile_count": count, "tile_ids": ids}
    return bytes(edited(packed("2.3.2"), {TILES: plain, TILES_PAGE: image(60, 24)})[0].to_bytes())


def tiles_of(game: Any) -> tuple[int, int, list[int]]:
    tiles = game.records.backgrounds["ts_a"]
    return tiles.columns, tiles.tile_count, list(tiles.tile_ids)


def test_borders_are_shown() -> None:
    plain = shown(with_tiles(), TILES)
    assert (plain["output_border_x"], plain["output_border_y"]) == (2, 2)
    assert (plain["columns"], plain["tile_count"]) == (3, 6)
    assert plain["tile_ids"] == [[0, 1, 2], [3, 4, 5]]


def test_counts_follow_a_picture_of_another_size() -> None:
    data = with_tiles()
    game, warnings = edited(data, {TILES_PAGE: image(60, 36)})
    assert tiles_of(game) == (3, 9, list(range(9))) and warnings == []
    item = game.records.backgrounds["ts_a"].texture
    assert np.array_equal(present(PageImages().frame(item)), picture(60, 36, 1))
    assert game.records.backgrounds["ts_a"].output_border_x == 2
    game, warnings = edited(data, {TILES_PAGE: image(60, 12)})
    assert tiles_of(game) == (3, 3, [0, 1, 2]) and warnings == []
    game, warnings = edited(data, {TILES_PAGE: image(80, 24)})
    assert tiles_of(game) == (4, 8, list(range(8)))
    (warning,) = warnings
    assert warning.startswith("tilesets/ts_a.png: 4 tiles are in a row now, 3 before")


def test_tiles_that_stay_keep_their_frames() -> None:
    data = with_tiles(5, 2)
    plain = shown(data, TILES)
    plain["tile_ids"] = [0, 1, 1, 2, 2, 2, 3, 3, 4, 0]
    game, _ = edited(data, {TILES: plain})
    assert tiles_of(game)[1:] == (5, plain["tile_ids"])
    game, _ = edited(game.to_bytes(), {TILES_PAGE: image(60, 36)})
    assert tiles_of(game) == (3, 9, [*plain["tile_ids"], 5, 5, 6, 6, 7, 7, 8, 8])


@pytest.mark.parametrize("size", [(61, 24), (60, 25), (59, 24), (60, 0x17)])
def test_a_picture_without_room_for_borders_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(
        WorkspaceError, match=r"ts_a.png: .* not a whole number of tiles of 20 x 12"
    ):
        edited(with_tiles(), {TILES_PAGE: image(*size)})


@pytest.mark.parametrize(
    ("key", "value"),
    [("columns", 2), ("tile_width", 17), ("tile_height", 7), ("output_border_x", 1),
     ("output_border_y", 3)],
)  # fmt: skip
def test_numbers_that_the_picture_contradicts_are_refused(key: str, value: int) -> None:
    data = with_tiles()
    plain = shown(data, TILES) | {key: value}
    with pytest.raises(WorkspaceError, match=rf"ts_a.json: the picture of 60 x 24 .*{key}"):
        edited(data, {TILES: plain})


@pytest.mark.parametrize(("key", "value"), [("tile_count", 7), ("frames_per_tile", 2)])
def test_numbers_of_tiles_are_checked(key: str, value: int) -> None:
    plain = shown(with_tiles(), TILES) | {key: value}
    with pytest.raises(
        WorkspaceError, match=rf"ts_a.json: tile_ids: .*{key} {value}|is {value} and"
    ):
        edited(with_tiles(), {TILES: plain})


def test_a_repaint_and_a_shorter_last_row() -> None:
    data = with_tiles(4)
    game, warnings = edited(data, {TILES_PAGE: image(60, 24, 5)})
    assert tiles_of(game) == (3, 4, [0, 1, 2, 3]) and warnings == []
    plain = shown(data, TILES) | {"tile_count": 5, "tile_ids": [0, 1, 2, 3, 4]}
    assert tiles_of(edited(data, {TILES: plain})[0]) == (3, 5, [0, 1, 2, 3, 4])
    plain |= {"tile_count": 3, "tile_ids": [0, 1, 2]}
    with pytest.raises(WorkspaceError, match="3 columns and 2 rows"):
        edited(data, {TILES: plain})


def bordered(tiles: np.ndarray[Any, np.dtype[np.uint8]]) -> Any:
    """A row of tiles of 16 x 8 pixels with borders that repeat the pixels at their edges."""
    return np.hstack([np.pad(tile, ((2, 2), (2, 2), (0, 0)), "edge") for tile in tiles])


def test_borders_of_repainted_tiles_are_drawn_again() -> None:
    tiles = np.random.default_rng(1).integers(0, 256, (3, 8, 16, 4), np.uint8)
    before = bordered(tiles)
    before[5, 41] ^= 1  # the third tile has a border of its own
    data = edited(with_tiles(3), {TILES_PAGE: png.encode(before)})[0].to_bytes()

    def after(pixels: Any) -> Any:
        game, warnings = edited(data, {TILES_PAGE: png.encode(pixels)})
        assert warnings == []
        return present(PageImages().frame(game.records.backgrounds["ts_a"].texture))

    tiles[0, 0, 0] ^= 255
    tiles[0, 7, 15] ^= 255
    painted = before.copy()
    painted[2:10, 2:18] = tiles[0]
    painted[5, 43] ^= 255  # in the third tile
    expected = painted.copy()
    expected[:, :20] = bordered(tiles[:1])
    assert not np.array_equal(painted, expected)
    assert np.array_equal(after(painted), expected)
    painted[11, 19] ^= 1  # the border is painted too
    assert np.array_equal(after(painted), painted)
    wider = np.hstack([expected, expected[:, :20]])
    game, _ = edited(data, {TILES_PAGE: png.encode(wider)})
    assert np.array_equal(
        present(PageImages().frame(game.records.backgrounds["ts_a"].texture)), wider
    )


def test_a_tile_set_of_another_rule_stays() -> None:
    base, _ = edited(with_tiles(), {})
    base.records.backgrounds["ts_a"].columns = 2
    game, warnings = edited(base.to_bytes(), {TILES_PAGE: image(61, 30)})
    assert tiles_of(game)[:2] == (2, 6) and warnings == []


@pytest.mark.parametrize("version", VERSIONS)
def test_a_shape_that_the_json_leaves_out_stays(version: str) -> None:
    plain = shown(packed(version), "sprites/spr_player/sprite.json")
    keys = ("width", "height", "margin_left", "margin_right", "margin_top", "margin_bottom")
    for key in keys:
        left = {name: value for name, value in plain.items() if name != key}
        game, _ = edited(
            packed(version), {"sprites/spr_player/sprite.json": left | {"origin_x": 3}}
        )
        sprite = game.records.sprites["spr_player"]
        assert [getattr(sprite, name) for name in keys] == [plain[name] for name in keys]
        assert sprite.origin_x == 3


def with_shared_frames(version: str) -> bytes:
    """spr_player and spr_twin, whose frames are both the first frame of spr_player."""

    def share(game: GameData) -> None:
        player, twin = (game.records.sprites[name] for name in ("spr_player", "spr_twin"))
        player.textures = twin.textures = [player.textures[0]] * 2

    twin = {f"sprites/spr_twin/{number}.png": image(16, 16, number) for number in range(2)}
    made, _ = edited(packed(version), twin)
    share(made)
    data: bytes = made.to_bytes()
    return data


def items_of(game: Any, name: str) -> list[int]:
    return [game.texture_items.index(item) for item in game.records.sprites[name].textures]


@pytest.mark.parametrize("version", VERSIONS)
def test_pictures_that_share_a_place_are_painted_separately(version: str) -> None:
    """Each but the last that is left gets a place of its own, in the order of the edits."""
    data = with_shared_frames(version)
    before = GameData.from_bytes(data)
    (old,) = {*items_of(before, "spr_player"), *items_of(before, "spr_twin")}
    paths = [f"sprites/spr_{name}/{number}.png" for name in ("player", "twin") for number in (0, 1)]
    game, _ = edited(data, {path: image(16, 16, 20 + n) for n, path in enumerate(paths)})
    shown = [frame(game, f"spr_{name}", n) for name in ("player", "twin") for n in (0, 1)]
    assert all(np.array_equal(item, picture(16, 16, 20 + n)) for n, item in enumerate(shown))
    places = items_of(game, "spr_player") + items_of(game, "spr_twin")
    assert len(set(places)) == 4 and places[-1] == old


@pytest.mark.parametrize("version", VERSIONS)
def test_a_place_that_frames_left_is_painted_over(version: str) -> None:
    data = with_shared_frames(version)
    before = GameData.from_bytes(data)
    (old,) = set(items_of(before, "spr_player"))
    removed = {f"sprites/spr_player/{number}.png": None for number in (0, 1)}
    edits = {**removed, "sprites/spr_twin/1.png": None, "sprites/spr_twin/0.png": image(16, 16, 9)}
    edits |= {"sprites/spr_player/2.png": image(16, 16, 8)}
    game, _ = edited(data, edits)
    assert items_of(game, "spr_twin") == [old]
    assert np.array_equal(frame(game, "spr_twin", 0), picture(16, 16, 9))
    assert np.array_equal(frame(game, "spr_player", 0), picture(16, 16, 8))


def test_a_mask_whose_palette_has_transparency() -> None:
    """Pillow warns where such a picture is made grey at once."""
    picture = Image.new("P", (2, 1))
    picture.putpalette([255, 255, 255, 0, 0, 0])
    picture.putdata([0, 1])
    out = BytesIO()
    picture.save(out, "PNG", transparency=b"\xff\x80")
    made, _ = mask_of(out.getvalue())  # the tests take a warning for an error
    assert made == (b"\x80", 2, 1, False)
