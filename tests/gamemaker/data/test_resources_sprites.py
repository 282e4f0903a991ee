"""Sprites as people edit them: frames, masks, boxes, files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from overhaul.gamemaker.data.chunks.sprt import BboxMode, CollisionKind
from overhaul.gamemaker.data.game import GameData
from overhaul.media.frames import frames_of
from present import present
from small_folders import picture
from small_games import again, game_of

VERSIONS = ["1.0.0.1763", "2.2.5", "2.3.2", "2022.9", "2024.14"]


def image(width: int = 16, height: int = 12, seed: int = 1) -> Image.Image:
    return Image.fromarray(picture(width, height, seed))


def shown(game: GameData, name: str) -> list[NDArray[np.uint8]]:
    return [np.array(present(frame.image)) for frame in game.sprites[name].frames]


def with_sprite(version: str = "2024.14", count: int = 3) -> GameData:
    game = game_of(version)
    game.sprites.add("spr_hero", [image(seed=n) for n in range(count)], origin=(3, 4))
    return game


def solid_at(x: int, y: int, width: int = 16, height: int = 12) -> NDArray[np.uint8]:
    """A picture with a single visible pixel."""
    pixels = np.zeros((height, width, 4), np.uint8)
    pixels[y, x] = 255
    return pixels


# ------------------------------------------------------------------------------------------- add


@pytest.mark.parametrize("version", VERSIONS)
def test_a_new_sprite_is_there_before_and_after_saving(version: str) -> None:
    game = with_sprite(version)
    sprite = game.sprites["spr_hero"]
    wanted = [picture(16, 12, n) for n in range(3)]
    for state in (game, again(game)):
        assert np.array_equal(shown(state, "spr_hero"), wanted)
        sprite = state.sprites["spr_hero"]
        assert (sprite.width, sprite.height, sprite.origin) == (16, 12, (3, 4))
    assert len(again(game).textures) == 1
    if "TGIN" in game.chunks:
        (group,) = [group for group in again(game).records.texture_groups if group is not None]
        assert [r.target.name for r in group.sprites] == ["spr_hero"]
        assert [r.index for r in group.pages] == [0]
    sequence = again(game).records.sprites[0].sequence
    assert (sequence is not None) == (version == "2.3.2")
    if sequence is not None:
        assert (sequence.sequence.name, sequence.sequence.length) == ("spr_hero", 3.0)


def test_many_new_sprites_share_a_page_and_equal_frames_a_place() -> None:
    game = game_of("2.3.2")
    for number in range(30):
        game.sprites.add(f"spr_{number}", image(seed=number % 10))
    read = again(game)
    assert len(read.textures) == 1
    places = {(i.source_x, i.source_y) for i in read.texture_items.present()}
    assert len(places) == 10 and len(read.texture_items) == 30


def test_arrays_images_of_any_mode_and_files_are_frames(tmp_path: Path) -> None:
    game = game_of("2024.14")
    game.sprites.add("spr_grey", Image.new("L", (4, 4), 128))
    assert shown(game, "spr_grey")[0][0, 0].tolist() == [128, 128, 128, 255]
    game.sprites.add("spr_array", np.stack([picture(5, 6, 1), picture(5, 6, 2)]))
    assert len(game.sprites["spr_array"].frames) == 2
    path = tmp_path / "hero_strip4.png"
    image(32, 8).save(path)
    assert [f.shape for f in shown(game.sprites.add("spr_file", path).game, "spr_file")] == [  # type: ignore[arg-type]
        (8, 8, 4)
    ] * 4


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        ([], "at least one picture"),
        ([np.zeros((0, 4, 4), np.uint8)], "no pixels"),
        ([picture(4, 4, 1), picture(5, 4, 1)], "of one size, not of 4 x 4 and 5 x 4"),
        ([np.full((1, 8193, 4), 9, np.uint8)], "8193 x 1 is larger than a texture page can be"),
    ],
)
def test_bad_frames_leave_the_game_as_it_was(frames: list[NDArray[np.uint8]], message: str) -> None:
    game = game_of("2024.14")
    before = game.to_bytes()
    with pytest.raises(ValueError, match=message):
        game.sprites.add("spr_bad", frames)
    assert game.to_bytes() == before


def test_an_error_after_the_frames_leaves_nothing() -> None:
    game = game_of("2024.14")
    before = game.to_bytes()
    with pytest.raises(ValueError, match="one for each frame"):
        game.sprites.add("spr_bad", [image()] * 3, masks=[np.ones((12, 16), np.bool_)] * 2)
    with pytest.raises(ValueError, match="taken by the object"):
        game.sprites.add("obj_a", image())
    assert game.to_bytes() == before
    for wrong in ("a text", 7):
        with pytest.raises((TypeError, OSError)):
            game.sprites.add("spr_bad", wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected an array of uint8"):
        game.sprites.add("spr_bad", [np.zeros((4, 4, 4))])  # type: ignore[list-item]
    assert len(game.sprites) == 0


def test_a_large_empty_canvas_with_a_small_picture_fits() -> None:
    game = game_of("2024.14")
    pixels = np.zeros((100, 9000, 4), np.uint8)
    pixels[50, 8990] = 77
    game.sprites.add("spr_wide", [pixels])
    assert np.array_equal(shown(again(game), "spr_wide")[0], pixels)


def test_a_picture_larger_than_usual_pages_has_a_page_of_its_own() -> None:
    game = game_of("2.3.2")
    game.sprites.add("spr_small", image())
    wide = np.full((3, 3000, 4), 200, np.uint8)
    game.sprites.add("spr_wide", [wide])
    read = again(game)
    assert np.array_equal(shown(read, "spr_wide")[0], wide)
    assert sorted(page.image.size[0] for page in read.textures.present()) == [16, 4096]  # type: ignore[union-attr]


# ---------------------------------------------------------------------------------------- frames


@pytest.mark.parametrize("version", ["1.0.0.1763", "2.3.2", "2024.14"])
def test_frames_are_a_list(version: str) -> None:
    game = with_sprite(version)
    frames = game.sprites["spr_hero"].frames
    frames.append(image(seed=3))
    frames.insert(0, image(seed=9))
    assert [np.argmax([np.array_equal(f, picture(16, 12, n)) for n in range(10)])
            for f in shown(game, "spr_hero")] == [9, 0, 1, 2, 3]  # fmt: skip
    del frames[1:3]
    frames[-1] = image(seed=5)
    frames[0].image = image(seed=6)
    wanted = [6, 2, 5]
    for state in (game, again(game)):
        assert np.array_equal(shown(state, "spr_hero"), [picture(16, 12, n) for n in wanted])
    frames.reverse()
    assert np.array_equal(shown(game, "spr_hero"), [picture(16, 12, n) for n in wanted[::-1]])
    frames.extend([image(seed=7), frames[0]])
    assert np.array_equal(
        shown(again(game), "spr_hero"), [picture(16, 12, n) for n in (5, 2, 6, 7, 5)]
    )
    assert repr(frames) == "<5 frames of spr_hero>" and repr(frames[1]) == "<Frame 1 of spr_hero>"
    sequence = again(game).records.sprites[0].sequence
    assert sequence is None or sequence.sequence.length == 5.0


def test_moving_frames_makes_no_new_pictures() -> None:
    game = again(with_sprite("2.3.2"))
    items = list(game.records.sprites[0].textures)
    game.sprites["spr_hero"].frames.reverse()
    assert game.records.sprites[0].textures == items[::-1]
    assert len(again(game).textures) == 1 and len(game.texture_items) == 3


def test_a_frame_put_in_front_of_others_paints_over_none() -> None:
    game = again(with_sprite("2.3.2", 2))
    game.sprites["spr_hero"].frames.insert(0, image(seed=8))
    assert np.array_equal(shown(again(game), "spr_hero"), [picture(16, 12, n) for n in (8, 0, 1)])


def test_a_shared_picture_is_painted_for_one_only() -> None:
    game = again(with_sprite("2.3.2", 2))
    frames = game.sprites["spr_hero"].frames
    frames.append(frames[0])
    frames[2].image = image(seed=7)
    frames[1].image = image(seed=5)
    assert np.array_equal(shown(again(game), "spr_hero"), [picture(16, 12, n) for n in (0, 5, 7)])


@pytest.mark.parametrize("saved", [False, True])
def test_painting_twice_leaves_one_picture(saved: bool) -> None:
    game = with_sprite("2.3.2", 1)
    game = again(game) if saved else game
    for seed in (4, 5):
        game.sprites["spr_hero"].frames[0].image = image(seed=seed)
    read = again(game)
    assert np.array_equal(shown(read, "spr_hero"), [picture(16, 12, 5)])
    assert len(read.textures) == len(read.texture_items) == 1


def test_frames_of_another_game_bring_their_pictures() -> None:
    game, other = with_sprite("2.3.2"), with_sprite("2024.14", 1)
    other.sprites["spr_hero"].frames.extend(game.sprites["spr_hero"].frames[1:])
    assert np.array_equal(shown(again(other), "spr_hero"), [picture(16, 12, n) for n in range(3)])


def test_another_size_is_refused_but_for_all_frames() -> None:
    game = again(with_sprite())
    sprite = game.sprites["spr_hero"]
    before = game.to_bytes()
    with pytest.raises(ValueError, match=r"16 x 12 pixels, got 16 x 12 and 20 x 20 \(resize"):
        sprite.frames[1].image = image(20, 20)
    with pytest.raises(ValueError, match="got 16 x 12 and 20 x 20"):
        sprite.frames.append(image(20, 20))
    with pytest.raises(IndexError, match="has 3 frames, no frame 3"):
        sprite.frames[3] = image()
    with pytest.raises(TypeError, match="expected a Pillow image"):
        sprite.frames[0].image = "x"  # type: ignore[assignment]
    assert game.to_bytes() == before
    sprite.frames = [image(20, 30, n) for n in range(2)]
    read = again(game).sprites["spr_hero"]
    assert (read.width, read.height, len(read.frames)) == (20, 30, 2)
    assert read.bbox == (3, 2, 16, 27)


def test_the_only_frame_keeps_its_size_too() -> None:
    game = again(with_sprite("2.3.2", 1))
    sprite = game.sprites["spr_hero"]
    with pytest.raises(ValueError, match="are of 16 x 12 pixels, got 20 x 20"):
        sprite.frames[0].image = image(20, 20)
    sprite.frames[:] = [image(20, 20)]
    assert (sprite.width, sprite.height) == (20, 20)


def test_a_game_that_nothing_was_read_of_takes_sprites() -> None:
    made = game_of("2024.14")
    made.backgrounds.add("ts_a", image(16, 16))
    game = GameData.from_bytes(made.to_bytes())
    game.sprites.add("spr_hero", [image()])
    read = again(game)
    assert np.array_equal(shown(read, "spr_hero"), [picture(16, 12, 1)])
    assert present(read.backgrounds["ts_a"].image).size == (20, 20)


def test_resizing_keeps_the_pictures() -> None:
    game = with_sprite("2.3.2", 2)
    sprite = game.sprites["spr_hero"]
    sprite.resize(24, 20, offset=(5, 6))
    for frame, seed in zip(shown(again(game), "spr_hero"), (0, 1), strict=True):
        assert frame.shape == (20, 24, 4)
        assert np.array_equal(frame[6:18, 5:21], picture(16, 12, seed))
        assert frame.sum() == picture(16, 12, seed).sum()
    assert sprite.origin == (8, 10) and (sprite.width, sprite.height) == (24, 20)
    sprite.resize(4, 3, offset=(-5, -6))
    assert np.array_equal(shown(again(game), "spr_hero")[0], picture(16, 12, 0)[:3, :4])
    with pytest.raises(ValueError, match="at least 1 x 1"):
        sprite.resize(0, 3)


# ------------------------------------------------------------------------------- boxes and masks


@pytest.mark.parametrize("version", VERSIONS)
def test_box_and_mask_follow_the_frames(version: str) -> None:
    game = game_of(version)
    sprite = game.sprites.add(
        "spr_dot", [solid_at(3, 2), solid_at(5, 7)], collision_kind=CollisionKind.PRECISE
    )
    assert sprite.bbox == (3, 2, 5, 7)
    assert np.argwhere(present(sprite.mask)).tolist() == [[2, 3], [7, 5]]
    sprite.frames[1].image = solid_at(9, 9)
    sprite = again(game).sprites["spr_dot"]
    assert sprite.bbox == (3, 2, 9, 9)
    assert np.argwhere(present(sprite.mask)).tolist() == [[2, 3], [9, 9]]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_mask_set_by_hand_stays(version: str) -> None:
    game = game_of(version)
    sprite = game.sprites.add(
        "spr_dot", [solid_at(3, 2), solid_at(5, 7)], collision_kind=CollisionKind.PRECISE
    )
    by_hand = np.zeros((12, 16), np.bool_)
    by_hand[3, 4] = True
    sprite.mask = by_hand
    sprite.frames[0].image = solid_at(3, 2) // 2
    assert np.array_equal(present(again(game).sprites["spr_dot"].mask), by_hand)
    sprite.masks = [by_hand, by_hand]
    assert len(again(game).sprites["spr_dot"].masks) == 2
    sprite.mask = None
    assert again(game).sprites["spr_dot"].masks == []


def test_masks_of_another_shape_are_refused() -> None:
    game = with_sprite("2024.14")
    sprite = game.sprites["spr_hero"]
    with pytest.raises(ValueError, match=r"of bool, \(12, 16\), got bool, \(3, 3\)"):
        sprite.mask = np.ones((3, 3), np.bool_)
    with pytest.raises(ValueError, match="got uint8"):
        sprite.mask = np.ones((12, 16), np.uint8)
    sprite.bbox = (2, 2, 5, 5)
    with pytest.raises(ValueError, match="solid outside of its bounding box"):
        sprite.mask = np.ones((12, 16), np.bool_)


@pytest.mark.parametrize("version", VERSIONS)
def test_masks_follow_the_box(version: str) -> None:
    game = game_of(version)
    sprite = game.sprites.add("spr_box", image(), collision_kind=CollisionKind.PRECISE)
    sprite.bbox_right = 7
    assert present(again(game).sprites["spr_box"].mask)[:, 8:].any() == np.False_
    assert present(again(game).sprites["spr_box"].mask)[:, :8].any() == np.True_
    sprite.bbox = (2, 3, 4, 5)
    read = again(game).sprites["spr_box"]
    assert (read.bbox, read.bbox_mode) == ((2, 3, 4, 5), BboxMode.MANUAL)
    rows, columns = np.nonzero(present(read.mask))
    assert rows.min() >= 3 and rows.max() <= 5 and columns.min() >= 2 and columns.max() <= 4
    sprite.bbox_mode = BboxMode.FULL_IMAGE
    assert again(game).sprites["spr_box"].bbox == (0, 0, 15, 11)


@pytest.mark.parametrize("version", VERSIONS)
def test_masks_follow_the_kind_of_collision(version: str) -> None:
    game = game_of(version)
    sprite = game.sprites.add("spr_dot", [solid_at(3, 2), solid_at(5, 7)])
    flat = game.release.at_least(2022, 8)
    assert len(sprite.masks) == (0 if flat else 1)
    sprite.collision_kind = CollisionKind.PRECISE
    assert np.argwhere(present(again(game).sprites["spr_dot"].mask)).tolist() == [[2, 3], [7, 5]]
    sprite.collision_kind = CollisionKind.RECTANGLE
    assert len(again(game).sprites["spr_dot"].masks) == (0 if flat else 1)
    if not flat:
        assert present(sprite.mask)[2:8, 3:6].all() and present(sprite.mask).sum() == 18


@pytest.mark.parametrize("version", VERSIONS)
def test_sprites_with_a_mask_for_each_frame_get_one_with_a_frame(version: str) -> None:
    game = game_of(version)
    dots = [(3, 2), (5, 7), (9, 9)]
    sprite = game.sprites.add(
        "spr_dot", [solid_at(*dot) for dot in dots[:2]], collision_kind=CollisionKind.PRECISE
    )
    one_each = np.zeros((2, 12, 16), np.bool_)
    for mask, (x, y) in zip(one_each, dots, strict=False):
        mask[y, x] = True
    sprite.masks = list(one_each)
    sprite.frames.append(solid_at(*dots[2]))
    read = again(game).sprites["spr_dot"].masks
    assert [np.argwhere(mask).tolist() for mask in read] == [[[y, x]] for x, y in dots]
    del sprite.frames[0]
    read = again(game).sprites["spr_dot"].masks
    assert [np.argwhere(mask).tolist() for mask in read] == [[[y, x]] for x, y in dots[1:]]


@pytest.mark.parametrize("version", VERSIONS)
def test_masks_that_are_not_of_each_frame_stay_when_a_frame_is_added(version: str) -> None:
    game = game_of(version)
    sprite = game.sprites.add("spr_dot", [solid_at(3, 2)] * 3, collision_kind=CollisionKind.PRECISE)
    first = sprite.record.masks[0]
    second = bytes(len(first) - 1) + b"\x80"
    sprite.record.masks = [first, second]
    sprite.frames.append(solid_at(3, 2))
    assert again(game).sprites["spr_dot"].record.masks == [first, second]


@pytest.mark.parametrize("version", VERSIONS)
def test_one_mask_stays_one_when_a_frame_is_added(version: str) -> None:
    game = game_of(version)
    sprite = game.sprites.add("spr_dot", solid_at(3, 2), collision_kind=CollisionKind.PRECISE)
    sprite.frames.append(solid_at(5, 7))
    (mask,) = again(game).sprites["spr_dot"].masks
    assert np.argwhere(mask).tolist() == [[2, 3], [7, 5]]


def test_nine_slices() -> None:
    game = with_sprite("2024.14")
    sprite = game.sprites["spr_hero"]
    assert sprite.nine_slice is None
    sprite.nine_slice = (1, 2, 3, 4)
    read = present(again(game).sprites["spr_hero"].nine_slice)
    assert (read.left, read.top, read.right, read.bottom, read.enabled) == (1, 2, 3, 4, True)
    sprite.nine_slice = None
    assert again(game).sprites["spr_hero"].nine_slice is None
    with pytest.raises(ValueError, match=r"sprites of 2\.2\.5 do not have it"):
        with_sprite("2.2.5").sprites[0].nine_slice = (1, 1, 1, 1)


# ----------------------------------------------------------------------------------------- files


def test_strips_and_animations_are_saved_and_read_again(tmp_path: Path) -> None:
    game = with_sprite("2024.14")
    sprite = game.sprites["spr_hero"]
    sprite.frames.append(sprite.frames[2])  # equal frames in a row stay two
    wanted = shown(game, "spr_hero")
    path = sprite.save_strip(tmp_path / "hero.png")
    assert path == str(tmp_path / "hero_strip4.png")
    assert np.array_equal(frames_of(path), wanted)
    sprite.save_apng(tmp_path / "hero.apng")
    assert np.array_equal(frames_of(tmp_path / "hero.apng"), wanted)
    with pytest.raises(FileExistsError):
        sprite.save_apng(tmp_path / "hero.apng")
    sprite.save_apng(tmp_path / "hero.apng", fps=10, force=True)
    with Image.open(tmp_path / "hero.apng") as file:
        assert file.info["duration"] == 100.0
    with pytest.raises(ValueError, match="fps"):
        sprite.save_gif(tmp_path / "hero.gif", fps=0)


def test_a_gif_keeps_what_a_gif_can(tmp_path: Path) -> None:
    game = game_of("2024.14")
    frames = []
    for number in range(3):
        frame = np.zeros((8, 8, 4), np.uint8)
        frame[number : number + 3, 1:5] = (255, 80 * number, 0, 255)
        frames.append(frame)
    game.sprites.add("spr_flat", frames)
    game.sprites["spr_flat"].save_gif(tmp_path / "flat.gif")
    game.sprites.add("spr_back", tmp_path / "flat.gif")
    assert np.array_equal(shown(game, "spr_back"), frames)


def test_the_pictures_of_a_folder_are_sprites(tmp_path: Path) -> None:
    """Each picture is one, and each folder with pictures, in the order of their numbers."""
    game = with_sprite()
    walk = tmp_path / "spr_walk"
    walk.mkdir()
    for number in (10, 2, 1):
        image(seed=number).save(walk / f"{number}.png")
    (walk / "notes.txt").write_text("no picture")
    (tmp_path / "empty.png").mkdir()
    (tmp_path / "notes.txt").write_text("no picture")
    image(seed=20).save(tmp_path / "spr_door.png")
    image(32, seed=21).save(tmp_path / "spr_lamp_strip2.png")
    made = game.sprites.add_folder(tmp_path, origin="centre")
    assert [sprite.name for sprite in made] == ["spr_door", "spr_lamp", "spr_walk"]
    assert [sprite.origin for sprite in made] == [(8, 6)] * 3
    assert np.array_equal(shown(game, "spr_walk"), [picture(16, 12, n) for n in (1, 2, 10)])
    assert np.array_equal(shown(game, "spr_door"), [picture(16, 12, 20)])
    halves = np.split(picture(32, 12, 21), 2, axis=1)
    assert np.array_equal(shown(game, "spr_lamp"), halves)

    image(seed=5).save(tmp_path / "spr_hero.png")
    before = game.to_bytes()
    with pytest.raises(ValueError, match="spr_"):
        game.sprites.add_folder(tmp_path)
    assert game.to_bytes() == before
    (again_made,) = game.sprites.add_folder(tmp_path, replace=True)  # the others are as they were
    assert (again_made.name, again_made.origin) == ("spr_hero", (3, 4))
    assert np.array_equal(shown(game, "spr_hero"), [picture(16, 12, 5)])
    image().save(tmp_path / "spr_walk.png")
    with pytest.raises(ValueError, match="both for the sprite 'spr_walk'"):
        game.sprites.add_folder(tmp_path, replace=True)
    with pytest.raises(ValueError, match="there are no pictures"):
        game.sprites.add_folder(tmp_path / "empty.png")
