"""The parts that the formats share: the description of a patch, bounded reading, and errors."""

from __future__ import annotations

import zlib
from typing import NamedTuple

from overhaul.bounds import LEAST
from overhaul.errors import FormatError

Data = bytes | bytearray | memoryview

#: how many times what it reads a patch may make, on top of what any file may take
_TIMES = 4
#: a number in a patch has no more than these bits
_BITS = 63


class Patch(NamedTuple):
    """The description of a patch; None for what its format does not state.

    Sizes are bytes, checksums CRC-32.
    """

    kind: str
    old_size: int | None = None
    new_size: int | None = None
    old_checksum: int | None = None
    new_checksum: int | None = None
    note: str = ""


def fail(message: str, offset: int, path: str = "") -> FormatError:
    """The error of a patch that can't be read."""
    return FormatError(message, offset=offset, path=path)


def sealed(patch: Data, magic: bytes, sizes: int) -> tuple[list[int], Cursor]:
    """The checksums of the old and the new file at the end of a BPS or UPS patch, and the part
    between them and its first bytes, which has ``sizes`` numbers at least.

    Raises FormatError for a patch that is cut off, or that is not what its own checksum says.
    """
    end = len(patch) - 12
    if end < len(magic) + sizes:
        raise fail("the patch ends too early", len(patch))
    tail = Cursor(patch, end)
    sums = [tail.number(4, "little") for _ in range(3)]
    if zlib.crc32(patch[:-4]) != sums[2]:
        raise fail("the patch is damaged: its own checksum is another", len(patch) - 4)
    return sums[:2], Cursor(patch, len(magic), end)


def most_made(old: Data, patch: Data) -> int:
    """How many bytes a patch may make, in proportion to what it reads."""
    return LEAST + _TIMES * (len(old) + len(patch))


def check_size(size: int, old: Data, patch: Data, offset: int) -> None:
    """FormatError where a patch would make a file out of all proportion to what it reads."""
    most = most_made(old, patch)
    if size > most:
        raise fail(f"the patch makes {size} bytes, more than the {most} that are allowed", offset)


def check_old(patch: Patch, old: Data) -> None:
    """FormatError where a patch is for another file: says which, and what this one is."""
    if patch.old_size is None or patch.old_checksum is None:
        return
    mine = zlib.crc32(old)
    if (len(old), mine) == (patch.old_size, patch.old_checksum):
        return
    if (len(old), mine) == (patch.new_size, patch.new_checksum):
        raise fail("the patch is applied already: the file is its result", 0)
    raise fail(
        f"the patch is for another file: it wants {patch.old_size} bytes with the CRC-32 "
        f"{patch.old_checksum:08x}, this one has {len(old)} bytes and {mine:08x}",
        0,
    )


def check_new(patch: Patch, new: Data) -> None:
    """FormatError where what was made is not what the patch says it makes."""
    if patch.new_checksum is not None and zlib.crc32(new) != patch.new_checksum:
        raise fail(
            f"the result has the CRC-32 {zlib.crc32(new):08x}, "
            f"but the patch says {patch.new_checksum:08x}",
            0,
        )


def copy_within(out: bytearray, start: int, count: int) -> None:
    """Append ``count`` bytes of ``out`` itself from ``start`` on; they may include themselves."""
    distance = len(out) - start
    piece = bytes(out[start : start + count])
    if distance < count:
        piece = (piece * (count // distance + 1))[:count]
    out += piece


class Cursor:
    """A place in a patch; what is read is checked against the end."""

    def __init__(self, data: Data, position: int = 0, end: int | None = None) -> None:
        self.data = data
        self.position: int = position
        self.end: int = len(data) if end is None else end

    @property
    def left(self) -> int:
        """How many bytes are left."""
        return self.end - self.position

    def take(self, count: int) -> Data:
        """The next bytes.  Raises FormatError where there are not as many."""
        if not 0 <= count <= self.left:
            raise fail(f"expected {count} bytes more, got {self.left}", self.position)
        start, self.position = self.position, self.position + count
        return self.data[start : self.position]

    def byte(self) -> int:
        """The next byte."""
        if self.position >= self.end:
            raise fail("the patch ends too early", self.position)
        self.position += 1
        return self.data[self.position - 1]

    def number(self, count: int, order: str = "big") -> int:
        """A number of ``count`` bytes."""
        return int.from_bytes(self.take(count), "big" if order == "big" else "little")

    def biased(self) -> int:
        """A number of BPS and UPS: 7 bits a byte, the lowest first, each length counting on from
        the last one."""
        value, shift = 0, 0
        while shift < _BITS:
            byte = self.byte()
            value += (byte & 0x7F) << shift
            if byte & 0x80:
                return value
            shift += 7
            value += 1 << shift
        raise fail("a number has too many bytes", self.position)

    def plain(self) -> int:
        """A number of VCDIFF: 7 bits a byte, the highest first (RFC 3284, section 2)."""
        value = 0
        for _ in range(_BITS // 7):
            byte = self.byte()
            value = value << 7 | byte & 0x7F
            if not byte & 0x80:
                return value
        raise fail("a number has too many bytes", self.position)


def biased(value: int) -> bytes:
    """A number as BPS and UPS store it; see :meth:`Cursor.biased`."""
    out = bytearray()
    while True:
        low, value = value & 0x7F, value >> 7
        if not value:
            out.append(low | 0x80)
            return bytes(out)
        out.append(low)
        value -= 1


def plain(value: int) -> bytes:
    """A number as VCDIFF stores it; see :meth:`Cursor.plain`."""
    out = [value & 0x7F]
    while value := value >> 7:
        out.append(value & 0x7F | 0x80)
    return bytes(reversed(out))
