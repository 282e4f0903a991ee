"""A .yydebug file as plain files: the sources, and where their places are in the bytecode.

``sources/N.gml`` is the source of entry N of the game's code and of those that share it.
``debug.json`` has for each entry the number of its source, and the chunks; strings show as text,
those that are not the first of their text as ``{"string": index}``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from overhaul.document.protocol import Change, Folder, PlainFile, UnpackOptions
from overhaul.errors import FormatError, WorkspaceError
from overhaul.folder.jsonkit import json_bytes, read_json, wide
from overhaul.gamemaker.data.strings import String, StringTable
from overhaul.gamemaker.debug.records import CHUNK_RECORDS, DebugLayout, Source
from overhaul.schema.jsonable import Scheme, from_jsonable, to_jsonable

if TYPE_CHECKING:
    from overhaul.gamemaker.debug.document import DebugData

DEBUG_JSON = "debug.json"
STRINGS_JSON = "strings.json"
SOURCES = "sources"


def settings(document: DebugData) -> dict[str, object]:
    """What differs between files: for overhaul.toml."""
    return {
        "functions": document.layout.functions,
        "string_alignment": document.layout.string_alignment,
        "alignment": document.alignment,
        "chunks": list(document.chunks),
    }


def take_settings(chosen: Mapping[str, object]) -> tuple[DebugLayout, int, list[str]]:
    """Layout, alignment and chunks from settings.  Raises WorkspaceError where they are wrong."""
    modern = bool(chosen.get("functions", str(chosen.get("version", "")) != "before 2.3"))
    alignments = []
    for key in ("string_alignment", "alignment"):
        value = chosen.get(key, (4 if key == "string_alignment" else 16) if modern else 1)
        if value not in (1, 4, 16):
            raise WorkspaceError(f"overhaul.toml: {key} is 1, 4 or 16, not {value!r}")
        alignments.append(int(str(value)))
    usual = ["SCPT", "DBGI", "INST", "LOCL", *(["DFNC"] if modern else []), "STRG"]
    names = chosen.get("chunks", usual)
    if (
        not isinstance(names, list)
        or len(set(map(str, names))) != len(names)
        or not {"SCPT", "DBGI", "STRG"} <= set(names) <= set(CHUNK_RECORDS)
        or modern != ("DFNC" in names)
    ):
        raise WorkspaceError(f"overhaul.toml: these can't be the chunks: {names!r}")
    return DebugLayout(modern, alignments[0]), alignments[1], names


def plain_files(document: DebugData, options: UnpackOptions) -> Iterator[PlainFile]:
    """The files of the folder."""
    yield PlainFile(DEBUG_JSON, lambda: json_bytes(_show(document), wide), origin="DBGI")
    if not _follows(document):
        yield PlainFile(
            STRINGS_JSON,
            lambda: json_bytes([string.text for string in document.strings], wide),
            origin="STRG",
        )
    for number, source in _own_sources(document):
        yield PlainFile(
            f"{SOURCES}/{number}.gml",
            lambda source=source: source.raw,  # type: ignore[misc]
            origin=f"SCPT[{number}]",
        )


def _own_sources(document: DebugData) -> Iterator[tuple[int, String]]:
    """The sources, each at the first entry that has it."""
    seen: set[int] = set()
    for number, entry in enumerate(document.chunks["SCPT"].sources):
        source = None if entry is None else entry.source
        if source is not None and id(source) not in seen:
            seen.add(id(source))
            yield number, source


def _show(document: DebugData) -> dict[str, Any]:
    numbers = {id(source): number for number, source in _own_sources(document)}
    scheme = _scheme(document)
    found: dict[str, Any] = {
        "sources": [
            None if entry is None or entry.source is None else numbers[id(entry.source)]
            for entry in document.chunks["SCPT"].sources
        ]
    }
    for name, record in document.chunks.items():
        if name not in ("SCPT", "STRG"):
            found[name] = to_jsonable(record, scheme)
    return found


def _scheme(document: DebugData) -> Scheme:
    strings = document.strings

    def show(string: Any) -> Any:
        if string is None:
            return None
        text = str(string)
        return text if strings.find(text) is string else {"string": string.index}

    def read(plain: Any) -> Any:
        if plain is None:
            return None
        if isinstance(plain, str):
            return strings.add(plain)
        number = plain.get("string") if isinstance(plain, dict) else None
        if not isinstance(number, int) or not 0 <= number < len(strings):
            raise FormatError(f"{plain!r} is no string of this file")
        return strings[number]

    return Scheme(document.layout, show={"string": show}, read={"string": read})


def _follows(document: DebugData) -> bool:
    """Whether the strings are those that are used, in the order of use, each once."""
    order: dict[int, None] = {}
    for string in _used(document):
        order.setdefault(string.index)
    texts = {str(string) for string in document.strings}
    return list(order) == list(range(len(document.strings))) and len(texts) == len(order)


def _used(document: DebugData) -> Iterator[String]:
    for name in document.chunks:
        if name == "SCPT":
            yield from (source for _, source in _own_sources(document))
        elif name == "LOCL":
            for entry in document.chunks[name].entries:
                if entry is not None:
                    yield from filter(None, [entry.name, *(each.name for each in entry.locals)])
        elif name == "DFNC":
            for each in document.chunks[name].functions:
                if each is not None:
                    yield from filter(None, [each.name, *each.arguments, *each.locals])


def apply(document: DebugData, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
    """Build the document anew from its files; those that the folder has not keep their content.

    Raises WorkspaceError and FormatError for files that can't be read.
    """
    if "overhaul.toml" in changes:
        layout, document.alignment, names = take_settings(folder.settings)
        document.layout = layout
        document.chunks = {
            name: document.chunks.get(name) or CHUNK_RECORDS[name]() for name in names
        }
    kept = {number: source.text for number, source in _own_sources(document)}
    shown = (
        read_json(folder.read(DEBUG_JSON), DEBUG_JSON) if DEBUG_JSON in folder else _show(document)
    )
    if not isinstance(shown, dict):
        raise WorkspaceError(f"{DEBUG_JSON}: expected an object")
    texts: list[str] = []
    if not _follows(document):
        texts = [string.text for string in document.strings]
    if STRINGS_JSON in folder:
        listed = read_json(folder.read(STRINGS_JSON), STRINGS_JSON)
        if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
            raise WorkspaceError(f"{STRINGS_JSON}: expected a list of texts")
        texts = listed
    elif changes.get(STRINGS_JSON) == "removed":
        texts = []
    strings = StringTable([String(text) for text in texts])
    document.strings = document.chunks["STRG"].strings = strings
    try:
        _read_sources(document, folder, shown, kept)
        scheme = _scheme(document)
        for name in document.chunks:
            if name not in ("SCPT", "STRG"):
                document.chunks[name] = from_jsonable(
                    CHUNK_RECORDS[name], shown.get(name, {}), scheme
                )
        _check(document)
    except FormatError as error:
        error.source = DEBUG_JSON
        raise
    return []


def _read_sources(
    document: DebugData, folder: Folder, shown: dict[str, Any], kept: dict[int, str]
) -> None:
    numbers = shown.get("sources", [])
    if not isinstance(numbers, list):
        raise FormatError("expected a list of numbers", path="sources")
    made: dict[int, String] = {}
    records = []
    for place, number in enumerate(numbers):
        if number is None:
            records.append(Source(None))
            continue
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise FormatError(f"{number!r} is no number of a source", path=f"sources[{place}]")
        if number not in made:
            made[number] = document.strings.add(_source(folder, number, kept))
        records.append(Source(made[number]))
    document.chunks["SCPT"].sources = records


def _source(folder: Folder, number: int, kept: dict[int, str]) -> str:
    path = f"{SOURCES}/{number}.gml"
    if path in folder or number not in kept:
        return folder.read(path).decode("utf-8", "surrogateescape")
    return kept[number]


def _check(document: DebugData) -> None:
    """The counts that must agree for the file to be read again."""
    functions = document.chunks.get("DFNC")
    for place, each in enumerate([] if functions is None else functions.functions):
        if each is None:
            continue
        for count, items in (("argument_count", "arguments"), ("local_count", "locals")):
            if getattr(each, count) != len(getattr(each, items)):
                raise FormatError(
                    f"{count} is not the number of {items}", path=f"DFNC.functions[{place}]"
                )
    for place, entry in enumerate(getattr(document.chunks.get("LOCL"), "entries", [])):
        if entry is not None and entry.count != len(entry.locals):
            raise FormatError("count is not the number of locals", path=f"LOCL.entries[{place}]")
