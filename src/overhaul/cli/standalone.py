"""The program without Python: what a double click and a dropped game do."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from overhaul import programs
from overhaul.cli import main as command_line
from overhaul.cli.output import note
from overhaul.document.registry import load
from overhaul.viewer import games_in

TYPE_CHECKING = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the arguments ask for and return the exit code.

    Files and folders (games that were dropped on the program) open in the viewer; no arguments (a
    double click) open the games next to the program; anything else is a command.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == [programs.MODULE]:
        return programs.run_module(words[1:])
    if words and all(os.path.isabs(word) and os.path.exists(word) for word in words):
        return _view(words)
    if words or not _by_double_click():
        return command_line(words)
    games = games_in(Path(sys.executable).parent)
    if games:
        return _view(games)
    note("Overhaul opens a game that is dropped on it, and the games that lie next to it.")
    note("There is no game next to it. `overhaul --help` in a terminal lists its commands.")
    _wait()
    return 0


def _view(files: Sequence[str]) -> int:
    code = command_line(["view", *files])
    if code not in (0, 130) and _by_double_click():
        _wait()
    return code


def _by_double_click() -> bool:
    """Whether the console closes when the program ends, as a double click opened it."""
    if os.name != "nt":
        return not sys.stdin.isatty() and not sys.stdout.isatty()
    ctypes = load("ctypes")
    others = (ctypes.c_uint32 * 2)()
    return bool(ctypes.windll.kernel32.GetConsoleProcessList(others, 2) == 1)


def _wait() -> None:
    if sys.stdin.isatty():
        note("Press Enter to close this window.")
        sys.stdin.readline()
