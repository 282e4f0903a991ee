"""strings.csv: all texts of a game, in order; an edited row changes that text."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.strings import String

if TYPE_CHECKING:
    from overhaul.gamemaker.data.strings import StringTable

HEADER = ["index", "text"]
_LONGEST_FIELD = 1 << 30
_PLAIN = re.compile(r'[^",\r\n\0]*').fullmatch


def write_strings(table: StringTable) -> bytes:
    """The rows ``index,text``; a text that is not UTF-8 has its bytes in a third column."""
    rows = [",".join(HEADER)]
    rows += [_row(index, string) for index, string in enumerate(table)]
    return ("\n".join(rows) + "\n").encode("utf-8")


def _row(index: int, string: String) -> str:
    text = string.text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return f"{index},{_cell(string.raw.decode('utf-8', 'replace'))},{string.raw.hex()}"
    return f"{index},{_cell(text)}"


def _cell(text: str) -> str:
    """A text as CSV; quoted wherever some program might read it otherwise."""
    if _PLAIN(text) and text.strip() == text:
        return text
    return '"' + text.replace('"', '""') + '"'


def read_strings(data: bytes, path: str) -> list[str]:
    """The texts, in order of their index.  Raises WorkspaceError naming the row."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WorkspaceError(f"{path}: it is not text in UTF-8: {error}") from None
    limit = csv.field_size_limit(_LONGEST_FIELD)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise WorkspaceError(f"{path}: it is not valid CSV: {error}") from None
    finally:
        csv.field_size_limit(limit)
    if rows and rows[0][:1] == HEADER[:1]:
        rows = rows[1:]
    found: dict[int, str] = {}
    following = 0
    for number, row in enumerate(rows, 2):
        if not row:
            continue
        where = f"{path}: row {number}"
        if len(row) < 2:
            raise WorkspaceError(f"{where}: expected an index and a text")
        mark = row[0].strip()
        if mark and not (mark.isascii() and mark.isdigit()):
            raise WorkspaceError(f"{where}: {mark!r} is no index")
        index = int(mark) if mark else following
        if index in found:
            raise WorkspaceError(f"{where}: the index {index} occurs twice")
        found[index] = _text(row, where)
        following = max(following, index + 1)
    if found and max(found) >= len(found):
        missing = next(i for i in range(len(found) + 1) if i not in found)
        raise WorkspaceError(
            f"{path}: the string {missing} is missing (strings keep their numbers: empty the text "
            "instead of removing its row)"
        )
    return [found[index] for index in range(len(found))]


def _text(row: list[str], where: str) -> str:
    if len(row) > 2 and row[2]:
        try:
            raw = bytes.fromhex(row[2])
        except ValueError:
            raise WorkspaceError(f"{where}: the third column is not hexadecimal") from None
        if raw.decode("utf-8", "replace") == row[1]:
            return raw.decode("utf-8", "surrogateescape")
    return row[1]
