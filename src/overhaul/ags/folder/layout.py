"""Where the files of a game's package are in its folder: which of them are documents, and where
the plain files of these stand.

A document's folder follows from its name: ``room12.crm`` is ``rooms/12/``, a translation
``translations/NAME/``, and game data and sprites stand at the top.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from overhaul.ags.documents.package import PackageDocument, speech_name
from overhaul.ags.game.game import GAME_FILES
from overhaul.ags.library.package import SPRITES
from overhaul.ags.lip_sync import FILE as LIP_SYNC
from overhaul.document.names import FileNames, escape_name, spelling
from overhaul.folder.nested import NestedDocument

ASSETS: Final = "assets/"
FONTS: Final = "fonts/"
#: The files of the package itself.
PACKAGE_JSON: Final = "package.json"
PROGRAM: Final = "program.exe"
PART_DATA: Final = "part.bin"
#: The text of speech, and its files.
SPEECH_JSON: Final = "speech.json"
LIP_SYNC_JSON: Final = "lip_sync.json"

_ROOM: Final = re.compile(r"room(0|[1-9][0-9]{0,8})\.crm", re.IGNORECASE)
_ROOM_FOLDER: Final = re.compile(r"rooms/(0|[1-9][0-9]{0,8})/")
_BITMAP: Final = re.compile(r"agsfnt(0|[1-9][0-9]{0,8})\.wfn", re.IGNORECASE)
_FONT: Final = re.compile(r"agsfnt[0-9]+\.(wfn|ttf|otf)", re.IGNORECASE)
#: The first bytes of the files of game data, and of the sprites.
_SPRITE_FILES: Final = ("sprites.json", "sprites")
_NOT_OF_GAME: Final = frozenset(
    (*_SPRITE_FILES, "rooms", "translations", "speech", "voices", "audio", "assets", "fonts",
     LIP_SYNC_JSON, SPEECH_JSON, PACKAGE_JSON, PROGRAM, PART_DATA)
)  # fmt: skip
#: The packages next to the one of the game, with their folders.
VOICES: Final = {"speech.vox": "speech/", "audio.vox": "audio/"}
#: Packages of speech that scripts choose by a name: ``sp_NAME.vox``.
CHOSEN_VOICES: Final = "voices/"


class MemberPlace(NamedTuple):
    """Where a file that is a document goes: the prefix of its files, its kind, and which of them
    are its own."""

    prefix: str
    kind: str
    owns: Callable[[str], bool]


def _everything(path: str) -> bool:
    return True


def _top(path: str) -> str:
    return path.partition("/")[0]


def _of_game(path: str) -> bool:
    top = _top(path)
    return top not in _NOT_OF_GAME or (top == _top(FONTS) and path.endswith(".json"))


def _of_sprites(path: str) -> bool:
    return _top(path) in _SPRITE_FILES


def _of_lip_sync(path: str) -> bool:
    return path == LIP_SYNC_JSON


def place_of(name: str) -> MemberPlace | None:
    """Where a file of a package goes, by its name; None for a file that is not a document."""
    key = name.casefold()
    if key in GAME_FILES:
        return MemberPlace("", "ags-game", _of_game)
    if key == SPRITES:
        return MemberPlace("", "ags-sprites", _of_sprites)
    room = _ROOM.fullmatch(name)
    if room is not None:
        return MemberPlace(f"rooms/{room[1]}/", "ags-room", _everything)
    bitmap = _BITMAP.fullmatch(name)
    if bitmap is not None:
        return MemberPlace(f"{FONTS}{bitmap[1]}/", "ags-font", _everything)
    stem, _, ending = name.rpartition(".")
    if ending.casefold() == "crm" and stem:
        return MemberPlace(f"rooms/{escape_name(stem)}/", "ags-room", _everything)
    if ending.casefold() == "tra" and stem:
        return MemberPlace(f"translations/{escape_name(stem)}/", "ags-translation", _everything)
    if key in VOICES:
        return MemberPlace(VOICES[key], "ags-package", _everything)
    if speech_name(name):
        return MemberPlace(
            f"{CHOSEN_VOICES}{escape_name(speech_name(name))}/", "ags-package", _everything
        )
    if key == LIP_SYNC:
        return MemberPlace("", "ags-lip-sync", _of_lip_sync)
    return None


def folder_in_words(prefix: str) -> str:
    """The folder of a document as package.json names it."""
    return prefix.rstrip("/") or "."


def parts(document: PackageDocument, *, quick: bool = False) -> list[NestedDocument]:
    """The files of a package, and those next to it, that are documents.

    With ``quick`` none is opened: one that is damaged is among them.
    """
    if document.flat or document.package.part_number:
        return []
    found: dict[tuple[str, str], NestedDocument] = {}
    for name in document.inside():
        place = place_of(name)
        if place is None or not (quick or document.is_document(name, place.kind)):
            continue
        key = (spelling(place.prefix), place.kind if not place.prefix else "")
        if key not in found:
            found[key] = part_at(document, name, place)
    return list(found.values())


def part_at(document: PackageDocument, name: str, place: MemberPlace) -> NestedDocument:
    """A file of a package as a part of its folder."""
    return NestedDocument(
        name, place.prefix, place.kind, partial(document.open_inside, name), place.owns
    )


def asset_paths(names: Iterator[str]) -> Iterator[tuple[str, str]]:
    """(name, path) of the files that are not documents, in the order of the package."""
    fonts, others = FileNames(), FileNames()
    for name in names:
        is_font = _FONT.fullmatch(name)
        yield name, f"{FONTS}{fonts(name)}" if is_font else f"{ASSETS}{others(name)}"


def room_number(name: str) -> int | None:
    """The number of a room, by the name of its file; None for other files."""
    room = _ROOM.fullmatch(name)
    return None if room is None else int(room[1])


def new_room(path: str) -> str | None:
    """The name of the package's file that a file of a new room is for; None for other files."""
    room = _ROOM_FOLDER.match(path)
    return None if room is None else f"room{room[1]}.crm"
