"""Mods of a small game: compared, made, put on, put together, carried to an update."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overhaul
from modded_games import (
    BLUE,
    CAVE,
    DOOR,
    KEEPER,
    RED,
    Edit,
    changed,
    field,
    instance,
    lantern,
    new_sprite,
    picture,
    plain,
    repainted,
    swap,
    value,
    verified,
)
from overhaul import mods
from overhaul.document.plainfiles import PlainFile
from overhaul.gamemaker.data.game import GameData
from overhaul.media import png
from overhaul.mods import patches
from overhaul.mods.filemerge import FileMerge
from overhaul.mods.renaming import Renaming
from overhaul.mods.view import opened

GAME = lantern()
GLOW = "sprites/spr_glow/0.png"
CATCH = "sounds/snd_catch.wav"
#: code of one line more, so that a change is far from others
STEP = plain(GAME, KEEPER).decode()
FIRST, LAST = STEP.split("\n")[0], STEP.rstrip("\n").split("\n")[-1]


def first_line(text: str) -> str:
    return "lives = 3;\n" + text


def last_line(text: str) -> str:
    return text + "score = 1;\n"


EDITS: dict[str, dict[str, Edit]] = {
    "first line": {KEEPER: first_line},
    "last line": {KEEPER: last_line},
    "other code": {DOOR: first_line},
    "new code": {"code/gml_Object_obj_wall_Create_0.gml": b"depth = 5;\n"},
    "field": {CAVE: field("width", 640)},
    "other field": {CAVE: field("height", 480)},
    "instance": {CAVE: instance(16)},
    "other instance": {CAVE: instance(32, "obj_door")},
    "frame": {GLOW: repainted(GAME, GLOW, 1, 1, RED)},
    "other part of the frame": {GLOW: repainted(GAME, GLOW, 3, 3, BLUE)},
    "new sprite": new_sprite("spr_new"),
    "other new sprite": new_sprite("spr_another"),
    "sound": {CATCH: plain(GAME, "sounds/snd_door.wav")},
    "new object": {"objects/obj_new/object.json": b'{"sprite": "spr_wall"}'},
}


@pytest.fixture(scope="module")
def made() -> dict[str, mods.Mod]:
    """A mod for each of the edits."""
    return {name: mods.make(GAME, changed(GAME, edits), name=name) for name, edits in EDITS.items()}


# --------------------------------------------------------------------------------------- compare


def test_a_game_does_not_differ_from_itself() -> None:
    found = mods.diff(GAME, GAME)
    assert not found
    assert found.changes == []
    assert repr(found) == "<Diff: no differences>"


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_the_only_difference(name: str) -> None:
    found = mods.diff(GAME, changed(GAME, EDITS[name]))
    touched = {path.removesuffix("/object.json") for path in EDITS[name]}
    touched = {path.partition("/sprite.json")[0].partition("/0.png")[0] for path in touched}
    paths = {
        change.path.removesuffix("/0.png").removesuffix("/object.json") for change in found.changes
    }
    follows = {"texture_groups.json", "general.json", "objects/obj_wall", "sounds/snd_catch.json"}
    assert touched <= paths <= touched | follows
    backwards = mods.diff(changed(GAME, EDITS[name]), GAME)
    opposite = {"added": "removed", "removed": "added", "changed": "changed"}
    assert [(opposite[c.kind], c.path) for c in backwards.changes] == [
        (c.kind, c.path) for c in found.changes
    ]


def test_code_is_told_as_a_diff_of_its_source() -> None:
    (change,) = mods.diff(GAME, changed(GAME, EDITS["first line"])).changes
    assert (change.kind, change.path) == ("changed", KEEPER)
    diff = str(change.details["diff"])
    assert diff.startswith("@@ -1,3 +1,4 @@\n+lives = 3;\n " + FIRST)


def test_fields_are_told_by_path() -> None:
    (change,) = mods.diff(GAME, changed(GAME, EDITS["field"])).changes
    assert change.to_json() == {
        "kind": "changed",
        "path": CAVE,
        "details": {"fields": [{"path": "width", "old": 320, "new": 640}]},
    }


def test_instances_are_told_by_their_id() -> None:
    found = mods.diff(GAME, changed(GAME, EDITS["instance"]))
    (change,) = [change for change in found.changes if change.path == CAVE]
    details: Any = change.details
    (row,) = details["fields"]
    assert row["path"].startswith("instances[id=1")
    assert row["new"]["x"] == 16


def test_pictures_are_told_by_pixels() -> None:
    (change,) = mods.diff(GAME, changed(GAME, EDITS["frame"])).changes
    assert change.path == GLOW
    assert change.details["pixels"] == 1


def test_sounds_are_told_by_format_and_length() -> None:
    found = mods.diff(GAME, changed(GAME, EDITS["sound"]), only=["*.wav"])
    (change,) = found.changes
    assert change.details["format"] == change.details["old_format"] == "wav"
    assert change.details["seconds"] != change.details["old_seconds"]


def test_a_sprite_in_front_changes_nothing_else() -> None:
    order = value(GAME, "order.json")
    front = {**order, "sprites": ["spr_new", *order["sprites"]]}
    other = changed(
        GAME, {**new_sprite("spr_new"), "order.json": field("sprites", front["sprites"])}
    )
    assert value(other, "order.json")["sprites"][0] == "spr_new"
    assert [(c.kind, c.path) for c in mods.diff(GAME, other).changes] == [
        ("added", "sprites/spr_new"),
        ("changed", "texture_groups.json"),
    ]


def test_another_order_of_those_that_are_there_is_told() -> None:
    order = value(GAME, "order.json")["sprites"]
    other = changed(GAME, {"order.json": field("sprites", order[::-1])})
    assert [c.path for c in mods.diff(GAME, other).changes] == ["order.json"]
    assert mods.apply(GAME, [mods.make(GAME, other, name="order")]).data == other


def renamed() -> bytes:
    """The game with its wall called otherwise, as packing a folder makes it."""
    with opened(GAME) as view:
        text = view.read("objects/obj_wall/object.json")
    return changed(
        GAME, {"objects/obj_wall/object.json": None, "objects/obj_stone/object.json": text}
    )


def test_a_renamed_object_is_one_change() -> None:
    (change,) = mods.diff(GAME, renamed()).changes
    assert (change.kind, change.path, change.old_path) == (
        "renamed", "objects/obj_stone", "objects/obj_wall",
    )  # fmt: skip


def test_only_some_files_are_compared() -> None:
    other = changed(GAME, {**EDITS["first line"], **EDITS["field"]})
    found = mods.diff(GAME, other, only=["rooms/*"])
    assert [change.path for change in found.changes] == [CAVE]
    assert not mods.diff(GAME, other, only=["sprites"])


def test_a_folder_is_compared_as_the_file_it_makes(tmp_path: Path) -> None:
    overhaul.unpack(GAME, tmp_path / "game")
    assert not mods.diff(GAME, tmp_path / "game")
    step = tmp_path / "game" / KEEPER
    step.write_text(first_line(step.read_text()))
    assert [c.path for c in mods.diff(GAME, tmp_path / "game").changes] == [KEEPER]


def test_games_of_other_versions_are_compared() -> None:
    found = mods.diff(lantern("gms1"), GAME)
    assert "general.json" in [change.path for change in found.changes]
    with pytest.raises(overhaul.OverhaulError):
        mods.make(GAME, b"TOY1", name="x")


def test_a_page_shows_pictures_and_escapes_names() -> None:
    other = changed(GAME, {**EDITS["frame"], KEEPER: lambda text: 'x = "<script>";\n' + text})
    found, page = mods.html_report(GAME, other)
    assert len(found) == 2
    assert page.count("data:image/png;base64,") == 3
    assert "&lt;script&gt;" in page
    assert "<script" not in page


# ------------------------------------------------------------------------------------- the laws


def test_no_mod_and_an_empty_mod_change_nothing() -> None:
    empty = mods.make(GAME, GAME, name="empty")
    assert not empty
    for given in ([], [empty], [empty, empty]):
        result = mods.apply(GAME, given)
        assert (result.data, result.conflicts, result.changed) == (GAME, [], [])


@pytest.mark.parametrize("name", EDITS)
def test_a_mod_makes_of_the_game_what_it_was_made_of(name: str, made: dict[str, mods.Mod]) -> None:
    other = changed(GAME, EDITS[name])
    loaded = mods.load(made[name].to_bytes())
    assert loaded.to_bytes() == made[name].to_bytes()
    result = mods.apply(GAME, [loaded])
    assert result.conflicts == []
    assert result.data == other
    again = mods.apply(result.data, [loaded])
    assert (again.data, again.conflicts) == (result.data, [])


def test_all_edits_together(made: dict[str, mods.Mod]) -> None:
    names = list(made)
    result = mods.apply(GAME, [made[name] for name in names])
    assert result.conflicts == []
    assert mods.apply(GAME, [made[name] for name in reversed(names)]).data == result.data
    verified(result.data)
    text = plain(result.data, KEEPER).decode()
    assert text == last_line(first_line(STEP))
    room = value(result.data, CAVE)
    assert (room["width"], room["height"]) == (640, 480)
    assert [item["object"] for item in room["instances"] if item.get("y") == 8] in (
        ["obj_firefly", "obj_door"],
        ["obj_door", "obj_firefly"],
    )
    told = {change.path for change in mods.diff(GAME, result.data).changes}
    assert {"sprites/spr_new", "sprites/spr_another", CATCH, GLOW, DOOR} <= told


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({KEEPER: first_line}, {KEEPER: lambda text: "lives = 5;\n" + text}),
        ({CAVE: field("width", 640)}, {CAVE: field("width", 800)}),
        (EDITS["frame"], {GLOW: repainted(GAME, GLOW, 1, 1, BLUE)}),
        (EDITS["sound"], {CATCH: plain(GAME, CATCH)[:-2] + b"\1\2"}),
        (new_sprite("spr_new"), {**new_sprite("spr_new"), "sprites/spr_new/0.png": picture(BLUE)}),
    ],
)
def test_two_that_change_the_same_are_in_conflict(
    one: dict[str, Edit], two: dict[str, Edit]
) -> None:
    found = [
        mods.make(GAME, changed(GAME, edits), name=name)
        for name, edits in (("one", one), ("two", two))
    ]
    for order in (found, found[::-1]):
        result = mods.apply(GAME, order)
        assert result.data == b""
        (conflict,) = result.conflicts
        assert set(conflict.mods) == {"one", "two"}
        assert conflict.path in one
        assert conflict.path in str(conflict)
        for name, edits in (("one", one), ("two", two)):
            chosen = mods.apply(GAME, order, prefer=[name])
            assert chosen.conflicts == []
            assert not mods.diff(chosen.data, changed(GAME, edits))
        settled = (
            mods.apply(GAME, order, resolve={conflict.path: plain(GAME, GLOW)})
            if (conflict.path == GLOW)
            else None
        )
        assert settled is None or settled.data == GAME


def test_a_conflict_tells_both_sides_and_the_line(made: dict[str, mods.Mod]) -> None:
    other = mods.make(GAME, changed(GAME, {KEEPER: lambda text: "lives = 5;\n" + text}), name="two")
    (conflict,) = mods.apply(GAME, [made["first line"], other]).conflicts
    assert conflict.line == 1
    assert {conflict.ours, conflict.theirs} == {"lives = 3;", "lives = 5;"}
    assert conflict.to_json()["line"] == 1


def test_a_merged_source_that_does_not_compile_is_a_conflict() -> None:
    bad = mods.make(GAME, changed(GAME, EDITS["first line"]), name="bad")
    bad.added["code/gml_Object_obj_wall_Step_0.gml"] = b"if (\n"
    result = mods.apply(GAME, [bad])
    assert result.data == b""
    assert [conflict.path for conflict in result.conflicts] == [
        "code/gml_Object_obj_wall_Step_0.gml"
    ]


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


def test_edited_texts_are_merged_by_text() -> None:
    rows = plain(GAME, "strings.csv").decode().split("\n")
    numbers = {row.split(",", 1)[1].strip('"'): row.split(",")[0] for row in rows[1:] if row}
    text = next(text for text in numbers if " " in text)
    edited = changed(
        GAME, {"strings.csv": f"index,text\n{numbers[text]},Nur ein Versuch\n".encode()}
    )
    mod = mods.make(GAME, edited, name="words")
    assert mod.texts == {text: "Nur ein Versuch"}
    assert mods.apply(GAME, [mods.load(mod.to_bytes())]).data == edited
    assert mods.apply(edited, [mod]).data == edited
    other = mods.load(mod.to_bytes())
    other.texts, other.name = {text: "Something else"}, "other"
    (conflict,) = mods.apply(GAME, [mod, other]).conflicts
    assert conflict.path == "strings.csv"


def test_what_mods_need_and_do_not_go_with(made: dict[str, mods.Mod]) -> None:
    needs = mods.make(GAME, GAME, name="needs", requires=["field"])
    (conflict,) = mods.apply(GAME, [needs]).conflicts
    assert "needs 'field'" in conflict.reason
    assert mods.apply(GAME, [needs, made["field"]]).conflicts == []
    against = mods.make(GAME, GAME, name="against", conflicts=["field"])
    assert len(mods.apply(GAME, [against, made["field"]]).conflicts) == 1
    foreign = mods.load(made["field"].to_bytes())
    foreign.game = foreign.game._replace(kind="ags-room")
    (conflict,) = mods.apply(GAME, [foreign]).conflicts
    assert "ags-room" in conflict.reason


# --------------------------------------------------------------------------------------- the file


def test_a_mod_is_small_and_always_the_same(made: dict[str, mods.Mod]) -> None:
    data = made["first line"].to_bytes()
    assert len(data) < 2000
    again = mods.make(GAME, changed(GAME, EDITS["first line"]), name="first line")
    assert again.to_bytes() == data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["mod.toml", "index.json", f"changes/{KEEPER}.diff"]
        assert archive.read(f"changes/{KEEPER}.diff").decode().split("\n")[:3] == [
            "@@ -1,3 +1,4 @@", "+lives = 3;", f" {FIRST}",
        ]  # fmt: skip


def test_nothing_of_the_game_is_in_a_mod(made: dict[str, mods.Mod]) -> None:
    everything = b"".join(content for name in made for content in _contents(made[name].to_bytes()))
    pixels = plain(GAME, "sprites/spr_keeper/0.png")
    assert pixels not in everything
    assert plain(GAME, CATCH) not in everything
    assert plain(GAME, "sounds/snd_door.wav") not in everything  # what the one became is a copy
    lines = {line for line in STEP.split("\n")[4:-5] if len(line) > 12}
    assert lines
    assert not any(line.encode() in everything for line in lines)


def _contents(data: bytes) -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [archive.read(name) for name in archive.namelist()]


def test_a_repainted_part_has_no_pixels_of_the_picture(made: dict[str, mods.Mod]) -> None:
    two = repainted(GAME, GLOW, 1, 1, RED)
    edits: dict[str, Edit] = {GLOW: repainted(changed(GAME, {GLOW: two}), GLOW, 4, 4, BLUE)}
    mod = mods.make(GAME, changed(GAME, edits), name="dots")
    patch = mod.patches[GLOW]
    assert isinstance(patch, mods.PicturePatch)
    assert (patch.x, patch.y, patch.pixels.shape) == (1, 1, (4, 4, 4))
    assert int(patch.mask.sum()) == 2
    assert int((patch.pixels != 0).any(axis=2).sum()) == 2
    assert mods.apply(GAME, [mods.load(mod.to_bytes())]).data == changed(GAME, edits)


def test_a_mod_is_edited_as_a_folder(tmp_path: Path, made: dict[str, mods.Mod]) -> None:
    with zipfile.ZipFile(io.BytesIO(made["first line"].to_bytes())) as archive:
        archive.extractall(tmp_path)
    diff = tmp_path / "changes" / f"{KEEPER}.diff"
    diff.write_text(diff.read_text().replace("lives = 3", "lives = 9"))
    result = mods.apply(GAME, [mods.load(tmp_path)])
    assert plain(result.data, KEEPER).startswith(b"lives = 9;\n")


# ---------------------------------------------------------------------------------------- updates


def test_a_mod_is_carried_to_an_update(made: dict[str, mods.Mod]) -> None:
    update = changed(GAME, {KEEPER: first_line, CAVE: field("height", 480)})
    carried = mods.rebase(made["last line"], GAME, update)
    assert carried.told == []
    assert carried.game.sha256 != made["last line"].game.sha256
    result = mods.apply(update, [carried])
    assert plain(result.data, KEEPER).decode() == last_line(first_line(STEP))


def test_what_an_update_did_too_is_left_out(made: dict[str, mods.Mod]) -> None:
    update = changed(GAME, EDITS["field"])
    carried = mods.rebase(made["field"], GAME, update)
    assert not carried
    assert carried.told == []


def test_what_an_update_rewrote_is_told(made: dict[str, mods.Mod]) -> None:
    mine = mods.make(
        GAME, changed(GAME, {**EDITS["field"], KEEPER: swap(FIRST, "mine = 1;")}), name="mine"
    )
    update = changed(GAME, {KEEPER: swap(FIRST, "theirs = 1;")})
    carried = mods.rebase(mine, GAME, update)
    assert [conflict.path for conflict in carried.told] == [KEEPER]
    assert carried.paths() == [CAVE]
    gone = changed(GAME, {CAVE: field("width", 999)})
    assert [c.place for c in mods.rebase(made["field"], GAME, gone).told] == ["width"]


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
        **{path: None for path in _files(old) if path.startswith("code/gml_Object_obj_door_")},
        **{path: None for path in _files(old) if "Collision_obj_door" in path},
        CAVE: _without("obj_door"),
        "objects/obj_keeper/object.json": _without_event("Collision_obj_door"),
    }
    before = {path: plain(old, path) for path in _files(old) if path.startswith("code/")}
    mod = mods.make(old, changed(old, gone), name="no door", check=False)
    # as somebody's own compiler would have made it: other code names what it did
    mod.patches = {path: patch for path, patch in mod.patches.items() if path in gone}
    result = mods.apply(old, [mod])
    assert result.conflicts == []
    for path, text in before.items():
        if path not in gone and b"obj_door" not in text:
            assert plain(result.data, path) == text


def _files(game: bytes) -> list[str]:
    with opened(game) as view:
        return list(view.files)


def _without(obj: str) -> Edit:
    import json

    def edit(text: str) -> str:
        room = json.loads(text)
        room["instances"] = [item for item in room["instances"] if item["object"] != obj]
        return json.dumps(room)

    return edit


def _without_event(name: str) -> Edit:
    import json

    def edit(text: str) -> str:
        plain_object = json.loads(text)
        plain_object["events"].pop(name, None)
        return json.dumps(plain_object)

    return edit


def test_a_renamed_sprite_has_the_frames_of_its_new_folder() -> None:
    frames: dict[str, Edit] = {f"sprites/spr_many/{n}.png": picture((n, 0, 0, 255)) for n in (0, 1)}
    shape = b'{"width": 8, "height": 8}'
    many = changed(GAME, {**frames, "sprites/spr_many/sprite.json": shape})
    moved: dict[str, Edit] = {path: None for path in _files(many) if "spr_many" in path}
    with opened(many) as view:
        json_file = view.read("sprites/spr_many/sprite.json")
        first = view.read("sprites/spr_many/0.png")
    moved |= {"sprites/spr_one/sprite.json": json_file, "sprites/spr_one/0.png": first}
    found = changed(many, moved)
    assert [path for path in _files(found) if "spr_one" in path and "mask" not in path] == [
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


def test_code_new_in_an_object_has_the_name_that_another_mod_gives_it() -> None:
    rename = mods.make(GAME, renamed(), name="rename")
    code = {"code/gml_Object_obj_wall_Create_0.gml": b"depth = 5;\n"}
    new = mods.make(GAME, changed(GAME, {**code}), name="new")
    result = mods.apply(GAME, [new, rename])
    assert result.conflicts == []
    files = _files(result.data)
    assert "code/gml_Object_obj_stone_Create_0.gml" in files
    assert not [path for path in files if "obj_wall" in path]
    events = value(result.data, "objects/obj_stone/object.json")["events"]
    assert events == {"Create_0": "gml_Object_obj_stone_Create_0"}
    assert mods.apply(GAME, [new]).data == changed(GAME, {**code})


def test_a_copy_in_the_place_of_another_file_is_put_in_where_that_is_what_it_was(
    made: dict[str, mods.Mod],
) -> None:
    mod = mods.load(made["sound"].to_bytes())
    assert mod.copied[CATCH].of == "sounds/snd_door.wav"
    assert mod.copied[CATCH].was
    assert not mod.added
    other = changed(GAME, {CATCH: plain(GAME, CATCH)[:-2] + b"\1\2"})
    (conflict,) = mods.apply(other, [mod]).conflicts
    assert (conflict.path, conflict.reason) == (CATCH, "it is replaced, but is not what it was")
    assert mods.apply(other, [mod], prefer=["sound"]).conflicts == []


def indexed(indices: list[list[int]], palette: bytes = bytes(range(48))) -> bytes:
    return png.encode_indexed(np.array(indices, np.uint8), palette)


def test_indexed_pictures_are_merged_by_their_indices() -> None:
    """Two indices of one colour are two areas of a mask."""
    flat = [[1] * 6 for _ in range(6)]
    one, two = [row[:] for row in flat], [row[:] for row in flat]
    one[1][1], two[4][5] = 3, 2
    palette = bytes(48)  # all of one colour
    before, first, second = (
        patches.read_picture(indexed(rows, palette)) for rows in (flat, one, two)
    )
    assert patches.content_digest("a.png", before.encode()) != patches.content_digest(
        "a.png", first.encode()
    )
    assert patches.content_digest("a.png", indexed(flat)) != patches.content_digest(
        "a.png", before.encode()
    )
    parts = [
        patches.repainted("was", f"now {number}", before.pixels, after.pixels)
        for number, after in enumerate((first, second))
    ]
    with opened(GAME) as view:
        view.files["a.png"] = PlainFile("a.png", before.encode)
        merging = FileMerge("a.png", view, frozenset(), Renaming({}))
        for owner, patch in enumerate(parts):
            assert patch is not None
            merging.patch(owner, patch)
        result = merging.result()
    assert result is not None
    assert merging.conflicts == []
    indices, colours = png.decode_indexed(result.data or b"")
    assert (indices[1, 1], indices[4, 5], int((indices != 1).sum())) == (3, 2, 2)
    assert colours == palette


def test_a_picture_that_is_not_indexed_has_no_palette() -> None:
    assert patches.read_picture(picture(RED)).palette == b""
    with pytest.raises(overhaul.FormatError, match="expected an indexed picture"):
        png.decode_indexed(picture(RED))


def test_an_edited_text_in_the_context_of_a_changed_line() -> None:
    words = 'hint = "Mind the step";\n'
    old = changed(GAME, {KEEPER: lambda text: words + text})
    rows = plain(old, "strings.csv").decode().split("\n")
    number = next(row.split(",")[0] for row in rows if "Mind the step" in row)
    table = f'index,text\n{number},"Vorsicht, Stufe"\n'.encode()
    one = mods.make(old, changed(old, {"strings.csv": table}), name="words")
    two = mods.make(old, changed(old, {KEEPER: first_line}), name="line")
    assert one.texts == {"Mind the step": "Vorsicht, Stufe"}
    result = mods.apply(old, [one, two])
    assert result.conflicts == []
    source = plain(result.data, KEEPER).decode()
    assert source.startswith('lives = 3;\nhint = "Vorsicht, Stufe";\n')
    assert mods.apply(old, [two, one]).data == result.data
