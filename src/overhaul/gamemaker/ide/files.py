"""The files of a project, and whether they are there under the names that it uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from overhaul.document.protocol import Overlaid, Siblings, Surroundings
from overhaul.errors import FormatError

#: A file of a project is read if it has no more bytes.
MOST: Final = 256 << 20
#: No project has a file in more folders.
_DEEPEST: Final = 64
#: Folders of other programs' own.
_NOT_OURS: Final = (".git", ".overhaul")
#: A folder of a resource has no more folders in each other.
DEEPEST: Final = 8
#: So many bytes have the size of a picture, and the first line of a pointer of Git LFS.
_HEAD: Final = 256


class ProjectFiles:
    """The files in the folder of a project; folders are listed when they are asked for.

    ``changed`` has the bytes of files that were edited, by path, and None for those that were
    taken out: what is read here is the project as it will be saved.
    """

    def __init__(self, siblings: Siblings | None) -> None:
        self._siblings = siblings if isinstance(siblings, Surroundings) else None
        self._listed: dict[str, tuple[list[str], list[str]]] = {}
        self._spelled: dict[str, str | None] = {}
        self.changed: dict[str, bytes | None] = {}
        #: the paths of those that have another path now
        self.moved: set[str] = set()

    @property
    def are_known(self) -> bool:
        """Whether the files can be seen; not for a project that is bytes in memory."""
        return self._siblings is not None

    def listing(self, folder: str) -> tuple[list[str], list[str]]:
        """The names of the files and of the folders in a folder."""
        if folder not in self._listed:
            there = ([], []) if self._siblings is None else self._siblings.listing(folder)
            self._listed[folder] = self._as_changed(folder, *there) if self.changed else there
        return self._listed[folder]

    def names(self) -> list[str]:
        """The names of the files next to the project's own, sorted."""
        return self.listing("")[0]

    def read_at(self, path: str, most: int = -1) -> bytes:
        """The bytes of a file, at most so many of the first, as those next to a document are read.
        Raises FileNotFoundError for an unknown path."""
        if not self.has(path):
            raise FileNotFoundError(2, "not a file of the project", path)
        data = self.read(path)
        return data if most < 0 else data[:most]

    def _as_changed(
        self, folder: str, files: list[str], folders: list[str]
    ) -> tuple[list[str], list[str]]:
        """The changed paths of a folder."""
        names, inner = set(files), set(folders)
        start = f"{folder}/" if folder else ""
        emptied: set[str] = set()
        for path, data in self.changed.items():
            if path.startswith(start):
                head, _, rest = path[len(start) :].partition("/")
                if rest:
                    (emptied if data is None else inner).add(head)
                elif data is None:
                    names.discard(head)
                else:
                    names.add(head)
        gone = {one for one in emptied & inner if not any(map(len, self.listing(start + one)))}
        return sorted(names), sorted(inner - gone)

    def write(self, path: str, data: bytes | None) -> None:
        """Give a file other bytes, or take it out (None)."""
        self.changed[path] = data
        self.moved.discard(path)
        self._listed.clear()
        self._spelled.clear()

    def move(self, old: str, new: str) -> None:
        """Give a file another path."""
        data = self.read(old)
        self.write(old, None)
        self.write(new, data)
        self.moved.add(old)

    def differing(self) -> Mapping[str, bytes]:
        """The files that are others than on the disk: edited here, or by steps of the browser."""
        below = self._siblings.changed if isinstance(self._siblings, Overlaid) else {}
        found = {**below, **self.changed}
        return {path: data for path, data in found.items() if data is not None}

    def removed(self) -> frozenset[str]:
        """The paths of the files that were taken out, here or by steps of the browser."""
        below = self._siblings.removed if isinstance(self._siblings, Overlaid) else frozenset()
        gone = {path for path, data in self.changed.items() if data is None}
        return frozenset((below | gone) - self.differing().keys())

    def saved(self) -> None:
        """Take the changed files for those that are there: they were written."""
        self.changed.clear()
        self.moved.clear()
        self._listed.clear()
        self._spelled.clear()

    def below(self, folder: str, depth: int = 0) -> Iterator[str]:
        """The paths of the files in a folder, and in those in it."""
        files, folders = self.listing(folder)
        for name in files:
            yield f"{folder}/{name}"
        for name in folders if depth < DEEPEST else ():
            yield from self.below(f"{folder}/{name}", depth + 1)

    def everything(self, folder: str = "", depth: int = 0) -> Iterator[str]:
        """The paths of all files in the folder of the project, but for those of Git and ours."""
        names, folders = self.listing(folder)
        start = f"{folder}/" if folder else ""
        yield from (start + name for name in names)
        for name in folders if depth < _DEEPEST else ():
            if name not in _NOT_OURS:
                yield from self.everything(start + name, depth + 1)

    def has(self, path: str) -> bool:
        """Whether there is a file of exactly this path."""
        if path.count("/") > _DEEPEST:
            return False
        folder, _, name = path.rpartition("/")
        return name in self.listing(folder)[0] and self.has_folder(folder)

    def has_folder(self, folder: str) -> bool:
        """Whether there is a folder of exactly this path, where letters' case makes none."""
        outer, _, name = folder.rpartition("/")
        return not folder or (name in self.listing(outer)[1] and self.has_folder(outer))

    def spelled(self, path: str) -> str | None:
        """The path of a file as it is spelled: perhaps in another case; None if none is there."""
        if path.count("/") > _DEEPEST:
            return None
        if self.has(path):
            return path
        if path not in self._spelled:
            folder, _, name = path.rpartition("/")
            found = (
                f"{actual}/{same}" if actual else same
                for actual in self._folders(folder)
                for same in _like(name, self.listing(actual)[0])
            )
            self._spelled[path] = next(found, None)
        return self._spelled[path]

    def _folders(self, folder: str) -> Iterator[str]:
        """The folders of a path as they are spelled: there may be several in different case."""
        if not folder:
            yield ""
            return
        outer, _, name = folder.rpartition("/")
        for actual in self._folders(outer):
            for same in _like(name, self.listing(actual)[1]):
                yield f"{actual}/{same}" if actual else same

    def read(self, path: str) -> bytes:
        """The bytes of a file, by its path as it is spelled.

        Raises FormatError for a file that can't be read, or has more than :data:`MOST` bytes.
        """
        data = self._read(path, MOST + 1)
        if len(data) > MOST:
            raise FormatError(f"it has more than {MOST >> 20} MB", source=path, code="limit")
        return data

    def head(self, path: str) -> bytes:
        """The first bytes of a file, as :meth:`read`: they have the size of a picture."""
        return self._read(path, _HEAD)

    def _read(self, path: str, most: int) -> bytes:
        if path in self.changed:
            data = self.changed[path]
            if data is None:
                raise FormatError("was taken out", source=path, code="absent-file")
            return data[:most]
        if self._siblings is None:
            raise FormatError("the files of the project are not known", source=path)
        try:
            return self._siblings.read_at(path, most)
        except OSError as error:
            raise FormatError(
                f"can't be read: {error.strerror}", source=path, code="absent-file"
            ) from error


def _like(name: str, names: list[str]) -> list[str]:
    """The name among others, and others that differ in case only."""
    folded = name.casefold()
    same = [other for other in names if other.casefold() == folded]
    return sorted(same, key=lambda other: other != name)
