"""A game that is edited, started in a copy of its folder by the program that the person named.

The copy is removed when the game ends. If the viewer ends before that, the copy is removed when
a viewer next starts a game: the game holds a file of the copy open, so nobody else removes it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, Final

from overhaul.errors import WorkspaceError
from overhaul.workbench import FileBench

if sys.platform != "win32":
    import fcntl

#: the arguments before the game's file for the runners of a kind of game
_BEFORE: Final = {"gamemaker-data": ("-game",)}
#: the largest folder that is copied, in bytes
_MOST: Final = 4 << 30
#: the beginning of the names of copies, and the file in each that its game holds open
_PREFIX, _HELD = "overhaul-run-", "held"


def runner_at(path: str) -> str:
    """The program at a path, which must be one.  Raises WorkspaceError."""
    program = os.path.abspath(path)
    if not os.path.isfile(program) or not os.access(program, os.X_OK):
        raise WorkspaceError(f"{path} is not a program that can be started")
    return program


class Copy:
    """A game as it is edited, written to a temporary folder, before what stands next to it is
    copied there and it is started.

    Raises WorkspaceError for a folder that is too large, OSError.
    """

    def __init__(self, bench: FileBench, kind: str) -> None:
        sweep()
        source = os.path.abspath(bench.source)
        self._source = os.path.dirname(source)
        self._name = os.path.basename(source)
        self._kind = kind
        _must_fit(self._source)
        self._folder = tempfile.mkdtemp(prefix=_PREFIX)
        try:
            self._held = _held(self._folder)
            self._inside = os.path.join(self._folder, "game")
            os.mkdir(self._inside)
            bench.write_to(self._target, force=True)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    @property
    def _target(self) -> str:
        return os.path.join(self._inside, self._name)

    def start(self, program: str) -> subprocess.Popen[bytes]:
        """Copy what stands next to the game, and start it.  Reads nothing of the game's document,
        so that no lock is needed.  Raises OSError."""
        try:
            with self._held as held:
                shutil.copytree(
                    self._source, self._inside,
                    ignore=self._left_out, symlinks=True, dirs_exist_ok=True,
                )  # fmt: skip
                process = subprocess.Popen(
                    [program, *_BEFORE.get(self._kind, ()), self._target],
                    cwd=self._inside,
                    stdin=held,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        threading.Thread(target=_wait, args=(process, self._folder), daemon=True).start()
        return process

    def _left_out(self, place: str, names: list[str]) -> list[str]:
        """The game's own file: it is there as it is edited."""
        return [self._name] if os.path.samefile(place, self._source) and self._name in names else []


def start(program: str, bench: FileBench, kind: str) -> subprocess.Popen[bytes]:
    """Start a game as it is now, in a temporary copy of its folder, which is removed when the game
    ends.  Raises WorkspaceError, OSError."""
    return Copy(bench, kind).start(program)


def sweep() -> None:
    """Remove copies whose games ended after the viewers that had started them."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        if (folder / _HELD).is_file() and _is_free(folder / _HELD):
            shutil.rmtree(folder, ignore_errors=True)


def _held(folder: str) -> IO[bytes]:
    """An empty file that is held as long as it is open, also by the program that inherits it."""
    made = open(os.path.join(folder, _HELD), "w+b")  # noqa: SIM115 - the game closes it
    if sys.platform != "win32":
        fcntl.flock(made, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return made


def _is_free(path: Path) -> bool:
    """Whether no program has the file open; on Windows it is removed to find that out."""
    try:
        if sys.platform == "win32":
            path.unlink()
            return True
        with open(path, "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _must_fit(source: str) -> None:
    """Raise WorkspaceError for a folder that is too large to be copied."""
    size = 0
    for place, _, names in os.walk(source):
        size += sum(_size(os.path.join(place, name)) for name in names)
        if size > _MOST:
            raise WorkspaceError(
                f"{source} is too large to be copied: it has more than {_MOST >> 30} GB"
            )


def _size(path: str) -> int:
    return os.lstat(path).st_size if os.path.lexists(path) else 0


def _wait(process: subprocess.Popen[bytes], folder: str) -> None:
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)
