"""The process that reads files for a catalogue, so that none of them can stop the build.

It gets requests on its standard input and answers on its standard output: msgpack behind its
length. Output of the code goes to standard error. See :mod:`overhaul.catalog.isolated` for the
other side.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import BinaryIO, Final

import msgspec
import pyarrow as pa

from overhaul.catalog.arrow import plain_text, text_of, to_arrow, to_stream
from overhaul.catalog.places import fetch, is_remote
from overhaul.catalog.reading import Wanted, read
from overhaul.catalog.surveying import SurveyedFile, survey
from overhaul.catalog.tables import STORED
from overhaul.document.caches import without
from overhaul.document.containers import find_member
from overhaul.errors import OverhaulError
from overhaul.media.pool import KEPT

if sys.platform != "win32":
    import resource

#: Decoded texture pages are kept in this part of the memory.
_SHARE: Final = 8

LENGTH: Final = struct.Struct("<I")


class Limits(msgspec.Struct, frozen=True):
    """The limits of reading one file: seconds, and bytes of memory."""

    seconds: float = 300.0
    memory: int = 500 << 20


class Begin(msgspec.Struct):
    """The first message: limits, and the folder of the temporary files of this process."""

    limits: Limits
    folder: str


class Request(msgspec.Struct):
    """A file to survey (without ``digest``) or to read; ``members`` lead into containers.

    ``path`` and ``members`` are :func:`~overhaul.catalog.arrow.raw_text`: names of files may have
    bytes that are not Unicode.
    ``seconds`` are those after which the answer is no longer waited for.  ``place``, ``container``
    and ``run`` are for the rows of the tables.
    """

    path: bytes
    members: list[bytes] = []
    seconds: float = 0.0
    digest: str | None = None
    place: str = ""
    container: str = ""
    run: int = 0
    wanted: Wanted = Wanted()


class Failure(msgspec.Struct):
    """Why a file could not be surveyed or read: the kind of error, and what it says."""

    error: str
    message: str

    def __post_init__(self) -> None:
        self.message = plain_text(self.message)  # which may name the file


class Answer(msgspec.Struct):
    """The answer to a request: a survey, tables as Arrow streams, or a failure."""

    entries: list[SurveyedFile] = []
    tables: dict[str, bytes] = {}
    failure: Failure | None = None
    seconds: float = 0.0
    memory: int = 0


def main(_: Sequence[str] = ()) -> None:
    """Answer requests until there are no more; the first message is a :class:`Begin`.

    At the end the temporary files go, as the process that made their folder may be gone too.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started it ends it
    requests = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    first = receive(requests)
    if first is None:
        return
    begin = msgspec.msgpack.decode(first, type=Begin)
    _bound(begin.limits.memory)
    pa.set_memory_pool(pa.system_memory_pool())  # others reserve more than the limit
    KEPT.limit = min(KEPT.limit, begin.limits.memory // _SHARE)
    local = Local()
    with without():  # of thousands of games, none is read a second time
        while (data := receive(requests)) is not None:
            request = msgspec.msgpack.decode(data, type=Request)
            _end_after(2 * request.seconds)
            send(answers, msgspec.msgpack.encode(answer(request, local)))
            _end_after(0)
            gc.collect()
    local.close()
    shutil.rmtree(begin.folder, ignore_errors=True)


def receive(stream: BinaryIO) -> bytes | None:
    """The next message; None at the end of the stream, also in the middle of a message."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None


def send(stream: BinaryIO, data: bytes) -> None:
    """Write a message."""
    stream.write(LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


class Local:
    """Files as they are on the disk; the last that came from elsewhere is kept until another does,
    as all files in a container are asked for one after another."""

    def __init__(self) -> None:
        self._address = ""
        self._path = ""
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def path(self, path: str) -> str:
        """The path on the disk of a file wherever it is."""
        if not is_remote(path):
            return path
        if path != self._address:
            self.close()
            self._folder = tempfile.TemporaryDirectory(prefix="overhaul-")
            self._path = fetch(path, self._folder.name)
            self._address = path
        return self._path

    def close(self) -> None:
        """Remove what was fetched."""
        self._address = ""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def answer(request: Request, local: Local) -> Answer:
    """Survey or read a file."""
    _reset_peak()
    started = time.monotonic()
    made = Answer()
    try:
        _do(request, local.path(text_of(request.path)), made)
    except OverhaulError as error:
        made.failure = Failure("format", str(error))
    except OSError as error:
        made.failure = Failure("system", error.strerror or str(error))
    except (MemoryError, RecursionError) as error:
        made.failure = Failure("memory", f"{type(error).__name__}: {error}".rstrip(": "))
    except Exception as error:  # noqa: BLE001 - reported as a row; the build goes on
        made.failure = Failure("crash", f"{type(error).__name__}: {error}")
    made.seconds = time.monotonic() - started
    made.memory = _peak()
    return made


def _do(request: Request, path: str, made: Answer) -> None:
    if request.digest is None:
        for entry in survey(path):
            made.entries.append(entry)
        return
    found = find_member(path, [text_of(name) for name in request.members])
    started = time.monotonic()
    rows = read(found, request.digest, request.wanted)
    for row in rows.get("errors", ()):
        row |= {"place": request.place, "container": request.container, "sha256": request.digest}
    for row in rows["contents"]:
        row |= {"seconds": time.monotonic() - started, "memory": _peak()}
    for row in (*rows["contents"], *rows.get("errors", ())):
        row["run"] = request.run
    gc.collect()  # the document, in whose memory there is room for the tables
    while rows:  # the rows of a table go before the next table is made
        name, each = rows.popitem()
        made.tables[name] = to_stream(to_arrow(STORED[name], each))


# ------------------------------------------------------------------------------- limits


def _bound(memory: int) -> None:
    """Let memory end before the machine's does, where the system knows such limits."""
    if sys.platform == "win32":
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    if most != resource.RLIM_INFINITY:
        memory = min(memory, most)
    resource.setrlimit(resource.RLIMIT_DATA, (memory, most))


def _end_after(seconds: float) -> None:
    """End this process after some time, where the one that started it does not (0: never)."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _reset_peak() -> None:
    """Let the system count the peak of the memory from now on (Linux)."""
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        return


def _peak() -> int:
    """The peak of the memory in bytes; 0 where the system does not say."""
    try:
        with open("/proc/self/status") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    if sys.platform == "win32":
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
