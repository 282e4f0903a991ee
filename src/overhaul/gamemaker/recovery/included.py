"""Included files: what lies next to a game and is named by its strings.

No game lists its included files; the compiler copies them next to it, in their folders. Files
that nothing names by a whole path stay in their place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.document.protocol import Siblings, Surroundings
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.recovery.drafts import Draft

#: The folder of included files in projects.
FOLDER: Final = "datafiles"
_NAMED: Final = re.compile(r'[^<>:"|?*\x00-\x1f]{1,200}\.\w{1,8}\Z')
#: Files of the runner and of sounds, and settings that the compiler writes.
_OF_THE_GAME: Final = re.compile(
    r".*\.(?:win|unx|ios|droid|yydebug|exe)|audiogroup\d+\.dat|options\.ini", re.IGNORECASE
)
#: Folders deeper than this, and more files than this, are not looked at.
_DEEPEST: Final = 6
_MOST: Final = 20_000


def included_files(draft: Draft) -> Mapping[str, Callable[[], bytes]]:
    """The reader of each file, by its path in the folder of included files."""
    siblings = draft.game.siblings
    if siblings is None:
        return {}
    wanted = _named(draft.game)
    found = {
        path: partial(_read, siblings, path)
        for path in _there(siblings)
        if path.casefold() in wanted
    }
    if found:
        draft.count("included_files", len(found), len(found))
        message = "they were found by their names in the game's strings; others stay next to it"
        draft.findings.warn("approximated", message, FOLDER)
    return found


def _read(siblings: Siblings, path: str) -> bytes:
    return siblings.read_at(path) if isinstance(siblings, Surroundings) else siblings.read(path)


def _named(game: GameData) -> set[str]:
    """The paths that strings of the game name, in small letters, but for files of its own."""
    own = {str(sound.record.file or "").casefold() for sound in game.sounds}
    own |= {str(f.name or "").casefold() for each in game.extensions for f in each.files}
    names = set()
    for text in map(str, game.strings):
        if _NAMED.match(text):
            path = text.replace("\\", "/").removeprefix("./").casefold()
            if path not in own and not _OF_THE_GAME.fullmatch(path):
                names.add(path)
    return names


def _there(siblings: Siblings) -> Iterator[str]:
    """The paths of the files next to the game, and in folders there."""
    if not isinstance(siblings, Surroundings):
        yield from siblings.names()
        return
    left = _MOST
    folders = [""]
    while folders and left > 0:
        folder = folders.pop(0)
        names, inner = siblings.listing(folder)
        start = f"{folder}/" if folder else ""
        left -= len(names)
        yield from (start + name for name in names)
        if start.count("/") < _DEEPEST:
            folders += [start + name for name in inner]
