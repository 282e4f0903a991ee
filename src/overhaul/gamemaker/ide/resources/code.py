"""Names in the code of a project: which a source has, and a source with another name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from overhaul.gml.syntax.marking import pieces

if TYPE_CHECKING:
    from overhaul.gml.dialect import Dialect

_WORD = re.compile(r"[^\W\d]\w*")
_LOCAL = r"\b(?:var|static)\b[^;{{}}]*?\b{0}\b|\bfunction\b[^(]*\([^)]*\b{0}\b[^)]*\)"


def names_in(source: str, dialect: Dialect) -> set[str]:
    """The names in a source, as words of code, in macros, and as whole texts."""
    found: set[str] = set()
    for piece in pieces(source, dialect):
        if piece.role == "name":
            found.add(piece.text)
        elif piece.role == "directive":
            found.update(_WORD.findall(piece.text))
        elif piece.role == "string":
            found.add(piece.text.strip("@$\"'"))
            if piece.text[:1] == "$":
                found.update(_WORD.findall(piece.text))
    return found


def is_local(source: str, name: str) -> bool:
    """Whether a source has a variable of its own of a name: of a function, or an argument."""
    return re.search(_LOCAL.format(re.escape(name)), source) is not None


class Renamed(NamedTuple):
    """A source with another name; ``as_text``: a text of it has the old name, ``local``: a
    variable of its own has that, and keeps it."""

    source: str
    as_text: bool = False
    local: bool = False


def rename_in(source: str, old: str, new: str, dialect: Dialect) -> Renamed:
    """A source in which a resource has another name."""
    if old not in source:
        return Renamed(source)
    if is_local(source, old):
        return Renamed(source, local=True)
    word = re.compile(rf"\b{re.escape(old)}\b")
    made: list[str] = []
    as_text = False
    at = 0
    for piece in pieces(source, dialect):
        made.append(source[at : piece.position])
        text = piece.text
        at = piece.position + len(text)
        if piece.role == "name" and text == old:
            text = new
        elif piece.role == "directive" and text.startswith("#macro"):
            text = word.sub(new, text)
        elif piece.role == "string":
            if text[:1] == "$":
                text = word.sub(new, text)
            as_text |= piece.text.strip("@$\"'") == old
        made.append(text)
    made.append(source[at:])
    return Renamed("".join(made), as_text)
