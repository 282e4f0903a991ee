"""The files of a project, found as the editor finds them: whatever the case of letters."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from overhaul.errors import FormatError

_FORBIDDEN: Final = re.compile(r"^[A-Za-z]:|^[/\\]|(?:^|[/\\])\.{1,2}(?:[/\\]|$)")
_STEP: Final = re.compile(r"[/\\]")


def _as_windows(name: str) -> str:
    """The key by which NTFS sorts names."""
    return name.upper()


class ProjectFiles:
    """The folder of a project; paths in it have ``/`` or ``\\``, and never lead out of it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def find(self, path: str) -> Path | None:
        """A file at a path; None if there is none, or the path leads out of the folder."""
        found = self._at(path) if path else None
        return found if found is not None and found.is_file() else None

    def read(self, path: Path) -> bytes:
        """The bytes of a file.  Raises FormatError with its name."""
        try:
            return path.read_bytes()
        except OSError as error:
            raise FormatError(f"can't be read: {error.strerror}", source=str(path)) from error

    def exists(self, path: Path) -> bool:
        """Whether there is a file at a path, here or elsewhere."""
        return os.path.exists(path)

    def folder(self, path: str) -> Path | None:
        """A folder in it, itself for an empty path; None if there is none."""
        found = self._at(path)
        return found if found is not None and found.is_dir() else None

    def names(self, folder: str = "") -> list[str]:
        """The names of the files in a folder, in the order of NTFS."""
        return [path.name for path in self._listed(folder) if path.is_file()]

    def folders(self, folder: str) -> list[str]:
        """The names of the folders in a folder, in the order of NTFS."""
        return [path.name for path in self._listed(folder) if path.is_dir()]

    def walk(self, folder: str) -> Iterator[str]:
        """The paths of all files in a folder and in its folders."""
        for name in self.names(folder):
            yield f"{folder}/{name}"
        for name in self.folders(folder):
            yield from self.walk(f"{folder}/{name}")

    def _at(self, path: str) -> Path | None:
        if _FORBIDDEN.search(path):
            return None
        found = self.root
        for step in _STEP.split(path) if path else ():
            inner = found / step
            if not os.path.exists(inner):  # also of a name that no system takes
                lower = step.casefold()
                same = (one for one in _inside(found) if one.name.casefold() == lower)
                inner = next(same, inner)
            if not os.path.exists(inner):
                return None
            found = inner
        return found

    def _listed(self, folder: str) -> list[Path]:
        place = self.folder(folder)
        return [] if place is None else sorted(_inside(place), key=lambda p: _as_windows(p.name))


def _inside(folder: Path) -> list[Path]:
    """The entries of a folder; empty where it can't be listed."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


class HeldFiles(ProjectFiles):
    """The files of a project that is not written yet: what gives their bytes, by their paths."""

    def __init__(self, files: Mapping[str, Callable[[], bytes]]) -> None:
        super().__init__(Path())
        self._files = files
        self._names = {path.casefold(): path for path in files}

    def find(self, path: str) -> Path | None:
        """A file at a path; None if there is none."""
        name = self._names.get(path.replace("\\", "/").casefold())
        return None if name is None else Path(name)

    def read(self, path: Path) -> bytes:
        """The bytes of a file."""
        return self._files[path.as_posix()]()

    def exists(self, path: Path) -> bool:
        """Whether there is a file at a path."""
        return path.as_posix() in self._files
