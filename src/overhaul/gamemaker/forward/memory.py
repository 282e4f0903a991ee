"""The files of a project that is not written, as a document reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping


class MadeFiles:
    """The files around a document (:class:`overhaul.document.protocol.Surroundings`), by their
    paths."""

    def __init__(self, files: Mapping[str, Callable[[], bytes]]) -> None:
        self._files = files
        self._folders: dict[str, tuple[set[str], set[str]]] = {"": (set(), set())}
        for path in files:
            folder, _, name = path.rpartition("/")
            self._folder(folder)[0].add(name)

    def _folder(self, path: str) -> tuple[set[str], set[str]]:
        found = self._folders.get(path)
        if found is None:
            found = self._folders[path] = set(), set()
            outer, _, name = path.rpartition("/")
            self._folder(outer)[1].add(name)
        return found

    def names(self) -> list[str]:
        """The names of the files in no folder, sorted."""
        return self.listing("")[0]

    def read(self, name: str) -> bytes:
        """The bytes of a file.  Raises FileNotFoundError for an unknown name."""
        return self.read_at(name)

    def listing(self, folder: str) -> tuple[list[str], list[str]]:
        """The names of the files and of the folders in a folder."""
        names, folders = self._folders.get(folder, ((), ()))
        return sorted(names), sorted(folders)

    def read_at(self, path: str, most: int = -1) -> bytes:
        """The bytes of a file, at most so many of the first.  Raises FileNotFoundError for an
        unknown one."""
        read = self._files.get(path)
        if read is None:
            raise FileNotFoundError(path)
        data = read()
        return data if most < 0 else data[:most]
