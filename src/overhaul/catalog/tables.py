"""The tables of a catalogue: each column is declared once, with its type and what it says.

The declaration makes the Parquet schema and checks the rows (:mod:`overhaul.catalog.arrow`), and is
what ``overhaul catalog tables`` and the guide show.  A change after which older catalogues need
reading another way raises :data:`SCHEMA_VERSION`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

#: The version of the tables; it stands in the catalogue.
SCHEMA_VERSION: Final = 1


class Column(NamedTuple):
    """A column: its name, its type (a key of ``overhaul.catalog.arrow.TYPES``), what it says
    (``about``).
    """

    name: str
    type: str
    about: str


class Table(NamedTuple):
    """A table: its name, what a row is (``about``), and its columns."""

    name: str
    about: str
    columns: tuple[Column, ...]


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
        Column("kind", "text", "Its kind: sprite, object, room, code entry, ..."),
        Column("name", "text", "Its name."),
        Column("index", "number", "Its place among those of its kind, from 0."),
        Column("path", "text", "Where it is in the unpacked folder."),
        Column(
            "hash",
            "text",
            "The SHA-256 of its plain files, pictures by pixels; null if not all are read.",
        ),
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
        Column("codec", "text", "The codec: pcm, vorbis, ..."),
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
        Column("stage", "text", "The step: find, survey, open, verify, resources, code."),
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
    "A place with a file, and the type of the file: `places` and `contents`, as they are now.",
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
