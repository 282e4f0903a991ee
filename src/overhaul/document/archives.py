"""Zip archives and Windows programs with a game inside: what is in them, found by content."""

from __future__ import annotations

import io
import lzma
import os
import zipfile
import zlib

from overhaul.document.registry import Probe, find, form_chunks
from overhaul.errors import FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.document.protocol import Buffer

#: A zip member larger than this is not taken into memory.
LARGEST_MEMBER = 1 << 32

#: What zipfile raises for broken archives.
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    EOFError,
    OSError,
    ValueError,
    KeyError,
)


class ZipMembers:
    """The members of a zip archive.  Its methods raise FormatError if the archive is broken."""

    def __init__(self, data: Buffer, source: str = "") -> None:
        self._source = source or None
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except _ZIP_ERRORS as error:
            raise self._broken(error) from error

    def names(self) -> list[str]:
        """The paths of the members, in the archive's order."""
        return [member.filename for member in self._files()]

    def read(self, name: str) -> bytes:
        """The bytes of a member.  Raises FileNotFoundError for an unknown name."""
        try:
            member = self._archive.getinfo(name)
        except KeyError:
            raise FileNotFoundError(2, "no such member", name) from None
        if member.flag_bits & 1:
            raise FormatError(f"{name} is encrypted", source=self._source)
        if member.file_size > LARGEST_MEMBER:
            raise FormatError(f"{name} is too large: {member.file_size} bytes", source=self._source)
        try:
            with self._archive.open(member) as file:
                content = file.read(member.file_size + 1)
        except _ZIP_ERRORS as error:
            raise self._broken(error) from error
        if len(content) != member.file_size:
            raise FormatError(
                f"expected {member.file_size} bytes in {name}, got another number",
                source=self._source,
            )
        return content

    def games(self) -> list[str]:
        """The members that begin as GameMaker data does and that a format accepts."""
        found = []
        try:
            for member in self._files():
                if member.flag_bits & 1:  # encrypted
                    continue
                with self._archive.open(member) as file:
                    probe = Probe(file.read(4096), os.path.basename(member.filename))
                probe.size = member.file_size
                if probe.head[:4] == b"FORM" and find(probe) is not None:
                    found.append(member.filename)
        except _ZIP_ERRORS:
            return found
        return found

    def _files(self) -> list[zipfile.ZipInfo]:
        return [member for member in self._archive.infolist() if not member.is_dir()]

    def _broken(self, error: Exception) -> FormatError:
        return FormatError(f"the zip archive is broken: {error}", source=self._source)


class ZipBeside:
    """The members in the same folder of a zip archive as one of them."""

    def __init__(self, members: ZipMembers, member: str) -> None:
        self._members = members
        self._folder = member.rpartition("/")[0]

    def names(self) -> list[str]:
        """The names of the files in the folder, sorted."""
        parts = [path.rpartition("/") for path in self._members.names()]
        return sorted(name for folder, _, name in parts if folder == self._folder)

    def read(self, name: str) -> bytes:
        """The bytes of a file of the folder.  Raises FileNotFoundError for an unknown name."""
        return self._members.read(f"{self._folder}/{name}" if self._folder else name)


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
