"""A function has one declaration, and no name that something else has."""

from __future__ import annotations

import pytest

from edited_games import edited
from overhaul.errors import EncodeError, SourceError
from overhaul.gamemaker.data import GameData
from per_file import per_file
from small_games import blank

MODERN = ("2.3.1", "2022.3", "2023.8", "2024.14")
FIRST, SECOND = "gml_GlobalScript_scr_first", "gml_GlobalScript_scr_second"
CREATE = "gml_Object_obj_hero_Create_0"
JUMP = "function jump(h) { return h + 1; }"


@per_file
def game_of_two(version: str) -> bytes:
    with GameData.from_bytes(blank(version)) as game:
        game.scripts.add("scr_first", JUMP)
        game.scripts.add("scr_second", "function walk() { return 1; }")
        game.objects.add("obj_hero").events["Create_0"] = "foo = jump(2);"
        return game.to_bytes()


def refused(version: str, **texts: str) -> list[str]:
    edits = {f"code/{name}.gml": text.encode() for name, text in texts.items()}
    with pytest.raises(SourceError) as caught:
        edited(game_of_two(version), edits, code="gml")
    errors = getattr(caught.value, "errors", None) or [caught.value]
    return [f"{caught.value.name}:{error.line}:{error.column}: {error.message}" for error in errors]


@pytest.mark.parametrize("version", MODERN)
def test_two_scripts_can_not_declare_one_function(version: str) -> None:
    text = f"// more\n{JUMP}\nfunction walk() {{ return 1; }}"
    assert refused(version, **{SECOND: text}) == [
        f"code/{SECOND}.gml:2:10: {FIRST} has a function jump too: call one of them otherwise"
    ]
    new = "gml_GlobalScript_scr_new"
    assert refused(version, **{new: JUMP}) == [
        f"code/{new}.gml:1:10: {FIRST} has a function jump too: call one of them otherwise"
    ]
    moved = {f"code/{FIRST}.gml": b"// moved", f"code/{SECOND}.gml": text.encode()}
    _, warnings = edited(game_of_two(version), moved, code="gml")
    assert warnings == []
    with GameData.from_bytes(game_of_two(version)) as game:
        with pytest.raises(EncodeError, match=f"{SECOND}: {FIRST} has a function jump too"):
            game.code[SECOND].gml = text
        assert game.code[SECOND].gml.strip().startswith("function walk")
        game.code[SECOND].gml = "function walk() { return 2; }"
        with pytest.raises(EncodeError, match="has a function jump too"):
            game.scripts.add("scr_new", JUMP)
        assert "scr_new" not in game.scripts


@pytest.mark.parametrize("version", MODERN)
def test_an_entry_declares_a_function_once(version: str) -> None:
    text = "function hop() { return 1; }\nif (x) { function hop() { return 2; } }"
    expected = "there is another function hop here"
    assert refused(version, **{CREATE: text}) == [f"code/{CREATE}.gml:2:10: {expected}"]
    assert refused(version, **{SECOND: text}) == [f"code/{SECOND}.gml:2:10: {expected}"]
    _, warnings = edited(
        game_of_two(version),
        {f"code/{CREATE}.gml": b"function hop() { }\nf = function() { function hop() { } };"},
        code="gml",
    )
    assert warnings == []


@pytest.mark.parametrize("version", MODERN)
def test_a_function_can_not_have_the_name_of_an_asset_or_a_built_in_one(version: str) -> None:
    assert refused(version, **{SECOND: "function obj_hero() { }"}) == [
        f"code/{SECOND}.gml:1:1: obj_hero is an asset (object): call the function otherwise"
    ]
    assert refused(version, **{CREATE: "function draw_text() { }"}) == [
        f"code/{CREATE}.gml:1:1: draw_text is a built-in function: call the function otherwise"
    ]
    _, warnings = edited(
        game_of_two(version), {f"code/{SECOND}.gml": b"function scr_second() { }"}, code="gml"
    )
    assert warnings == []
