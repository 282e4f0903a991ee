"""Writing a game: chunks in order by the layout rules, then all pointers in one pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from overhaul.document.protocol import Coverage, Opaque
from overhaul.document.registry import load
from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.model import CODE_CHUNKS, Chunk, GameModel
from overhaul.gamemaker.data.references import Reference, ReferenceTable
from overhaul.gamemaker.data.strings import STRINGS_END, StringRecord, write_strings
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.form import FormWriter
from overhaul.schema.codec import Codec
from overhaul.schema.record import Record
from overhaul.schema.streams import U32, Writer

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.txtr import TexturePageItem
    from overhaul.gamemaker.data.relocation import Moved, Relocation

# Imports that need NumPy or the classes of records are made where a chunk is decoded; those that
# move chunks, where a game is written: decoding takes some of this module.
_RELOCATION = "overhaul.gamemaker.data.relocation:Relocation"
_CODE = "overhaul.gamemaker.data.chunks.code"
_CHAINS = "overhaul.gamemaker.data.code.chains:ChainFiller"
_REFRESH_UID = "overhaul.gamemaker.data.chunks.gen8:refresh_uid"


OLD_TYPES = {
    0: "OBJT", 1: "SPRT", 2: "SOND", 3: "ROOM", 4: "BGND", 5: "PATH", 6: "SCPT", 7: "FONT",
    8: "TMLN", 10: "SHDR", 11: "SEQN", 12: "ACRV", 13: "PSYS",
}  # fmt: skip
NEW_TYPES = {
    0: "OBJT", 1: "SPRT", 2: "SOND", 3: "ROOM", 4: "PATH", 5: "SCPT", 6: "FONT", 7: "TMLN",
    8: "SHDR", 9: "SEQN", 10: "ACRV", 11: "PSYS", 13: "BGND",
}  # fmt: skip
#: the numbering of TAGS before 2024.4
OLD_TAG_TYPES = {
    0: "OBJT", 1: "SPRT", 2: "SOND", 3: "ROOM", 5: "PATH", 6: "SCPT", 7: "FONT", 8: "TMLN",
    9: "BGND", 10: "SHDR", 11: "SEQN", 12: "ACRV", 13: "PSYS",
}  # fmt: skip
#: added to the index of a script
SCRIPT_BASE = 100000


def asset_types(version: Version) -> dict[int, str]:
    """The type numbers of pushref operands, as chunk names."""
    return NEW_TYPES if version.at_least(2024, 4) else OLD_TYPES


class AssetTable(dict[int, object]):
    """Asset ids of TAGS: type in the top byte, index below."""

    def __init__(self, game: GameModel) -> None:
        super().__init__()
        self._game = game
        self._types = NEW_TYPES if game.release.at_least(2024, 4) else OLD_TAG_TYPES
        self._numbers = {chunk: number for number, chunk in self._types.items()}

    def __missing__(self, number: int) -> object:
        chunk = self._types.get(number >> 24)
        index = number & 0xFFFFFF
        if chunk == "SCPT":
            index -= SCRIPT_BASE
        value: object = number
        if chunk is not None:
            owner = self._game.named(chunk)
            if 0 <= index < len(owner):
                value = owner.reference(index)
        self[number] = value
        return value

    def encode(self, value: object) -> int:
        """The id of a reference; plain numbers stay."""
        if isinstance(value, int):
            return value
        if value is None:
            return -1
        if not isinstance(value, Reference) or value.chunk not in self._numbers:
            raise EncodeError(f"{value!r} can't have tags")
        index = value.index
        if index < 0:
            return -1
        if value.chunk == "SCPT":
            index += SCRIPT_BASE
        return self._numbers[value.chunk] << 24 | index


#: more pointers than this are filled in by NumPy
_MANY = 100_000


class Encoders(dict[str, Any]):
    """How values of resolved fields become numbers, made when a codec first asks."""

    def __init__(self, game: GameModel) -> None:
        super().__init__()
        self._game = game

    def __missing__(self, kind: str) -> Any:
        encode = self[kind] = self._make(kind)
        return encode

    def _make(self, kind: str) -> Any:
        game = self._game
        if kind == "string":
            return game.strings.encode if _is_read(game, "STRG") else _no_string
        if kind == "item":
            return ItemNumbers(game) if _is_read(game, "TPAG") else _no_item
        if kind == "number":
            return lambda value: value if type(value) is int else self["OBJT"](value)
        if kind == "parent":
            return ReferenceTable(game.records.objects, none=-100).encode
        if kind == "chains":
            return load(_CHAINS)(game, self["string"])
        if kind == "asset":
            return AssetTable(game).encode
        return ReferenceTable(game.named(kind)).encode


def _is_read(game: GameModel, name: str) -> bool:
    """Whether there is a chunk, and it is understood."""
    chunk = game.chunks.get(name)
    return chunk is not None and chunk.raw is None


def _no_string(value: object) -> int:
    """The number of a string field in a file without strings."""
    if value is None:
        return 0
    raise EncodeError(f"the file has no string table for {value}: its compiler was stopped")


def _no_item(item: object) -> int:
    """The number of a texture page item in a file without such items."""
    if item is None:
        return 0
    raise EncodeError("the file has no texture page items for a picture: its compiler was stopped")


class ItemNumbers:
    """The provisional number of a texture page item: index + 1, 0 for none."""

    def __init__(self, game: GameModel) -> None:
        self._items = game.texture_items.items
        self._numbers = {id(item): index + 1 for index, item in enumerate(self._items)}

    def __call__(self, item: TexturePageItem | None) -> int:
        if item is None:
            return 0
        number = self._numbers.get(id(item))
        if number is None:
            self._items.append(item)
            number = self._numbers[id(item)] = len(self._items)
        return number


def write_game(game: GameModel) -> tuple[Writer, Coverage]:
    """A game as a writer that has it, and how much of it was understood.

    Chunks that were not decoded are moved as they are, or decoded where they can't be.  Kept bytes
    of irregular chunks are used only where nothing moves; otherwise those chunks are laid out by
    the rules.
    """
    relocation: Relocation = load(_RELOCATION)(game)
    while True:
        for name, chunk in game.chunks.items():
            if not chunk.decoded and name not in relocation.moved:
                game.record(name)
        if relocation.forget_unlisted():
            continue
        try:
            attempt = _write(game, relocation)
        except _MustDecodeError as found:
            relocation.forget(found.chunk)
        else:
            return attempt.writer, attempt.coverage


class _MustDecodeError(Exception):
    """A chunk can't be moved to where it comes to be."""

    def __init__(self, chunk: str) -> None:
        super().__init__(chunk)
        self.chunk = chunk


def _write(game: GameModel, relocation: Relocation) -> _Attempt:
    for keep in (True, False):
        sizes = _sizes(game)
        attempt = _Attempt(game, keep, relocation)
        attempt.run()
        if _sizes(game) != sizes or _code_comes_late(game):
            attempt = _Attempt(game, keep, relocation)  # now everything has its place
            attempt.run()
        if not attempt.moved() or not attempt.used_kept:
            break
    attempt.refuse_moved_opaque()
    return attempt


def _sizes(game: GameModel) -> tuple[int, int]:
    """The lengths of the lists that writing may add to."""
    return len(game.strings), len(game.texture_items)


def _code_comes_late(game: GameModel) -> bool:
    """Whether VARI or FUNC come before CODE, whose place determines their first addresses."""
    names = list(game.chunks)
    if "CODE" not in game.chunks:
        return False
    return bool({"VARI", "FUNC"} & set(names[: names.index("CODE")]))


def canonical_bytes(game: GameModel, chunk: Chunk) -> bytes:
    """The bytes that the rules give for a chunk at the place it was read from, with provisional
    pointers."""
    writer = Writer(encoders=Encoders(game), version=chunk.version or game.release)
    writer.out += bytes(chunk.start)
    _codec(chunk.name, writer.version).write(writer, chunk.record)
    return bytes(writer.out[chunk.start :])


def _codec(name: str, version: Version) -> Codec[Record]:
    """The codec of a chunk's record."""
    codec: Codec[Record] = load("overhaul.schema.generator:codec_for")(CHUNKS[name].load(), version)
    return codec


def fill_pointers(writer: Writer, kind: str, addresses: list[int]) -> None:
    """Replace the provisional numbers of one kind by addresses, all at once."""
    positions = writer.positions.get(kind)
    if not positions:
        return
    if len(positions) > _MANY:
        load("overhaul.gamemaker.data.filling:fill_many")(writer.out, positions, addresses)
    else:
        fill_few(writer.out, positions, addresses)


def fill_few(out: bytearray, positions: list[int], addresses: list[int]) -> None:
    """As :func:`.filling.fill_many`, one after another."""
    unpack, pack = U32.unpack_from, U32.pack_into
    for position in positions:
        pack(out, position, addresses[unpack(out, position)[0]])


class _Attempt:
    """One pass over all chunks."""

    def __init__(self, game: GameModel, keep: bool, relocation: Relocation) -> None:
        self.game = game
        self.keep = keep
        self.relocation = relocation
        self.writer = Writer(encoders=Encoders(game))
        self.writer.source, self.writer.places = game.data, game.places
        self.coverage = Coverage()
        self.form = FormWriter(self.writer)
        self.used_kept = False

    def run(self) -> None:
        game, writer = self.game, self.writer
        names = list(game.chunks)
        for index, (name, chunk) in enumerate(game.chunks.items()):
            left = names[index:]
            kept = any(game.chunks[other].kept is not None for other in left)
            writer.lean = not kept
            moved = self.relocation.moved.get(name)
            with self.form.chunk(name):
                if moved is not None:
                    self._move(moved)
                else:
                    self._content(chunk)
                if moved is None or chunk.start < chunk.end:
                    self._finish_chunk(chunk, name == names[-1])
        self.form.finish(game.form_excess)
        self._fill_references()
        self._trail()
        self.coverage.media = writer.media
        self.coverage.decoded = writer.position - writer.media - self.coverage.opaque

    def _move(self, moved: Moved) -> None:
        """A chunk that is not decoded, where it comes to be."""
        starts, name = self.form.starts, moved.chunk.name
        if (starts[name] - moved.chunk.start) % moved.alignment:
            raise _MustDecodeError(name)
        code = 0
        if name in CODE_CHUNKS and "CODE" in starts:
            code = starts["CODE"] - self.game.read_starts["CODE"]
        self.relocation.write(self.writer, moved, starts[name], code)

    def _finish_chunk(self, chunk: Chunk, last: bool) -> None:
        out = self.writer.out
        if chunk.raw is not None or (self.keep and chunk.kept is not None and self.used_kept):
            return
        if chunk.trailing is not None:
            out += chunk.trailing
            if any(chunk.trailing):
                size = len(chunk.trailing)
                self._carried(chunk, self.writer.position - size, size)
        else:
            out += bytes(self.game.padding(chunk.name, self.writer.position, last))

    def _trail(self) -> None:
        """The bytes after the FORM."""
        trailing = self.game.trailing
        if trailing:
            size = len(trailing)
            self.coverage.opaque += size
            opaque = Opaque(self.writer.position, "", size, "bytes after the FORM")
            self.coverage.details.append(opaque)
            self.writer.out += trailing

    def _carried(self, chunk: Chunk, offset: int, length: int) -> None:
        self.coverage.opaque += length
        self.coverage.details.append(chunk.opaque(offset, length))

    def _content(self, chunk: Chunk) -> None:
        writer = self.writer
        if chunk.raw is not None:
            self._carried(chunk, writer.position, len(chunk.raw))
            writer.out += chunk.raw
            return
        if chunk.record is None:
            return
        if chunk.start == chunk.end and chunk.trailing == b"":
            if _is_untouched(chunk.record):
                return  # the chunk was empty, and still is
            chunk.trailing = None
        version = chunk.version or self.game.release
        writer.version = version
        if chunk.name == "GEN8":
            load(_REFRESH_UID)(chunk.record)
        if isinstance(chunk.record, StringRecord):
            write_strings(writer, chunk.record.strings)
            writer.align(STRINGS_END)
            return
        start, place = len(writer.out), writer.position
        before = {kind: len(places) for kind, places in writer.positions.items()}
        media = writer.media
        _codec(chunk.name, version).write(writer, chunk.record)
        if chunk.kept is None:
            self._unreadable_code(chunk, place)
            return
        written = bytes(writer.out[start:])
        if self.keep and written == chunk.canonical:
            for kind, places in writer.positions.items():
                del places[before.get(kind, 0) :]
            writer.media = media
            del writer.out[start:]
            self._carried(chunk, place, len(chunk.kept))
            writer.out += chunk.kept
            self.used_kept = True

    def _unreadable_code(self, chunk: Chunk, start: int) -> None:
        """The code that is kept word for word, as opaque bytes."""
        if chunk.name != "CODE":
            return
        unreadable = load(f"{_CODE}:unreadable_entries")
        for entry, offset, size in unreadable(chunk.record.area, self.game.release, start):
            self.coverage.opaque += size
            opaque = Opaque(offset, f"CODE.{entry.name}", size, entry.unreadable)
            self.coverage.details.append(opaque)

    def _fill_references(self) -> None:
        """Put the addresses of strings and texture page items where fields name them."""
        writer = self.writer
        strings = [0, *(pointer + 4 for pointer in self._list_pointers("STRG"))]
        fill_pointers(writer, "string", strings)
        fill_pointers(writer, "item", [0, *self._list_pointers("TPAG")])

    def _list_pointers(self, name: str) -> tuple[int, ...]:
        return self.form.pointers(name) if _is_read(self.game, name) else ()

    def moved(self) -> bool:
        """Whether any chunk or string is at another offset than in the file that was read."""
        if self.form.starts != self.game.read_starts:
            return True
        pointers = self.game.string_pointers
        return bool(pointers) and self._list_pointers("STRG") != pointers

    def refuse_moved_opaque(self) -> None:
        """Raise EncodeError if a chunk that is not understood would move."""
        size = len(self.game.data)
        carried = [s for s in self.game.chunks.values() if s.raw and not _may_move(s, size)]
        if carried and self.moved():
            names = ", ".join(chunk.name for chunk in carried)
            raise EncodeError(
                f"{names} can't be read, and the change would move it or what it points to: "
                "such a file can't be written"
            )


def _may_move(chunk: Chunk, size: int) -> bool:
    """Whether an unknown chunk of a file of this size certainly holds no pointers.

    Nothing points into a chunk that no compiler knows, and a number that is not an offset in the
    file does not point out of it.
    """
    raw = chunk.raw or b""
    if chunk.name in CHUNKS:
        return False
    for start in range(4):
        whole = raw[start : start + max(0, len(raw) - start) // 4 * 4]
        if any(8 <= word < size for (word,) in U32.iter_unpack(whole)):
            return False
    return True


def _is_untouched(record: Record) -> bool:
    """Whether all fields of a record have their defaults."""
    blank = type(record)()
    return all(getattr(record, name) == getattr(blank, name) for name in record.__struct_fields__)
