"""The examples of the guide to mods, and those in the help of its commands, run."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import click
import pytest

from modded_games import Edit, changed, new_sprite
from overhaul import patches
from overhaul.cli import main
from overhaul.cli.app import overhaul
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks.objt import GameObject
from overhaul.gamemaker.data.chunks.room import Room
from overhaul.gamemaker.data.game import GameData

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs/guide/mods.md").read_text()
STEP = "code/gml_Object_obj_player_Step_0.gml"
BRAVE: dict[str, Edit] = {STEP: lambda text: text.replace("hp < 0", "hp < -5")}
HARD: dict[str, Edit] = {STEP: lambda text: text.replace("hp < 0", "hp < -9")}
THEIRS: dict[str, Edit] = {"rooms/rm_start.json": lambda text: text.replace("30", "60")}


def game() -> bytes:
    made = GameData.from_bytes(blank_game({"version": "2023.4"}).to_bytes())
    made.load_all()
    events: list[Any] = [[] for _ in range(15)]
    made.records.objects.append(GameObject(made.strings.add("obj_player"), events=events))
    made.records.rooms.append(Room(made.strings.add("rm_start"), speed=30))
    made.language.forget()
    made.add_event(
        "obj_player", "Step_0", 'hp -= 1;\nif (hp < 0) show_message("Game over");\nx += 1;'
    )
    return made.to_bytes()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples name."""
    path = tmp_path_factory.mktemp("guide")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        make_files(game())
    return path


@pytest.fixture
def games(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the files, which an example may change."""
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make_files(data: bytes) -> None:
    for name, content in {
        "data": data,
        "old": data,
        "changed": changed(data, BRAVE),
        "update": changed(data, THEIRS),
    }.items():
        Path(f"{name}.win").write_bytes(content)
    Path("hard.win").write_bytes(changed(data, HARD))
    Path("their.xdelta").write_bytes(patches.make(data, changed(data, BRAVE), "xdelta"))
    for name in ("mine", "theirs"):
        edits = BRAVE if name == "mine" else THEIRS
        Path(f"{name}.win").write_bytes(changed(data, edits))
    hero = {"objects/obj_hero/object.json": b'{"sprite": "spr_hero"}'}
    Path("other.win").write_bytes(changed(data, {**new_sprite("spr_hero"), **hero}))
    for line in (
        "unpack changed.win game",
        "mod make data.win hard.win -o hard.zip --name Hard",
        "mod make data.win update.win -o theirs.zip",
        "mod make data.win changed.win -o mine.zip --name 'Brave hero'",
    ):
        assert main(shlex.split(line)) == 0
    Path("new.win").write_bytes(changed(data, HARD))
    Path("resolved/code").mkdir(parents=True)
    lines = 'hp -= 1;\nif (hp < -7) show_message("Game over");\nx += 1;\n'
    Path("resolved", STEP).write_text(lines)


def of_help(*names: str) -> list[str]:
    command: click.Command | None = overhaul
    for name in names:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name)
    assert command is not None
    text = command.get_help(click.Context(command, info_name=name)).split("Examples:")[1]
    return re.findall(r"^ +(overhaul .*)$", text, re.M)


def examples() -> list[str]:
    found: list[str] = re.findall(r"^    (overhaul (?:diff|mod|copy|update) .*)$", GUIDE, re.M)
    for names in (
        ("diff",),
        ("copy",),
        ("textconv",),
        ("mod",),
        *(("mod", each) for each in ("make", "show", "check", "apply", "rebase", "merge")),
    ):
        found += of_help(*names)
    # a game and its project: tests/test_guide_ags.py, tests/gamemaker/ide_game
    return [line for line in dict.fromkeys(found) if "Game." not in line]


@pytest.mark.parametrize("line", examples())
def test_examples_run(games: Path, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(line)[1:]
    if "-o" in words:
        Path(words[words.index("-o") + 1]).unlink(missing_ok=True)
        if words[1] == "apply" and "mine" in words:
            words[words.index("mine")] = "mine.zip"  # a mod may be named by its file
        if words[1] == "make":
            Path("mine.zip").unlink(missing_ok=True)
    code = main(words)
    out, err = capsys.readouterr()
    assert (code, err) == (1 if words[0] == "diff" else 0, ""), line
    assert out


def test_what_the_guide_shows_is_printed(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "data.win", "changed.win"]) == 1
    out = capsys.readouterr().out
    lines = [line[4:] for line in GUIDE.split("\n") if line.startswith("    ")]
    for line in out.rstrip("\n").split("\n")[:5]:
        assert line in lines, line
    words = ["mod", "apply", "data.win", "mine.zip", "hard.zip", "-o", "both.win"]
    assert main(words) == 1
    err = capsys.readouterr().err
    marks = ("conflict", "    Brave hero if (hp", "    Hard       if (hp")
    shown = [line for line in lines if any(mark in line for mark in marks)]
    assert sorted(err.rstrip("\n").split("\n")) == sorted(
        line for line in shown if line.startswith(("overhaul: ", "    "))
    )
    assert not Path("both.win").exists()


def test_the_python_of_the_guide_runs(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", GUIDE, re.S)
    exec(block, {})
    assert capsys.readouterr().out == f"changed {STEP}\n"
    assert Path("brave.win").read_bytes() == Path("changed.win").read_bytes()


def test_equal_games_and_json(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import json

    assert main(["diff", "data.win", "old.win"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["diff", "--json", "data.win", "changed.win"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["counts"] == {"added": 0, "removed": 0, "renamed": 0, "changed": 1}
    words = ["mod", "apply", "--json", "data.win", "mine.zip", "hard.zip", "-o", "both.win"]
    assert main(words) == 1
    (conflict,) = json.loads(capsys.readouterr().out)["conflicts"]
    assert conflict["path"] == STEP
    assert sorted(conflict["mods"]) == ["Brave hero", "Hard"]


def test_a_page_is_not_written_over(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("r.html").write_text("mine")
    assert main(["diff", "data.win", "changed.win", "--html", "r.html"]) == 2
    assert Path("r.html").read_text() == "mine"
    assert main(["diff", "data.win", "changed.win", "--html", "r.html", "--force"]) == 1
    assert Path("r.html").read_text().startswith("<!doctype html>")


def test_a_rebase_tells_what_is_lost(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["mod", "rebase", "mine.zip", "--from", "data.win", "--to", "hard.win", "-o", "m.zip"]
    assert main(words) == 1
    assert "conflict: code/gml_Object_obj_player_Step_0.gml:2" in capsys.readouterr().err


def test_a_binary_patch_becomes_the_same_mod(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["mod", "make", "data.win", "-o", "their.zip", "--name", "Brave hero"]
    assert main([*words, "--patch", "their.xdelta"]) == 0
    assert Path("their.zip").read_bytes() == Path("mine.zip").read_bytes()
    Path("data.bps").write_bytes(patches.make(b"another file", b"a third", "bps"))
    capsys.readouterr()
    assert main([*words, "--force", "--patch", "data.bps"]) == 3
    assert "data.bps: " in capsys.readouterr().err
    assert main([*words, "--force"]) == main([*words, "old.win", "--patch", "data.bps"]) == 2
    assert Path("their.zip").read_bytes() == Path("mine.zip").read_bytes()
