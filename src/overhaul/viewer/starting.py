"""Starting a viewer, where its packages are installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import NamedTuple

from overhaul.errors import WorkspaceError

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


def serve(
    sources: Iterable[str],
    *,
    port: int = 0,
    diff: bool = False,
    ready: Callable[[Address], None] = lambda _: None,
) -> None:
    """Show files and unpacked folders in a browser until Ctrl-C.

    ``port`` 0 is one that the system chooses; ``ready`` is called with the address once it
    answers; with ``diff`` that of what differs between the first two files.

    Raises OSError where the port is taken or a file can't be read, FormatError for a broken file,
    WorkspaceError where the packages of ``overhaul[view]`` are not installed.
    """
    try:
        serving = import_module("overhaul.viewer.serving")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _NEEDED:
            raise
        raise WorkspaceError(
            f"the viewer needs the package {error.name}: pip install 'overhaul[view]'"
        ) from error
    start = "/1/-/diff/2" if diff else "/"
    serving.run(
        sources,
        port=port,
        ready=lambda port, token: ready(Address("127.0.0.1", port, token, start)),
    )
