"""Compressed tile maps, as GameMaker 2024.2 and later store them in rooms.

A map is a row of 32-bit tile words (the rows of the layer, one after the other), written as runs.
A control byte ``c`` of 0x80 or more is followed by one word, which stands for ``(c & 0x7F) + 1``
tiles; a smaller one is followed by ``c`` words.

The compiler's loop reads two tiles beyond the end and takes them for "empty" (-1).  It shows: a
map whose last two tiles differ is followed by a run of two more (``81 FF FF FF FF``), and a single
last tile of -1 becomes a run of two.  :func:`encode` does the same; the tile maps of the real
games it was checked on come out byte for byte (see ``docs/formats/textures.md``).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import EncodeError, FormatError

NOTHING: Final = 0xFFFF_FFFF
"""The word the compiler reads beyond the end of a map: -1."""

INDEX_BITS: Final = 0x7FFFF
"""The bits of a tile word that are the tile's number; 0 is the empty tile."""
MIRROR: Final = 1 << 28
"""The tile is mirrored: left and right change places."""
FLIP: Final = 1 << 29
"""The tile is flipped: top and bottom change places."""
ROTATE: Final = 1 << 30
"""After that, the tile is turned by 90 degrees, clockwise."""

LONGEST_LITERAL: Final = 127
LONGEST_REPEAT: Final = 128
_TAIL: Final = b"\x81\xff\xff\xff\xff"


def decode(
    data: bytes | memoryview, count: int, *, offset: int = 0
) -> tuple[NDArray[np.uint32], int]:
    """``count`` tile words from ``offset``, and the offset after the map (its tail included).

    Nothing of the map's size is allocated before the runs are known to give it.  Raises
    FormatError when the bytes end early or a run goes beyond the map.
    """

    view = memoryview(data)
    runs, position, done = _find_runs(view, count, offset)
    pieces = [
        bytes(view[start : start + 4]) * length if stored == 1 else view[start : start + 4 * stored]
        for start, length, stored in runs
    ]
    tiles = np.frombuffer(b"".join(pieces), "<u4", count).astype(np.uint32)
    ends_in_two = count > 1 and tiles[-1] == tiles[-2]
    if done == count > 0 and not ends_in_two and bytes(view[position : position + 5]) == _TAIL:
        position += len(_TAIL)
    return tiles, position


def _find_runs(
    view: memoryview, count: int, offset: int
) -> tuple[list[tuple[int, int, int]], int, int]:
    """(offset of the words, tiles, words stored) of every run of the map; the offset after the
    last, and how many tiles all have."""
    runs: list[tuple[int, int, int]] = []
    position, size, done = offset, len(view), 0
    length, start = 0, offset
    while done < count:
        if position >= size:
            break
        start = position
        control = view[position]
        if control >= 0x80:
            length = control - 0x7F
            runs.append((position + 1, length, 1))
            position += 5
        else:
            length = control
            runs.append((position + 1, length, length))
            position += 1 + 4 * length
        done += length
    if count and position > size:
        raise FormatError(f"the tile map ends after {done - length} of {count} tiles", offset=start)
    if done < count:
        raise FormatError(f"the tile map ends after {done} of {count} tiles", offset=position)
    beyond = done - count
    if beyond > (beyond == 1 and view[start] >= 0x80 and view[start + 1 : position] == _TAIL[1:]):
        raise FormatError(f"a run goes {beyond} tiles beyond the map", offset=start)
    return runs, position, done


def encode(tiles: NDArray[np.uint32]) -> bytes:
    """The bytes GameMaker's compiler writes for a map (any shape, row by row), without padding."""

    flat = np.ascontiguousarray(tiles).reshape(-1)
    if flat.dtype != np.uint32:
        raise EncodeError(f"expected tile words of 32 bits without sign, got {flat.dtype}")
    if len(flat) == 0:
        return b""
    starts = np.flatnonzero(np.concatenate(([True], flat[1:] != flat[:-1])))
    lengths = np.diff(starts, append=len(flat))
    repeats = np.flatnonzero(lengths > 1)
    stored = flat.astype("<u4", copy=False).tobytes()
    parts: list[bytes] = []
    done = 0
    for start, run in zip(starts[repeats].tolist(), lengths[repeats].tolist(), strict=True):
        if done < start:
            _write_literals(parts, stored[4 * done : 4 * start])
        _write_repeat(parts, stored[4 * start : 4 * start + 4], run)
        done = start + run
    if done < len(flat):
        # a last tile of -1 and the first word beyond the map make the run
        _write_literals(parts, stored[4 * done : -4 if flat[-1] == NOTHING else None])
        parts.append(_TAIL)
    return b"".join(parts)


def _write_literals(parts: list[bytes], words: bytes) -> None:
    for start in range(0, len(words), 4 * LONGEST_LITERAL):
        piece = words[start : start + 4 * LONGEST_LITERAL]
        parts.append(bytes((len(piece) // 4,)))
        parts.append(piece)


def _write_repeat(parts: list[bytes], word: bytes, count: int) -> None:
    full, rest = divmod(count, LONGEST_REPEAT)
    if full:
        parts.append((b"\xff" + word) * full)
    if rest:
        parts.append(bytes((0x7F + rest,)) + word)


def draw(
    words: NDArray[np.uint32],
    sheet: NDArray[np.uint8],
    places: NDArray[np.int64],
    size: tuple[int, int],
) -> NDArray[np.uint8]:
    """The picture of a map of tile words (rows, columns).

    ``sheet`` is the picture the tiles are in, ``places`` has a row (y, x) of the upper left corner
    of each tile there, ``size`` is height and width of a tile.  The empty tile, and tiles beyond
    ``places`` or the sheet, are transparent.
    """
    height, width = size
    rows, columns = words.shape
    kinds, which = np.unique(words, return_inverse=True)
    whole = np.ascontiguousarray(sheet).view(np.uint32)[..., 0]  # a pixel is one number
    bank = np.zeros((len(kinds), height, width), np.uint32)
    number = (kinds & INDEX_BITS).astype(np.int64)
    known = (number > 0) & (number < len(places))
    corner = np.full((len(kinds), 2), -1, np.int64)
    corner[known] = places[number[known]]
    known &= (corner >= 0).all(axis=1)
    known &= (corner <= np.subtract(sheet.shape[:2], size)).all(axis=1)
    down, across = np.arange(height), np.arange(width)
    shown = np.flatnonzero(known)
    y, x = corner[shown, 0], corner[shown, 1]
    bank[shown] = whole[(y[:, None] + down)[:, :, None], (x[:, None] + across)[:, None, :]]
    mirrored = np.flatnonzero(kinds & MIRROR)
    bank[mirrored] = bank[mirrored, :, ::-1]
    flipped = np.flatnonzero(kinds & FLIP)
    bank[flipped] = bank[flipped, ::-1]
    turned = np.flatnonzero(kinds & ROTATE)
    # a tile that is not square is stretched to its place after the turn
    from_left = (2 * down + 1) * width // (2 * height)
    from_bottom = height - 1 - (2 * across + 1) * height // (2 * width)
    bank[turned] = bank[turned][:, from_bottom[None, :], from_left[:, None]]
    drawn = np.ascontiguousarray(bank[which.reshape(rows, columns)].transpose(0, 2, 1, 3))
    return drawn.view(np.uint8).reshape(rows * height, columns * width, 4)
