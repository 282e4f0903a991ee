"""Names in the code of a project: which a source has, and a source with another name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.marking import pieces

_WORD = re.compile(r"[^\W\d]\w*")
#: The parts that introduce names of their own: a declaration, or the parameters of a function.
_QUIET = r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|'
_DECLARING = re.compile(_QUIET + r"\b(?:var|static)\b|\bfunction\b[^({;]*\(", re.DOTALL)
_TOKEN = re.compile(_QUIET + r"\w+|\n|\S", re.DOTALL)
#: A line that ends with one of these, or that the next begins with, goes on.
_GOES_ON = frozenset("=,+-*/%&|<>!?:([{.^~")


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
    if name not in source:
        return False
    return any(
        name in _declared(source, found.end(), found[0].endswith("("))
        for found in _DECLARING.finditer(source)
        if found[0][0] not in '"/'
    )


def _declared(source: str, start: int, is_list: bool) -> Iterator[str]:
    """The names that a declaration, or a list of parameters, gives: not those in their values."""
    depth, is_next, before = 0, True, ""
    for found in _TOKEN.finditer(source, start):
        token = found[0]
        if token.startswith(("//", "/*")):
            continue
        if token == "\n":
            rest = source[found.end() :].lstrip()[:1]
            is_over = before[-1:] not in _GOES_ON and rest not in _GOES_ON
            if not (is_list or depth or is_next) and is_over:
                return
            continue
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
        if depth < 0 or (token == ";" and not depth):
            return
        if token == "," and not depth:
            is_next = True
        elif is_next and depth == 0:
            yield token
            is_next = False
        before = token


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
