"""A folder is packed whenever a file in it is saved."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import overhaul
from modded_games import KEEPER, lantern, plain
from overhaul import folder as folders
from overhaul.errors import OverhaulError, SourceError, WorkspaceError
from overhaul.folder import watching
from overhaul.folder.packing import Packed

# A shell starts what it runs in the background with Ctrl-C ignored, and so may the tests be.
START = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from overhaul.cli import main; sys.exit(main())"
)
Made = list[Packed | OverhaulError]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    overhaul.unpack(lantern(), tmp_path / "game")
    return tmp_path / "game"


def until(is_true: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not is_true():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.02)


@pytest.fixture
def made(game: Path) -> Iterator[Made]:
    """What the packings of a watched folder made."""
    pytest.importorskip("watchfiles")
    stop, found = threading.Event(), Made()

    def work() -> None:
        for each in folders.watch(game, game.parent / "new.win", stop=stop):
            found.append(each)

    thread = threading.Thread(target=work)
    thread.start()
    until(lambda: len(found) == 1)
    yield found
    stop.set()
    thread.join(30)
    assert not thread.is_alive()


def test_a_saved_file_is_packed_and_an_error_leaves_the_last_game(game: Path, made: Made) -> None:
    new, code = game.parent / "new.win", game / KEEPER
    assert new.read_bytes() == lantern()
    source = code.read_text()
    code.write_text("lives = 3;\n" + source)
    until(lambda: len(made) == 2)
    assert isinstance(made[1], Packed)
    assert made[1].changes == {KEEPER: "changed"}
    assert plain(new.read_bytes(), KEEPER).decode() == "lives = 3;\n" + source
    good = new.read_bytes()
    code.write_text("lives = = 3;\n" + source)
    until(lambda: len(made) == 3)
    assert isinstance(made[2], SourceError)
    assert f"{KEEPER}:1:9: " in str(made[2])
    assert new.read_bytes() == good
    code.write_text(source)
    until(lambda: len(made) == 4)
    assert new.read_bytes() == lantern()


def test_what_packing_does_not_read_is_not_waited_for(game: Path, made: Made) -> None:
    for name in (".KEEPER.swp", "x.gml~", "Thumbs.db", ".overhaul/x"):
        (game / name).write_bytes(b"x")
    (game / KEEPER).write_text("score = 1;\n")
    until(lambda: len(made) == 2)
    time.sleep(0.3)
    assert len(made) == 2


def test_where_the_game_may_be(game: Path, tmp_path: Path) -> None:
    pytest.importorskip("watchfiles")
    with pytest.raises(WorkspaceError, match="can't be in the folder"):
        next(folders.watch(game, game / "new.win"))
    with pytest.raises(WorkspaceError, match="can't be in the folder"):
        next(watching.saves(game, game / "."))
    with pytest.raises(WorkspaceError, match="is not a folder"):
        next(folders.watch(tmp_path / "none", tmp_path / "new.win"))
    (tmp_path / "data.win").write_bytes(lantern())
    with pytest.raises(FileExistsError):
        next(folders.watch(game, tmp_path / "data.win"))
    assert isinstance(next(folders.watch(game, tmp_path / "data.win", force=True)), Packed)
    assert (tmp_path / "data.win.bak").read_bytes() == lantern()


def test_a_missing_package_is_reported(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    with pytest.raises(WorkspaceError, match=r"pip install 'overhaul\[watch\]'"):
        next(folders.watch(game, game.parent / "new.win"))
    assert not (game.parent / "new.win").exists()


def test_a_program_is_started_again_and_ends_with_what_it_started(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(
        "import os, subprocess, sys, time\n"
        f"open({str(tmp_path / 'ids')!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        "if len(sys.argv) == 1: subprocess.run([sys.executable, __file__, 'child'])\n"
        "time.sleep(60)\n"
    )
    program = watching.Program(f"{sys.executable} {script}")

    def ids() -> list[int]:
        file = tmp_path / "ids"
        return [int(line) for line in file.read_text().split()] if file.exists() else []

    program.end()
    program.restart()
    until(lambda: len(ids()) == 2)
    program.restart()
    until(lambda: len(ids()) == 4)
    program.end()
    program.end()
    until(lambda: not any(map(_runs, ids())))
    assert len({*ids()}) == 4  # a program and its child, twice; the second end started none


def test_control_c_while_a_program_starts_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def start(words: list[str], start_new_session: bool) -> subprocess.Popen[bytes]:
        started.append(popen(words, start_new_session=start_new_session))
        signal.raise_signal(signal.SIGINT)
        return started[0]

    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", start)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    program = watching.Program(f"{sys.executable} -c 'import time; time.sleep(60)'")
    try:
        with pytest.raises(KeyboardInterrupt):
            program.restart()
        program.end()
    finally:
        signal.signal(signal.SIGINT, before)
    assert started[0].returncode is not None


def _runs(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{number}/stat")
    return not (stat.exists() and ") Z " in stat.read_text())


def test_control_c_ends_the_command_and_its_program(game: Path, tmp_path: Path) -> None:
    pytest.importorskip("watchfiles")
    run = f"{sys.executable} -c \"import time; print('runs', flush=True); time.sleep(60)\""
    words = ["watch", str(game), "-o", str(tmp_path / "new.win"), "--run", run]
    program = subprocess.Popen(
        [sys.executable, "-c", START, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    lines = [program.stdout.readline(), program.stdout.readline()]
    assert lines[1] == "runs\n"
    assert "new.win: " in lines[0]
    assert "as unpacked" in lines[0]
    program.send_signal(signal.SIGINT)
    _, err = program.communicate(timeout=30)
    assert program.returncode == 130
    assert err.strip() == "overhaul: interrupted; nothing was left half-written"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game", "new.win"]
