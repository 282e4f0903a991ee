"""Watch a folder, and pack it whenever a file is saved."""

from __future__ import annotations

import gc
import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib import import_module

from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.folder.manifest import KEPT
from overhaul.folder.packing import Packed, pack
from overhaul.folder.paths import is_litter

#: How long saving must pause before the folder is packed, and how often the first packing and
#: ``stop`` are looked for (milliseconds).
_PAUSE = 30
_BEAT = 100
#: How long a program may take to end when it is asked to (seconds).
_PATIENCE = 3


def watch(
    folder: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    force: bool = False,
    stop: threading.Event | None = None,
) -> Generator[Packed | OverhaulError, None, None]:
    """Pack a folder to ``out``, and again whenever a file in it is saved.

    Yields what each packing made, or why it could not: ``out`` is then as it was.  An existing
    ``out`` is replaced only with ``force``; an original is kept as ``NAME.bak``.  Ends when
    ``stop`` is set.

    Raises WorkspaceError for a folder that is none, for an ``out`` inside it, and where the package
    watchfiles is not installed; FileExistsError.
    """
    is_first = True
    target = os.path.realpath(out)
    for root in saves(folder, out, stop=stop):
        try:
            yield pack(root, target, force=force or not is_first)
        except OverhaulError as error:
            yield error
        is_first = False


def saves(
    folder: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    stop: threading.Event | None = None,
) -> Generator[str, None, None]:
    """The real path of a folder: at first, and whenever a file in it was saved.

    Raises WorkspaceError for a folder that is none, for an ``out`` inside it, and where the package
    watchfiles is not installed.
    """
    root, target = os.path.realpath(folder), os.path.realpath(out)
    if not os.path.isdir(root):
        raise WorkspaceError(f"{os.fspath(folder)} is not a folder")
    if os.path.join(target, "").startswith(os.path.join(root, "")):
        raise WorkspaceError(f"{os.fspath(out)} can't be in the folder that is watched")
    try:
        watchfiles = import_module("watchfiles")
    except ImportError as error:
        raise WorkspaceError(
            "to watch a folder, the package watchfiles is needed: pip install 'overhaul[watch]'"
        ) from error
    is_first, is_tidy = True, True
    for changes in watchfiles.watch(
        root,
        watch_filter=lambda _, path: _counts(os.path.relpath(path, root)),
        step=_PAUSE,
        rust_timeout=_BEAT,
        yield_on_timeout=True,
        stop_event=stop,
    ):
        if changes or is_first:
            yield root
            is_first = is_tidy = False
        elif not is_tidy:  # nothing is to be done: the collector of cycles has its turn
            gc.collect()
            is_tidy = True


def _counts(path: str) -> bool:
    """Whether a file in the folder is one that packing reads."""
    parts = path.split(os.sep)
    return KEPT not in parts and not any(part.startswith(".") or is_litter(part) for part in parts)


@contextmanager
def _interrupted_afterwards() -> Iterator[None]:
    """Let Ctrl-C end the block only when all of it is done."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Ctrl-C interrupts the main thread alone
        return
    asked: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: asked.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if asked:
        signal.raise_signal(signal.SIGINT)


class Program:
    """A program that is started again for each game that was packed."""

    def __init__(self, command: str) -> None:
        self.words: list[str] = shlex.split(command, posix=os.name == "posix")
        self._running: subprocess.Popen[bytes] | None = None

    def restart(self) -> None:
        """End the program if it runs, and start it.  Raises OSError if it can't be started."""
        self.end()
        with _interrupted_afterwards():  # a program that starts is known, and can be ended
            # in a group of its own, so that what it starts ends with it
            self._running = subprocess.Popen(self.words, start_new_session=True)

    def end(self) -> None:
        """End the program, with what it started."""
        if self._running is None:
            return
        for sign in (signal.SIGTERM, signal.SIGKILL if os.name == "posix" else signal.SIGTERM):
            try:
                if os.name == "posix":
                    os.killpg(self._running.pid, sign)
                else:
                    self._running.terminate()
                self._running.wait(_PATIENCE)
                break
            except ProcessLookupError:  # it ended by itself
                self._running.wait()
                break
            except subprocess.TimeoutExpired:
                continue
        self._running = None
