"""Bytes that a file has in common with another one: named by their place, and copied from there."""

from __future__ import annotations

import mmap
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol, TypeAlias

    class Digest(Protocol):
        """A hash of :mod:`hashlib`."""

        def update(self, data: Buffer, /) -> None:
            """Add bytes."""

    Buffer: TypeAlias = bytes | bytearray | memoryview
    #: the pieces that a file is written of
    Piece: TypeAlias = "Buffer | Stretch"


class Stretch:
    """Some bytes of another file, ``source``, which is all of it.

    They are not read until they are needed, and the system may copy them by itself.
    """

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Buffer, start: int, end: int) -> None:
        self.source: Buffer = source
        self.start: int = start
        self.end: int = end

    def __len__(self) -> int:
        return self.end - self.start

    @property
    def bytes(self) -> memoryview:
        """The bytes themselves."""
        return memoryview(self.source)[self.start : self.end]

    def is_from(self, source: Buffer, start: int) -> bool:
        """Whether these are the very bytes of a file at an offset."""
        return self.source is source and self.start == start


def bytes_of(piece: Piece) -> Buffer:
    """The bytes of a piece."""
    return piece.bytes if isinstance(piece, Stretch) else piece


def joined(pieces: list[Piece]) -> bytes:
    """All the bytes of pieces."""
    return b"".join(map(bytes_of, pieces))


#: the system maps up to so much around a byte that is read
_AROUND = 2 << 20
#: less than this is read anyway
_SMALL = 1 << 16
#: after how much the memory is given back
_LET_GO = 8 << 20


class Passing:
    """Reads here and there in a mapped file, and lets go of what was read from time to time.

    Pages of a map that were read count as memory of the program until the system wants them
    back.
    """

    __slots__ = ("_passed", "data")

    def __init__(self, data: Buffer) -> None:
        self.data: Buffer = data
        self._passed = 0

    def over(self, size: int) -> None:
        """Go over so many bytes, and read the first of them."""
        if size >= _SMALL:
            self.read(min(size, _AROUND))

    def read(self, size: int) -> None:
        """Read so many bytes."""
        self._passed += size
        if self._passed > _LET_GO:
            self._passed = 0
            let_go(self.data)


def feed(digest: Digest, data: Buffer) -> None:
    """Update a digest with bytes; those of a mapped file do not stay in memory."""
    view = memoryview(data)
    passing = Passing(view)
    for begin in range(0, len(view), _AROUND):
        part = view[begin : begin + _AROUND]
        digest.update(part)
        passing.read(len(part))


def same_bytes(first: Buffer, second: Buffer) -> bool:
    """Whether two files are the same; those of mapped files do not stay in memory."""
    views = memoryview(first), memoryview(second)
    if len(views[0]) != len(views[1]):
        return False
    read = [Passing(view) for view in views]
    for begin in range(0, len(views[0]), _AROUND):
        one, other = (bytes(view[begin : begin + _AROUND]) for view in views)
        if one != other:
            return False
        for passing in read:
            passing.read(len(one))
    return True


def let_go(data: Buffer) -> None:
    """Let the system take back the memory of a mapped file: what was read of it is on the disk."""
    owner = data.obj if isinstance(data, memoryview) else None
    if isinstance(owner, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        owner.madvise(mmap.MADV_DONTNEED)


def return_memory() -> None:
    """Give the system the memory that nothing uses and the C library keeps, where it can."""
    _call_c_library("malloc_trim", 0)


#: the parameter of the C library of GNU that says how large memory must be to be given back at once
_MMAP_THRESHOLD = -3
_AT_ONCE = 1 << 21


def return_large_memory() -> None:
    """From now on, let large memory that is no longer used go back to the system at once, where it
    can; the C library would keep it after the first time."""
    _call_c_library("mallopt", _MMAP_THRESHOLD, _AT_ONCE)


def _call_c_library(name: str, *numbers: int) -> None:
    """Call a function that only the C library of GNU has."""
    if sys.platform != "linux":
        return
    from ctypes import CDLL  # start-up: only for much work

    function = getattr(CDLL(None), name, None)
    if function is not None:
        function(*numbers)
