"""The texts that a language service reads: files of a folder, or of a document that is open."""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence

from overhaul.errors import WorkspaceError
from overhaul.folder.paths import scan

#: a text that is longer is read, but has no answers
LONGEST = 8 << 20


class Lines:
    """The lines of a text: places to offsets, and back.  A line ends with LF, CRLF or CR."""

    __slots__ = ("starts", "text")

    def __init__(self, text: str) -> None:
        self.text: str = text
        self.starts: list[int] = [0, *(match.end() for match in _ENDS.finditer(text))]

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of an offset, both from 0."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        return line, offset - self.starts[line]

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and a column, both from 0; at the end of a shorter line."""
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        return min(self.starts[line] + max(column, 0), self.end(line))

    def end(self, line: int) -> int:
        """The offset of the end of a line, before what ends it."""
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        start = self.starts[line]
        while end > start and self.text[end - 1] in "\r\n":
            end -= 1
        return end

    def line(self, number: int) -> str:
        """The text of a line, counted from 0; "" where there is none."""
        if not 0 <= number < len(self.starts):
            return ""
        return self.text[self.starts[number] : self.end(number)]


_ENDS = re.compile(r"\r\n|\r|\n")


class Texts(ABC):
    """Plain files by path, as an editor shows them: a text that is edited takes the place of the
    file's.

    ``changes`` grows by the path of each text that becomes another, "" where any may.
    """

    def __init__(self) -> None:
        self.changes: list[str] = []
        self._edited: dict[str, str] = {}

    @abstractmethod
    def paths(self) -> Sequence[str]:
        """The paths of all files, sorted."""

    @abstractmethod
    def original(self, path: str) -> str:
        """The text of a file without an edit.  Raises WorkspaceError."""

    @abstractmethod
    def _bytes(self, path: str) -> bytes:
        """The bytes of a file without an edit.  Raises WorkspaceError."""

    @abstractmethod
    def __contains__(self, path: str) -> bool: ...

    def read(self, path: str) -> str:
        """The text of a file, with its line ends.  Raises WorkspaceError for an unknown path."""
        edited = self._edited.get(path)
        return self.original(path) if edited is None else edited

    def data(self, path: str) -> bytes:
        """The bytes of a file, which may be no text.  Raises WorkspaceError."""
        edited = self._edited.get(path)
        return self._bytes(path) if edited is None else edited.encode("utf-8", "surrogateescape")

    def is_quick(self, path: str) -> bool:
        """Whether reading a file takes no time worth mentioning."""
        return True

    def put(self, path: str, text: str) -> None:
        """The text of a file that somebody edits."""
        if self._edited.get(path) != text:
            self._edited[path] = text
            self.changes.append(path)

    def drop(self, path: str) -> None:
        """Nobody edits a file any more: its own text counts."""
        if self._edited.pop(path, None) is not None:
            self.changes.append(path)

    @property
    def unsaved(self) -> dict[str, bytes]:
        """The edited files as they would be saved, by path."""
        return {path: self.data(path) for path in self._edited}


class FolderTexts(Texts):
    """The plain files of an unpacked folder, with the texts that editors have not saved yet."""

    def __init__(self, root: str) -> None:
        super().__init__()
        self.root: str = os.path.realpath(root)
        self._read: dict[str, tuple[tuple[int, int], str]] = {}
        self._paths: list[str] | None = None
        self._sizes: dict[str, int] = {}

    def paths(self) -> Sequence[str]:
        """The paths of all files, sorted; looked up again after :meth:`refresh`."""
        if self._paths is None:
            self._sizes = scan(self.root)
            self._paths = sorted({*self._sizes, *self._edited})
        return self._paths

    def refresh(self) -> None:
        """Look again which files there are, and what is in them."""
        self._paths = None
        self.changes.append("")

    def original(self, path: str) -> str:
        """The text of a file on the disk."""
        place = os.path.join(self.root, path)
        try:
            state = os.stat(place)
            stamp = state.st_mtime_ns, state.st_size
            kept = self._read.get(path)
            if kept is not None and kept[0] == stamp:
                return kept[1]
            with open(place, "rb") as file:
                text = file.read().decode("utf-8-sig", "surrogateescape")
        except OSError as error:
            self._read.pop(path, None)
            raise WorkspaceError(f"{path} can't be read: {error.strerror}") from error
        self._read[path] = stamp, text
        return text

    def _bytes(self, path: str) -> bytes:
        try:
            with open(os.path.join(self.root, path), "rb") as file:
                return file.read()
        except OSError as error:
            raise WorkspaceError(f"{path} can't be read: {error.strerror}") from error

    def __contains__(self, path: str) -> bool:
        if path in self._edited:
            return True
        self.paths()
        return path in self._sizes

    def put(self, path: str, text: str) -> None:
        """The text of a file that somebody edits, which may be a new file."""
        if path not in self:
            self._paths = None
        super().put(path, text)

    def drop(self, path: str) -> None:
        """Nobody edits a file any more: that of the disk counts."""
        super().drop(path)
        if path not in self._sizes:
            self._paths = None


class DocumentTexts(Texts):
    """The plain files that unpacking a document would write, read when they are asked for.

    ``files`` has what gives the bytes of each.  ``is_known`` says whether that takes no time, as
    the code of a file was decompiled before.
    """

    def __init__(
        self,
        files: Mapping[str, Callable[[], bytes]],
        is_known: Callable[[str], bool] = lambda path: True,
    ) -> None:
        super().__init__()
        self._files = files
        self._is_known = is_known
        self._known: dict[str, str] = {}
        self._paths = sorted(files)

    def paths(self) -> Sequence[str]:
        """The paths of all files, sorted."""
        return self._paths

    def original(self, path: str) -> str:
        """The text that the document has; it is kept once it was read."""
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._bytes(path).decode("utf-8-sig", "surrogateescape")
        return known

    def _bytes(self, path: str) -> bytes:
        if path not in self._files:
            raise WorkspaceError(f"there is no file {path}")
        return self._files[path]()

    def is_quick(self, path: str) -> bool:
        """Whether a file was read before, or is known."""
        return path in self._known or path in self._edited or self._is_known(path)

    def __contains__(self, path: str) -> bool:
        return path in self._files
