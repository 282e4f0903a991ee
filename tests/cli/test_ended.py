"""Commands that start processes, ended from outside: nothing hangs, stays, or is half-written.

A moment of some kinds for each command; OVERHAUL_FULL=1 takes twenty of all kinds.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import overhaul
from large_games import enlarge
from overhaul.examples import write_example
from repeats import times

pytestmark = pytest.mark.skipif("linux" not in sys.platform, reason="reads /proc")

COMMANDS = {
    "unpack": (["unpack", "{game}", "{out}/folder"], "folder"),
    "decompile": (["decompile", "{game}", "-o", "{out}/gml"], "gml"),
    "verify --code": (["verify", "--code", "{game}"], ""),
    "pack": (["pack", "{plain}", "-o", "{out}/packed.win"], "packed.win"),
    "translate extract": (["translate", "extract", "{game}", "-o", "{out}/texts.po"], "texts.po"),
    "catalog build": (["catalog", "build", "{game}", "-o", "{out}/catalog"], ""),
}
#: commands that take a number of processes; others choose it by the size of their work
WITH_JOBS = ("unpack", "decompile", "verify --code", "pack", "catalog build")
WAYS = [
    ("command", signal.SIGKILL),
    ("command", signal.SIGTERM),
    ("worker", signal.SIGKILL),
    ("worker", signal.SIGTERM),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of some copies of the example, and its plain files without the kept files."""
    place = tmp_path_factory.mktemp("ended")
    write_example("lantern", place / "example.win")
    overhaul.unpack(place / "example.win", place / "example")
    overhaul.unpack(place / "example.win", place / "plain")
    enlarge(place / "plain", [place / "example"], 60)
    overhaul.pack(place / "plain", place / "game.win")
    shutil.rmtree(place / "plain" / ".overhaul")
    return place


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize(("who", "by"), WAYS)
def test_nothing_stays_of_a_command_that_is_ended(
    made: Path, tmp_path: Path, name: str, who: str, by: signal.Signals
) -> None:
    words, target = COMMANDS[name]
    chance = random.Random(f"{name} {who} {by}")
    for moment in range(times(20, 20)):
        out = tmp_path / str(moment)
        out.mkdir()
        given = [
            word.format(game=made / "game.win", plain=made / "plain", out=out) for word in words
        ]
        process = start([*given, *(["--jobs", "2"] if name in WITH_JOBS else [])], out / "said")
        try:
            hit = end(process, who, by, chance.random())
            code = process.wait(60)
        finally:
            left = stayed(process.pid)
            for each in left:
                os.kill(each, signal.SIGKILL)
            process.kill()
            process.wait()
        said = (out / "said").read_text("utf-8")
        assert left == [], said
        assert "Traceback" not in said and "internal error" not in said
        if hit and who == "worker":
            assert (code, "a worker process was killed" in said) in ((3, True), (0, False)), said
        if code != 0 and target and (out / target).exists():  # it was ended after its last act
            again = made / f"{name} again"
            again.mkdir(exist_ok=True)
            command = [word.format(game=made / "game.win", plain=made / "plain", out=again)
                       for word in words]  # fmt: skip
            if not (again / target).exists():
                assert start(command, again / "said").wait(60) == 0
            assert files_of(out / target) == files_of(again / target)
        if by == signal.SIGTERM or who == "worker":
            names = {path.name for path in out.iterdir()} - {"said", target, "catalog"}
            assert names == set()


def files_of(place: Path) -> set[tuple[str, int]]:
    """The files of a folder, or one file, with their sizes."""
    files = [place] if place.is_file() else [path for path in place.rglob("*") if path.is_file()]
    return {(str(path.relative_to(place.parent)), path.stat().st_size) for path in files}


def start(words: list[str], said: Path) -> subprocess.Popen[bytes]:
    code = "import sys; from overhaul.cli import main; sys.argv[0] = 'overhaul'; sys.exit(main())"
    with open(said, "wb") as file:
        return subprocess.Popen(
            [sys.executable, "-c", code, *words],
            stdout=file,
            stderr=file,
            start_new_session=True,
            env=os.environ | {"OVERHAUL_CACHE": str(said.parent.with_name("cache"))},
        )


def end(process: subprocess.Popen[bytes], who: str, by: signal.Signals, later: float) -> bool:
    """Signal a command, or a process of it, once it has some, or after a second; whether it was
    running."""
    until = time.monotonic() + 1
    while process.poll() is None and not list(others(process.pid)):
        if who == "command" and time.monotonic() > until:
            break
        time.sleep(0.002)
    time.sleep(later / 4)
    victims = [process.pid] if who == "command" else list(others(process.pid))
    for victim in victims[:1]:
        if process.poll() is None:
            os.kill(victim, by)
            return True
    return False


def stayed(session: int) -> list[int]:
    """The processes that are still there some seconds after their command."""
    until = time.monotonic() + 10
    while (left := list(others(session))) and time.monotonic() < until:
        time.sleep(0.02)
    return left


def others(session: int) -> Iterator[int]:
    """The processes of a session besides its first."""
    for name in os.listdir("/proc"):
        if name.isdecimal() and int(name) != session:
            try:
                stat = Path(f"/proc/{name}/stat").read_text("utf-8", "replace")
            except OSError:
                continue
            state, *numbers = stat.rpartition(")")[2].split()
            if state != "Z" and int(numbers[2]) == session:
                yield int(name)
