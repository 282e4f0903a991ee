"""The changed files of a project written: all of them, or none.

Each new file is written next to its place first.  Then the old files are set aside, and the new
ones get their names; if that fails, everything is put back.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from overhaul.document.files import free_name, remove_quietly, temporary_next_to, write_file
from overhaul.errors import WorkspaceError

#: Where what was taken out is kept.
REMOVED: Final = ".overhaul/removed"


def save_files(
    folder: str, changed: Mapping[str, bytes | None], moved: Collection[str] = ()
) -> None:
    """Write files into the folder of a project; None takes one out, and keeps a copy of it.

    ``moved`` are the paths of those that have another path now: these need no copy.

    Raises WorkspaceError, before anything is written, for a path that leads out of the folder.
    """
    root = Path(folder).resolve()
    places = {path: root / path for path in changed}
    for path, place in places.items():
        if not place.resolve().is_relative_to(root):
            raise WorkspaceError(f"{path} leads out of the project: nothing was written")
    different = {path: place for path, place in places.items() if _differs(place, changed[path])}
    _Saving(root, different, changed, moved).run()


def _differs(place: Path, data: bytes | None) -> bool:
    """Whether a file has other bytes than it should have."""
    if data is None:
        return place.is_file()
    return not place.is_file() or place.read_bytes() != data


class _Saving:
    """One saving: what was made so far, to take it back."""

    def __init__(
        self,
        root: Path,
        places: Mapping[str, Path],
        changed: Mapping[str, bytes | None],
        moved: Collection[str],
    ) -> None:
        self._root = root
        self._moved = moved
        self._places = places
        self._changed = changed
        self._new: dict[str, str] = {}
        self._aside: dict[Path, str] = {}
        self._put: list[Path] = []
        self._folders: list[Path] = []

    def run(self) -> None:
        """Do it."""
        try:
            for path, place in self._places.items():
                data = self._changed[path]
                if data is None:
                    if path not in self._moved:
                        self._keep(path, place)
                else:
                    self._folder(place.parent)
                    self._new[path] = temporary_next_to(str(place))
                    write_file(self._new[path], data, flush=False)
            for place in self._places.values():
                if place.is_file():
                    aside = temporary_next_to(str(place))
                    os.replace(place, aside)
                    self._aside[place] = aside
            for path, made in self._new.items():
                os.replace(made, self._places[path])
                self._put.append(self._places[path])
        except BaseException:
            self._back()
            raise
        for aside in self._aside.values():
            remove_quietly(aside)
        for path, data in self._changed.items():
            if data is None:
                _prune((self._root / path).parent, self._root)

    def _folder(self, folder: Path) -> None:
        if not folder.exists():
            self._folder(folder.parent)
            folder.mkdir()
            self._folders.append(folder)

    def _keep(self, path: str, place: Path) -> None:
        """Copy what is taken out."""
        kept = Path(free_name(str(self._root / REMOVED / path)))
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(place, kept)

    def _back(self) -> None:
        for place in self._put:
            remove_quietly(str(place))
        for place, aside in self._aside.items():
            os.replace(aside, place)
        for made in self._new.values():
            remove_quietly(made)
        for folder in reversed(self._folders):
            try:
                folder.rmdir()
            except OSError:  # something else is in it by now
                return


def _prune(folder: Path, root: Path) -> None:
    """Take out folders that are empty now."""
    while folder != root:
        try:
            folder.rmdir()
        except OSError:  # something is in it
            return
        folder = folder.parent
