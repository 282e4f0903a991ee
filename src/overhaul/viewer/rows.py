"""The table of all strings of a game as rows, each counted from 0 as code counts strings."""

from __future__ import annotations

import csv
import io
import sys

#: what stands before the number of a row in its anchor; indexes have it for texts that are rows
ROW = "row"
# A string may be as long as its file; the limit is one of the whole program.
csv.field_size_limit(min(sys.maxsize, (1 << 31) - 1))


def rows_of(text: str) -> tuple[list[str], list[list[str]]]:
    """The names of the columns, and the rows, of CSV."""
    cells = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    if not cells:
        return [], []
    wide = len(cells[0])
    return cells[0], [row + [""] * (wide - len(row)) for row in cells[1:]]


def place_of(number: int) -> str:
    """What the address of a table ends with, so that it shows a row."""
    return f"?row={number}#{ROW}{number}"
