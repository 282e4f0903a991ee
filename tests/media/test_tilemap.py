"""Compressed tile maps against vectors worked out by hand and the compiler's loop."""

from __future__ import annotations

import numpy as np
import pytest

from overhaul.errors import EncodeError, FormatError
from overhaul.media import tilemap

A, B, C = (bytes((value, 0, 0, 0)) for value in (10, 11, 12))
NOTHING = b"\xff\xff\xff\xff"
NONE = tilemap.NOTHING

# Tiles, and the bytes the compiler writes for them.
MAPS = {
    "no tiles": ([], b""),
    "one tile": ([10], b"\x01" + A + b"\x81" + NOTHING),
    "one empty tile": ([NONE], b"\x81" + NOTHING),
    "two equal": ([10, 10], b"\x81" + A),
    "two empty": ([NONE, NONE], b"\x81" + NOTHING),
    "two unlike": ([10, 11], b"\x02" + A + B + b"\x81" + NOTHING),
    "an empty one last": ([10, NONE], b"\x01" + A + b"\x81" + NOTHING),
    "run and literals": ([10, 10, 10, 11, 12, 12], b"\x82" + A + b"\x01" + B + b"\x81" + C),
    "run and one more": ([10, 10, 11], b"\x81" + A + b"\x01" + B + b"\x81" + NOTHING),
    "run and an empty one": ([10, 10, NONE], b"\x81" + A + b"\x81" + NOTHING),
    "128 equal": ([10] * 128, b"\xff" + A),
    "129 equal": ([10] * 129, b"\xff" + A + b"\x80" + A),
    "256 equal": ([10] * 256, (b"\xff" + A) * 2),
}


@pytest.mark.parametrize("name", MAPS)
def test_maps(name: str) -> None:
    tiles, data = MAPS[name]
    array = np.array(tiles, np.uint32)
    assert tilemap.encode(array) == data
    decoded, end = tilemap.decode(b"??" + data + b"\0\0", len(tiles), offset=2)
    assert decoded.tolist() == tiles
    assert end == 2 + len(data)


def test_literals_come_in_pieces_of_127() -> None:
    tiles = np.arange(300, dtype=np.uint32)
    data = tilemap.encode(tiles)
    assert [data[0], data[509], data[1018]] == [127, 127, 46]
    assert tilemap.decode(data, 300)[0].tolist() == tiles.tolist()


def test_rows_are_written_one_after_the_other() -> None:
    assert tilemap.encode(np.array([[10, 10], [10, 10]], np.uint32)) == b"\x83" + A


def compilers_loop(t: list[int]) -> bytes:
    """The compiler's loop, step by step: the slow twin of ``encode``."""
    n, out = len(t), bytearray()
    if n == 0:
        return b""
    last, literals, literal_start, i = t[0], 0, 0, 1
    while i <= n + 1:
        current = t[i] if i < n else NONE
        i += 1
        if current != last:
            literals += 1
            last = current
            continue
        repeat = 2
        while i < n and t[i] == current:
            repeat += 1
            i += 1
        pending = t[literal_start : literal_start + literals]
        for piece in range(0, literals, 127):
            part = pending[piece : piece + 127]
            out += bytes((len(part),)) + b"".join(x.to_bytes(4, "little") for x in part)
        while repeat:
            k = min(128, repeat)
            out += bytes((0x7F + k,)) + current.to_bytes(4, "little")
            repeat -= k
        last = t[i] if i < n else 0
        literal_start, literals = i, 0
        i += 1
    return bytes(out)


def test_the_compilers_loop_agrees() -> None:
    rng = np.random.default_rng(3)
    values = np.array([0, 1, 2, NONE], np.uint32)
    for size in [*range(1, 40), 127, 128, 129, 130, 255, 256, 257, 1000]:
        for spread in (1, 2, 4):
            tiles = values[-spread:][rng.integers(0, spread, size)]
            assert tilemap.encode(tiles) == compilers_loop(tiles.tolist()), tiles.tolist()
        tiles = np.repeat(rng.integers(0, 5, size, np.uint32), rng.integers(1, 200, size))
        assert tilemap.encode(tiles) == compilers_loop(tiles.tolist())


@pytest.mark.parametrize(
    ("data", "count", "message"),
    [
        (b"", 1, "ends after 0 of 1"),
        (b"\x01" + A[:3], 1, "ends after 0 of 1"),
        (b"\x81" + A, 3, "ends after 2 of 3"),
        (b"\x82" + A, 2, "1 tiles beyond"),
        (b"\x82" + NOTHING, 1, "2 tiles beyond"),
        (b"\x02" + A + B, 1, "1 tiles beyond"),
        (bytes(1000), 5, "ends after 0 of 5"),
        (b"\xff" + A, 2**32, "ends after 128 of"),
    ],
)
def test_broken_maps(data: bytes, count: int, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        tilemap.decode(data, count)


def test_tiles_are_words() -> None:
    with pytest.raises(EncodeError):
        tilemap.encode(np.array([1], np.int32))
