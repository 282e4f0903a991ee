"""VCDIFF (RFC 3284), the format of xdelta3, with its checksums and LZMA sections.

A patch is a row of windows, each a part of the new file: instructions that add bytes, repeat one,
or copy from a stretch of the old file (or of what the window made so far), the bytes they add, and
the addresses they copy from, in three sections.  xdelta3 adds a text for applications and an
Adler-32 of each window, and may compress the sections; compression other than LZMA is refused.
"""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from functools import cache
from typing import NamedTuple

from overhaul.patches.matching import copies
from overhaul.patches.stream import (
    Cursor,
    Data,
    Patch,
    check_size,
    copy_within,
    fail,
    most_made,
    plain,
)

MAGIC = b"\xd6\xc3\xc4"
_LZMA = 2
_COMPRESSION = {1: "DJW", 16: "FGK"}
#: bytes of the new file in a window that is made here; xdelta3 reads twice as many
_WINDOW = 8 << 20
#: the memory that unpacking may take, its result not counted; xz -9 takes 65 MB
_MOST_STATE = 96 << 20
#: how much of the text for applications is shown
_NOTE = 1000
#: how many addresses are kept near, and in the table of equal ones (RFC 3284, section 5.1)
_NEAR, _SAME = 4, 3


class Header(IntFlag):
    """The values in the header."""

    COMPRESSED = 1
    CODE_TABLE = 2
    NOTE = 4


class Window(IntFlag):
    """The values at the head of a window; the checksum is an addition of xdelta3."""

    OLD = 1
    NEW = 2
    CHECKSUM = 4


class InstructionKind(IntEnum):
    """The kinds of instructions."""

    NOTHING = 0
    ADD = 1
    RUN = 2
    COPY = 3


class Instruction(NamedTuple):
    """An instruction of the code table; a size of 0 follows in the section."""

    kind: InstructionKind
    size: int
    mode: int = 0


@cache
def code_table() -> tuple[tuple[Instruction, ...], ...]:
    """The instructions of each byte (RFC 3284, section 5.6)."""
    add, run, copy = InstructionKind.ADD, InstructionKind.RUN, InstructionKind.COPY
    modes = range(2 + _NEAR + _SAME)
    table: list[tuple[Instruction, ...]] = [(Instruction(run, 0),)]
    table += [(Instruction(add, size),) for size in range(18)]
    table += [(Instruction(copy, n, mode),) for mode in modes for n in (0, *range(4, 19))]
    for mode in modes:
        sizes = range(4, 7) if mode < 2 + _NEAR else range(4, 5)
        for added in range(1, 5):
            table += [(Instruction(add, added), Instruction(copy, n, mode)) for n in sizes]
    table += [(Instruction(copy, 4, mode), Instruction(add, 1)) for mode in modes]
    return tuple(table)


class _Addresses:
    """The addresses of copies, which are encoded by those before (RFC 3284, section 5.3)."""

    def __init__(self, section: Cursor) -> None:
        self.section = section
        self.near = [0] * _NEAR
        self.next = 0
        self.same = [0] * (_SAME * 256)

    def read(self, mode: int, here: int) -> int:
        """The next address; ``here`` is that of what is made next."""
        section = self.section
        if mode == 0:
            address = section.plain()
        elif mode == 1:
            address = here - section.plain()
        elif mode < 2 + _NEAR:
            address = self.near[mode - 2] + section.plain()
        else:
            address = self.same[(mode - 2 - _NEAR) * 256 + section.byte()]
        if not 0 <= address < here:
            raise fail(f"a copy begins at {address}, expected 0 to {here - 1}", section.position)
        self.near[self.next] = address
        self.next = (self.next + 1) % _NEAR
        self.same[address % (_SAME * 256)] = address
        return address


@dataclass
class _Head:
    compressed: bool
    note: str


def _read_head(cursor: Cursor) -> _Head:
    cursor.take(len(MAGIC) + 1)
    flags = cursor.byte()
    compressed = bool(flags & Header.COMPRESSED)
    if flags & ~(Header.COMPRESSED | Header.CODE_TABLE | Header.NOTE):
        raise fail(f"the header has flags that are not known: {flags:#x}", cursor.position - 1)
    if compressed:
        number = cursor.byte()
        if number != _LZMA:
            name = _COMPRESSION.get(number, f"number {number}")
            raise fail(
                f"the patch is compressed by {name}, which is not read; xdelta3 -S lzma or "
                "-S none makes one that is",
                cursor.position - 1,
            )
    if flags & Header.CODE_TABLE:
        raise fail("a code table of the patch's own is not read", cursor.position)
    note = b""
    if flags & Header.NOTE:
        note = bytes(cursor.take(cursor.plain())[:_NOTE])
    return _Head(compressed, note.decode("utf-8", "replace"))


def describe(patch: Data) -> Patch:
    """How much the patch makes, and its text.  Raises FormatError for a broken patch."""
    cursor = Cursor(patch)
    head = _read_head(cursor)
    size = 0
    while cursor.left:
        window = _read_window(cursor)
        size += window.size
    return Patch("vcdiff", new_size=size, note=head.note)


class _Window(NamedTuple):
    """A window: where it copies from, how much it makes, and its sections."""

    flags: int
    length: int
    start: int
    size: int
    checksum: int | None
    packed: int
    sections: tuple[Cursor, ...]


def _read_window(cursor: Cursor) -> _Window:
    at = cursor.position
    flags = cursor.byte()
    if flags & ~(Window.OLD | Window.NEW | Window.CHECKSUM) or flags & 3 == 3:
        raise fail(f"a window has flags that are not known: {flags:#x}", at)
    length = start = 0
    if flags & 3:
        length, start = cursor.plain(), cursor.plain()
    whole = cursor.plain()
    end = cursor.position + whole
    if whole > cursor.left:
        raise fail(f"a window has {whole} bytes, but {cursor.left} are left", cursor.position)
    size = cursor.plain()
    packed = cursor.byte()
    lengths = [cursor.plain() for _ in range(3)]
    checksum = cursor.number(4) if flags & Window.CHECKSUM else None
    if cursor.position + sum(lengths) != end:
        raise fail("the sections of a window are not as long as the window", cursor.position)
    sections = []
    for count in lengths:
        sections.append(Cursor(cursor.data, cursor.position, cursor.position + count))
        cursor.take(count)
    return _Window(flags, length, start, size, checksum, packed, tuple(sections))


class _Sections:
    """Unpacks sections; each of the three is one LZMA stream through all windows."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most
        self._streams = [lzma.LZMADecompressor(lzma.FORMAT_XZ, _MOST_STATE) for _ in range(3)]

    def unpacked(self, window: _Window) -> list[Cursor]:
        """The data, the instructions and the addresses of a window."""
        sections = []
        for number, section in enumerate(window.sections):
            if not window.packed >> number & 1:
                sections.append(section)
                continue
            at = section.position
            size = section.plain()
            if size > self.left:
                raise fail(
                    f"the sections have more bytes than the {self.most} that are allowed", at
                )
            self.left -= size
            try:
                data = self._streams[number].decompress(section.take(section.left), size)
            except (lzma.LZMAError, EOFError, MemoryError) as error:
                raise fail(f"a compressed section is damaged: {error}", at) from None
            if len(data) != size:
                raise fail(f"a compressed section has {len(data)} bytes, expected {size}", at)
            sections.append(Cursor(data))
        return sections


def apply(patch: Data, old: Data) -> bytes:
    """The new file.  Raises FormatError for a broken patch or another old file, which only its
    checksums show."""
    cursor = Cursor(patch)
    head = _read_head(cursor)
    sections = _Sections(most_made(old, patch))
    out = bytearray()
    while cursor.left:
        at = cursor.position
        window = _read_window(cursor)
        if window.packed and not head.compressed:
            raise fail("a window is compressed, but the header names no compression", at)
        check_size(len(out) + window.size, old, patch, at)
        origin: Data | bytearray = out if window.flags & Window.NEW else old
        if window.start + window.length > len(origin):
            end = window.start + window.length
            raise fail(f"the patch is for another file: it copies up to {end}", at)
        with memoryview(origin)[window.start : window.start + window.length] as source:
            made = _make_window(window, source, sections.unpacked(window), at)
        if window.checksum not in (None, zlib.adler32(made)):
            raise fail("the patch is damaged or for another file: a checksum is another", at)
        out += made
    return bytes(out)


def _make_window(window: _Window, source: Data, sections: list[Cursor], at: int) -> bytearray:
    """The bytes that the instructions of a window make."""
    data, instructions, addresses = sections
    places = _Addresses(addresses)
    table = code_table()
    out = bytearray()
    while instructions.left:
        for kind, size, mode in table[instructions.byte()]:
            count = size or instructions.plain()
            if len(out) + count > window.size:
                raise fail(f"a window makes more than its {window.size} bytes", at)
            if kind is InstructionKind.ADD:
                out += data.take(count)
            elif kind is InstructionKind.RUN:
                out += bytes([data.byte()]) * count
            else:
                start = places.read(mode, len(source) + len(out))
                if start < len(source):
                    held = source[start : start + count]
                    out += held
                    start, count = 0, count - len(held)
                else:
                    start -= len(source)
                if count:
                    copy_within(out, start, count)
    if len(out) != window.size:
        raise fail(f"a window makes {len(out)} bytes, expected {window.size}", at)
    return out


def make(old: Data, new: Data) -> bytes:
    """The patch that makes ``new`` from ``old``; xdelta3 reads it."""
    pieces = list(copies(old, new))
    out = bytearray(MAGIC + b"\0\0")
    for start in range(0, max(len(new), 1), _WINDOW):  # xdelta3 wants a window in any patch
        end = min(start + _WINDOW, len(new))
        out += _write_window(new[start:end], list(_within(pieces, start, end)))
    return bytes(out)


def _within(
    pieces: list[tuple[int, int, int]], start: int, end: int
) -> Iterator[tuple[int, int, int]]:
    """The parts of pieces that are in a window, their places counted from its start."""
    for at, source, count in pieces:
        first, last = max(at, start), min(at + count, end)
        if first < last:
            yield first - start, source + first - at, last - first


def _write_window(new: Data, pieces: list[tuple[int, int, int]]) -> bytes:
    low = min((source for _, source, _ in pieces), default=0)
    high = max((source + count for _, source, count in pieces), default=0)
    data, instructions, addresses = bytearray(), bytearray(), bytearray()
    codes = {
        table[0].kind: number
        for number, table in reversed(list(enumerate(code_table())))
        if len(table) == 1 and not table[0].size and not table[0].mode
    }
    done = 0
    for at, source, count in [*pieces, (len(new), 0, 0)]:
        if at > done:
            instructions += bytes([codes[InstructionKind.ADD]]) + plain(at - done)
            data += new[done:at]
        if count:
            instructions += bytes([codes[InstructionKind.COPY]]) + plain(count)
            addresses += plain(source - low)
        done = at + count
    body = plain(len(new)) + b"\0"
    body += b"".join(plain(len(section)) for section in (data, instructions, addresses))
    body += zlib.adler32(new).to_bytes(4, "big") + data + instructions + addresses
    flags = Window.CHECKSUM | (Window.OLD if pieces else 0)
    head = bytes([flags]) + (plain(high - low) + plain(low) if pieces else b"")
    return head + plain(len(body)) + body
