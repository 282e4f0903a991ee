"""Serving a viewer on this computer, for as long as nobody presses Ctrl-C."""

from __future__ import annotations

import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import uvicorn

from overhaul.document.registry import load
from overhaul.errors import WorkspaceError
from overhaul.folder.toml import NAME
from overhaul.viewer.app import Application
from overhaul.viewer.opened import Site
from overhaul.viewer.safety import Guard
from overhaul.viewer.starting import games_in

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from overhaul.viewer.catalogs import CatalogApplication

#: What shows a catalogue; it needs the packages of ``overhaul[catalog]``.
_CATALOG = "overhaul.viewer.catalogs:CatalogApplication"

#: Requests that are answered at the same time; more get the answer to come again.
AT_ONCE = 256


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


class _Server(uvicorn.Server):
    """A server that says when it is ready: from then on Ctrl-C is its own to answer."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._ready()


def application(site: Site, token: str, port: Callable[[], int]) -> ASGIApp:
    """The application of a viewer with its guard."""
    return Guard(Application(site).asgi, token=token, port=port)


def run(sources: Iterable[str], *, port: int, ready: Callable[[int, str], None]) -> None:
    """What :func:`overhaul.viewer.serve` does; ``ready`` is called with the port and the token."""
    chosen = list(sources)
    if any(map(is_catalog, chosen)):
        catalog: CatalogApplication = load(_CATALOG)(*one_catalog(chosen))
        _serve(catalog.asgi, (), port, ready, catalog.close)
        return
    site = Site([path for source in chosen for path in _games(source)])
    work = [opened.index.start for opened in site.documents]
    _serve(Application(site).asgi, work, port, ready, site.close)


def _games(source: str) -> list[str]:
    """A source, or the games in a folder that is none itself.  Raises WorkspaceError for a folder
    without games."""
    if not os.path.isdir(source) or os.path.isfile(os.path.join(source, NAME)):
        return [source]
    games = games_in(source)
    if not games:
        raise WorkspaceError(f"{source} is no unpacked folder, and there is no game in it")
    return games


def one_catalog(sources: Sequence[str]) -> Sequence[str]:
    """The sources, of which one is a catalogue.  Raises WorkspaceError for others besides it."""
    if len(sources) != 1:
        raise WorkspaceError("a catalogue is shown without other files")
    return sources


def is_catalog(source: str) -> bool:
    """Whether a source is a catalogue: a folder with its file, or an address of one."""
    return "://" in source or os.path.isfile(os.path.join(source, "catalog.json"))


def _serve(
    app: ASGIApp,
    work: Iterable[Callable[[], None]],
    port: int,
    ready: Callable[[int, str], None],
    close: Callable[[], None],
) -> None:
    """Serve an application until Ctrl-C; ``work`` is begun a little later."""
    try:
        with tcp_socket() as listening:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(("127.0.0.1", port))
            listening.listen(128)
            port, token = listening.getsockname()[1], secrets.token_urlsafe(24)
            config = uvicorn.Config(
                Guard(app, token=token, port=lambda: port),
                log_config=None,
                access_log=False,
                http="h11",
                ws="none",
                lifespan="off",
                loop="asyncio",
                limit_concurrency=AT_ONCE,
                h11_max_incomplete_event_size=32 << 10,
                timeout_graceful_shutdown=2,
                server_header=False,
                date_header=False,
            )
            for each in work:
                _later(each)
            _Server(config, lambda: ready(port, token)).run(sockets=[listening])
    finally:
        close()
