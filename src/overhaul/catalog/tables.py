"""The tables of a catalogue: each column is declared once, with its type and what it says.

The declaration makes the Parquet schema, checks the rows, and is what ``overhaul catalog tables``
and the guide show.  What changes it so that older catalogues need reading another way raises
:data:`SCHEMA_VERSION`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import pyarrow as pa

#: The version of the tables; it stands in the catalogue.
SCHEMA_VERSION: Final = 1

_TYPES: Final[dict[str, Any]] = {
    "text": pa.large_string(),
    "texts": pa.list_(pa.large_string()),
    "number": pa.int64(),
    "bits": pa.uint64(),
    "seconds": pa.float64(),
    "flag": pa.bool_(),
    "counts": pa.map_(pa.string(), pa.int64()),
}


class Column(NamedTuple):
    """A column: its name, the key of its type in this module, and what it says."""

    name: str
    type: str
    about: str


class Table(NamedTuple):
    """A table: its name, what a row is, and its columns."""

    name: str
    about: str
    columns: tuple[Column, ...]

    @property
    def schema(self) -> Any:
        """The schema as :mod:`pyarrow` has it."""
        return pa.schema([(column.name, _TYPES[column.type]) for column in self.columns])

    def arrow(self, rows: Sequence[Mapping[str, object]]) -> Any:
        """Rows as an Arrow table; a column that a row lacks is null there.

        Raises KeyError for a row with a column that the table does not have.
        """
        names = [column.name for column in self.columns]
        for row in rows:
            if unknown := row.keys() - names:
                raise KeyError(f"{self.name} has no column {sorted(unknown)[0]!r}")
        columns = [
            pa.array([_plain(row.get(column.name)) for row in rows], _TYPES[column.type])
            for column in self.columns
        ]
        return pa.Table.from_arrays(columns, schema=self.schema)


def to_stream(table: Any) -> bytes:
    """An Arrow table as the bytes of a stream."""
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    return bytes(out.getvalue())


def from_stream(data: bytes) -> Any:
    """The Arrow table in a stream."""
    return pa.ipc.open_stream(data).read_all()


def _plain(value: object) -> object:
    """A value that Arrow takes: texts of games may have halves of characters."""
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return [(plain_text(key), number) for key, number in value.items()]
    return value


def plain_text(text: str) -> str:
    """A text without lone surrogates: these are written as ``\\udc80``."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


_FILE: Final = Column("file", "text", "The file: `files.sha256`.")
_RUN: Final = Column("run", "number", "The build that wrote the row, counted from 1.")
_CONTAINER: Final = Column(
    "container", "text", "The file on the disk or in the store that it is in."
)

PLACES: Final = Table(
    "places",
    "A place where a file was met.",
    (
        Column("place", "text", "The path or address; `!` leads into a container."),
        _CONTAINER,
        Column("sha256", "text", "The SHA-256 of the bytes; null for files of no known format."),
        Column("size", "number", "Bytes."),
        Column("modified", "number", "When `container` was last changed, in nanoseconds."),
        Column("detected", "text", "The kind that the content shows; null for no known format."),
        Column("gone", "flag", "Whether the place was no longer there."),
        _RUN,
    ),
)

CONTENTS: Final = Table(
    "contents",
    "What a file is, for each content that was read.",
    (
        Column("sha256", "text", "The SHA-256 of the bytes."),
        Column("kind", "text", "The kind of document; null where it could not be opened."),
        Column("version", "text", "The version that the evidence shows."),
        Column("evidence", "texts", "What shows it."),
        Column("name", "text", "The name that the file gives itself."),
        Column("file_name", "text", "The name of the file that it gives itself."),
        Column("built", "text", "When it was built or last changed, as the file says."),
        Column("bytecode", "number", "The version of GameMaker's bytecode."),
        Column("counts", "counts", "How many resources of each kind it has."),
        Column("identical", "flag", "Whether it rebuilds byte for byte; null if not tried."),
        Column("first_difference", "number", "The offset of the first byte that differs."),
        Column("decoded", "number", "Bytes that are decoded into fields."),
        Column("media", "number", "Bytes of pictures and sounds of known formats."),
        Column("opaque", "number", "Bytes that are carried without being understood."),
        Column("code_entries", "number", "Code entries that were compiled again (--verify-code)."),
        Column("code_identical", "number", "Those of them that compile to the same bytes."),
        Column("companions", "texts", "The names of files next to it that belong to it."),
        Column("warnings", "texts", "What reading it reported."),
        Column("seconds", "seconds", "How long reading it took."),
        Column("memory", "number", "The peak memory of the process that read it, in bytes."),
        _RUN,
    ),
)

RESOURCES: Final = Table(
    "resources",
    "A resource of a file, as `overhaul ls` lists it.",
    (
        _FILE,
        Column("kind", "text", "What it is: sprite, object, room, code entry, ..."),
        Column("name", "text", "Its name."),
        Column("index", "number", "Its place among those of its kind, from 0."),
        Column("path", "text", "Where it is in the unpacked folder."),
        Column("hash", "text", "The SHA-256 of its plain files; pictures count by their pixels."),
        Column("size", "number", "Bytes of its plain files; pictures are four for each pixel."),
        Column("summary", "text", "The plain values at the top of its JSON file, as JSON."),
    ),
)

CODE: Final = Table(
    "code",
    "A code entry: a script, an event, a function.",
    (
        _FILE,
        Column("name", "text", "Its name."),
        Column("path", "text", "Where its source is in the unpacked folder."),
        Column("instructions", "number", "Instructions; null where only source is stored."),
        Column("tokens", "number", "Tokens of its source, without comments."),
        Column("hash", "text", "The SHA-256 of its source."),
        Column(
            "normal_hash",
            "text",
            "The SHA-256 of its tokens, with local variables and resources numbered by first use.",
        ),
        Column("source", "text", "The source (--sources)."),
    ),
)

CALLS: Final = Table(
    "calls",
    "What a code entry names: a function that it calls, a resource.",
    (
        _FILE,
        Column("caller", "text", "The code entry."),
        Column("callee", "text", "What it names."),
        Column("kind", "text", "`function`, `method`, or the kind of the resource."),
        Column("count", "number", "How often."),
    ),
)

STRINGS: Final = Table(
    "strings",
    "A text: an entry of the string table, or where there is none, a text in code and data.",
    (
        _FILE,
        Column("index", "number", "Its index in the string table, or its place in the order."),
        Column("text", "text", "The text; lone surrogates are written as \\udc80."),
        Column("place", "text", "The plain file that has it."),
    ),
)

IMAGES: Final = Table(
    "images",
    "A picture: a frame of a sprite, a background, a texture page, a mask.",
    (
        _FILE,
        Column("path", "text", "Where it is in the unpacked folder."),
        Column("kind", "text", "The kind of the resource that it belongs to."),
        Column("name", "text", "The name of that resource."),
        Column("width", "number", "Pixels."),
        Column("height", "number", "Pixels."),
        Column("hash", "text", "The SHA-256 of width, height and the pixels (RGBA)."),
        Column("perceptual", "bits", "64 bits that similar pictures share most of (dHash)."),
    ),
)

SOUNDS: Final = Table(
    "sounds",
    "The file of a sound.",
    (
        _FILE,
        Column("path", "text", "Where it is in the unpacked folder."),
        Column("name", "text", "The name of the resource that it belongs to."),
        Column("format", "text", "ogg, wav, mp3, ..."),
        Column("codec", "text", "What is inside: pcm, vorbis, ..."),
        Column("length", "seconds", "Seconds, where its headers say."),
        Column("hash", "text", "The SHA-256 of its bytes."),
        Column("size", "number", "Bytes."),
    ),
)

ERRORS: Final = Table(
    "errors",
    "What could not be read, and why.",
    (
        Column("place", "text", "The file."),
        _CONTAINER,
        Column("sha256", "text", "The SHA-256 of its bytes, where they could be read."),
        Column("stage", "text", "What was done: find, survey, open, verify, resources, code."),
        Column("error", "text", "The kind of error: format, system, memory, time, crash."),
        Column("message", "text", "What went wrong."),
        _RUN,
    ),
)

#: The tables as they are stored, by name.
STORED: Final[dict[str, Table]] = {
    table.name: table
    for table in (
        PLACES,
        CONTENTS,
        RESOURCES,
        CODE,
        CALLS,
        STRINGS,
        IMAGES,
        SOUNDS,
        ERRORS,
    )
}

#: The columns of the view ``files`` in front of those of :data:`CONTENTS`.
_OF_PLACES: Final = ("place", "container", "sha256", "size", "detected")
FILES: Final = Table(
    "files",
    "A place with a file, with what the file is: `places` and `contents`, as they are now.",
    (
        *(column for column in PLACES.columns if column.name in _OF_PLACES),
        Column("status", "text", "`read`, `partly` (with errors), or `failed`."),
        *(column for column in CONTENTS.columns if column.name not in ("sha256", "run")),
    ),
)

#: The tables as queries see them, by name.
SHOWN: Final[dict[str, Table]] = {
    table.name: table for table in (FILES, RESOURCES, CODE, CALLS, STRINGS, IMAGES, SOUNDS, ERRORS)
}
