"""Files that people drop into a folder, as the plain files that packing reads.

A strip, a GIF or a picture of any name becomes the numbered frames of its sprite, a picture of
another format the PNG file of its tile set, an ending in capitals the usual one, code beside its
object a file of code/.  Packing then sees nothing but plain files; what has no place is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from overhaul.document.names import unescape_name
from overhaul.document.plainfiles import Change, Folder
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.data.code.additions import OBJECT_PREFIX
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.kinds import kinds_of
from overhaul.gamemaker.data_folder.pictures import BACKGROUNDS, EMBEDDED_IMAGES, FONTS
from overhaul.gamemaker.data_folder.sounds import ENDINGS, SOUNDS
from overhaul.gamemaker.data_folder.sprites import SPRITES
from overhaul.gamemaker.data_folder.view import CODE, SOURCE
from overhaul.media import png
from overhaul.media.frames import EXTENSIONS, frames_of, strip_of

_PICTURES = frozenset(EXTENSIONS)
_SOUNDS = frozenset(ENDINGS) - {".bin"}
#: sources of pictures, which lie beside what was made of them
_SOURCES = frozenset({".ase", ".aseprite"})
#: the files that a sprite's pictures have in the folder
_OWN = re.compile(r"(mask_)?[0-9]{1,6}\.png")
_FRAME = re.compile(r"[0-9]{1,6}\.png")
_DIGITS = re.compile(r"([0-9]+)")


def take_others(
    game: GameData, folder: Folder, changes: Mapping[str, Change]
) -> tuple[Folder, Mapping[str, Change], Mapping[str, str]]:
    """The folder and its changes, with plain files in place of what was dropped into it, and what
    each of these is made of.

    Raises WorkspaceError for a dropped file that can't be read, or has no place.
    """
    dropped = _Dropped(game, folder, changes)
    for path in [path for path, change in changes.items() if change == "added"]:
        dropped.sort(path)
    for place, paths in dropped.sprites.items():
        dropped.take_frames(place, paths)
    if not dropped.taken:
        return folder, changes, {}
    return dropped, dropped.now, {made: path for made, (path, _) in dropped.shown.items()}


class _Dropped:
    """A folder with plain files in place of those in ``taken``; ``now`` are its changes."""

    def __init__(self, game: GameData, folder: Folder, changes: Mapping[str, Change]) -> None:
        self.settings = folder.settings
        self.rewrite_code = getattr(folder, "rewrite_code", False)
        self.game = game
        self.folder = folder
        self.changes = changes
        self.now: dict[str, Change] = dict(changes)
        #: the files that people dropped into the folder
        self.taken: set[str] = set()
        #: the dropped files with the frames of a sprite, by its folder
        self.sprites: dict[str, list[str]] = {}
        self._names = frozenset(folder.list())
        #: the file, and the number of the frame in it, that each made path shows
        self.shown: dict[str, tuple[str, int | None]] = {}
        self._last: tuple[str, Sequence[NDArray[np.uint8]]] = ("", [])
        kinds = kinds_of(game.release)
        self._folders = {kind.folder: kind for kind in kinds}
        self._single = {k.folder for k in kinds if k.chunk in _SINGLE}

    # -- a folder, as packing reads it --------------------------------------------------------

    def read(self, path: str) -> bytes:
        """The bytes of a plain file; those of a frame are a PNG file.  Raises WorkspaceError."""
        if path not in self.shown:
            return self.folder.read(path)
        file, number = self.shown[path]
        if number is None:
            return self.folder.read(file)
        return png.encode(self._frames(file)[number])

    def list(self) -> list[str]:
        """The paths of the plain files, sorted."""
        return sorted((self._names - self.taken) | self.shown.keys())

    def __contains__(self, path: str) -> bool:
        return path in self.shown or (path in self._names and path not in self.taken)

    # -- what was dropped ---------------------------------------------------------------------

    def sort(self, path: str) -> None:
        """Find the place of an added file.  Raises WorkspaceError for one that has none."""
        head, _, rest = path.partition("/")
        if head == _SCRIPTS and rest.endswith(SOURCE) and "/" not in rest:
            prefix = GLOBAL_SCRIPT_PREFIX if self.game.release.at_least(2, 3) else SCRIPT_PREFIX
            self._show(f"{CODE}/{prefix}{rest}", path, None)
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
                self._take_single(path, f"{head}/{pure.stem}.png")
        elif head == SOUNDS.folder and not deep and ending in _SOUNDS:
            if pure.suffix != ending:
                self._show(f"{head}/{pure.stem}{ending}", path, None)
        elif ending == ".json" and kind.main:
            if not deep:
                self._show(kind.json_path(pure.stem), path, None)
            elif path != kind.json_path(rest.partition("/")[0]):
                raise WorkspaceError(f"{path} has no place here: expected {kind.main}")
        elif ending == SOURCE:
            if kind.chunk != "OBJT" or rest.count("/") != 1:
                raise WorkspaceError(f"{path} has no place here: code goes into {CODE}/")
            name = f"{OBJECT_PREFIX}{rest.partition('/')[0]}_{pure.stem}"
            self._show(f"{CODE}/{name}{SOURCE}", path, None)
        elif ending in _PICTURES | _SOUNDS and not (kind.chunk == "FONT" and pure.name == _FONT):
            raise WorkspaceError(f"{path} has no place here: {_where(ending in _SOUNDS)}")

    def _show(self, made: str, path: str, number: int | None) -> None:
        if made in self and made != path:
            raise WorkspaceError(f"{path} and {made}: there are two files for one thing")
        self.shown[made] = path, number
        self.taken.add(path)
        self.now.pop(path, None)
        self.now[made] = "changed" if self.changes.get(made) == "removed" else "added"

    def _take_single(self, path: str, made: str) -> None:
        if len(self._frames(path)) > 1:
            raise WorkspaceError(f"{path}: expected one picture, got {len(self._frames(path))}")
        self._show(made, path, 0)

    def take_frames(self, place: str, paths: Sequence[str]) -> None:
        """Number the frames of a sprite's dropped files."""
        files = [p for p in paths if PurePosixPath(p).suffix.lower() not in _SOURCES]
        own = next(iter(self._own_frames(place)), None)
        if not files and own is not None:
            return  # a source beside the pictures: packing tells that it has no effect
        files.sort(key=_natural)
        levels = {path.count("/") for path in files}
        if own is not None:
            raise WorkspaceError(
                f"{files[0]}: the frames of this sprite are in files of their own ({own}): "
                "remove these if it shall replace them"
            )
        if len(levels) > 1 or (len(files) > 1 and levels == {1}):
            raise WorkspaceError(
                f"{files[0]} and {files[1]}: several files with the frames of one sprite belong in "
                f"{place}/"
            )
        number = 0
        for path in files or paths:
            count = len(self._frames(path))
            plain = count == 1 and self.folder.read(path).startswith(png.SIGNATURE)
            for frame in range(count):
                self._show(f"{place}/{number}.png", path, None if plain else frame)
                number += 1

    def _own_frames(self, place: str) -> Iterator[str]:
        """The numbered frames that a sprite has, in the folder or in the game."""
        start = f"{place}/"
        for path in sorted(self._names):
            if path.startswith(start) and _FRAME.fullmatch(path[len(start) :]):
                yield path
        record = self.game.records.sprites.get(unescape_name(place.partition("/")[2]))
        for number in range(0 if record is None else len(record.textures)):
            path = f"{start}{number}.png"
            if self.changes.get(path) != "removed":
                yield path

    def _frames(self, path: str) -> Sequence[NDArray[np.uint8]]:
        """The frames in a file; those of the last one are kept."""
        if self._last[0] != path:
            try:
                self._last = path, frames_of(path, self.folder.read(path))
            except FormatError as error:
                raise WorkspaceError(f"{path}: {error.message}") from error
        return self._last[1]


_SCRIPTS = "scripts"
_SINGLE = (BACKGROUNDS.chunk, EMBEDDED_IMAGES.chunk)
_FONT = f"{PurePosixPath(FONTS.main).stem}.png"


def _natural(path: str) -> list[tuple[int, str]]:
    """A key that sorts walk2 before walk10."""
    parts = _DIGITS.split(path.lower())
    return [(int(part), "") if index % 2 else (0, part) for index, part in enumerate(parts)]


def _where(is_sound: bool) -> str:
    return "sounds go into sounds/" if is_sound else "pictures of sprites go into sprites/NAME/"
