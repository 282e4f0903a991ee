"""Bytes that a file has in common with another one: named by their place, and copied from there."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Buffer: TypeAlias = bytes | bytearray | memoryview
    #: what a file is written of
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
