"""A .yydebug file as plain files: the sources, and where their places are in the bytecode.

``sources/N.gml`` is the source of entry N of the game's code and of those that share it.
``debug.json`` has for each entry the number of its source, and the chunks; strings show as text,
those that are not the first of their text as ``{"string": index}``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.document.folder_format import FolderFormat
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError, PlainFileError, WorkspaceError
from overhaul.findings import Findings
from overhaul.folder.json_fields import (
    at_key,
    expect_integer,
    expect_list,
    expect_texts,
    in_file,
    json_bytes,
    read_json,
    read_object,
    wide,
)
from overhaul.gamemaker.data.chunks.strg import DebugStringList
from overhaul.gamemaker.data.strings import String, StringTable
from overhaul.gamemaker.debug.document import (
    CHUNK_RECORDS,
    DebugData,
    DebugFunctionList,
    DebugLayout,
    LocalsList,
    Source,
    SourceList,
)
from overhaul.schema import Scheme
from overhaul.schema.jsonable import from_jsonable, to_jsonable

DEBUG_JSON = "debug.json"
STRINGS_JSON = "strings.json"
SOURCES = "sources"


class DebugFormat(FolderFormat[DebugData]):
    """Debugger data as a folder."""

    def settings(self, document: DebugData) -> dict[str, object]:
        """The settings of overhaul.toml that differ between files."""
        return {
            "functions": document.layout.functions,
            "string_alignment": document.layout.string_alignment,
            "alignment": document.alignment,
            "chunks": list(document.chunks),
        }

    def empty(self, settings: Mapping[str, object]) -> DebugData:
        """A new file without sources. Raises WorkspaceError for invalid settings."""
        layout, alignment, names = take_settings(settings)
        return DebugData(layout, names, alignment=alignment)

    def tree(self, document: DebugData) -> Iterator[Resource]:
        """The sources, by number: the file has no names for its entries."""
        yield Resource("places", "debug", DEBUG_JSON)
        for number, source in _own_sources(document):
            yield Resource("source", str(number), f"{SOURCES}/{number}.gml", len(source.raw))

    def plain_files(self, document: DebugData, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the folder."""
        yield PlainFile(DEBUG_JSON, lambda: json_bytes(_show(document), wide), origin="DBGI")
        if not _follows(document):
            yield PlainFile(
                STRINGS_JSON,
                lambda: json_bytes([str(string) for string in document.strings], wide),
                origin="STRG",
            )
        for number, source in _own_sources(document):
            yield PlainFile(
                f"{SOURCES}/{number}.gml",
                partial(getattr, source, "raw"),
                origin=f"SCPT[{number}]",
            )

    def apply(self, document: DebugData, folder: Folder, changes: Mapping[str, Change]) -> Findings:
        """Build the document again from its files; those that the folder does not have keep theirs.

        The counts of lists follow from the lists.  Raises WorkspaceError and FormatError for files
        that can't be read.
        """
        if "overhaul.toml" in changes:
            document.layout, document.alignment, names = take_settings(folder.settings)
            kept_chunks = document.chunks
            document.chunks = {
                name: kept_chunks.get(name) or CHUNK_RECORDS[name]() for name in names
            }
        kept = {number: str(source) for number, source in _own_sources(document)}
        shown = _show(document)
        if DEBUG_JSON in folder:
            shown = read_object(folder.read(DEBUG_JSON), DEBUG_JSON)
            for key in shown.keys() - document.chunks.keys() - {"sources"}:
                raise PlainFileError("there is no such key here", DEBUG_JSON, key)
        texts: list[str] = []
        if STRINGS_JSON in folder:
            with in_file(STRINGS_JSON):
                texts = expect_texts(read_json(folder.read(STRINGS_JSON), STRINGS_JSON))
        elif changes.get(STRINGS_JSON) != "removed" and not _follows(document):
            texts = [str(string) for string in document.strings]
        document.record(DebugStringList).strings = StringTable([String(text) for text in texts])
        with in_file(DEBUG_JSON):
            _read_sources(document, folder, shown.get("sources", []), kept)
            scheme = _scheme(document)
            for name, record in document.chunks.items():
                if name not in ("SCPT", "STRG"):
                    document.chunks[name] = from_jsonable(type(record), shown.get(name, {}), scheme)
        return Findings()


FORMAT: Final = DebugFormat()


def take_settings(chosen: Mapping[str, object]) -> tuple[DebugLayout, int, list[str]]:
    """Layout, alignment and chunks from settings. Raises WorkspaceError for invalid settings."""
    modern = bool(chosen.get("functions", str(chosen.get("version", "")) != "before 2.3"))
    alignments = []
    for key, usual in (("string_alignment", 4), ("alignment", 16)):
        value = chosen.get(key, usual if modern else 1)
        if value not in (1, 4, 16):
            raise WorkspaceError(f"overhaul.toml: {key}: expected 1, 4 or 16, got {value!r}")
        alignments.append(int(str(value)))
    names = chosen.get("chunks", [name for name in CHUNK_RECORDS if modern or name != "DFNC"])
    if (
        not isinstance(names, list)
        or len(set(map(str, names))) != len(names)
        or not {"SCPT", "DBGI", "STRG"} <= set(names) <= set(CHUNK_RECORDS)
        or modern != ("DFNC" in names)
    ):
        raise WorkspaceError(
            f"overhaul.toml: chunks: not a valid list with functions = {modern}: {names!r:.60}"
        )
    return DebugLayout(modern, alignments[0]), alignments[1], names


def _own_sources(document: DebugData) -> Iterator[tuple[int, String]]:
    """The sources, each at the first entry that has it."""
    seen: set[int] = set()
    for number, entry in enumerate(document.record(SourceList).sources):
        source = None if entry is None else entry.source
        if isinstance(source, String) and id(source) not in seen:
            seen.add(id(source))
            yield number, source


def _show(document: DebugData) -> dict[str, object]:
    numbers = {id(source): number for number, source in _own_sources(document)}
    scheme = _scheme(document)
    sources = document.record(SourceList).sources
    values: dict[str, object] = {
        "sources": [None if entry is None else numbers.get(id(entry.source)) for entry in sources]
    }
    for name, record in document.chunks.items():
        if name not in ("SCPT", "STRG"):
            values[name] = to_jsonable(record, scheme)
    return values


def _scheme(document: DebugData) -> Scheme:
    strings = document.strings

    def show(string: String | None) -> object:
        if string is None:
            return None
        text = str(string)
        return text if strings.find(text) is string else {"string": string.number}

    def read(plain: object) -> String | None:
        if plain is None:
            return None
        if isinstance(plain, str):
            return strings.add(plain)
        number = plain.get("string") if isinstance(plain, dict) else None
        if not isinstance(number, int) or not 0 <= number < len(strings):
            raise FormatError(f"not a string of this file: {plain!r}")
        return strings[number]

    return Scheme(document.layout, show={"string": show}, read={"string": read})


def _follows(document: DebugData) -> bool:
    """Whether the strings are exactly the used ones, each once and in the order of use."""
    order = list(dict.fromkeys(string.number for string in _used(document)))
    texts = {str(string) for string in document.strings}
    return order == list(range(len(document.strings))) and len(texts) == len(order)


def _used(document: DebugData) -> Iterator[String]:
    for record in document.chunks.values():
        strings: list[object] = []
        if isinstance(record, SourceList):
            strings += (source for _, source in _own_sources(document))
        elif isinstance(record, LocalsList):
            for entry in filter(None, record.entries):
                strings += (entry.name, *(local.name for local in entry.locals))
        elif isinstance(record, DebugFunctionList):
            for function in filter(None, record.functions):
                strings += (function.name, *function.arguments, *function.locals)
        yield from (string for string in strings if isinstance(string, String))


def _read_sources(
    document: DebugData, folder: Folder, numbers: object, kept: Mapping[int, str]
) -> None:
    made: dict[int, String] = {}
    records: list[Source | None] = []
    with at_key("sources"):
        for index, number in enumerate(expect_list(numbers)):
            if number is None:
                records.append(Source(None))
                continue
            with at_key("", index):
                number = expect_integer(number, 0)
            if number not in made:
                with at_key("", index):
                    made[number] = document.strings.add(_source(folder, number, kept))
            records.append(Source(made[number]))
    document.record(SourceList).sources = records


def _source(folder: Folder, number: int, kept: Mapping[int, str]) -> str:
    path = f"{SOURCES}/{number}.gml"
    if path not in folder and number not in kept:
        raise FormatError(f"there is no file {path}")
    if path in folder:
        return folder.read(path).decode("utf-8", "surrogateescape")
    return kept[number]
