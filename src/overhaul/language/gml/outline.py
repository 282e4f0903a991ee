"""A GML source for people who look at it: its colours, folds and declarations."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.lexer import keywords
from overhaul.gml.syntax.marking import pieces
from overhaul.language.answers import Fold, Kind, Role, Symbol, Token
from overhaul.language.gml.names import Index
from overhaul.language.texts import Lines

_KINDS: Final[dict[str, Kind]] = {
    "function": "function", "constructor": "struct", "macro": "macro", "enum": "enum",
    "member": "member", "global": "variable",
}  # fmt: skip
_ROLES: Final[dict[str, Role]] = {
    "function": "function", "builtin function": "builtin", "builtin variable": "builtin",
    "extension function": "function", "constant": "constant", "word": "keyword",
    "macro": "constant", "enum": "type", "member": "constant", "asset": "asset",
    "local": "local", "variable": "name",
}  # fmt: skip
_REGION: Final = re.compile(r"#(region|endregion)\b")


def tokens(index: Index, path: str) -> Iterator[Token]:
    """The colours of a file; a name has that of what it stands for."""
    text = index.texts.read(path)
    scan = index.scan(path)
    places = {occurrence.position: occurrence for occurrence in scan.occurrences}
    known: dict[str, Role] = {}
    for piece in pieces(text, index.context().dialect):
        if piece.role == "space":
            continue
        role: Role = piece.role
        found = places.get(piece.position) if role in ("name", "field") else None
        if found is not None:
            name = found.name
            if scan.is_local(found):
                what = scan.scopes[found.scope].names[name][0]
                role = "parameter" if what == "parameter" else "local"
            elif found.use in ("field", "key"):
                target = index.target(path, found)
                role = "constant" if target.what == "member" else "field"
            else:
                if name not in known:
                    known[name] = _ROLES[index.meaning(name).what]
                role = known[name]
        yield Token(piece.position, piece.position + len(piece.text), role)


def folds(text: str, dialect: Dialect) -> list[Fold]:
    """The blocks in braces, regions and comments of more than one line."""
    lines = Lines(text)
    found: list[Fold] = []
    blocks: list[int] = []
    regions: list[int] = []
    comment: tuple[int, int] | None = None
    for piece in pieces(text, dialect):
        line = bisect_right(lines.starts, piece.position)
        last = bisect_right(lines.starts, piece.position + max(len(piece.text) - 1, 0))
        if piece.role == "comment":
            if last > line:
                found.append(Fold(line, last, True))
            elif comment is not None and comment[1] == line - 1:
                comment = comment[0], line
            else:
                comment = _comment_fold(found, comment, line)
            continue
        if piece.role == "space":
            continue
        comment = _comment_fold(found, comment, 0)
        region = _REGION.match(piece.text) if piece.role == "directive" else None
        if region is not None:
            if region[1] == "region":
                regions.append(line)
            elif regions:
                found.append(Fold(regions.pop(), line))
        elif piece.text == "{" or (piece.role == "keyword" and piece.text == "begin"):
            blocks.append(line)
        elif blocks and (piece.text == "}" or (piece.role == "keyword" and piece.text == "end")):
            first = blocks.pop()
            if line > first:
                found.append(Fold(first, line))
    _comment_fold(found, comment, 0)
    return sorted(found, key=lambda fold: (fold.first, -fold.last))


def _comment_fold(
    found: list[Fold], comment: tuple[int, int] | None, line: int
) -> tuple[int, int] | None:
    if comment is not None and comment[1] > comment[0]:
        found.append(Fold(*comment, True))
    return (line, line) if line else None


def symbols(index: Index, path: str) -> Iterator[Symbol]:
    """The declarations of a file: functions, macros, enums with their members, globals."""
    script = index.layout.script_of(path)
    text = index.texts.read(path)
    if script:
        yield Symbol(script, "function", path, 0, 0, 0, len(text))
    for declaration in index.scan(path).declared:
        end = declaration.position + len(declaration.name)
        container = declaration.detail if declaration.what == "member" else ""
        yield Symbol(
            declaration.name,
            _KINDS[declaration.what],
            path,
            declaration.position,
            end,
            declaration.begin,
            declaration.until,
            container,
        )


def words(dialect: Dialect) -> list[str]:
    """The reserved words of the language."""
    return sorted(keywords(dialect.gml_v2))
