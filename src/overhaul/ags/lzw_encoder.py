"""An LZW encoder that makes the official editors' choices, so that packing gives their bytes.

The editors keep a binary search tree for each first byte, whose nodes are the places of a window
of 4096 bytes, ordered by the 16 bytes from each place on; up to 3.5.1 bytes are compared as
signed numbers, later as unsigned.  A new place walks down its tree, meets the longest earlier
match, and becomes a leaf, or takes the node of a place with equal bytes.  The place that leaves
the window is taken out; where it has two children, the last node of its left side takes its place.

Here no tree is kept.  Its shape follows from the order of the nodes and from one number for each,
its rank: of any nodes that follow each other in order, the one with the lowest rank is the highest
in the tree.  A new leaf has a rank higher than all; one that takes the place of a node takes its
rank.  The first match of a length that a walk meets is the one of the lowest rank among the
neighbours that have these bytes.  Places with the same 16 bytes as one shortly before them change
nothing, and are found for many at once.

Checked on the backgrounds of the rooms listed in docs/formats/ags-rooms.md: all are reproduced.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overhaul.ags.compression import SHORTEST_MATCH
from overhaul.ags.lzw_fast import LONGEST, tokens, words_of

#: After so many bytes a place is taken out of its tree: the window less the bytes read ahead.
_REACH: Final = 4096 - LONGEST
_PIECE: Final = 1 << 15
_PLACE: Final = np.uint64(2 * _PIECE - 1)
_PLACES: Final = np.arange(2 * _PIECE, dtype=np.uint64)
_MIXER: Final = np.uint64(0x9E3779B97F4A7C15)
_HALF: Final = np.uint64(29)
#: the code of a match with the same 16 bytes
_REPEATED: Final = LONGEST << 16
#: the difference to no node, and the largest to one that has the three bytes of a match
_UNLIKE: Final = 1 << 8 * LONGEST
_TOO_SHORT: Final = (1 << 8 * (LONGEST - SHORTEST_MATCH)) - 1
#: bytes as the editors up to 3.5.1 order them
_SIGNED: Final = bytes(byte ^ 128 for byte in range(256))


def compress_lzw(data: bytes, *, signed: bool = False) -> bytes:
    """Pack ``data`` as the official editors do: ``signed`` up to 3.5.1, else as from 3.6.0 on."""
    if not data:
        return b""
    encoder = _Encoder(data, signed)
    literals = np.frombuffer(data, np.uint8)
    parts = []
    for start in range(0, len(data), _PIECE):
        first = encoder.due
        codes = np.array(encoder.codes(start, min(start + _PIECE, len(data))), np.uint32)
        lengths = (codes >> np.uint32(16)).astype(np.uint8)
        places = first + np.cumsum(np.maximum(lengths, 1), dtype=np.int64)
        places -= np.maximum(lengths, 1)
        parts.append((literals[places], lengths, codes.astype(np.uint16)))
    return tokens(*(np.concatenate(column) for column in zip(*parts, strict=True)))


class _Encoder:
    """The nodes of the editors' trees, by first byte, and the tokens that follow from them.

    ``keys``, ``ranks`` and ``latest`` have a list for each first byte, of the nodes in order: the
    16 bytes as a number, the rank, and a place with these bytes.
    """

    def __init__(self, data: bytes, signed: bool) -> None:
        self.size = len(data)
        self.data = (data.translate(_SIGNED) if signed else data) + b"\xff" * LONGEST
        #: the places whose 16 bytes are not all there
        self.tail = max(0, self.size - LONGEST + 1)
        before, after = _repeats(data, self.tail)
        self.before, self.after = memoryview(before.data), memoryview(after.data)
        self.new = before == 0
        self.new[self.tail :] = True
        self.leaves = np.zeros(self.size, np.bool_)
        self.leaves[_REACH:] = after[: max(0, self.size - _REACH)] == 0
        self.keys: list[list[int]] = [[] for _ in range(256)]
        self.ranks: list[list[int]] = [[] for _ in range(256)]
        self.latest: list[list[int]] = [[] for _ in range(256)]
        #: places whose nodes were taken by one of the tail
        self.taken: set[int] = set()
        #: where the next token starts
        self.due = 0

    def codes(self, start: int, stop: int) -> list[int]:
        """The tokens that begin in a piece: 0 for a literal, or length << 16 | distance.

        Only the places at which a tree changes are gone through; those between them repeat others.
        """
        changing = np.flatnonzero(self.new[start:stop] | self.leaves[start:stop]) + start
        new, leaves = self.new[changing].tolist(), self.leaves[changing].tolist()
        data, tail, before, key_of = self.data, self.tail, self.before, int.from_bytes
        all_keys, all_ranks, all_latest = self.keys, self.ranks, self.latest
        codes: list[int] = []
        due = self.due
        for place, is_new, one_leaves in zip(changing.tolist(), new, leaves, strict=True):
            while due < place:
                codes.append(_REPEATED | before[due])
                due += LONGEST
            if one_leaves and (old := place - _REACH) not in self.taken:
                # The next node in order takes the rank of one that has two children.
                first = data[old]
                keys, ranks = all_keys[first], all_ranks[first]
                at = bisect_left(keys, key_of(data[old : old + LONGEST], "big"))
                rank = ranks[at]
                if 0 < at < len(keys) - 1 and ranks[at - 1] > rank and ranks[at + 1] > rank:
                    ranks[at + 1] = rank
                del keys[at], ranks[at], all_latest[first][at]
            if not is_new:
                continue
            first = data[place]
            key = key_of(data[place : place + LONGEST], "big")
            keys = all_keys[first]
            at = bisect_left(keys, key)
            if place == due or place >= tail:
                difference = key ^ keys[at - 1] if at else _UNLIKE
                if at < len(keys) and (other := key ^ keys[at]) < difference:
                    difference = other
                code = 0 if difference > _TOO_SHORT else self._match(place, key, at, difference)
                if place == due:
                    codes.append(code)
                    due += code >> 16 or 1
                if place >= tail and code >> 16 == self.size - place:
                    continue
            keys.insert(at, key)
            all_ranks[first].insert(at, place)
            all_latest[first].insert(at, place)
        while due < stop:
            codes.append(_REPEATED | before[due])
            due += LONGEST
        self.due = due
        return codes

    def _match(self, place: int, key: int, at: int, difference: int) -> int:
        """The token of a match of a new place, whose node would be the one ``at``; 0 for none.

        ``difference`` is that to the nearest node, as a number.
        """
        first = self.data[place]
        limit = min(LONGEST, self.size - place)
        length = min(limit, LONGEST - (difference.bit_length() + 7) // 8)
        if length < SHORTEST_MATCH:
            return 0
        keys, ranks, latest = self.keys[first], self.ranks[first], self.latest[first]
        rest = 8 * (LONGEST - length)
        low = key >> rest << rest
        start = bisect_left(keys, low, 0, at)
        end = bisect_left(keys, low + (1 << rest), at)
        node = ranks.index(min(ranks[start:end]), start, end)
        match = self._latest(latest, node, place)
        if place >= self.tail and length == limit:
            # Only bytes up to the end are compared: this place takes the node.
            self.taken.add(match)
            latest[node] = place
        return length << 16 | place - match

    def _latest(self, latest: list[int], node: int, place: int) -> int:
        """The last place before ``place`` with the bytes of a node."""
        match, after = latest[node], self.after
        while (step := after[match]) and match + step < place:
            match += step
        latest[node] = match
        return match


def _repeats(data: bytes, tail: int) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """How far before and after each place the nearest one with the same 16 bytes is.

    0 where there is none within reach; places from ``tail`` on count for none.
    """
    padded = np.frombuffer(data + bytes(2 * LONGEST), np.uint8)
    before, after = np.zeros(len(data), np.uint16), np.zeros(len(data), np.uint16)
    for start in range(0, tail, _PIECE):
        first, stop = max(0, start - _REACH), min(start + _PIECE, tail)
        words = words_of(padded[first : stop + 2 * LONGEST])
        size = stop - first
        order, same = _sorted(words[:size], words[8 : 8 + size])
        gaps = np.diff(order)
        same &= gaps < _REACH
        gaps = gaps[same]
        before[first + order[1:][same]] = gaps
        after[first + order[:-1][same]] = gaps
    return before, after


def _sorted(
    low: NDArray[np.uint64], high: NDArray[np.uint64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Places with equal numbers side by side, in order, and which are equal to the next."""
    size = len(low)
    keys = low * _MIXER ^ high
    keys *= _MIXER
    keys ^= keys >> _HALF
    keys *= _MIXER
    keys = keys & ~_PLACE | _PLACES[:size]
    keys.sort()
    order = (keys & _PLACE).view(np.int64)
    same = (keys[1:] ^ keys[:-1]) <= _PLACE
    if (same & ~_equal_to_next(low, high, order)).any():  # two numbers that mix to one
        order = np.lexsort((low, high))
        same = _equal_to_next(low, high, order)
    return order, same


def _equal_to_next(
    low: NDArray[np.uint64], high: NDArray[np.uint64], order: NDArray[np.int64]
) -> NDArray[np.bool_]:
    low, high = low[order], high[order]
    equal: NDArray[np.bool_] = (low[1:] == low[:-1]) & (high[1:] == high[:-1])
    return equal
