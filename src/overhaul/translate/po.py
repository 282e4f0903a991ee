"""PO files."""

from __future__ import annotations

import re

import polib

from overhaul.errors import FormatError

_LINE = re.compile(
    r"\s*(?:#(?!~).*|#~\|.*|"
    r'(?:#~)?\s*(?:msg(?:ctxt|id|id_plural|str|str\[\d+\])\s*)?"(?:[^"\\]|\\.)*"\s*|#~\s*|)'
)


def read_po(data: bytes, name: str) -> polib.POFile:
    """The messages of a PO file.  Raises FormatError for what is none."""
    try:
        text = data.decode(_charset(data))
    except (UnicodeDecodeError, LookupError) as error:
        raise FormatError(f"not a text in its encoding: {error}", source=name) from None
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if "\n" not in lines:  # polib takes a text of one line for a path
        lines += "\n"
    for number, line in enumerate(lines.split("\n"), 1):
        if not _LINE.fullmatch(line):  # polib reads some of them as something else
            raise FormatError(
                f"line {number}: expected a line of a PO file, got {line!r:.60}", source=name
            )
    try:
        made = polib.pofile(lines, wrapwidth=0)
    except (OSError, ValueError, IndexError) as error:
        raise FormatError(f"not a PO file: {error}", source=name) from None
    made.fpath = name
    return made


def _charset(data: bytes) -> str:
    found = re.search(rb'^"[^"\n]*charset=([\w.-]+)', data, re.MULTILINE)
    return found[1].decode("ascii") if found and found[1] != b"CHARSET" else "utf-8"
