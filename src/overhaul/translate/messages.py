"""Files of messages: what is translated, and into what."""

from __future__ import annotations

import os
import re

import polib

from overhaul.errors import FormatError

_LONGEST_COMMENT = 160
_LINE = re.compile(
    r"\s*(?:#(?!~).*|#~\|.*|"
    r'(?:#~)?\s*(?:msg(?:ctxt|id|id_plural|str|str\[\d+\])\s*)?"(?:[^"\\]|\\.)*"\s*|#~\s*|)'
)


def new_messages(name: str) -> polib.POFile:
    """A file without entries, for a game of this name."""
    made = polib.POFile(wrapwidth=0)
    made.metadata = {
        "Project-Id-Version": one_line(name) or "game",
        "Report-Msgid-Bugs-To": "",
        "PO-Revision-Date": "YEAR-MO-DA HO:MI+ZONE",
        "Last-Translator": "",
        "Language-Team": "",
        "Language": "",
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    return made


def one_line(text: str) -> str:
    """A text for a comment."""
    text = " ".join(text.split())
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= _LONGEST_COMMENT else f"{text[:_LONGEST_COMMENT]}…"


def load(path: str | os.PathLike[str]) -> polib.POFile:
    """Read a PO file.  Raises FormatError for what is none, OSError if it can't be read."""
    name = os.fspath(path)
    with open(path, "rb") as file:
        data = file.read()
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
        return polib.pofile(lines, wrapwidth=0)
    except (OSError, ValueError, IndexError) as error:
        raise FormatError(f"not a PO file: {error}", source=name) from None


def _charset(data: bytes) -> str:
    found = re.search(rb'^"[^"\n]*charset=([\w.-]+)', data, re.MULTILINE)
    return found[1].decode("ascii") if found and found[1] != b"CHARSET" else "utf-8"
