"""Standard output whose errors are seen: a full disk, a stream that is closed.

Python's own stream raises what a write raises without saying of which file it is, writes less than
all where it is not buffered, and fails once more when the program ends.
"""

from __future__ import annotations

import errno
import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, TextIO

    from _typeshed import ReadableBuffer

STANDARD_OUTPUT: Final = "standard output"


class _Output(io.FileIO):
    """A file descriptor whose errors name it; after the first, what is written goes nowhere."""

    def __init__(self, number: int, failure: int = 0) -> None:
        super().__init__(number, "wb", closefd=False)
        self._failure = failure
        self._failed = False

    def write(self, data: ReadableBuffer, /) -> int:
        """Write bytes; OSError names standard output."""
        if self._failed:
            return len(memoryview(data).cast("B"))
        try:
            if self._failure:
                raise OSError(self._failure, os.strerror(self._failure))
            return super().write(data) or 0
        except OSError as error:
            self._failed = True
            if isinstance(error, BrokenPipeError):
                raise
            raise OSError(error.errno, error.strerror, STANDARD_OUTPUT) from None


def check_output() -> None:
    """Put a stream that is checked in the place of ``sys.stdout``, where that is a file or closed.

    A terminal is left as it is, and so is what is no stream of the system (a test's).
    """
    error: TextIO | None = sys.stderr
    if error is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open to the end
    if _is_closed():
        nowhere = os.open(os.devnull, os.O_WRONLY)
        sys.stdout = _text(_Output(nowhere, errno.EBADF), "utf-8")
    elif sys.stdout is sys.__stdout__:
        _check(sys.stdout)  # type: ignore[arg-type]  # it is open


def _check(output: TextIO) -> None:
    if not output.isatty():
        output.flush()
        sys.stdout = _text(_Output(output.fileno()), output.encoding)


def _is_closed() -> bool:
    output: TextIO | None = sys.stdout
    return output is None


def _text(output: _Output, encoding: str) -> io.TextIOWrapper:
    # a name from a game may hold what the encoding lacks
    return io.TextIOWrapper(io.BufferedWriter(output), encoding, "backslashreplace")
