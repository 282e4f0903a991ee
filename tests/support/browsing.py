"""The viewer in a real browser: a server on a thread, and pages that tell what goes wrong."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from os import PathLike, fspath
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn

from overhaul.viewer import serving
from overhaul.viewer.starting import Address, serve

BROWSER = os.environ.get("OVERHAUL_BROWSER") or shutil.which("chromium") or shutil.which("chrome")
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
    "--autoplay-policy=no-user-gesture-required",
]
needs_browser = pytest.mark.skipif(
    BROWSER is None, reason="no browser is installed (Debian: apt install chromium)"
)
#: what axe reports of these is a failure
SERIOUS = {"serious", "critical"}
WAIT = 60_000.0
#: what axe asks of colours, which is most of its work; another scheme of colours changes no more
COLOURS = "color-contrast"
#: Rows of a table are made alike: it asks so many.
ROWS = 1 << 30 if os.environ.get("OVERHAUL_FULL") == "1" else 40
#: Ends when the pictures of a page are there; those that load late are not waited for.
PICTURES = """() => Promise.all([...document.images]
    .filter(image => image.loading !== "lazy" && !image.complete)
    .map(image => new Promise(done => { image.onload = image.onerror = done; })))"""


@contextmanager
def viewer(*sources: str | PathLike[str], diff: bool = False) -> Iterator[str]:
    """The address, with its token, of a viewer of its own, which is served from a thread.

    The command in a process is tested in tests/viewer/test_serving.py.  An index of texts is made
    when something is searched, not before.
    """
    ready: Queue[Address | BaseException] = Queue()
    servers: Queue[uvicorn.Server] = Queue()

    class Server(uvicorn.Server):
        def __init__(self, config: uvicorn.Config) -> None:
            super().__init__(config)
            servers.put(self)

    def run() -> None:
        try:
            serve([fspath(source) for source in sources], diff=diff, ready=ready.put)
        except BaseException as error:
            ready.put(error)
            raise

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serving, "_later", lambda work: None)
        patch.setattr(uvicorn, "Server", Server)
        thread = Thread(target=run, daemon=True)
        thread.start()
        address = ready.get()
        if isinstance(address, BaseException):
            raise address
        server = servers.get()
    try:
        yield str(address)
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def browsing(browser: Any, address: str, *, but: str = "", **how: Any) -> Iterator[Any]:
    """A page of a browser that knows the token; what the browser reports of it is a failure, but
    for messages with the text ``but``."""
    wrong: list[str] = []

    def failed(request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # it was left for another page
            wrong.append(f"{request.failure}: {request.url}")

    parts = urlsplit(address)
    context = browser.new_context(
        base_url=f"{parts.scheme}://{parts.netloc}", reduced_motion="reduce", **how
    )
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else 0)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("requestfailed", failed)
    page.goto(address)
    try:
        yield page
    finally:
        context.close()
    said = [text for text in wrong if not but or but not in text]
    assert not said, said


def check(page: Any, name: str, rule: str = "") -> None:
    """Nothing of the page is hard to reach, by all rules or one; with OVERHAUL_SCREENSHOTS keep
    a picture of it."""
    page.wait_for_load_state("load")
    page.evaluate(PICTURES)
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(files("axe_core_python").joinpath("axe.min.js").read_text("utf-8"))
    found = page.evaluate(
        """([rows, rule]) => axe.run(
            {exclude: [[`tbody tr:nth-child(n + ${rows})`]]},
            {resultTypes: ["violations"], ...(rule ? {runOnly: [rule]} : {})})""",
        [ROWS, rule],
    )
    bad = [
        f"{each['id']}: {each['help']} {[node['html'][:120] for node in each['nodes'][:3]]}"
        for each in found["violations"]
        if each["impact"] in SERIOUS
    ]
    folder = os.environ.get("OVERHAUL_SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
    assert bad == [], f"{name} ({page.url})"
    fits(page, name)


def fits(page: Any, name: str) -> None:
    """The page is as wide as the window."""
    width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert width <= 0, f"{name} ({page.url}) is {width} pixels too wide"
