"""Starting a viewer, where its packages are installed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.util import find_spec
from typing import NamedTuple

import overhaul
from overhaul.document.registry import load
from overhaul.errors import OverhaulError, WorkspaceError

#: the packages of the extra ``[view]``
_NEEDED = ("anyio", "jinja2", "starlette", "uvicorn")


class Address(NamedTuple):
    """Where a viewer is to be found; its text is the address that opens it, at ``path``."""

    host: str
    port: int
    token: str
    path: str = "/"

    def __str__(self) -> str:
        return f"http://{self.host}:{self.port}{self.path}?token={self.token}"


#: Games of a folder that are shown at once.
MOST = 50


def games_in(folder: str | os.PathLike[str]) -> list[str]:
    """The first :data:`MOST` files of a folder that Overhaul opens, by name.

    Files that others bring along (audio groups) and other files are left out.  Raises OSError.
    """
    games: list[str] = []
    with os.scandir(folder) as entries:
        paths = sorted(entry.path for entry in entries if entry.is_file())
    own = os.path.realpath(sys.executable)
    for path in paths:
        if len(games) == MOST:
            break
        if os.path.realpath(path) != own:
            with suppress(OverhaulError, OSError), overhaul.open(path) as document:
                if document.kind not in _BROUGHT:
                    games.append(path)
    return games


#: Kinds of files that belong to a game next to them.
_BROUGHT = ("gamemaker-audiogroup",)


def serve(
    sources: Iterable[str],
    *,
    port: int = 0,
    diff: bool = False,
    runner: str = "",
    ready: Callable[[Address], None] = lambda _: None,
) -> None:
    """Show files and unpacked folders in a browser until Ctrl-C.

    ``port`` 0 is one that the system chooses; ``ready`` is called with the address once the
    port is taken; with ``diff`` that of what differs between the first two files.  ``runner`` is a
    program that starts games: pages offer to run a copy of the game as it is edited.

    Raises OSError where the port is taken or a file can't be read, FormatError for a broken file,
    WorkspaceError where the packages of ``overhaul[view]`` are not installed.
    """
    missing = next((name for name in _NEEDED if find_spec(name) is None), None)
    if missing is not None:
        raise WorkspaceError(
            f"the viewer needs the package {missing}: pip install 'overhaul[view]'"
        )
    serving = load("overhaul.viewer.serving")
    start = "/1/-/diff/2" if diff else "/"
    serving.run(
        sources,
        port=port,
        runner=runner,
        ready=lambda port, token: ready(Address("127.0.0.1", port, token, start)),
    )
