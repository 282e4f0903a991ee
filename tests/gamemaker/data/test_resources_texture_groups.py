"""Texture groups: what is in them, and how it moves."""

from __future__ import annotations

import numpy as np
import pytest

from present import present
from small_folders import picture
from small_games import again, game_of


def test_a_new_group_takes_resources_with_their_pictures() -> None:
    game = game_of("2024.14")
    for number in range(3):
        game.sprites.add(f"spr_{number}", [picture(seed=number)])
    game = again(game)
    group = game.texture_groups.add("Title", game.sprites["spr_1"])
    assert game.texture_groups.of(game.sprites["spr_1"]) == group
    read = again(game)
    title, default = read.texture_groups["Title"], read.texture_groups["Default"]
    assert (title.sprites, default.sprites) == (["spr_1"], ["spr_0", "spr_2"])
    assert len(title.pages) == len(default.pages) == 1
    assert str(title.record.extension) == ".yytex"
    (item,) = read.sprites["spr_1"].record.textures
    assert item.page.target is title.pages[0]
    assert np.array_equal(np.array(present(read.sprites["spr_1"].frames[0].image)), picture(seed=1))
    assert repr(title) == "<TextureGroup Title 1 page, 1 sprite, 0 fonts, 0 tile sets>"
    default.add(read.sprites["spr_1"])
    assert again(read).texture_groups["Default"].sprites == ["spr_0", "spr_2", "spr_1"]


def test_what_others_show_stays_for_them() -> None:
    game = game_of("2024.14")
    game.sprites.add("spr_0", [picture(seed=0)])
    game.sprites.add("spr_1", [picture(seed=1)])
    game.sprites["spr_1"].frames.append(game.sprites["spr_0"].frames[0])
    game = again(game)
    game.texture_groups.add("Title", game.sprites["spr_1"])
    read = again(game)
    (item,) = read.sprites["spr_0"].record.textures
    assert item.page.target is read.texture_groups["Default"].pages[0]
    shown = [np.array(present(frame.image)) for frame in read.sprites["spr_1"].frames]
    assert np.array_equal(shown, [picture(seed=1), picture(seed=0)])


def test_moving_before_saving_leaves_no_picture_behind() -> None:
    game = game_of("2024.14")
    game.texture_groups.add("Title", game.sprites.add("spr_0", [picture(seed=0)]))
    read = again(game)
    assert len(read.texture_items) == len(read.textures) == 1
    assert read.texture_groups["Default"].pages == []


def test_a_sprite_removed_before_saving_leaves_no_picture_behind() -> None:
    game = game_of("2.3.2")
    game.sprites.add("spr_0", [picture(seed=0)])
    game.sprites.add("spr_1", [picture(seed=1)])
    game.sprites.remove("spr_0")
    read = again(game)
    assert len(read.texture_items) == 1 and len(read.textures) == 1
    assert np.array_equal(np.array(present(read.sprites["spr_1"].frames[0].image)), picture(seed=1))


def test_what_has_no_pictures_is_refused() -> None:
    game, other = game_of("2024.14"), game_of("2024.14")
    group = game.texture_groups.add("Title")
    with pytest.raises(TypeError, match="can't be in a texture group"):
        group.add(game.objects["obj_a"])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="of another game"):
        group.add(other.sprites.add("spr_0", [picture()]))
    with pytest.raises(ValueError, match="has no texture groups"):
        game_of("1.0.0.1763").texture_groups.add("Title")


def test_an_edit_that_fails_takes_pictures_back() -> None:
    game = game_of("2024.14")
    game.sprites.add("spr_0", [picture(seed=0)])
    game = again(game)
    before = game.to_bytes()
    for painted in (False, True):
        with pytest.raises(KeyError), game.edit():
            game.sprites["spr_0"].frames[0].image = picture(seed=5)
            game.sprites.add("spr_1", [picture(seed=1)])
            if painted:
                assert len(game.textures) == 2
            game.sprites["spr_none"]
        shown = np.array(present(game.sprites["spr_0"].frames[0].image))
        assert np.array_equal(shown, picture(seed=0))
        assert game.to_bytes() == before
    game.sprites["spr_0"].frames[0].image = picture(seed=7)
    shown = np.array(present(again(game).sprites["spr_0"].frames[0].image))
    assert np.array_equal(shown, picture(seed=7))
