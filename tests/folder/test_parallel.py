"""One process or several: the same folders, texts and reports; nothing is left of either."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import ags_games
import overhaul
from modded_games import lantern
from overhaul import verify
from overhaul.document import caches
from overhaul.errors import OverhaulError
from overhaul.folder import parallel
from overhaul.folder.parallel import Workers, itself, map_files
from overhaul.folder.processes import (
    AUTOMATIC,
    held_signals,
    leave_quietly,
    processes,
    processors,
    result_of,
)
from overhaul.folder.writing import _shares
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.entry_texts import entry_texts
from overhaul.gml.decompiler.options import PRESETS
from overhaul.mods import diff


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let also few things be worth processes."""
    monkeypatch.setattr("overhaul.gamemaker.data.code.learning._MUCH", 1)
    monkeypatch.setattr("overhaul.gamemaker.data_folder.assigning._MUCH", 1)
    monkeypatch.setattr("overhaul.folder.writing.LEAST", 2)


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def files(tmp_path: Path) -> dict[str, Path]:
    paths = {}
    for edition in ("current", "gms1"):
        paths[edition] = tmp_path / f"{edition}.win"
        paths[edition].write_bytes(lantern(edition))
    paths["ags"] = tmp_path / "game.ags"
    paths["ags"].write_bytes(ags_games.package(letters=("ab",), rooms=3))
    return paths


@pytest.mark.usefixtures("always")
@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["current", "gms1", "ags"])
@pytest.mark.parametrize("code", ["gml", "both", "asm"])
def test_a_folder_is_the_same(tmp_path: Path, name: str, code: str) -> None:
    path = files(tmp_path)[name]
    done = [
        overhaul.unpack(path, tmp_path / f"jobs {jobs}", code=code, jobs=jobs) for jobs in (1, 4)
    ]
    one, four = (content(tmp_path / f"jobs {jobs}") for jobs in (1, 4))
    assert one == four
    assert [part[1:] for part in done[:1]] == [part[1:] for part in done[1:]]


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("name", ["current", "gms1", "ags"])
def test_a_packed_file_is_the_same(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("overhaul.folder.parallel.LEAST", 2)
    path, folder = files(tmp_path)[name], tmp_path / "folder"
    overhaul.unpack(path, folder)
    done = [
        overhaul.pack(folder, tmp_path / f"jobs {jobs}", from_scratch=True, jobs=jobs)
        for jobs in (1, 4)
    ]
    assert (tmp_path / "jobs 1").read_bytes() == (tmp_path / "jobs 4").read_bytes()
    assert done[0][1:2] == done[1][1:2]
    assert done[0].warnings == done[1].warnings
    assert multiprocessing.active_children() == []


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(
    ("name", "file", "content", "said"),
    [
        ("current", "*/gml_Object_*.gml", b"x = = 1;\n", "expected a value"),
        ("current", "sprites/*/0.png", b"\x89PNG", "PNG"),
        ("ags", "rooms/*/room.json", b"[]", "expected an object"),
    ],
)
def test_errors_are_the_same(
    tmp_path: Path, name: str, file: str, content: bytes, said: str
) -> None:
    folder = tmp_path / "folder"
    overhaul.unpack(files(tmp_path)[name], folder)
    sorted(folder.glob(file))[-1].write_bytes(content)
    errors = []
    for jobs in (1, 4):
        with pytest.raises(OverhaulError, match=said) as raised:
            overhaul.pack(folder, tmp_path / "out", from_scratch=True, jobs=jobs)
        errors.append(str(raised.value))
    assert errors[0] == errors[1]
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(("name", "style"), [("current", "plain"), ("gms1", "default")])
def test_sources_are_the_same(tmp_path: Path, name: str, style: str) -> None:
    path = str(files(tmp_path)[name])
    texts: list[object] = []
    for jobs in (1, 4):
        with overhaul.open(path) as game:
            assert isinstance(game, GameData)
            workers = Workers(path, game, jobs=jobs)
            made = entry_texts(workers, options=PRESETS[style])
            texts.append((*made, game.language.decompiled.inferred))
    assert texts[0] == texts[1]


@pytest.mark.usefixtures("always")
def test_reports_are_the_same(tmp_path: Path) -> None:
    path = files(tmp_path)["current"]
    one, four = (verify(path, code=True, jobs=jobs).code for jobs in (1, 4))
    assert one == four
    assert one is not None
    assert one.entries > 3


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("edition", ["current", "gms1"])
def test_differences_are_the_same(edition: str) -> None:
    old = lantern(edition)
    with overhaul.open(old) as game:
        assert isinstance(game, GameData)
        entry = next(entry for entry in game.code if entry.parent is None and entry.gml)
        entry.gml += "\nq = room;"
        new = game.to_bytes()
    with caches.without():
        one, four = (diff(old, new, jobs=jobs) for jobs in (1, 4))
    assert one.to_json() == four.to_json()
    assert [change.path for change in one.changes] == [f"code/{entry.name}.gml"]


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("name", ["current", "gms1", "ags"])
def test_processes_that_inherit_nothing_write_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """As on Windows and macOS, each process opens the file itself."""
    path = files(tmp_path)[name]
    overhaul.unpack(path, tmp_path / "one")
    monkeypatch.setattr(Workers, "inherits", False)
    overhaul.unpack(path, tmp_path / "several", jobs=3)
    assert content(tmp_path / "several") == content(tmp_path / "one")
    if name != "ags":
        with overhaul.open(path) as game:
            assert isinstance(game, GameData)
            several, _ = entry_texts(Workers(str(path), game, jobs=3))
        with overhaul.open(path) as game:
            assert isinstance(game, GameData)
            assert entry_texts(Workers(str(path), game))[0] == several


@pytest.mark.usefixtures("always")
def test_an_error_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = files(tmp_path)["current"]
    monkeypatch.setattr("overhaul.folder.writing.text_digest", _fails)
    monkeypatch.setattr("overhaul.folder.writing._entry", _fails)
    with pytest.raises(OverhaulError, match="no more"):
        overhaul.unpack(path, tmp_path / "game", jobs=3)
    assert sorted(found.name for found in tmp_path.iterdir()) == sorted(
        file.name for file in files(tmp_path).values()
    )


def _fails(*_: object) -> None:
    raise OverhaulError("no more")


# -- how many --------------------------------------------------------------------------------------


def test_processes_are_started_where_there_is_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(files(tmp_path)["current"])
    monkeypatch.setattr(parallel, "processors", lambda: 7)
    with overhaul.open(path) as game:
        workers = Workers(path, game, jobs=AUTOMATIC)
        assert (workers.jobs_for_code(), workers.jobs_for_all()) == (1, 1)
        monkeypatch.setattr(parallel, "LARGE_FILE", 100)
        assert (workers.jobs_for_code(), workers.jobs_for_all()) == (1, 7)
        monkeypatch.setattr(parallel, "LARGE_CODE", 100)
        assert (workers.jobs_for_code(), workers.jobs_for_all()) == (7, 7)
        assert Workers(path, game, jobs=2).jobs_for_code() == 2
        assert Workers(path + "!data.win", game, jobs=AUTOMATIC).jobs_for_all() == 7
        assert Workers("gone.win", game, jobs=AUTOMATIC).jobs_for_all() == 7  # its code


def test_few_or_small_files_have_one_process(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    assert list(map_files(_process, [(path,), (path,)], AUTOMATIC)) == [os.getpid()] * 2
    assert os.getpid() not in list(map_files(_process, [(path,), (path,)], 2))


def _process(path: Path) -> int:
    return os.getpid()


def test_there_is_a_processor() -> None:
    assert processors() >= 1


@pytest.mark.parametrize("near", [[0] * 100, [1] * 100, [n // 7 for n in range(100)], [0], []])
def test_shares_have_each_file_once(near: list[int]) -> None:
    shares = _shares(near, [1] * len(near), 2)
    assert [at for share in shares for at in range(*share)] == list(range(len(near)))


def test_files_of_one_page_are_in_one_share() -> None:
    near = [0] * 10 + [1 + n // 5 for n in range(50)]
    shares = _shares(near, [1] * len(near), 2)
    parts = [near[share.start : share.end] for share in shares]
    assert all(one[-1] == 0 or one[-1] != other[0] for one, other in itertools.pairwise(parts))


def test_shares_are_about_as_much_work() -> None:
    near = [0] * 10 + [1] * 5 + [2] * 8
    work = [1] * 10 + [5, 20, 20, 5, 30] + [10] * 3 + [1] * 5
    shares = _shares(near, work, 1)
    assert [sum(work[slice(*share)]) for share in shares] == [*[3] * 3, 1, 80, 35]


def test_the_files_of_one_page_are_divided_if_they_are_most_of_the_work() -> None:
    work = [1] * 10 + [30] * 4
    shares = _shares([0] * 10 + [1] * 4, work, 2)
    assert [sum(work[slice(*share)]) for share in shares] == [*[2] * 5, 90, 30]


# -- ends ------------------------------------------------------------------------------------------


@pytest.mark.skipif("linux" not in sys.platform, reason="reads /proc")
@pytest.mark.parametrize("ended_by", [signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_the_one_that_started_it(
    tmp_path: Path, ended_by: signal.Signals
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            import os, sys, time
            from overhaul.folder.parallel import Workers, itself

            def task(document, item):
                with open(os.path.join(sys.argv[1], str(os.getpid())), "w"):
                    pass
                time.sleep(0.2)

            if __name__ == "__main__":
                for _ in Workers(b"", None, jobs=2).map(itself, task, range(1000)):
                    pass
            """
        ),
        encoding="utf-8",
    )
    noted = tmp_path / "noted"
    noted.mkdir()
    process = subprocess.Popen(
        [sys.executable, program, noted], stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        _until(lambda: len(list(noted.iterdir())) == 2)
        started = [int(path.name) for path in noted.iterdir()]
        if ended_by == signal.SIGINT:  # as a terminal does, to all of them
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.kill()
        process.wait(20)
        _until(lambda: not any(map(_is_alive, started)))
        assert process.returncode != 0
    finally:
        process.kill()
        process.wait()


@pytest.mark.skipif("linux" not in sys.platform, reason="reads /proc")
@pytest.mark.parametrize("ended_by", ["SIGKILL", "SIGTERM", "writing"])
@pytest.mark.parametrize("way", ["map", "files"])
def test_a_killed_process_is_an_error_and_no_hang(tmp_path: Path, ended_by: str, way: str) -> None:
    """The others work at that moment, and the program has a handler of SIGTERM, as commands do.

    One that dies while it is writing a result leaves a part of it, for the rest of which the
    thread of the pool waits.
    """
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            f"""
            import os, signal, sys, time
            from overhaul.cli.app import end_tidily
            from overhaul.folder.parallel import Workers, itself, map_files

            def begin_result():
                frame = sys._getframe()
                while "result_queue" not in frame.f_locals:
                    frame = frame.f_back
                results = frame.f_locals["result_queue"]
                results._wlock.acquire()
                os.write(results._writer.fileno(), bytes([0, 0, 1, 0]) + b"a part")

            def task(document, item):
                if item == 3:
                    if {ended_by == "writing"}:
                        begin_result()
                    os.kill(os.getpid(), signal.{"SIGKILL" if ended_by == "writing" else ended_by})
                time.sleep(0.05 if item < 3 else 30)

            def of_file(path):
                return task(None, int(path))

            if __name__ == "__main__":
                end_tidily()
                try:
                    if {way == "map"}:
                        list(Workers(b"", None, jobs=2).map(itself, task, range(20), size=1))
                    else:
                        list(map_files(of_file, [(str(n),) for n in range(20)], 2))
                except MemoryError as error:
                    print(error)
            """
        ),
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, timeout=20, check=False
    )
    assert (done.returncode, done.stdout) == (0, "a worker process was killed\n"), done.stderr


@pytest.mark.skipif("linux" not in sys.platform, reason="processes inherit what is defined here")
def test_ctrl_c_while_a_result_is_written_ends_the_command(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            import os, signal, sys, time
            from overhaul.folder.parallel import map_files

            def of_file(path):
                if path != "3":
                    time.sleep(0.05 if path < "3" else 30)
                    return
                frame = sys._getframe()
                while "result_queue" not in frame.f_locals:
                    frame = frame.f_back
                results = frame.f_locals["result_queue"]
                results._wlock.acquire()
                os.write(results._writer.fileno(), bytes([0, 0, 1, 0]) + b"a part")
                os.kill(os.getppid(), signal.SIGINT)
                os._exit(130)

            if __name__ == "__main__":
                list(map_files(of_file, [(str(n),) for n in range(9)], 2))
            """
        ),
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode != 0 and done.stderr.rstrip().endswith("KeyboardInterrupt"), done.stderr


def _until(condition: object) -> None:
    assert callable(condition)
    for _ in range(400):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it does not happen")


def _is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    except OSError:
        return False
    return state[0] != "Z"


def test_itself_is_the_document() -> None:
    assert list(Workers(b"", "document").map(itself, _both, [1, 2])) == [
        ("document", 1), ("document", 2),
    ]  # fmt: skip


def test_an_error_of_a_task_that_is_called_as_one_of_waiting() -> None:
    with processes(1, leave_quietly) as pool:
        with pytest.raises(TimeoutError, match="of the task"):
            result_of(pool, pool.submit(_takes_too_long))
        assert result_of(pool, pool.submit(_sleeps)) == "done"


def _takes_too_long() -> None:
    raise TimeoutError("of the task")


def _sleeps() -> str:
    time.sleep(1.5)
    return "done"


def _both(document: str, item: int) -> tuple[str, int]:
    return document, item


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals that can wait")
def test_signals_wait_while_processes_start() -> None:
    """A handler that ran in what Python does around a fork would raise in vain."""
    caught: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: caught.append(number))
    try:
        with held_signals():
            signal.raise_signal(signal.SIGTERM)
            with processes(1, leave_quietly) as pool:
                assert pool.submit(os.getpid).result() != os.getpid()
                waiting = pool.submit(waits_for_signals).result()
            assert caught == []
        assert caught == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, before)
    assert waiting == set()  # a process of the pool is ended by them
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())


def waits_for_signals() -> set[int]:
    """The signals that wait in this process."""
    return {int(number) for number in signal.pthread_sigmask(signal.SIG_BLOCK, ())}
