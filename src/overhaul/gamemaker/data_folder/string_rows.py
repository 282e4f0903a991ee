"""The rows of strings.csv, as we write them and as other people's programs do.

The columns are ``index``, ``text``, ``kind`` (what code makes of the text: see
:mod:`overhaul.gamemaker.data_folder.strings`) and, for texts that are not UTF-8, ``bytes``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.strings import String

COLUMNS = ("index", "text", "kind", "bytes")
_LONGEST_FIELD = 1 << 30
_PLAIN = re.compile(r'[^",\r\n\0]*').fullmatch
_BREAK = re.compile(r"\r\n|\r|\n")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_LONE_FEED = re.compile(r"(?<!\r)\n")
#: the first of the characters that stand for a lone CR while rows are split
_PRIVATE = 0xE000


class Row(NamedTuple):
    """A row: ``number`` is None for a new text; ``place`` is what errors call it."""

    place: str
    number: int | None
    text: str
    kind: str


class Rows(NamedTuple):
    """The rows of a file, by what it says.

    ``converted``: whether the program that wrote it made all line breaks in texts the same.
    ``ignored``: the columns that mean nothing, in words.
    """

    rows: list[Row]
    converted: bool
    ignored: str


# -------------------------------------------------------------------------------------- writing


def write_rows(table: Iterable[String], kinds: Mapping[int, str]) -> bytes:
    """All texts; one that is not UTF-8 has its bytes too."""
    rows = [_row(index, string, kinds.get(index, "")) for index, string in enumerate(table)]
    width = max([3, *(len(row) for row in rows)])
    lines = [",".join(COLUMNS[:width]), *(",".join(row) for row in rows)]
    return ("\n".join(lines) + "\n").encode("utf-8")


def _row(index: int, string: String, kind: str) -> list[str]:
    try:
        string.encode("utf-8")
    except UnicodeEncodeError:
        raw = string.raw
        return [str(index), _cell(raw.decode("utf-8", "replace")), kind, raw.hex()]
    return [str(index), _cell(string), *([kind] if kind else [])]


def _cell(text: str) -> str:
    """A text as CSV; quoted wherever some program might read it otherwise."""
    if _PLAIN(text) and text.strip() == text:
        return text
    return '"' + text.replace('"', '""') + '"'


# -------------------------------------------------------------------------------------- reading


def read_rows(data: bytes, path: str) -> Rows:
    """The rows of a file.  Raises WorkspaceError naming the row."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WorkspaceError(f"{path}: not text in UTF-8: {error}") from None
    try:
        cells = _split(text)
    except csv.Error as error:
        raise WorkspaceError(f"{path}: not valid CSV: {error}") from None
    names: Sequence[str] = COLUMNS
    has_names = bool(cells) and (cells[0][:1] == ["index"] or {"index", "text"} <= {*cells[0]})
    if has_names:
        names = cells[0] if len(cells[0]) > 2 else [*cells[0], "bytes"]  # as it was once
    column = {name: place for place, name in reversed(list(enumerate(names)))}
    if "text" not in column:
        raise WorkspaceError(f"{path}: row 1: expected a column 'text', got {', '.join(names)}")
    found: dict[int, str] = {}
    rows = []
    longest = 0
    for number, row in enumerate(cells[has_names:], 1 + has_names):
        if not row:
            continue
        longest = max(longest, len(row))
        read = _read_row(row, column, f"{path}: row {number}")
        if read.number is not None and found.setdefault(read.number, read.place) != read.place:
            raise WorkspaceError(f"{read.place}: the index {read.number} occurs twice")
        rows.append(read)
    strange = [repr(name) for name in names if name not in COLUMNS]
    if longest > len(names):
        strange.append(f"those after the column {len(names)}")
    converted = not _LONE_FEED.search(text) or not any("\r" in row.text for row in rows)
    return Rows(rows, converted, ", ".join(strange))


def _split(text: str) -> list[list[str]]:
    """The cells of CSV, where a lone CR need not be quoted."""
    mark = ""
    if "\n" in text and _LONE_RETURN.search(text):
        mark = next(c for c in map(chr, range(_PRIVATE, 0x10000)) if c not in text)
        text = _LONE_RETURN.sub(mark, text)
    limit = csv.field_size_limit(_LONGEST_FIELD)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    finally:
        csv.field_size_limit(limit)
    return [[cell.replace(mark, "\r") for cell in row] for row in rows] if mark else rows


def _read_row(row: list[str], column: Mapping[str, int], place: str) -> Row:
    def cell(name: str) -> str:
        at = column.get(name, len(row))
        return row[at] if at < len(row) else ""

    if column["text"] >= len(row):
        raise WorkspaceError(f"{place}: expected an index and a text")
    mark = cell("index").strip()
    if mark and not (mark.isascii() and mark.isdigit() and len(mark) < 10):
        raise WorkspaceError(f"{place}: {mark!r} is not an index")
    text = cell("text")
    if cell("bytes"):
        try:
            raw = bytes.fromhex(cell("bytes"))
        except ValueError:
            raise WorkspaceError(f"{place}: the column bytes is not hexadecimal") from None
        if raw.decode("utf-8", "replace") == text:
            text = raw.decode("utf-8", "surrogateescape")
    return Row(place, int(mark) if mark else None, text, cell("kind").strip())


# ---------------------------------------------------------------------------------- line breaks


def same_but_breaks(one: str, two: str) -> bool:
    """Whether two texts are the same, or differ in how their lines end."""
    return one == two or _BREAK.sub("\n", one) == _BREAK.sub("\n", two)


def with_breaks_of(text: str, before: str) -> str:
    """A text whose lines end as those of the text before; LF where that has several ways."""
    kinds = set(_BREAK.findall(before))
    return _BREAK.sub(kinds.pop() if len(kinds) == 1 else "\n", text)
