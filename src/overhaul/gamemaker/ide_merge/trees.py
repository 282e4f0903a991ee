"""An edition of a project: all files in its folder, wherever they are, and the project in it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from overhaul.errors import PlainFileError, WorkspaceError
from overhaul.gamemaker.ide.document import IdeProjectDocument

#: Folders that do not belong to a project.
_LEFT_OUT: Final = frozenset((".git", ".hg", ".svn", ".overhaul"))
#: How files of projects end.
PROJECTS: Final = (".yyp", ".project.gmx")


class Tree:
    """The files of an edition by path, with ``/``; each is bytes, or where it is on the disk."""

    def __init__(self, name: str, files: Mapping[str, bytes | Path]) -> None:
        #: its name in messages
        self.name = name
        self.files: dict[str, bytes | Path] = dict(files)
        self._folders: dict[str, tuple[set[str], set[str]]] | None = None

    def __contains__(self, path: str) -> bool:
        return path in self.files

    def names(self) -> list[str]:
        """The names of the files in the outermost folder."""
        return self.listing("")[0]

    def read(self, name: str) -> bytes:
        """The bytes of a file.  Raises FileNotFoundError for an unknown one."""
        return self.read_at(name)

    def read_at(self, path: str, most: int = -1) -> bytes:
        """The bytes of a file, at most so many of the first.  Raises FileNotFoundError for an
        unknown one."""
        found = self.files.get(path)
        if found is None:
            raise FileNotFoundError(2, "not a file of the project", path)
        if isinstance(found, bytes):
            return found if most < 0 else found[:most]
        with open(found, "rb") as file:
            return file.read(most)

    def listing(self, folder: str) -> tuple[list[str], list[str]]:
        """The names of the files and of the folders in a folder."""
        if self._folders is None:
            self._folders = {"": (set(), set())}
            for path in self.files:
                outer, _, name = path.rpartition("/")
                self._folders.setdefault(outer, (set(), set()))[0].add(name)
                while outer:
                    above, _, name = outer.rpartition("/")
                    self._folders.setdefault(above, (set(), set()))[1].add(name)
                    outer = above
        files, folders = self._folders.get(folder, ((), ()))
        return sorted(files), sorted(folders)

    def size(self, path: str) -> int:
        """How many bytes a file has."""
        found = self.files[path]
        return len(found) if isinstance(found, bytes) else found.stat().st_size

    @property
    def project_file(self) -> str:
        """The path of its project file.  Raises WorkspaceError without one, or with several."""
        found = [name for name in self.names() if name.endswith(PROJECTS)]
        if len(found) != 1:
            what = f"several project files: {', '.join(found)}" if found else "no project file"
            raise WorkspaceError(f"{self.name}: expected one project of GameMaker, got {what}")
        return found[0]

    def document(self) -> IdeProjectDocument:
        """The project.  Raises FormatError for one that can't be read."""
        path = self.project_file
        return IdeProjectDocument(self.read(path), path, self)

    def changed(self, document: IdeProjectDocument) -> Tree:
        """The edition with the edits of a project of it."""
        files = dict(self.files)
        for path, data in document.files.changed.items():
            if data is None:
                files.pop(path, None)
            else:
                files[path] = data
        return Tree(self.name, files)


def tree_of(path: str) -> Tree:
    """The edition in a folder, which the path of its project file stands for too.

    Raises OSError, and WorkspaceError for a path that is neither, or for an entry in it that is
    neither a file nor a folder.
    """
    if os.path.isfile(path):
        if not path.endswith(PROJECTS):
            raise WorkspaceError(f"{path}: expected a project of GameMaker, or its folder")
        path = os.path.dirname(path) or "."
    if not os.path.isdir(path):
        raise FileNotFoundError(2, "no such file or folder", path)
    files: dict[str, bytes | Path] = {}
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(set(folders) - _LEFT_OUT)
        inside = os.path.relpath(folder, path).replace(os.sep, "/")
        for name in names:
            place = Path(folder) / name
            if not place.is_file():  # reading a pipe would never end
                raise PlainFileError("it is neither a file nor a folder", str(place))
            files[name if inside == "." else f"{inside}/{name}"] = place
    return Tree(path, files)


def same_files(path: str, trees: Iterable[Tree]) -> bool:
    """Whether all of some editions have a file with the same bytes, or none has it."""
    found = list(trees)
    there = [tree for tree in found if path in tree]
    if len(there) != len(found):
        return not there
    first, *others = there
    if any(other.files[path] is first.files[path] for other in others) and len(others) == 1:
        return True
    if any(other.size(path) != first.size(path) for other in others):
        return False
    data = first.read(path)
    return all(other.read(path) == data for other in others)
