"""The parts of a game of Adventure Game Studio that have texts or fonts, wherever they are."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from overhaul.ags.detect import FONT
from overhaul.ags.documents.base import AgsDocument
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.font.model import BitmapFont
from overhaul.ags.font.wfn import read_loose
from overhaul.ags.game.game import GAME_FILES, Game
from overhaul.ags.game.old import OldGameContent
from overhaul.ags.game.records import GameContent
from overhaul.ags.text import UTF_8, show
from overhaul.document.protocol import Document
from overhaul.errors import FormatError
from overhaul.media.typeface import Typeface

if TYPE_CHECKING:
    from overhaul.folder.parallel import Progress

_ROOM: Final = re.compile(r"(?:room(\d+)|(intro))\.crm", re.IGNORECASE)
_SETS_FONT: Final = re.compile(r"(?:Game::set_|Set)(?:Normal|Speech)Font(?:\^|$)")
_FONT: Final = re.compile(r"agsfnt(\d+)\.(?:ttf|wfn|otf)", re.IGNORECASE)

Read = Callable[[], bytes]


@dataclass
class RoomTexts:
    """A room by its number, and the encoding of its texts."""

    number: int
    document: RoomDocument


@dataclass
class GameWithRooms:
    """A game with its rooms in the order of their numbers.

    ``missing`` lists what is not there, or can't be read; ``whole`` is whether rooms were looked
    for and none was missing.
    """

    document: GameDocument
    rooms: list[RoomTexts] = field(default_factory=list)
    fonts: dict[int, Glyphs] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    whole: bool = False

    @property
    def game(self) -> Game:
        """The model of the game data."""
        return self.document.game

    @property
    def content(self) -> GameContent | OldGameContent:
        """The records of the game data.  Raises FormatError if they are not known."""
        content = self.game.content or self.game.old
        if content is None:
            raise FormatError(
                f"the texts of the game can't be read: {self.game.reason}",
                source=self.document.source,
            )
        return content

    @property
    def encoding(self) -> str:
        """The encoding of the game's texts."""
        return self.document.encoding

    @property
    def name(self) -> str:
        """The name of the game, as stored."""
        content = self.content
        return content.settings.name if isinstance(content, GameContent) else content.name

    @property
    def unique_id(self) -> int:
        """The number by which translations know the game."""
        content = self.content
        if isinstance(content, GameContent):
            return content.settings.unique_id
        return content.unique_id

    def release(self) -> tuple[int, ...]:
        """The release of the editor that compiled the game, from its data version without one."""
        numbers = re.match(r"\d+(?:\.\d+)*", self.game.header.compiled_with)
        if numbers:
            return tuple(int(number) for number in numbers[0].split(".")[:4])
        version = self.game.version
        if version > 1_000_000:
            return (version // 1_000_000, version // 10_000 % 100, version // 100 % 100)
        return (3,) if version >= 33 else (2,)

    @cached_property
    def sets_fonts(self) -> bool:
        """Whether scripts choose the fonts of speech and messages."""
        scripts = [script for _, script in self.game.scripts()]
        scripts += [room.document.room.script for room in self.rooms if room.document.room.script]
        return any(_SETS_FONT.match(name) for script in scripts for name in script.imports)

    def shown(self, text: str, document: AgsDocument | None = None) -> str:
        """A stored text, decoded."""
        encoding = (document or self.document).encoding
        text = text.split("\0")[0]
        return text if encoding == UTF_8 else show(text, encoding)


def parts_of(document: Document, progress: Progress | None = None) -> GameWithRooms:
    """The game in a document: a package, or game data with the rooms and fonts next to it.

    Raises FormatError for a package without game data, and for game data that can't be read.
    """
    if isinstance(document, GameDocument):
        parts = GameWithRooms(document)
        _take(parts, _sibling_files(document.source), None, progress)
    elif isinstance(document, PackageDocument):
        files = {asset.name: asset.read for asset in document.package if asset.data is not None}
        name = next((name for name in files if name.casefold() in GAME_FILES), None)
        if name is None:
            raise FormatError("there is no game data in this package", source=document.source)
        parts = GameWithRooms(
            GameDocument.from_bytes(files[name](), source=_inside(document, name))
        )
        parts.whole = True
        for asset in document.package:
            if asset.data is None and _ROOM.fullmatch(asset.name):
                parts.missing.append(
                    f"{asset.name}: it is in a part of the package that is not here"
                )
        _take(parts, files, document, progress)
    else:
        raise FormatError(f"expected a game, got {document.kind}", source=document.source)
    parts.whole = parts.whole and not parts.missing and bool(parts.rooms)
    return parts


def _take(
    parts: GameWithRooms,
    files: Mapping[str, Read],
    package: PackageDocument | None,
    progress: Progress | None,
) -> None:
    """Open the rooms and fonts among files."""
    for number, (name, read) in enumerate(sorted(files.items())):
        if progress is not None:
            progress(number, len(files), name)
        source = _inside(package, name) if package is not None else name
        room, font = _ROOM.fullmatch(name), _FONT.fullmatch(name)
        if room is not None:
            try:
                opened = RoomDocument.from_bytes(read(), source=source)
            except FormatError as error:
                parts.missing.append(f"{name}: {error.message}")
                continue
            parts.rooms.append(RoomTexts(int(room[1] or 0), opened))
        elif font is not None:
            glyphs = read_glyphs(read())
            if glyphs is not None:
                glyphs.name = name
                parts.fonts.setdefault(int(font[1]), glyphs)
    if progress is not None:
        progress(len(files), len(files), "")
    parts.rooms.sort(key=lambda each: each.number)


def _inside(document: Document, name: str) -> str | None:
    return f"{document.source}!{name}" if document.source else None


def _sibling_files(source: str | None) -> dict[str, Read]:
    """The rooms and fonts in the folder of game data."""
    if source is None or not os.path.isfile(source):
        return {}
    folder = os.path.dirname(os.path.abspath(source))
    return dict(_readers(folder))


def _readers(folder: str) -> Iterator[tuple[str, Read]]:
    for name in os.listdir(folder):
        if _ROOM.fullmatch(name) or _FONT.fullmatch(name):
            yield name, partial(_read, os.path.join(folder, name))


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


_TRUETYPE: Final = (b"\x00\x01\x00\x00", b"OTTO", b"true", b"ttcf")


@dataclass
class Glyphs:
    """The letters of a font; ``by_number`` if they are known by their codes in the game's encoding,
    which are those of Unicode in games with UTF-8."""

    has: Callable[[int], bool]
    by_number: bool
    #: its file: the bytes, and the name
    data: bytes = b""
    name: str = ""
    #: the font itself, of a bitmap font
    bitmap: BitmapFont | None = None

    def take(self, font: BitmapFont, data: bytes) -> None:
        """Become another bitmap font, whose file has these bytes."""
        self.bitmap, self.data = font, data
        self.has = partial(_shows, font)

    def missing(self, text: str, encoding: str) -> str:
        """The letters of a text that the font lacks, each once, in their order."""
        return "".join(
            letter
            for letter in dict.fromkeys(text)
            if letter.isprintable() and letter != " " and not self._has_letter(letter, encoding)
        )

    def _has_letter(self, letter: str, encoding: str) -> bool:
        if not self.by_number or encoding == "utf-8":
            return self.has(ord(letter))
        try:
            (code,) = letter.encode(encoding)
        except (UnicodeEncodeError, ValueError):
            return False
        return self.has(code)


def read_glyphs(data: bytes) -> Glyphs | None:
    """The letters of a font; None if the file is not a font that can be read."""
    if data.startswith(FONT):
        return _read_wfn(data)
    if data.startswith(_TRUETYPE):
        return _read_truetype(data)
    return None


def _read_wfn(data: bytes) -> Glyphs | None:
    try:
        font = read_loose(data)
    except FormatError:
        return None

    return Glyphs(partial(_shows, font), by_number=True, data=data, bitmap=font)


def _shows(font: BitmapFont, code: int) -> bool:
    glyph = font.glyph(code)
    return glyph is not None and any(glyph.rows)


def _read_truetype(data: bytes) -> Glyphs | None:
    try:
        characters = Typeface(data, "a font of the game").characters
    except FormatError:
        return None
    return Glyphs(characters.__contains__, by_number=False, data=data)
