"""Resources with new names: compared, put on, and together with what other mods do to them."""

from __future__ import annotations

import overhaul
from lantern_edits import GAME, renamed
from modded_games import (
    CAVE,
    KEEPER,
    Edit,
    changed,
    field,
    files_of,
    instance,
    new_sprite,
    picture,
    plain,
    value,
)
from overhaul import mods
from overhaul.gamemaker.data.game import GameData
from overhaul.mods.view import opened


def test_a_renamed_object_is_one_change() -> None:
    (change,) = mods.diff(GAME, renamed()).changes
    assert (change.kind, change.path, change.old_path) == (
        "renamed", "objects/obj_stone", "objects/obj_wall",
    )  # fmt: skip


def test_a_renamed_sprite_has_the_frames_of_its_new_folder() -> None:
    frames: dict[str, Edit] = {f"sprites/spr_many/{n}.png": picture((n, 0, 0, 255)) for n in (0, 1)}
    shape = b'{"width": 8, "height": 8}'
    many = changed(GAME, {**frames, "sprites/spr_many/sprite.json": shape})
    moved: dict[str, Edit] = {path: None for path in files_of(many) if "spr_many" in path}
    with opened(many) as view:
        json_file = view.read("sprites/spr_many/sprite.json")
        first = view.read("sprites/spr_many/0.png")
    moved |= {"sprites/spr_one/sprite.json": json_file, "sprites/spr_one/0.png": first}
    found = changed(many, moved)
    assert [path for path in files_of(found) if "spr_one" in path and "mask" not in path] == [
        "sprites/spr_one/sprite.json",
        "sprites/spr_one/0.png",
    ]


def test_an_object_renamed_with_its_code_is_only_renamed() -> None:
    game = overhaul.open(GAME)
    assert isinstance(game, GameData)
    game.objects.rename("obj_door", "obj_gate")
    new = game.to_bytes()
    found = mods.diff(GAME, new)
    assert {change.kind for change in found.changes} == {"renamed"}
    assert ("objects/obj_gate", "objects/obj_door") in {(c.path, c.old_path) for c in found.changes}
    mod = mods.make(GAME, new, name="gate")
    assert (mod.added, mod.removed) == ({}, {})
    result = mods.apply(GAME, [mods.load(mod.to_bytes())])
    assert not mods.diff(result.data, new)


def test_a_renamed_script_is_only_renamed() -> None:
    game = overhaul.open(GAME)
    assert isinstance(game, GameData)
    game.scripts.rename("scr_flicker", "scr_blink")
    new = game.to_bytes()
    place = "code/gml_GlobalScript_scr_"
    found = mods.diff(GAME, new)
    assert [(c.kind, c.path, c.old_path) for c in found.changes] == [
        ("renamed", f"{place}blink", f"{place}flicker")
    ]
    mod = mods.make(GAME, new, name="blink")
    assert mod.renamed == {f"{place}flicker": f"{place}blink"}
    assert not mods.diff(mods.apply(GAME, [mod]).data, new)


def test_a_renamed_object_and_what_names_it_go_together() -> None:
    rename = mods.make(GAME, renamed(), name="rename")
    assert rename.renamed == {"objects/obj_wall": "objects/obj_stone"}
    assert rename.patches == {}
    edits: dict[str, Edit] = {
        CAVE: instance(16, "obj_wall"),
        KEEPER: lambda text: text + "hits = instance_number(obj_wall);\n",
        "objects/obj_wall/object.json": field("visible", False),
    }
    use = mods.make(GAME, changed(GAME, edits), name="use")
    result = mods.apply(GAME, [rename, use])
    assert result.conflicts == []
    assert mods.apply(GAME, [use, rename]).data == result.data
    assert b"instance_number(obj_stone)" in plain(result.data, KEEPER)
    assert value(result.data, "objects/obj_stone/object.json")["visible"] is False
    room = value(result.data, CAVE)
    assert "obj_wall" not in {item["object"] for item in room["instances"]}
    assert mods.apply(GAME, [rename]).data == renamed()


def test_two_names_for_one_object_are_a_conflict() -> None:
    rename = mods.make(GAME, renamed(), name="rename")
    other = mods.load(rename.to_bytes())
    other.renamed = {"objects/obj_wall": "objects/obj_rock"}
    other.name = "other"
    (conflict,) = mods.apply(GAME, [rename, other]).conflicts
    assert conflict.path == "objects/obj_wall"


def test_code_new_in_an_object_has_the_name_that_another_mod_gives_it() -> None:
    rename = mods.make(GAME, renamed(), name="rename")
    code = {"code/gml_Object_obj_wall_Create_0.gml": b"depth = 5;\n"}
    new = mods.make(GAME, changed(GAME, {**code}), name="new")
    result = mods.apply(GAME, [new, rename])
    assert result.conflicts == []
    files = files_of(result.data)
    assert "code/gml_Object_obj_stone_Create_0.gml" in files
    assert not [path for path in files if "obj_wall" in path]
    events = value(result.data, "objects/obj_stone/object.json")["events"]
    assert events == {"Create_0": "gml_Object_obj_stone_Create_0"}
    assert mods.apply(GAME, [new]).data == changed(GAME, {**code})


def test_one_of_two_names_may_be_preferred() -> None:
    rename = mods.make(GAME, renamed(), name="rename")
    text = plain(GAME, "objects/obj_wall/object.json")
    rock: dict[str, Edit] = {
        "objects/obj_wall/object.json": None,
        "objects/obj_rock/object.json": text,
    }
    use: dict[str, Edit] = {
        CAVE: instance(16, "obj_rock"),
        KEEPER: lambda text: text + "hits = instance_number(obj_rock);\n",
    }
    other = mods.make(GAME, changed(changed(GAME, rock), use), name="other")
    assert other.renamed == {"objects/obj_wall": "objects/obj_rock"}
    for name, kept in (("rename", "obj_stone"), ("other", "obj_rock")):
        result = mods.apply(GAME, [rename, other], prefer=[name])
        assert result.conflicts == []
        assert result.data == mods.apply(GAME, [other, rename], prefer=[name]).data
        assert f"instance_number({kept})".encode() in plain(result.data, KEEPER)
        assert f"objects/{kept}/object.json" in files_of(result.data)
        assert kept in {item["object"] for item in value(result.data, CAVE)["instances"]}
    for prefer in ([], ["rename", "other"]):
        (conflict,) = mods.apply(GAME, [rename, other], prefer=prefer).conflicts
        assert conflict.reason == "it is renamed by both"


def test_code_of_another_kind_s_name_is_not_an_object_s() -> None:
    """A sprite may have the name of an object that a mod gives code."""
    with GameData.from_bytes(changed(GAME, new_sprite("spr_wall_too"))) as game:
        game.load_all()
        game.records.sprites["spr_wall_too"].name = game.strings.add("obj_wall")
        old = game.to_bytes()
    sprite = {path: plain(old, path) for path in files_of(old) if "sprites/obj_wall" in path}
    edits: dict[str, Edit] = dict.fromkeys(sprite)
    edits |= {path.replace("obj_wall", "spr_rock"): data for path, data in sprite.items()}
    rename = mods.make(old, changed(old, edits), name="rename")
    assert rename.renamed == {"sprites/obj_wall": "sprites/spr_rock"}
    code = "code/gml_Object_obj_wall_Create_0.gml"
    new = mods.make(old, changed(old, {code: b"depth = 5;\n"}), name="new")
    result = mods.apply(old, [rename, new])
    assert result.conflicts == []
    assert plain(result.data, code) == b"depth = 5;\n"
