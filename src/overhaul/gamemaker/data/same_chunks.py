"""Which chunks of two builds of a game say the same, by their stored bytes.

The bytes of a chunk are compared as if both began at one place, with the numbers of strings and of
texture page items where the file has their addresses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhaul.gamemaker.data.relocation import Moved, numbers_of, walked
from overhaul.schema.streams import U32

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhaul.gamemaker.data.model import GameModel

#: so many bytes are compared at once
_PART: Final = 1 << 20


class _Stored:
    """The chunks of one file, with their pointers as numbers."""

    def __init__(self, game: GameModel) -> None:
        self.game = game
        self._numbers = numbers_of(game)

    def head(self, moved: Moved) -> tuple[bytearray, list[int]] | None:
        """The bytes up to the last pointer, and the numbers of the strings in them; None where a
        pointer leads nowhere."""
        begin = moved.chunk.start
        out = bytearray(self.game.data[begin : moved.head])
        strings: list[int] = []
        for kind, places in moved.found.items():
            known = self._numbers.get(kind)
            for place in places:
                (pointer,) = U32.unpack_from(out, place - begin)
                number = max(pointer - begin, 0) if known is None else known.get(pointer)
                if number is None:
                    return None
                U32.pack_into(out, place - begin, number)
                if kind == "string":
                    strings.append(number)
        return out, strings

    def moved(self, name: str) -> Moved | None:
        """A chunk with its pointers; None where it breaks a rule of the layout."""
        chunk = self.game.chunks[name]
        if chunk.start == chunk.end:
            return Moved(chunk, chunk.end, {}, 1)
        found = walked(self.game, chunk)
        return None if found is None else Moved(chunk, found[1], found[0].found, found[0].alignment)


def same_chunks(one: GameModel, two: GameModel, names: Iterable[str]) -> set[str]:
    """The names of the chunks, among some, that say the same in two files as they were read.

    Others may, too: where a chunk breaks a rule of the layout, nothing is said of it.  What only
    only one of the files has differs; a chunk that both lack is the same.
    """
    if one.release != two.release:
        return set()
    first, second = _Stored(one), _Stored(two)
    texts = [list(map(str, game.strings)) for game in (one, two)]
    return {name for name in names if _is_same(name, first, second, texts)}


def _is_same(name: str, one: _Stored, two: _Stored, texts: list[list[str]]) -> bool:
    if name not in one.game.chunks or name not in two.game.chunks:
        return name not in one.game.chunks and name not in two.game.chunks
    mine, theirs = one.moved(name), two.moved(name)
    if mine is None or theirs is None or not _same_rest(one.game, mine, two.game, theirs):
        return False
    heads = one.head(mine), two.head(theirs)
    if heads[0] is None or heads[1] is None or heads[0][0] != heads[1][0]:
        return False
    before, after = texts
    return all(
        number == 0 or before[number - 1 : number] == after[number - 1 : number]
        for number in set(heads[0][1])
    )


def _same_rest(one: GameModel, mine: Moved, two: GameModel, theirs: Moved) -> bool:
    """Whether the bytes behind the last pointers are the same."""
    starts = [moved.head or moved.chunk.start for moved in (mine, theirs)]
    count = mine.end - starts[0]
    if theirs.end - starts[1] != count:
        return False
    first, second = (
        memoryview(game.data)[start : start + count]
        for game, start in zip((one, two), starts, strict=True)
    )
    return all(
        bytes(first[at : at + _PART]) == bytes(second[at : at + _PART])
        for at in range(0, count, _PART)
    )
