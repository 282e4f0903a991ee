"""Where the things of a game are used: by name in scripts and handlers, by number in JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

from overhaul.ags.game import gui, resources
from overhaul.ags.game.records import GameSettings
from overhaul.ags.room import records as room
from overhaul.ags.room.room import KINDS
from overhaul.ags.words import Shown, Word, words_with
from overhaul.document.names import escape_name
from overhaul.errors import OverhaulError
from overhaul.folder.json_fields import read_object
from overhaul.schema import Record

#: The files that use things, besides JSON.
FILES: Final = ("*.asm", "*.asc", "*.ash", "*.ads")
#: Files with the numbers of things, with the options that are numbers of GUIs.
_SOURCES: Final[tuple[type[Record] | Mapping[str, Word], ...]] = (
    resources.Character, resources.InventoryItem, resources.Cursor, resources.Frame,
    gui.Gui, gui.Button, gui.InventoryWindow, gui.Slider, GameSettings,
    room.RoomObject, room.MainBlock, *(kind.words for kind in KINDS),
    {name: Shown(name, to="guis") for name in ("DialogOptionsGUI", "TextWindowGUI", "ThoughtGUI")},
)  # fmt: skip
_FOLDERS: Final = ("views", "characters", "cursors", "guis", "audio_clips")
#: The words of fields with the number of a thing, by the folder of its file.
_FIELDS: Final = {to: words_with(to, *_SOURCES) for to in (*_FOLDERS, "sprites", "rooms")}
_VIEWS: Final = "views"
#: The file that says where the folders of a package's files are.
_TABLE: Final = "package.json"
_ROOM: Final = re.compile(r"(?:room|rooms/)(\d+)")
#: The text in front of the number of a room that scripts and dialogs enter.
_ENTERS: Final = r"(?:\w*(?:ChangeRoom|NewRoom)\w*\s*\(|\bnew-room\s)\s*"
_SPRITE: Final = re.compile(r"(?:sprites/)?0*(\d+)")
#: The part of a line that is a thing's own name, or the place of a function.
_OWN: Final = re.compile(r'^\s*(?:"(?:Name|ScriptName)": |function |\.export )')


def use_files() -> Collection[str]:
    """Globs of the files, besides JSON, that use things by name."""
    return FILES


def uses_by_number(name: str, paths: Collection[str], read: Callable[[str], bytes]) -> str:
    """A regular expression for values in JSON that use a thing by its number, and for what scripts
    enter a room with; "" where none do.

    ``name`` is what scripts call a thing, ``room12``, the number of a sprite, or the path of a
    thing's file without its ending (``views/3``), as some things have no name.
    """
    sprite = _SPRITE.fullmatch(name)
    if sprite is not None:
        return _fields(_FIELDS["sprites"], int(sprite[1]))
    room = _ROOM.fullmatch(name)
    if room is not None:
        entered = int(room[1])
        return f"{_fields(_FIELDS['rooms'], entered)}|{_ENTERS}{entered}\\b"
    patterns = []
    for folder in (*_FOLDERS, "inventory"):
        path = f"{folder}/{escape_name(name)}.json"
        if name.startswith(f"{folder}/"):
            path = f"{name}.json"
        number = _id(path, read) if path in paths else None
        if number is None:
            continue
        if folder == "inventory":
            patterns.append(rf'"Inventory": \{{[^}}]*"{number}": ')
        else:
            patterns.append(_fields(_FIELDS[folder], number))
        if folder == _VIEWS and not name.startswith(f"{folder}/"):
            # scripts know the number of a view by a macro; in JSON nothing has that in quotes
            patterns.append(rf'(?<![\w"]){re.escape(name.upper())}(?![\w"])')
    return "|".join(patterns)


def _fields(names: Collection[str], number: int) -> str:
    return rf'"(?:{"|".join(names)})": {number}\b'


def _id(path: str, read: Callable[[str], bytes]) -> int | None:
    try:
        number = read_object(read(path), path).get("ID")
    except OverhaulError:
        return None
    return number if isinstance(number, int) else None


def defines(path: str, line: str, name: str) -> bool:
    """Whether a line only says that a thing has this name, or which number a macro is; or where
    its files are."""
    if path == _TABLE:
        return True
    if line.lstrip().startswith("#define "):
        return line.split()[1:2] == [name.upper()]
    return bool(_OWN.match(line)) and f'"{name}"' in line
