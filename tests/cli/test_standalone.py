"""The program without Python: dropped games, double clicks, modules as processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import overhaul
from overhaul import programs
from overhaul.cli import standalone

LANTERN = Path(__file__).resolve().parents[2] / "examples" / "lantern" / "current"
CapSys = pytest.CaptureFixture[str]


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """The commands that the program runs."""
    commands: list[Sequence[str]] = []

    def command_line(words: Sequence[str]) -> int:
        commands.append(list(words))
        return 0

    monkeypatch.setattr(standalone, "command_line", command_line)
    return commands


def test_a_dropped_game_opens_in_the_viewer(called: list[Sequence[str]], tmp_path: Path) -> None:
    game = tmp_path / "info"  # a file may be called like a command
    game.write_bytes(b"")
    assert standalone.main([str(game), str(tmp_path)]) == 0
    assert called == [["view", str(game), str(tmp_path)]]


def test_commands_are_commands(
    called: list[Sequence[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "info").write_bytes(b"")
    words = [["info", "game.win"], ["info"], [str(tmp_path / "gone.win")], ["--help"]]
    for arguments in words:
        standalone.main(arguments)
    assert called == words


def test_a_double_click_opens_the_games_next_to_the_program(
    called: list[Sequence[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.setattr(standalone, "_by_double_click", lambda: True)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "overhaul"))
    (tmp_path / "overhaul").write_bytes(b"MZ")
    (tmp_path / "notes.txt").write_text("no game")
    assert standalone.main([]) == 0
    assert called == []
    assert "dropped on it" in capsys.readouterr().err
    overhaul.pack(LANTERN, tmp_path / "lantern.win")
    assert standalone.main([]) == 0
    assert called == [["view", str(tmp_path / "lantern.win")]]


def test_no_arguments_in_a_terminal_welcome(
    called: list[Sequence[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standalone, "_by_double_click", lambda: False)
    standalone.main([])
    assert called == [[]]


def test_a_module_runs_in_a_process_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    words = ("overhaul.viewer.indexing", "nothing.win", "index")
    command = programs.command_of(*words)
    said = subprocess.run(command, env=programs.surroundings(), capture_output=True, text=True)
    assert said.returncode == 1
    assert said.stdout.startswith("! ")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    frozen = programs.command_of(*words)
    assert frozen == [sys.executable, programs.MODULE, *words]
    assert standalone.main(frozen[1:]) == 1
    assert capsys.readouterr().out == said.stdout
