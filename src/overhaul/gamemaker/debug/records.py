"""The chunks of a .yydebug file.

Source: the debug-format section of the bytecode and data.win references, checked on the files of
the corpus; docs/formats/yydebug.md describes each chunk.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, NamedTuple

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.strg import DebugStringList
from overhaul.gamemaker.data.fields import StringRef
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
    """What differs between .yydebug files: functions inside entries (2.3+), string alignment."""

    functions: bool = True
    string_alignment: int = 4


with_functions: Condition = Condition(lambda layout: layout.functions, "2.3+")


class Source(Record):
    """The source of a code entry; a function inside another repeats its root's."""

    source: StringRef = None


class SourceList(Record):
    """One source for each code entry, in their order."""

    sources: Annotated[list[Source | None], Pointers()] = []


class Place(Record):
    """Where in the bytecode a place of the source begins."""

    bytecode_offset: Annotated[u32, "bytes"] = 0
    source_offset: Annotated[u32, "characters"] = 0


class Places(VariableCodec[list[Place]]):
    """A count of words (two for each pair), then the pairs."""

    minimum = 4

    def type_name(self) -> str:
        return "u32 count of words, then pairs of words"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[list[Place], int]:
        start = reader.take(data, position, 4)
        (count,) = U32.unpack_from(data, position)
        if count % 2:
            raise reader.fail(f"expected pairs of words, got {count} words", position)
        end = reader.take(data, start, 4 * count)
        return codec_for(Place).read_flat(data, start, count // 2, reader), end

    def write(self, writer: Writer, value: list[Place]) -> None:
        writer.length(2 * len(value))
        codec_for(Place).write_flat(writer, value)

    def to_jsonable(self, value: list[Place], scheme: Scheme) -> object:
        return [[place.bytecode_offset, place.source_offset] for place in value]

    def from_jsonable(self, value: Any, scheme: Scheme) -> list[Place]:
        try:
            return [Place(int(first), int(second)) for first, second in value]
        except (TypeError, ValueError):
            raise FormatError("expected pairs of numbers") from None


class EntryPlaces(Record):
    """The places of a code entry (2.3+: of a root entry)."""

    places: Annotated[list[Place], Places()] = []


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
