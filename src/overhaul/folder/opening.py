"""Opening a file or an unpacked folder: a folder is the file that packing it gives."""

from __future__ import annotations

import os

from overhaul.document.games import game_of
from overhaul.document.opening import find_bytes
from overhaul.document.protocol import Document
from overhaul.document.reading import FoundFile, nothing_to_release
from overhaul.document.registry import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.document.salvaging import Lost
    from overhaul.folder.packing import Built

Source = str | os.PathLike[str] | bytes


def open(source: Source, *, assume_version: str | None = None) -> Document:
    """As :func:`overhaul.open`; a folder is packed in memory, with its edits.

    Raises also what :func:`overhaul.pack` raises.
    """
    return find(source).open(assume_version=assume_version)


def salvage(source: Source) -> tuple[FoundFile, list[Lost]]:
    """The intact parts of a damaged file, as the bytes of a file that can be opened, and the lost
    ones.

    Folders are never damaged.  See :func:`overhaul.document.salvaging.salvage`.
    """
    if not isinstance(source, bytes) and os.path.isdir(game_of(os.fspath(source))):
        return find(source), []
    made: tuple[FoundFile, list[Lost]] = load("overhaul.document.salvaging:salvage")(source)
    return made


def find(source: Source) -> FoundFile:
    """The bytes that :func:`open` opens."""
    if isinstance(source, bytes):
        return find_bytes(source)
    path = game_of(os.fspath(source))
    if not os.path.isdir(path):
        return find_bytes(path)
    from overhaul.folder.packing import packed  # start-up: for folders only

    return _Folder(path, packed(path))


class _Folder(FoundFile):
    """The result of packing a folder."""

    def __init__(self, path: str, built: Built) -> None:
        super().__init__(built.content, path, built, nothing_to_release, built.sources)
        self._findings = built.findings

    def open(self, *, assume_version: str | None = None, strict: bool = False) -> Document:
        document = super().open(assume_version=assume_version, strict=strict)
        document.findings.extend(self._findings)
        return document
