"""A game that is edited, started in a copy of its folder by the program that the person named."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from typing import Final

from overhaul.errors import WorkspaceError
from overhaul.workbench import FileBench

#: what stands before the game's file for the runners of a kind of game
_BEFORE: Final = {"gamemaker-data": ("-game",)}
#: the largest folder that is copied, in bytes
_MOST: Final = 4 << 30


def runner_at(path: str) -> str:
    """The program at a path, which must be one.  Raises WorkspaceError."""
    program = os.path.abspath(path)
    if not os.path.isfile(program) or not os.access(program, os.X_OK):
        raise WorkspaceError(f"{path} is not a program that can be started")
    return program


def start(program: str, bench: FileBench, kind: str) -> subprocess.Popen[bytes]:
    """Start a game as it is now, in a temporary copy of its folder, which is removed when the game
    ends.  Raises WorkspaceError, OSError."""
    source = os.path.abspath(bench.source)
    folder = tempfile.mkdtemp(prefix="overhaul-run-")
    try:
        inside = os.path.join(folder, "game")
        _copy(os.path.dirname(source), inside, os.path.basename(source))
        target = os.path.join(inside, os.path.basename(source))
        bench.write_to(target, force=True)
        process = subprocess.Popen(
            [program, *_BEFORE.get(kind, ()), target],
            cwd=inside,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    threading.Thread(target=_wait, args=(process, folder), daemon=True).start()
    return process


def _copy(source: str, target: str, game: str) -> None:
    """Copy the folder of a game without the game's file.  Raises WorkspaceError for a large one."""
    size = 0
    for place, _, names in os.walk(source):
        size += sum(_size(os.path.join(place, name)) for name in names)
        if size > _MOST:
            raise WorkspaceError(
                f"{source} is too large to be copied: it has more than {_MOST >> 30} GB"
            )

    def left_out(place: str, names: list[str]) -> list[str]:
        return [game] if os.path.samefile(place, source) and game in names else []

    shutil.copytree(source, target, ignore=left_out, symlinks=True)


def _size(path: str) -> int:
    return os.lstat(path).st_size if os.path.lexists(path) else 0


def _wait(process: subprocess.Popen[bytes], folder: str) -> None:
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)
