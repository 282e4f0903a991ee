"""The editors' LZW with their search trees: a slow twin of ``overhaul.ags.lzw_encoder``."""

from __future__ import annotations

from typing import Final

_WINDOW: Final = 4096
_MASK: Final = _WINDOW - 1
_LONGEST: Final = 16
_SHORTEST: Final = 3
_START: Final = _WINDOW - _LONGEST
_NONE: Final = -1
_END_BYTE: Final = 255


class _Trees:
    """The search trees over a window.  A parent below -1 is the root of byte ``-2 - parent``."""

    __slots__ = ("buffer", "keys", "left", "match_place", "parents", "right", "roots")

    def __init__(self, signed: bool) -> None:
        # The first bytes are repeated after the end, so that a match can run over it.
        self.buffer = bytearray(_WINDOW + _LONGEST)
        self.left = [_NONE] * _WINDOW
        self.right = [_NONE] * _WINDOW
        self.parents = [_NONE] * _WINDOW
        self.roots = [_NONE] * 256
        self.keys = [byte - 256 if signed and byte > 127 else byte for byte in range(256)]
        self.match_place = 0

    def put(self, place: int, byte: int) -> None:
        """Store the byte of a place whose node was removed."""
        self.buffer[place] = byte
        if place < _LONGEST:
            self.buffer[place + _WINDOW] = byte

    def remove(self, place: int) -> None:
        """Take a place out of its tree, if it is in one."""
        left, right, parents = self.left, self.right, self.parents
        parent = parents[place]
        if parent == _NONE:
            return
        smaller, larger = left[place], right[place]
        if smaller == _NONE:
            heir = larger
        elif larger == _NONE:
            heir = smaller
        else:
            heir = smaller
            if right[heir] != _NONE:
                while right[heir] != _NONE:
                    heir = right[heir]
                above = parents[heir]
                right[above] = left[heir]
                if left[heir] != _NONE:
                    parents[left[heir]] = above
                left[heir] = smaller
                parents[smaller] = heir
            right[heir] = larger
            parents[larger] = heir
        self._hang(parent, place, heir)
        parents[place] = _NONE

    def _hang(self, parent: int, old: int, new: int) -> None:
        """Put ``new`` where ``old`` hung."""
        if parent < _NONE:
            self.roots[-2 - parent] = new
        elif self.left[parent] == old:
            self.left[parent] = new
        else:
            self.right[parent] = new
        if new != _NONE:
            self.parents[new] = parent

    def insert(self, place: int, limit: int) -> int:
        """Put a place in its tree; return the length of the longest match met (at least 2).

        ``match_place`` is then where that match begins.  At most ``limit`` bytes are compared.
        """
        buffer, keys, left, right = self.buffer, self.keys, self.left, self.right
        left[place] = right[place] = _NONE
        first = buffer[place]
        node, parent, to_left = self.roots[first], -2 - first, False
        # All places between the last smaller and the last larger node share the shorter of the
        # two prefixes, so that a comparison can begin behind it.
        known_smaller = known_larger = 1
        difference, best = -1, _SHORTEST - 1
        while node != _NONE:
            length = known_smaller if known_smaller < known_larger else known_larger
            if length < limit:
                while length < limit:
                    difference = keys[buffer[node + length]] - keys[buffer[place + length]]
                    if difference:
                        break
                    length += 1
                if length > best:
                    best, self.match_place = length, node
            if difference == 0:
                self._replace(node, place)
                return best
            parent, to_left = node, difference < 0
            if to_left:
                known_smaller, node = length, left[node]
            else:
                known_larger, node = length, right[node]
        self.parents[place] = parent
        if parent < _NONE:
            self.roots[first] = place
        elif to_left:
            left[parent] = place
        else:
            right[parent] = place
        return best

    def _replace(self, old: int, new: int) -> None:
        """Put ``new`` in the place of an equal node."""
        smaller, larger = self.left[old], self.right[old]
        self.left[new], self.right[new] = smaller, larger
        if smaller != _NONE:
            self.parents[smaller] = new
        if larger != _NONE:
            self.parents[larger] = new
        self._hang(self.parents[old], old, new)
        self.parents[old] = _NONE


def compress_with_trees(data: bytes, *, signed: bool = False) -> bytes:
    """Pack ``data`` as the official editors do: ``signed`` up to 3.5.1, else as from 3.6.0 on."""
    size = len(data)
    trees = _Trees(signed)
    trees.buffer[_START : _START + min(size, _LONGEST)] = data[:_LONGEST]
    remove, put, insert = trees.remove, trees.put, trees.insert
    out = bytearray()
    flag_place, flag = 0, 256
    due = 0
    place = _START
    for position in range(size):
        leaving = (place + _LONGEST) & _MASK
        remove(leaving)
        coming = position + _LONGEST
        put(leaving, data[coming] if coming < size else _END_BYTE)
        length = insert(place, min(_LONGEST, size - position))
        if position == due:
            if flag == 256:
                flag_place, flag = len(out), 1
                out.append(0)
            if length >= _SHORTEST:
                out[flag_place] |= flag
                value = (length - _SHORTEST) << 12 | ((place - trees.match_place - 1) & _MASK)
                out += value.to_bytes(2, "little")
                due += length
            else:
                out.append(data[position])
                due += 1
            flag <<= 1
        place = (place + 1) & _MASK
    return bytes(out)
