"""Opening a file, whatever its format: :func:`open` is ``overhaul.open``."""

from __future__ import annotations

import os

from overhaul.document.games import game_of
from overhaul.document.reading import (
    FileSiblings,
    FoundFile,
    map_file,
    nothing_to_release,
)
from overhaul.errors import FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias, TypeVar

    from overhaul.document.protocol import Document

    D = TypeVar("D", bound=Document)
    #: a path, or the bytes of a file
    Source: TypeAlias = str | os.PathLike[str] | bytes | bytearray | memoryview


def open(
    source: Source,
    *,
    assume_version: str | None = None,
    strict: bool = False,
) -> Document:
    """Open a game's file and return its :class:`~overhaul.document.protocol.Document`.

    ``source`` is a path, or the bytes of a file.  A path may continue inside a container:
    ``game.zip!data.win``, ``game.exe!data.win``, ``game.ags!room1.crm``; and begin with a revision
    of a git repository, in git's notation: ``HEAD~1:Game.yyp``.  A zip archive (an .apk
    too), a Windows program or an .app folder with one game inside opens as that game.  The file is
    mapped, and read as far as it is used; close the document (or use ``with``) to release it.
    ``assume_version`` overrides the version found from evidence; with ``strict``, what would be a
    warning is an error.

    Raises OSError if the file can't be read, FormatError if it is broken or of no known format.
    """
    return find_game(source).open(assume_version=assume_version, strict=strict)


def open_as(
    kind: type[D],
    what: str,
    source: Source,
    *,
    assume_version: str | None = None,
    strict: bool = False,
) -> D:
    """Open a file that must be a document of a type; ``what`` is what messages call that.

    Raises FormatError for a file of another kind; else as :func:`open`.
    """
    document = open(source, assume_version=assume_version, strict=strict)
    if isinstance(document, kind):
        return document
    document.close()
    raise FormatError(f"expected {what}, got {document.kind}", source=document.source)


def find_game(source: Source) -> FoundFile:
    """The bytes that :func:`open` opens: those of the only game in a container, too."""
    if isinstance(source, bytes | bytearray | memoryview):
        return find_bytes(source)
    return find_bytes(game_of(os.fspath(source)))


def find_bytes(source: Source) -> FoundFile:
    """The bytes of a file, which is mapped, not read."""
    if isinstance(source, bytes):
        return FoundFile(source, None, None, nothing_to_release)
    if isinstance(source, bytearray | memoryview):
        return FoundFile(memoryview(source).toreadonly(), None, None, nothing_to_release)
    path = os.fspath(source)
    if ("!" in path or ":" in path) and not os.path.exists(path):
        from overhaul.document.containers import find_inside  # start-up: for such paths only

        return find_inside(path)
    data, release = map_file(path)
    return FoundFile(data, path, FileSiblings(path), release)
