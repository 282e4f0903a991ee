"""A mod that removes what another one changes: with one of them preferred, all of it counts."""

from __future__ import annotations

import pytest

from modded_games import CAVE, changed, field, lantern, value
from overhaul import mods
from overhaul.gamemaker.data.game import GameData
from overhaul.mods import preferring
from overhaul.mods.patches import ValuePatch
from overhaul.mods.values import NOTHING, Op
from overhaul.mods.view import FileView, opened
from overhaul.sequences import Hunk

GAME = lantern()
FIREFLY = "objects/obj_firefly/object.json"
PICTURE = "sprites/spr_firefly/sprite.json"


def without(kind: str, name: str) -> bytes:
    game = GameData.from_bytes(GAME)
    getattr(game, kind).remove(name, force=True)
    return game.to_bytes()


@pytest.fixture(scope="module")
def removing() -> mods.Mod:
    """A mod that removes a sprite and an object."""
    game = GameData.from_bytes(without("objects", "obj_firefly"))
    game.sprites.remove("spr_firefly", force=True)
    return mods.make(GAME, game.to_bytes(), name="removing")


@pytest.mark.parametrize("turned", [False, True])
def test_what_a_preferred_mod_keeps_is_named_where_it_was(removing: mods.Mod, turned: bool) -> None:
    game = changed(GAME, {FIREFLY: field("solid", True), PICTURE: field("origin_x", 3)})
    both = [removing, mods.make(GAME, game, name="changing")]
    result = mods.apply(GAME, both[::-1] if turned else both, prefer=["changing"])
    assert result.conflicts == []
    assert {change.path for change in mods.diff(game, result.data).changes} <= {
        "code/gml_Object_obj_door_Step_0.gml"  # the preferred mod says nothing of that line
    }
    objects = [item["object"] for item in value(result.data, CAVE)["instances"]]
    assert objects.count("obj_firefly") == 5
    assert "Collision_obj_firefly" in value(result.data, "objects/obj_keeper/object.json")["events"]


def test_a_preferred_mod_that_removes_does_so_everywhere(removing: mods.Mod) -> None:
    changing = mods.make(GAME, changed(GAME, {FIREFLY: field("solid", True)}), name="changing")
    result = mods.apply(GAME, [changing, removing], prefer=["removing"])
    assert result.data == mods.apply(GAME, [removing]).data


def test_another_resource_in_its_place_is_an_edit_of_its_own() -> None:
    game = GameData.from_bytes(GAME)
    game.objects["obj_firefly"].sprite = game.sprites["spr_door"]
    game.sprites.remove("spr_firefly", force=True)
    removing = mods.make(GAME, game.to_bytes(), name="removing")
    picture = changed(GAME, {PICTURE: field("origin_x", 3)})
    changing = mods.make(GAME, picture, name="changing")
    result = mods.apply(GAME, [removing, changing], prefer=["changing"])
    assert value(result.data, FIREFLY)["sprite"] == "spr_door"
    assert value(result.data, PICTURE)["origin_x"] == 3


def hunk(*old: str, new: tuple[str, ...] = ()) -> Hunk:
    return Hunk(0, (), old, new, ())


@pytest.mark.parametrize(
    ("op", "stays"),
    [
        (Op("set", ("sprite",), "obj_firefly", None), False),
        (Op("set", ("sprite",), "obj_firefly", NOTHING), False),
        (Op("set", ("sprite",), "obj_firefly", ""), False),
        (Op("set", ("sprite",), "obj_firefly", "obj_door"), True),
        (Op("set", ("sprite",), "obj_door", None), True),
        (Op("set", ("events", "Collision_obj_firefly"), "code", NOTHING), False),
        (Op("set", ("obj_firefly", "x"), 3, NOTHING), True),
        (Op("set", ("by_name", "obj_firefly"), 3, NOTHING), False),
        (Op("remove", ("instances", {"id": 100023}), {"sha256": "0"}), False),
        (Op("remove", ("instances", {"id": 100000}), {"sha256": "0"}), True),
        (Op("remove", ("instances", {"id": 1}), {"sha256": "0"}), True),
        (Op("remove", ("nowhere", 3), "obj_firefly"), True),
        (Op("remove", ("instances", 23), {}), False),
        (Op("items", ("list",), NOTHING, hunk('"obj_firefly"', '["obj_firefly",1]')), False),
        (Op("items", ("list",), NOTHING, hunk('"obj_firefly"', '"obj_door"')), True),
        (Op("items", ("list",), NOTHING, hunk('"obj_firefly"', new=("1",))), True),
        (Op("insert", ("list",), NOTHING, {"object": "obj_firefly"}), True),
    ],
)
def test_what_only_takes_a_name_out_is_left_out(op: Op, stays: bool) -> None:
    names = {"obj_firefly"}
    with opened(GAME) as view:
        assert kept(op, names, CAVE, view) == ([op] if stays else [])
        assert kept(op, set(), CAVE, view) == [op]
        assert kept(op, names, "nowhere.json", view) == [op]


def kept(op: Op, names: set[str], path: str, view: FileView) -> list[Op]:
    left = preferring.keep_names(ValuePatch("", "", [op]), names, path, view)
    assert isinstance(left, ValuePatch)
    return left.ops
