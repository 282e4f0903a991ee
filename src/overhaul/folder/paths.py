"""Where plain files are on the disk: safe on every file system, and never outside the folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from operator import itemgetter

from overhaul.document.names import is_safe_component, safe_path, spelling
from overhaul.errors import PlainFileError, WorkspaceError
from overhaul.folder.manifest import KEPT
from overhaul.folder.toml import NAME as SETTINGS

TYPE_CHECKING = False

#: Files that systems put into folders, in lower case.
SYSTEM_FILES = frozenset({".ds_store", "thumbs.db", "desktop.ini"})


class DiskPaths:
    """Chooses the path on the disk for each path of a model.

    A path that every disk takes and that no other path equals but for its case is used as it is;
    most are, as models name their files with :mod:`overhaul.document.names`.  Otherwise parts are
    escaped, or numbered (``Name%~2``), so that ``a`` and ``A`` are two files on a Windows or macOS
    disk too.
    """

    def __init__(self) -> None:
        self._chosen: dict[tuple[str, str, bool], str] = {}
        self._taken: dict[str, set[str]] = {"": {spelling(SETTINGS), spelling(KEPT)}}

    def __call__(self, path: str) -> str:
        parts = path.split("/")
        place = ""
        for index, part in enumerate(parts):
            is_file = index == len(parts) - 1
            key = (place, part, is_file)
            chosen = self._chosen.get(key)
            if chosen is None:
                chosen = self._chosen[key] = self._choose(place, part)
            elif is_file:
                raise WorkspaceError(f"two plain files have the path {path!r}")
            place = f"{place}/{chosen}" if place else chosen
        return place

    def _choose(self, place: str, part: str) -> str:
        text = part if is_safe_component(part) else safe_path(part)
        taken = self._taken.setdefault(place, set())
        stem, dot, extension = text.partition(".")
        number = 1
        while spelling(text) in taken:
            number += 1
            text = f"{stem}%~{number}{dot}{extension}"
        taken.add(spelling(text))
        return text


def scan(folder: str) -> dict[str, int]:
    """The plain files of a folder: paths with ``/``, and sizes.

    Hidden files, ``overhaul.toml`` and what systems and editors leave behind (``Thumbs.db``,
    ``x.png~``) are not plain files.  Raises WorkspaceError for symbolic links that lead out of the
    folder or to folders, and for entries that are neither files nor folders.
    """
    found = sorted(_walk(folder), key=itemgetter(0))
    return {path: entry.stat().st_size for path, entry in found}


def list_files(folder: str) -> list[str]:
    """The paths that :func:`scan` gives, in no order and without asking the system for the sizes;
    raises the same."""
    return [path for path, _ in _walk(folder)]


def _walk(folder: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    root = os.path.realpath(folder)
    waiting = [("", folder)]
    while waiting:
        place, disk = waiting.pop()
        try:
            with os.scandir(disk) as entries:
                listing = list(entries)
        except OSError as error:
            raise PlainFileError(f"it can't be read: {error.strerror}", disk) from error
        for entry in listing:
            name = entry.name
            if is_litter(name) or (not place and name == SETTINGS):
                continue
            if entry.is_file(follow_symlinks=False):
                yield place + name, entry
                continue
            if entry.is_symlink():
                _check_link(entry.path, root)
            if entry.is_file():
                yield place + name, entry
            elif entry.is_dir():
                waiting.append((f"{place}{name}/", entry.path))
            else:
                raise PlainFileError("it is neither a file nor a folder", entry.path)


def is_litter(name: str) -> bool:
    """Whether packing ignores a file, by its name."""
    return name.startswith(".") or name.endswith("~") or name.lower() in SYSTEM_FILES


def _check_link(path: str, root: str) -> None:
    real = os.path.realpath(path)
    if real != root and not real.startswith(root + os.sep):
        raise PlainFileError("it is a symbolic link that leads out of the folder", path)
    if os.path.isdir(real):
        raise PlainFileError("it is a symbolic link to a folder; packing reads files only", path)
