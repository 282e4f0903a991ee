"""Resources copied from game to game, merges of two builds, and games in git."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from modded_games import CAVE, DOOR, KEEPER, changed, field, lantern, plain, value, verified
from overhaul import mods
from overhaul.cli import main
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.game import GameData

GAME = lantern()
FIREFLY = "objects/obj_firefly"
EVENTS = value(GAME, "objects/obj_keeper/object.json")["events"]
EVENTS.pop("Collision_obj_firefly")
#: a game of the same release without fireflies
DARK = changed(
    GAME,
    {
        f"{FIREFLY}/object.json": None,
        "code/gml_Object_obj_firefly_Create_0.gml": None,
        "code/gml_Object_obj_firefly_Step_0.gml": None,
        "code/gml_Object_obj_keeper_Collision_obj_firefly.gml": None,
        "objects/obj_keeper/object.json": field("events", EVENTS),
        CAVE: field(
            "instances",
            [item for item in value(GAME, CAVE)["instances"] if item["object"] != "obj_firefly"],
        ),
    },
)


def test_an_object_brings_its_code() -> None:
    result = mods.copy(GAME, FIREFLY, DARK)
    assert result.conflicts == []
    assert set(result.changed) >= {f"{FIREFLY}/object.json"}
    for event in ("Create_0", "Step_0"):
        path = f"code/gml_Object_obj_firefly_{event}.gml"
        assert plain(result.data, path) == plain(GAME, path)
    assert value(result.data, f"{FIREFLY}/object.json") == value(GAME, f"{FIREFLY}/object.json")
    verified(result.data)


def test_names_that_are_taken_are_conflicts() -> None:
    other = changed(GAME, {DOOR: lambda text: "x += 1;\n" + text})
    result = mods.copy(other, ["code/gml_Object_obj_door_Step_0*"], GAME)
    assert [conflict.path for conflict in result.conflicts] == [DOOR]
    same = mods.copy(GAME, "sprites/spr_glow", GAME)
    assert (same.data, same.conflicts) == (GAME, [])


def test_what_is_named_comes_too_if_asked_for() -> None:
    hero = changed(
        GAME,
        {
            "sprites/spr_hero/sprite.json": b'{"width": 8, "height": 8}',
            "sprites/spr_hero/0.png": plain(GAME, "sprites/spr_glow/0.png"),
            "objects/obj_hero/object.json": b'{"sprite": "spr_hero"}',
            "code/gml_GlobalScript_scr_shine.gml": b"function shine() { return 7; }\n",
            "code/gml_Object_obj_hero_Create_0.gml": b"light = shine();\nflick = scr_flicker();\n",
        },
    )
    result = mods.copy(hero, "objects/obj_hero", GAME, with_dependencies=True)
    assert result.conflicts == []
    assert {"sprites/spr_hero/0.png", "code/gml_GlobalScript_scr_shine.gml"} <= set(result.changed)
    assert any("scr_flicker: it is not copied" in warning for warning in result.warnings)
    assert not any("spr_keeper" in path for path in result.changed)
    verified(result.data)
    alone = mods.copy(hero, "objects/obj_hero", GAME)
    assert any("spr_hero" in conflict.reason for conflict in alone.conflicts)


def test_what_an_object_collides_with_comes_too() -> None:
    """Its name is in the name of the event only."""
    code = "gml_Object_obj_hero_Collision_obj_gate"
    hero = changed(
        GAME,
        {
            "objects/obj_gate/object.json": b'{"depth": 5}',
            "objects/obj_hero/object.json": b"{}",
            f"code/{code}.gml": b"depth = 3;\n",
        },
    )
    result = mods.copy(hero, "objects/obj_hero", GAME, with_dependencies=True)
    assert result.conflicts == []
    assert "objects/obj_gate/object.json" in result.changed


def test_what_matches_nothing_is_an_error() -> None:
    with pytest.raises(WorkspaceError, match="nothing matches sprites/none"):
        mods.copy(GAME, "sprites/none", GAME)


def test_two_builds_are_merged() -> None:
    ours = changed(GAME, {KEEPER: lambda text: "lives = 3;\n" + text})
    theirs = changed(GAME, {CAVE: field("width", 640)})
    result = mods.merge(GAME, ours, theirs)
    assert result.conflicts == []
    assert result.data == mods.merge(GAME, theirs, ours).data
    assert plain(result.data, KEEPER) == plain(ours, KEEPER)
    assert value(result.data, CAVE)["width"] == 640
    other = changed(GAME, {CAVE: field("width", 800)})
    assert len(mods.merge(GAME, theirs, other).conflicts) == 1
    assert value(mods.merge(GAME, theirs, other, prefer=["theirs"]).data, CAVE)["width"] == 800


def test_a_game_as_one_text() -> None:
    text = mods.textconv(GAME)
    assert text == mods.textconv(GAME)
    assert f"=== {DOOR}\n{plain(GAME, DOOR).decode()}===" in text
    assert "=== sprites/spr_glow/0.png\n" in text
    assert " pixels sha256 " in text
    assert "=== sounds/snd_catch.wav\nwav, 0.220 s, 4894 bytes sha256 " in text
    assert "textures.json" not in text


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    git = shutil.which("git")
    if git is None:
        pytest.skip("no git here")
    tools = tmp_path / "tools"
    tools.mkdir()
    script = tools / "overhaul"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m overhaul "$@"\n')
    script.chmod(0o755)
    source = Path(__file__).resolve().parents[2] / "src"
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(source))
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "A")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@b")
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    git_run("init", "-q", "-b", "main")
    return folder


def git_run(*words: str) -> str:
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_git_compares_and_merges_games(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["git-setup"]) == 0
    assert "*.win diff=overhaul merge=overhaul" in capsys.readouterr().out
    assert main(["git-setup", "--write"]) == 0
    assert main(["git-setup", "--write"]) == 0
    assert "there already" in capsys.readouterr().out
    assert Path(".gitattributes").read_text().count("*.win") == 1
    game = Path("data.win")
    game.write_bytes(GAME)
    git_run("add", "-A")
    git_run("commit", "-qm", "game")
    git_run("checkout", "-qb", "other")
    game.write_bytes(changed(GAME, {CAVE: field("width", 640)}))
    git_run("commit", "-qam", "wider")
    git_run("checkout", "-q", "main")
    game.write_bytes(changed(GAME, {KEEPER: lambda text: "lives = 3;\n" + text}))
    shown = git_run("diff")
    assert "+lives = 3;\n" in shown
    assert "Binary" not in shown
    git_run("commit", "-qam", "lives")
    git_run("merge", "-q", "-m", "both", "other")
    merged = game.read_bytes()
    assert plain(merged, KEEPER).startswith(b"lives = 3;\n")
    assert value(merged, CAVE)["width"] == 640


def test_what_is_no_repository_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        mods.git_setup(tmp_path)
    assert main(["git-setup", str(tmp_path), "--write"]) == 3


def test_an_object_brings_code_that_its_source_does_not_compile_to() -> None:
    name = "gml_Object_obj_firefly_Create_0"
    game = GameData.from_bytes(GAME)
    entry = game.records.code[name]
    entry.gml = "home_x = 3;\n"
    game.language.assemble(entry, entry.assembly.replace("pushi.e 3", "push.i 3"))
    assembly = game.records.code[name].assembly
    assert "push.i 3" in assembly
    result = mods.copy(game.to_bytes(), FIREFLY, DARK)
    assert result.conflicts == []
    assert GameData.from_bytes(result.data).records.code[name].assembly == assembly
