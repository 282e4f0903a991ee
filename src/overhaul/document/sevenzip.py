"""7-Zip archives, which GameMaker: Studio 1 exports projects as (``.gmz``).

Streams are LZMA or LZMA2, which the standard library unpacks; one stream has many files in it.
Encrypted archives, and filters for programs, are refused by name.

Source: 7zFormat.txt of the LZMA SDK, which is in the public domain, and real .gmz files.
"""

from __future__ import annotations

import lzma
import os
import struct
import zlib
from typing import Final, NamedTuple

from overhaul.bounds import Budget
from overhaul.document.archives import is_game, without_parts
from overhaul.document.protocol import Buffer
from overhaul.document.registry import HEAD, Probe
from overhaul.errors import FormatError

TYPE_CHECKING = False

_START: Final = struct.Struct("<6x2BIQQI")
#: The first bytes of parts of a header.
(
    _END, _HEADER, _, _, _STREAMS, _FILES, _PACKED, _UNPACKED, _SUBSTREAMS, _SIZE, _CHECKSUMS,
    _FOLDERS, _CODERS_SIZE, _COUNTS, _EMPTY, _EMPTY_FILES, _, _NAMES,
) = range(18)  # fmt: skip
_ENCODED: Final = 0x17
_METHODS: Final = {
    b"\x00": "copy", b"\x21": "LZMA2", b"\x03\x01\x01": "LZMA", b"\x03": "delta",
    b"\x03\x03\x01\x03": "BCJ", b"\x03\x03\x01\x1b": "BCJ2", b"\x03\x04\x01": "PPMd",
    b"\x04\x01\x08": "deflate", b"\x04\x02\x02": "bzip2", b"\x06\xf1\x07\x01": "AES",
}  # fmt: skip
#: No archive of a project has more files, or a longer dictionary.
_MOST: Final = 1_000_000
_DICTIONARY: Final = 1 << 30
_PIECE: Final = 1 << 20


class _Folder(NamedTuple):
    """Packed streams that are unpacked as one: the methods with their properties, the sizes."""

    coders: list[tuple[str, bytes]]
    size: int


class _File(NamedTuple):
    """A file: its folder (-1: empty), where in it, its size, its checksum (None: unknown)."""

    name: str
    folder: int
    start: int
    size: int
    checksum: int | None


class _HeaderReader:
    """Reads a header.  Raises FormatError beyond its end."""

    def __init__(self, data: bytes, source: str | None) -> None:
        self.data = data
        self.at = 0
        self._source = source

    def error(self, message: str) -> FormatError:
        """The error of a broken archive."""
        return FormatError(f"the 7-Zip archive is broken: {message}", source=self._source)

    def take(self, count: int) -> bytes:
        """Some bytes."""
        if count > len(self.data) - self.at:
            raise self.error("its header ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def byte(self) -> int:
        """A byte."""
        return self.take(1)[0]

    def number(self) -> int:
        """A number: the ones that the first byte begins with say how many bytes follow."""
        first = self.byte()
        mask, value = 0x80, 0
        for index in range(8):
            if not first & mask:
                return value | (first & (mask - 1)) << (8 * index)
            value |= self.byte() << (8 * index)
            mask >>= 1
        return value

    def count(self) -> int:
        """A number of elements."""
        value = self.number()
        if value > min(_MOST, 64 * len(self.data)):
            raise self.error(f"it says that there are {value} of something")
        return value

    def bits(self, count: int) -> list[bool]:
        """A bit for each of some elements."""
        data = self.take((count + 7) // 8)
        return [bool(data[index >> 3] & 0x80 >> (index & 7)) for index in range(count)]

    def checksums(self, count: int) -> list[int | None]:
        """The checksums of some elements; None for one without."""
        known = [True] * count if self.byte() else self.bits(count)
        return [int.from_bytes(self.take(4), "little") if one else None for one in known]

    def expect(self, kind: int, what: str) -> None:
        """Read the kind of what follows."""
        if self.byte() != kind:
            raise self.error(f"expected {what}")


class _Streams:
    """Where packed streams are, and what is in them."""

    def __init__(self, reader: _HeaderReader) -> None:
        self._reader = reader
        self.position = 0
        self.sizes: list[int] = []
        self.folders: list[_Folder] = []
        #: of each folder, the sizes of the files in it, and their checksums
        self.files: list[list[int]] = []
        self.checksums: list[int | None] = []
        own: list[int | None] = []
        while (kind := reader.byte()) != _END:
            if kind == _PACKED:
                self._packed()
            elif kind == _UNPACKED:
                own = self._unpacked()
            elif kind == _SUBSTREAMS:
                self._substreams(own)
            else:
                raise reader.error(f"unknown part {kind:#x}")
        if not self.files:
            self.files = [[folder.size] for folder in self.folders]
            self.checksums = own or [None] * len(self.folders)
        if len(self.sizes) != len(self.folders):
            raise reader.error("expected a packed stream for each folder")

    def _packed(self) -> None:
        reader = self._reader
        self.position, count = reader.number(), reader.count()
        while (kind := reader.byte()) != _END:
            if kind == _SIZE:
                self.sizes = [reader.number() for _ in range(count)]
            elif kind == _CHECKSUMS:
                reader.checksums(count)
            else:
                raise reader.error(f"unknown part {kind:#x}")

    def _unpacked(self) -> list[int | None]:
        reader = self._reader
        reader.expect(_FOLDERS, "folders")
        count = reader.count()
        if reader.byte():
            raise reader.error("its folders are elsewhere")
        chains = [self._coders() for _ in range(count)]
        reader.expect(_CODERS_SIZE, "sizes")
        sizes = [[reader.number() for _ in chain] for chain in chains]
        self.folders = [_Folder(chain, size[0]) for chain, size in zip(chains, sizes, strict=True)]
        own: list[int | None] = []
        while (kind := reader.byte()) != _END:
            if kind != _CHECKSUMS:
                raise reader.error(f"unknown part {kind:#x}")
            own = reader.checksums(count)
        return own

    def _coders(self) -> list[tuple[str, bytes]]:
        reader = self._reader
        coders: list[tuple[str, bytes]] = []
        count = reader.count()
        if not 1 <= count <= 4:
            raise reader.error(f"expected 1 to 4 methods, got {count}")
        for _ in range(count):
            flags = reader.byte()
            key = reader.take(flags & 15)
            method = _METHODS.get(key, key.hex())
            if flags & 0x10:
                raise reader.error(f"the method {method} has several streams: repack it")
            coders.append((method, reader.take(reader.count()) if flags & 0x20 else b""))
        for _ in range(count - 1):
            reader.number()
            reader.number()
        return coders

    def _substreams(self, own: list[int | None]) -> None:
        reader = self._reader
        counts = [1] * len(self.folders)
        kind = reader.byte()
        if kind == _COUNTS:
            counts = [reader.count() for _ in self.folders]
            kind = reader.byte()
        for folder, count in zip(self.folders, counts, strict=True):
            known = [reader.number() for _ in range(count - 1)] if kind == _SIZE else []
            rest = folder.size - sum(known)
            if rest < 0:
                raise reader.error("its files are larger than what they are in")
            self.files.append([*known, rest] if count else [])
        if kind == _SIZE:
            kind = reader.byte()
        whole = [len(sizes) == 1 and bool(own) and own[n] is not None
                 for n, sizes in enumerate(self.files)]  # fmt: skip
        unknown = sum(
            len(sizes) for sizes, known in zip(self.files, whole, strict=True) if not known
        )
        found: list[int | None] = [None] * unknown
        if kind == _CHECKSUMS:
            found = reader.checksums(unknown)
            kind = reader.byte()
        left = iter(found)
        for number, sizes in enumerate(self.files):
            self.checksums += [own[number]] if whole[number] else [next(left) for _ in sizes]
        if kind != _END:
            raise reader.error(f"unknown part {kind:#x}")


class SevenZipMembers:
    """The members of a 7-Zip archive.  Its methods raise FormatError if the archive is broken."""

    def __init__(self, data: Buffer, source: str = "", budget: Budget | None = None) -> None:
        self._source = source or None
        self._budget = budget or Budget(len(data), self._source)
        self._data = memoryview(data)
        self._unpacked: dict[int, bytes] = {}
        self._streams: _Streams | None = None
        self._files = {file.name: file for file in self._read()}

    def names(self) -> list[str]:
        """The paths of the members, in the archive's order."""
        return list(self._files)

    @property
    def budget(self) -> Budget:
        """The number of bytes that may still be read."""
        return self._budget

    def read(self, name: str) -> bytes:
        """The bytes of a member.  Raises FileNotFoundError for an unknown name."""
        file = self._files.get(name)
        if file is None:
            raise FileNotFoundError(2, "no such member", name)
        if file.folder < 0 or self._streams is None:
            return b""
        whole = self._unpacked.get(file.folder)
        if whole is None:
            whole = self._unpacked[file.folder] = self._unpack(self._streams, file.folder)
        data = whole[file.start : file.start + file.size]
        if file.checksum is not None and zlib.crc32(data) != file.checksum:
            raise self._error(f"the checksum of {name!r:.80} is wrong")
        return data

    def games(self) -> list[str]:
        """The members that are games, by their content."""
        try:
            return without_parts([name for name in self._files if self._is_game(name)])
        except FormatError:  # opening it says so
            return []

    def _is_game(self, name: str) -> bool:
        data = self.read(name)
        probe = Probe(data[:HEAD], os.path.basename(name))
        probe.size = len(data)
        return is_game(probe)

    def _error(self, message: str) -> FormatError:
        return FormatError(f"the 7-Zip archive is broken: {message}", source=self._source)

    # -- the header -----------------------------------------------------------------------------

    def _read(self) -> list[_File]:
        if len(self._data) < _START.size:
            raise self._error("it is cut off")
        *_, offset, size, checksum = _START.unpack_from(self._data)
        if offset + size > len(self._data) - _START.size:
            raise self._error("its header is beyond the end: it is cut off")
        if not size:
            return []
        self._budget.take(size, "the header")
        start = _START.size + offset
        header = bytes(self._data[start : start + size])
        if zlib.crc32(header) != checksum:
            raise self._error("the checksum of its header is wrong")
        for _ in range(4):
            reader = _HeaderReader(header, self._source)
            kind = reader.byte()
            if kind == _HEADER:
                return self._header(reader)
            if kind != _ENCODED:
                break
            streams = _Streams(reader)
            if not streams.folders:
                break
            header = self._unpack(streams, 0)
        raise self._error("expected a header")

    def _header(self, reader: _HeaderReader) -> list[_File]:
        files: list[_File] = []
        while (kind := reader.byte()) != _END:
            if kind == _STREAMS:
                self._streams = _Streams(reader)
            elif kind == _FILES:
                files = self._listed(reader)
            else:
                raise reader.error(f"unknown part {kind:#x}")
        return files

    def _listed(self, reader: _HeaderReader) -> list[_File]:
        count = reader.count()
        names: list[str] = []
        empty = [False] * count
        is_file: list[bool] = []
        while (kind := reader.byte()) != _END:
            part = _HeaderReader(reader.take(reader.number()), self._source)
            if kind == _NAMES:
                text = part.data[1:].decode("utf-16-le", "replace")
                names = text.split("\0")[:-1]
            elif kind == _EMPTY:
                empty = part.bits(count)
                is_file = [False] * sum(empty)
            elif kind == _EMPTY_FILES:
                is_file = part.bits(sum(empty))
        if len(names) != count:
            raise reader.error(f"expected {count} names, got {len(names)}")
        return self._placed(reader, names, empty, is_file)

    def _placed(
        self, reader: _HeaderReader, names: list[str], empty: list[bool], is_file: list[bool]
    ) -> list[_File]:
        streams = self._streams
        places = [
            (folder, size)
            for folder, sizes in enumerate(streams.files if streams else [])
            for size in sizes
        ]
        checksums = streams.checksums if streams else []
        if len(places) != len(names) - sum(empty):
            raise reader.error("its files do not match its streams")
        made: list[_File] = []
        known = iter(is_file)
        number, last, start = 0, -1, 0
        for name, is_empty in zip(names, empty, strict=True):
            path = name.replace("\\", "/")
            if is_empty:
                if next(known, False):
                    made.append(_File(path, -1, 0, 0, None))
                continue
            folder, size = places[number]
            start = start if folder == last else 0
            made.append(_File(path, folder, start, size, checksums[number]))
            number, last, start = number + 1, folder, start + size
        return made

    # -- streams --------------------------------------------------------------------------------

    def _unpack(self, streams: _Streams, number: int) -> bytes:
        folder = streams.folders[number]
        self._budget.take(folder.size, "a stream")
        start = _START.size + streams.position + sum(streams.sizes[:number])
        packed = self._data[start : start + streams.sizes[number]]
        if [method for method, _ in folder.coders] == ["copy"]:
            made = bytes(packed[: folder.size])
        else:
            made = self._decompress(packed, folder)
        if len(made) != folder.size:
            raise self._error(f"expected {folder.size} bytes in a stream, got {len(made)}")
        return made

    def _decompress(self, packed: memoryview, folder: _Folder) -> bytes:
        filters = [self._filter(method, properties) for method, properties in folder.coders]
        made = bytearray()
        try:
            decompressor = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters)
            given: Buffer = packed
            while len(made) < folder.size and not decompressor.eof:
                part = decompressor.decompress(given, min(_PIECE, folder.size - len(made)))
                if not part and not given:
                    break
                made += part
                given = b""
        except (lzma.LZMAError, MemoryError, ValueError, EOFError) as error:
            raise self._error(f"{error}") from error
        return bytes(made)

    def _filter(self, method: str, properties: bytes) -> dict[str, int]:
        if method == "LZMA" and len(properties) == 5:
            rest, lc = divmod(properties[0], 9)
            pb, lp = divmod(rest, 5)
            size = int.from_bytes(properties[1:], "little")
            if size <= _DICTIONARY and lc + lp <= 4:
                return {"id": lzma.FILTER_LZMA1, "dict_size": max(size, 4096), "lc": lc, "lp": lp,
                        "pb": pb}  # fmt: skip
        elif method == "LZMA2" and len(properties) == 1 and properties[0] <= 36:
            size = (2 | properties[0] & 1) << properties[0] // 2 + 11
            return {"id": lzma.FILTER_LZMA2, "dict_size": size}
        elif method == "delta" and len(properties) == 1:
            return {"id": lzma.FILTER_DELTA, "dist": properties[0] + 1}
        if method == "AES":
            raise FormatError("the 7-Zip archive is encrypted", source=self._source)
        what = f"a stream is packed with {method}, which is not read: repack it with LZMA"
        raise FormatError(what, source=self._source)
