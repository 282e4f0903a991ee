"""The companion files of a GameMaker game that its code reads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhaul.translate.catalogues import READ, Catalogue
from overhaul.translate.results import GameFile

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.translate.gamemaker.shown import ShownTexts
    from overhaul.translate.rules import Rules

_MOST: Final = 10_000
_DEPTH: Final = 5


def read_files(game: GameData, found: ShownTexts) -> list[GameFile]:
    """The files that the game's code reads, those next to it first.

    A name that code puts together has ``*`` for what is not written.
    """
    companions = list(_companions(game))
    there: dict[str, GameFile] = {}
    absent: dict[str, GameFile] = {}
    for (pattern, function), entries in found.files.items():
        matched = [path for path in companions if _matches(path, pattern)]
        for path in matched:
            there.setdefault(path, GameFile(path, pattern, function, entries[0], True))
        if not matched:
            absent.setdefault(pattern, GameFile("", pattern, function, entries[0], False))
    return [*(there[path] for path in sorted(there)), *absent.values()]


def catalogues(game: GameData, files: Iterable[GameFile], rules: Rules | None) -> list[Catalogue]:
    """The texts of those files that the rules name.  Raises FormatError for one that can't be
    read."""
    if rules is None or not rules.include.files or game.source is None:
        return []
    folder = Path(game.source).parent
    return [
        Catalogue((folder / file.path).read_bytes(), file.path)
        for file in files
        if file.found and file.path.lower().endswith(READ) and rules.include.file(file.path)
    ]


def _companions(game: GameData) -> Iterator[str]:
    """The paths of the files in the folder of a game, with ``/``; links are not followed."""
    if game.source is None or not Path(game.source).is_file():
        return
    folder = Path(game.source).parent
    count = 0
    for place, folders, names in os.walk(folder):
        relative = Path(place).relative_to(folder)
        folders.sort()
        if len(relative.parts) >= _DEPTH:
            folders.clear()
        for name in sorted(names):
            count += 1
            if count > _MOST:
                return
            if (folder / relative / name).is_file():
                yield (relative / name).as_posix()


def _matches(path: str, pattern: str) -> bool:
    """Whether a path may be what code names; games read files of folders that the code begins with
    (``working_directory + ...``)."""
    path, pattern = path.lower(), pattern.lower()
    return fnmatchcase(path, pattern.removeprefix("*").lstrip("/")) or fnmatchcase(path, pattern)
