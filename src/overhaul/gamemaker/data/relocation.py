"""Moving chunks without decoding them.

An untouched chunk keeps its bytes, but for the pointers in them.  Where these are the
record of the chunk declares (``outlines.py``).  Only a chunk that follows the layout rules to the
last byte is moved so; any other is decoded and written, which gives the same bytes, and also
copes with what is irregular.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from hashlib import blake2b
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING

from overhaul.gamemaker.data.layouts import ChunkWalk, Walked, outlines
from overhaul.gamemaker.data.model import CODE_CHUNKS, MEDIA_CHUNKS, Chunk, GameModel
from overhaul.gamemaker.data.outlines import ROOTS
from overhaul.gamemaker.data.version import Version
from overhaul.schema.outline import Unlike
from overhaul.schema.streams import U32, Writer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhaul.schema.outline import Places

#: the kinds of pointers that lead into another chunk's list
_LISTED = ("string", "item")
#: the values that the chunks of the code hold for no address
_NOWHERE = 0xFFFFFFFF
#: chunks that are followed each time: of these names, or of more bytes
_QUICK = MEDIA_CHUNKS | {"CODE", "VARI"}
_LARGEST = 8 << 20
#: so many bytes without a pointer are not read to be written
_GAP = 8192
#: so many pointers are remembered
_MOST = 500_000
#: the results of walks, the last one last
_walked: dict[bytes, Walked] = {}
_walking = Lock()


class Moved:
    """A chunk that is moved: where its content ends, and the offsets of its pointers by kind.

    It can be moved by multiples of ``alignment``.
    """

    __slots__ = ("alignment", "chunk", "end", "found")

    def __init__(self, chunk: Chunk, end: int, found: dict[str, Places], alignment: int) -> None:
        self.chunk: Chunk = chunk
        self.end: int = end
        self.found: dict[str, Places] = found
        self.alignment: int = alignment

    @property
    def head(self) -> int:
        """The offset after the last pointer."""
        return max((max(places) + 4 for places in self.found.values() if places), default=0)


def outline_of(name: str, version: Version) -> str:
    """The name of the outline of a chunk in a release.  Raises Unlike for a release before all."""
    tree = ROOTS[name]
    while isinstance(tree, tuple):
        attribute, *rows = tree
        value = getattr(version, attribute)
        fitting = [below for least, below in rows if least <= value]
        if not fitting:
            raise Unlike(f"the layout of {name} is not known: {attribute} {value}")
        tree = fitting[-1]
    return str(tree)


class Relocation:
    """The chunks of a game that can be moved, and the moving.

    ``moved`` has them by name.  A chunk of the code is moved only together with the other two.
    """

    def __init__(self, game: GameModel) -> None:
        self._game = game
        self._numbers: dict[str, dict[int, int]] = numbers_of(game)
        self.moved: dict[str, Moved] = {}
        for chunk in game.chunks.values():
            found = None if chunk.decoded else self._find(chunk)
            if found is not None:
                self.moved[chunk.name] = found
        game.walks = {}  # they take memory
        self._check_code()

    def forget(self, name: str) -> None:
        """Take a chunk out: it will be decoded."""
        for other in CODE_CHUNKS if name in CODE_CHUNKS else [name]:
            self.moved.pop(other, None)

    def forget_unlisted(self) -> bool:
        """Take out the chunks that lead to texture page items of a list that can't be read; say
        whether there were any."""
        chunk = self._game.chunks.get("TPAG")
        if chunk is None or chunk.raw is None:
            return False
        data, unpack = self._game.data, U32.unpack_from
        lost = [
            name
            for name, moved in self.moved.items()
            if any(unpack(data, place)[0] for place in moved.found.get("item", ()))
        ]
        for name in lost:
            self.forget(name)
        return bool(lost)

    def _check_code(self) -> None:
        present = [name for name in self._game.chunks if name in CODE_CHUNKS]
        if present != list(CODE_CHUNKS)[: len(present)] or not all(
            name in self.moved and self._leads_into_code(self.moved[name]) for name in present
        ):
            self.forget("CODE")

    def _leads_into_code(self, moved: Moved) -> bool:
        """Whether all addresses of instructions that a chunk holds are in the code."""
        data, unpack, code = self._game.data, U32.unpack_from, self._game.chunks["CODE"]
        addresses = {unpack(data, place)[0] for place in moved.found.get("address", ())}
        return all(code.start <= address < code.end for address in addresses - {_NOWHERE})

    def _find(self, chunk: Chunk) -> Moved | None:
        """Where the pointers of a chunk are; None if it does not follow the rules."""
        game = self._game
        if chunk.name not in ROOTS:
            return None
        if chunk.start == chunk.end:
            return Moved(chunk, chunk.end, {}, 1)
        walk = game.walks.get(chunk.name) or followed(game, chunk)
        if walk is None or not _lead_somewhere(game, walk, self._numbers):
            return None
        # the layout follows from some texts: they must be the same still
        strings = game.strings
        for address, text in walk.texts.items():
            number = self._numbers["string"].get(address, 0)
            if not 0 < number <= len(strings) or strings[number - 1] != text:
                return None
        return Moved(chunk, walk.end, walk.found, walk.alignment)

    def write(self, writer: Writer, moved: Moved, start: int, code: int) -> None:
        """Append a chunk whose content begins at ``start`` in the file.

        ``code`` is how far the code was moved.  Long parts without pointers stay in the file that
        was read.
        """
        data, done = self._game.data, moved.chunk.start
        distances = {"pointer": start - done, "address": code}
        found = [(kind, sorted(places)) for kind, places in moved.found.items() if places]
        for first, last in _stretches(done, [places for _, places in found]):
            writer.add_range(data, done, first)
            out = bytearray(data[first:last])
            by = len(writer.out) - first
            for kind, places in found:
                inside = places[bisect_left(places, first) : bisect_left(places, last)]
                self._patch(out, first, kind, inside, distances.get(kind, 0))
                if kind in _LISTED:
                    writer.noted(kind).extend([place + by for place in inside])
            writer.out += out
            done = last
        if done < moved.end:
            writer.add_range(data, done, moved.end)

    def _patch(
        self, out: bytearray, begin: int, kind: str, places: list[int], distance: int
    ) -> None:
        """Change the pointers of a kind in bytes that stood at ``begin`` of the file.

        Pointers to strings and texture page items become the numbers of these, others are moved by
        a distance.
        """
        unpack, pack = U32.unpack_from, U32.pack_into
        numbers = self._numbers.get(kind)
        if numbers is not None:
            for place in places:
                pack(out, place - begin, numbers[unpack(out, place - begin)[0]])
        elif distance:
            nowhere = _NOWHERE if kind == "address" else 0
            for place in places:
                pointer = unpack(out, place - begin)[0]
                if pointer != nowhere:
                    pack(out, place - begin, pointer + distance)


def _stretches(begin: int, places: list[list[int]]) -> Iterator[tuple[int, int]]:
    """The parts of a chunk, from ``begin`` on, that hold its pointers: between them are only long
    parts without one."""
    first = last = begin
    for place in sorted(chain.from_iterable(places)):
        if place - last >= _GAP:
            if last > first:
                yield first, last
            first = place
        last = place + U32.size
    if last > first:
        yield first, last


def is_regular(game: GameModel, name: str) -> bool:
    """Whether a chunk follows the layout rules to the last byte."""
    chunk = game.chunks.get(name)
    return chunk is None or walked(game, chunk) is not None


def is_sound(game: GameModel, name: str) -> bool:
    """Whether a chunk follows the layout rules, and all its pointers to strings and texture page
    items lead to one: decoding it gives all its elements."""
    if name not in game.sound:
        chunk = game.chunks.get(name)
        found = None if chunk is None else walked(game, chunk)
        game.sound[name] = found is not None and _lead_somewhere(game, found, numbers_of(game))
    return game.sound[name]


def walked(game: GameModel, chunk: Chunk) -> Walked | None:
    """As :func:`followed`, remembered until the game is written."""
    known = game.walks.get(chunk.name)
    if known is None:
        known = followed(game, chunk)
        if known is not None:
            game.walks[chunk.name] = known
    return known


def _lead_somewhere(game: GameModel, walk: Walked, numbers: dict[str, dict[int, int]]) -> bool:
    """Whether all pointers into lists of other chunks lead to an element."""
    data, unpack = game.data, U32.unpack_from
    return all(
        {unpack(data, place)[0] for place in walk.found.get(kind, ())} <= numbers[kind].keys()
        for kind in _LISTED
    )


def followed(game: GameModel, chunk: Chunk) -> Walked | None:
    """The result of a walk through a chunk; None if it breaks a rule.

    Walks are remembered by the bytes of the chunk and its place: a game that was edited has most
    chunks as they were.
    """
    if chunk.name not in ROOTS or chunk.start == chunk.end:
        return None
    key = _key(game, chunk)
    known = None if key is None else _walked.get(key)
    if known is None:
        walk = ChunkWalk(game.data, chunk.start, chunk.end, game.release)
        try:
            end = outlines().walk(outline_of(chunk.name, game.release), walk, chunk.start)
        except Unlike:
            return None
        if not is_padded(game, chunk, end):
            return None
        known = Walked(walk.found, walk.texts, walk.alignment, end)
    if key is not None and not known.texts:  # texts are in another chunk
        _remember(key, known)
    return known


def _remember(key: bytes, walk: Walked) -> None:
    """Keep a walk as the latest one, and let go of the first ones where all are large."""
    with _walking:
        _walked.pop(key, None)
        _walked[key] = walk
        while sum(map(_size, _walked.values())) > _MOST:
            del _walked[next(iter(_walked))]


def _key(game: GameModel, chunk: Chunk) -> bytes | None:
    """The key that the walk through a chunk follows from; None for one that takes longer to
    read."""
    if chunk.end - chunk.start > _LARGEST or chunk.name in _QUICK:
        return None
    rules = chunk.name, chunk.start, game.release, game.alignment, chunk.name == game.last_chunk
    content = memoryview(game.data)[chunk.start : chunk.end]
    digest = blake2b(content, digest_size=16, key=blake2b(repr(rules).encode()).digest())
    return digest.digest()


def _size(walk: Walked) -> int:
    """How many pointers a walk found, and one for itself."""
    return 1 + sum(map(len, walk.found.values()))


def is_padded(game: GameModel, chunk: Chunk, end: int) -> bool:
    """Whether the rest of a chunk, from ``end`` on, is its padding."""
    size = game.padding(chunk.name, end, chunk.name == game.last_chunk)
    return chunk.end - end == size and not any(game.data[end : chunk.end])


def numbers_of(game: GameModel) -> dict[str, dict[int, int]]:
    """By the address that a pointer to a string or a texture page item holds, the number of what it
    leads to in the file that was read."""
    if not game.numbers:
        game.numbers |= {"string": numbered(game, "STRG", 4), "item": numbered(game, "TPAG", 0)}
    return game.numbers


def numbered(game: GameModel, name: str, shift: int) -> dict[int, int]:
    """The numbers of a list's elements from 1 on, by the addresses of the file that was read."""
    numbers = {0: 0}
    chunk = game.chunks.get(name)
    if chunk is None or chunk.end - chunk.start < 4:
        return numbers
    (count,) = U32.unpack_from(game.data, chunk.start)
    if 4 * count > chunk.end - chunk.start - 4:
        return numbers
    pointers = struct.unpack_from(f"<{count}I", game.data, chunk.start + 4)
    for number, pointer in enumerate(pointers, 1):
        if pointer:
            numbers[pointer + shift] = number
    return numbers
