"""A game is started as it is edited, in a copy of its folder."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from modded_games import lantern
from overhaul.errors import WorkspaceError
from overhaul.viewer import running
from overhaul.workbench import FileBench
from viewing import HOST, Browser, looking_at

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the program is a script")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that notes how it was started, and what it found, and writes into its folder."""
    path = tmp_path / "runner"
    path.write_text(
        f"""#!{sys.executable}
import hashlib, json, os, sys
seen = {{"arguments": sys.argv[1:], "folder": os.getcwd(), "files": sorted(os.listdir("."))}}
seen["digest"] = hashlib.sha256(open(sys.argv[-1], "rb").read()).hexdigest()
open("save.ini", "w").write("x")
open("options.ini", "a").write("changed")
open({str(tmp_path / "seen.part")!r}, "w").write(json.dumps(seen))
os.replace({str(tmp_path / "seen.part")!r}, {str(tmp_path / "seen.json")!r})
"""
    )
    path.chmod(0o755)
    return path


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "game"
    (folder / "music").mkdir(parents=True)
    (folder / "music" / "a.ogg").write_bytes(b"OggS")
    (folder / "options.ini").write_text("[a]")
    (folder / "data.win").write_bytes(lantern())
    return folder / "data.win"


def until(done: Callable[[], bool]) -> None:
    for _ in range(400):
        if done():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen")


def post(client: Browser, address: str, **sent: Any) -> int:
    return client.post(address, headers={"Origin": HOST}, data=sent).status_code


def test_a_copy_is_started_and_removed(program: Path, game: Path, tmp_path: Path) -> None:
    old = {path: path.read_bytes() for path in game.parent.rglob("*") if path.is_file()}
    seen = tmp_path / "seen.json"
    with looking_at(game) as client:
        assert "Run</button>" not in client.get("/").text
        assert post(client, "/-/run") == 422
        client.site.runner = running.runner_at(str(program))
        assert "Run</button>" in client.get("/").text
        wish = {"do": "rename", "name": "spr_guard", "sure": "1"}
        assert post(client, "/-/whole/sprites/spr_keeper", **wish) == 200
        assert client.get("/-/run").status_code == 404
        assert post(client, "/-/run") == 200
        until(seen.exists)
        found = json.loads(seen.read_text())
        bench = client.site.documents[0].bench
        assert isinstance(bench, FileBench)
        assert found["arguments"][0] == "-game"
        assert found["files"] == ["data.win", "music", "options.ini"]
        edited = tmp_path / "edited.win"
        bench.write_to(str(edited))
    assert found["digest"] == hashlib.sha256(edited.read_bytes()).hexdigest()
    assert {path: path.read_bytes() for path in game.parent.rglob("*") if path.is_file()} == old
    assert not found["folder"].startswith(str(game.parent))
    until(lambda: not os.path.exists(os.path.dirname(found["folder"])))


def test_others_are_answered_while_the_folder_is_copied(
    program: Path, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside: list[bool] = []

    def copied(*_: object, **__: object) -> None:
        thread = Thread(target=lambda: inside.append(client.get("/sprites").status_code == 200))
        thread.start()
        thread.join(20)

    monkeypatch.setattr(shutil, "copytree", copied)
    with looking_at(game) as client:
        client.site.runner = str(program)
        assert post(client, "/-/run") == 200
    assert inside == [True]


def test_what_can_not_be_copied_is_said(
    program: Path, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(shutil, "copytree", full)
    with looking_at(game) as client:
        client.site.runner = str(program)
        answer = client.post("/-/run", headers={"Origin": HOST})
        assert (answer.status_code, "No space left on device" in answer.text) == (422, True)
    assert [*tmp_path.glob("overhaul-run-*")] == []


def test_copies_of_viewers_that_ended_are_removed(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy stays as long as its game runs, and is removed by the next viewer."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(running, "_wait", lambda process, folder: None)  # the viewer has ended
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nwhile [ ! -e ../end ]; do sleep 0.05; done\n")
    slow.chmod(0o755)
    bench = FileBench(str(game))
    bench.load()
    process = running.start(str(slow), bench, "gamemaker-data")
    (folder,) = tmp_path.glob("overhaul-run-*")
    other = tmp_path / "overhaul-run-without-a-lock"
    other.mkdir()
    running.sweep()
    assert folder.is_dir()
    (folder / "end").touch()
    process.wait(20)
    running.sweep()
    assert not folder.exists()
    assert other.is_dir()


def test_what_is_no_program_is_refused(program: Path, game: Path, tmp_path: Path) -> None:
    for wrong in (tmp_path / "none", tmp_path, game):
        with pytest.raises(WorkspaceError, match="is not a program that can be started"):
            running.runner_at(str(wrong))
    assert running.runner_at(str(program)) == str(program)


def test_a_large_folder_is_not_copied(
    program: Path, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_MOST", 3)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", None)
    bench = FileBench(str(game))
    bench.load()
    with pytest.raises(WorkspaceError, match="too large to be copied"):
        running.start(str(program), bench, "gamemaker-data")
    assert os.listdir(tmp_path / "temporary") == []
