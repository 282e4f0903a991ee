"""Files that people drop into the folder of a game.

A dropped strip, GIF or picture of any name becomes the numbered frames of its sprite, a picture of
another format the PNG file of its tile set, an ending in capitals the usual one, code next to its
object a file of code/.  Packing then sees only plain files; a file without a place is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from overhaul.document.names import unescape_name
from overhaul.document.plainfiles import Change, Folder
from overhaul.errors import PlainFileError
from overhaul.folder.dropped import Dropped
from overhaul.gamemaker.data.code.additions import OBJECT_PREFIX
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.kind_folders import CODE
from overhaul.gamemaker.data_folder.kinds import kinds_of
from overhaul.gamemaker.data_folder.pictures import BACKGROUNDS, EMBEDDED_IMAGES, FONTS
from overhaul.gamemaker.data_folder.sounds import ENDINGS, SOUNDS
from overhaul.gamemaker.data_folder.sprites import SPRITES
from overhaul.gamemaker.data_folder.view import SOURCE
from overhaul.media.frames import EXTENSIONS, strip_of

_PICTURES = frozenset(EXTENSIONS)
_SOUNDS = frozenset(ENDINGS) - {".bin"}
#: sources of pictures, which lie next to the files made from them
_SOURCES = frozenset({".ase", ".aseprite"})
#: the files that a sprite's pictures have in the folder
_OWN = re.compile(r"(mask_)?[0-9]{1,6}\.png")
_FRAME = re.compile(r"[0-9]{1,6}\.png")


def take_others(
    game: GameData, folder: Folder, changes: Mapping[str, Change]
) -> tuple[Folder, Mapping[str, Change], Mapping[str, str]]:
    """The folder and its changes, with plain files in place of dropped files, and the source of
    each.

    Raises WorkspaceError for a dropped file that can't be read, or has no place.
    """
    dropped = _Dropped(game, folder, changes)
    for path in [path for path, change in changes.items() if change == "added"]:
        dropped.sort(path)
    for place, paths in dropped.sprites.items():
        dropped.take_frames(place, paths)
    if not dropped.taken:
        return folder, changes, {}
    return dropped.shown(), dropped.now, dropped.made_of


class _Dropped(Dropped):
    """The files that were dropped into the folder of a game."""

    def __init__(self, game: GameData, folder: Folder, changes: Mapping[str, Change]) -> None:
        super().__init__(folder, changes)
        self.game = game
        #: the dropped files with the frames of a sprite, by its folder
        self.sprites: dict[str, list[str]] = {}
        kinds = kinds_of(game.release)
        self._folders = {kind.folder: kind for kind in kinds}
        self._single = {k.folder for k in kinds if k.chunk in _SINGLE}

    def sort(self, path: str) -> None:
        """Find the place of an added file.  Raises WorkspaceError for one that has none."""
        head, _, rest = path.partition("/")
        if head == _SCRIPTS and rest.endswith(SOURCE) and "/" not in rest:
            prefix = GLOBAL_SCRIPT_PREFIX if self.game.release.at_least(2, 3) else SCRIPT_PREFIX
            self.show(f"{CODE}/{prefix}{rest}", path)
            return
        kind = self._folders.get(head)
        if kind is None or not rest:
            return
        deep = "/" in rest
        pure = PurePosixPath(rest)
        ending = pure.suffix.lower()
        if head == SPRITES.folder and ending in _PICTURES | _SOURCES:
            if not (deep and _OWN.fullmatch(pure.name)):
                stem = rest.partition("/")[0] if deep else strip_of(rest)[0]
                self.sprites.setdefault(f"{head}/{stem}", []).append(path)
        elif head in self._single and not deep and ending in _PICTURES:
            if pure.suffix != ".png":
                self.show_single(path, f"{head}/{pure.stem}.png")
        elif head == SOUNDS.folder and not deep and ending in _SOUNDS:
            if pure.suffix != ending:
                self.show(f"{head}/{pure.stem}{ending}", path)
        elif ending == ".json" and kind.main:
            if not deep:
                self.show(kind.json_path(pure.stem), path)
            elif path != kind.json_path(rest.partition("/")[0]):
                raise PlainFileError(f"it has no place here: expected {kind.main}", path)
        elif ending == SOURCE:
            if kind.chunk != "OBJT" or rest.count("/") != 1:
                raise PlainFileError(f"it has no place here: code goes into {CODE}/", path)
            name = f"{OBJECT_PREFIX}{rest.partition('/')[0]}_{pure.stem}"
            self.show(f"{CODE}/{name}{SOURCE}", path)
        elif ending in _PICTURES | _SOUNDS and not (kind.chunk == "FONT" and pure.name == _FONT):
            raise PlainFileError(f"it has no place here: {_where(ending in _SOUNDS)}", path)

    def take_frames(self, place: str, paths: Sequence[str]) -> None:
        """Number the frames of a sprite's dropped files."""
        files = [p for p in paths if PurePosixPath(p).suffix.lower() not in _SOURCES]
        own = next(iter(self._own_frames(place)), None)
        if not files and own is not None:
            return  # a source next to the pictures: packing reports that it has no effect
        self.show_frames(place, files or paths, own)

    def _own_frames(self, place: str) -> Iterator[str]:
        """The numbered frames that a sprite has, in the folder or in the game."""
        start = f"{place}/"
        for path in self.folder.list():
            if path.startswith(start) and _FRAME.fullmatch(path[len(start) :]):
                yield path
        record = self.game.records.sprites.get(unescape_name(place.partition("/")[2]))
        for number in range(0 if record is None else len(record.textures)):
            path = f"{start}{number}.png"
            if self.changes.get(path) != "removed":
                yield path


_SCRIPTS = "scripts"
_SINGLE = (BACKGROUNDS.chunk, EMBEDDED_IMAGES.chunk)
_FONT = f"{PurePosixPath(FONTS.main).stem}.png"


def _where(is_sound: bool) -> str:
    return "sounds go into sounds/" if is_sound else "pictures of sprites go into sprites/NAME/"
