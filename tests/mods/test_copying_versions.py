"""Resources copied between games and projects of different versions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from edited_games import edited, packed, shown
from handmade_project import project_file
from overhaul import mods
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.sprite_shape import SHAPE, size_of_masks
from overhaul.media import masks, png
from small_folders import picture

SPRITE = "sprites/spr_hero/sprite.json"


def with_hero(version: str) -> bytes:
    """A sprite of 62 x 32 pixels, whose visible part is smaller, with a precise mask."""
    pixels = np.zeros((32, 62, 4), np.uint8)
    pixels[4:20, 9:50] = picture(41, 16)
    pixels[4, 9] = pixels[19, 49] = 255
    edits = {SPRITE: {"collision_kind": "precise"}, "sprites/spr_hero/0.png": png.encode(pixels)}
    game, _ = edited(packed(version), edits)
    data: bytes = game.to_bytes()
    return data


def solid(game: Any, name: str) -> tuple[Any, tuple[int, int]]:
    """The mask of a sprite on its whole canvas, and the size that it is stored in."""
    sprite = game.records.sprites[name]
    size = size_of_masks(game, sprite)
    whole = np.zeros((sprite.height, sprite.width), np.bool_)
    (mask,) = (masks.unpack(each, *size) for each in sprite.masks)
    x, y = (0, 0) if size == (sprite.width, sprite.height) else (9, 4)
    whole[y : y + size[1], x : x + size[0]] = mask
    return whole, size


@pytest.mark.parametrize(
    "old, new", [("2.3.2", "2024.13"), ("2024.13", "2.3.2"), ("1.0.0.1763", "2024.13")]
)
def test_a_mask_is_stored_as_the_release_does(old: str, new: str) -> None:
    """Of the whole sprite, or of its bounding box (2024.6 and later)."""
    data = with_hero(old)
    result = mods.copy(data, "sprites/spr_hero", packed(new))
    assert result.conflicts == [] and result.warnings == []
    first: Any = GameData.from_bytes(data)
    again: Any = GameData.from_bytes(result.data)
    assert again.to_bytes() == result.data
    (mine, size), (theirs, now) = solid(first, "spr_hero"), solid(again, "spr_hero")
    assert {size, now} == {(62, 32), (41, 16)} and np.array_equal(mine, theirs) and mine.any()
    before, after = (game.records.sprites["spr_hero"] for game in (first, again))
    assert [getattr(before, name) for name in SHAPE] == [getattr(after, name) for name in SHAPE]
    assert (after.sequence is None) is (new != "2.3.2")


def test_the_mask_of_one_release_stays() -> None:
    def change(game: GameData) -> None:
        sprite = game.records.sprites["spr_hero"]
        sprite.masks = [bytes(len(sprite.masks[0]))]

    version = "2024.13"
    data = with_hero(version)
    game = GameData.from_bytes(data)
    change(game)
    result = mods.copy(game.to_bytes(), "sprites/spr_hero", packed(version))
    assert not any(GameData.from_bytes(result.data).records.sprites["spr_hero"].masks[0])
    assert "sequence" not in shown(result.data, SPRITE).get("details", {})


@pytest.mark.parametrize("old, new", [(530, 800), (600, 810), (800, 810)])
def test_a_project_is_converted(old: int, new: int) -> None:
    source = project_file(old)
    name = next(iter(ProjectDocument.read(source, None).sprites)).name
    result = mods.copy(source, f"sprites/{name}", project_file(new), rename={name: "spr_taken"})
    assert result.conflicts == []
    made = ProjectDocument.read(result.data, None)
    assert made.version == str(new) and "spr_taken" in [sprite.name for sprite in made.sprites]
    assert made.to_bytes() == result.data
    assert all(f"converted to {new}" in warning for warning in result.warnings)


def test_what_can_not_be_converted_is_refused() -> None:
    with pytest.raises(
        WorkspaceError, match="can only be converted to a later version, not to 600"
    ):
        mods.copy(project_file(800), "sprites/*", project_file(600))
    with pytest.raises(WorkspaceError, match=r"gamemaker-project\) can't go into .*gamemaker-data"):
        mods.copy(project_file(800), "sprites/*", packed("2.3.2"))
    with pytest.raises(WorkspaceError, match=r"gamemaker-data\) can't go into"):
        mods.copy(packed("2.3.2"), "sprites/*", project_file(800))
