"""The files next to a document where some are others than on the disk: they were edited."""

from __future__ import annotations

from collections.abc import Mapping

from overhaul.document.protocol import Siblings, Surroundings


class NextTo:
    """The files next to a game: some of them are others than on the disk."""

    def __init__(self, files: Mapping[str, bytes], disk: Siblings | None) -> None:
        self._files = files
        self._disk = disk

    def names(self) -> list[str]:
        """The names of the files, sorted."""
        return sorted({*self._files, *([] if self._disk is None else self._disk.names())})

    def read(self, name: str) -> bytes:
        """The bytes of a file.  Raises FileNotFoundError for an unknown name."""
        if name in self._files:
            return self._files[name]
        if self._disk is None:
            raise FileNotFoundError(2, "not a file next to the game", name)
        return self._disk.read(name)


class Around(NextTo):
    """The files next to a project and in its folders: some of them are others than on the disk."""

    def __init__(
        self, files: Mapping[str, bytes], disk: Surroundings, removed: frozenset[str]
    ) -> None:
        super().__init__(files, disk)
        self._below = disk
        #: the files that are others than on the disk, by path
        self.changed: Mapping[str, bytes] = {
            path: data for path, data in files.items() if path not in removed
        }
        #: the paths of the files that steps took out
        self.removed: frozenset[str] = removed

    def names(self) -> list[str]:
        """The names of the files next to the project, sorted."""
        return self.listing("")[0]

    def read(self, name: str) -> bytes:
        """The bytes of a file next to the project.  Raises FileNotFoundError for an unknown one."""
        return self.changed[name] if name in self.changed else self.read_at(name)

    def listing(self, folder: str) -> tuple[list[str], list[str]]:
        """The names of the files and of the folders in a folder; none where it is not there."""
        files, folders = self._below.listing(folder)
        start = f"{folder}/" if folder else ""
        rest = [path[len(start) :] for path in self.changed if path.startswith(start)]
        gone = {path.rpartition("/")[2] for path in self.removed
                if path.rpartition("/")[0] == folder}  # fmt: skip
        names = {*(name for name in files if name not in gone)}
        names |= {path for path in rest if "/" not in path}
        inner = {*folders, *(path.partition("/")[0] for path in rest if "/" in path)}
        emptied = {path[len(start) :].partition("/")[0] for path in self.removed
                   if path.startswith(start) and "/" in path[len(start) :]}  # fmt: skip
        empty = {one for one in emptied & inner if not any(map(len, self.listing(start + one)))}
        return sorted(names), sorted(inner - empty)

    def read_at(self, path: str, most: int = -1) -> bytes:
        """The bytes of a file by its path, at most so many of the first.  Raises FileNotFoundError
        for an unknown one."""
        if path in self.removed:
            raise FileNotFoundError(2, "a step took it out", path)
        if path not in self.changed:
            return self._below.read_at(path, most)
        return self.changed[path] if most < 0 else self.changed[path][:most]


def overlaid(
    files: Mapping[str, bytes], disk: Siblings | None, removed: frozenset[str] = frozenset()
) -> Siblings:
    """The files next to a document, some in the place of files on the disk; ``removed`` are the
    paths of files that are gone."""
    if isinstance(disk, Surroundings):
        return Around(files, disk, removed)
    return NextTo(files, disk)
