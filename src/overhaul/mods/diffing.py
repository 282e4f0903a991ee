"""Compare two games; what differs between two files is kept in the user's cache folder.

The difference follows from both files, the files next to them that are read, and this package.  The
name of the file in the cache is a digest of both, and its content says which of the files next to
them were read, and what they were.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Final, cast

from overhaul.document import caches
from overhaul.document.reading import FoundFile
from overhaul.document.registry import load
from overhaul.folder import opening
from overhaul.mods.changes import Change, Diff, Kind
from overhaul.stretch import feed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhaul.document.protocol import Siblings
    from overhaul.folder.parallel import Progress
    from overhaul.mods.view import Game

    #: changes, what was not compared, and for each file what was read next to it
    _Value = tuple[
        list[tuple[Kind, str, str | None, dict[str, object]]], list[str], list[dict[str, str]]
    ]

_ENDING: Final = "differs"
_COMPARE: Final = "overhaul.mods.comparing:compare"
_OPENED: Final = "overhaul.mods.view:opened"
#: how the files begin whose differences are kept
_FORM: Final = b"FORM"
#: larger files are mostly pictures and sounds, which are compared in little more time than hashing
#: them takes
_LARGEST: Final = 1_000_000_000


def diff(
    old: Game,
    new: Game,
    *,
    only: Sequence[str] = (),
    progress: Progress | None = None,
    jobs: int = 1,
) -> Diff:
    """Compare two games: files, unpacked folders, bytes or documents, of any one family.

    Resources are matched by their names, so that their numbers and the order of the tables in
    the file make no difference.  ``only``: globs of the plain files to compare.  ``jobs``: the
    number of processes that read code (0: as many as pay).

    Raises FormatError for broken files, WorkspaceError for folders that can't be packed.
    """
    pair = _found(old), _found(new)
    kept = _Kept(pair, only) if caches.is_allowed() else None
    known = None if kept is None else kept.read()
    if known is not None:
        return known
    opened, compare = load(_OPENED), load(_COMPARE)
    with opened(pair[0]) as one, opened(pair[1]) as two:
        made: Diff = compare(one, two, only=only, progress=progress, jobs=jobs)
    if kept is not None:
        kept.write(made)
    return made


def _found(game: Game) -> Game | FoundFile:
    """The bytes of a file; a folder, bytes or a document are returned unchanged."""
    if not isinstance(game, str | os.PathLike) or os.path.isdir(game):
        return game
    return opening.find(game)


class _Kept:
    """The difference between two files in the cache, if it is kept at all."""

    def __init__(
        self, pair: tuple[Game | FoundFile, Game | FoundFile], only: Sequence[str]
    ) -> None:
        self._files = [file for file in pair if isinstance(file, FoundFile) and _is_small(file)]
        self._name = ""
        self._noting: list[_Noting] = []
        if len(self._files) < len(pair):
            return
        whole = hashlib.blake2b(f"{caches.stamp_of('')}\0{list(only)}".encode(), digest_size=20)
        for file in self._files:
            whole.update(f"\0{len(file.data)}\0".encode())
            feed(whole, file.data)
            noting = file.siblings = _Noting(file.siblings)
            self._noting.append(noting)
        self._name = whole.hexdigest()

    def read(self) -> Diff | None:
        """The kept content; None for nothing, or if other files next to these were read for it."""
        kept = caches.read_value(self._name, _ENDING) if self._name else None
        try:
            changes, apart, read = cast("_Value", kept)
            made = Diff(
                [Change(*change) for change in changes],
                self._files[0].source or "",
                self._files[1].source or "",
                apart,
            )
            both = [(noting, dict(noted)) for noting, noted in zip(self._noting, read, strict=True)]
        except (TypeError, ValueError):  # nothing, or values of another shape
            return None
        if not all(noting.has(noted) for noting, noted in both):
            return None
        for file in self._files:
            file.release()
        return made

    def write(self, made: Diff) -> None:
        """Keep a difference."""
        if self._name:
            changes = [[*change[:3], dict(change.details)] for change in made.changes]
            read = [noting.noted for noting in self._noting]
            caches.write_value(self._name, _ENDING, [changes, made.apart, read])


class _Noting:
    """The files next to one.  ``noted`` has the digests of those that were read, or the error that
    one gave; that of all names stands under ""."""

    def __init__(self, siblings: Siblings | None) -> None:
        self._siblings = siblings
        self.noted: dict[str, str] = {}

    def names(self) -> list[str]:
        """The names of the files."""
        names = [] if self._siblings is None else self._siblings.names()
        self.noted[""] = _digest_of("\0".join(names).encode("utf-8", "surrogateescape"))
        return names

    def read(self, name: str) -> bytes:
        """The bytes of a file.  Raises FileNotFoundError for an unknown name."""
        try:
            if self._siblings is None:
                raise FileNotFoundError(name)
            data = self._siblings.read(name)
        except OSError as error:
            self.noted[name] = type(error).__name__
            raise
        self.noted[name] = _digest_of(data)
        return data

    def has(self, noted: dict[str, str]) -> bool:
        """Whether the files that were noted are the same here."""
        for name in noted:
            try:
                _ = self.read(name) if name else self.names()
            except OSError:
                continue
        same = self.noted == noted
        self.noted = {}
        return same


def _digest_of(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=20).hexdigest()


def _is_small(file: FoundFile) -> bool:
    """Whether a file is one whose differences are kept."""
    return file.data[: len(_FORM)] == _FORM and len(file.data) <= _LARGEST
