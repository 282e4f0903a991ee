"""Variables that an edit leaves without code that sets them, though code reads them."""

from __future__ import annotations

import pytest

from edited_games import edited
from overhaul.gamemaker.data import GameData
from per_file import per_file
from small_games import blank

VERSIONS = ("1.4.1757", "2.2.5", "2.3.1", "2023.8", "2024.14")
CREATE = "gml_Object_obj_hero_Create_0"
STEP = "gml_Object_obj_hero_Step_0"


@per_file
def game_with_variables(version: str) -> bytes:
    """One event sets variables, another reads them; ``x`` is built in, ``twice`` set by both."""
    with GameData.from_bytes(blank(version)) as game:
        hero = game.objects.add("obj_hero")
        hero.events["Create_0"] = (
            "hp = 5;\nglobal.hp = 6;\nlist[0] = 1;\nx = 3;\ntwice = 1;\nvar own = 1;\nown += 1;"
        )
        hero.events["Step_0"] = "twice = 2;\nvar own = hp + list[0];\ny = global.hp + own + x;"
        return game.to_bytes()


def warnings_of(version: str, create: str, step: str | None = None) -> list[str]:
    edits = {f"code/{CREATE}.gml": create.encode()}
    if step is not None:
        edits[f"code/{STEP}.gml"] = step.encode()
    return edited(game_with_variables(version), edits, code="gml")[1]


def unset(name: str, line: int, now: str = "") -> str:
    text = f"code/{CREATE}.gml: it no longer sets {name}, nor does other code, and code reads it: "
    hint = f" (is it {now} now? Then write that name there)" if now else ""
    return f"{text}code/{STEP}.gml:{line}{hint}"


@pytest.mark.parametrize("version", VERSIONS)
def test_what_nothing_sets_any_longer_is_named_with_who_reads_it(version: str) -> None:
    warnings = warnings_of(version, "// nothing")
    assert sorted(warnings) == [unset("global.hp", 3), unset("hp", 2), unset("list", 2)]
    rest = "global.hp = 6;\nlist[0] = 1;\ntwice = 1;"
    assert warnings_of(version, rest) == [unset("hp", 2)]
    assert warnings_of(version, f"{rest}\nlife = 5;") == [unset("hp", 2, "life")]
    assert warnings_of(version, f"{rest}\nlife = 5;\nother_one = 5;") == [unset("hp", 2)]
    assert warnings_of(version, f"{rest}\nhp = 7;") == []


@pytest.mark.parametrize("version", VERSIONS)
def test_what_the_same_edit_sets_or_stops_reading_is_not_named(version: str) -> None:
    assert warnings_of(version, "// nothing", "y = x;") == []
    moved = "hp = 1;\nlist[0] = 3;\nglobal.hp = 2;\ny = global.hp + hp + list[0];"
    assert warnings_of(version, "// nothing", moved) == []
    # adding to a variable sets it, but reads it before
    assert warnings_of(version, "global.hp = 6;\nlist[0] = 1;\nhp += 1;") == []


@pytest.mark.parametrize("version", VERSIONS)
def test_what_code_sets_by_a_text_may_be_set(version: str) -> None:
    rest = "global.hp = 6;\nlist[0] = 1;\ntwice = 1;"
    by_text = f'{rest}\nvariable_instance_set(id, "hp", 5);'
    assert warnings_of(version, by_text) == []
    assert warnings_of(version, f'{rest}\nshow_debug_message("hp");') == [unset("hp", 2)]


def test_the_library_warns() -> None:
    said = f"{CREATE}: it no longer sets hp, nor does other code, and code reads it: {STEP}:2"
    with GameData.from_bytes(game_with_variables("2024.14")) as game:
        game.code[CREATE].replace("hp = 5;", "", 1)
        assert game.warnings == [said]
        game.code[STEP].gml = "twice = 2;"
        assert game.warnings == [said]
    with GameData.from_bytes(game_with_variables("2024.14")) as game:
        del game.code[CREATE]
        text = f"{CREATE}: it was removed, and no other code sets"
        assert sorted(game.warnings) == [
            f"{text} global.hp, which code reads: {STEP}:3",
            f"{text} hp, which code reads: {STEP}:2",
            f"{text} list, which code reads: {STEP}:2",
        ]


def test_members_and_arrays_in_arrays() -> None:
    with GameData.from_bytes(blank("2024.14")) as game:
        hero = game.objects.add("obj_hero")
        hero.events["Create_0"] = "box = { wide: 1 };\ngrid = [];"
        hero.events["Step_0"] = "grid[0][1] = 2;\nfoo = box.wide + grid[0][1];"
        data = game.to_bytes()
    create = f"code/{CREATE}.gml"
    said = "it no longer sets wide, nor does other code, and code reads it"
    text = f"{create}: {said}: code/{STEP}.gml:2"
    assert edited(data, {create: b"box = {};"}, code="gml")[1] == [text]
