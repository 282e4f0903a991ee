"""What a folder says without its kept original, so that the same game is made of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import overhaul
from edited_games import made, packed, unpacked
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.chunks import uilr
from overhaul.gamemaker.data.chunks.func import Variable
from overhaul.gamemaker.data.chunks.room import EffectProperty
from overhaul.gamemaker.data.game import GameData
from present import opened, present
from same_meaning import differences
from small_folders import put, small_game


def roundtrip(folder: Path) -> tuple[Any, Any, Any]:
    """The game of a folder, the one of its plain files alone, and what its code.json says."""
    place = folder.parent
    overhaul.pack(folder, place / "data.win")
    overhaul.unpack(place / "data.win", place / "again")
    details = json.loads((place / "again/code.json").read_text())
    shutil.rmtree(place / "again/.overhaul")
    overhaul.pack(place / "again", place / "bare.win")
    first, second = opened(place / "data.win", GameData), opened(place / "bare.win", GameData)
    assert differences(first, second) == []
    return first, second, details


def with_sources(folder: Path, version: str, code: dict[str, str], details: object) -> None:
    small_game(folder, version)
    for path in (folder / "code").glob("*.asm"):
        path.unlink()
    code.setdefault("gml_Object_obj_player_Step_0", "x += 1;")
    code.setdefault("gml_Object_obj_player_Collision_obj_wall", "x = 1;")
    for name, text in code.items():
        put(folder, f"code/{name}.gml", text)
    put(folder, "code.json", details)


def test_scripts_whose_code_is_no_function(tmp_path: Path) -> None:
    """Imported from a project before 2.3, they are called by their name alone."""
    code = {
        "gml_GlobalScript_scr_old": "return argument0 + 1;",
        "gml_Object_obj_player_Create_0": "x = scr_old(1);",
    }
    folder = tmp_path / "game"
    with_sources(folder, "2022.3", code, {})
    put(folder, "scripts.json", {"scr_old": "gml_GlobalScript_scr_old"})
    put(folder, "global_init.json", ["gml_GlobalScript_scr_old"])
    _, second, _ = roundtrip(folder)
    create = second.code["gml_Object_obj_player_Create_0"].assembly
    assert "call.i scr_old(argc=1)" in create


def test_variables_that_are_functions_of_other_releases(tmp_path: Path) -> None:
    code = {"gml_Object_obj_player_Create_0": "handle_parse = 1; x = handle_parse(2);"}
    with_sources(tmp_path / "game", "2022.3", code, {"own": ["handle_parse"]})
    _, second, details = roundtrip(tmp_path / "game")
    assert details["own"] == ["handle_parse"]
    assert "handle_parse(argc=1)" not in second.code["gml_Object_obj_player_Create_0"].assembly


def test_unused_locals_of_inner_functions(tmp_path: Path) -> None:
    inner = "function f(a) { var unused, used = a; return function() { var b = 1; return b; }; }"
    code = {"gml_GlobalScript_scr_f": inner, "gml_Object_obj_player_Create_0": "f(1)();"}
    with_sources(tmp_path / "game", "2022.3", code, {})
    put(tmp_path / "game", "global_init.json", ["gml_GlobalScript_scr_f"])
    first, _, details = roundtrip(tmp_path / "game")
    shown = details["entries"]["gml_GlobalScript_scr_f"]
    assert shown["locals"] == {"gml_Script_f": 2} and len(shown["functions"]) == 2
    (function,) = (entry for entry in first.records.code.present() if entry.name == "gml_Script_f")
    assert function.locals_count == 2


@pytest.mark.parametrize("version", ["1.0.0.1567", "1.0.0.1675", "2.2.1", "2022.3", "2024.14"])
def test_variables_that_no_code_uses(version: str) -> None:
    """Two of a release have the same name: a variable of the instance, and a global one."""

    def rows(game: Any) -> list[tuple[str, int, int]]:
        return [(str(v.name), v.instance_type, v.id) for v in game.variables.present()]

    typed = version != "1.0.0.1567"
    scopes = (-1, -5, -7, -16) if typed else (-1,)
    game = GameData.from_bytes(packed(version))
    game.load_all()
    known = rows(game)
    for scope in scopes:
        game.variables.items.append(Variable(game.strings.add("left_over"), scope))
    data = game.to_bytes()
    files = unpacked(data, "gml")
    said = json.loads(files["code.json"])["unused"]
    words = {-1: "self", -5: "global", -7: "local", -16: "static"}
    assert said == [f"{words[scope]}.left_over" for scope in scopes]
    again = made(files, version)
    left = rows(again)[len(known) :]
    assert [row[:2] for row in left] == [("left_over", scope) for scope in scopes]
    assert rows(again)[: len(known)] == known
    assert json.loads(unpacked(again.to_bytes(), "gml")["code.json"])["unused"] == said
    if version == "2.2.1":  # where ids are numbers from one pool
        most = max(number for _, scope, number in known if scope != -7)
        ids = [number for _, scope, number in left if scope != -7]
        assert ids == [most + 1, most + 2, most + 3]


def test_unused_variables_are_named_rightly() -> None:
    files = unpacked(packed("2022.3"), "gml")
    for text in ("left_over", "nowhere.left_over", "self."):
        files["code.json"] = json.dumps({"unused": [text]}).encode()
        with pytest.raises(WorkspaceError, match=r"code.json: expected"):
            made(files, "2022.3")


@pytest.mark.parametrize("version", ["2024.13", "2024.14"])
def test_ui_layers(version: str) -> None:
    """Every kind of node of the tree, with values of its own."""
    game = GameData.from_bytes(packed(version))
    game.load_all()
    text = game.strings.add
    nodes = []
    for kind, record in uilr.NODE_RECORDS.items():
        data: Any = record()
        if hasattr(data, "name"):
            data.name = text(f"node {kind}")
        if isinstance(data, uilr.FlexPanel):
            data.width = uilr.Length(12.5, uilr.Unit.PERCENT)
        elif isinstance(data, uilr.UiInstance):
            data.instance.object = game.records.objects.reference(1)
        elif isinstance(data, uilr.UiEffect):
            data.effect_type = text("_effect_blur")
            data.properties = [EffectProperty(name=text("g_Radius"), value=text("4"))]
        nodes.append(uilr.Node(kind, data))
    top = uilr.Node(uilr.NodeType.LAYER, uilr.FlexLayer(text("top")), nodes)
    present(game.record("UILR")).nodes.append(top)
    data = game.to_bytes()
    files = unpacked(data)
    again = made(files, version)
    again.load_all()
    assert again.record("UILR") == game.record("UILR")
    assert len(again.record("UILR").nodes[0].children) == len(uilr.NODE_RECORDS)
    assert json.loads(unpacked(again.to_bytes())["ui_layers.json"]) == json.loads(
        files["ui_layers.json"]
    )


def test_names_that_are_used_otherwise_than_tables_say(tmp_path: Path) -> None:
    """A variable with the name of a sprite, and a function with too many arguments."""
    folder = tmp_path / "game"
    create = "y = spr_wall; x = abs(1, 2); room_width = 3;"
    details = {
        "entries": {
            "gml_Object_obj_player_Create_0": {
                "variables": ["spr_wall"],
                "calls": [["abs", 2]],
                "writes": ["room_width"],
            }
        }
    }
    with_sources(folder, "2024.14", {"gml_Object_obj_player_Create_0": create}, details)
    first, _, again = roundtrip(folder)
    code = first.code["gml_Object_obj_player_Create_0"].assembly
    assert "spr_wall\n" in code and "pushref" not in code and "call.i abs(argc=2)" in code
    shown = again["entries"]["gml_Object_obj_player_Create_0"]
    assert shown["variables"] == ["spr_wall"] and shown["calls"] == [["abs", 2]]
