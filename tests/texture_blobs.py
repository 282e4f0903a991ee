"""The texture blobs of real games, found by their first bytes: ``from texture_blobs import blobs``.

Nothing of the layers under test is used to find them: blobs lie at multiples of 128 in the chunk
TXTR, and zero bytes fill the room between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

MAGICS = (b"\x89PNG\r\n\x1a\n", b"2zoq", b"fioq")
ALIGNMENT = 128


def texture_chunk(data: bytes) -> tuple[int, int]:
    """Where the chunk TXTR begins and ends; (0, 0) without one."""
    position = 8
    while position + 8 <= len(data):
        size = int.from_bytes(data[position + 4 : position + 8], "little")
        if data[position : position + 4] == b"TXTR":
            return position + 8, position + 8 + size
        position += 8 + size
    return 0, 0


def blobs(path: Path) -> Iterator[bytes]:
    """Each blob of a game, with the zero bytes that follow it."""
    data = path.read_bytes()
    first, end = texture_chunk(data)
    starts = [
        start
        for start in range(-(-first // ALIGNMENT) * ALIGNMENT, end, ALIGNMENT)
        if data[start : start + 8].startswith(MAGICS)
    ]
    for start, stop in zip(starts, [*starts[1:], end], strict=True):
        yield data[start:stop]
