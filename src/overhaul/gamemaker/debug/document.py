"""A .yydebug file: its records, and the document that holds them.

Source: the debug-format section of the bytecode and data.win references, checked on the files of
the corpus; docs/formats/yydebug.md describes each chunk.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

from overhaul.document.base import BaseDocument
from overhaul.document.protocol import Coverage, Siblings
from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.strg import DebugStringList
from overhaul.gamemaker.data.fields import StringRef
from overhaul.gamemaker.data.strings import AddressTable, StringTable
from overhaul.gamemaker.data.writer import fill_pointers
from overhaul.gamemaker.form import Data, Form, FormWriter, read_form
from overhaul.schema import (
    Buffer,
    Condition,
    Counted,
    Inline,
    Pointers,
    Reader,
    Record,
    Scheme,
    VariableCodec,
    Writer,
    codec_for,
    count_of,
    u32,
)
from overhaul.schema.streams import U32


class DebugLayout(NamedTuple):
    """The properties that differ between .yydebug files: functions inside entries (2.3+), string
    alignment."""

    functions: bool = True
    string_alignment: int = 4


with_functions: Condition = Condition(lambda layout: layout.functions, "2.3+")


class Source(Record):
    """The source of a code entry; a function inside another repeats its root's."""

    source: StringRef = None


class SourceList(Record):
    """One source for each code entry, in their order."""

    sources: Annotated[list[Source | None], Pointers()] = []


class SourcePlace(Record):
    """Where in the bytecode a place of the source begins."""

    bytecode_offset: Annotated[u32, "bytes"] = 0
    source_offset: Annotated[u32, "characters"] = 0


class Places(VariableCodec[list[SourcePlace]]):
    """A count of words (two for each pair), then the pairs."""

    minimum = 4

    def type_name(self) -> str:
        return "u32 count of words, then pairs of words"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[list[SourcePlace], int]:
        start = reader.take(data, position, 4)
        (count,) = U32.unpack_from(data, position)
        if count % 2:
            raise reader.fail(f"expected pairs of words, got {count} words", position)
        end = reader.take(data, start, 4 * count)
        return codec_for(SourcePlace).read_flat(data, start, count // 2, reader), end

    def write(self, writer: Writer, value: list[SourcePlace]) -> None:
        writer.length(2 * len(value))
        codec_for(SourcePlace).write_flat(writer, value)

    def to_jsonable(self, value: list[SourcePlace], scheme: Scheme) -> object:
        return [[place.bytecode_offset, place.source_offset] for place in value]

    def from_jsonable(self, value: Any, scheme: Scheme) -> list[SourcePlace]:
        try:
            return [SourcePlace(int(first), int(second)) for first, second in value]
        except (TypeError, ValueError):
            raise FormatError("expected pairs of numbers") from None


class EntryPlaces(Record):
    """The places of a code entry (2.3+: of a root entry)."""

    places: Annotated[list[SourcePlace], Places()] = []


class PlaceList(Record):
    """Places by entry; from 2.3 on the root of each entry goes first."""

    roots: Annotated[
        list[u32], Inline(), with_functions, "for each code entry, its root's number among roots"
    ] = []
    entries: Annotated[list[EntryPlaces | None], Pointers()] = []


class InstanceVariables(Record):
    """Not known: the list is empty in every file."""

    unknown: u32 = 0


class InstanceVariableList(Record):
    """An empty list."""

    variables: Annotated[list[InstanceVariables | None], Pointers()] = []


class LocalVariable(Record):
    """A local variable of a root entry, as in FUNC of the game."""

    index: Annotated[u32, "position; from 2.3 on the index of the name in the game's STRG"] = 0
    name: StringRef = None


class EntryLocals(Record):
    """The locals of a root entry."""

    count: ClassVar[u32] = count_of("locals")
    name: StringRef = None
    locals: Annotated[list[LocalVariable], Counted("count")] = []


class LocalsList(Record):
    """The locals of every root entry."""

    entries: Annotated[list[EntryLocals | None], Pointers()] = []


class DebugFunction(Record):
    """A function inside a root entry."""

    code_index: Annotated[u32, "index in the game's CODE"] = 0
    name: Annotated[StringRef, "short name"] = None
    length: Annotated[u32, "bytes of the function's body"] = 0
    argument_count: ClassVar[u32] = count_of("arguments")
    arguments: Annotated[list[StringRef], Counted("argument_count")] = []
    local_count: ClassVar[u32] = count_of("locals")
    locals: Annotated[list[StringRef], Counted("local_count")] = []


class DebugFunctionList(Record):
    """The functions inside root entries, by their place in CODE."""

    version: Annotated[u32, "1"] = 1
    functions: Annotated[list[DebugFunction | None], Pointers()] = []


CHUNK_RECORDS: dict[str, type[Record]] = {
    "SCPT": SourceList,
    "DBGI": PlaceList,
    "INST": InstanceVariableList,
    "LOCL": LocalsList,
    "DFNC": DebugFunctionList,
    "STRG": DebugStringList,
}


R = TypeVar("R", bound=Record)


class DebugData(BaseDocument):
    """A .yydebug file, as the official tools write it.

    ``chunks`` maps chunk names to their records (see :mod:`overhaul.gamemaker.debug.document`), in
    file order.
    """

    kind = "gamemaker-debug"

    def __init__(
        self,
        layout: DebugLayout,
        chunks: Iterable[str],
        *,
        alignment: int = 16,
        source: str | None = None,
    ) -> None:
        super().__init__(source)
        self.layout = layout
        self.alignment = alignment
        self.chunks: dict[str, Record] = {name: CHUNK_RECORDS[name]() for name in chunks}
        self._coverage = Coverage()
        self._spans: Mapping[str, tuple[int, int]] = {}

    @property
    def version(self) -> str:  # type: ignore[override]
        """Whether the file belongs to a game before 2.3 or from then on."""
        return "2.3 or later" if self.layout.functions else "before 2.3"

    def record(self, kind: type[R]) -> R:
        """The chunk of one kind; for a chunk that the file does not have, an empty one."""
        return next((r for r in self.chunks.values() if isinstance(r, kind)), None) or kind()

    @property
    def strings(self) -> StringTable:
        """All strings of the file."""
        return self.record(DebugStringList).strings

    @classmethod
    def from_bytes(
        cls,
        data: Data,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        siblings: Siblings | None = None,
    ) -> DebugData:
        """Read the whole file.  Raises FormatError."""
        form = read_form(data, source)
        for name in ("SCPT", "DBGI", "STRG"):
            if form.find(name) is None:
                raise FormatError(
                    f"not a debugger file: the chunk {name} is missing", source=source, offset=8
                )
        if form.trailing or form.form_length != len(data) - 8:
            raise FormatError("the FORM is not as long as the file", source=source, offset=4)
        for chunk in form.chunks:
            if chunk.name not in CHUNK_RECORDS:
                raise FormatError(
                    "an unknown chunk", source=source, offset=chunk.start - 8, path=chunk.name
                )
        strings = form.find("STRG")
        assert strings is not None
        alignment = _alignment(data, strings.start, strings.end)
        layout = DebugLayout(form.find("DFNC") is not None, alignment)
        names = [chunk.name for chunk in form.chunks]
        document = cls(layout, names, alignment=form.alignment, source=source)
        document._read(data, form)
        return document

    def _read(self, data: Data, form: Form) -> None:
        tables: dict[str, AddressTable] = {}
        for chunk in sorted(form.chunks, key=lambda chunk: chunk.name != "STRG"):
            reader = Reader(
                version=self.layout, tables=tables, source=self.source, base=chunk.start
            )
            view = memoryview(data)[: chunk.end]
            codec = codec_for(CHUNK_RECORDS[chunk.name], self.layout)
            try:
                record, position = codec.read(view, chunk.start, reader)
                last = chunk is form.chunks[-1]
                padding = 0 if last or self.alignment == 1 else -position % self.alignment
                if reader.notes or view[position:] != bytes(padding):
                    note = reader.notes[0] if reader.notes else "bytes are left at the end"
                    raise reader.fail(f"not as the official tools lay it out: {note}", position)
            except FormatError as error:
                error.source = self.source
                raise error.within(chunk.name) from None
            self.chunks[chunk.name] = record
            if chunk.name == "STRG":
                tables["string"] = AddressTable(self.strings, _pointers(data, chunk.start))
        self._spans = {chunk.name: (chunk.start - 8, chunk.end) for chunk in form.chunks}

    def to_bytes(self) -> bytes:
        """The file, rebuilt from the records."""
        writer = Writer(version=self.layout, encoders={"string": self.strings.encode})
        form = FormWriter(writer)
        for name, record in self.chunks.items():
            last = name == next(reversed(self.chunks))
            with form.chunk(name, align=1 if last else self.alignment):
                codec_for(type(record), self.layout).write(writer, record)
        form.finish()
        addresses = [0, *(pointer + 4 for pointer in form.pointers("STRG"))]
        fill_pointers(writer, "string", addresses)
        self._coverage = Coverage(decoded=len(writer.out))
        return bytes(writer.out)

    def coverage(self) -> Coverage:
        """All of it is decoded; valid after :meth:`to_bytes`."""
        return self._coverage

    def locate(self, offset: int) -> str:
        """The chunk a byte offset lies in."""
        for name, (start, end) in self._spans.items():
            if start <= offset < end:
                return name
        return ""

    def info(self) -> dict[str, object]:
        """How many sources, places and functions there are."""
        entries = self.record(PlaceList).entries
        return {
            "kind": self.kind,
            "version": self.version,
            "code_entries": len(self.record(SourceList).sources),
            "places": sum(len(entry.places) for entry in entries if entry is not None),
            "functions": len(self.record(DebugFunctionList).functions),
            "strings": len(self.strings),
            "chunks": list(self.chunks),
        }


def _pointers(data: Data, start: int) -> tuple[int, ...]:
    """The pointers of the list at the beginning of a chunk."""
    (count,) = struct.unpack_from("<I", data, start)
    return struct.unpack_from(f"<{count}I", data, start + 4)


def _alignment(data: Data, start: int, end: int) -> int:
    """The alignment of the strings; 1 if the list does not fit its chunk."""
    try:
        pointers = _pointers(memoryview(data)[:end], start)
    except struct.error:
        return 1
    return 4 if all(pointer % 4 == 0 for pointer in pointers) else 1
