"""Where packing writes, and what it keeps of the files that it replaces.

A folder may come from a stranger, and its overhaul.toml names the file that packing writes by
default.  So that name is checked: it is not hidden, and an existing file of another kind stays.
Every file that is replaced is kept as ``NAME.bak``, unless packing wrote it itself.
"""

from __future__ import annotations

import hashlib
import os
from typing import Literal, NamedTuple

from overhaul.document import caches
from overhaul.document.reading import map_file
from overhaul.document.registry import Probe, find, format_of_kind
from overhaul.errors import FormatError, PlainFileError, WorkspaceError
from overhaul.folder.comparing import digest_of
from overhaul.folder.manifest import Manifest
from overhaul.folder.toml import NAME, FolderSettings

#: The ending of the caches that identify the file that packing last wrote to a path.
_WRITTEN = "packed"


class Target(NamedTuple):
    """The file that packing a folder writes by default.

    ``state``: ``"new"`` where there is none yet, ``"known"`` for one that the folder was unpacked
    from or that packing wrote, ``"unknown"`` for another file of the same kind.
    """

    path: str
    state: Literal["new", "known", "unknown"]


def target_of(folder: str | os.PathLike[str]) -> Target:
    """The file that :func:`~overhaul.folder.packing.pack` writes without ``out``.

    Raises WorkspaceError where overhaul.toml names none, or one that is not replaced.
    """
    root = os.path.abspath(os.fspath(folder))
    path = default_target(root, FolderSettings.load(root))
    if not os.path.lexists(path):
        return Target(path, "new")
    known = _is_own(path)
    if not known and (manifest := Manifest.load(root)) is not None:
        known = digest_of(path) in manifest.digests()
    return Target(path, "known" if known else "unknown")


def default_target(root: str, toml: FolderSettings) -> str:
    """The path next to a folder that its overhaul.toml names.

    Raises WorkspaceError for a hidden name, and where a file or folder that is not of the folder's
    kind has that name.
    """
    file = os.path.join(root, NAME)
    if not toml.name:
        raise WorkspaceError(f"{file} gives no document.name, so the file to write must be named")
    if toml.name.startswith(".") or not toml.name.isprintable():
        raise PlainFileError(
            f"document.name {toml.name!r} is hidden or can't be printed, so the file to "
            "write must be named",
            file,
        )
    target = os.path.join(os.path.dirname(root), toml.name)
    if os.path.lexists(target) and _kind_of(target) != toml.kind:
        raise WorkspaceError(
            f"{target} is not of the kind {_title_of(toml.kind)} and is not replaced, though "
            f"{file} names it: name another file to write"
        )
    return target


def is_kept(path: str) -> bool:
    """Whether a file that is about to be replaced is kept: all but what packing wrote itself."""
    return not _is_own(path)


def note_written(path: str) -> None:
    """Note that packing wrote a file."""
    caches.write(_key(path), _WRITTEN, _stamp(path))


def _is_own(path: str) -> bool:
    """Whether packing wrote a file last, and nothing changed it since."""
    return caches.read(_key(path), _WRITTEN) == _stamp(path)


def _stamp(path: str) -> bytes:
    """A value that changes with the content of a file, found without reading it."""
    status = os.stat(path)
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns}".encode("ascii")


def _key(path: str) -> str:
    return hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()


def _kind_of(path: str) -> str:
    """The kind of a file; "" for a folder or a file of no known kind."""
    try:
        data, release = map_file(path)
    except (OSError, WorkspaceError):
        return ""
    try:
        found = find(Probe(data, os.path.basename(path)))
    finally:
        release()
    return "" if found is None else found.kind


def _title_of(kind: str) -> str:
    try:
        return format_of_kind(kind).title
    except FormatError:
        return repr(kind)
