"""Messages as a spreadsheet (XLSX), by openpyxl, which is imported with this module.

A file is checked before openpyxl reads it: the size that its parts unpack to, the number of
elements that become objects, and that none declares entities.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final
from xml.parsers import expat

import openpyxl
from openpyxl.cell.cell import WriteOnlyCell
from openpyxl.styles import Alignment

from overhaul.bounds import Budget
from overhaul.document.archives import ZipMembers
from overhaul.errors import EncodeError, FormatError
from overhaul.translate.tables import from_rows, letters, to_rows

if TYPE_CHECKING:
    import polib

#: the bytes that all parts unpack to: these, and as many times the size of the file
_LEAST: Final = 24 << 20
_TIMES: Final = 8
#: elements other than those of texts and cells; openpyxl makes objects of a kilobyte of them
_MOST_OTHERS: Final = 1 << 16
#: the elements of rows and texts; those that openpyxl forgets behind them, and what one may have
_OF_CELLS: Final = frozenset(
    {"sheetData", "row", "c", "v", "f", "is", "t", "si", "r", "rPr", "rFont", "sz", "color"}
    | {"family", "charset", "scheme", "phoneticPr"}
)
_UNITS: Final = frozenset(("row", "si"))
_MOST_INSIDE: Final = 1 << 16
_DEEPEST: Final = 64
_DOCUMENT_TYPE: Final = re.compile(rb"<!DOCTYPE", re.IGNORECASE)
_MOST_CELLS: Final = 1 << 20
_MOST_ROWS: Final = 200_000
_MOST_COLUMNS: Final = 64
_LONGEST: Final = 32_767
_WIDTHS: Final = (12, 50, 50, 12, 40, 20, 20, 20)


def to_xlsx(messages: polib.POFile) -> bytes:
    """Messages as a spreadsheet.  Raises EncodeError for a text too long for a cell."""
    rows = [
        [_shown(text, f"{letters(index)}{number}") for index, text in enumerate(row)]
        for number, row in enumerate(to_rows(messages), start=1)
    ]
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("texts")
    sheet.freeze_panes = "A2"
    for index, width in enumerate(_WIDTHS):
        sheet.column_dimensions[letters(index)].width = width
    wrapped = Alignment(wrap_text=True, vertical="top")
    for row in rows:
        cells = []
        for text in row:
            cell = WriteOnlyCell(sheet, text or None)
            if text:
                cell.data_type = "s"  # also a text that begins like a formula
            cell.alignment = wrapped
            cells.append(cell)
        sheet.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _shown(text: str, place: str) -> str:
    """A text in the form of a cell."""
    if len(text) > _LONGEST:
        raise EncodeError(
            f"cell {place}: {len(text)} characters, a cell has at most {_LONGEST}: use PO or CSV"
        )
    return text


def from_xlsx(data: bytes, name: str) -> polib.POFile:
    """The messages of the first sheet.  Raises FormatError with the cell that is wrong."""
    _look_at_parts(data, name)
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True)
        return from_rows(_rows(book, name), name, Budget(len(data), name))
    except FormatError:
        raise
    except Exception as error:  # noqa: BLE001 - openpyxl fails in many ways on a broken file
        raise FormatError(
            f"not a spreadsheet: {type(error).__name__}: {error}"[:200], source=name
        ) from None


def _look_at_parts(data: bytes, name: str) -> None:
    """Refuse what is not a zip, unpacks to too much, declares entities, or has many styles."""
    try:
        archive = ZipMembers(data, name, Budget(len(data), name, least=_LEAST, times=_TIMES))
    except FormatError as error:
        raise FormatError(f"not a spreadsheet (.xlsx): {error.message}", source=name) from None
    scan = _Scan()
    for part in dict.fromkeys(archive.names()):
        content = archive.read(part)
        if _DOCUMENT_TYPE.search(content.replace(b"\0", b"")):
            wrong = "declares a document type: no spreadsheet has that"
        else:
            wrong = scan.look_at(content)
        if wrong:
            raise FormatError(f"its part {part!r:.80} {wrong}", source=name)


class _Scan:
    """Checks XML for elements that take openpyxl more memory than cells do."""

    def __init__(self) -> None:
        self._others = 0
        self._depth = self._inside = 0
        self._wrong = ""

    def look_at(self, content: bytes) -> str:
        """The problem of a part; "" if it has none, or if it is not XML."""
        self._depth = 0
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        with suppress(expat.ExpatError, LookupError, ValueError, _EnoughError):
            parser.Parse(content, True)
        return self._wrong

    def _start(self, tag: str, attributes: object) -> None:
        name = tag.rpartition(":")[2]
        self._depth += 1
        self._inside = 0 if name in _UNITS else self._inside + 1
        self._others += name not in _OF_CELLS
        if self._others > _MOST_OTHERS:
            self._wrong = "has too many elements other than cells: save it as CSV"
        elif self._depth > _DEEPEST:
            self._wrong = "has elements that are nested too deeply"
        elif self._inside > _MOST_INSIDE and name in _OF_CELLS:
            self._wrong = f"has more than {_MOST_INSIDE} elements in a row, or in a text"
        if self._wrong:
            raise _EnoughError

    def _end(self, tag: str) -> None:
        self._depth -= 1


class _EnoughError(Exception):
    """Raised to stop reading a part."""


def _rows(book: openpyxl.Workbook, name: str) -> Iterator[tuple[int, list[str]]]:
    sheet = book.worksheets[0]
    sheet.reset_dimensions()
    filled = 0
    for number, row in enumerate(sheet.iter_rows(), start=1):
        if number > _MOST_ROWS or len(row) > _MOST_COLUMNS:
            raise FormatError(
                f"row {number}: expected at most {_MOST_ROWS} rows of {_MOST_COLUMNS} cells, got "
                f"{len(row)} cells",
                source=name,
            )
        texts = [_text(cell, f"{letters(index)}{number}", name) for index, cell in enumerate(row)]
        filled += sum(map(bool, texts))
        if filled > _MOST_CELLS:
            raise FormatError(
                f"row {number}: expected at most {_MOST_CELLS} cells with a text", source=name
            )
        yield number, texts


def _text(cell: object, place: str, name: str) -> str:
    value, kind = getattr(cell, "value", None), getattr(cell, "data_type", "n")
    if value is None:
        return ""
    if kind in ("f", "e") or not isinstance(value, str | int | float):
        what = {"f": "a formula", "e": "an error"}.get(kind, f"a {type(value).__name__}")
        raise FormatError(
            f"cell {place}: expected a text, got {what}: format the cell as text", source=name
        )
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).upper() if isinstance(value, bool) else str(value)
