"""A .yydebug file: what a debugger needs to step through a game's code."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from overhaul.document.protocol import (
    BaseDocument,
    Beside,
    Change,
    Coverage,
    Folder,
    PlainFile,
    Resource,
    UnpackOptions,
)
from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.chunks.strg import DebugStringList
from overhaul.gamemaker.data.container import Container, Data, read_container
from overhaul.gamemaker.data.strings import AddressTable, StringTable
from overhaul.gamemaker.data.writer import settle_pointers
from overhaul.gamemaker.debug.records import CHUNK_RECORDS, DebugLayout
from overhaul.schema import Reader, Record, Writer, codec_for


class DebugData(BaseDocument):
    """A .yydebug file, as the official tools write it.

    ``chunks`` maps chunk names to their records (see :mod:`.records`), in file order.
    """

    kind = "gamemaker-debug"

    def __init__(
        self, layout: DebugLayout, *, alignment: int = 16, source: str | None = None
    ) -> None:
        super().__init__(source)
        self.layout = layout
        self.alignment = alignment
        self.chunks: dict[str, Any] = {}
        self.strings = StringTable()
        self._coverage = Coverage()
        self._places: dict[str, tuple[int, int]] = {}

    @property
    def version(self) -> str:  # type: ignore[override]
        """Whether the file belongs to a game before 2.3 or from then on."""
        return "2.3 or later" if self.layout.functions else "before 2.3"

    @classmethod
    def from_bytes(
        cls,
        data: Data,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        beside: Beside | None = None,
    ) -> DebugData:
        """Read the whole file.  Raises FormatError."""
        container = read_container(data, source)
        for name in ("SCPT", "DBGI", "STRG"):
            if container.find(name) is None:
                raise FormatError(
                    f"no debugger file: the chunk {name} is missing", source=source, offset=8
                )
        if container.trailing or container.form_length != len(data) - 8:
            raise FormatError("the FORM is not as long as the file", source=source, offset=4)
        strings = container.find("STRG")
        assert strings is not None
        layout = DebugLayout(
            container.find("DFNC") is not None,
            _alignment(data, strings.start, strings.end),
        )
        document = cls(layout, alignment=container.alignment, source=source)
        document._read(data, container)
        return document

    def _read(self, data: Data, container: Container) -> None:
        table: dict[str, Any] = {}
        ordered = sorted(container.chunks, key=lambda chunk: chunk.name != "STRG")
        records: dict[str, Record] = {}
        for chunk in ordered:
            kind = CHUNK_RECORDS.get(chunk.name)
            if kind is None:
                raise FormatError(
                    "an unknown chunk", source=self.source, offset=chunk.start - 8, path=chunk.name
                )
            reader = Reader(version=self.layout, tables=table, source=self.source, base=chunk.start)
            view = memoryview(data)[: chunk.end]
            try:
                record, position = codec_for(kind, self.layout).read(view, chunk.start, reader)
                last = chunk is container.chunks[-1]
                padding = 0 if last or self.alignment == 1 else -position % self.alignment
                if reader.notes or view[position:] != bytes(padding):
                    note = reader.notes[0] if reader.notes else "bytes are left at the end"
                    raise reader.fail(f"not as the official tools lay it out: {note}", position)
            except FormatError as error:
                error.source = self.source
                raise error.within(chunk.name) from None
            records[chunk.name] = record
            if isinstance(record, DebugStringList):
                self.strings = record.strings
                (count,) = struct.unpack_from("<I", data, chunk.start)
                pointers = struct.unpack_from(f"<{count}I", data, chunk.start + 4)
                table["string"] = AddressTable(self.strings, pointers)
        for chunk in container.chunks:
            self.chunks[chunk.name] = records[chunk.name]
            self._places[chunk.name] = (chunk.start - 8, chunk.end)

    def to_bytes(self) -> bytes:
        """The file, rebuilt from the records."""
        writer = Writer(version=self.layout, encoders={"string": self.strings.encode})
        out = writer.out
        out += b"FORM\0\0\0\0"
        places: dict[str, int] = {}
        names = list(self.chunks)
        for name in names:
            out += name.encode("ascii") + b"\0\0\0\0"
            start = places[name] = len(out)
            try:
                codec_for(CHUNK_RECORDS[name], self.layout).write(writer, self.chunks[name])
            except EncodeError as error:
                raise error.within(name) from None
            if name != names[-1] and self.alignment > 1:
                writer.align(self.alignment)
            struct.pack_into("<I", out, start - 4, len(out) - start)
        struct.pack_into("<I", out, 4, len(out) - 8)
        (count,) = struct.unpack_from("<I", out, places["STRG"])
        pointers = struct.unpack_from(f"<{count}I", out, places["STRG"] + 4)
        settle_pointers(writer, "string", [0, *(pointer + 4 for pointer in pointers)])
        self._coverage = Coverage(decoded=len(out))
        return bytes(out)

    def coverage(self) -> Coverage:
        """All of it is decoded; valid after :meth:`to_bytes`."""
        return self._coverage

    def locate(self, offset: int) -> str:
        """The chunk a byte offset lies in."""
        for name, (start, end) in self._places.items():
            if start <= offset < end:
                return name
        return ""

    def info(self) -> dict[str, object]:
        """How many sources, places and functions there are."""
        functions = self.chunks.get("DFNC")
        places = self.chunks["DBGI"].entries
        return {
            "kind": self.kind,
            "version": self.version,
            "code_entries": len(self.chunks["SCPT"].sources),
            "places": sum(len(entry.places) for entry in places),
            "functions": 0 if functions is None else len(functions.functions),
            "strings": len(self.strings),
            "chunks": list(self.chunks),
        }

    @classmethod
    def empty(cls, settings: Mapping[str, object]) -> DebugData:
        """A new file without sources.  Raises WorkspaceError for settings that can't be."""
        from overhaul.gamemaker.debug_folder import take_settings

        layout, alignment, names = take_settings(settings)
        document = cls(layout, alignment=alignment)
        document.chunks = {name: CHUNK_RECORDS[name]() for name in names}
        document.strings = document.chunks["STRG"].strings
        return document

    def settings(self) -> dict[str, object]:
        """How the file is laid out."""
        from overhaul.gamemaker.debug_folder import settings

        return settings(self)

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """The sources, and the rest as JSON."""
        from overhaul.gamemaker.debug_folder import plain_files

        return plain_files(self, options)

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Change the file as its plain files were changed."""
        from overhaul.gamemaker.debug_folder import apply

        return apply(self, folder, changes)

    def tree(self) -> Iterable[Resource]:
        """The sources, by number: the file has no names for its entries."""
        from overhaul.gamemaker.debug_folder import DEBUG_JSON, SOURCES

        yield Resource("places", "debug", DEBUG_JSON)
        seen: set[int] = set()
        for index, entry in enumerate(self.chunks["SCPT"].sources):
            source = None if entry is None else entry.source
            if source is not None and id(source) not in seen:
                seen.add(id(source))
                yield Resource("source", str(index), f"{SOURCES}/{index}.gml", len(source.raw))


def _alignment(data: Data, start: int, end: int) -> int:
    if end - start < 4:
        return 1
    (count,) = struct.unpack_from("<I", data, start)
    if 4 * count > end - start - 4:
        return 1
    pointers = struct.unpack_from(f"<{count}I", data, start + 4)
    return 4 if all(pointer % 4 == 0 for pointer in pointers) else 1
