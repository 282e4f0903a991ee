"""The law of names (tests/edit_law/names.py) over small games and a project."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

import overhaul
from edit_law.names import Classic, Game
from edit_law.naming_law import Tried, outcome_of_text, table
from handmade_project import project_file
from overhaul.gamemaker.data import GameData
from small_games import blank


def outcomes(tried: Iterable[Tried]) -> dict[tuple[str, str, str], str]:
    return {(one.family, one.name, one.verb): one.outcome for one in tried}


@pytest.mark.parametrize("version", ["2.3.1", "2023.8", "2024.14"])
def test_functions_and_resources(version: str, tmp_path: Path) -> None:
    with GameData.from_bytes(blank(version)) as game:
        game.scripts.add("scr_moves", "function jump() { return 1; }\nfunction unused() { }")
        game.objects.add("obj_wall")
        game.objects.add("obj_hero").events["Create_0"] = "foo = jump() + obj_wall.x;"
        game.objects.add("obj_unused")
        (tmp_path / "data.win").write_bytes(game.to_bytes())
    made = outcomes(Game(tmp_path / "data.win").tried(random.Random(0), 5))
    assert made[("functions", "jump", "removed")] == "warned"
    assert made[("functions", "jump", "renamed")] == "warned"
    assert made[("objects", "obj_wall", "removed")] == "warned"
    assert made[("objects", "obj_wall", "renamed")] == "followed"
    assert {name for _, name, _ in made} == {"jump", "obj_wall"}


@pytest.mark.parametrize("version", ["1.4.1757", "2.3.1", "2024.14"])
def test_variables_and_texts(version: str, tmp_path: Path) -> None:
    with GameData.from_bytes(blank(version)) as game:
        game.objects.add("obj_wall")
        hero = game.objects.add("obj_hero")
        hero.events["Create_0"] = "hp = 1;\nunread = 2;"
        hero.events["Step_0"] = 'foo = hp;\nbar = asset_get_index("obj_wall");'
        (tmp_path / "data.win").write_bytes(game.to_bytes())
    made = outcomes(Game(tmp_path / "data.win").tried(random.Random(0), 5))
    assert made == {
        ("variables", "hp", "removed"): "warned",
        ("variables", "hp", "renamed"): "warned",
        ("texts of objects", "obj_wall", "removed"): "warned",
    }


def test_scripts_before_functions(tmp_path: Path) -> None:
    with GameData.from_bytes(blank("1.4.1757")) as game:
        game.scripts.add("jump", "return 1;")
        game.objects.add("obj_hero").events["Create_0"] = "foo = jump();"
        (tmp_path / "data.win").write_bytes(game.to_bytes())
    made = outcomes(Game(tmp_path / "data.win").tried(random.Random(0), 5))
    assert made == {("scripts", "jump", verb): "warned" for verb in ("removed", "renamed")}


def test_a_project(tmp_path: Path) -> None:
    (tmp_path / "small.gmk").write_bytes(project_file(800, {}))
    tried = [*Classic(tmp_path / "small.gmk").tried(random.Random(0), 5)]
    assert tried and not [one for one in tried if one.outcome == "silent"]
    assert {one.outcome for one in tried if one.verb == "removed"} == {"warned"}
    assert "followed" in {one.outcome for one in tried if one.verb == "renamed"}
    assert overhaul.open(tmp_path / "small.gmk") is not None


def test_outcomes_are_counted() -> None:
    assert outcome_of_text("spr_a", "no spr_a here", []) == "refused"
    assert outcome_of_text("spr_a", "", ["spr_b", "where is spr_a?"]) == "warned"
    assert outcome_of_text("spr_a", "another error", ["spr_b"]) == ""
    tried = [
        Tried("sprites", "removed", "spr_a", "warned"),
        Tried("sprites", "removed", "spr_b", "silent"),
        Tried("sounds", "removed", "snd_a", "refused"),
    ]
    assert [*table(tried)] == [
        "sounds  removed: tried 1: refused 1, warned 0, followed 0, silent 0",
        "sprites removed: tried 2: refused 0, warned 1, followed 0, silent 1",
        "all     removed: tried 3: refused 1, warned 1, followed 0, silent 1",
    ]
