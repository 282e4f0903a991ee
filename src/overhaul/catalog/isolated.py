"""Reading files in a process of its own: a crash, a hang, too much memory cost that file only."""

from __future__ import annotations

import subprocess
import tempfile
import threading
from typing import BinaryIO, Final, cast

import msgspec

from overhaul.catalog.child import Answer, Begin, Failure, Limits, Request, receive, send
from overhaul.programs import command_of, surroundings

#: Seconds for each MB of a file, which is read at about that rate, on top of the limit.
SECONDS_PER_MB: Final = 2.0
#: The share of the memory limit after which a process is replaced by a new one.
_WORN: Final = 0.7

#: Seconds that a process may take to end by itself.
_PATIENCE: Final = 0.5


class Stopped(Exception):
    """The answers of a reader are no longer needed."""


class Reader:
    """A process that answers requests one after another; it is started again when it ended."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        #: whether requests are refused, as what needed the answers was stopped
        self.stopped: bool = False

    def ask(self, request: Request, size: int = 0) -> Answer:
        """The answer to a request about a file of ``size`` bytes.

        Where the process ends or takes too long, the answer is a failure.  Raises Stopped after
        :func:`end_readers`.
        """
        if self.stopped:
            raise Stopped
        process = self._process or self._start()
        seconds = request.seconds = self.limits.seconds + SECONDS_PER_MB * size / (1 << 20)
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            data = self._exchange(process, msgspec.msgpack.encode(request))
        finally:
            timer.cancel()
        if data is None:
            if self.stopped:
                raise Stopped
            code = process.wait()
            self.close()
            if late.is_set():
                return _failed("time", f"took more than {seconds:g} seconds")
            return _failed("crash", f"the process that read it ended with {code}")
        answer = msgspec.msgpack.decode(data, type=Answer)
        worn = answer.memory > _WORN * self.limits.memory
        if worn or (answer.failure is not None and answer.failure.error == "memory"):
            self.close()
        return answer

    @staticmethod
    def _exchange(process: subprocess.Popen[bytes], data: bytes) -> bytes | None:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            send(cast("BinaryIO", process.stdin), data)
            return receive(cast("BinaryIO", process.stdout))
        except (OSError, ValueError):  # it ended, or was closed
            return None

    def _start(self) -> subprocess.Popen[bytes]:
        folder = tempfile.TemporaryDirectory(prefix="overhaul-", ignore_cleanup_errors=True)
        self._folder = folder
        process = subprocess.Popen(
            command_of("overhaul.catalog.child"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={
                **surroundings(),
                # its temporary files go with it, also when it is killed
                **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), folder.name),
                "OPENBLAS_NUM_THREADS": "1",  # each thread takes memory that the limit counts
                "OMP_NUM_THREADS": "1",
            },
        )
        self._process = process
        begin = msgspec.msgpack.encode(Begin(self.limits, folder.name))
        assert process.stdin is not None
        try:
            send(cast("BinaryIO", process.stdin), begin)
        except OSError:  # it ended, which the next request reports
            pass
        return process

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            process.communicate(timeout=_PATIENCE)  # the end of its input lets it end
        except (subprocess.TimeoutExpired, ValueError, OSError):
            process.kill()
            process.communicate()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def _failed(error: str, message: str) -> Answer:
    return Answer(failure=Failure(error, message))


_mine = threading.local()
_all: set[Reader] = set()


def reader(limits: Limits) -> Reader:
    """The process of this thread."""
    mine = getattr(_mine, "reader", None)
    if not isinstance(mine, Reader) or mine.limits != limits:
        if isinstance(mine, Reader):
            mine.close()
            _all.discard(mine)
        mine = _mine.reader = Reader(limits)
        _all.add(mine)
    return mine


def end_readers() -> None:
    """End the processes of all threads, which start no others."""
    while _all:
        ended = _all.pop()
        ended.stopped = True
        ended.close()


TYPE_CHECKING = False
