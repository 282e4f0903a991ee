"""A journal: records that are only appended, and the contents that they name.

A record is a line: the length of its JSON, the beginning of its SHA-256, the JSON.  It is flushed
to the disk before :meth:`Journal.append` returns.  A last line that is not whole, as a program
leaves it that ends while it writes, is cut off when the journal is opened.  Contents are files
named by their SHA-256, which are on the disk before a record names them.
"""

from __future__ import annotations

import errno
import hashlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from overhaul.document.files import remove_quietly, sync_folder, write_file
from overhaul.document.protocol import Buffer
from overhaul.errors import WorkspaceError
from overhaul.workbench.history import Change, Record

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


_NAME: Final = "journal"
_CONTENTS: Final = "contents"
_LOCK: Final = "lock"
_DIGITS: Final = 16
#: A record of more bytes is none.
_LONGEST: Final = 1 << 28


def digest_of(data: Buffer) -> str:
    """The SHA-256 of a content, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


class Busy(WorkspaceError):
    """Another program has the journal open."""


class Journal:
    """The journal in a folder, which is made.  One program at a time has it open.

    ``records`` are those that there were.  Raises Busy, OSError, and WorkspaceError for a journal
    of another version of Overhaul.
    """

    def __init__(self, folder: Path) -> None:
        self.folder: Path = folder
        (folder / _CONTENTS).mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = _locked(folder / _LOCK)
        try:
            self._file = os.open(folder / _NAME, os.O_RDWR | os.O_CREAT | _BINARY, 0o600)
            try:
                self.records: list[Record] = self._read()
            except BaseException:
                os.close(self._file)
                raise
        except BaseException:
            os.close(self._lock)
            raise

    def _read(self) -> list[Record]:
        with open(self.folder / _NAME, "rb") as file:
            data = file.read()
        records, end = records_in(data)
        if end < len(data):
            os.ftruncate(self._file, end)
            os.fsync(self._file)
        os.lseek(self._file, end, os.SEEK_SET)
        return records

    def append(self, record: Record) -> None:
        """Add a record; it is on the disk afterwards.  Raises OSError; then nothing was added."""
        at = os.lseek(self._file, 0, os.SEEK_CUR)
        line = line_of(record)
        try:
            written = 0
            while written < len(line):
                written += os.write(self._file, line[written:])
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, at)
            os.lseek(self._file, at, os.SEEK_SET)
            raise
        self.records.append(record)

    def put(self, data: Buffer) -> str:
        """Keep a content; return its digest.  Raises OSError."""
        digest = digest_of(data)
        path = self.path_of(digest)
        if not path.exists():
            write_file(path, data, force=True)
        return digest

    def get(self, digest: str) -> bytes:
        """A content.  Raises WorkspaceError where it is not there, or damaged."""
        path = self.path_of(digest)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise WorkspaceError(f"{path} can't be read: {error.strerror}") from error
        if digest_of(data) != digest:
            raise WorkspaceError(f"{path} is damaged")
        return data

    def put_all(self, files: Mapping[str, tuple[bytes | None, bytes | None]]) -> dict[str, Change]:
        """Keep files before and after, by path.  Raises OSError."""
        return {
            path: Change(*(None if data is None else self.put(data) for data in both))
            for path, both in files.items()
        }

    def both(self, change: Change) -> tuple[bytes | None, bytes | None]:
        """A file before and after a step.  Raises WorkspaceError where it is not there."""
        before, after = (
            None if digest is None else self.get(digest) for digest in (change.before, change.after)
        )
        return before, after

    def path_of(self, digest: str) -> Path:
        """Where a content is kept."""
        return self.folder / _CONTENTS / digest

    def close(self) -> None:
        """Let other programs have it."""
        os.close(self._file)
        os.close(self._lock)


def line_of(record: Record) -> bytes:
    """A record as a line."""
    body = msgspec.json.encode(record)
    return b"%d %s %s\n" % (len(body), digest_of(body)[:_DIGITS].encode(), body)


def records_in(data: bytes) -> tuple[list[Record], int]:
    """The whole records of a journal, and where they end.

    Raises WorkspaceError for a whole record that this version of Overhaul does not know.
    """
    records: list[Record] = []
    at = 0
    while True:
        body = _body_at(data, at)
        if body is None:
            return records, at
        start, end = body
        try:
            records.append(msgspec.json.decode(data[start:end], type=Record))
        except msgspec.MsgspecError as error:
            raise WorkspaceError(
                f"the journal has a record of another version of Overhaul: {error}"
            ) from error
        at = end + 1


def _body_at(data: bytes, at: int) -> tuple[int, int] | None:
    """Where the JSON of the line at a place begins and ends; None where no whole line is."""
    space = data.find(b" ", at, at + 12)
    if space < 0 or not data[at:space].isdigit():
        return None
    size = int(data[at:space])
    start = space + 1 + _DIGITS + 1
    end = start + size
    if size > _LONGEST or data[end : end + 1] != b"\n":
        return None
    expected = data[space + 1 : start - 1]
    return (start, end) if digest_of(data[start:end])[:_DIGITS].encode() == expected else None


_BINARY: Final = getattr(os, "O_BINARY", 0)
#: the errors of systems for a file that another program has locked
_TAKEN: Final = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


def _locked(path: Path) -> int:
    """An open file that no other program has locked; the lock ends with the program.

    Raises Busy where another has, and OSError where files can't be locked.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        if error.errno not in _TAKEN:
            raise
        raise Busy("another viewer of this file is open, in which it is edited") from error
    return handle


class KeptGames:
    """The files of a game as steps left it: large, and of use only to save time.

    They are removed where all together are larger than ``most``, the oldest first, but for those
    that are pinned.
    """

    def __init__(self, folder: Path, most: int) -> None:
        self._folder = folder / "games"
        self._most = most
        self.pinned: set[str] = set()

    def path(self, digest: str) -> Path:
        """The place where a file is kept, if it is."""
        return self._folder / digest

    def keep(self, digest: str, data: Buffer, *, flush: bool = False) -> None:
        """Keep a file.  Raises OSError; with ``flush`` it is on the disk afterwards."""
        self._folder.mkdir(exist_ok=True, mode=0o700)
        path = self.path(digest)
        if path.exists():
            os.utime(path)
        else:
            write_file(path, data, force=True, flush=flush)
        if flush:
            sync_folder(str(self._folder))
        self._make_room(digest)

    def _make_room(self, latest: str) -> None:
        states = sorted(
            ((path.stat().st_mtime_ns, path.stat().st_size, path) for path in self._listed()),
            reverse=True,
        )
        total = 0
        for _, size, path in states:
            total += size
            if total > self._most and path.name != latest and path.name not in self.pinned:
                remove_quietly(str(path))

    def _listed(self) -> list[Path]:
        return [path for path in self._folder.iterdir() if not path.name.startswith(".")]
