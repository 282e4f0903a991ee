"""A package as a list of assets that can be read, replaced, added and removed.

    package = Package.read(data)
    package["room1.crm"].data
    package.replace("room1.crm", changed); package.add("new.ogg", sound)
    data = package.to_bytes()

A package may follow an executable, whose bytes are kept, and may be split: part 0 has the table,
the other parts (``NAME.001`` ...) only assets.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from overhaul.ags.detect import PACKAGE as SIGNATURE
from overhaul.ags.detect import PACKAGE_TAIL as TAIL
from overhaul.ags.detect import is_room, is_sprite_set
from overhaul.ags.fields import new_reader, record_bytes
from overhaul.ags.library.tables import (
    TABLES,
    Entry30,
    Head30,
    Table,
    Table6,
    Table10,
    Table30,
    plain_name,
    stored_name,
)
from overhaul.ags.room.room import room_size
from overhaul.ags.sprites import SpriteSet
from overhaul.ags.text import TableCipher, decode, encode
from overhaul.ags.versions import PACKAGE_ENCRYPTED, PACKAGE_LONG, PACKAGE_PARTS, PACKAGE_PASSWORD
from overhaul.document.registry import Probe
from overhaul.errors import EncodeError, FormatError, UnsupportedVersion
from overhaul.findings import Findings
from overhaul.schema import codec_for
from overhaul.schema.record import short_repr

PART_HEADER_SIZE: Final = 7
MAX_ASSETS: Final = 1 << 20

Buffer = bytes | memoryview
ReadPart = Callable[[str], bytes | None]


@dataclass(slots=True)
class Asset:
    """A file in a package.

    ``data`` is None if its part is missing; ``gap`` are the bytes before it that belong to no
    asset; ``overlap`` is how many bytes before the end of what precedes it (the table or other
    assets) it begins; ``name_rest`` are the stored bytes after its name's NUL.  ``offset`` and
    ``size`` are in bytes; ``part`` is the number of the file that has it; ``flags`` are bytes of
    the table that nothing reads.
    """

    __repr__ = short_repr

    name: str
    data: Buffer | None
    part: int = 0
    offset: int = 0
    size: int = 0
    gap: bytes = b""
    name_rest: bytes = b""
    flags: bytes = b"\0\0"
    overlap: int = 0

    def read(self) -> bytes:
        """The bytes; empty if their part is missing."""
        return bytes(self.data or b"")


def find_package(data: Buffer) -> tuple[int, int] | None:
    """(start of the package, size of its tail) in a file; None without a package."""
    if bytes(data[:5]) == SIGNATURE:
        return 0, 0
    if bytes(data[-len(TAIL) :]) != TAIL:
        return None
    end = len(data) - len(TAIL)
    for width in (8, 4):
        start = int.from_bytes(data[max(0, end - width) : end], "little")
        if 0 < start < end - width and bytes(data[start : start + 5]) == SIGNATURE:
            return start, width + len(TAIL)
    return None


def _packages(data: Buffer) -> Iterator[tuple[int, int]]:
    """(start, size of the tail) of what may be a package in a damaged file."""
    package = find_package(data)
    if package is not None:
        yield package
        return
    plain = bytes(data)
    start = plain.find(SIGNATURE)
    while start >= 0:
        yield start, 0
        start = plain.find(SIGNATURE, start + 1)


def is_package(data: Buffer) -> bool:
    """Whether the bytes are a package, a part of one, or an executable with one behind it."""
    return find_package(data) is not None


@dataclass(slots=True)
class Package:
    """The assets of a package in the order of its table, and how it was stored.

    ``parts`` are the names of its files, ``part_number`` is that of the file at hand.  ``version``
    is that of the table, ``table`` its other fields, ``table_size`` its bytes, ``seed`` what it is
    scrambled with.  ``prefix`` are the bytes before it (the engine, in an .exe), ``trailing`` those
    behind the last asset, by part; ``tail_width`` is the size of the offset at the end of an .exe.
    ``findings`` are what reading found.
    """

    __repr__ = short_repr

    version: int = 30
    parts: list[str] = field(default_factory=lambda: ["game.ags"])
    assets: list[Asset] = field(default_factory=list)
    prefix: bytes = b""
    tail_width: int = 0
    seed: int = 0
    table: Table = field(default_factory=Table30)
    trailing: dict[int, bytes] = field(default_factory=dict)
    part_number: int = 0
    table_size: int = 0
    findings: Findings = field(default_factory=Findings)
    #: while a damaged package is read: its lost parts, by name and reason
    lost: list[tuple[str, str]] | None = None

    # -- reading -----------------------------------------------------------------------------

    @classmethod
    def read(
        cls, data: Buffer, *, source: str | None = None, read_part: ReadPart | None = None
    ) -> Package:
        """The package in ``data``.

        ``read_part`` gives the bytes of another part by its file name, or None.  Raises
        FormatError, UnsupportedVersion.
        """
        found = find_package(data)
        if found is None:
            raise FormatError("not a package: the signature is missing", source=source, offset=0)
        start, tail = found
        view = memoryview(data)[start : len(data) - tail]
        package = cls(prefix=bytes(data[:start]), tail_width=max(0, tail - len(TAIL)))
        try:
            package._read(view, source, read_part)
        except FormatError as error:
            if error.offset is not None:
                error.offset += start
            error.source = source
            raise
        return package

    @classmethod
    def salvage(
        cls, data: Buffer, *, source: str | None = None, read_part: ReadPart | None = None
    ) -> tuple[Package, list[tuple[str, str]]]:
        """A package, in one part, of the assets that are whole in a damaged one; what is lost.

        The second are names of assets (empty: the table) with the reason.  Raises FormatError,
        UnsupportedVersion where not even the table can be read.
        """
        reason = FormatError("not a package: the signature is missing", source=source)
        for start, tail in _packages(data):
            view = memoryview(data)[start : len(data) - tail]
            package = cls(prefix=bytes(data[:start]), tail_width=max(0, tail - len(TAIL)))
            package.lost = []
            if start and not tail:  # it was lost, and is written again
                package.tail_width = 8 if view[5] == PACKAGE_LONG else 4
            try:
                package._read(view, source, read_part)
            except FormatError as error:
                reason = error
                continue
            package._take_whole()
            if package.assets:
                return package, package.lost
            reason = FormatError("none of its assets is whole", source=source)
        raise reason

    def _take_whole(self) -> None:
        """Keep the assets that are whole, in one part, without what is between them."""
        self.assets = [self.assets[at] for at in sorted(range(len(self.assets)), key=self._place)]
        self.assets = [asset for asset in self.assets if asset.data is not None]
        for place, asset in enumerate(self.assets):
            asset.part, asset.offset, asset.gap = 0, place, b""
            if not asset.size:
                asset.overlap = 0
        self.parts, self.trailing, self.part_number = self.parts[:1], {}, 0

    def _read(self, view: memoryview, source: str | None, read_part: ReadPart | None) -> None:
        if len(view) < PART_HEADER_SIZE:
            raise FormatError("the package ends inside its header", offset=len(view))
        self.version = view[5]
        if self.version not in TABLES:
            raise UnsupportedVersion(f"unknown library version {self.version}", offset=5)
        position = 6
        if self.version >= PACKAGE_PARTS:
            self.part_number = view[6]
            position = PART_HEADER_SIZE
        if self.part_number and self.lost is not None:
            raise FormatError("its table of contents is in another file", offset=6)
        if self.part_number:
            # A part by itself: its table of contents is in part 0.
            self.parts = []
            self.table_size = end = position
            for name, start, size in split_part(view[position:]):
                asset = Asset(name, view[position + start :][:size], 0, position + start, size)
                self.assets.append(asset)
                end = position + start + size
            self.trailing = {0: bytes(view[end:])}
            return
        try:
            end = self._read_table(view, position, source)
        except FormatError as error:
            if self.lost is None or self.version != PACKAGE_LONG:
                raise
            end = self._read_entries(view, position)
            self.lost.append(("", f"the table is damaged after its first entries: {error.message}"))
        self.table_size = end
        views: dict[int, memoryview | None] = {0: view}
        # A damaged table may have 40,000 parts and as many assets.
        names: dict[int, list[str]] = {}
        for asset in self.assets:
            names.setdefault(asset.part, []).append(asset.name)
        for part, name in enumerate(self.parts[1:], start=1):
            if part not in names:
                continue
            other = read_part(name) if read_part is not None else None
            views[part] = memoryview(other) if other is not None else None
            if other is None and self.lost is not None:
                self.lost += [(asset, f"the part {name} is missing") for asset in names[part]]
            elif other is None:
                self.findings.warn(
                    "absent-file", f"the part {name} is missing; its assets can't be read"
                )
        self._take_data(views, end)

    def _read_table(self, view: memoryview, position: int, source: str | None) -> int:
        reader = new_reader(self.version, source)
        table_data: bytes | memoryview = view
        start = position
        if self.version == PACKAGE_ENCRYPTED:
            if len(view) < position + 4:
                raise reader.truncated(view, position)
            (self.seed,) = struct.unpack_from("<i", view, position)
            position += 4
            table_data = _decipher(view[position:], self.seed, position)
            start = 0
        record = TABLES[self.version]
        table, end = codec_for(record, self.version).read(table_data, start, reader)
        self.table = table
        self.assets = list(_assets(self.version, table))
        self.parts = [""] if isinstance(table, Table6) else list(table.parts)
        end = end if self.version != 21 else end + position
        if isinstance(table, Table6):
            offset = end
            for asset in self.assets:
                asset.offset = offset
                offset += asset.size
        return end

    def _take_data(self, views: dict[int, memoryview | None], header_end: int) -> None:
        cursors = dict.fromkeys(views, PART_HEADER_SIZE)
        cursors[0] = header_end
        order = sorted(range(len(self.assets)), key=lambda i: self._place(i))
        for index in order:
            asset = self.assets[index]
            view = views.get(asset.part)
            problem = _problem(asset, view, asset.part in views)
            if not problem and self.lost is not None and view is not None:
                begin = header_end if asset.part == 0 else PART_HEADER_SIZE
                if asset.size and asset.offset < begin:
                    problem = f"{asset.name!r} at {asset.offset:#x} begins inside the table"
            if problem and self.lost is None:
                raise FormatError(
                    problem,
                    path=f"assets[{index}]",
                    code="truncated" if asset.part in views else "",
                )
            if problem and self.lost is not None:
                self.lost.append((asset.name, problem))
            if problem or view is None:
                continue
            end = asset.offset + asset.size
            asset.data = view[asset.offset : end]
            cursor = cursors[asset.part]
            asset.gap = bytes(view[cursor : asset.offset])
            asset.overlap = max(0, cursor - asset.offset)
            cursors[asset.part] = max(cursor, end)
        for part, view in views.items():
            if view is not None and cursors[part] < len(view):
                self.trailing[part] = bytes(view[cursors[part] :])

    def _read_entries(self, view: memoryview, position: int) -> int:
        """Read the entries of a damaged table of version 30, up to the first that is not whole."""
        reader = new_reader(self.version)
        self.table = table = Table30()
        try:
            head, position = codec_for(Head30, self.version).read(view, position, reader)
            table.options, self.parts = head.options, list(head.parts)
            codec = codec_for(Entry30, self.version)
            for _ in range(min(head.count, MAX_ASSETS)):
                entry, position = codec.read(view, position, reader)
                table.entries.append(entry)
        except FormatError:
            if not table.entries:
                raise
        self.assets = list(_assets(self.version, table))
        return position

    def _place(self, index: int) -> tuple[int, int, int]:
        asset = self.assets[index]
        return asset.part, asset.offset, index

    # -- looking and editing -----------------------------------------------------------------

    def __iter__(self) -> Iterator[Asset]:
        return iter(self.assets)

    def __len__(self) -> int:
        return len(self.assets)

    def get(self, name: str) -> Asset | None:
        """The asset of that name, case disregarded as the engine does, or None."""
        key = name.casefold()
        return next((asset for asset in self.assets if asset.name.casefold() == key), None)

    def __getitem__(self, name: str) -> Asset:
        asset = self.get(name)
        if asset is None:
            raise KeyError(name)
        return asset

    def replace(self, name: str, data: bytes) -> None:
        """Replace the bytes of an asset; raises KeyError."""
        asset = self[name]
        asset.data, asset.size = data, len(data)
        self._untangle()

    def add(self, name: str, data: bytes, *, part: int = 0) -> Asset:
        """Add an asset at the end of the table; raises EncodeError for an existing name."""
        if self.get(name) is not None:
            raise EncodeError(f"the package already has an asset {name!r}")
        if not 0 <= part < max(1, len(self.parts)):
            raise EncodeError(f"the package has no part {part}")
        self._untangle()
        # Behind everything else of its part.
        asset = Asset(name, data, part, offset=1 << 62, size=len(data))
        self.assets.append(asset)
        return asset

    def remove(self, name: str) -> Asset:
        """Remove an asset; raises KeyError."""
        asset = self[name]
        self.assets = [other for other in self.assets if other is not asset]
        self._untangle()
        return asset

    def _untangle(self) -> None:
        """Give assets that share bytes their own copies, so that a change affects only one."""
        for asset in self.assets:
            asset.overlap = 0

    # -- writing -----------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """The file with the table: executable, table, assets of part 0, tail."""
        header = SIGNATURE + bytes([self.version])
        if self.version >= PACKAGE_PARTS:
            header += bytes([self.part_number])
        if self.part_number:
            return b"".join([header, *self._part_pieces(0)])
        self._recompute(len(header) + len(self._table_bytes()))
        pieces: list[Buffer] = [self.prefix, header, self._table_bytes()]
        pieces += self._part_pieces(0)
        if self.tail_width:
            pieces += [len(self.prefix).to_bytes(self.tail_width, "little"), TAIL]
        return b"".join(pieces)

    def other_parts(self) -> dict[str, bytes]:
        """The other parts by file name, without those that are missing."""
        parts: dict[str, bytes] = {}
        for part, name in enumerate(self.parts[1:], start=1):
            assets = [asset for asset in self.assets if asset.part == part]
            if any(asset.data is None for asset in assets) or not assets:
                continue
            header = SIGNATURE + bytes([self.version, part])
            parts[name] = b"".join([header, *self._part_pieces(part)])
        return parts

    def _part_pieces(self, part: int) -> Iterator[Buffer]:
        for index in sorted(range(len(self.assets)), key=self._place):
            asset = self.assets[index]
            if asset.part == part and asset.data is not None:
                yield asset.gap
                yield asset.data[asset.overlap :]
        yield self.trailing.get(part, b"")

    def _recompute(self, header_size: int) -> None:
        """Compute the offsets of all assets that have data."""
        cursors: dict[int, int] = {0: header_size}
        for index in sorted(range(len(self.assets)), key=self._place):
            asset = self.assets[index]
            if asset.data is None:
                continue
            cursor = cursors.get(asset.part, PART_HEADER_SIZE)
            asset.size = len(asset.data)
            asset.offset = cursor + len(asset.gap) - asset.overlap
            cursors[asset.part] = max(cursor, asset.offset + asset.size)

    def _table_bytes(self) -> bytes:
        table = record_bytes(self._table(), self.version)
        if self.version == PACKAGE_ENCRYPTED:
            return struct.pack("<i", self.seed) + TableCipher(self.seed).encrypt(table)
        return table

    def _table(self) -> Table:
        """The table record of the current assets."""
        assets = self.assets
        sizes = [asset.size for asset in assets]
        if self.version == PACKAGE_LONG:
            entries = [Entry30(a.name, a.part, a.offset & _I64, a.size) for a in assets]
            options = self.table.options if isinstance(self.table, Table30) else 0
            return Table30(options, self.parts, entries)
        offsets = [asset.offset & _U32 for asset in assets]
        indexes = [asset.part for asset in assets]
        if self.version == PACKAGE_ENCRYPTED:
            names = [asset.name for asset in assets]
            return Table10(self.parts, [], names, offsets, sizes, indexes)
        old = self.table if isinstance(self.table, Table6) else Table6()
        stored = [
            stored_name(self.version, encode(a.name), a.name_rest, old.modifier) for a in assets
        ]
        if self.version == PACKAGE_PASSWORD:
            flags = [asset.flags for asset in assets]
            return Table6(old.modifier, old.unused, old.password, stored, sizes, flags)
        return Table10(self.parts, stored, [], offsets, sizes, indexes)


def _problem(asset: Asset, view: memoryview | None, known: bool) -> str:
    """Why the bytes of an asset can't be taken from its part; empty where they can."""
    if not known:
        return f"part {asset.part} is not in the list of parts"
    if view is None or 0 <= asset.offset <= asset.offset + asset.size <= len(view):
        return ""
    return (
        f"{asset.name!r} at {asset.offset:#x}, {asset.size} bytes, does not fit into its part of "
        f"{len(view)} bytes"
    )


_U32: Final = 0xFFFFFFFF
_I64: Final = 0x7FFFFFFFFFFFFFFF


def _assets(version: int, table: Table) -> Iterator[Asset]:
    """The assets of a table, without their data."""
    if isinstance(table, Table30):
        for entry in table.entries:
            yield Asset(entry.name, None, entry.part, entry.offset, entry.size)
        return
    if isinstance(table, Table6):
        for stored, size, flags in zip(table.names, table.sizes, table.flags, strict=True):
            plain, rest = plain_name(version, stored, table.modifier)
            yield Asset(decode(plain), None, size=size, name_rest=rest, flags=flags)
        return
    names = [(encode(name), b"") for name in table.names]
    names += [plain_name(version, stored) for stored in table.stored_names]
    columns = zip(names, table.offsets, table.sizes, table.part_indexes, strict=True)
    for (plain, rest), offset, size, part in columns:
        yield Asset(decode(plain), None, part, offset, size, name_rest=rest)


def _decipher(stored: memoryview, seed: int, position: int) -> bytes:
    """The plain table at the start of ``stored``, whose length follows from its content."""
    cipher = TableCipher(seed)
    plain = bytearray()
    chunks = (stored[at : at + 4096] for at in itertools.count(0, 4096))

    def need(size: int) -> None:
        while len(plain) < size:
            chunk = next(chunks)
            if not len(chunk):
                raise FormatError("the package ends inside its table", offset=position)
            plain.extend(cipher.decrypt(bytes(chunk)))

    def skip_texts(at: int, count: int) -> int:
        for _ in range(count):
            while (end := plain.find(b"\0", at)) < 0:
                need(len(plain) + 1)
            at = end + 1
        return at

    need(4)
    at = 4
    for rows in (0, 9):
        count = int.from_bytes(plain[at - 4 : at], "little")
        if count > min(MAX_ASSETS, len(stored)):
            raise FormatError(f"not a valid number of parts or assets: {count}", offset=position)
        at = skip_texts(at, count) + (4 if not rows else rows * count)
        need(at)
    return bytes(plain[:at])


def split_part(data: memoryview) -> Iterator[tuple[str, int, int]]:
    """(name, start, size) of the assets from the start of ``data`` on, up to the first unknown one.

    The names are made up: ``acsprset.spr``, then the kind and a number.
    """
    position = 0
    count = 0
    while position < len(data):
        rest = data[position:]
        first = _first(rest)
        if first is None:
            return
        name, size = first
        if name is SPRITES:
            yield (SPRITES if position == 0 else f"sprites_{count}.spr"), position, size
        else:
            yield f"{count:04}{name}", position, size
        position += size
        count += 1


SPRITES: Final = "acsprset.spr"


def _first(rest: memoryview) -> tuple[str, int] | None:
    for name, measure in _MEASURES:
        try:
            size = measure(rest)
        except FormatError:
            continue
        if 0 < size <= len(rest):
            return name, size
    return None


def _sprites(rest: memoryview) -> int:
    if not is_sprite_set(Probe(rest)):
        return 0
    return len(rest) - len(SpriteSet.read(rest).trailing)


def _room(rest: memoryview) -> int:
    return room_size(rest) if is_room(Probe(rest)) else 0


def _ogg(rest: memoryview) -> int:
    """The pages up to the last of the stream."""
    position = 0
    while bytes(rest[position : position + 4]) == b"OggS" and position + 27 <= len(rest):
        segments = rest[position + 26]
        table = rest[position + 27 : position + 27 + segments]
        ended = rest[position + 5] & 4
        position += 27 + segments + sum(table)
        if ended:
            break
    return position


def _riff(rest: memoryview) -> int:
    if bytes(rest[:4]) != b"RIFF":
        return 0
    return 8 + int.from_bytes(rest[4:8], "little")


_MEASURES: Final[tuple[tuple[str, Callable[[memoryview], int]], ...]] = (
    (SPRITES, _sprites),
    (".crm", _room),
    (".ogg", _ogg),
    (".wav", _riff),
)
