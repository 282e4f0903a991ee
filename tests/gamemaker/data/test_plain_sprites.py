"""Sprites that have less than the compiler gives: from plain files alone they stay as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from edited_games import changed, edited, made, packed, shown, unpacked
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.game import GameData
from overhaul.media import png
from small_folders import picture

SPRITE = "sprites/spr_player/sprite.json"


def both(version: str, change: Callable[[Any], object]) -> tuple[Any, Any, Any]:
    """A game with spr_player changed, the same from its plain files, and the JSON's details."""
    data = changed(version, lambda game: change(game.records.sprites["spr_player"]))
    first = GameData.from_bytes(data).records.sprites["spr_player"]
    again = made(unpacked(data), version)
    assert unpacked(again.to_bytes())[SPRITE] == unpacked(data)[SPRITE]
    return first, again.records.sprites["spr_player"], shown(data, SPRITE).get("details", {})


def no_second_frame(sprite: Any) -> None:
    sprite.textures[1] = None
    sprite.masks = []


@pytest.mark.parametrize("version", ["1.0.0.1657", "2.3.2", "2022.5", "2024.14"])
def test_a_frame_without_a_picture_stays(version: str) -> None:
    first, again, details = both(version, no_second_frame)
    assert details["empty_frames"] == [1] and details["no_mask"] is True
    assert again.textures[0] is not None and again.textures[1:] == first.textures[1:] == [None]
    assert again.masks == []


@pytest.mark.parametrize("version", ["1.0.0.1657", "2024.14"])
def test_a_first_frame_without_a_picture_stays_the_first(version: str) -> None:
    def change(sprite: Any) -> None:
        sprite.textures[0] = None

    _, again, details = both(version, change)
    assert details == {"empty_frames": [0]}
    assert again.textures[0] is None and again.textures[1] is not None and again.masks


@pytest.mark.parametrize("version", ["2.3.2", "2022.5"])
def test_a_sprite_without_a_sequence_gets_none(version: str) -> None:
    def change(sprite: Any) -> None:
        assert sprite.sequence is not None
        sprite.sequence = None

    _, again, details = both(version, change)
    assert details == {"sequence": None}
    assert again.sequence is None


@pytest.mark.parametrize("version", ["2.2.1", "2022.8", "2024.14"])
def test_what_no_sprite_of_a_release_has_is_not_said(version: str) -> None:
    assert "details" not in shown(packed(version), SPRITE)
    assert "details" not in shown(packed(version), "sprites/spr_wall/sprite.json")


def test_no_mask_is_said_where_the_compiler_makes_one() -> None:
    def change(game: Any) -> None:
        for name in ("spr_player", "spr_wall"):
            game.records.sprites[name].masks = []

    wall = "sprites/spr_wall/sprite.json"
    for version, is_rectangle_said in (("2022.5", True), ("2024.14", False)):
        data = changed(version, change)
        assert shown(data, SPRITE)["details"]["no_mask"] is True
        assert ("no_mask" in shown(data, wall).get("details", {})) is is_rectangle_said


@pytest.mark.parametrize("version", ["1.0.0.1657", "2022.5", "2024.14"])
def test_details_of_a_sprite_are_edited(version: str) -> None:
    data = changed(version, lambda game: no_second_frame(game.records.sprites["spr_player"]))
    plain = shown(data, SPRITE)

    def with_details(**values: object) -> dict[str, object]:
        return {**plain, "details": {**plain["details"], **values}}

    def sprite_of(edits: dict[str, Any]) -> Any:
        game, warnings = edited(data, edits)
        assert warnings == []
        return game.records.sprites["spr_player"]

    assert [item is None for item in sprite_of({SPRITE: plain}).textures] == [False, True]
    assert len(sprite_of({SPRITE: with_details(empty_frames=[])}).textures) == 1
    more = sprite_of({SPRITE: with_details(empty_frames=[1, 2])})
    assert [item is None for item in more.textures] == [False, True, True] and more.masks == []
    assert len(sprite_of({SPRITE: with_details(no_mask=False)}).masks) == 1
    filled = sprite_of({"sprites/spr_player/1.png": png.encode(picture(seed=4))})
    assert None not in filled.textures and len(filled.textures) == 2


def test_details_that_files_deny_are_refused() -> None:
    data = packed("2024.14")
    for details, message in (
        ({"empty_frames": [1]}, "frame 1 is not empty, as sprites/spr_player/1.png is there"),
        ({"no_mask": True}, "no_mask is true, but sprites/spr_player/mask_0.png is there"),
        ({"no_mask": 1}, "expected true or false, got 1"),
        ({"empty_frames": [-1]}, "expected a whole number from 0"),
        ({"empty_frames": {}}, "expected a list"),
    ):
        with pytest.raises(WorkspaceError, match=message):
            edited(data, {SPRITE: {**shown(data, SPRITE), "details": details}})
