"""The files that a catalogue is built from: on the disk, or wherever fsspec reads them.

Only regular files are listed.  Folders that are links are not entered, so that no loop is.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from glob import glob, has_magic
from typing import TYPE_CHECKING, Final, NamedTuple

from overhaul.catalog.arrow import plain_text
from overhaul.document.registry import load

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

#: The function that opens an address; most files are on the disk, and each process that reads some
#: would import fsspec.
_OPENED_BY: Final = "fsspec.core:url_to_fs"
#: The text between the scheme and the path in the address of a file that is not on the disk.
REMOTE: Final = "://"


class Candidate(NamedTuple):
    """A file that may be one of a game.

    ``path`` is what opens it, ``place`` what tables call it (the same but for names that are not
    Unicode).  ``modified`` is what changes when the file does: nanoseconds, or a number made of
    what a store says of it.
    """

    path: str
    place: str
    size: int
    modified: int


class Unlisted(NamedTuple):
    """A place that could not be listed, and why."""

    place: str
    reason: str


def place_of(path: str) -> str:
    """The text of a path in tables: bytes that are not Unicode are written as ``\\xff``."""
    return os.fsencode(path).decode("utf-8", "backslashreplace") if path else path


def find_files(
    places: Iterable[str], leave: Callable[[str], bool] = lambda path: False
) -> Iterator[Candidate | Unlisted]:
    """The files in places: files, folders, globs, addresses; each folder in the order of names.

    Paths are absolute, so that the same file is the same from wherever it is looked for.
    Folders for which ``leave`` is true are not entered.
    """
    for place in places:
        if REMOTE in place:
            yield from _remote(place)
        elif has_magic(place) and not os.path.lexists(place):
            met = sorted(glob(place, recursive=True))
            if not met:
                yield Unlisted(place_of(place), "no file matches")
            for path in met:
                yield from _local(path, leave)
        else:
            yield from _local(place, leave)


def _local(path: str, leave: Callable[[str], bool]) -> Iterator[Candidate | Unlisted]:
    try:
        status = os.stat(path)
    except (OSError, ValueError) as error:
        yield Unlisted(place_of(path), _reason(error))
        return
    if stat.S_ISDIR(status.st_mode):
        if not leave(path):
            yield from _folder(path, leave)
    elif stat.S_ISREG(status.st_mode):
        path = os.path.abspath(path)
        yield Candidate(path, place_of(path), status.st_size, status.st_mtime_ns)


def _folder(path: str, leave: Callable[[str], bool]) -> Iterator[Candidate | Unlisted]:
    """The files of a folder and of those in it, without recursion: folders may be deep."""
    waiting = [os.path.abspath(path)]
    while waiting:
        folder = waiting.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield Unlisted(place_of(folder), _reason(error))
            continue
        inner = []
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    inner.append(entry.path)
                elif entry.is_file():
                    status = entry.stat()
                    yield Candidate(
                        entry.path, place_of(entry.path), status.st_size, status.st_mtime_ns
                    )
            except OSError as error:  # a link to itself
                yield Unlisted(place_of(entry.path), _reason(error))
        waiting.extend(each for each in reversed(inner) if not leave(each))


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _remote(address: str) -> Iterator[Candidate | Unlisted]:
    """The files at an address of fsspec: ``s3://games``, ``zip://::games.zip``, ``https://...``."""
    try:
        files, root = load(_OPENED_BY)(address)
        if has_magic(root):
            details = files.glob(root, detail=True)
        else:
            details = files.find(root, detail=True)
    except (OSError, ValueError, ImportError, KeyError) as error:
        yield Unlisted(plain_text(address), _reason(error))
        return
    if not details:
        yield Unlisted(plain_text(address), "no file is there")
    for path in sorted(details):
        detail = details[path]
        if detail.get("type") == "file":
            full = _address(address, files, path)
            yield Candidate(full, plain_text(full), int(detail.get("size") or 0), _stamp(detail))


def _address(address: str, files: AbstractFileSystem, path: str) -> str:
    """The address of a file below another address, chains of protocols included."""
    chained = address.partition("::")[2]
    full: str = files.unstrip_protocol(path)
    return f"{full}::{chained}" if chained else full


def _stamp(detail: Mapping[str, object]) -> int:
    """A number that changes when a file in a store does, from what the store says of it."""
    for key in ("ETag", "etag", "LastModified", "mtime", "created", "CRC", "chksum"):
        if detail.get(key) is not None:
            return zlib.crc32(f"{detail[key]}".encode())
    return 0


def is_remote(path: str) -> bool:
    """Whether a path is an address for fsspec."""
    return REMOTE in path and not os.path.exists(path)


def fetch(path: str, folder: str) -> str:
    """A file from wherever it is, as a file in a folder, under its own name."""
    files, inner = load(_OPENED_BY)(path)
    target = os.path.join(folder, os.path.basename(inner.rstrip("/")) or "file")
    with files.open(inner, "rb") as source, open(target, "wb") as copy:
        while part := source.read(1 << 20):
            copy.write(part)
    return target
