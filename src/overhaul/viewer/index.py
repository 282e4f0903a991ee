"""The index of a file on show: found in the user's cache, or made in the background."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import subprocess
import threading
from pathlib import Path
from typing import Literal, TypeAlias

from overhaul.document.caches import cache_folder
from overhaul.programs import command_of, surroundings
from overhaul.version import __version__
from overhaul.viewer.matching import Hits, Query, find

State: TypeAlias = Literal["new", "building", "ready", "failed"]


class Index:
    """The index of one file or folder.

    ``state`` is ``building`` until it can be searched, ``done`` of ``total`` texts being in it;
    ``failed`` where it can't be made, for ``reason``.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.state: State = "new"
        self.done: int = 0
        self.total: int = 0
        self.reason: str = ""
        self._path: Path | None = None
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._ended = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to make the index, unless that was done before."""
        with self._lock:
            if self.state != "new" or self._ended:
                return
            self.state = "building"
            self._thread = threading.Thread(target=self._make, daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> None:
        """Wait until the index is there, at most so long."""
        if self._thread is not None:
            self._thread.join(seconds)

    def search(self, query: Query, limit: int) -> Hits | None:
        """The matches; None while there is no index. Raises ValueError for a bad query."""
        query.pattern()
        if self.state != "ready" or self._path is None:
            return None
        return find(self._path, query, limit)

    def close(self) -> None:
        """End the program that makes the index."""
        with self._lock:
            self._ended = True
            process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
        self.wait(5)

    # -- on its own thread -------------------------------------------------------------------

    def _make(self) -> None:
        try:
            path = index_path(self.source)
            if path.exists():
                touch(path)
            else:
                self._build(path)
            self._path = path
            self.state = "ready"
        except (OSError, RuntimeError) as error:
            self.reason = str(error)
            self.state = "failed"

    def _build(self, path: Path) -> None:
        part = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
        try:
            self._run(part)
            os.replace(part, path)
            make_room()
        finally:
            with contextlib.suppress(OSError):
                part.unlink()

    def _run(self, part: Path) -> None:
        with self._lock:
            if self._ended:
                raise RuntimeError("the viewer has ended")
            self._process = process = subprocess.Popen(
                command_of("overhaul.viewer.indexing", self.source, str(part)),
                env=surroundings(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        why = "the texts of this file can't be read"
        with process:
            for line in process.stdout or ():
                done, _, rest = line.strip().partition(" ")
                if done == "!":
                    why = rest
                else:
                    self.done, self.total = int(done), int(rest)
        if process.returncode:
            raise RuntimeError(why)


#: All indexes together take so many bytes; those used least recently go first.
LARGEST = 1 << 30
#: Another number when the tables are others.
SCHEMA = 3
_PIECE = 1 << 20


def index_path(source: str) -> Path:
    """Where the index of a file, or of a folder as it is now, is kept."""
    return cache_folder() / f"{digest_of(source)}.index"


def digest_of(source: str) -> str:
    """The digest of a file: its bytes; for a folder, its files and their times."""
    whole = hashlib.sha256(f"{__version__} {SCHEMA} ".encode())
    if os.path.isdir(source):
        whole.update(os.path.realpath(source).encode("utf-8", "surrogateescape"))
        for folder, below, files in os.walk(source):
            below.sort()
            for name in sorted(files):
                status = os.stat(os.path.join(folder, name))
                said = f"{folder}/{name} {status.st_size} {status.st_mtime_ns}\n"
                whole.update(said.encode("utf-8", "surrogateescape"))
        return whole.hexdigest()
    path, mark, inside = source, "", ""
    if not os.path.exists(source):
        path, mark, inside = source.partition("!")
    whole.update(f"{mark}{inside}\0".encode("utf-8", "surrogateescape"))
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            whole.update(piece)
    return whole.hexdigest()


def make_room(largest: int = LARGEST) -> None:
    """Remove the indexes that were used least recently, until the others are small enough."""
    files = []
    for path in cache_folder().glob("*.index"):
        try:
            state = path.stat()
        except FileNotFoundError:
            continue
        files.append((state.st_mtime_ns, state.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= largest:
            return
        try:
            path.unlink()
        except OSError:  # another viewer has it open (Windows)
            continue
        total -= size


def touch(path: Path) -> None:
    """Note that an index is used."""
    try:
        os.utime(path)
    except OSError:
        return
