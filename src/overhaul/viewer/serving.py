"""Serving a viewer on this computer until Ctrl-C.

The address is given as soon as the files are open and the port is taken: a browser that asks waits
until the packages that answer are loaded.
"""

from __future__ import annotations

import os
import secrets
import socket
import threading
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from overhaul.document.games import game_of
from overhaul.document.registry import load
from overhaul.errors import WorkspaceError
from overhaul.folder.toml import NAME
from overhaul.viewer.opened import Site
from overhaul.viewer.starting import games_in

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from overhaul.viewer.catalogs import CatalogApplication

#: The viewer of a catalogue; it needs the packages of ``overhaul[catalog]``.
_CATALOG = "overhaul.viewer.catalogs:CatalogApplication"
#: The application; it is loaded last, as loading takes long.
_SERVER = "overhaul.viewer.server"
_RUNNER = "overhaul.viewer.running:runner_at"


#: Seconds after which indexes are made: the first page comes first.
_FIRST = 2.0


def _later(work: Callable[[], None]) -> None:
    timer = threading.Timer(_FIRST, work)
    timer.daemon = True
    timer.start()


def tcp_socket() -> socket.socket:
    """A socket to listen on.

    asyncio sends at once (TCP_NODELAY) only on sockets that say that they are of TCP: without that,
    each answer of two parts waits some 40 ms.
    """
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)


#: Ports that viewers take by themselves: below those that systems hand out.
_PORTS = range(20_000, 32_000)


def own_port(sources: Sequence[str]) -> int:
    """The port that a viewer of some files takes where it is free.

    It is the same whenever they are opened, as browsers keep drafts by port.
    """
    names = "\0".join(source if "://" in source else os.path.abspath(source) for source in sources)
    return _PORTS[zlib.crc32(names.encode("utf-8", "surrogateescape")) % len(_PORTS)]


def run(
    sources: Iterable[str], *, port: int, ready: Callable[[int, str], None], runner: str = ""
) -> None:
    """Does the work of :func:`overhaul.viewer.serve`; ``ready`` is called with the port and the
    token."""
    chosen = list(sources)
    ports = (port,) if port else (own_port(chosen), 0)
    if any(map(is_catalog, chosen)):
        catalog: CatalogApplication = load(_CATALOG)(*one_catalog(chosen))
        _serve(lambda: catalog.asgi, (), ports, ready, catalog.close)
        return
    program = load(_RUNNER)(runner) if runner else ""
    site = Site([path for source in chosen for path in _games(source)])
    site.runner = program
    work = [opened.index.start for opened in site.documents]
    _serve(lambda: load(f"{_SERVER}:asgi_of")(site), work, ports, ready, site.close)


def _games(source: str) -> list[str]:
    """A source, or the games in a folder that is none itself.  Raises WorkspaceError for a folder
    without games."""
    game = game_of(source)
    if not os.path.isdir(game) or os.path.isfile(os.path.join(source, NAME)):
        return [source]
    games = games_in(source)
    if not games:
        raise WorkspaceError(f"{source} is not an unpacked folder, and has no game in it")
    return games


def one_catalog(sources: Sequence[str]) -> Sequence[str]:
    """The sources; a catalogue is the only one.  Raises WorkspaceError for others with it."""
    if len(sources) != 1:
        raise WorkspaceError("a catalogue is shown without other files")
    return sources


def is_catalog(source: str) -> bool:
    """Whether a source is a catalogue: a folder with its file, or an address of one."""
    return "://" in source or os.path.isfile(os.path.join(source, "catalog.json"))


def _bind(listening: socket.socket, ports: Sequence[int]) -> None:
    """Take the first port that is free.  Raises OSError where none is."""
    if os.name == "posix":  # elsewhere this would take a port from another program
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    for port in ports[:-1]:
        with suppress(OSError):
            listening.bind(("127.0.0.1", port))
            return
    listening.bind(("127.0.0.1", ports[-1]))


def _serve(
    app: Callable[[], ASGIApp],
    work: Iterable[Callable[[], None]],
    ports: Sequence[int],
    ready: Callable[[int, str], None],
    close: Callable[[], None],
) -> None:
    """Serve an application at the first of some ports that is free (0: any), until Ctrl-C.

    ``work`` is begun a little later.
    """
    try:
        with tcp_socket() as listening:
            _bind(listening, ports)
            listening.listen(128)
            port, token = listening.getsockname()[1], secrets.token_urlsafe(24)
            ready(port, token)
            for task in work:
                _later(task)
            load(f"{_SERVER}:serve")(app(), listening, token, port)
    finally:
        close()
