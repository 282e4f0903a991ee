"""Paths that go on inside a file: ``game.zip!data.win``, ``x.exe!data.win``, ``a.ags!room1.crm``.

A container is a zip archive (an .apk too), a Windows program with GameMaker data inside, or any
document with members of its own.  Containers may contain containers.
"""

from __future__ import annotations

import io
import os

from overhaul.document.registry import (
    FilesBeside,
    Found,
    Probe,
    find,
    form_chunks,
    map_file,
    open_data,
)
from overhaul.errors import FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

    from overhaul.document.protocol import Beside, Buffer, Document

#: A zip member larger than this is not taken into memory.
LARGEST_MEMBER = 1 << 32
#: The only member of a Windows program.
DATA_IN_PROGRAM = "data.win"


def find_inside(path: str) -> Found:
    """The bytes of the file that a path with ``!`` names.

    Raises FileNotFoundError if no file on the disk is named by its beginning, FormatError if the
    container is broken or has no such member.
    """
    outer, members = split_path(path)
    data, release = map_file(outer)
    source = outer
    beside: Beside = FilesBeside(outer)
    try:
        for member in members:
            data, beside = read_member(data, source, beside, member)
            source = f"{source}!{member}"
    except BaseException:
        release()
        raise
    return Found(data, source, beside, release)


def split_path(path: str) -> tuple[str, list[str]]:
    """The file on the disk, and the members named one inside the other."""
    parts = path.split("!")
    for count in range(1, len(parts)):
        outer = "!".join(parts[:count])
        if os.path.isfile(outer):
            return outer, parts[count:]
    raise FileNotFoundError(2, "there is no such file", parts[0])


def read_member(data: Buffer, source: str, beside: Beside, name: str) -> tuple[Buffer, Beside]:
    """The bytes of a container's member, and the files that stand beside it."""
    probe = Probe(data, os.path.basename(source))
    if find(probe) is not None:
        return _member_of_document(data, source, beside, name)
    if is_zip(probe):
        return _member_of_zip(data, source, name)
    if probe.head[:2] == b"MZ":
        return _member_of_program(data, source, beside, name)
    raise FormatError(f"it contains no other files, so no {name!r} either", source=source)


# ------------------------------------------------------------------------------------- documents


def _member_of_document(
    data: Buffer, source: str, beside: Beside, name: str
) -> tuple[Buffer, Beside]:
    document = open_data(data, source=source, beside=beside)
    members = {member.path: member for member in document.members()}
    chosen = _choose(name, list(members), source)
    return members[chosen].read(), _MembersBeside(document)


class _MembersBeside:
    """The other members of a document."""

    def __init__(self, document: Document) -> None:
        self._members = {member.path: member for member in document.members()}

    def names(self) -> list[str]:
        return sorted(self._members)

    def read(self, name: str) -> bytes:
        try:
            return self._members[name].read()
        except KeyError:
            raise FileNotFoundError(2, "there is no such member", name) from None


# ----------------------------------------------------------------------------------- zip archives


def is_zip(probe: Probe) -> bool:
    """Whether a file is a zip archive."""
    return probe.head[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def zip_candidates(data: Buffer) -> list[str]:
    """The members of a zip archive that look like a game's file, by their first bytes."""
    found = []
    try:
        with _open_zip(data, "") as archive:
            for member in _files(archive):
                if member.flag_bits & 1:  # encrypted
                    continue
                with archive.open(member) as file:
                    probe = Probe(file.read(4096), os.path.basename(member.filename))
                probe.size = member.file_size
                if probe.head[:4] == b"FORM" and find(probe) is not None:
                    found.append(member.filename)
    except _zip_errors():
        return found
    return found


def _member_of_zip(data: Buffer, source: str, name: str) -> tuple[Buffer, Beside]:
    try:
        with _open_zip(data, source) as archive:
            chosen = _choose(name, [member.filename for member in _files(archive)], source)
            content = _read_zip_member(archive, archive.getinfo(chosen), source)
    except FormatError:  # a ValueError too, which zipfile raises for broken archives
        raise
    except _zip_errors() as error:
        raise FormatError(f"the zip archive is broken: {error}", source=source) from error
    return content, _ZipBeside(bytes(data), chosen)


def _read_zip_member(archive: ZipFile, member: ZipInfo, source: str) -> bytes:
    if member.flag_bits & 1:
        raise FormatError(f"{member.filename} is encrypted", source=source)
    if member.file_size > LARGEST_MEMBER:
        raise FormatError(f"{member.filename} says it has {member.file_size} bytes", source=source)
    with archive.open(member) as file:
        content = file.read(member.file_size + 1)
    if len(content) != member.file_size:
        raise FormatError(f"{member.filename} is not as long as it says", source=source)
    return content


class _ZipBeside:
    """The members in the same folder of a zip archive."""

    def __init__(self, data: bytes, member: str) -> None:
        self._data = data
        self._folder = member.rpartition("/")[0]

    def names(self) -> list[str]:
        with _open_zip(self._data, "") as archive:
            paths = [m.filename for m in _files(archive)]
        return sorted(
            path.rpartition("/")[2] for path in paths if path.rpartition("/")[0] == self._folder
        )

    def read(self, name: str) -> bytes:
        path = f"{self._folder}/{name}" if self._folder else name
        with _open_zip(self._data, "") as archive:
            try:
                member = archive.getinfo(path)
            except KeyError:
                raise FileNotFoundError(2, "there is no such member", path) from None
            try:
                return _read_zip_member(archive, member, path)
            except FormatError:
                raise
            except _zip_errors() as error:
                raise FormatError(f"the zip archive is broken: {error}", source=path) from error


def _open_zip(data: Buffer, source: str) -> ZipFile:
    import zipfile

    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except _zip_errors() as error:
        raise FormatError(f"the zip archive is broken: {error}", source=source or None) from error


def _zip_errors() -> tuple[type[Exception], ...]:
    """What zipfile raises for broken archives."""
    import lzma
    import zipfile
    import zlib

    return (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        NotImplementedError,
        EOFError,
        OSError,
        ValueError,
        KeyError,
    )


def _files(archive: ZipFile) -> list[ZipInfo]:
    return [member for member in archive.infolist() if not member.is_dir()]


# --------------------------------------------------------------------------------------- programs


def find_form(data: Buffer) -> tuple[int, int] | None:
    """The offset and length of GameMaker data inside a program; None where there is none.

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


def _member_of_program(
    data: Buffer, source: str, beside: Beside, name: str
) -> tuple[Buffer, Beside]:
    found = find_form(data)
    if found is None:
        raise FormatError("it is a Windows program without GameMaker data inside", source=source)
    _choose(name, [DATA_IN_PROGRAM], source)
    offset, length = found
    return bytes(data[offset : offset + length]), beside


def _choose(name: str, names: list[str], source: str) -> str:
    """The member meant by a name: exact, else by case or last part alone if only one fits."""
    if name in names:
        return name
    wanted = name.lower()
    fitting = [n for n in names if n.lower() == wanted or n.lower().endswith("/" + wanted)]
    if len(fitting) == 1:
        return fitting[0]
    some = ", ".join(sorted(names)[:8]) + (", ..." if len(names) > 8 else "")
    what = "is not its only member of that name" if fitting else "is not in it"
    raise FormatError(f"{name!r} {what}; it contains: {some or 'nothing'}", source=source)
