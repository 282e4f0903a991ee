"""Changed code in a folder beside code that nobody changed."""

from __future__ import annotations

import pytest

from edited_games import changed, edited
from overhaul.errors import SourceError, WorkspaceError
from overhaul.gamemaker.data.game import GameData

VERSIONS = ["1.0.0.1763", "2.2.5", "2.3.2", "2024.14"]
STEP = "code/gml_Object_obj_player_Step_0.gml"
CREATE = "code/gml_Object_obj_player_Create_0.gml"


def with_script(version: str) -> bytes:
    modern = not version.startswith(("1.", "2.2"))
    text = "function scr_one() { return 1; }" if modern else "return 1;"
    return changed(version, lambda game: game.add_script("scr_one", text))


def script_path(version: str) -> str:
    word = "GlobalScript" if not version.startswith(("1.", "2.2")) else "Script"
    return f"code/gml_{word}_scr_one.gml"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("text", ["an enum ( that", "#macro M 1\nvar = (;", "globalvar enum ]"])
def test_code_that_nobody_changed_never_blocks_a_pack(version: str, text: str) -> None:
    data = with_script(version)
    before = GameData.from_bytes(data).records.code
    for path in (STEP, script_path(version)):
        game, warnings = edited(
            data, {CREATE: b"y = 5;"}, code="gml", unnoticed={path: text.encode()}
        )
        assert game.records.code["gml_Object_obj_player_Create_0"].gml.strip() == "y = 5;"
        name = path[5:-4]
        assert game.records.code[name].to_bytes() == before[name].to_bytes()
        (warning,) = warnings
        assert warning.startswith((f"{path}:1:", f"{path}:2:"))
        assert "nobody changed this file" in warning and "\n" not in warning


@pytest.mark.parametrize("version", VERSIONS)
def test_code_that_nobody_changed_and_defines_nothing_is_not_parsed(version: str) -> None:
    data = with_script(version)
    for path in (STEP, script_path(version)):
        game, warnings = edited(
            data,
            {CREATE: b"y = scr_one();"},
            code="gml",
            unnoticed={path: b"function ( [ nothing that parses"},
        )
        assert warnings == []
        assert game.records.code["gml_Object_obj_player_Create_0"].gml.strip() == "y = scr_one();"


@pytest.mark.parametrize("version", VERSIONS)
def test_what_an_unchanged_file_defines_is_known(version: str) -> None:
    game, warnings = edited(
        with_script(version),
        {CREATE: b"y = MANY;"},
        code="gml",
        unnoticed={STEP: b"#macro MANY 77\nx = 1;"},
    )
    assert game.records.code["gml_Object_obj_player_Create_0"].gml.strip() == "y = 77;"
    assert warnings == []


@pytest.mark.parametrize("version", VERSIONS)
def test_errors_of_changed_code_are_errors(version: str) -> None:
    for text in (b"#macro M 1\nvar = (;", b"x = (;", b"enum E { A = nothing }"):
        with pytest.raises((SourceError, WorkspaceError), match=f"{STEP}:"):
            edited(with_script(version), {STEP: text, CREATE: b"y = 1;"}, code="gml")


def with_numbers(version: str) -> bytes:
    def add(game: GameData) -> None:
        game.add_event("obj_player", "Alarm_0", "sprite_index = spr_wall; hp = 1;")
        game.add_event("obj_player", "Alarm_1", 'show_message("spr_wall"); // spr_wall')
        game.add_event("obj_player", "Alarm_2", "if (sprite_index == spr_wall) hp = 1;")
        game.add_event("obj_player", "Alarm_3", "hp = 1 + obj_wall.hp;")
        game.add_event("obj_wall", "Alarm_0", "instance_create_depth(0, 0, 0, obj_player);")

    return changed(version, add)


REMOVED = dict.fromkeys(
    f"sprites/spr_player/{name}" for name in ("sprite.json", "0.png", "1.png", "mask_0.png")
)


@pytest.mark.parametrize("version", ["1.0.0.1763", "2.2.5"])
def test_a_deletion_names_the_code_with_numbers_that_moved(version: str) -> None:
    data = with_numbers(version)
    game, warnings = edited(data, REMOVED, code="gml")
    assert game.records.sprites.names() == ["spr_wall"]
    (told,) = (text for text in warnings if "plain numbers" in text)
    assert told == (
        "code of this version holds sprites as plain numbers, of which 2 are others now "
        "(spr_player, spr_wall); as far as the kind of a number is known, these name others now: "
        "code/gml_Object_obj_player_Alarm_0.gml, code/gml_Object_obj_player_Alarm_2.gml"
    )
    # code that was edited too names them as they are now
    mine = {"code/gml_Object_obj_player_Alarm_0.gml": b"sprite_index = spr_wall; hp = 2;"}
    game, warnings = edited(data, REMOVED | mine, code="gml")
    assert "spr_wall" in game.records.code["gml_Object_obj_player_Alarm_0"].gml
    (told,) = (text for text in warnings if "plain numbers" in text)
    assert told.endswith("name others now: code/gml_Object_obj_player_Alarm_2.gml")


@pytest.mark.parametrize("version", ["1.0.0.1763", "2.2.5"])
def test_a_new_order_names_the_code_with_numbers_that_moved(version: str) -> None:
    data = with_numbers(version)
    order = {"objects": ["obj_wall", "obj_player"]}
    game, warnings = edited(data, {"order.json": order}, code="gml")
    assert game.records.objects.names() == ["obj_wall", "obj_player"]
    (told,) = (text for text in warnings if "plain numbers" in text)
    assert told.endswith("these name others now: code/gml_Object_obj_wall_Alarm_0.gml")
    assert "obj_wall.hp" in game.records.code["gml_Object_obj_player_Alarm_3"].gml


def test_code_that_names_a_removed_asset_is_told_of() -> None:
    data = with_numbers("2024.14")
    game, warnings = edited(data, REMOVED, code="gml")
    assert "spr_wall" in game.records.code["gml_Object_obj_player_Alarm_0"].gml
    assert not [text for text in warnings if "plain numbers" in text or "code names" in text]
    wall = dict.fromkeys(f"sprites/spr_wall/{name}" for name in ("sprite.json", "0.png"))
    _, warnings = edited(data, wall, code="gml")
    assert [text for text in warnings if "code names" in text] == [
        "sprites/spr_wall removed, but code names it: code/gml_Object_obj_player_Alarm_0.gml, "
        "code/gml_Object_obj_player_Alarm_2.gml"
    ]
