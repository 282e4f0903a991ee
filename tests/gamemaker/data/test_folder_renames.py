"""Resources renamed in a folder, as through the library: alone and with an edit."""

from __future__ import annotations

import json
from typing import Any

import pytest

from edited_games import Files, changed, edited, unpacked
from overhaul.errors import SourceError, WorkspaceError
from overhaul.gamemaker.data import GameData

VERSIONS = ("1.0.0.1763", "2.2.5", "2023.4", "2024.14")
KINDS = {
    "sprites": "spr_wall",
    "objects": "obj_wall",
    "rooms": "rm_first",
}


def game(version: str) -> bytes:
    def add(made: GameData) -> None:
        made.add_event("obj_player", "Alarm_0", "sprite_index = spr_wall; hp = obj_wall.hp;")
        made.add_event("obj_wall", "Alarm_0", "room_goto(rm_first);")
        made.add_event("obj_wall", "Alarm_1", "hp = 1;")

    return changed(version, add)


def moved(files: Files, folder: str, old: str, new: str) -> dict[str, Any]:
    """The edits that rename the files of a resource."""
    edits: dict[str, Any] = {}
    for path, data in files.items():
        for begin in (f"{folder}/{old}/", f"{folder}/{old}."):
            if path.startswith(begin):
                edits[path] = None
                edits[begin.replace(old, new) + path[len(begin) :]] = data
    assert edits
    return edits


def by_library(version: str, kind: str, old: str, new: str) -> Files:
    with GameData.from_bytes(game(version)) as made:
        made.load_all()
        getattr(made, kind).rename(old, new)
        return unpacked(made.to_bytes(), "gml")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("kind", "old"), KINDS.items())
def test_a_rename_in_the_folder_is_that_of_the_library(version: str, kind: str, old: str) -> None:
    data = game(version)
    edits = moved(unpacked(data, "gml"), kind, old, "other_name")
    made, warnings = edited(data, edits, code="gml")
    assert warnings == []
    assert unpacked(made.to_bytes(), "gml") == by_library(version, kind, old, "other_name")


@pytest.mark.parametrize("version", VERSIONS)
def test_code_files_may_be_renamed_too_or_edited_where_they_are(version: str) -> None:
    data = game(version)
    files = unpacked(data, "gml")
    edits = moved(files, "objects", "obj_wall", "obj_rock")
    old, new = (f"code/gml_Object_obj_{name}_Alarm_0.gml" for name in ("wall", "rock"))
    for more in ({old: None, new: files[old]}, {old: b"x = 3;"}, {old: None, new: b"x = 3;"}):
        made, warnings = edited(data, edits | more, code="gml")
        assert warnings == []
        expected = by_library(version, "objects", "obj_wall", "obj_rock")
        if b"x = 3;" in more.values():
            expected[new] = b"x = 3;\n"
        shown = unpacked(made.to_bytes(), "gml")
        assert {path: shown[path] for path in shown if path != "strings.csv"} == {
            path: expected[path] for path in expected if path != "strings.csv"
        }
    made, warnings = edited(data, edits | {old: None}, code="gml")
    assert "gml_Object_obj_rock_Alarm_0" not in made.records.code


def edit_json(edits: dict[str, Any], path: str, **fields: object) -> None:
    edits[path] = json.loads(edits[path]) | fields


@pytest.mark.parametrize("version", VERSIONS)
def test_a_rename_with_an_edit_is_a_rename(version: str) -> None:
    data = game(version)
    edits = moved(unpacked(data, "gml"), "objects", "obj_wall", "obj_rock")
    edit_json(edits, "objects/obj_rock/object.json", depth=77)
    made, warnings = edited(data, edits, code="gml")
    assert warnings == []
    rock = made.records.objects["obj_rock"]
    assert rock.depth == 77 and made.records.objects.index(rock) == 1
    assert "hp = obj_rock.hp" in made.code["gml_Object_obj_player_Alarm_0"].gml
    assert "gml_Object_obj_rock_Alarm_1" in made.records.code
    edits = moved(unpacked(data, "gml"), "sprites", "spr_wall", "spr_rock")
    edit_json(edits, "sprites/spr_rock/sprite.json", origin_x=3)
    made, warnings = edited(data, edits, code="gml")
    assert warnings == []
    assert made.records.sprites["spr_rock"].origin_x == 3
    assert made.records.objects["obj_wall"].sprite.name == "spr_rock"


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_nothing_alike_is_another_one(version: str) -> None:
    data = game(version)
    edits: dict[str, Any] = {
        path: None for path in unpacked(data, "gml") if path.startswith("objects/obj_wall/")
    }
    edits["objects/obj_new/object.json"] = {"depth": 3}
    made, warnings = edited(data, edits, code="gml", accept_renumbering=True)
    assert made.records.objects.names() == ["obj_player", "obj_new"]
    assert any("obj_wall was removed" in text for text in warnings)


@pytest.mark.parametrize("version", VERSIONS)
def test_edited_json_may_say_the_old_name_and_code_that_does_is_refused(version: str) -> None:
    data = game(version)
    files = unpacked(data, "gml")
    edits = moved(files, "sprites", "spr_wall", "spr_rock")
    plain = json.loads(files["objects/obj_wall/object.json"])
    assert plain["sprite"] == "spr_wall"
    edits["objects/obj_wall/object.json"] = plain | {"depth": 9}
    made, warnings = edited(data, edits, code="gml")
    assert made.records.objects["obj_wall"].sprite.name == "spr_rock"
    assert warnings == []
    edits["code/gml_Object_obj_wall_Alarm_1.gml"] = b"foo = spr_wall;"
    with pytest.raises(SourceError, match=r"_Alarm_1\.gml:1:7: spr_wall is spr_rock now: write"):
        edited(data, edits, code="gml")


@pytest.mark.parametrize("version", VERSIONS)
def test_two_may_swap_their_names(version: str) -> None:
    data = game(version)
    files = unpacked(data, "gml")
    wall, player = (f"objects/obj_{name}/object.json" for name in ("wall", "player"))
    edits: dict[str, Any] = {
        wall: json.loads(files[wall]) | {"name": "obj_player"},
        player: json.loads(files[player]) | {"name": "obj_wall"},
    }
    made, _ = edited(data, edits, code="gml")
    assert made.records.objects.names() == ["obj_wall", "obj_player"]
    assert "hp = obj_player.hp" in made.code["gml_Object_obj_wall_Alarm_0"].gml


@pytest.mark.sampled(3)
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("spr_player", "another sprite named 'spr_player'"),
        ("obj_player", "another object named 'obj_player'"),
        ("not a name", "expected letters, digits and _"),
        ("while", "a word of the language"),
        ("image_index", "a built-in variable"),
    ],
)
def test_a_name_that_the_library_refuses_is_refused(version: str, name: str, reason: str) -> None:
    data = game(version)
    files = unpacked(data, "gml")
    path = "sprites/spr_wall/sprite.json"
    with pytest.raises(WorkspaceError, match=reason) as caught:
        edited(data, {path: json.loads(files[path]) | {"name": name}}, code="gml")
    assert path in str(caught.value)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_object_that_inherits_from_itself_is_refused(version: str) -> None:
    data = game(version)
    files = unpacked(data, "gml")
    wall, player = (f"objects/obj_{name}/object.json" for name in ("wall", "player"))
    for edits in (
        {wall: json.loads(files[wall]) | {"parent": "obj_wall"}},
        {
            wall: json.loads(files[wall]) | {"parent": "obj_player"},
            player: json.loads(files[player]) | {"parent": "obj_wall"},
        },
    ):
        with pytest.raises(WorkspaceError, match="inherits from itself"):
            edited(data, edits, code="gml")


@pytest.mark.parametrize("version", VERSIONS)
def test_all_code_gone_is_refused(version: str) -> None:
    data = game(version)
    files = unpacked(data, "gml")
    code = [path for path in files if path.startswith("code/") and path.endswith(".gml")]
    with pytest.raises(WorkspaceError, match=f"all {len(code)} code entries would go$"):
        edited(data, dict.fromkeys(code), code="gml")
    moved_away = {path.replace("code/", "kode/"): files[path] for path in code}
    with pytest.raises(WorkspaceError, match=r"would go \(is kode that folder\?\)"):
        edited(data, {**dict.fromkeys(code), **moved_away}, code="gml")
    made, _ = edited(data, dict.fromkeys(code[1:]), code="gml")
    assert len(made.records.code) == 1


@pytest.mark.parametrize("version", VERSIONS)
def test_a_misspelt_code_file_names_the_right_one(version: str) -> None:
    _, warnings = edited(game(version), {"code/gml_Object_obj_wal_Step_0.gml": b"x = 1;"})
    assert warnings == [
        "nothing in the game runs the new code gml_Object_obj_wal_Step_0 "
        "(did you mean 'gml_Object_obj_wall_Step_0'?)"
    ]
