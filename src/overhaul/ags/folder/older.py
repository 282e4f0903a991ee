"""Folders as an earlier release wrote them: files that have other paths now."""
# The words of that release are read by :mod:`overhaul.ags.folder.shapes`.

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from overhaul.document.plainfiles import Change, Folder
from overhaul.findings import Findings, warning


def findings(moved: Mapping[str, str]) -> Findings:
    """A warning about files of an earlier release, with where they are now."""
    if not moved:
        return Findings()
    listed = ", ".join(f"{old} (now {new})" for old, new in moved.items())
    message = f"the folder is of an earlier release; files are read as they were then: {listed}"
    return Findings([warning("renamed", message)])


def with_old_paths(
    folder: Folder, changes: Mapping[str, Change], paths: Mapping[str, str]
) -> tuple[Folder, Mapping[str, Change], Findings]:
    """The folder with files at their new paths, where it has them at old ones only; its changes;
    a warning if there are any."""
    moved = {old: new for old, new in paths.items() if old in folder and new not in folder}
    if not moved:
        return folder, changes, Findings()
    made = {moved.get(path, path): change for path, change in changes.items()}
    reads = {new: partial(folder.read, old) for old, new in moved.items()}
    return folder.overlay({**dict.fromkeys(moved), **reads}), made, findings(moved)
