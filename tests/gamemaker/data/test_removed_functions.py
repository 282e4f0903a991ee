"""Functions of scripts that an edit takes away, though other code calls them."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from edited_games import edited, made, unpacked
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.game import GameData as Game
from per_file import per_file
from small_games import blank

MODERN = ("2.3.1", "2022.3", "2023.8", "2024.14")
MOVES = "gml_GlobalScript_scr_moves"
CREATE = "gml_Object_obj_hero_Create_0"
STEP = "gml_Object_obj_hero_Step_0"
TWO = "function jump(h) { return h + 1; }\nfunction walk(x1, y1) { return x1 - y1; }"


@per_file
def game_with_calls(version: str) -> bytes:
    """A script with two functions; two events call the first, one hands on the second."""
    with GameData.from_bytes(blank(version)) as game:
        game.scripts.add("scr_moves", TWO)
        hero = game.objects.add("obj_hero")
        hero.events["Create_0"] = "hp = 1;\nfoo = jump(2);"
        hero.events["Step_0"] = 'note = "jump";\nfoo = jump(jump(3));\nbar = walk;'
        return game.to_bytes()


def opened(version: str) -> GameData:
    return GameData.from_bytes(game_with_calls(version))


GONE = f"code/{MOVES}.gml: it no longer has the function jump, which code calls: "
PLACES = f"code/{CREATE}.gml:2, code/{STEP}.gml:2"


@pytest.mark.parametrize("version", MODERN)
def test_a_packed_script_without_a_function_names_its_callers(version: str) -> None:
    text = b"function walk(x1, y1) { return x1 - y1; }"
    _, warnings = edited(game_with_calls(version), {f"code/{MOVES}.gml": text}, code="gml")
    assert warnings == [GONE + PLACES]


@pytest.mark.parametrize("version", MODERN)
def test_a_function_with_another_name_is_offered(version: str) -> None:
    game = game_with_calls(version)
    same = TWO.replace("jump", "leap")
    _, warnings = edited(game, {f"code/{MOVES}.gml": same.encode()}, code="gml")
    assert warnings == [GONE + PLACES + " (it is leap now: write that name there)"]
    other = same.replace("h + 1", "h + 2")
    _, warnings = edited(game, {f"code/{MOVES}.gml": other.encode()}, code="gml")
    assert warnings == [GONE + PLACES + " (is it leap now? Then write that name there)"]
    more = f"{other}\nfunction hop(h) {{ return h; }}"
    _, warnings = edited(game, {f"code/{MOVES}.gml": more.encode()}, code="gml")
    assert warnings == [GONE + PLACES]
    both = "function leap(h) { return h + 1; }\nfunction stroll(x1, y1) { return x1 - y1; }"
    _, warnings = edited(game, {f"code/{MOVES}.gml": both.encode()}, code="gml")
    assert warnings == [
        GONE + PLACES + " (it is leap now: write that name there)",
        f"code/{MOVES}.gml: it no longer has the function walk, which code calls: "
        f"code/{STEP}.gml:3 (it is stroll now: write that name there)",
    ]


def test_edited_callers_count_as_they_are_now() -> None:
    edits = {
        f"code/{MOVES}.gml": TWO.replace("jump", "leap").encode(),
        f"code/{CREATE}.gml": b"hp = 1;\nfoo = leap(2);",
        f"code/{STEP}.gml": b"bar = walk;\n\n\nfoo = jump(1);",
    }
    _, warnings = edited(game_with_calls("2024.14"), edits, code="gml")
    assert warnings == [
        GONE + f"code/{STEP}.gml:4 (it is leap now: write that name there)",
    ]


def test_a_function_that_moves_to_another_script_is_not_gone() -> None:
    edits = {
        f"code/{MOVES}.gml": b"function walk(x1, y1) { return x1 - y1; }",
        "code/gml_GlobalScript_scr_more.gml": b"function jump(h) { return h + 1; }",
    }
    _, warnings = edited(game_with_calls("2024.14"), edits, code="gml")
    assert warnings == []
    away = {f"code/{MOVES}.gml": None, "code/gml_GlobalScript_scr_other.gml": TWO.encode()}
    game, warnings = edited(game_with_calls("2024.14"), away, code="gml")
    assert warnings == []
    assert [str(entry.name) for entry in game.global_init.code] == ["gml_GlobalScript_scr_other"]


def test_a_removed_script_names_the_callers_of_all_its_functions() -> None:
    _, warnings = edited(game_with_calls("2024.14"), {f"code/{MOVES}.gml": None}, code="gml")
    assert warnings == [
        f"code/{MOVES}.gml: it was removed, but code calls its function jump: {PLACES}",
        f"code/{MOVES}.gml: it was removed, but code calls its function walk: code/{STEP}.gml:3",
    ]


def test_callers_in_assembly_are_named_by_its_lines() -> None:
    files = unpacked(game_with_calls("2024.14"))
    text = files[f"code/{MOVES}.asm"].decode().replace("jump", "leap")
    _, warnings = edited(game_with_calls("2024.14"), {f"code/{MOVES}.asm": text.encode()})
    lines = files[f"code/{CREATE}.asm"].decode().split("\n")
    (line,) = (number for number, line in enumerate(lines, 1) if "gml_Script_jump" in line)
    assert len(warnings) == 1 and f"code/{CREATE}.asm:{line}, " in warnings[0]
    assert warnings[0].startswith(GONE.replace(".gml", ".asm"))


def test_strict_packing_refuses(tmp_path: Path) -> None:
    overhaul.unpack(game_with_calls("2024.14"), tmp_path / "game")
    (tmp_path / f"game/code/{MOVES}.gml").write_text("// nothing\n")
    with pytest.raises(WorkspaceError, match="which code calls"):
        overhaul.pack(tmp_path / "game", tmp_path / "data.win", strict=True)
    assert not (tmp_path / "data.win").exists()


LIBRARY = f"{MOVES}: it no longer has the function jump, which code calls: {CREATE}:2, {STEP}:2"


@pytest.mark.parametrize("version", MODERN)
def test_the_library_warns(version: str) -> None:
    with opened(version) as game:
        game.code[MOVES].gml = "function walk(x1, y1) { return x1 - y1; }"
        assert game.warnings == [LIBRARY]
    with opened(version) as game:
        game.code[MOVES].replace("jump", "leap")
        assert game.warnings == [f"{LIBRARY} (it is leap now: write that name there)"]
    with opened(version) as game:
        del game.code[MOVES]
        assert game.warnings == [
            f"{MOVES}: it was removed, but code calls its function jump: {CREATE}:2, {STEP}:2",
            f"{MOVES}: it was removed, but code calls its function walk: {STEP}:3",
        ]
    with opened(version) as game:
        game.code[STEP].gml = "bar = 1;"
        game.code[CREATE].gml = "bar = 2;"
        game.code[MOVES].gml = "function other() { return 1; }"
        assert game.warnings == []


def test_callers_are_found_without_decompiling_others(monkeypatch: pytest.MonkeyPatch) -> None:
    from overhaul.gamemaker.data.code.decompiling import GameDecompiler

    def refuse(*_: object) -> None:
        raise AssertionError("all code is read")

    monkeypatch.setattr(GameDecompiler, "learn", refuse)
    with opened("2024.14") as game:
        game.code[MOVES].gml = "function walk(x1, y1) { return x1 - y1; }"
        assert game.warnings == [LIBRARY]


@pytest.mark.parametrize("version", ["1.4.1757", "2.2.5"])
def test_a_removed_script_before_functions(version: str) -> None:
    with GameData.from_bytes(blank(version)) as game:
        game.scripts.add("jump", "return argument0 + 1;")
        hero = game.objects.add("obj_hero")
        hero.events["Create_0"] = "hp = 1;\nfoo = jump(2);"
        hero.events["Step_0"] = "foo = jump(jump(3));"
        data = game.to_bytes()
    _, warnings = edited(data, {"code/gml_Script_jump.gml": None}, code="gml")
    assert warnings == [
        "code/gml_Script_jump.gml: it was removed, but code calls its function jump: "
        f"code/{CREATE}.gml:2, code/{STEP}.gml:1"
    ]
    with GameData.from_bytes(data) as game:
        del game.code["gml_Script_jump"]
        assert game.warnings[1:] == [  # the first: code holds scripts as plain numbers
            "gml_Script_jump: it was removed, but code calls its function jump: "
            f"{CREATE}:2, {STEP}:1"
        ]


def test_who_calls_a_function_uses_its_script() -> None:
    with opened("2024.14") as game:
        assert [str(user) for user in game.scripts["scr_moves"].users()] == [
            f"code {CREATE}",
            f"code {STEP}",
        ]
        with pytest.raises(ValueError, match="scr_moves is used by code gml_Object_obj_hero_Crea"):
            game.scripts.remove("scr_moves")


# -- scripts that are new in a folder of plain files alone ------------------------------------


@pytest.mark.parametrize("version", MODERN)
def test_a_new_script_of_plain_files_is_listed(version: str) -> None:
    """The tables of the folder list what was there when it was unpacked."""
    files = unpacked(game_with_calls(version), "gml")
    files["code/gml_GlobalScript_scr_new.gml"] = b"function fly() { return 1; }"
    files["code/gml_Object_obj_hero_Draw_0.gml"] = b"draw_self();"
    game = made(files, version)
    game.load_all()
    assert [str(entry.name) for entry in game.global_init.code] == [
        MOVES,
        "gml_GlobalScript_scr_new",
    ]
    assert game.records.scripts["scr_new"].code.entry.name == "gml_GlobalScript_scr_new"
    assert [event.key for event in game.objects["obj_hero"].events.values()] == [
        "Create_0",
        "Step_0",
        "Draw_0",
    ]


def test_a_listed_script_of_plain_files_is_as_the_tables_say() -> None:
    files = unpacked(game_with_calls("2024.14"), "gml")
    files["global_init.json"] = b"[]"
    game: Game = made(files, "2024.14")
    assert game.global_init is not None and game.global_init.code == []
