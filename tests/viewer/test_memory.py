"""The memory of a viewer, and the sizes of its pages, after many pages of one game."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest

from real_files import corpus_files
from viewing import links_of

FULL = os.environ.get("OVERHAUL_FULL") == "1"
STATUS = Path("/proc/self/status")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not STATUS.exists(), reason="the system does not say what memory it takes"),
]
#: MB that a viewer may take over the file and what it takes when it starts; bytes of a page, and
#: of one with an editor
MEMORY, PAGE, EDITOR = 256, 300_000, 600_000
EDITORS = ("/-/edit/", "/-/file", "/-/form", "/-/strings", "/-/room/", "/-/tiles/")


@contextmanager
def served(path: Path, data: Path) -> Iterator[tuple[int, str]]:
    """A viewer as a program of its own: its process, and the address with its token."""
    command = [sys.executable, "-m", "overhaul", "view", "--no-open", str(path)]
    kept = {"OVERHAUL_DATA": str(data / "data"), "OVERHAUL_CACHE": str(data / "cache")}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, **kept}
    ) as program:
        assert program.stdout is not None
        try:
            yield program.pid, program.stdout.readline().strip()
        finally:
            program.terminate()


def memory_of(process: int) -> int:
    """The most memory that a process took, in MB."""
    status = Path(f"/proc/{process}/status").read_text()
    (peak,) = re.findall(r"VmHWM:\s*(\d+) kB", status)
    return int(peak) // 1024


def looked_at(client: OpenerDirector, start: str, host: str, most: int) -> dict[str, int]:
    """The sizes of so many pages, by their addresses."""
    sizes: dict[str, int] = {}
    seen, waiting = {start}, [start]
    while waiting and len(sizes) < most:
        address = waiting.pop(len(waiting) * 7919 % len(waiting) if len(waiting) > 1 else 0)
        with client.open(host + address) as answer:
            data = answer.read()
            if not answer.headers["Content-Type"].startswith("text/html"):
                continue
        sizes[address] = len(data)
        for link in links_of(data.decode(), address):
            if link not in seen and "/-/static/" not in link and "/-/zip/" not in link:
                seen.add(link)
                waiting.append(link)
    return sizes


def largest() -> Path | None:
    """The largest game of the corpus."""
    games = corpus_files("datawin*/*.win")
    return max(games, key=lambda path: path.stat().st_size, default=None)


@pytest.mark.parametrize("which", ["demo", pytest.param("corpus", marks=pytest.mark.corpus)])
def test_many_pages_take_bounded_memory(
    which: str, lantern: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lantern if which == "demo" else largest()
    if path is None:
        pytest.skip("no corpus of real files here")
    with served(path, tmp_path) as (process, address):
        host = re.match(r"https?://[^/]+", address)
        assert host is not None
        client = build_opener(HTTPCookieProcessor(CookieJar()))
        client.open(address).read()
        before = memory_of(process)
        monkeypatch.setattr("viewing.HOST", host[0])
        sizes = looked_at(client, "/", host[0], 2000 if FULL else 250)
        taken = memory_of(process) - before - (path.stat().st_size >> 20)
    assert len(sizes) > 100
    assert taken <= MEMORY, f"{len(sizes)} pages took {taken} MB"
    heavy = {
        address: size
        for address, size in sizes.items()
        if size > (EDITOR if address.startswith(EDITORS) else PAGE)
    }
    assert heavy == {}
