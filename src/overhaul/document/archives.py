"""Zip archives and Windows programs with a game inside: what is in them, found by content.

All of Overhaul reads zip archives here: games in them, mods, spreadsheets. The unpacked size of
a member is bounded before it is read, and while it is read, as an archive can state any size.
"""

from __future__ import annotations

import errno
import io
import lzma
import os
import struct
import zipfile
import zlib
from functools import cached_property
from typing import Final

from overhaul.bounds import Budget
from overhaul.document.protocol import Buffer, Siblings
from overhaul.document.registry import HEAD, Probe, find, form_chunks
from overhaul.errors import FormatError

TYPE_CHECKING = False


#: a member of more bytes than this ...
SMALL_MEMBER: Final = 16 << 20
#: ... may unpack to this many times the bytes that it takes in the archive
MOST_RATIO: Final = 250
#: an archive has no more members than this, and the list of them no more bytes
MOST_MEMBERS: Final = 200_000
#: the bytes that are read at once
_PIECE: Final = 1 << 20
#: files in more folders than that are not next to a document
_DEEPEST: Final = 64
_MOST_LIST: Final = 64 << 20
_MEMBER_IN_MEMORY: Final = 900

#: the kinds of documents that are a game, or the project of one
_GAMES: Final = frozenset(
    (
        *("gamemaker-data", "gamemaker-executable", "gamemaker-project", "gamemaker-ide-project"),
        *("ags-package", "ags-game", "ags-project"),
    )
)
#: the endings of packages that belong to a game next to them
_COMPANIONS: Final = (".vox", *(f".{number:03}" for number in range(1000)))
#: the ending of the name of an extension of GameMaker: Studio, which its archive has alone
_EXTENSION: Final = ".extension.gmx"
#: the folder with what macOS adds to an archive
_OF_MACOS: Final = "__MACOSX/"
#: the only member of a Windows program
DATA_IN_PROGRAM: Final = "data.win"

#: The exceptions of zipfile for broken archives.
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    RuntimeError,  # an encrypted member; NotImplementedError: packed in a way that it does not read
    MemoryError,  # an LZMA member may ask for a dictionary of 4 GB
    OverflowError,
    EOFError,
    OSError,
    ValueError,
    KeyError,
)


class ZipMembers:
    """The members of a zip archive.  Its methods raise FormatError if the archive is broken.

    ``budget`` bounds what is read of it altogether; without one, the size of the archive does.
    """

    def __init__(self, data: Buffer, source: str = "", budget: Budget | None = None) -> None:
        self._source = source or None
        self._budget = budget or Budget(len(data), self._source)
        self._taken: set[int] = set()
        _check_list(data, self._source, self._budget)
        try:
            self._archive = zipfile.ZipFile(io.BufferedReader(_View(data)))
        except _ZIP_ERRORS as error:
            raise self._broken(error) from error

    @property
    def budget(self) -> Budget:
        """The number of bytes that may still be read."""
        return self._budget

    def names(self) -> list[str]:
        """The paths of the members, in the archive's order; one that is there twice is twice."""
        return [member.filename for member in self._files()]

    def unpacked_size(self) -> int:
        """The bytes that all members unpack to, as the archive says."""
        return sum(member.file_size for member in self._files())

    def read(self, name: str) -> bytes:
        """The bytes of a member.  Raises FileNotFoundError for an unknown name."""
        try:
            member = self._archive.getinfo(name)
        except KeyError:
            raise FileNotFoundError(2, "no such member", name) from None
        self._check(member)
        content = io.BytesIO()  # gives its bytes without a copy
        try:
            with self._archive.open(member) as file:
                while content.tell() <= member.file_size and (part := file.read(_PIECE)):
                    content.write(part)
        except _ZIP_ERRORS as error:
            raise self._broken(error) from error
        if content.tell() != member.file_size:
            raise FormatError(
                f"expected {member.file_size} bytes in {name!r:.80}, got another number",
                source=self._source,
            )
        return content.getvalue()

    def _check(self, member: zipfile.ZipInfo) -> None:
        """Raise FormatError for a member that can't be read, or that unpacks to too much."""
        name = f"{member.filename!r:.80}"
        if member.flag_bits & 1:
            raise FormatError(f"{name} is encrypted", source=self._source)
        size, packed = member.file_size, member.compress_size
        if size > SMALL_MEMBER and size > MOST_RATIO * packed:
            raise FormatError(
                f"{name} unpacks to {size} bytes of {packed}: expected at most {MOST_RATIO} times "
                "as many",
                source=self._source,
            )
        if id(member) not in self._taken:
            self._budget.take(size, name)
            self._taken.add(id(member))

    def games(self) -> list[str]:
        """The members that are games by their content; programs are read only where no other
        member is one.  A program with GameMaker data is ``game.exe!data.win``."""
        games: list[str] = []
        programs: list[str] = []
        try:
            for member in self._files():
                name = member.filename
                if member.flag_bits & 1 or name.startswith(_OF_MACOS):  # encrypted
                    continue
                with self._archive.open(member) as file:
                    probe = Probe(file.read(HEAD), os.path.basename(name))
                probe.size = member.file_size
                if is_game(probe):
                    games.append(name)
                elif probe.head[:2] == b"MZ":
                    programs.append(name)
            for name in programs if not games else ():
                inside = game_in_program(Probe(self.read(name), os.path.basename(name)))
                if inside is not None:
                    games.append(f"{name}{inside}")
        except (*_ZIP_ERRORS, FormatError):
            pass  # the members found until then
        return without_parts(games)

    def _files(self) -> list[zipfile.ZipInfo]:
        # not is_dir(), which fails for a member without a name
        return [item for item in self._archive.infolist() if not item.filename.endswith("/")]

    def _broken(self, error: Exception) -> FormatError:
        return FormatError(f"the zip archive is broken: {error}", source=self._source)


class _View(io.RawIOBase):
    """Bytes as a file, without a copy of them."""

    def __init__(self, data: Buffer) -> None:
        super().__init__()
        self._data = memoryview(data)
        self._position = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a position."""
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: len(self._data)}[whence]
        if start + offset < 0:  # as files do: zipfile takes it for a file that is too short
            raise OSError(errno.EINVAL, "Invalid argument")
        self._position = start + offset
        return self._position

    def readinto(self, buffer: Buffer) -> int:  # type: ignore[override]
        """Read the next bytes."""
        into = memoryview(buffer).cast("B")
        part = self._data[self._position : self._position + len(into)]
        into[: len(part)] = part
        self._position += len(part)
        return len(part)


#: the record at the end of an archive: its signature, how many bytes it has, and where it says how
#: many bytes the list of the members has (APPNOTE.TXT, 4.3.16)
_END, _END_SIZE, _LIST_SIZE = b"PK\5\6", 22, slice(12, 16)
#: the same of archives of many files, which have it before that one (4.3.14)
_END64, _LIST_SIZE64 = b"PK\6\6", slice(40, 48)
#: the signature of a line of that list
_ENTRY = b"PK\1\2"


def _check_list(data: Buffer, source: str | None, budget: Budget) -> None:
    """Refuse a list of members that is too long, before it is read; take what it will take."""
    tail = bytes(data[max(0, len(data) - _END_SIZE - 0xFFFF) :])
    at = tail.rfind(_END)
    if at < 0 or at + _END_SIZE > len(tail):
        return  # no archive, which zipfile says
    size = int.from_bytes(tail[at:][_LIST_SIZE], "little")
    at64 = tail.rfind(_END64, 0, at)
    if at64 >= 0:
        at, size = at64, int.from_bytes(tail[at64:][_LIST_SIZE64], "little")
    size = min(size, len(data))
    end = len(data) - len(tail) + at
    count = bytes(data[max(0, end - size) : end]).count(_ENTRY) if size <= _MOST_LIST else None
    if count is None or count > MOST_MEMBERS:
        raise FormatError(
            f"too many files: expected at most {MOST_MEMBERS} in an archive", source=source
        )
    budget.take(count * _MEMBER_IN_MEMORY, "the list of its files")


class ArchiveSiblings:
    """The members in the same folder of an archive as one of them."""

    def __init__(self, members: Siblings, member: str) -> None:
        self._members = members
        self._folder = member.rpartition("/")[0]

    def names(self) -> list[str]:
        """The names of the files in the folder, sorted."""
        parts = [path.rpartition("/") for path in self._members.names()]
        return sorted(name for folder, _, name in parts if folder == self._folder)

    def read(self, name: str) -> bytes:
        """The bytes of a file of the folder.  Raises FileNotFoundError for an unknown name."""
        return self._members.read(f"{self._folder}/{name}" if self._folder else name)

    def listing(self, folder: str) -> tuple[list[str], list[str]]:
        """The names of the files and of the folders in a folder below; none without it."""
        files, folders = self._folders.get(self._below(folder), (set(), set()))
        return sorted(files), sorted(folders)

    def read_at(self, path: str, most: int = -1) -> bytes:
        """The bytes of a file below, at most so many of the first.  Raises FileNotFoundError for an
        unknown path."""
        data = self._members.read(self._below(path))
        return data if most < 0 else data[:most]

    def _below(self, path: str) -> str:
        return f"{self._folder}/{path}" if self._folder and path else self._folder or path

    @cached_property
    def _folders(self) -> dict[str, tuple[set[str], set[str]]]:
        """The names of the files and of the folders in each folder."""
        found: dict[str, tuple[set[str], set[str]]] = {}
        for path in self._members.names():
            if path.count("/") > _DEEPEST:
                continue
            folder, _, name = path.rpartition("/")
            found.setdefault(folder, (set(), set()))[0].update([name] if name else [])
            while folder:
                outer, _, own = folder.rpartition("/")
                inside = found.setdefault(outer, (set(), set()))[1]
                if own in inside:
                    break  # so are those around it
                inside.add(own)
                folder = outer
        return found


def without_parts(games: list[str]) -> list[str]:
    """The games of an archive, each once: an extension is one if the archive has nothing else."""
    projects = [name for name in games if not name.casefold().endswith(_EXTENSION)]
    return list(dict.fromkeys(projects or games))


def is_part_of_project(path: str) -> bool:
    """Whether a path is that of an extension in a project of GameMaker: Studio."""
    folder, _, name = path.casefold().replace("\\", "/").replace("!", "/").rpartition("/")
    return name.endswith(_EXTENSION) and folder.rpartition("/")[2] == "extensions"


def is_game(probe: Probe) -> bool:
    """Whether a file is a game by its content, and none of the files that one brings along."""
    entry = find(probe)
    return (
        entry is not None
        and entry.kind in _GAMES
        and not probe.name.casefold().endswith(_COMPANIONS)
    )


def game_in_program(probe: Probe) -> str | None:
    """The suffix of a program that is a game: empty, or ``!data.win`` where it has GameMaker
    data inside; None for other programs."""
    if is_game(probe):
        return ""
    return f"!{DATA_IN_PROGRAM}" if find_form(probe.data) is not None else None


def is_seven_zip(probe: Probe) -> bool:
    """Whether a file is a 7-Zip archive."""
    return probe.head[:6] == b"7z\xbc\xaf\x27\x1c"


def is_zip(probe: Probe) -> bool:
    """Whether a file is a zip archive."""
    return probe.head[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def zip_candidates(data: Buffer) -> list[str]:
    """The members of a zip archive that look like a game's file, by their first bytes."""
    try:
        return ZipMembers(data).games()
    except FormatError:
        return []


def find_form(data: Buffer) -> tuple[int, int] | None:
    """The offset and length of GameMaker data inside a program; None if there is none.

    It is found by its magic, and by chunk headers that lead from one to the next exactly to the
    end that the FORM's own length gives.
    """
    whole = bytes(data)
    position = whole.find(b"FORM")
    while position >= 0:
        length = int.from_bytes(whole[position + 4 : position + 8], "little")
        end = position + 8 + length
        if end <= len(whole) and length > 8 and _chunks_reach(whole, position + 8, end):
            return position, 8 + length
        position = whole.find(b"FORM", position + 4)
    return None


def _chunks_reach(data: bytes, position: int, end: int) -> bool:
    if not form_chunks(b"FORM\0\0\0\0" + data[position : position + 16]):
        return False
    while position + 8 <= end:
        name = data[position : position + 4]
        if not (name.isalnum() and name.isupper()):
            return False
        position += 8 + int.from_bytes(data[position + 4 : position + 8], "little")
    return position == end
