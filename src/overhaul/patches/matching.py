"""The bytes that a new file shares with an old one.

The old file is cut into blocks, and the new one is searched for each of them at every place, by
hashes that NumPy computes for many places at once; what is found is made as long as it is equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from overhaul.patches.stream import Data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Bytes: TypeAlias = NDArray[np.uint8]
    Hashes: TypeAlias = NDArray[np.uint64]

#: bytes of a block: shorter parts are not found
BLOCK = 32
#: behind a piece, the next one as far apart is looked for in so many bytes, from this length on
_NEAR = 64
_SHORTEST = 8
#: how many places of the new file are searched at a time
_STRETCH = 1 << 20
#: an odd number has an inverse among 64-bit numbers, so hashes of all places follow from sums
_BASE = np.uint64(0x9E3779B97F4A7C15)
_INVERSE = np.uint64(pow(0x9E3779B97F4A7C15, -1, 1 << 64))


def copies(old: Data, new: Data) -> Iterator[tuple[int, int, int]]:
    """(place in ``new``, place in ``old``, length) of what is equal, in the order of ``new``.

    The pieces do not overlap in ``new``.
    """
    ours, theirs = (np.frombuffer(data, np.uint8) for data in (old, new))
    done = _equal(ours, theirs, 0, 0)
    if done:
        yield 0, 0, done
    if done == len(theirs) or len(ours) < BLOCK:
        return
    blocks = _Blocks(ours, min(_STRETCH, len(theirs)))
    for start in range(done, len(theirs) - BLOCK + 1, _STRETCH):
        if start + _STRETCH <= done:
            continue
        places, numbers = blocks.found(theirs, max(start, done), start + _STRETCH)
        index = 0
        while index < len(places):
            at, source = int(places[index]), int(numbers[index]) * BLOCK
            index += 1
            count = _equal(ours, theirs, source, at)
            if count < BLOCK:
                continue  # another block with the same hash
            back = _equal_before(ours, theirs, source, at, at - done)
            at, source, count = at - back, source - back, count + back
            while count:
                yield at, source, count
                done = at + count
                at, source, count = _next_piece(ours, theirs, source + count, done)
            index = int(np.searchsorted(places, done))


def _next_piece(old: Bytes, new: Bytes, source: int, at: int) -> tuple[int, int, int]:
    """The next piece as far apart as the last one, which ended here, if it is near."""
    most = min(len(old) - source, len(new) - at, _NEAR)
    equal = old[source : source + most] == new[at : at + most]
    if len(equal) >= _SHORTEST:
        runs = np.lib.stride_tricks.sliding_window_view(equal, _SHORTEST).all(axis=1)
        if runs.any():
            ahead = int(runs.argmax())
            source, at = source + ahead, at + ahead
            return at, source, _equal(old, new, source, at)
    return at, source, 0


class _Blocks:
    """The blocks of the old file, by hash, to be looked for in parts up to the ``longest``."""

    def __init__(self, old: Bytes, longest: int) -> None:
        count = len(old) // BLOCK
        powers = _powers(_BASE, BLOCK)
        hashes = np.zeros(count, np.uint64)
        table = old[: count * BLOCK].reshape(count, BLOCK)
        for column in range(BLOCK):
            hashes += (table[:, column].astype(np.uint64) + np.uint64(1)) * powers[column]
        self.hashes, self.numbers = np.unique(hashes, return_index=True)
        self.inverse = _powers(_INVERSE, longest)
        self.powers = _powers(_BASE, longest + BLOCK)

    def found(self, new: Bytes, start: int, end: int) -> tuple[NDArray[np.int64], ...]:
        """The places whose hash is that of a block, and the numbers of these blocks."""
        part = new[start : end + BLOCK - 1].astype(np.uint64) + np.uint64(1)
        places = len(part) - BLOCK + 1
        if places <= 0:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        sums = np.zeros(len(part) + 1, np.uint64)
        np.cumsum(part * self.powers[: len(part)], out=sums[1:])
        hashes = (sums[BLOCK:] - sums[:-BLOCK]) * self.inverse[:places]
        at = np.searchsorted(self.hashes, hashes)
        at[at == len(self.hashes)] = 0
        hits = np.flatnonzero(self.hashes[at] == hashes)
        return start + hits, self.numbers[at[hits]]


def _powers(base: np.uint64, count: int) -> Hashes:
    """The first powers of a number, from 1 on."""
    powers = np.full(count, base, np.uint64)
    powers[:1] = 1
    return np.cumprod(powers, dtype=np.uint64)


def _equal(old: Bytes, new: Bytes, source: int, at: int) -> int:
    """How many bytes are equal from two places on."""
    most = min(len(old) - source, len(new) - at)
    done, step = 0, 256
    while done < most:
        step = min(step, most - done)
        mine = old[source + done : source + done + step]
        other = new[at + done : at + done + step]
        differs = mine != other
        if differs.any():
            return done + int(differs.argmax())
        done += step
        step = min(step * 2, 1 << 22)
    return most


def _equal_before(old: Bytes, new: Bytes, source: int, at: int, most: int) -> int:
    """How many bytes, up to ``most``, are equal right before two places."""
    most = min(most, source)
    if not most:
        return 0
    differs = (old[source - most : source] != new[at - most : at])[::-1]
    return int(differs.argmax()) if differs.any() else most
