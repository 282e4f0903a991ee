"""A game with some of the changes of another: what a mod of a choice of changes makes."""

from __future__ import annotations

from collections.abc import Iterable

from overhaul.findings import Findings
from overhaul.mods.building import rebuild, rename_files, view_of
from overhaul.mods.changes import Change
from overhaul.mods.renames import find_renamed, moved_path
from overhaul.mods.renaming import Renaming
from overhaul.mods.view import NAME, FileView


def partly(old: FileView, new: FileView, changes: Iterable[Change]) -> tuple[FileView, Findings]:
    """The older of two games with some of the changes between them, and warnings about it.

    Raises what :func:`overhaul.pack` raises where the rest of the older game can't go with them: a
    script, say, that calls a function that is not chosen.
    """
    chosen = list(changes)
    renamed = {change.old_path: change.path for change in chosen if change.old_path}
    files: dict[str, bytes | None] = dict(rename_files(old, renamed))
    back = {now: was for was, now in find_renamed(old, new).items() if was not in renamed}
    renaming = Renaming(back, places=new.resources().values() if back else ())

    def take(path: str) -> None:
        """Take a file of the newer game, under the names that the older one keeps."""
        files[moved_path(path, back)] = renaming.file(path, new.read(path))

    for change in chosen:
        path = change.path
        if change.kind == "added":
            for each in _files_of(new, path):
                take(each)
        elif change.kind == "removed":
            files |= dict.fromkeys(_files_of(old, path))
        elif change.kind == "changed" and path != NAME:
            take(path)
    settings = new.settings() if any(change.path == NAME for change in chosen) else None
    built = rebuild(old, files, settings)
    return view_of(built, old.document.source), built.findings


def _files_of(view: FileView, path: str) -> list[str]:
    """The files of a resource at a path, or the path itself if it is a file."""
    if path in view:
        return [path]
    places = view.resources()
    return [each for each in view.files if places.get(each) == path]
