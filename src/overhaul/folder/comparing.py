"""How a folder differs from what was unpacked to it.

Line ends make no difference: a checkout that turned every LF into CRLF, or back, is the same
folder.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import NamedTuple

from overhaul.document.plainfiles import Change
from overhaul.errors import PlainFileError, WorkspaceError
from overhaul.folder.manifest import Manifest, ManifestEntry
from overhaul.folder.paths import SYSTEM_FILES, is_litter, list_files
from overhaul.folder.toml import NAME, FolderSettings

TYPE_CHECKING = False


#: a file of at most so many bytes is read at once
_SMALL = 1 << 20
#: how a file is opened that is read at once
_READING = os.O_RDONLY | getattr(os, "O_BINARY", 0)


class Status(NamedTuple):
    """The kind and version of an unpacked game, and its files that packing would read.

    ``changes``: path -> ``"added"``, ``"changed"`` or ``"removed"``, sorted; files that differ
    only in line ends are not changed.
    """

    folder: str
    kind: str
    version: str
    changes: Mapping[str, Change]


def status(folder: str | os.PathLike[str]) -> Status:
    """Compare a folder with what was unpacked to it.

    Raises WorkspaceError for a folder that was not unpacked, or that keeps no original.
    """
    root = os.fspath(folder)
    toml = FolderSettings.load(root)
    manifest = Manifest.load(root)
    if manifest is None:
        raise WorkspaceError(
            f"{root} keeps no original to compare with: it is packed from its plain files only"
        )
    changes, _ = compare(root, manifest)
    if toml.for_model() != manifest.settings:
        changes[NAME] = "changed"
    return Status(root, toml.kind, toml.version, dict(sorted(changes.items())))


def compare(
    root: str, manifest: Manifest, note: Callable[[str, bytes], None] | None = None
) -> tuple[dict[str, Change], dict[str, str]]:
    """How the plain files of a folder differ from its manifest, and where each file is.

    Both are keyed by the model's paths.  ``note`` is called with the paths and contents of the
    small files that are as they were unpacked.
    """
    here = {*list_files(root)}
    changes: dict[str, Change] = {}
    disk: dict[str, str] = {}
    below = os.path.join(root, "")
    for entry in manifest.entries:
        path, file, size, digest, *_ = entry
        if file not in here:
            changes[path] = "removed"
            continue
        disk[path] = file
        if size <= _SMALL:
            content = _read(below + file, size)
            is_same = sha256(content).hexdigest() == digest
            if is_same and note is not None:
                note(path, content)
        else:
            is_same = digest_of(below + file) == digest
        if not is_same and not _is_same_text(below + file, entry):
            changes[path] = "changed"
    for file in sorted(here.difference([entry.file for entry in manifest.entries])):
        if file in disk:
            raise PlainFileError("it is new, but another file already has this path", file)
        disk[file] = file
        changes[file] = "added"
    return dict(sorted(changes.items())), disk


def work_in(root: str, manifest: Manifest) -> dict[str, str]:
    """The changes in a folder since it was unpacked, by path.

    Other than for packing, files that packing passes over count, except hidden ones of the folder
    itself.
    """
    changes, _ = compare(root, manifest)
    work: dict[str, str] = dict(changes)
    if FolderSettings.load(root).for_model() != manifest.settings:
        work[NAME] = "changed"
    for place, folders, files in os.walk(root):
        is_top = place == root
        folders[:] = [name for name in folders if not (is_top and name.startswith("."))]
        for name in files:
            passed_over = is_litter(name) and name.lower() not in SYSTEM_FILES
            if passed_over and not (is_top and name.startswith(".")):
                path = os.path.relpath(os.path.join(place, name), root)
                work[path.replace(os.sep, "/")] = "added"
    return work


def digest_of(path: str) -> str:
    """The SHA-256 of a file.  Raises WorkspaceError if it can't be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise PlainFileError(f"it can't be read: {error.strerror}", path) from error


def text_digest(content: bytes) -> str:
    """The SHA-256 of a text with LF."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()


def is_same_content(content: bytes, entry: ManifestEntry) -> bool:
    """Whether a content is the one that was unpacked, or that with other line ends."""
    if len(content) == entry.size and hashlib.sha256(content).hexdigest() == entry.digest:
        return True
    return text_digest(content) == (entry.lines or entry.digest)


def _read(path: str, size: int) -> bytes:
    """The content of a file; of one that is larger than ``size`` the first bytes, one more."""
    try:
        number = os.open(path, _READING)
        try:
            content = os.read(number, size + 1)
            while len(content) <= size and (more := os.read(number, size + 1 - len(content))):
                content += more
        finally:
            os.close(number)
    except OSError as error:
        raise PlainFileError(f"it can't be read: {error.strerror}", path) from error
    return content


def _is_same_text(path: str, entry: ManifestEntry) -> bool:
    """Whether a file that differs from what was unpacked has other line ends only."""
    try:
        if os.path.getsize(path) < entry.size and not entry.lines:
            return False  # only CRLF made LF makes it shorter
        with open(path, "rb") as file:
            content = file.read()
    except OSError as error:
        raise PlainFileError(f"it can't be read: {error.strerror}", path) from error
    return is_same_content(content, entry)
