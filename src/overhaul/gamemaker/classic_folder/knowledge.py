"""What a project's plain files mean to each other, for comparing and merging projects."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Set
from pathlib import PurePosixPath

from overhaul.document.plainfiles import Change, Folder
from overhaul.folder.dropped import Dropped
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic_folder.header import DATES, PROJECT
from overhaul.media.frames import EXTENSIONS, strip_of

#: numbers in project.json that only grow
_LAST = ("last_instance_id", "last_tile_id")


def derived(document: ProjectDocument, path: str) -> bool:
    """No file of a project follows from others."""
    return False


def texts(path: str) -> bool:
    """No file lists all texts."""
    return False


def ordering(path: str, key: str) -> bool | None:
    """Lists of names in a project are the numbers of its resources."""


def meaning(
    document: ProjectDocument, path: str, value: object, touched: Set[str] | None
) -> object:
    """No value follows from other files."""
    return value


def fixed(path: str, key: str) -> bool:
    """All that a project says can be edited."""
    return False


def counter(path: str, key: str) -> bool:
    """The dates of the last changes, and the last ids that were given."""
    return path == DATES or (path == PROJECT and key in _LAST)


def beside(one: ProjectDocument, two: ProjectDocument) -> None:
    """Nothing is found out about projects."""


_PICTURES = frozenset(EXTENSIONS)
_SOUNDS = frozenset((".wav", ".mp3", ".mid", ".midi", ".ogg"))
_FRAME = re.compile(r"[0-9]{1,6}\.png")


def take_others(
    project: ProjectDocument, folder: Folder, changes: Mapping[str, Change]
) -> tuple[Folder, Mapping[str, Change], Mapping[str, str]]:
    """The folder and its changes, with plain files in place of what was dropped into it, and what
    each of these is made of.

    Raises WorkspaceError for a dropped file that can't be read, or whose place is taken.
    """
    dropped = Dropped(folder, changes)
    sprites: dict[str, list[str]] = {}
    for path in [path for path, change in changes.items() if change == "added"]:
        pure = PurePosixPath(path)
        kind, ending = str(pure.parent), pure.suffix.lower()
        if kind == "sprites" and ending in _PICTURES:
            sprites.setdefault(f"sprites/{strip_of(pure.name)[0]}", []).append(path)
        elif kind == "backgrounds" and ending in _PICTURES and pure.suffix != ".png":
            dropped.show_single(path, str(pure.with_suffix(".png")))
        elif kind == "sounds" and ending in _SOUNDS:
            made = str(pure.with_suffix(".json"))
            named = f'"{pure.name}"'.encode()
            if made not in dropped and not any(
                named in folder.read(each) for each in folder.list() if _describes(each)
            ):
                dropped.add(made, path, json.dumps({"file": pure.name}).encode())
    for place, paths in sprites.items():
        start = f"{place}/"
        own = (each for each in sorted(dropped.names) if each.startswith(start))
        has = next((each for each in own if _FRAME.fullmatch(each[len(start) :])), None)
        dropped.show_frames(place, paths, has)
    if not dropped.made_of:
        return folder, changes, {}
    return dropped, dropped.now, dropped.made_of


def _describes(path: str) -> bool:
    return path.startswith("sounds/") and path.endswith(".json")
