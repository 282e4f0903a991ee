"""Lines of code on pages: in pieces with roles and links, as many as a page has room for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

if TYPE_CHECKING:
    from overhaul.viewer.opened import Opened

#: lines of a page; longer code is in its plain files
LINES = 6000
#: about how many bytes of a page its source takes
HEAVY = 210_000


class CodePiece(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece of a line: ``role`` as in :mod:`overhaul.gml.syntax.marking`, or what a name is."""

    text: str
    role: str = ""
    href: str = ""
    title: str = ""
    picture: str = ""


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the source; ``fold``: the last line of the block that begins in it, or 0."""

    number: int
    parts: list[CodePiece]
    fold: int = 0


class CodeShown(msgspec.Struct, frozen=True):
    """A piece of code; ``anchor`` stands before the numbers of its lines."""

    title: str
    anchor: str
    lines: list[Line]


def weight(line: Line) -> int:
    """About how many bytes of a page a line takes."""
    return 130 + sum(
        len(part.text)
        + (50 + len(part.href) + len(part.title) + len(part.picture) if part.href else 0)
        + (30 if part.role else 0)
        for part in line.parts
    )


def stretch(lines: Sequence[Line], most: int, line: int = 0) -> tuple[int, int]:
    """The lines of a page (from, to) of at most so many bytes, the one that has a line in it."""
    start = size = 0
    for number, each in enumerate(lines):
        more = weight(each)
        if number > start and size + more > most:
            if number > line:
                return start, number
            start, size = number, 0
        size += more
    return start, len(lines)


def search_href(opened: Opened, name: str) -> str:
    """The search for all uses of a name."""
    return f"{opened.prefix}/-/search?{urlencode({'q': name, 'how': 'word'})}"
