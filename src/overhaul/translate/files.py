"""Files of messages of all formats: PO, CSV, XLSX, and the translations of Adventure Game Studio.

PO files are read by polib, which takes time that grows with the square of the lines of one text or
comment: the lines of a text are joined before it reads them, and a message with thousands of lines
of comments is refused.

The end of a file's name says its format; what has no known end is a PO file.
"""

from __future__ import annotations

import os
import re
from types import ModuleType
from typing import Final

import polib

from overhaul.bounds import MESSAGE, Budget
from overhaul.document.registry import load as load_module
from overhaul.errors import FormatError
from overhaul.translate import tables

#: the reader and the writer of files of Adventure Game Studio
_LINES: Final = "overhaul.translate.ags.lines"
_COMPILED: Final = "overhaul.translate.ags.compiled"
#: the endings of the names of files that are written, each with its type
WRITTEN: Final = {".po": "PO", ".pot": "PO", ".csv": "CSV", ".xlsx": "XLSX", ".trs": "TRS"}


def load(path: str | os.PathLike[str], *, encoding: str | None = None) -> polib.POFile:
    """Read a file of messages: .po, .pot, .csv, .xlsx, .trs or .tra.

    ``encoding`` is the code page of a .trs or .tra that does not name its own.  Raises FormatError
    with the line or cell that is wrong, OSError if the file can't be read.
    """
    name = os.fspath(path)
    with open(path, "rb") as file:
        data = file.read()
    match _end(name):
        case ".csv":
            return tables.from_csv(data, name)
        case ".xlsx":
            read: polib.POFile = _sheets(name).from_xlsx(data, name)
            return read
        case ".trs":
            made = load_module(_LINES).to_messages(data, name, encoding)
        case ".tra":
            made = load_module(_COMPILED).read(data, name, encoding)
        case _:
            return read_po(data, name)
    made.fpath = name
    messages: polib.POFile = made
    return messages


def file_bytes(messages: polib.POFile, path: str | os.PathLike[str]) -> bytes:
    """Messages as a file of the format that the end of its name says: .po, .csv, .xlsx or .trs.

    Raises EncodeError for a text that the format can't have, FormatError for another format.
    """
    name = os.fspath(path)
    match _end(name):
        case ".csv":
            return tables.to_csv(messages)
        case ".xlsx":
            made: bytes = _sheets(name).to_xlsx(messages)
            return made
        case ".trs":
            written: bytes = load_module(_LINES).from_messages(messages)
            return written
        case ".tra":
            raise FormatError("a .tra is made for a game: use apply", source=name)
        case _:
            return str(messages).encode("utf-8")


def _end(name: str) -> str:
    return os.path.splitext(name)[1].casefold()


def _sheets(name: str) -> ModuleType:
    try:
        sheets: ModuleType = load_module("overhaul.translate.sheets")
    except ModuleNotFoundError as error:
        if error.name != "openpyxl":
            raise
        raise FormatError(
            "spreadsheets need openpyxl: pip install 'overhaul[xlsx]', or use CSV", source=name
        ) from None
    return sheets


# -- PO files --------------------------------------------------------------------------------------

_STRING: Final = r'"(?:[^"\\]++|\\.)*+"'
_LINE: Final = re.compile(
    r"\s*(?:#(?!~).*|#~\|.*|"
    rf"(?:#~)?\s*(?:msg(?:ctxt|id|id_plural|str|str\[\d+\])\s*)?{_STRING}\s*|#~\s*|)"
)
#: a line that begins a text; the lines that go on with it
_FIRST: Final = re.compile(rf"\s*msg\w+(?:\[\d+\])?\s*{_STRING}\s*")
_NEXT: Final = re.compile(rf"\s*{_STRING}\s*")
#: the lines of one message that are neither its texts nor its places
_MOST_LINES: Final = 2000


def read_po(data: bytes, name: str) -> polib.POFile:
    """The messages of a PO file.  Raises FormatError for what is none, or has too many."""
    try:
        text = data.decode(_charset(data))
    except (UnicodeDecodeError, LookupError) as error:
        raise FormatError(f"not a text in its encoding: {error}", source=name) from None
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    _check(lines, name, Budget(len(data), name))
    try:
        # polib takes a text of one line for a path
        made = polib.pofile("\n".join([*_joined(lines), ""]), wrapwidth=0)
    except (OSError, ValueError, IndexError) as error:
        raise FormatError(f"not a PO file: {error}", source=name) from None
    made.fpath = name
    return made


def _check(lines: list[str], name: str, budget: Budget) -> None:
    """Refuse lines that polib reads as something else, and what would take too much memory."""
    others = 0
    for number, line in enumerate(lines, 1):
        if not _LINE.fullmatch(line):
            raise FormatError(
                f"line {number}: expected a line of a PO file, got {line!r:.60}", source=name
            )
        start = line.lstrip()[:6]
        if start.startswith("#:"):
            budget.take(20 * len(line), f"line {number}")
        elif start.startswith("#"):
            others += 1
            budget.take(MESSAGE if "msgid" in line else 2 * len(line), f"line {number}")
        elif start.startswith("msgid"):
            budget.take(MESSAGE, f"line {number}")
            others = 0
        if others > _MOST_LINES:
            raise FormatError(
                f"line {number}: a message has more than {_MOST_LINES} lines of comments",
                source=name,
            )


def _joined(lines: list[str]) -> list[str]:
    """The lines with each text on one; the empty ones behind it keep the numbers of the others."""
    made: list[str] = []
    at = 0
    while at < len(lines):
        end = at + 1
        if _FIRST.fullmatch(lines[at]):
            while end < len(lines) and _NEXT.fullmatch(lines[end]):
                end += 1
        if end - at > 1:
            parts = [line.strip()[1:-1] for line in lines[at + 1 : end]]
            made.append(f'{lines[at].rstrip()[:-1]}{"".join(parts)}"')
            made += [""] * (end - at - 1)
        else:
            made.append(lines[at])
        at = end
    return made


def _charset(data: bytes) -> str:
    match = re.search(rb'^"[^"\n]*charset=([\w.-]+)', data, re.MULTILINE)
    return match[1].decode("ascii") if match and match[1] != b"CHARSET" else "utf-8"
