"""Standard output that can't be written, and files that another program has open."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

from modded_games import lantern
from overhaul.cli import main
from overhaul.document import files, reading
from overhaul.gamemaker.data import GameData

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="the system has no /dev/full")


@needs_full
@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "words", [["info"], ["info", "--json"], ["verify"], ["ls"], ["cat", "order.json"]]
)
def test_a_full_standard_output_is_an_error(words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern())
    command = [sys.executable, "-m", "overhaul", words[0], str(path), *words[1:]]
    with FULL.open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr == "overhaul: standard output: No space left on device\n"


def test_a_closed_standard_output_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern())
    line = f'"{sys.executable}" -m overhaul info "{path}" >&-'
    done = subprocess.run(line, shell=True, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.startswith("overhaul: standard output: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("words", "count"), [(["ls"], 1), (["grep", "."], 9)])
def test_a_reader_that_has_ended_is_no_error(words: list[str], count: int, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern())
    reads, writes = os.pipe()
    os.close(reads)
    command = [sys.executable, "-m", "overhaul", *words, *[str(path)] * count]
    try:
        done = subprocess.run(
            command, stdout=writes, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writes)
    assert (done.returncode, done.stderr) == (0, "")


class SharingViolation(PermissionError):
    """As Windows raises it while a file is in use."""

    winerror = 32


def test_a_file_in_use_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "game.win"
    target.write_bytes(b"old")
    waited: list[float] = []
    left = [3]
    replace = os.replace

    def busy(source: str, to: str) -> None:
        if left[0]:
            left[0] -= 1
            raise SharingViolation(13, "in use", source)
        replace(source, to)

    monkeypatch.setattr("os.replace", busy)
    monkeypatch.setattr("time.sleep", waited.append)
    files.write_file(target, b"new", force=True)
    assert target.read_bytes() == b"new" and len(waited) == 3
    left[0] = 99
    with pytest.raises(PermissionError, match="another program has the file open") as caught:
        files.write_file(target, b"newer", force=True)
    assert caught.value.filename == str(target)
    assert target.read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["game.win"]


@pytest.mark.parametrize("mapped", [True, False])
def test_a_game_is_saved_over_itself(
    mapped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAPPED_IS_REPLACED", mapped)
    path = tmp_path / "game.win"
    path.write_bytes(lantern())
    view, release = reading.map_file(str(path))
    files.write_file(path, b"other", force=True)
    assert bytes(view) == lantern()
    release()
    assert path.read_bytes() == b"other"
    path.write_bytes(lantern())
    assert GameData.from_bytes(path.read_bytes()).to_bytes() == lantern()


def test_a_command_collects_cycles_rarely_and_leaves_the_collector_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = []
    known = gc.get_threshold()

    def run(words: list[str]) -> int:
        seen.append(gc.get_threshold())
        raise KeyboardInterrupt

    monkeypatch.setattr("overhaul.cli._run", run)
    main(["info"])
    assert seen == [(50_000, *known[1:])]
    assert gc.get_threshold() == known
