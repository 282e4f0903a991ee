"""GML source as pieces of one role each, for whoever shows it in colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.lexer import END, MACRO, NAME, NUMBER, STRING, TEMPLATE, tokenize

#: ``field`` is a name behind a dot, ``directive`` a ``#macro`` or ``#region`` line.
Role: TypeAlias = Literal[
    "space", "comment", "directive", "keyword", "name", "field", "number", "string", "operator"
]

_ROLES: Final[dict[str, Role]] = {
    NUMBER: "number", STRING: "string", TEMPLATE: "string", MACRO: "directive",
}  # fmt: skip
#: what stands between tokens
_BETWEEN: Final = re.compile(r"(//[^\n]*|/\*.*?(?:\*/|\Z))|(#[^\n]*)|([^/#]+|.)", re.DOTALL)


class Piece(NamedTuple):
    """A part of a source; all of them together are the source."""

    role: Role
    text: str
    position: int


def pieces(source: str, dialect: Dialect) -> Iterator[Piece]:
    """The pieces of a source, in order.  Invalid characters are ``space``; nothing is reported."""
    gms2 = dialect.gms2_or_later
    tokens = tokenize(source, ProblemList(source), gms2=gms2, v2=dialect.gml_v2)
    at = 0
    before = ""
    for kind, value, position in zip(tokens.kinds, tokens.values, tokens.positions, strict=True):
        yield from _between(source, at, position)
        if kind == END:
            return
        at = position + len(value)
        if not source.startswith(value, position):  # a string that is not closed
            at = _end_of_line(source, position)
        yield Piece(_role(kind, value, before), source[position:at], position)
        before = kind


def _role(kind: str, value: str, before: str) -> Role:
    if kind == NAME:
        return "field" if before == "." else "name"
    if kind in _ROLES:
        return _ROLES[kind]
    return "keyword" if value[:1].isalpha() else "operator"


def _between(source: str, start: int, end: int) -> Iterator[Piece]:
    for match in _BETWEEN.finditer(source, start, end):
        role: Role = "comment" if match[1] else "directive" if match[2] else "space"
        yield Piece(role, match[0], match.start())


def _end_of_line(source: str, position: int) -> int:
    end = source.find("\n", position)
    return len(source) if end < 0 else end
