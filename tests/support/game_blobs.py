"""The texture and sound blobs of real games: ``from game_blobs import textures_of, sounds_of``.

Nothing of the layers under test is used to find them: textures lie at multiples of 128 in the
chunk TXTR, with zero bytes between them; sounds follow their lengths, at the places AUDO lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

MAGICS = (b"\x89PNG\r\n\x1a\n", b"2zoq", b"fioq")
ALIGNMENT = 128


def word(data: bytes, position: int) -> int:
    return int.from_bytes(data[position : position + 4], "little")


def chunk(data: bytes, name: bytes) -> tuple[int, int]:
    """Where a chunk's content begins and ends; (0, 0) without it."""
    position = 8
    while position + 8 <= len(data):
        end = position + 8 + word(data, position + 4)
        if data[position : position + 4] == name:
            return position + 8, end
        position = end
    return 0, 0


def textures_of(path: Path) -> Iterator[bytes]:
    """Each texture blob, with the zero bytes that follow it."""
    data = path.read_bytes()
    first, end = chunk(data, b"TXTR")
    starts = [
        start
        for start in range(-(-first // ALIGNMENT) * ALIGNMENT, end, ALIGNMENT)
        if data[start : start + 8].startswith(MAGICS)
    ]
    for start, stop in zip(starts, [*starts, end][1:], strict=True):
        yield data[start:stop]


def sounds_of(path: Path) -> Iterator[bytes]:
    """Each sound's bytes."""
    data = path.read_bytes()
    first, end = chunk(data, b"AUDO")
    for number in range(word(data, first) if end else 0):
        start = word(data, first + 4 + 4 * number)
        if start:
            yield data[start + 4 : start + 4 + word(data, start)]
