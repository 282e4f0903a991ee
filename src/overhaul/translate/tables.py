"""Messages as a table: a row each, with the same columns in CSV and XLSX files.

The first row names the columns.  A row without a source has the header of the messages in its
translation, as in a PO file.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import Final

import polib

from overhaul.bounds import MESSAGE, Budget
from overhaul.errors import FormatError
from overhaul.translate.results import new_messages

COLUMNS: Final = (
    "context",
    "source",
    "translation",
    "flags",
    "note",
    "comment",
    "previous",
    "places",
)
_NEEDED: Final = ("source", "translation")
_OBSOLETE: Final = "obsolete"
#: characters that XML can't have or that spreadsheets change, and texts that read as one
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPED: Final = re.compile("_x((?![Dd][89A-Fa-f])[0-9A-Fa-f]{4})_")
#: characters at the beginning of a cell that make it a formula
_FORMULA: Final = ("=", "+", "-", "@", "'", "\t", "\r")


def to_rows(messages: polib.POFile) -> Iterator[list[str]]:
    """The rows of messages, the names of the columns first.

    Control characters but tabs and line breaks are written as spreadsheets do, ``_x000D_``.
    """
    for row in _rows(messages):
        yield [_CONTROL.sub(lambda match: f"_x{ord(match[0]):04X}_", cell) for cell in row]


def _rows(messages: polib.POFile) -> Iterator[list[str]]:
    yield list(COLUMNS)
    head = "\n".join(f"{name}: {value}" for name, value in messages.metadata.items())
    yield ["", "", head, "", messages.header, "", "", ""]
    for entry in messages:
        flags = [*entry.flags, *([_OBSOLETE] if entry.obsolete else [])]
        places = (f"{name}:{line}" if line else str(name) for name, line in entry.occurrences)
        yield [
            entry.msgctxt or "",
            entry.msgid,
            entry.msgstr,
            ", ".join(dict.fromkeys(flags)),
            entry.comment,
            entry.tcomment,
            entry.previous_msgid or "",
            "\n".join(places),
        ]


def from_rows(rows: Iterable[tuple[int, list[str]]], name: str, budget: Budget) -> polib.POFile:
    """The messages of rows with their numbers.

    Raises FormatError with the cell that is wrong, and for more messages than ``budget`` allows.
    """
    made = polib.POFile(wrapwidth=0)
    made.metadata = new_messages("game").metadata
    made.fpath = name
    columns: dict[str, int] = {}
    seen: dict[tuple[str, str], int] = {}
    for number, row in rows:
        if not columns:
            columns = _columns(row, number, name)
            made.column = letters(columns["translation"])
            continue
        if not any(row):
            continue
        _refuse_beyond(row, columns, number, name)
        cells = {
            key: _ESCAPED.sub(lambda match: chr(int(match[1], 16)), row[columns[key]])
            if key in columns and columns[key] < len(row)
            else ""
            for key in COLUMNS
        }
        if not cells["source"]:
            _take_head(made, cells, number, letters(columns["source"]), name)
            continue
        key = cells["context"], cells["source"]
        if key in seen:
            cell = f"{letters(columns['source'])}{number}"
            raise FormatError(f"cell {cell}: this text is in row {seen[key]} too", source=name)
        seen[key] = number
        budget.take(MESSAGE, f"row {number}")
        made.append(_entry(cells, number))
    if not columns:
        raise FormatError(
            "the table is empty: expected the columns " + ", ".join(COLUMNS), source=name
        )
    return made


def _columns(row: list[str], number: int, name: str) -> dict[str, int]:
    columns: dict[str, int] = {}
    for index, cell in enumerate(row):
        title = cell.strip().casefold()
        if not title:
            continue
        if title not in COLUMNS or title in columns:
            what = "a second column" if title in columns else "an unknown column"
            raise FormatError(
                f"cell {letters(index)}{number}: {what} {cell.strip()!r:.60}, expected "
                + ", ".join(COLUMNS),
                source=name,
            )
        columns[title] = index
    for title in _NEEDED:
        if title not in columns:
            raise FormatError(f"row {number}: there is no column {title!r}", source=name)
    return columns


def _refuse_beyond(row: list[str], columns: dict[str, int], number: int, name: str) -> None:
    """Refuse cells outside of the columns, which would be lost."""
    known = set(columns.values())
    for index, cell in enumerate(row):
        if cell and index not in known:
            raise FormatError(
                f"cell {letters(index)}{number}: it is in no column that has a name", source=name
            )


def _take_head(
    made: polib.POFile, cells: dict[str, str], number: int, column: str, name: str
) -> None:
    lines = [line.partition(":") for line in cells["translation"].split("\n") if line.strip()]
    if made or not lines or not all(colon for _, colon, _ in lines):
        raise FormatError(f"cell {column}{number}: expected a text, got an empty cell", source=name)
    made.metadata = {key.strip(): value.strip() for key, _, value in lines}
    made.header = cells["note"]


def _entry(cells: dict[str, str], number: int) -> polib.POEntry:
    flags = [flag for word in cells["flags"].split(",") if (flag := word.strip())]
    obsolete = _OBSOLETE in flags
    occurrences = []
    for place in filter(None, cells["places"].split("\n")):
        where, colon, line = place.rpartition(":")
        occurrence = (where, line) if colon and line.isdigit() else (place, "")
        occurrences.append(occurrence)
    return polib.POEntry(
        msgctxt=cells["context"] or None,
        msgid=cells["source"],
        msgstr=cells["translation"],
        flags=[flag for flag in flags if flag != _OBSOLETE],
        obsolete=obsolete,
        comment=cells["note"],
        tcomment=cells["comment"],
        previous_msgid=cells["previous"] or None,
        occurrences=occurrences,
        linenum=number,
    )


def letters(index: int) -> str:
    """The letters of a column: A for 0, AA for 26."""
    letters = ""
    while index >= 0:
        index, rest = divmod(index, 26)
        letters = chr(ord("A") + rest) + letters
        index -= 1
    return letters


# --- CSV ------------------------------------------------------------------------------------


def to_csv(messages: polib.POFile) -> bytes:
    """Messages as CSV: UTF-8 with a mark (without it, Excel reads another encoding), commas.

    Texts that a spreadsheet would take for formulas have an apostrophe before them.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    for row in to_rows(messages):
        writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in row])
    return out.getvalue().encode("utf-8-sig")


def from_csv(data: bytes, name: str) -> polib.POFile:
    """The messages of CSV as spreadsheets write it: in UTF-8 or UTF-16, with , ; or tabs.

    Raises FormatError with the row or cell that is wrong.
    """
    text = _decoded(data, name)
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    return from_rows(_csv_rows(reader, name), name, Budget(len(data), name))


def _csv_rows(reader: Iterator[list[str]], name: str) -> Iterator[tuple[int, list[str]]]:
    number = 0
    while True:
        number += 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise FormatError(f"row {number}: not CSV: {error}", source=name) from None
        cells = [cell.replace("\r\n", "\n") for cell in row]
        yield (
            number,
            [
                cell[1:] if cell[:1] == "'" and cell[1:].startswith(_FORMULA) else cell
                for cell in cells
            ],
        )


def _decoded(data: bytes, name: str) -> str:
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(
            f"line {line}: not a text in {encoding.removesuffix('-sig').upper()}: "
            "save the table as CSV UTF-8",
            source=name,
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise FormatError(f"line {line}: a NUL character", source=name)
    return text
