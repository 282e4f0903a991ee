"""The package of a game and those of its sounds and speech, with their files in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from overhaul.ags.agf.files import ProjectFiles
from overhaul.ags.library.package import SPRITES, Package, find_package
from overhaul.ags.library.tables import Table6, Table10, Table30
from overhaul.ags.project.building import sprites
from overhaul.ags.project.building.reading import listed_elements, number, text_of
from overhaul.ags.project.building.releases import Release
from overhaul.ags.project.building.resources import cache_name as cache_name
from overhaul.ags.project.building.resources import is_in_package
from overhaul.ags.versions import PACKAGE_LONG
from overhaul.document.xmltext import XmlNode
from overhaul.errors import FormatError
from overhaul.findings import Findings

GAME: Final = "game28.dta"
_INDEX: Final = "sprindex.dat"
_PRELOADED: Final = "preload.pcx"
_VIDEOS: Final = re.compile(r"flic.*\.fl.", re.IGNORECASE)
_VECTOR_FONTS: Final = re.compile(r"agsfnt.*\.ttf", re.IGNORECASE)
_BITMAP_FONTS: Final = re.compile(r"agsfnt.*\.wfn", re.IGNORECASE)
_NEW_VIDEOS: Final = re.compile(r".*\.ogv", re.IGNORECASE)
#: Sounds and music of releases that know them by numbers.
_NUMBERED: Final = re.compile(r"(?:music|sound)\d+\.\w+", re.IGNORECASE)
_MEGABYTE: Final = 1_000_000
_NOT_OWN: Final = ("compiled", "_debug", "audiocache", "speech")
_OWN_SINCE: Final = (3, 6, 0, 7)
_PATH_IN_VOICES: Final = (3, 6, 2, 17)
_WIDE_OFFSETS_SINCE: Final = (3, 5)
CACHE: Final = "AudioCache"


class Members:
    """The members of a game's package; ``findings`` are warnings about what does not."""

    def __init__(self, game: XmlNode, folder: ProjectFiles, release: Release) -> None:
        self.game = game
        self.files = folder
        self.release = release
        self.findings = Findings()

    def listed(
        self, data: bytes, rooms: Mapping[str, bytes], clips: Sequence[XmlNode]
    ) -> dict[str, bytes]:
        """The members by their names, in the order of the editor; ``data`` is that of the game."""
        made: dict[str, bytes] = {}
        drawn, index = self._sprites()
        made |= self._named(_PRELOADED)
        made |= index
        made |= {
            cache_name(clip): self.sound(clip) for clip in clips if is_in_package(clip)
        }  # fmt: skip
        made |= self._matching(_VIDEOS)
        made[GAME] = data
        made |= self._matching(_VECTOR_FONTS)
        made |= self._matching(_BITMAP_FONTS)
        made |= drawn
        made |= rooms
        made |= self._matching(_NEW_VIDEOS)
        if self.release.since(*_OWN_SINCE):
            for path in self._own():
                found = self.files.find(path)
                if found is not None:
                    made[path] = self.files.read(found)
        return made

    def _sprites(self) -> tuple[dict[str, bytes], dict[str, bytes]]:
        """The sprites, and their index if there is one."""
        ((name, data),) = self._named(SPRITES)
        indexes = dict(self._named(_INDEX))
        own = next(iter(indexes), "")
        compression = sprites.asked(self.game, self.release)
        data, index = sprites.packed(data, indexes.get(own), compression, name)
        return {name: data}, {} if index is None else {own: index}

    def _named(self, *names: str) -> Iterator[tuple[str, bytes]]:
        for name in names:
            found = self.files.find(name)
            if found is not None:
                yield found.name, self.files.read(found)
            elif name == SPRITES:
                raise FormatError(
                    "the project has no sprites: the file is missing",
                    source=str(self.files.root / SPRITES),
                    code="absent-file",
                )

    def _matching(self, pattern: re.Pattern[str]) -> dict[str, bytes]:
        return {
            name: self.files.read(self.files.root / name)
            for name in self.files.names()
            if pattern.fullmatch(name)
        }

    def sound(self, clip: XmlNode) -> bytes:
        """The bytes of a sound that is there."""
        found = self.sound_file(clip)
        return b"" if found is None else self.files.read(found)

    def sound_file(self, clip: XmlNode) -> Path | None:
        """The file of a sound: that of the editor's cache, or its source; None without one."""
        cached = self.files.find(f"{CACHE}/{cache_name(clip)}")
        return cached or self.files.find(text_of(clip, "SourceFileName"))

    def _own(self) -> Iterator[str]:
        """The paths of the author's own files, folder by folder."""
        taken: list[str] = []
        listed = text_of(self.game, "Settings/CustomDataDir").replace("\\", "/")
        names = (part.strip().rstrip("/") for part in listed.split(","))
        for name in sorted(names, key=str.casefold):
            folder = name.casefold()
            if not name or any(folder == one or folder.startswith(f"{one}/") for one in taken):
                continue
            if self.files.folder(name) is None:
                self.findings.warn("absent-file", f"the folder {name} of own files is not there, "
                                   "or not in the project")  # fmt: skip
                continue
            if folder.partition("/")[0] in _NOT_OWN:
                self.findings.warn("left-out", f"own files can't be in the folder {name}")
                continue
            taken.append(folder)
            yield from self.files.walk(name)

    # -- sounds and speech ---------------------------------------------------------------------

    def loose(self) -> dict[str, bytes]:
        """The files of sounds and music by their numbers, which the engine finds next to a game of
        a release without sounds as things."""
        return {} if self.release.has_clips else self._matching(_NUMBERED)

    def voices(self, clips: Sequence[XmlNode]) -> dict[str, bytes]:
        """The members of ``audio.vox``."""
        return {cache_name(clip): self.sound(clip) for clip in clips if not is_in_package(clip)}


def clips_in_folders(nodes: Sequence[XmlNode], game: XmlNode) -> list[XmlNode]:
    """The sounds in the order of the folders of the tree."""
    order = {
        id(node): place
        for place, node in enumerate(listed_elements(game, "AudioClips", "AudioClip"))
    }
    return sorted(nodes, key=lambda node: order.get(id(node), number(node, "ID")))


def rooms_in_order(game: XmlNode) -> list[XmlNode]:
    """The rooms in the order of the tree."""
    return list(listed_elements(game, "Rooms", "UnloadedRoom"))


def package_of(
    members: Mapping[str, bytes], name: str, release: Release, split: int = 0
) -> Package:
    """The package of a game; ``name`` is that of its files without an ending.

    ``split`` is the size in megabytes at which another file begins, 0 for one file.
    """
    ending = ".ags" if release.since(3, 4) else ".exe"
    table: Table10 | Table30 = Table30() if release.library == PACKAGE_LONG else Table10()
    made = Package(release.library, [f"{name}{ending}"], table=table)
    part = size = 0
    sprites_seen = False
    for member, data in members.items():
        if split and member.casefold() == SPRITES:
            part, size, sprites_seen = 1, 0, True
        elif split and sprites_seen and size and size + len(data) > split * _MEGABYTE:
            part, size = part + 1, 0
        size += len(data)
        if part == len(made.parts):
            made.parts.append(f"{name}.{part:03}")
        made.add(member, data, part=part)
    if len(made.parts) > (256 if release.since(3, 5) else 25):
        raise FormatError(f"the game has {len(made.parts)} files: split it at a larger size")
    return made


def voices_package(members: Mapping[str, bytes], name: str, release: Release) -> bytes:
    """A package of sounds or speech.  Raises EncodeError for a name that is too long for it."""
    is_new = release.voices_library == PACKAGE_LONG
    own = f"Compiled\\Data\\{name}" if release.since(*_PATH_IN_VOICES) else name
    made = Package(release.voices_library, [own], table=Table30() if is_new else Table6())
    for member, data in members.items():
        made.add(member, data)
    return made.to_bytes()


def with_engine(package: Package, engine: bytes, release: Release, source: str) -> None:
    """Put a package behind an engine. Raises FormatError for a file that is not a program."""
    found = find_package(engine)
    program = engine if found is None else engine[: found[0]]
    if program[:2] != b"MZ" and program[:4] != b"\x7fELF":
        raise FormatError("expected a program as the engine", source=source)
    package.prefix = program
    package.tail_width = 8 if release.since(*_WIDE_OFFSETS_SINCE) else 4
