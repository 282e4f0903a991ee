"""A package (.ags, .vox, .exe, .001 ...) as a document that contains documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property, partial
from itertools import chain
from typing import Final

from overhaul.ags.documents.base import AgsDocument, Tally, has_foreign_texts
from overhaul.ags.documents.code import HasScripts
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.lists import EDIT, Edited, HasGame
from overhaul.ags.game.game import GAME_FILES, read_summary
from overhaul.ags.library.package import SPRITES, Package
from overhaul.ags.script.model import Script
from overhaul.ags.text import ANSI, UTF_8, encode, is_foreign
from overhaul.document.containers import Members
from overhaul.document.overlaid import NextTo
from overhaul.document.plainfiles import PlainFile
from overhaul.document.protocol import Buffer, Document, Resource, Siblings
from overhaul.document.reading import open_data
from overhaul.document.registry import load
from overhaul.document.salvaging import Lost, Salvaged
from overhaul.errors import FormatError, OverhaulError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.ags.surface.base import GameHolder
    from overhaul.ags.surface.fonts import PackagedFonts
    from overhaul.document.views import ResourceView

#: The packages that a game has next to its own, and the ending of translations.
_PREFIX: Final = "overhaul.ags.folder.editing:prefix_of"
VOICES: Final = ("audio.vox", "speech.vox")
#: A package of speech that scripts choose (``Game.ChangeSpeechVox``), from 3.6.0 on.
_CHOSEN: Final = re.compile(r"sp_(.+)\.vox", re.IGNORECASE)
TRANSLATION: Final = ".tra"


def speech_name(name: str) -> str:
    """The name by which scripts choose a package of speech (``sp_NAME.vox``); "" for others."""
    chosen = _CHOSEN.fullmatch(name)
    return "" if chosen is None else chosen[1]


def is_voices(name: str) -> bool:
    """Whether a file next to a game's package has its sounds or speech."""
    return name.casefold() in VOICES or speech_name(name) != ""


class PackageDocument(HasGame, HasScripts, AgsDocument):
    """A package (.ags, .vox, .exe ...), or a part of one (.001 ...)."""

    kind = "ags-package"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.package: Package = Package()
        #: whether the files in it are shown as files, though they are documents
        self.flat: bool = False
        #: the files next to it, by name, once its folder was packed
        self.new_companions: dict[str, bytes] = {}
        self._kinds: dict[str, str] = {}
        self._encodings: dict[str, str] = {}

    def load(self, data: Buffer, siblings: Siblings | None) -> None:
        """Read the table, and find the other parts next to the file."""
        read_part = None if siblings is None else partial(_read_part, siblings)
        self.package = Package.read(data, source=self.source, read_part=read_part)
        self.version: str = str(self.package.version)
        self.findings.extend(self.package.findings)

    @classmethod
    def salvage(cls, data: Buffer, *, source: str | None, siblings: Siblings | None) -> Salvaged:
        """The assets that are whole in a damaged package, as a package in one part; what is lost.

        Raises FormatError where no asset can be read.
        """
        document = cls(source)
        read_part = None if siblings is None else partial(_read_part, siblings)
        document.package, lost = Package.salvage(data, source=source, read_part=read_part)
        document.edited(document.package.version)
        return Salvaged(document, [Lost(name, reason) for name, reason in lost])

    def to_bytes(self) -> bytes:
        """The file with the table."""
        return self.package.to_bytes()

    def companions(self) -> Mapping[str, bytes]:
        """The other parts, except for missing ones; and the game's files next to the package."""
        return self.package.other_parts() | {name: self.read(name) for name in self.next_to}

    def close(self) -> None:
        """Release the file; assets that were not read before can't be read afterwards."""
        for asset in self.package.assets:
            if isinstance(asset.data, memoryview):
                with suppress(BufferError):  # a document in it is still in use
                    asset.data.release()
                asset.data = None
        super().close()

    # -- the documents in it -----------------------------------------------------------------

    @cached_property
    def neighbours(self) -> Siblings:
        """The files in it, as files next to each other."""
        return Members(self)

    def taken_apart(self) -> PackageDocument:
        """The package with the documents in it taken apart; both are one open file."""
        if not self.flat:
            return self
        other = PackageDocument(self.source)
        other.package, other.version, other.size = self.package, self.version, self.size
        other.new_companions, other._siblings = self.new_companions, self._siblings
        other._encoding = self._encoding
        return other

    @property
    def game_name(self) -> str:
        """The name of the game data in it; empty without."""
        named = (a.name for a in self.package if a.name.casefold() in GAME_FILES and a.data)
        return next(named, "")

    @property
    def next_to(self) -> list[str]:
        """The files next to a game's package that belong to the game: its packages of sounds and
        speech, and the translations that name it."""
        if self.flat or not self.game_name:
            return sorted(self.new_companions)
        return sorted({*self._found_next_to, *self.new_companions})

    @cached_property
    def _found_next_to(self) -> list[str]:
        if self._siblings is None:
            return []
        names = self._siblings.names()
        voices = [name for name in names if is_voices(name)]
        made = [name for name in names if name.casefold().endswith(TRANSLATION)]
        own = self.game.info().get("unique_id") if made else None
        return voices + [name for name in made if own is not None and self._is_for(name, own)]

    def _is_for(self, name: str, unique_id: object) -> bool:
        """Whether a translation next to the package names its game."""
        try:
            with self.open_inside(name) as document:
                return document.info().get("unique_id") == unique_id
        except OverhaulError:
            return False

    def inside(self) -> list[str]:
        """The names of the files in it and next to it that may be documents."""
        return [asset.name for asset in self.package if asset.data is not None] + self.next_to

    def read(self, name: str) -> bytes:
        """The bytes of a file in it or next to it.  Raises FileNotFoundError."""
        return bytes(self._view(name))

    def _view(self, name: str) -> Buffer:
        asset = self.package.get(name)
        if asset is not None and asset.data is not None:
            return asset.data
        if name in self.new_companions:
            return self.new_companions[name]
        if self._siblings is None:
            raise FileNotFoundError(2, "no such file in the package", name)
        return self._siblings.read(name)

    def open_inside(self, name: str) -> Document:
        """A file in it or next to it as a document.  Raises FormatError."""
        source = f"{self.source}!{name}" if self.source else name
        document = open_data(self._view(name), source=source, siblings=self.neighbours)
        if isinstance(document, PackageDocument):
            document.flat = not is_voices(name)
        return document

    def is_document(self, name: str, kind: str) -> bool:
        """Whether a file in it can be read as a document of a kind; it is opened once."""
        if name not in self._kinds:
            try:
                with self.open_inside(name) as document:
                    self.remember(name, document)
            except OverhaulError:
                self._kinds[name] = ""
        return self._kinds[name] == kind

    def remember(self, name: str, document: Document) -> None:
        """Remember what a file in it is, and its encoding."""
        self._kinds[name] = document.kind
        if isinstance(document, AgsDocument):
            self._encodings[name] = document.encoding

    def encoding_inside(self, name: str) -> str:
        """The encoding of the texts of a document in it."""
        if name not in self._encodings:
            with self.open_inside(name) as document:
                self.remember(name, document)
        return self._encodings.get(name, UTF_8)

    def size_inside(self, name: str) -> int | None:
        """The bytes of a file in it; None for one next to it, which is not read for that."""
        asset = self.package.get(name)
        return None if asset is None else asset.size

    def leave_out(self, name: str) -> None:
        """A file next to it no longer belongs to it."""
        self.new_companions.pop(name, None)
        if name in self._found_next_to:
            self._found_next_to.remove(name)

    def forget(self, name: str) -> None:
        """A file in it has other bytes."""
        self._kinds.pop(name, None)
        self._encodings.pop(name, None)
        self.__dict__.pop("game", None)

    @cached_property
    def game(self) -> Document:
        """The game data in it.  Raises FormatError where it can't be read."""
        document = self.open_inside(self.game_name)
        if isinstance(document, GameDocument):
            document.owner = self
        return document

    @property
    def _of_game(self) -> GameHolder:
        if not self.game_name or not isinstance(self.game, GameDocument):
            raise FormatError("there is no game in this package", source=self.source)
        return self.game

    def edit(self, path: str, values: Mapping[str, object]) -> None:
        """Set keys of one of its plain files (``rooms/1/room.json``), as packing an edited folder
        does.

        Raises what :func:`overhaul.pack` raises for such an edit; then nothing is changed.
        """
        built: Edited = load(EDIT)(self, path, values)
        game = self.__dict__.get("game")
        self._siblings = NextTo(built.companions, self._siblings)
        self.package = Package.read(
            built.data, source=self.source, read_part=partial(_read_part, self._siblings)
        )
        self.size: int = len(built.data)
        self.findings.extend(built.findings)
        self._kinds, self._encodings = {}, {}
        for made in ("neighbours", "fonts", "game_encoding", "game", "_found_next_to"):
            self.__dict__.pop(made, None)
        if isinstance(game, GameDocument):  # objects that people hold show the edit
            game.take(self.read(self.game_name), self.neighbours)
            self.__dict__["game"] = game

    def edit_next_to(self, file: str, path: str, values: Mapping[str, object]) -> None:
        """Set keys of a plain file of a document in it; see :meth:`edit`."""
        prefix: str = load(_PREFIX)(file)
        self.edit(prefix + path, values)

    @cached_property
    def game_encoding(self) -> str:
        """The encoding of the texts of the game in it, or of its own names without a game."""
        return self.encoding_inside(self.game_name) if self.game_name else self.encoding

    @cached_property
    def fonts(self) -> PackagedFonts:
        """The bitmap fonts of the game in it, by number."""
        made: PackagedFonts = load("overhaul.ags.surface.fonts:PackagedFonts")(self)
        return made

    def has_foreign_texts(self) -> bool:
        """Whether an asset's name is not UTF-8."""
        return has_foreign_texts([asset.name for asset in self.package])

    def info(self) -> dict[str, object]:
        """The package's version, parts and assets."""
        package = self.package
        facts: dict[str, object] = {"kind": self.kind, "library_version": package.version}
        if package.part_number:
            return facts | {"part": package.part_number, "assets": len(package.assets)}
        facts["parts"] = package.parts
        facts["assets"] = len(package.assets)
        facts["missing_assets"] = sum(1 for asset in package if asset.data is None)
        if package.prefix:
            facts["program_bytes"] = len(package.prefix)
        for asset in package:
            if asset.name.casefold() in GAME_FILES and asset.data is not None:
                summary = read_summary(asset.data)
                if summary is not None:
                    name, facts["compiled_with"] = summary
                    encoding = ANSI if is_foreign(name) else UTF_8
                    facts["game"] = encode(name).decode(encoding, "replace")
        return facts

    def members(self) -> Iterable[PlainFile]:
        """The assets, by their names in the package."""
        package = self.package
        for asset in package:
            if asset.data is not None:
                shared = asset.part != 0 or asset.overlap > 0
                offset = None if shared else len(package.prefix) + asset.offset
                yield PlainFile(asset.name, asset.read, origin=f"part {asset.part}", offset=offset)

    @property
    def drawn_kinds(self) -> list[str]:
        """The kinds of pictures, in the order of the package."""
        names = [asset.name.casefold() for asset in self.package if asset.data is not None]
        kinds = ("room" if n.endswith(".crm") else "sprite" if n == SPRITES else "" for n in names)
        found = [kind for kind in dict.fromkeys(kinds) if kind]
        return [*found, "view"] if self.game_name and "sprite" in found else found

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """Its rooms, which are read when they are looked at, its sprites, and the things of its
        game."""
        if kind == "room":
            return self._rooms()
        if kind == "sprite":
            names = (a.name for a in self.package if a.name.casefold() == SPRITES and a.data)
            opened = [self.open_inside(name) for name in names]
            return chain.from_iterable(_resources(document, kind) for document in opened)
        return _resources(self.game, kind) if self.game_name else ()

    def also_shown(self) -> Iterable[Resource]:
        """The files of a package of speech, by the lines that are heard in them."""
        shown: Iterable[Resource] = load("overhaul.ags.folder.speech:next_to_game")(self)
        return shown

    def _rooms(self) -> Iterable[ResourceView]:
        names = sorted(asset.name for asset in self.package if asset.data is not None)
        for name in names:
            if name.casefold().endswith(".crm"):
                yield load("overhaul.ags.surface.rooms:room_in")(self, name)

    def compiled_scripts(self) -> Iterable[tuple[str, Script]]:
        """The scripts of the game data and the rooms in it, behind the names of these files."""
        members = Members(self)
        for name in members.names():
            plain = name.casefold()
            if not plain.endswith(".crm") and plain not in map(str.casefold, GAME_FILES):
                continue
            with open_data(members.read(name), source=name, siblings=members) as document:
                if isinstance(document, HasScripts):
                    for script_name, script in document.compiled_scripts():
                        yield f"{name}!{script_name}", script

    def tally(self, tally: Tally) -> None:
        """The table is decoded; assets and the program are files of their own."""
        package = self.package
        rest = package.trailing.get(0, b"")
        tally.media = len(package.prefix)
        if package.part_number:
            tally.add_tail("part", rest, "assets whose table is in another file")
            tally.media += tally.total - len(rest) - package.table_size
            return
        for index, asset in enumerate(package):
            if not asset.part:
                tally.media += max(0, len(asset.data or b"") - asset.overlap)
                begin = len(package.prefix) + asset.offset - len(asset.gap)
                tally.add_opaque(begin, f"assets[{index}].gap", len(asset.gap), "a gap")
        tally.add_tail("trailing", rest, "bytes after the last asset")

    def locate(self, offset: int) -> str:
        """The asset that an offset lies in."""
        offset -= len(self.package.prefix)
        for index, asset in enumerate(self.package):
            if asset.part == 0 and asset.offset <= offset < asset.offset + asset.size:
                return f"assets[{index}] {asset.name}"
        return "table" if 0 <= offset < self.package.table_size else ""


def _resources(document: Document, kind: str) -> Iterable[ResourceView]:
    return document.resources(kind) if isinstance(document, AgsDocument) else ()


def _read_part(siblings: Siblings, name: str) -> bytes | None:
    """Another part of a package, found by its name without regard to case; None without one."""
    key = name.replace("\\", "/").rpartition("/")[2].casefold()
    for other in siblings.names():
        if other.casefold() == key:
            return siblings.read(other)
    return None
