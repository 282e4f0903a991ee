"""Changed code in a folder next to code that did not change."""

from __future__ import annotations

import json

import pytest

from edited_games import changed, edited, packed, shown, unpacked
from overhaul.errors import SourceError, WorkspaceError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder import code_edits
from overhaul.gamemaker.data_folder.assigning import declare
from overhaul.gml.context import Context

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
def test_code_that_did_not_change_never_blocks_a_pack(version: str, text: str) -> None:
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
        assert "this file did not change" in warning and "\n" not in warning


@pytest.mark.parametrize("version", VERSIONS)
def test_code_that_did_not_change_and_defines_nothing_is_not_parsed(version: str) -> None:
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


OTHERWISE = "and other code gets one of them: give one another name"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        ("#macro MANY 77", "#macro MANY 78", "macro MANY"),
        ("enum Mode { A, B = 5 }", "enum Mode { A, B = 6 }", "enum Mode"),
    ],
)
def test_a_name_that_two_files_define_otherwise_is_a_warning(
    version: str, one: str, other: str, what: str
) -> None:
    again = {CREATE: f"{one}\ny = 1;".encode(), STEP: f"x = 1;\n{other}".encode()}
    _, warnings = edited(with_script(version), again, code="gml")
    assert warnings == [f"{STEP}:2: the {what} has another meaning in {CREATE}:1, {OTHERWISE}"]
    _, warnings = edited(
        with_script(version), {CREATE: again[CREATE]}, code="gml", unnoticed={STEP: again[STEP]}
    )
    assert len(warnings) == 1


@pytest.mark.parametrize("version", VERSIONS)
def test_a_macro_that_one_file_defines_twice_is_a_warning(version: str) -> None:
    _, warnings = edited(
        with_script(version), {STEP: b"#macro M 1\n#macro M 2\nx = M;"}, code="gml"
    )
    assert warnings == [f"{STEP}:2: the macro M has another meaning in {STEP}:1, {OTHERWISE}"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "text",
    [
        "#macro MANY 77\n#macro Other:MANY 78",
        "enum Mode { A, B = 5 }",
        "#macro FIVE 5\nenum Mode { A = 0, B = FIVE }",
    ],
)
def test_a_name_that_two_files_define_alike_is_none(version: str, text: str) -> None:
    both = {
        CREATE: f"{text}\ny = 1;".encode(),
        STEP: b"enum Mode { A, B = 5 }\n#macro MANY  77\nx = 1;",
    }
    _, warnings = edited(with_script(version), both, code="gml")
    assert warnings == []


@pytest.mark.parametrize("version", VERSIONS)
def test_the_enum_that_decompiling_makes_is_each_files_own(version: str) -> None:
    made = "x = UnknownEnum.Value_{0};\nenum UnknownEnum {{ Value_{0} = {0} }}"
    both = {CREATE: made.format(1).encode(), STEP: made.format(2).encode()}
    _, warnings = edited(with_script(version), both, code="gml")
    assert warnings == []


@pytest.mark.parametrize("version", VERSIONS)
def test_that_enum_of_other_files_is_not_read_unless_it_is_used(
    version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = "x = UnknownEnum.Value_3;\nenum UnknownEnum { Value_3 = 3 }\n"
    declared: list[str] = []

    def noting(context: Context, name: str, text: str, *, functions: bool) -> None:
        declared.append(text)
        declare(context, name, text, functions=functions)

    monkeypatch.setattr(code_edits, "declare", noting)
    own = "y = UnknownEnum.Value_4; enum UnknownEnum { Value_4 = 4 }"
    for text, is_read in (
        ("y = 1; // what enumerates", False),
        (own, False),
        ("y = UnknownEnum.Value_3;", True),
    ):
        del declared[:]
        game, warnings = edited(
            with_script(version),
            {STEP: text.encode()},
            code="gml",
            unnoticed={CREATE: made.encode()},
        )
        assert (made in declared) is is_read
        assert text in declared
        assert warnings == []
    now = game.records.code["gml_Object_obj_player_Step_0"].gml
    assert now.startswith(("y = UnknownEnum.Value_3;", "y = 3;"))


@pytest.mark.parametrize("version", VERSIONS)
def test_errors_of_changed_code_are_errors(version: str) -> None:
    for text in (b"#macro M 1\nvar = (;", b"x = (;", b"enum E { A = nothing }"):
        with pytest.raises((SourceError, WorkspaceError), match=f"{STEP}:"):
            edited(with_script(version), {STEP: text, CREATE: b"y = 1;"}, code="gml")


#: releases whose code holds assets as numbers
NUMBERED = ("1.0.0.1763", "2.2.5", "2023.4")


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


@pytest.mark.parametrize("version", NUMBERED)
def test_code_follows_a_deletion(version: str) -> None:
    game, warnings = edited(with_numbers(version), REMOVED, code="gml")
    assert game.records.sprites.names() == ["spr_wall"]
    assert warnings == [
        "sprites/spr_player was removed, but objects/obj_player/object.json names it: "
        "there is nothing there now"
    ]
    assert "sprite_index = spr_wall" in game.records.code["gml_Object_obj_player_Alarm_0"].gml
    assert "sprite_index == spr_wall" in game.records.code["gml_Object_obj_player_Alarm_2"].gml


@pytest.mark.parametrize("version", NUMBERED)
def test_code_follows_a_new_order(version: str) -> None:
    order = {"objects": ["obj_wall", "obj_player"]}
    game, warnings = edited(with_numbers(version), {"order.json": order}, code="gml")
    assert game.records.objects.names() == ["obj_wall", "obj_player"]
    assert warnings == []
    assert "obj_wall.hp" in game.records.code["gml_Object_obj_player_Alarm_3"].gml
    made = game.records.code["gml_Object_obj_wall_Alarm_0"].gml
    assert "instance_create_depth(0, 0, 0, obj_player)" in made


@pytest.mark.parametrize("version", [*NUMBERED, "2024.14"])
def test_code_that_names_what_was_removed_is_listed(version: str) -> None:
    data = with_numbers(version)
    wall = {path: None for path in unpacked(data) if path.startswith("sprites/spr_wall/")}
    game, warnings = edited(data, wall, code="gml")
    assert [text for text in warnings if "but code named it" in text] == [
        "spr_wall was removed, but code named it: code/gml_Object_obj_player_Alarm_0.gml:1, "
        "code/gml_Object_obj_player_Alarm_2.gml:1"
    ]
    assert "spr_wall" not in game.records.code["gml_Object_obj_player_Alarm_0"].gml
    mine = {"code/gml_Object_obj_player_Alarm_0.gml": b"sprite_index = -1;"}
    _, warnings = edited(data, {**wall, **mine}, code="gml")
    assert warnings[-1] == (
        "spr_wall was removed, but code named it: code/gml_Object_obj_player_Alarm_2.gml:1"
    )


@pytest.mark.parametrize("version", NUMBERED)
def test_a_removed_object_is_noone_where_code_names_it(version: str) -> None:
    wall = {"objects/obj_wall/object.json": None, "code/gml_Object_obj_wall_Alarm_0.gml": None}
    game, warnings = edited(with_numbers(version), wall, code="gml")
    assert "noone.hp" in game.records.code["gml_Object_obj_player_Alarm_3"].gml
    assert [text for text in warnings if "but code named it" in text] == [
        "obj_wall was removed, but code named it: code/gml_Object_obj_player_Alarm_3.gml:1"
    ]


@pytest.mark.parametrize("version", NUMBERED)
def test_a_number_in_doubt_is_refused_or_accepted(version: str) -> None:
    data = changed(version, lambda game: _in_doubt(game))
    order = {"order.json": {"objects": ["obj_wall", "obj_player"]}}
    place = "code/gml_Object_obj_player_Alarm_4.gml"
    with pytest.raises(WorkspaceError) as caught:
        edited(data, order, code="gml")
    assert f"{place}:2: 1 in 'foe = 1;' (obj_wall is 0 now)" in str(caught.value)
    assert "or accept that these numbers stay" in str(caught.value)
    assert str(caught.value).count(place) == 1
    game, warnings = edited(data, order, code="gml", accept_renumbering=True)
    assert warnings == [f"{place}:2: 1 in 'foe = 1;' (obj_wall is 0 now)"]
    assert "foe = 1;" in game.records.code["gml_Object_obj_player_Alarm_4"].gml
    # who writes the name is sure of it
    game, warnings = edited(data, order | {place: b"hp = 1;\nfoe = obj_wall;"}, code="gml")
    assert warnings == []
    # and who leaves the line is not
    with pytest.raises(WorkspaceError, match="may or may not name them"):
        edited(data, order | {place: b"hp = 2;\nfoe = 1;"}, code="gml")


@pytest.mark.parametrize("version", NUMBERED)
def test_a_state_is_in_no_doubt(version: str) -> None:
    def add(game: GameData) -> None:
        game.add_event("obj_player", "Alarm_4", "state = 1;")
        game.add_event("obj_player", "Alarm_5", "if (state == 1) dx = 3;")

    order = {"order.json": {"objects": ["obj_wall", "obj_player"]}}
    game, warnings = edited(changed(version, add), order, code="gml")
    assert warnings == []
    assert game.records.code["gml_Object_obj_player_Alarm_4"].gml == "state = 1;"


def _in_doubt(game: GameData) -> None:
    game.add_event("obj_player", "Alarm_4", "hp = 1;\nfoe = 1;\nhp += 1;")
    game.add_event("obj_player", "Alarm_5", "hp = hp * 1;")


@pytest.mark.parametrize("version", NUMBERED)
def test_conditions_that_ask_for_a_resource_are_listed(version: str) -> None:
    """They hold no number, and are false for number 0."""
    source = "if (sprite_index) dx = 9;\nif (!obj_wall.sprite_index && up) dx = 9;\nif (up) dx = 9;"
    data = changed(version, lambda game: game.add_event("obj_player", "Alarm_6", source))
    place = "code/gml_Object_obj_player_Alarm_6.gml"
    names = shown(data, "order.json")["sprites"]
    assert names[:2] == ["spr_player", "spr_wall"]
    order = {"order.json": {"sprites": [names[1], names[0], *names[2:]]}}
    _, warnings = edited(data, order, code="gml", accept_renumbering=True)
    asked = [text for text in warnings if place in text]
    words = "is false for sprite 0, which is spr_wall now (spr_player before)"
    assert asked == [
        f"{place}:1: 'if (sprite_index)' {words}",
        f"{place}:5: 'if (!obj_wall.sprite_index && up)' {words}",
    ]
    # number 0 stays
    data = changed(version, lambda game: _more_sprites(game, source))
    names = shown(data, "order.json")["sprites"]
    order = {"order.json": {"sprites": [names[0], names[2], names[1], *names[3:]]}}
    _, warnings = edited(data, order, code="gml", accept_renumbering=True)
    assert [text for text in warnings if place in text] == []


def _more_sprites(game: GameData, source: str) -> None:
    game.add_event("obj_player", "Alarm_6", source)
    game.sprites.duplicate("spr_wall", "spr_more")


@pytest.mark.parametrize("version", NUMBERED)
def test_a_name_in_doubt_is_called_one(version: str) -> None:
    """... and is none in a text that somebody edited."""
    source = "look = 1;\nif (look == 1) draw_sprite(look, 0, x, y);\ndx = look * 2;"
    data = changed(version, lambda game: game.add_event("obj_player", "Alarm_6", source))
    place = "code/gml_Object_obj_player_Alarm_6.gml"
    files = unpacked(data, "gml")
    assert b"look = spr_wall;" in files[place]
    names = shown(data, "order.json")["sprites"]
    order = {"order.json": {"sprites": names[::-1]}}
    with pytest.raises(WorkspaceError) as caught:
        edited(data, order, code="gml")
    now = names[::-1].index("spr_wall")
    line = f"{place}:1: spr_wall in 'look = spr_wall;' may be the number 1 (spr_wall is {now} now)"
    assert line in str(caught.value)
    mine = {place: files[place] + b"\nhp_b = 0;"}
    _, warnings = edited(data, order | mine, code="gml", accept_renumbering=True)
    assert [text for text in warnings if "may be the number" in text] == []


@pytest.mark.parametrize("version", ["1.4.1804", "2.2.5"])
def test_numbers_of_scripts_follow_when_code_is_removed(version: str) -> None:
    def add(game: GameData) -> None:
        game.add_script("scr_first", "return 1;")
        game.add_script("scr_second", "return 2;")
        game.add_event("obj_player", "Alarm_0", "script_execute(scr_second);")

    data = changed(version, add)
    game, warnings = edited(data, {"code/gml_Script_scr_first.gml": None}, code="gml")
    assert warnings == []
    assert "script_execute(scr_second)" in game.records.code["gml_Object_obj_player_Alarm_0"].gml


def with_two_scripts(version: str) -> bytes:
    def add(game: GameData) -> None:
        game.add_script("scr_first", "return 1;")
        game.add_script("scr_second", "return 2;")
        game.add_event("obj_player", "Alarm_0", "script_execute(scr_second);\nscr_first();")
        game.add_event("obj_player", "Alarm_1", "hp = 1;\nfoe = 0;")

    return changed(version, add)


@pytest.mark.parametrize("version", ["1.4.1804", "2.2.5"])
def test_numbers_of_scripts_follow_the_order_of_scripts_json(version: str) -> None:
    data = with_two_scripts(version)
    order = {
        "scripts.json": {
            "scr_second": "gml_Script_scr_second",
            "scr_first": "gml_Script_scr_first",
        }
    }
    alarm = "code/gml_Object_obj_player_Alarm_1.gml"
    with pytest.raises(WorkspaceError) as caught:
        edited(data, order, code="gml")
    listed = str(caught.value).split("\n")
    assert f"  {alarm}:2: 0 in 'foe = 0;' (scr_first is 1 now)" in listed
    assert f"  {alarm}:1: 1 in 'hp = 1;' (scr_second is 0 now)" in listed
    new = {"code/gml_Object_obj_player_Alarm_2.gml": b"script_execute(scr_first, scr_second);"}
    game, warnings = edited(data, order | new, code="gml", accept_renumbering=True)
    assert [text for text in warnings if "plain numbers" in text] == []
    assert game.records.scripts.names() == ["scr_second", "scr_first"]
    code = game.records.code
    assert code["gml_Object_obj_player_Alarm_0"].gml == (
        "script_execute(scr_second);\nscr_first();"
    )
    assert code["gml_Object_obj_player_Alarm_2"].gml == "script_execute(scr_first, 0);"


@pytest.mark.parametrize("version", ["1.4.1804", "2.2.5"])
def test_a_script_with_another_name_keeps_its_number(version: str) -> None:
    """Numbers that are the same in the end are in no doubt."""
    files = unpacked(with_two_scripts(version), "gml")
    alarm = "code/gml_Object_obj_player_Alarm_0.gml"
    game, warnings = edited(
        with_two_scripts(version),
        {
            "code/gml_Script_scr_first.gml": None,
            "code/gml_Script_scr_new.gml": files["code/gml_Script_scr_first.gml"],
            "scripts.json": {
                "scr_new": "gml_Script_scr_new",
                "scr_second": "gml_Script_scr_second",
            },
            alarm: files[alarm].replace(b"scr_first", b"scr_new"),
        },
        code="gml",
    )
    assert warnings == []
    assert game.records.scripts.names() == ["scr_new", "scr_second"]
    code = game.records.code
    assert code["gml_Object_obj_player_Alarm_0"].gml == ("script_execute(scr_second);\nscr_new();")
    assert code["gml_Object_obj_player_Alarm_1"].gml == "hp = 1;\nfoe = 0;"


@pytest.mark.parametrize("version", ["2.3.2", "2024.14"])
def test_many_new_scripts_change_the_lists_once(
    version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists: list[str] = []
    follow = GameData.after_move

    def after_move(game: GameData, chunk: str, mapping: dict[int, int]) -> None:
        lists.append(chunk)
        follow(game, chunk, mapping)

    monkeypatch.setattr(GameData, "after_move", after_move)
    texts = {
        f"code/gml_GlobalScript_scr_{number}.gml": (
            f"function run_{number}(a) {{ return {number}; }}"
        )
        for number in range(9)
    }
    game, warnings = edited(
        with_script(version), {path: text.encode() for path, text in texts.items()}, code="gml"
    )
    assert warnings == []
    assert lists.count("CODE") <= 1 and lists.count("SCPT") <= 1
    for number in range(9):
        inner = game.records.code[f"gml_Script_run_{number}"]
        assert inner.root is game.records.code[f"gml_GlobalScript_scr_{number}"]
        assert inner.argument_count == 1
        script = game.records.scripts[f"gml_Script_run_{number}"]
        assert script.code.entry.target is inner
    assert "return 4;" in game.records.code["gml_GlobalScript_scr_4"].gml


@pytest.mark.parametrize("version", ["1.4.1757", "2024.14"])
def test_a_removed_resource_is_reported_with_all_its_users(version: str) -> None:
    files = unpacked(packed(version))
    wall = json.loads(files["objects/obj_wall/object.json"]) | {"sprite": "spr_player"}
    data = edited(packed(version), {"objects/obj_wall/object.json": wall})[0].to_bytes()
    _, warnings = edited(data, REMOVED)
    assert warnings == [
        "sprites/spr_player was removed, but objects/obj_player/object.json, "
        "objects/obj_wall/object.json name it: there is nothing there now"
    ]


@pytest.mark.parametrize("version", ["1.4.1757", "2024.14"])
def test_a_game_without_a_room_is_reported(version: str) -> None:
    said = "the game has no room now: it begins in its first one, and can't start without"
    data = packed(version)
    _, warnings = edited(data, {"rooms/rm_first.json": None})
    assert warnings == [said]
    other = unpacked(data)["rooms/rm_first.json"]
    more, warnings = edited(data, {"rooms/rm_other.json": other})
    assert said not in warnings
    _, warnings = edited(more.to_bytes(), {"rooms/rm_first.json": None})
    assert said not in warnings
    with GameData.from_bytes(data) as game:
        assert game.rooms.remove("rm_first").texts() == [said]


@pytest.mark.parametrize("version", ["1.4.1757", "2024.14"])
def test_a_file_that_differs_from_another_in_case_only_is_refused(version: str) -> None:
    data = packed(version)
    wall = unpacked(data)["objects/obj_wall/object.json"]
    with pytest.raises(
        WorkspaceError,
        match=r"objects/OBJ_wall/object.json and objects/obj_wall/object.json differ in upper",
    ):
        edited(data, {"objects/OBJ_wall/object.json": wall})
    moved = {"objects/OBJ_wall/object.json": wall, "objects/obj_wall/object.json": None}
    game, _ = edited(data, moved)
    assert game.records.objects.names() == ["obj_player", "OBJ_wall"]
