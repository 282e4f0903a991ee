"""Names of resources that a project gets when it is converted never replace those it has."""

from __future__ import annotations

import pytest

from handmade_project import as_json, project_file
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.forward import forward
from overhaul.gamemaker.forward.dropped import helpers
from overhaul.gamemaker.recovery.recovering import Recovered


def script(found: Recovered, kind: str, name: str) -> str:
    path = f"scripts/{name}.gml" if kind == "gmx" else f"scripts/{name}/{name}.gml"
    return found.files[path]().decode()


def made(kind: str, files: dict[str, bytes]) -> Recovered:
    return forward(ProjectDocument.from_bytes(project_file(810, files)), kind, "game")


@pytest.mark.parametrize("kind", ["gmx", "yyp"])
def test_scripts_that_are_added_leave_those_of_their_names(kind: str) -> None:
    names = ["trigger_low_health", "library_creation_1", "constants"]
    found = made(kind, {f"scripts/{name}.gml": f"own = '{name}';".encode() for name in names})
    for name in names:
        assert f"own = {name!r}" in script(found, kind, name).replace('"', "'")
    assert "health < 10" in script(found, kind, "trigger_low_health_2")
    assert "globalvar a;" in script(found, kind, "library_creation_1_2")
    if kind == "yyp":
        assert script(found, kind, "constants_2") == "#macro SPEED 4\n"
        begin = found.files["objects/obj_player/Step_1.gml"]().decode()
        assert "if (trigger_low_health_2())" in begin
    assert [str(one) for one in found.findings if one.code == "renamed"] == []


@pytest.mark.parametrize("kind", ["gmx", "yyp"])
def test_triggers_of_one_name_are_two_scripts(kind: str) -> None:
    triggers = {f"triggers/low{sign}health.json": as_json({"moment": 1}) for sign in " -"}
    conditions = {f"triggers/low{sign}health.gml": f"'{sign}'".encode() for sign in " -"}
    found = made(kind, triggers | conditions)
    names = ["trigger_low_health", "trigger_low_health_2", "trigger_low_health_3"]
    texts = sorted(script(found, kind, name).split()[-2 if kind == "yyp" else -1] for name in names)
    assert len(texts) == len(set(texts)) == 3
    assert found.tallies["triggers"].total == 3


def test_rooms_keep_names_that_triggers_could_have() -> None:
    found = made("gmx", {"rooms/trigger_low_health/room.json": b"{}"})
    assert "rooms/trigger_low_health.room.gmx" in found.files
    assert "scripts/trigger_low_health_2.gml" in found.files


def test_a_script_with_the_name_of_a_function_that_is_added_gets_another() -> None:
    assert {"old_view_get", "action_wrap"} < helpers()
    assert "instance_create" not in helpers()
    sources = {
        "scripts/old_view_get.gml": b"return 'own';",
        "scripts/action_wrap.gml": b"return 'own too';",
        "scripts/scr_add.gml": b"old_view_get(); action_wrap(); return view_xview[0];",
    }
    found = made("yyp", sources)
    assert 'return "own";' in script(found, "yyp", "scr_old_view_get")
    assert 'return "own too";' in script(found, "yyp", "scr_action_wrap")
    assert "function old_view_get(" in script(found, "yyp", "old_view_get")
    called = script(found, "yyp", "scr_add")
    assert 'scr_old_view_get(); scr_action_wrap(); return old_view_get("xview", 0);' in called
    texts = found.findings.texts()
    start = "scripts/scr_old_view_get: a function that is added has the name old_view_get"
    assert f"{start}: it is called scr_old_view_get, and code follows" in texts
    assert "scripts/old_view_get.gml" in made("gmx", sources).files
