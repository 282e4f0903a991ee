"""Writing into an unpacked folder: what is shown first, and can be undone."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from overhaul.document.files import write_file
from overhaul.errors import WorkspaceError

#: writes that can be undone
KEPT = 50


class Write(NamedTuple):
    """A file that was written: its path in the folder, and its bytes before and after."""

    path: str
    before: bytes
    after: bytes


class Writer:
    """Writes plain files of one unpacked folder, and nothing outside of it."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.writes: deque[Write] = deque(maxlen=KEPT)

    def read(self, path: str) -> bytes:
        """The bytes of a file.  Raises WorkspaceError for one that is not in the folder."""
        with open(self._place(path), "rb") as file:
            return file.read()

    def write(self, path: str, data: bytes, before: bytes, check: Callable[[], None]) -> None:
        """Replace a file that has the bytes ``before``.

        ``check`` is called when it is written; if it raises, the file is as it was.  Raises
        WorkspaceError where the file was changed meanwhile.
        """
        if self.read(path) != before:
            raise WorkspaceError(f"{path} was changed meanwhile; nothing was written")
        self._put(path, data, before, check)
        self.writes.append(Write(path, before, data))

    def undo(self, check: Callable[[], None]) -> str:
        """Take the last write back; return the path of its file.

        Raises WorkspaceError where there is none, or the file was changed since.
        """
        if not self.writes:
            raise WorkspaceError("there is nothing to undo")
        last = self.writes[-1]
        if self.read(last.path) != last.after:
            raise WorkspaceError(f"{last.path} was changed since; nothing was undone")
        self._put(last.path, last.before, last.after, check)
        self.writes.pop()
        return last.path

    def _put(self, path: str, data: bytes, before: bytes, check: Callable[[], None]) -> None:
        place = self._place(path)
        write_file(place, data, force=True)
        try:
            check()
        except BaseException:
            write_file(place, before, force=True)
            raise

    def _place(self, path: str) -> str:
        """Where a file is.  Links are followed: what they lead to must be in the folder too."""
        whole = os.path.realpath(self.folder)
        place = os.path.realpath(os.path.join(whole, path))
        if os.path.commonpath([whole, place]) != whole or not os.path.isfile(place):
            raise WorkspaceError(f"{path} is not a file of {self.folder}")
        return place
