"""Mods carried to an update of their game."""

from __future__ import annotations

import json

from lantern_edits import EDITS, FIRST, GAME, STEP, first_line, last_line
from modded_games import CAVE, KEEPER, Edit, changed, field, files_of, lantern, plain, swap
from overhaul import mods


def test_a_mod_is_carried_to_an_update(made: dict[str, mods.Mod]) -> None:
    update = changed(GAME, {KEEPER: first_line, CAVE: field("height", 480)})
    carried = mods.rebase(made["last line"], GAME, update)
    assert carried.left_out == []
    assert carried.game.sha256 != made["last line"].game.sha256
    result = mods.apply(update, [carried])
    assert plain(result.data, KEEPER).decode() == last_line(first_line(STEP))


def test_what_an_update_did_too_is_left_out(made: dict[str, mods.Mod]) -> None:
    update = changed(GAME, EDITS["field"])
    carried = mods.rebase(made["field"], GAME, update)
    assert not carried
    assert carried.left_out == []


def test_what_an_update_rewrote_is_reported(made: dict[str, mods.Mod]) -> None:
    mine = mods.make(
        GAME, changed(GAME, {**EDITS["field"], KEEPER: swap(FIRST, "mine = 1;")}), name="mine"
    )
    update = changed(GAME, {KEEPER: swap(FIRST, "theirs = 1;")})
    carried = mods.rebase(mine, GAME, update)
    assert [conflict.path for conflict in carried.left_out] == [KEEPER]
    assert carried.paths() == [CAVE]
    gone = changed(GAME, {CAVE: field("width", 999)})
    assert [c.place for c in mods.rebase(made["field"], GAME, gone).left_out] == ["width"]


def test_lines_that_moved_far_are_found_by_the_old_game() -> None:
    block = "".join(f"a = {number};\n" for number in range(4))
    old = changed(GAME, {KEEPER: lambda text: block + text + block})
    mod = mods.make(
        old, changed(old, {KEEPER: lambda text: "a = 7;".join(text.rsplit("a = 2;", 1))}), name="7"
    )
    many = "".join(f"b = {number};\n" for number in range(40))
    update = changed(old, {KEEPER: lambda text: many + text})
    result = mods.apply(update, [mods.rebase(mod, old, update)])
    found = plain(result.data, KEEPER).decode()
    assert found.split("a = 7;")[0].count("a = 2;") == 1


def test_code_keeps_naming_what_it_named_when_others_go() -> None:
    old = lantern("gms1")
    gone: dict[str, Edit] = {
        "objects/obj_door/object.json": None,
        **{path: None for path in files_of(old) if path.startswith("code/gml_Object_obj_door_")},
        **{path: None for path in files_of(old) if "Collision_obj_door" in path},
        CAVE: _without("obj_door"),
        "objects/obj_keeper/object.json": _without_event("Collision_obj_door"),
    }
    before = {path: plain(old, path) for path in files_of(old) if path.startswith("code/")}
    mod = mods.make(old, changed(old, gone), name="no door", check=False)
    # as somebody's own compiler would have made it: other code names what it did
    mod.patches = {path: patch for path, patch in mod.patches.items() if path in gone}
    result = mods.apply(old, [mod])
    assert result.conflicts == []
    for path, text in before.items():
        if path not in gone and b"obj_door" not in text:
            assert plain(result.data, path) == text


def _without(obj: str) -> Edit:
    def edit(text: str) -> str:
        room = json.loads(text)
        room["instances"] = [item for item in room["instances"] if item["object"] != obj]
        return json.dumps(room)

    return edit


def _without_event(name: str) -> Edit:
    def edit(text: str) -> str:
        plain_object = json.loads(text)
        plain_object["events"].pop(name, None)
        return json.dumps(plain_object)

    return edit
