"""The server of a viewer: what answers the requests at its port."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn
from starlette.types import ASGIApp

from overhaul.viewer.app import Application
from overhaul.viewer.safety import Guard

if TYPE_CHECKING:
    from overhaul.viewer.opened import Site

#: Requests that are answered at the same time; more get the answer to come again.
AT_ONCE = 256


def asgi_of(site: Site) -> ASGIApp:
    """The application that answers for the open files."""
    return Application(site).asgi


def application(site: Site, token: str, port: Callable[[], int]) -> ASGIApp:
    """The application of a viewer with its guard."""
    return Guard(asgi_of(site), token=token, port=port)


def serve(app: ASGIApp, listening: socket.socket, token: str, port: int) -> None:
    """Answer the requests at a socket that listens, until Ctrl-C."""
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
    uvicorn.Server(config).run(sockets=[listening])
