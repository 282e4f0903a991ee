"""How the things of Adventure Game Studio's files are stored: their bytes with the fields in them.

The bytes are those that the document writes, which are the file's own where nothing was edited.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from overhaul.ags.blocks import GAME, BlockFormat, BlockId, id_key, read_blocks
from overhaul.ags.detect import GAME as SIGNATURE
from overhaul.ags.fields import new_reader
from overhaul.ags.game.extensions import BLOCKS as GAME_BLOCKS
from overhaul.ags.game.game import Game
from overhaul.ags.game.kinds import GUI
from overhaul.ags.game.old import OldGameContent
from overhaul.ags.game.records import GameContent, GameHeader, has_block_list
from overhaul.ags.parallel import MAIN, Column, ParallelKind
from overhaul.ags.room.records import (
    BLOCK_NAMES,
    FRAMES_BLOCK,
    MAIN_BLOCK,
    SCRIPT_BLOCK,
    SOURCE_BLOCK,
)
from overhaul.ags.room.records import BLOCKS as ROOM_BLOCKS
from overhaul.ags.room.room import Room, block_format
from overhaul.ags.script.model import ScriptCodec
from overhaul.document.stored import Stored, unnamed
from overhaul.schema import codec_for
from overhaul.schema.codec import FieldCodec
from overhaul.schema.fields import Embedded
from overhaul.schema.spans import FoundValue, Span, Walk, Way, within
from overhaul.suggest import cut

if TYPE_CHECKING:
    from overhaul.schema import Buffer, Reader, Record

#: The name of a thing in ``ls`` -> the name of its kind in the tables.
_KINDS: Final = {
    "character": "characters", "inventory": "inventory", "cursor": "cursors", "view": "views",
    "dialog": "dialogs", "gui": "guis", "audio clip": "audio_clips", "font": "fonts",
}  # fmt: skip
#: What ``ls`` leaves out at the beginning of a list.
_FIRST: Final = {"inventory": 1}
#: The sources of columns that are in the content, not in a block.
_CONTENT: Final = (MAIN, GUI)


def stored_thing(game: Game, data: bytes, kind: str, position: int) -> list[Stored]:
    """The bytes of a thing of a game: an element of each list that has one for it."""
    if kind == "game":
        return game_parts(game, data)[:2]
    bytes_of = _GameBytes(game, data)
    if kind == "script":
        return bytes_of.script(position)
    known = bytes_of.game.tables().kinds.get(_KINDS.get(kind, ""))
    if known is None:
        return []
    return bytes_of.thing(known, position + _FIRST.get(kind, 0))


def game_parts(game: Game, data: bytes) -> list[Stored]:
    """The header of game data, each field of its content, and its blocks."""
    return _GameBytes(game, data).parts()


class _GameBytes:
    """The bytes of game data."""

    def __init__(self, game: Game, data: bytes) -> None:
        self.game = game
        self.data = data
        self.start: int = Game().read_header(self.data)
        self.reader: Callable[[], Reader] = partial(new_reader, self.game.version)

    def thing(self, kind: ParallelKind, number: int) -> list[Stored]:
        """The bytes of a thing, by its number."""
        columns = [
            stored.column
            for stored in self.game.tables().stored(kind)
            if not stored.column.joined and not stored.column.spread
        ]
        ways = {column: self._way(column, number) for column in columns}
        main = [way for column, way in ways.items() if column.source in _CONTENT]
        found = self._content(main)
        blocks = self._blocks()
        parts = []
        for column, way in ways.items():
            title = column.key.replace("_", " ") or kind.name
            if way in found and column.source in _CONTENT:
                parts.append(_part(title, self.data, found[way], self.reader))
                continue
            block = blocks.get(id_key(column.source))
            record = None if block is None else GAME_BLOCKS.get(block[0])
            if block is not None and record is not None:
                walk = Walk(
                    memoryview(self.data)[: block[2]], self.game.version, self.reader, ways=[way]
                )
                walk.record(record, block[1])
                if way in walk.found:
                    parts.append(_part(title, self.data, walk.found[way], self.reader))
        return parts

    def script(self, number: int) -> list[Stored]:
        """The bytes of a script, by its number among all: global, dialogs', modules."""
        content = self.game.content
        if content is None:
            return []
        ways: list[Way] = [
            (name,)
            for name in ("global_script", "dialog_script")
            if getattr(content, name) is not None
        ]
        ways += [("script_modules", index) for index in range(len(content.script_modules or ()))]
        found = self._content(ways[number : number + 1])
        return [_part("script", self.data, block, self.reader) for block in found.values()]

    def _way(self, column: Column, number: int) -> Way:
        before = ("gui",) if column.source == GUI else ()
        return (*before, *column.path.split("."), number - column.first)

    def _content(self, ways: Sequence[Way]) -> Mapping[Way, FoundValue]:
        record: type[Record] = OldGameContent if self.game.old is not None else GameContent
        if not ways or (self.game.old is None and self.game.content is None):
            return {}
        old = self.game.old is not None
        data = self.data[self.start :] if old else self.data
        walk = Walk(data, self.game.version, self.reader, ways=ways)
        walk.record(record, 0 if old else self.start)
        shift = self.start if old else 0
        return {
            way: found._replace(start=found.start + shift, end=found.end + shift)
            for way, found in walk.found.items()
        }

    def _blocks(self) -> dict[BlockId, tuple[BlockId, int, int]]:
        """The blocks by key: the id, where the content begins and ends."""
        if self.game.content is None or not has_block_list(self.game.version):
            return {}
        content = codec_for(GameContent, self.game.version)
        _, offset = content.read(self.data, self.start, self.reader())
        return {id_key(id): (id, start, end) for id, start, end in _places(self.data, GAME, offset)}

    def parts(self) -> list[Stored]:
        """The header, the fields of the content, the blocks."""
        head = Stored("header", self.data, 0, self.start, partial(_game_head, self.data))
        if self.game.content is None and self.game.old is None:
            return [head, Stored("content", self.data, self.start, len(self.data), unnamed)]
        record: type[Record] = OldGameContent if self.game.old is not None else GameContent
        names = [(name,) for name in record.__struct_fields__]
        parts = [head]
        for way, found in self._content(names).items():
            if found.end > found.start:
                parts.append(_part(str(way[0]).replace("_", " "), self.data, found, self.reader))
        for id, start, end in self._blocks().values():
            codec = GAME_BLOCKS.get(id)
            spans = (
                unnamed
                if codec is None
                else partial(_in_block, self.data, Embedded(codec), self.game.version, (start, end))
            )
            parts.append(Stored(f"block {id}", self.data, start, end, spans))
        return parts


def stored_in_room(
    room: Room, data: bytes, kind: str, position: int, name: str
) -> Sequence[Stored]:
    """The bytes of the room, of its script, of one of its pictures, or of a block."""
    parts = room_parts(room, data)
    if kind == "room":
        return parts
    if kind in ("script", "source", "block"):
        number = {"script": str(SCRIPT_BLOCK), "source": str(SOURCE_BLOCK)}.get(kind, name)
        return [part for part in parts if part.title.split(" ", 2)[:2] == ["block", number]]
    if kind == "mask":
        return _field_of_block(room, data, MAIN_BLOCK, (f"{name}_mask",))
    if kind == "background" and position:
        return _field_of_block(room, data, FRAMES_BLOCK, ("frames", position - 1))
    if kind == "background":
        field = "old_background" if room.undivided else "background"
        return _field_of_block(room, data, MAIN_BLOCK, (field,))
    return []


def _field_of_block(room: Room, data: bytes, block: int, way: Way) -> list[Stored]:
    """The bytes of a field of a block of a room."""
    for id, begin, end in _room_places(room, data, Room().read_header(data, None)):
        decoded = room.blocks.get(id)
        if id == block and decoded is not None and not isinstance(decoded.content, bytes):
            reader = partial(new_reader, room.version)
            walk = Walk(memoryview(data)[:end], room.version, reader, ways=[way])
            walk.record(ROOM_BLOCKS[id], begin)
            title = str(way[0]).replace("_", " ")
            return [_part(title, data, found, reader) for found in walk.found.values()]
    return []


def _room_places(room: Room, data: bytes, start: int) -> list[tuple[BlockId, int, int]]:
    """The blocks of a room: the id of each, where its content begins and ends."""
    if room.undivided:
        return [(MAIN_BLOCK, start, len(data))]
    return _places(data, block_format(room.version), start)


def room_parts(room: Room, data: bytes) -> list[Stored]:
    """The header of a room and its blocks."""
    start = Room().read_header(data, None)
    parts = [Stored("header", data, 0, start, unnamed)]
    for id, begin, end in _room_places(room, data, start):
        spans: Callable[[int, int], list[Span]] = unnamed
        record = ROOM_BLOCKS.get(id)
        codec: FieldCodec | None = ScriptCodec() if id == SCRIPT_BLOCK else None
        if record is not None:
            codec = Embedded(record)
        decoded = room.blocks.get(id)
        if codec is not None and decoded is not None and not isinstance(decoded.content, bytes):
            spans = partial(_in_block, data, codec, room.version, (begin, end))
        title = f"block {id} {BLOCK_NAMES.get(id, '')}".strip()
        parts.append(Stored(title, data, begin, end, spans))
    return parts


def _game_head(data: Buffer, start: int, end: int) -> list[Span]:
    """The signature, the data version, and what follows them."""
    size = len(SIGNATURE)
    version = int.from_bytes(data[size : size + 4], "little", signed=True)
    walk = Walk(data, version, partial(new_reader, version), window=(start, end))
    walk.add(("signature",), "signature", 0, size, SIGNATURE)
    walk.add(("version",), "i32", size, size + 4, version)
    walk.record(GameHeader, size + 4)
    return walk.spans


def _in_block(
    data: bytes, codec: FieldCodec, version: int, block: tuple[int, int], start: int, end: int
) -> list[Span]:
    """The values of a block, that is nothing to its codec beyond its end."""
    found = FoundValue(*block, codec, {}, version)
    view = memoryview(data)[: block[1]]
    return within(view, found, partial(new_reader, version), start, end)


def _part(title: str, data: Buffer, found: FoundValue, reader: Callable[[], Reader]) -> Stored:
    spans = partial(within, data, found, reader)
    return Stored(cut(title), data, found.start, found.end, spans)


def _places(data: bytes, format: BlockFormat, offset: int) -> list[tuple[BlockId, int, int]]:
    """The blocks of a list: the id of each, where its content begins and ends."""
    places = []
    for block in read_blocks(data, format, offset):
        offset += block.header_size(format)
        places.append((block.id, offset, offset + len(block.data)))
        offset += len(block.data)
    return places
