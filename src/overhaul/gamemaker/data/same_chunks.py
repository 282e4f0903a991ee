"""Which chunks of two builds of a game say the same, by their stored bytes.

The bytes of a chunk are compared as if both began at one place, with the numbers of strings and of
texture page items where the file has their addresses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from overhaul.gamemaker.data.model import GameModel
from overhaul.gamemaker.data.relocation import Moved, is_padded, numbers_of, walked
from overhaul.schema.streams import U32
from overhaul.stretch import Passing

#: so many bytes are compared at once
_PART: Final = 1 << 20
#: the kinds of pointers of a chunk that is moved by itself
_KINDS: Final = frozenset({"pointer", "string", "item"})

_Numbers = npt.NDArray[np.int64]


class _Addresses:
    """The numbers of the elements of a list, by what pointers to them hold; 0 for 0."""

    def __init__(self, numbers: dict[int, int]) -> None:
        known = np.array(list(numbers), np.int64)
        self._order = np.argsort(known)
        self._known = known[self._order]
        self._numbers = np.array(list(numbers.values()), np.int64)[self._order]

    def numbers(self, pointers: _Numbers) -> _Numbers | None:
        """The number of each; None where one leads nowhere."""
        at = np.minimum(np.searchsorted(self._known, pointers), len(self._known) - 1)
        return self._numbers[at] if np.array_equal(self._known[at], pointers) else None


class _Stored:
    """The chunks of one file, with their pointers as numbers."""

    def __init__(self, game: GameModel) -> None:
        self.game = game
        self._addresses = {kind: _Addresses(known) for kind, known in numbers_of(game).items()}

    def meaning(self, begin: int, places: dict[str, _Numbers]) -> dict[str, _Numbers] | None:
        """The meaning of the pointers at some places, which count from an offset on, as numbers
        by their kind; None where one leads nowhere."""
        data = np.frombuffer(self.game.data, np.uint8)
        meant: dict[str, _Numbers] = {}
        for kind, at in places.items():
            stored = np.zeros(len(at), np.int64)
            for byte in range(U32.size):
                stored |= data[begin + at + byte].astype(np.int64) << 8 * byte
            known = self._addresses.get(kind)
            numbers = (
                np.where(stored == 0, -1, stored - begin)
                if known is None
                else known.numbers(stored)
            )
            if numbers is None:
                return None
            meant[kind] = numbers
        return meant

    def moved(self, name: str) -> Moved | None:
        """A chunk with its pointers; None where it breaks a rule of the layout."""
        chunk = self.game.chunks[name]
        if chunk.start == chunk.end:
            return Moved(chunk, chunk.end, {}, 1)
        found = walked(self.game, chunk)
        return None if found is None else Moved(chunk, found.end, found.found, found.alignment)


def same_chunks(one: GameModel, two: GameModel, names: Iterable[str]) -> set[str]:
    """The names of the chunks, among some, that say the same in two files as they were read.

    Others may, too: where a chunk breaks a rule of the layout, nothing is said of it. A chunk
    that only one of the files has differs; a chunk that both lack is the same.
    """
    if one.release != two.release:
        return set()
    pair = _Stored(one), _Stored(two)
    other = _other_numbers(one.strings, two.strings)
    return {name for name in names if _is_same(name, *pair, other)}


def _other_numbers(one: Sequence[str], two: Sequence[str]) -> set[int]:
    """The numbers, from 1 on, of the strings that differ in two tables."""
    both = min(len(one), len(two))
    other = set(range(both + 1, max(len(one), len(two)) + 1))
    if one[:both] != two[:both]:
        pairs = zip(one, two, strict=False)
        other.update(number for number, (mine, theirs) in enumerate(pairs, 1) if mine != theirs)
    return other


def _is_same(name: str, one: _Stored, two: _Stored, other: set[int]) -> bool:
    """Whether a chunk says the same in two files, in which the strings of some numbers differ."""
    if name not in one.game.chunks or name not in two.game.chunks:
        return name not in one.game.chunks and name not in two.game.chunks
    mine = one.moved(name)
    if mine is None:
        return False
    begin, start = mine.chunk.start, two.game.chunks[name].start
    end, places = mine.end + start - begin, _places(mine)
    if not _would_be_moved(one.game, mine, two.game):
        theirs = two.moved(name)
        if theirs is None or theirs.end != end or not _are_same(places, _places(theirs)):
            return False
    head = (mine.head or begin) - begin
    if not _are_same_bytes(one.game, begin + head, mine.end, two.game, start + head):
        return False
    if not _are_same_but(one.game, begin, two.game, start, head, places):
        return False
    before, after = one.meaning(begin, places), two.meaning(start, places)
    if before is None or after is None or not _are_same(before, after):
        return False
    if name in one.game.walks:  # all pointers of both lead to an element
        one.game.sound[name] = two.game.sound[name] = True
    used = before.get("string")
    return used is None or other.isdisjoint(used.tolist())


def _places(moved: Moved) -> dict[str, _Numbers]:
    """The places of the pointers of a chunk, from its beginning on."""
    begin = moved.chunk.start
    return {kind: np.array(found, np.int64) - begin for kind, found in moved.found.items() if found}


def _are_same(one: dict[str, _Numbers], two: dict[str, _Numbers]) -> bool:
    return one.keys() == two.keys() and all(np.array_equal(one[kind], two[kind]) for kind in one)


def _would_be_moved(one: GameModel, moved: Moved, two: GameModel) -> bool:
    """Whether a chunk of another file that differs in nothing but where its pointers lead follows
    the layout rules, as this one does, so that no walk through it shows more."""
    chunk, name = two.chunks[moved.chunk.name], moved.chunk.name
    by = chunk.start - moved.chunk.start
    return (
        chunk.end - moved.chunk.end == by
        and by % moved.alignment == 0
        and moved.found.keys() <= _KINDS
        and name in one.walks
        and not one.walks[name].texts
        and is_padded(two, chunk, moved.end + by)
    )


def _are_same_but(
    one: GameModel, begin: int, two: GameModel, start: int, size: int, places: dict[str, _Numbers]
) -> bool:
    """Whether so many bytes of two files are the same, but for the pointers in them."""
    if not size:
        return True
    pointers = np.sort(np.concatenate([np.zeros(0, np.int64), *places.values()]))
    first = np.frombuffer(one.data, np.uint8, size, begin)
    second = np.frombuffer(two.data, np.uint8, size, start)
    passing = Passing(one.data), Passing(two.data)
    for at in range(0, size, _PART):
        part = slice(at, at + _PART)
        differ = np.flatnonzero(first[part] != second[part]) + at
        for each in passing:
            each.read(_PART)
        if not len(differ):
            continue
        before = np.searchsorted(pointers, differ, side="right") - 1
        if (before < 0).any() or (differ - pointers[before] >= U32.size).any():
            return False
    return True


def _are_same_bytes(one: GameModel, start: int, end: int, two: GameModel, other: int) -> bool:
    """Whether some bytes of a file are those from an offset of another one on."""
    first = memoryview(one.data)[start:end]
    second = memoryview(two.data)[other : other + len(first)]
    if len(first) != len(second):
        return False
    passing = Passing(one.data), Passing(two.data)
    for at in range(0, len(first), _PART):
        if bytes(first[at : at + _PART]) != bytes(second[at : at + _PART]):
            return False
        for each in passing:
            each.read(_PART)
    return True
