"""How the resources of a game, and its chunks, are stored: their bytes with the fields in them.

The bytes are those of the file as it was opened.
"""

from __future__ import annotations

import struct
from functools import partial

from overhaul.document.stored import Stored, unnamed
from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks import CHUNKS, ChunkType
from overhaul.gamemaker.data.chunks.code import CodeEntry, CodeHead, OldCodeHead
from overhaul.gamemaker.data.decoding import tables_of
from overhaul.gamemaker.data.model import Chunk, GameModel
from overhaul.gml.vm.opcodes import MNEMONICS
from overhaul.schema import Pointers, Reader, codec_for, fields_of
from overhaul.schema.codec import resolve
from overhaul.schema.spans import FoundValue, Span, Walk, brief, within
from overhaul.suggest import cut


def stored_resource(game: GameModel, kind: str, position: int, name: str) -> list[Stored]:
    """The bytes of a resource, by its number, or of the chunk that is one of the tables of ``ls``;
    none for a kind that no chunk lists, and for a resource that was removed.

    Raises FormatError for a damaged chunk.
    """
    if kind == "table":
        names = [each.name for each in CHUNKS.values() if each.attribute == name]
        return [part for part in stored_chunks(game, whole=True) if part.title in names]
    known = next((each for each in CHUNKS.values() if each.items and each.title == kind), None)
    chunk = None if known is None else game.chunks.get(known.name)
    if known is None or chunk is None or game.record(known.name) is None:
        return []
    if known.name == "CODE":
        return _Code(game, chunk).entry(position)
    return _Chunk(game, chunk).stored(known, position)


def stored_chunks(game: GameModel, *, whole: bool = False) -> list[Stored]:
    """The chunks of a game, in the order of the file; ``whole``: with the fields of elements."""
    parts = []
    for chunk in sorted(game.chunks.values(), key=lambda chunk: chunk.start):
        made = (_Code if chunk.name == "CODE" else _Chunk)(game, chunk, None if whole else 2)
        parts.append(Stored(chunk.name, made.view, chunk.start, chunk.end, made.spans))
    return parts


class _Chunk:
    """The bytes of a chunk."""

    def __init__(self, game: GameModel, chunk: Chunk, depth: int | None = 2) -> None:
        self.depth = depth
        self.game = game
        self.chunk = chunk
        self.view = memoryview(game.data)[: chunk.end]
        self.tables = tables_of(game)

    def stored(self, known: ChunkType, position: int) -> list[Stored]:
        """The bytes of an element of its list."""
        found = self.find(known, position)
        if found is None:
            return []
        spans = partial(within, self.view, found, self.reader)
        return [Stored(f"{known.name} {position}", self.view, found.start, found.end, spans)]

    def find(self, known: ChunkType, position: int) -> FoundValue | None:
        """Where an element is."""
        chunk = self.chunk
        field = next(field for field in fields_of(known.load()) if field.name == known.items)
        codec = resolve(field.codec, chunk.version)
        walk = Walk(self.view, chunk.version, self.reader, ways=[(known.items, position)])
        if not isinstance(codec, Pointers) or codec.element is None:
            walk.record(known.load(), chunk.start)
            return walk.found.get((known.items, position))
        pointer = self.pointer(known.list_start(chunk.start), position)
        if not pointer:
            return None
        _, end = walk.value(codec.element, pointer, ())
        return FoundValue(pointer, end, codec.element, {}, chunk.version)

    def pointer(self, start: int, position: int) -> int:
        """Where a pointer of the list at ``start`` leads to; 0 for one that leads nowhere."""
        at = start + 4 + 4 * position
        if at + 4 > self.chunk.end:
            return 0
        (pointer,) = struct.unpack_from("<I", self.view, at)
        return int(pointer) if self.chunk.start <= pointer < self.chunk.end else 0

    def reader(self) -> Reader:
        """The names that the fields are resolved against."""
        return Reader(
            version=self.chunk.version,
            tables=self.tables,
            source=self.game.source,
            base=self.chunk.start,
        )

    def walk(self, start: int, end: int) -> Walk:
        """A walk through some of its bytes."""
        window = (start, end)
        return Walk(self.view, self.chunk.version, self.reader, window=window, depth=self.depth)

    def spans(self, start: int, end: int) -> list[Span]:
        """The elements from ``start`` to ``end``."""
        name = self.chunk.name
        if name not in CHUNKS or self.game.record(name) is None:
            return unnamed(start, end)
        walk = self.walk(start, end)
        try:
            walk.record(CHUNKS[name].load(), self.chunk.start)
        except FormatError:  # bytes beyond the rules, which are kept: the values up to there
            pass
        return walk.spans


class _Code(_Chunk):
    """The bytes of CODE: heads of entries, and the instructions elsewhere or behind them."""

    def head(self, position: int) -> tuple[int, int, int, int] | None:
        """Where the head of an entry begins and ends, and its instructions do."""
        pointer = self.pointer(self.chunk.start, position)
        version = self.chunk.version
        if not pointer or version is None:
            return None
        reader = self.reader()
        if version.bytecode <= 14:
            old, end = codec_for(OldCodeHead, version).read(self.view, pointer, reader)
            return pointer, end, end, end + old.length
        head, end = codec_for(CodeHead, version).read(self.view, pointer, reader)
        begin = pointer + 12 + head.address
        return pointer, end, begin, begin + head.length

    def entry(self, position: int) -> list[Stored]:
        """The head and the instructions of an entry."""
        places = self.head(position)
        record = self.game.record("CODE")
        entry = None if record is None else record.entries[position]
        if places is None or entry is None:
            return []
        start, end, begin, stop = places
        parts = [Stored(f"CODE {position}", self.view, start, end, self.spans)]
        if begin < stop:
            root = entry if entry.root is None else entry.root
            spans = partial(self.instructions, root, begin)
            parts.append(Stored("instructions", self.view, begin, stop, spans))
        return parts

    def instructions(self, entry: CodeEntry, begin: int, start: int, end: int) -> list[Span]:
        """The instructions of a root entry from ``start`` to ``end``."""
        if entry.unreadable:
            return []
        rows = entry.instructions
        spans = []
        for offset, size, row in zip(rows.offset, rows.size, rows, strict=True):
            at = begin + int(offset)
            if start < at + 4 * int(size) and at < end:
                operand = "" if row.operand is None else brief(row.operand)
                name = MNEMONICS.get(row.opcode, f"{row.opcode:#x}")
                spans.append(Span(f"+{offset}", name, at, at + 4 * int(size), operand))
        return spans

    def spans(self, start: int, end: int) -> list[Span]:
        """The heads of entries from ``start`` to ``end``, and the instructions as a whole."""
        record = self.game.record("CODE")
        if record is None:
            return unnamed(start, end)
        walk = self.walk(start, end)
        version = self.chunk.version
        spans: list[Span] = []
        places = walk.places(self.chunk.start, ())
        for position in range(len(places)):
            known = self.head(position)
            entry = record.entries[position]
            if known is None or entry is None:
                continue
            at, stop, begin, limit = known
            if at < end and stop > start:
                old = version is not None and version.bytecode <= 14
                walk.record(OldCodeHead if old else CodeHead, at, (position,))
            if begin < end and limit > start and entry.root is None:
                name = cut(str(entry.name), 80)
                spans.append(Span(f"[{position}].code", "instructions", begin, limit, name))
        return sorted(walk.spans + spans, key=lambda span: span.start)
