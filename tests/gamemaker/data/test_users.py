"""What uses a resource stays right while a game is edited."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from edited_games import packed
from overhaul.gamemaker.data.chunks.room import Tile
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.renumber import references_in
from overhaul.schema import Record

VERSIONS = ["1.0.0.1763", "2.2.5", "2022.3", "2024.14"]


def users(game: Any) -> dict[str, list[str]]:
    """The users of each sprite and object."""
    resources = [*game.sprites, *game.objects]
    return {resource.name: sorted(map(str, resource.users())) for resource in resources}


def opened(version: str) -> Any:
    game: Any = GameData.from_bytes(packed(version))
    entry = "gml_Object_obj_player_Step_0"
    game.code[entry].gml = "sprite_index = spr_wall; obj_wall.x = 3;"
    game.code["gml_Object_obj_player_Create_0"].gml = "y = 11;"
    return game


EDITS: dict[str, Callable[[Any], object]] = {
    "code": lambda g: setattr(
        g.code["gml_Object_obj_player_Create_0"], "gml", "sprite_index = spr_player; x = obj_wall;"
    ),
    "code goes": lambda g: setattr(g.code["gml_Object_obj_player_Step_0"], "gml", "x = 1;"),
    "assembly": lambda g: setattr(
        g.code["gml_Object_obj_player_Step_0"], "assembly", ":[0]\npushi.e 4\npop.v.i self.x\n"
    ),
    "a field": lambda g: setattr(g.objects["obj_wall"], "sprite", "spr_player"),
    "a field of the record": lambda g: setattr(g.records.objects["obj_wall"], "sprite", None),
    "a list of the record": lambda g: g.records.rooms[0].instances.pop(),
    "a new resource": lambda g: g.objects.add("obj_new", sprite="spr_player"),
    "a new name": lambda g: setattr(g.sprites["spr_wall"], "name", "spr_stone"),
    "another order": lambda g: g.sprites.move("spr_player", 1),
    "a removed one": lambda g: g.sprites.remove("spr_player", force=True),
    "a text": lambda g: g.strings.add("spr_wall"),
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("edit", EDITS)
def test_users_after_an_edit(version: str, edit: str) -> None:
    """As in the same game opened again, which was never asked before."""
    game = opened(version)
    before = users(game)
    EDITS[edit](game)
    for kind, resources in (("sprite", game.sprites), ("object", game.objects)):
        counts = game.user_counts(kind)
        assert counts == {each.index: len(each.users()) for each in resources}
    again: Any = GameData.from_bytes(game.to_bytes())
    assert users(game) == users(again)
    if edit not in ("a text", "another order"):
        assert users(game) != before


@pytest.mark.parametrize("version", VERSIONS)
def test_users_after_going_back(version: str) -> None:
    game = opened(version)
    before = users(game)
    with pytest.raises(KeyError), game.edit():
        for name in ("code", "a field", "a removed one"):
            EDITS[name](game)
        assert users(game) != before
        raise KeyError("no")
    assert users(game) == before


def test_references_in_records() -> None:
    """In fields, lists and pairs, whatever holds them; not in numbers and texts."""

    class Pair(Record):
        left: object = None
        right: object = None

    game = opened("2022.3")
    wall, player = (game.records.objects.reference(number) for number in (0, 1))
    assert isinstance(wall, Reference)
    nested = Pair([(wall, 3), None, "text"], Pair(player, [Pair(wall)]))
    assert list(map(id, references_in(nested))) == list(map(id, (wall, player, wall)))
    tile = Tile(background=wall)
    assert references_in(tile) == [wall] and references_in(5) == references_in(None) == []


def test_a_texture_group_lists_numbers_that_no_sprite_has() -> None:
    game: Any = opened("2022.3")
    users = game.texture_groups[0].users()
    game.records.texture_groups[0].sprites += [99, None, game.records.sprites.reference(98)]
    assert game.texture_groups[0].users() == users
    again: Any = GameData.from_bytes(game.to_bytes())
    assert again.texture_groups[0].users() == users
