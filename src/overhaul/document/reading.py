"""The bytes of files: mapped, with the files next to them, and opened as documents."""

from __future__ import annotations

import errno
import os

from overhaul.document.mapped import map_open
from overhaul.document.registry import Probe, find
from overhaul.errors import FormatError, UnsupportedVersion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from overhaul.document.protocol import Buffer, Document, Siblings

#: The system's errors for a folder that does not exist, or can't exist.
_NO_FOLDER = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP)


class FoundFile:
    """The bytes of a file, where they came from, the files next to it, and what releases it.

    ``sources`` are the texts of code that people wrote for it, by the paths of plain files.
    """

    __slots__ = ("data", "release", "siblings", "source", "sources")

    def __init__(
        self,
        data: Buffer,
        source: str | None,
        siblings: Siblings | None,
        release: Callable[[], None],
        sources: Mapping[str, bytes] | None = None,
    ) -> None:
        self.sources: Mapping[str, bytes] = sources or {}
        self.data: Buffer = data
        self.source: str | None = source
        self.siblings: Siblings | None = siblings
        self.release: Callable[[], None] = release

    def open(self, *, assume_version: str | None = None, strict: bool = False) -> Document:
        """The document; closing it releases the bytes.  They are released too if that fails."""
        try:
            document = open_data(
                self.data,
                source=self.source,
                siblings=self.siblings,
                assume_version=assume_version,
                strict=strict,
            )
        except BaseException:
            self.release()
            raise
        document.on_close = self.release
        return document


#: Windows replaces no file that is mapped, and a document's file is replaced where it is saved over
#: itself, as ``-o`` of the same file does: there, files are read instead.
MAPPED_IS_REPLACED = os.name != "nt"


def map_file(path: str) -> tuple[Buffer, Callable[[], None]]:
    """A view on the bytes of a file, and what releases it.

    The file may be replaced while the view is in use: it keeps the bytes that there were.
    """
    with open(path, "rb", buffering=0) as file:
        if not MAPPED_IS_REPLACED:
            return file.readall(), nothing_to_release
        try:
            mapped = map_open(file, path)
        except (ValueError, OSError):  # an empty file, a pipe
            return file.read(), nothing_to_release
    view = memoryview(mapped)

    def release() -> None:
        try:
            view.release()
            mapped.close()
        except BufferError:  # parts of it are still in use, and keep it alive
            return

    return view, release


def nothing_to_release() -> None:
    """Release what is in memory anyway."""


class FileSiblings:
    """The files in the folder of a file."""

    def __init__(self, path: str) -> None:
        self._folder = os.path.dirname(os.path.abspath(path))

    def names(self) -> list[str]:
        """The names of the files in the folder, sorted."""
        with os.scandir(self._folder) as entries:
            return sorted(entry.name for entry in entries if entry.is_file())

    def read(self, name: str) -> bytes:
        """The bytes of a file of the folder.  Raises FileNotFoundError for an unknown name."""
        if os.path.basename(name) != name or name in ("", ".", ".."):
            raise FileNotFoundError(2, "not the name of a file in this folder", name)
        return self.read_at(name)

    def listing(self, folder: str) -> tuple[list[str], list[str]]:
        """The names of the files and of the folders in a folder below; none without it."""
        try:
            with os.scandir(self._below(folder)) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            if error.errno in _NO_FOLDER:
                return [], []
            raise
        files = [entry.name for entry in entries if entry.is_file()]
        folders = [entry.name for entry in entries if self._is_below(entry, folder)]
        return files, folders

    def _is_below(self, entry: os.DirEntry[str], folder: str) -> bool:
        """Whether an entry is a folder, and does not link to one that it lies in: listing such a
        link would never end."""
        if not entry.is_dir() or not entry.is_symlink():
            return entry.is_dir()
        target = os.path.join(os.path.realpath(entry.path), "")
        parts = folder.split("/") if folder else []
        passed = (self._below("/".join(parts[:end])) for end in range(len(parts) + 1))
        return not any(
            os.path.join(os.path.realpath(place), "").startswith(target) for place in passed
        )

    def read_at(self, path: str, most: int = -1) -> bytes:
        """The bytes of a file below, at most so many of the first.  Raises FileNotFoundError for a
        path that leads elsewhere."""
        with open(self._below(path), "rb") as file:
            return file.read(most)

    def _below(self, path: str) -> str:
        """A path of the system.  Raises FileNotFoundError for one that leads out of the folder."""
        parts = path.split("/") if path else []
        if any(part in ("", ".", "..") or os.path.basename(part) != part for part in parts):
            raise FileNotFoundError(2, "not a path in this folder", path)
        if any("\0" in part for part in parts):
            raise FileNotFoundError(2, "not a path", path)
        return os.path.join(self._folder, *parts)


def open_data(
    data: Buffer,
    *,
    source: str | None = None,
    siblings: Siblings | None = None,
    assume_version: str | None = None,
    strict: bool = False,
) -> Document:
    """Open the bytes of a file; see :func:`overhaul.document.opening.open`."""
    probe = Probe(data, os.path.basename(source or ""))
    entry = find(probe)
    try:
        if entry is None:
            raise FormatError("not a file of a known format")
        return entry.document_class().from_bytes(
            data, source=source, siblings=siblings, assume_version=assume_version, strict=strict
        )
    except FormatError as error:
        from overhaul.document import sniff  # start-up: for broken files only

        if entry is None:
            error.message = sniff.explain(probe, source)
        elif sniff.is_damaged(data):
            error.message = f"{sniff.DAMAGED} ({error.message})"
        if error.source is None:
            error.source = source
        raise
    except RecursionError:
        raise UnsupportedVersion("its structure is nested too deeply", source=source) from None
