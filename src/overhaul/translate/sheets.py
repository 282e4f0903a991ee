"""Messages as a spreadsheet (XLSX), by openpyxl, which is imported with this module.

A file is looked at before openpyxl reads it: how much its parts unpack to, and that none declares
entities.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import openpyxl
from openpyxl.cell.cell import WriteOnlyCell
from openpyxl.styles import Alignment

from overhaul.errors import EncodeError, FormatError
from overhaul.translate.tables import from_rows, letters, to_rows

if TYPE_CHECKING:
    import polib

_MOST_BYTES: Final = 64 << 20
_MOST_PARTS: Final = 1000
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
                cell.data_type = "s"  # also what begins like a formula
            cell.alignment = wrapped
            cells.append(cell)
        sheet.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _shown(text: str, place: str) -> str:
    """A text as a cell has it."""
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
        rows = list(_rows(book, name))
    except FormatError:
        raise
    except Exception as error:  # noqa: BLE001 - openpyxl fails in many ways on a broken file
        raise FormatError(
            f"not a spreadsheet: {type(error).__name__}: {error}"[:200], source=name
        ) from None
    return from_rows(rows, name)


def _look_at_parts(data: bytes, name: str) -> None:
    """Refuse what is not a zip, unpacks to too much, or declares entities."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            size = sum(part.file_size for part in parts)
            if len(parts) > _MOST_PARTS or size > _MOST_BYTES:
                raise FormatError(
                    f"the spreadsheet unpacks to {size} bytes in {len(parts)} parts, expected at "
                    f"most {_MOST_BYTES} in {_MOST_PARTS}",
                    source=name,
                )
            for part in parts:
                if b"<!DOCTYPE" in archive.read(part).replace(b"\0", b"").upper():
                    raise FormatError(
                        f"its part {part.filename!r:.80} declares a document type: no spreadsheet "
                        "has that",
                        source=name,
                    )
    except (
        zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, OSError,
        ValueError,
    ) as error:  # fmt: skip
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"not a spreadsheet (.xlsx): {error}", source=name) from None


def _rows(book: openpyxl.Workbook, name: str) -> Iterator[tuple[int, list[str]]]:
    sheet = book.worksheets[0]
    sheet.reset_dimensions()
    for number, row in enumerate(sheet.iter_rows(), start=1):
        if number > _MOST_ROWS or len(row) > _MOST_COLUMNS:
            raise FormatError(
                f"row {number}: expected at most {_MOST_ROWS} rows of {_MOST_COLUMNS} cells, got "
                f"{len(row)} cells",
                source=name,
            )
        yield (
            number,
            [_text(cell, f"{letters(index)}{number}", name) for index, cell in enumerate(row)],
        )


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
