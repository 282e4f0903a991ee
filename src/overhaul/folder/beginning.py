"""New games: a folder that nothing was unpacked to."""

from __future__ import annotations

import os

from overhaul.document.plainfiles import CanBegin, UnpackOptions
from overhaul.document.reading import Found, nothing_to_release
from overhaul.document.registry import REGISTRY, folder_format_of
from overhaul.errors import WorkspaceError
from overhaul.folder.unpacking import Unpacked, check_target, unpack_document

#: the kind of document that is made unless another is asked for
GAME = "gamemaker-data"


def new(folder: str | os.PathLike[str], *, version: str = "", kind: str = GAME) -> Unpacked:
    """Begin a new game of a version as a folder of plain files; by default of the newest.

    The folder must not exist, or be empty.  ``kind`` is the kind of document: ``gamemaker-data``
    (a data.win with one room) or ``gamemaker-project`` (a project of Game Maker 5 to 8.1).

    Raises FormatError for an unknown kind or version, WorkspaceError for a kind that can't be
    begun, FileExistsError for a folder with something in it, OSError.
    """
    target = os.path.abspath(os.fspath(folder))
    if os.path.isdir(target) and os.listdir(target):
        raise FileExistsError(17, "is not empty, and a new game needs a new folder", target)
    check_target(target, force=False)
    folder_format = folder_format_of(kind)
    if not isinstance(folder_format, CanBegin):
        known = [f.kind for f in REGISTRY if isinstance(folder_format_of(f.kind), CanBegin)]
        raise WorkspaceError(f"a new {kind} can't be begun; only {' and '.join(sorted(known))} can")
    with folder_format.begin({"kind": kind, "version": version}) as begun:
        data, name = begun.to_bytes(), begun.source
        asked = begun.version
    found = Found(data, name, None, nothing_to_release)
    with found.open() as document:
        if document.version != asked:
            document.warnings.append(
                f"the new game is read as {document.version}: nothing in an empty game "
                f"shows {asked}"
            )
        return unpack_document(document, found, target, UnpackOptions())
