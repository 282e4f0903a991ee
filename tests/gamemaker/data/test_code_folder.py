"""Code files of a folder that come, go, or have errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import overhaul
from overhaul.errors import SourceError, WorkspaceError
from overhaul.gamemaker.data.chunks.objt import EventType
from overhaul.gamemaker.data.chunks.room import Instance
from small_games import game_of

VERSIONS = ["1.0.0.1567", "1.0.0.1763", "2.2.5", "2.3.1", "2023.4", "2024.14"]


def unpacked(version: str, folder: Path) -> Path:
    game = game_of(version)
    game.records.rooms["rm_first"].instances.append(
        Instance(object=game.records.objects.reference(0), id=100000)
    )
    modern = game.release.at_least(2, 3)
    game.add_script("scr_one", "function scr_one() { return 1; }" if modern else "return 1;")
    game.add_event("obj_a", "Step_0", "x = scr_one();")
    game.add_event("obj_a", "Alarm_3", "x = 1;")
    game.save(folder / "game.win")
    overhaul.unpack(folder / "game.win", folder / "game")
    return folder / "game"


def write(folder: Path, name: str, text: str) -> None:
    (folder / "code" / name).write_text(text, "utf-8")


def packed(folder: Path) -> tuple[Any, list[str]]:
    out = folder.parent / "new.win"
    out.unlink(missing_ok=True)
    done = overhaul.pack(folder, out)
    assert overhaul.verify(out).identical
    return overhaul.open(out), done.warnings


@pytest.mark.parametrize("version", VERSIONS)
def test_new_code_is_run_as_its_name_says(version: str, tmp_path: Path) -> None:
    folder = unpacked(version, tmp_path)
    write(folder, "gml_Object_obj_a_Alarm_7.gml", "y = 2;")
    other = "1" if version.startswith("1.") else "obj_a_b"
    write(folder, f"gml_Object_obj_a_Collision_{other}.gml", "y = 3;")
    write(folder, "gml_Room_rm_first_Create.gml", "y = 4;")
    write(folder, "gml_RoomCC_rm_first_100000_Create.gml", "y = 5;")
    game, warnings = packed(folder)
    assert warnings == []
    events = game.records.objects["obj_a"].events
    assert {event.subtype: str(event.actions[0].code.name) for event in events[2]} == {
        3: "gml_Object_obj_a_Alarm_3",
        7: "gml_Object_obj_a_Alarm_7",
    }
    (hit,) = events[int(EventType.COLLISION)]
    assert hit.subtype == game.records.objects["obj_a_b"]
    assert hit.actions[0].code.name == f"gml_Object_obj_a_Collision_{other}"
    room = game.records.rooms["rm_first"]
    assert room.creation_code.name == "gml_Room_rm_first_Create"
    assert room.instances[0].creation_code.name == "gml_RoomCC_rm_first_100000_Create"
    assert game.records.code["gml_Room_rm_first_Create"].gml.strip() == "y = 4;"
    listed = {str(script.name) for script in game.records.scripts}
    assert ("gml_Room_rm_first_Create" in listed) == (version == "2024.14")


def test_what_nothing_runs_is_reported(tmp_path: Path) -> None:
    folder = unpacked("2023.4", tmp_path)
    plain = json.loads((folder / "objects/obj_a_b/object.json").read_text())
    plain["events"] = {"Create_0": "my_code"}
    (folder / "objects/obj_a_b/object.json").write_text(json.dumps(plain))
    for name in ("my_code", "other_code", "gml_Object_obj_zzz_Step_0", "gml_Script_scr_old"):
        write(folder, f"{name}.gml", "y = 1;")
    write(folder, "notes.txt", "not code")
    game, warnings = packed(folder)
    assert sorted(warnings) == [
        "code/notes.txt: it is not part of a game, and was ignored",
        "nothing in the game runs the new code gml_Object_obj_zzz_Step_0 "
        "(did you mean 'gml_Object_obj_a_Step_0'?)",
        "nothing in the game runs the new code gml_Script_scr_old",
        "nothing in the game runs the new code other_code",
    ]
    assert game.records.objects["obj_a_b"].events[0][0].actions[0].code.name == "my_code"


@pytest.mark.parametrize("version", VERSIONS)
def test_removed_code_is_run_no_more(version: str, tmp_path: Path) -> None:
    folder = unpacked(version, tmp_path)
    modern = version.startswith(("2.3", "20"))
    script = "gml_GlobalScript_scr_one" if modern else "gml_Script_scr_one"
    for name in ("gml_Object_obj_a_Alarm_3", script):
        (folder / f"code/{name}.gml").unlink()
    game, warnings = packed(folder)
    assert warnings == [
        "code/gml_Object_obj_a_Alarm_3.gml: the code was removed, but objects/obj_a/object.json "
        "names it: there is nothing there now",
        f"code/{script}.gml: it was removed, but code calls its function scr_one: "
        "code/gml_Object_obj_a_Step_0.gml:1",
    ]
    assert [str(entry.name) for entry in game.records.code] == ["gml_Object_obj_a_Step_0"]
    assert game.records.objects["obj_a"].events[2] == []
    assert len(game.records.scripts) == 0


def test_a_handmade_object_may_leave_its_events_to_the_code(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    for path, text in {
        "overhaul.toml": '[document]\nkind = "gamemaker-data"\nversion = "2023.4"\n',
        "objects/obj_a/object.json": "{}",
        "objects/obj_b/object.json": '{"events": {}}',
        "code/gml_Object_obj_a_Step_0.gml": "x = 1;",
        "code/gml_Object_obj_b_Step_0.gml": "x = 1;",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    game, _ = packed(folder)
    assert len(game.records.objects["obj_a"].events[3]) == 1
    assert len(game.records.objects["obj_b"].events[3]) == 0


def test_the_errors_of_all_files_are_reported_at_once(tmp_path: Path) -> None:
    folder = unpacked("2023.4", tmp_path)
    write(folder, "gml_Object_obj_a_Step_0.gml", "x = ;\nbreak;\ny = (1;")
    write(folder, "gml_Object_obj_a_Alarm_3.gml", "pi = 3;\nbreak;")
    write(folder, "gml_GlobalScript_scr_one.gml", "function scr_one( { }")
    with pytest.raises(SourceError) as caught:
        overhaul.pack(folder, tmp_path / "new.win")
    text = str(caught.value)
    for place in (
        "code/gml_Object_obj_a_Step_0.gml:1:5: ",
        "code/gml_Object_obj_a_Step_0.gml:3:7: ",
        "code/gml_Object_obj_a_Alarm_3.gml:1:1: ",
        "code/gml_Object_obj_a_Alarm_3.gml:2:1: ",
        "code/gml_GlobalScript_scr_one.gml:1:19: ",
    ):
        assert place in text
    assert "    x = ;\n        ^" in text
    assert not (tmp_path / "new.win").exists()


@pytest.mark.parametrize("version", ["1.0.0.1763", "2023.4"])
def test_a_macro_ends_with_its_line(version: str, tmp_path: Path) -> None:
    folder = unpacked(version, tmp_path)
    modern = version == "2023.4"
    body = "function scr_two() { return SPEED; }" if modern else "return SPEED;"
    script = "gml_GlobalScript_scr_two" if modern else "gml_Script_scr_two"
    write(folder, f"{script}.gml", f"#macro SPEED 7\n#macro LONG 1 + \\\n    2\n{body}\n")
    write(folder, "gml_Object_obj_a_Step_0.gml", "x = scr_two() + SPEED + LONG;")
    game, warnings = packed(folder)
    assert warnings == []
    assert game.records.code["gml_Object_obj_a_Step_0"].gml.strip() == "x = scr_two() + 7 + 1 + 2;"


def test_a_name_too_long_for_a_file(tmp_path: Path) -> None:
    name = "gml_Object_" + "long_" * 60 + "_Step_0"
    game = game_of("2023.4")
    entry = game.add_event("obj_a", "Step_0", "x = 1;")
    entry.name = game.strings.add(name)
    game.save(tmp_path / "game.win")
    folder = tmp_path / "game"
    overhaul.unpack(tmp_path / "game.win", folder)
    overhaul.pack(folder, tmp_path / "new.win", from_scratch=True)
    made: Any = overhaul.open(tmp_path / "new.win")
    assert made.records.objects["obj_a"].events[3][0].actions[0].code == made.records.code[name]


def test_errors_in_assembly_have_their_places(tmp_path: Path) -> None:
    folder = unpacked("2023.4", tmp_path)
    (folder / "code/gml_Object_obj_a_Step_0.gml").unlink()
    write(
        folder,
        "gml_Object_obj_a_Step_0.asm",
        "; unused locals 1\n:[0]\npushi.e 1\nnonsense.v 3\n",
    )
    with pytest.raises(SourceError) as caught:
        overhaul.pack(folder, tmp_path / "new.win")
    assert str(caught.value).startswith("code/gml_Object_obj_a_Step_0.asm:4:1: ")
    assert str(caught.value).endswith("\n    nonsense.v 3\n    ^")


@pytest.mark.parametrize("version", VERSIONS)
def test_names_that_nothing_has_are_warnings(version: str, tmp_path: Path) -> None:
    folder = unpacked(version, tmp_path)
    write(folder, "gml_Object_obj_a_Step_0.gml", "x = lonely;\ny = obj_aa + set_later;")
    write(folder, "gml_Object_obj_a_Alarm_3.gml", "set_later = 1;\nx = lonely;")
    expected = [
        "code/gml_Object_obj_a_Alarm_3.gml:2:5: unknown variable lonely",
        "code/gml_Object_obj_a_Step_0.gml:1:5: unknown variable lonely",
        "code/gml_Object_obj_a_Step_0.gml:2:5: unknown variable obj_aa (did you mean obj_a?)",
    ]
    assert sorted(packed(folder)[1]) == expected
    scratch = overhaul.pack(folder, tmp_path / "scratch.win", from_scratch=True)
    assert sorted(warning for warning in scratch.warnings if "unknown" in warning) == expected
    with pytest.raises(WorkspaceError) as caught:
        overhaul.pack(folder, tmp_path / "strict.win", strict=True)
    assert sorted(str(caught.value).splitlines()) == expected
    assert not (tmp_path / "strict.win").exists()
    write(folder, "gml_Object_obj_a_Step_0.gml", "x = set_later;")
    write(folder, "gml_Object_obj_a_Alarm_3.gml", "set_later = 1;")
    overhaul.pack(folder, tmp_path / "strict.win", strict=True)


def test_names_of_new_code_are_checked_in_the_library_too() -> None:
    game = game_of("2023.4")
    game.add_script("scr", "function scr(a) { return a + qwertz; }")
    game.add_event("obj_a", "Step_0", "x = scr(1) + qwertz; fresh = 2; scrr();")
    game.records.code["gml_Object_obj_a_Step_0"].gml = "x = fresh; y = qwertz;"
    assert game.warnings == [
        "gml_GlobalScript_scr:1:30: unknown variable qwertz",
        "gml_Object_obj_a_Step_0:1:14: unknown variable qwertz",
        "gml_Object_obj_a_Step_0:1:33: unknown function scrr (did you mean scr?)",
        "gml_Object_obj_a_Step_0:1:16: unknown variable qwertz",
        "gml_Object_obj_a_Step_0: it no longer sets fresh, nor does other code, and code reads it: "
        "gml_Object_obj_a_Step_0:1",
    ]
    code = game.compile("gml_Object_obj_a_Step_0", "x = fresh + LIMIT + limit;", "#macro LIMIT 3")
    (result,) = code.unknown
    assert str(result) == "1:21: unknown variable limit (did you mean LIMIT?)"
    assert len(game.warnings) == 5
