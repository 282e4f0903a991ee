"""PO files, read by polib.

polib takes time that grows with the square of the lines of one text or comment: the lines of a text
are joined before it reads them, and a message with thousands of lines of comments is refused.
"""

from __future__ import annotations

import re
from typing import Final

import polib

from overhaul.bounds import MESSAGE, Budget
from overhaul.errors import FormatError

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
    found = re.search(rb'^"[^"\n]*charset=([\w.-]+)', data, re.MULTILINE)
    return found[1].decode("ascii") if found and found[1] != b"CHARSET" else "utf-8"
