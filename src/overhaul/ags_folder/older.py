"""Folders as an earlier release wrote them: files that have other paths now."""
# The words of that release are read by :mod:`overhaul.ags_folder.shapes`.

from __future__ import annotations

from collections.abc import Mapping

from overhaul.document.plainfiles import Change, Folder, PackOptions
from overhaul.findings import Findings, warning


def findings(moved: Mapping[str, str]) -> Findings:
    """A warning about files of an earlier release, with where they are now."""
    if not moved:
        return Findings()
    listed = ", ".join(f"{old} (now {new})" for old, new in moved.items())
    message = f"the folder is of an earlier release; files are read as they were then: {listed}"
    return Findings([warning("renamed", message)])


class _Renamed:
    """A folder with some files at other paths."""

    def __init__(self, folder: Folder, moved: Mapping[str, str]) -> None:
        self.settings: dict[str, object] = folder.settings
        self.options: PackOptions = folder.options
        self._folder = folder
        self._from = {new: old for old, new in moved.items()}
        self._gone = {*moved}

    def read(self, path: str) -> bytes:
        """The bytes of a file.  Raises WorkspaceError for an unknown path."""
        return self._folder.read(self._from.get(path, path))

    def list(self) -> list[str]:
        """The paths, sorted."""
        return sorted({*self._folder.list(), *self._from} - self._gone)

    def __contains__(self, path: str) -> bool:
        return path in self._from or (path in self._folder and path not in self._gone)


def with_old_paths(
    folder: Folder, changes: Mapping[str, Change], paths: Mapping[str, str]
) -> tuple[Folder, Mapping[str, Change], Findings]:
    """The folder with files at their new paths, where it has them at old ones only; its changes;
    a warning if there are any."""
    moved = {old: new for old, new in paths.items() if old in folder and new not in folder}
    if not moved:
        return folder, changes, Findings()
    made = {moved.get(path, path): change for path, change in changes.items()}
    return _Renamed(folder, moved), made, findings(moved)
