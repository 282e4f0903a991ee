"""Decoding the chunks of a game: by the release, else by another one's layout, else as bytes."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, NamedTuple

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.chunks.gen8 import inputs_of_uid
from overhaul.gamemaker.data.clean_code import note_code
from overhaul.gamemaker.data.code.chains import are_usual, resolve
from overhaul.gamemaker.data.detect import Evidence
from overhaul.gamemaker.data.model import CODE_CHUNKS, Chunk, GameModel
from overhaul.gamemaker.data.references import NumberTable, ReferenceTable
from overhaul.gamemaker.data.version import BREAKS, Version
from overhaul.gamemaker.data.writer import AssetTable, canonical_bytes
from overhaul.schema import Reader, Record, codec_for
from overhaul.stretch import let_go, return_large_memory, return_memory

#: chunks whose layout does not depend on the release, or only on the bytecode version
_FIXED_LAYOUT = frozenset({"GEN8", "STRG", "CODE", "VARI", "FUNC", "TPAG", "AUDO"})


#: at most one element in so many is read without the others
_ALONE = 8
#: a mapped file does not stay in memory when a chunk of so many bytes was read
_LARGE = 4 << 20


class _Decoded(NamedTuple):
    """The result of one attempt: ``exact`` where the rules give the same bytes, else ``notes`` say
    why."""

    record: Any
    end: int
    exact: bool
    notes: list[str]
    version: Version
    places: dict[int, tuple[memoryview, int]]


class ChunkDecoder:
    """Decodes the chunks of a game."""

    def __init__(self, game: GameModel) -> None:
        self._game = game
        self._tables = _Tables(game)
        #: how many elements of chunks were read without the others
        self._alone: dict[str, int] = {}

    def decode(self, chunk: Chunk) -> None:
        """Set the record of a chunk, or its raw bytes where it is not understood.

        CODE, VARI and FUNC are read together.  Raises FormatError for a broken GEN8 or STRG, and
        with ``strict`` for any broken chunk.
        """
        if chunk.end - chunk.start >= _LARGE:
            return_large_memory()  # reading made values as large as the chunk
        if chunk.name in CODE_CHUNKS:
            self._decode_code()
        else:
            self._decode(chunk)
        if chunk.end - chunk.start >= _LARGE:
            let_go(self._game.data)
            if chunk.name in CODE_CHUNKS:
                return_memory()  # as much as the code takes was used to read it

    def read_alone(self, chunk: Chunk, kind: type[Record], index: int) -> Record | None:
        """An element of a chunk that is not decoded, read without the others; None where that is
        not certain, or so many were read before that reading all takes no longer.

        Others may read it again: it is for showing it, not for changing it.
        """
        game = self._game
        at = CHUNKS[chunk.name].list_start(chunk.start)
        (count,) = struct.unpack_from("<I", game.data, at)
        self._alone[chunk.name] = self._alone.get(chunk.name, 0) + 1
        if index >= count or _ALONE * self._alone[chunk.name] > count:
            return None
        (pointer,) = struct.unpack_from("<I", game.data, at + 4 + 4 * index)
        reader = Reader(
            version=game.release, tables=self._tables, source=game.source, base=chunk.start
        )
        view = memoryview(game.data)[: chunk.end]
        try:
            record, _ = codec_for(kind, game.release).read(view, pointer, reader)
        except FormatError:
            return None  # decoding the chunk names the mistake
        return None if reader.notes else record

    def _decode(self, chunk: Chunk) -> None:
        game = self._game
        chunk.decoded = True
        chunk_type = CHUNKS.get(chunk.name)
        if chunk_type is None:
            self._give_up(chunk, "Overhaul does not know this chunk")
            return
        if chunk.end == chunk.start:
            chunk.version = game.release
            chunk.record = chunk_type.load()()
            chunk.trailing = b""
            return
        decoded = self._try(chunk, game.release)
        if isinstance(decoded, FormatError) or not decoded.exact:
            decoded = self._try_others(chunk, decoded)
        if isinstance(decoded, FormatError):
            if game.strict or chunk.name in ("GEN8", "STRG"):
                chunk.decoded = False  # so that it is read, and refused, again
                raise decoded
            self._give_up(chunk, str(decoded))
            return
        chunk.record = decoded.record
        chunk.version = decoded.version
        game.places.update(decoded.places)
        if chunk.name == "STRG":
            (count,) = struct.unpack_from("<I", game.data, chunk.start)
            game.string_pointers = struct.unpack_from(f"<{count}I", game.data, chunk.start + 4)
        if chunk.name == "GEN8" and chunk.record.major >= 2:
            chunk.record.uid_inputs = inputs_of_uid(chunk.record)
        if not decoded.exact:
            self._keep_rest(chunk, decoded)

    def _try(self, chunk: Chunk, version: Version) -> _Decoded | FormatError:
        game = self._game
        reader = Reader(version=version, tables=self._tables, source=game.source, base=chunk.start)
        reader.found = game.found
        view = memoryview(game.data)[: chunk.end]
        try:
            codec = codec_for(CHUNKS[chunk.name].load(), version)
            record, end = codec.read(view, chunk.start, reader)
        except FormatError as error:
            error.source = game.source
            return error.within(chunk.name)
        except RecursionError:
            return FormatError("nested too deeply", source=game.source, path=chunk.name)
        exact = not reader.notes and view[end:] == bytes(self._padding(chunk, end))
        return _Decoded(record, end, exact, reader.notes, version, reader.places)

    def _padding(self, chunk: Chunk, position: int) -> int:
        """How many zero bytes the rules put at the end of a chunk."""
        game = self._game
        return game.padding(chunk.name, position, chunk.name == game.last_chunk)

    def _try_others(self, chunk: Chunk, first: _Decoded | FormatError) -> _Decoded | FormatError:
        """Try the layouts of other releases: the result that consumes every byte, else the first
        one."""
        game = self._game
        release = game.release
        if game.assumed or chunk.name in _FIXED_LAYOUT or release.major < 2:
            return first
        position = max(i for i, number in enumerate(BREAKS) if number <= release.number)
        order = sorted(range(1, len(BREAKS)), key=lambda i: (abs(i - position), -i))
        may_be_lts = not {"PSEM", "UILR"} & game.chunks.keys()
        for index in order:
            candidate = release.with_number(*BREAKS[index])
            for version in (candidate, candidate._replace(lts=not candidate.lts)):
                if version == release:
                    continue
                if version.lts and (version.number < (2022, 9) or not may_be_lts):
                    continue
                decoded = self._try(chunk, version)
                if not isinstance(decoded, FormatError) and decoded.exact:
                    game.evidence.append(Evidence(str(version), f"layout of {chunk.name}"))
                    return decoded
        return first

    def _give_up(self, chunk: Chunk, reason: str) -> None:
        """Carry a chunk as bytes."""
        chunk.record = None
        chunk.raw = bytes(self._game.data[chunk.start : chunk.end])
        chunk.reason = reason
        self._game.findings.warn("kept-as-bytes", f"it is kept as raw bytes: {reason}", chunk.name)

    def _keep_rest(self, chunk: Chunk, decoded: _Decoded) -> None:
        """Keep the bytes that differ from the rules."""
        game = self._game
        if not decoded.notes:
            chunk.trailing = bytes(game.data[decoded.end : chunk.end])
            size = len(chunk.trailing)
            game.findings.warn(
                "unusual",
                f"it ends with {size} bytes that are not padding"
                if any(chunk.trailing)
                else f"it is padded by {size} bytes, where the rule gives "
                f"{self._padding(chunk, decoded.end)}",
                chunk.name,
            )
            return
        if game.strict:
            raise FormatError(
                f"the layout does not follow the rules: {decoded.notes[0]}",
                source=game.source,
                path=chunk.name,
            )
        self._keep_bytes(chunk, decoded.notes[0])
        if chunk.name not in CODE_CHUNKS:
            self._note_canonical(chunk)

    def _keep_bytes(self, chunk: Chunk, reason: str) -> None:
        """Keep the bytes of a chunk that is understood but not laid out by the rules."""
        if chunk.kept is None:
            chunk.kept = bytes(self._game.data[chunk.start : chunk.end])
            chunk.reason = reason
            self._game.findings.warn("unusual", f"an unusual layout: {reason}", chunk.name)

    def _note_canonical(self, chunk: Chunk) -> None:
        """Note the canonical bytes of a kept chunk, so that a later change is detected."""
        try:
            chunk.canonical = canonical_bytes(self._game, chunk)
        except EncodeError as error:
            chunk.kept = None
            self._give_up(chunk, str(error))

    # -- code ----------------------------------------------------------------------------------

    def _decode_code(self) -> None:
        """Decode CODE, VARI and FUNC and resolve the references; all three are opaque or none."""
        game = self._game
        before = len(game.findings)
        chunks = [game.chunks[name] for name in CODE_CHUNKS if name in game.chunks]
        for chunk in chunks:
            self._decode(chunk)
        reason = ""
        if any(chunk.raw is not None for chunk in chunks):
            reason = "another chunk of the code can't be read"
        elif (code := game.record("CODE")) is not None and code.area is not None:
            try:
                found = resolve(game, code.area)
                if not are_usual(game, code.area, found) or any(chunk.kept for chunk in chunks):
                    code.area.begin = -1
                    for chunk in chunks:
                        self._keep_bytes(
                            chunk, "reference chains that differ from those compilers write"
                        )
                        self._note_canonical(chunk)
            except (FormatError, EncodeError) as error:
                if isinstance(error, FormatError):
                    error.source = game.source
                if game.strict:
                    raise
                reason = str(error)
        for chunk in chunks:
            if reason and chunk.raw is None:
                self._give_up(chunk, reason)
        code = game.record("CODE")
        for entry in [] if code is None or code.area is None else code.entries:
            if entry is not None and entry.root is None and entry.unreadable:
                if game.strict:
                    raise FormatError(
                        entry.unreadable, source=game.source, path=f"CODE.{entry.name}"
                    )
                game.findings.warn(
                    "kept-as-bytes",
                    f"it can't be read and is kept as it is: {entry.unreadable}",
                    str(entry.name),
                )
        note_code(game, len(game.findings) == before)


def tables_of(game: GameModel) -> Mapping[str, Mapping[int, object]]:
    """The tables that the fields of a game's records are resolved through."""
    return _Tables(game)


class _Tables(dict[str, Mapping[int, object]]):
    """The tables fields are resolved through, made when a codec first asks for one."""

    def __init__(self, game: GameModel) -> None:
        super().__init__()
        self._game = game

    def __missing__(self, name: str) -> Mapping[int, object]:
        table = self[name] = self._make(name)
        return table

    def _make(self, name: str) -> Mapping[int, object]:
        game = self._game
        if name == "string":
            return game.addresses
        if name == "item":
            return _ItemTable(game)
        if name == "number":
            return NumberTable()
        if name == "parent":
            return ReferenceTable(game.records.objects, none=-100)
        if name == "asset":
            return AssetTable(game)
        return ReferenceTable(game.named(name))


class _ItemTable(dict[int, object]):
    """Texture page items on reading, by their address."""

    def __init__(self, game: GameModel) -> None:
        super().__init__()
        self[0] = None
        chunk = game.chunks.get("TPAG")
        if chunk is None:
            return
        items = game.texture_items.items
        if chunk.raw is None and len(items):
            pointers = struct.unpack_from(f"<{len(items)}I", game.data, chunk.start + 4)
            for pointer, item in zip(pointers, items, strict=True):
                if item is not None:
                    self[pointer] = item

    def __missing__(self, address: int) -> object:
        raise FormatError(f"no texture page item begins at {address:#x}")
