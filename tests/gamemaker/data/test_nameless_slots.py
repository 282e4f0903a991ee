"""Slots without a name in texture_groups.json, which have numbers there."""

from __future__ import annotations

import json
from typing import Any

from edited_games import edited, unpacked
from overhaul import mods
from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.chunks.txtr import TextureGroup
from per_file import per_file
from small_folders import picture
from small_games import blank


@per_file
def game_with_a_slot() -> bytes:
    """A group lists the sprites of the numbers 1, 2 and 3; number 2 is empty."""
    with GameData.from_bytes(blank("2024.14")) as game:
        game.load_all()
        for name in ("spr_a", "spr_b", "spr_gone", "spr_c"):
            game.sprites.add(name, [picture(seed=len(name))])
        sprites = game.records.sprites
        sprites.items[2] = None
        group = game.records.texture_groups.present().__next__()
        assert isinstance(group, TextureGroup)
        group.sprites[:] = [sprites.reference(number) for number in (1, 2, 3)]
        return game.to_bytes()


def listed(game: Any) -> list[int]:
    group = next(game.records.texture_groups.present())
    return [reference.index for reference in group.sprites]


def files() -> dict[str, bytes]:
    return unpacked(game_with_a_slot())


def removal() -> dict[str, Any]:
    return dict.fromkeys(path for path in files() if path.startswith("sprites/spr_a/"))


def test_a_slot_follows_where_the_file_has_its_old_number() -> None:
    groups = json.loads(files()["texture_groups.json"])
    assert groups[0]["sprites"] == ["spr_b", {"index": 2}, "spr_c"]
    game, _ = edited(game_with_a_slot(), removal())
    assert listed(game) == [0, 1, 2]
    groups[0]["sprites"] = ["spr_c", {"index": 2}, "spr_b"]
    game, _ = edited(game_with_a_slot(), {**removal(), "texture_groups.json": groups})
    assert listed(game) == [2, 1, 0]


def test_a_file_that_has_the_new_number_is_taken_as_it_is() -> None:
    groups = json.loads(files()["texture_groups.json"])
    groups[0]["sprites"] = ["spr_c", {"index": 1}, "spr_b"]
    game, _ = edited(game_with_a_slot(), {**removal(), "texture_groups.json": groups})
    assert listed(game) == [2, 1, 0]


def test_a_mod_that_removes_a_sprite_keeps_the_slot() -> None:
    base = game_with_a_slot()
    with GameData.from_bytes(base) as game:
        game.sprites.remove("spr_a")
        game.records.texture_groups.present().__next__().sprites.reverse()
        made = game.to_bytes()
    result = mods.apply(base, [mods.make(base, made, name="without")])
    assert result.conflicts == []
    with GameData.from_bytes(result.data) as game, GameData.from_bytes(made) as wanted:
        assert sorted(listed(game)) == sorted(listed(wanted)) == [0, 1, 2]
