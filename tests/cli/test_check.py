"""``overhaul check``: the faults of files, as text and as JSON."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ags_folders import package, sprite_set
from ide_projects import modern_project
from overhaul.cli import main


def test_a_sound_file_has_nothing_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = modern_project(tmp_path)
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: no faults\n"


def test_a_fault_has_its_place_and_its_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = modern_project(tmp_path)
    shutil.rmtree(tmp_path / "rooms/rm_a")
    assert main(["check", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines and all(line.startswith("warning: Game.yyp:") for line in lines)
    assert lines[0].endswith("rooms/rm_a/rm_a.yy is listed, and is not there [absent-file]")


def test_notes_alone_are_not_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = modern_project(tmp_path)
    shutil.copytree(tmp_path / "rooms/rm_a", tmp_path / "rooms/rm_z")
    assert main(["check", str(path)]) == 0
    assert "note: " in capsys.readouterr().out


def test_the_documents_in_a_file_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.ags"
    made = package(30)
    made.add("acsprset.spr", sprite_set(12).to_bytes()[:20])
    path.write_bytes(made.to_bytes())
    assert main(["check", str(path)]) == 1
    assert f"{path}!acsprset.spr: " in capsys.readouterr().out
    assert main(["check", "--json", str(path)]) == 1
    rows = json.loads(capsys.readouterr().out)["files"]
    assert [row["path"] for row in rows] == [str(path), f"{path}!acsprset.spr"]
    assert rows[1]["error"] and rows[1]["findings"]


def test_an_error_of_the_system_is_not_called_sound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(tmp_path / "absent.win")]) == 3
    shown = capsys.readouterr()
    assert shown.out == "" and "absent.win" in shown.err


def test_files_are_checked_after_one_that_can_not_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = modern_project(tmp_path)
    path.write_text(path.read_text().replace('\n  "name"', '\n<<<<<<< ours\n  "name"', 1))
    sound = modern_project(tmp_path / "sound")
    other = tmp_path / "absent.yyp"
    assert main(["check", "--json", str(path), str(sound), str(other)]) == 3
    first, second, third = json.loads(capsys.readouterr().out)["files"]
    assert [finding["code"] for finding in first["findings"]] == ["merge-conflict"]
    assert first["findings"][0]["line"] > 1 and "merge left" in first["error"]
    assert second["findings"] == [] and second["kind"] == "gamemaker-ide-project"
    assert third["path"] == str(other) and third["error"]
