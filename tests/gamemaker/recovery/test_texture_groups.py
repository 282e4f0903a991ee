"""Texture groups of recovered projects, which code loads by their names."""

from __future__ import annotations

from typing import Any

import pytest
from PIL import Image

import overhaul
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks.txtr import LoadType
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.ide.values import read_values
from overhaul.gamemaker.recovery import Recovered, recover


def picture() -> Image.Image:
    return Image.new("RGBA", (32, 32), (200, 100, 50, 255))


def value(made: Recovered, path: str) -> Any:
    return read_values(made.files[path]().decode("utf-8"))


def group_of(made: Recovered, path: str) -> str:
    reference = value(made, path)["textureGroupId"]
    assert reference["path"] == f"texturegroups/{reference['name']}"
    return str(reference["name"])


def groups_of(made: Recovered) -> dict[str, Any]:
    return {row["name"]: row for row in value(made, made.name)["TextureGroups"]}


def game_with_groups(release: str) -> GameData:
    """A sprite, a font and a tile set in groups of their own, and a sprite in none."""
    game = blank_game({"version": release})
    sprite = game.sprites.add("spr_boss", [picture()])
    game.sprites.add("spr_plain", [picture()])
    font = game.fonts.add("fnt_boss", picture(), {"a": (0, 0, 5, 9)})
    tiles = game.tile_sets.add("ts_boss", picture(), tile_size=(16, 16))
    game.texture_groups.add("level_1").add(sprite, font)
    game.texture_groups.add("tiles").add(tiles)
    return game


@pytest.mark.parametrize("release", ["2.3.2", "2022.9", "2024.14"])
def test_groups_keep_their_names_and_members(release: str) -> None:
    made = recover(game_with_groups(release))
    groups = groups_of(made)
    assert next(iter(groups)) == "Default" and set(groups) == {"Default", "level_1", "tiles"}
    assert group_of(made, "sprites/spr_boss/spr_boss.yy") == "level_1"
    assert group_of(made, "sprites/spr_plain/spr_plain.yy") == "Default"
    assert group_of(made, "fonts/fnt_boss/fnt_boss.yy") == "level_1"
    assert group_of(made, "tilesets/ts_boss/ts_boss.yy") == "tiles"


def test_the_usual_group_has_its_own_name_and_groups_of_the_compiler_none() -> None:
    game = blank_game({"version": "2024.14"})
    sprite = game.sprites.add("spr_a", [picture()])
    other = game.sprites.add("spr_b", [picture()])
    game.texture_groups.add("__yy__0spr_b_yyg_auto_gen_tex_group_name_0").add(other)
    if "default" not in [group.name for group in game.texture_groups]:
        game.texture_groups.add("default")
    game.texture_groups["default"].add(sprite)
    made = recover(game)
    assert list(groups_of(made)) == ["Default"]
    for name in ("spr_a", "spr_b"):
        assert group_of(made, f"sprites/{name}/{name}.yy") == "Default"


def test_pages_say_how_a_group_is_packed() -> None:
    game = overhaul.open_game(game_with_groups("2024.14").to_bytes())  # pictures are on pages
    page = game.texture_groups["level_1"].record.pages[0].target
    assert page is not None
    for scaled, mips, expected in (
        (0, 0, (False, 0)),
        (1, 3, (True, 3)),
        (1, 2**32 - 1, (True, -1)),
    ):
        page.scaled, page.generated_mips = scaled, mips
        row = groups_of(recover(game))["level_1"]
        assert (row["isScaled"], row["mipsToGenerate"]) == expected


def test_what_no_page_says_is_as_in_a_new_project() -> None:
    for row in groups_of(recover(game_with_groups("2024.14"))).values():
        own = {key: row[key] for key in ("autocrop", "border", "groupParent", "loadType")}
        assert own == {"autocrop": True, "border": 2, "groupParent": None, "loadType": "default"}


def test_a_group_whose_textures_are_next_to_the_game_is_named() -> None:
    game = game_with_groups("2024.14")
    assert [one for one in recover(game).findings if "level_1" in one.message] == []
    game.texture_groups["level_1"].load_type = LoadType.SEPARATE_GROUP
    game.texture_groups["level_1"].directory = "later"
    made = recover(game)
    assert [one.message for one in made.findings if "level_1" in one.message] == [
        "the textures of the group level_1 are next to the game: say so in the editor"
    ]
    assert groups_of(made)["level_1"]["directory"] == "later"
