"""The surface over records: the verbs that every kind of resource has."""

from __future__ import annotations

from typing import Any

import pytest

from overhaul.gamemaker.data.chunks.path import Path
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.chunks.tgin import TextureGroup
from overhaul.gamemaker.data.resources.kinds import Kind, ResourceAttributes
from small_games import again, game_of

KINDS = [name for name, value in vars(ResourceAttributes).items() if isinstance(value, Kind)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_an_attribute_of_the_game(kind: str) -> None:
    resources: Any = getattr(game_of("2024.13"), kind)
    assert list(resources) == [resources[name] for name in resources.names()]
    assert kind in dir(game_of("1.4.9999"))
    assert repr(resources).startswith(f"<{len(resources)} ")


def test_a_new_resource_has_its_name_in_the_string_table() -> None:
    game = game_of("2022.5")
    added = game.paths._add(Path(), "pth_new")
    assert (added.name, added.index) == ("pth_new", 0)
    assert game.strings.find("pth_new") is added.record.name
    assert again(game).paths.names() == ["pth_new"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "not a valid name"),
        ("1st", "no digit first"),
        ("a b", "no digit first"),
        ("a\nb", "not a valid name"),
        ("while", "a word of the language"),
        ("image_index", "built-in variable"),
        ("c_red", "built-in constant"),
        ("draw_self", "built-in function"),
        ("obj_a", "taken by the object"),
        ("jump", "taken by the script"),
    ],
)
def test_a_new_name_is_valid_and_free(name: str, message: str) -> None:
    game = game_of("2022.5")
    game.add_script("moves", "function jump() { return 1; }")
    with pytest.raises(ValueError, match=message):
        game.paths._add(Path(), name)
    assert len(game.paths) == 0


def test_a_name_that_no_code_uses_is_any_text_and_may_be_that_of_an_asset() -> None:
    game = game_of("2022.5")
    game.texture_groups._add(TextureGroup(), "Title screen (large)")
    game.texture_groups._add(TextureGroup(), "obj_a")
    with pytest.raises(ValueError, match="is taken"):
        game.texture_groups._add(TextureGroup(), "obj_a")


def test_a_name_given_to_a_record_itself_is_taken_too() -> None:
    game = game_of("2022.5")
    game.paths._add(Path(), "pth_one").record.name = "pth_two"
    with pytest.raises(ValueError, match="is taken"):
        game.paths._add(Path(), "pth_two")
    assert game.paths._add(Path(), "pth_one").index == 1


def test_a_sprite_is_listed_in_a_texture_group() -> None:
    game = game_of("2022.5")
    sprite = game.sprites._add(Sprite(), "spr_new")
    assert [r.target for g in game.records.texture_groups.present() for r in g.sprites] == [
        sprite.record
    ]


def test_a_kind_that_the_release_lacks_is_refused() -> None:
    game = game_of("1.4.9999")
    with pytest.raises(ValueError, match="has no sequences"):
        game.sequences._add(Path(), "seq_new")
