"""The files of a project's folder, found as the editor finds them: whatever the case of letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from overhaul.errors import FormatError

_FORBIDDEN: Final = re.compile(r"^[A-Za-z]:|^[/\\]|(?:^|[/\\])\.{1,2}(?:[/\\]|$)")


def _as_windows(name: str) -> str:
    """What NTFS sorts names by."""
    return name.upper()


class ProjectFolder:
    """The folder of a project; paths in it have ``/``, and never lead out of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._listings: dict[Path, dict[str, str]] = {}

    def _listing(self, folder: Path) -> dict[str, str]:
        """The names in a folder by their small letters, in the order of NTFS."""
        if folder not in self._listings:
            try:
                names = sorted((path.name for path in folder.iterdir()), key=_as_windows)
            except OSError:
                names = []
            self._listings[folder] = {name.casefold(): name for name in names}
        return self._listings[folder]

    def find(self, path: str) -> Path | None:
        """A file at a path; None if there is none, or the path leads out of the folder."""
        if not path or _FORBIDDEN.search(path):
            return None
        found = self.root
        for step in re.split(r"[/\\]", path):
            name = self._listing(found).get(step.casefold())
            if name is None:
                return None
            found = found / name
        return found if found.is_file() else None

    def names(self, folder: str = "") -> list[str]:
        """The names of the files in a folder, in the order of NTFS."""
        place = self.place(folder)
        if place is None:
            return []
        return [name for name in self._listing(place).values() if (place / name).is_file()]

    def folders(self, folder: str) -> list[str]:
        """The names of the folders in a folder, in the order of NTFS."""
        place = self.place(folder)
        if place is None:
            return []
        return [name for name in self._listing(place).values() if (place / name).is_dir()]

    def place(self, folder: str) -> Path | None:
        """A folder in it; itself for an empty path."""
        found = self.root
        if _FORBIDDEN.search(folder):
            return None
        for step in re.split(r"[/\\]", folder) if folder else ():
            name = self._listing(found).get(step.casefold())
            if name is None:
                return None
            found = found / name
        return found if found.is_dir() else None

    def walk(self, folder: str) -> Iterator[str]:
        """The paths of all files in a folder and in its folders."""
        for name in self.names(folder):
            yield f"{folder}/{name}"
        for name in self.folders(folder):
            yield from self.walk(f"{folder}/{name}")


def read(path: Path) -> bytes:
    """The bytes of a file.  Raises FormatError with its name."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise FormatError(f"can't be read: {error.strerror}", source=str(path)) from error
