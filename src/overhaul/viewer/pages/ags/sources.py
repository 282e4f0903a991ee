"""Scripts of Adventure Game Studio as lines in colours, the same as the editor's."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from overhaul.language.ags.scanning import pieces
from overhaul.viewer.pages.lines import CodePiece, Line

#: pieces without a colour
_PLAIN: Final = ("name", "operator", "space")
#: a function with its words before it, not an import that ends in a semicolon
_DECLARED: Final = re.compile(
    r"^(?:[A-Za-z_]\w*[ *]+)+((?:\w+::)?\w+)\s*\((?![^)]*\)\s*;)", re.ASCII | re.MULTILINE
)


def source_lines(source: str, links: Mapping[str, str] = {}) -> list[Line]:
    """The lines of a script; names that ``links`` has lead there."""
    lines: list[list[CodePiece]] = [[]]
    for piece in pieces(source.replace("\r\n", "\n").rstrip("\n")):
        role = "" if piece.role in _PLAIN else piece.role
        href = links.get(piece.text, "") if piece.role == "name" else ""
        for number, text in enumerate(piece.text.split("\n")):
            if number:
                lines.append([])
            if text:
                lines[-1].append(CodePiece(text, "built-in-function" if href else role, href))
    return [Line(number, parts) for number, parts in enumerate(lines, 1)]


def places_in(source: str, names: Collection[str]) -> dict[int, str]:
    """The lines, from 1, in which functions of these names are declared, each once."""
    found: dict[int, str] = {}
    left = set(names)
    for match in _DECLARED.finditer(source):
        if match[1] in left:
            left.remove(match[1])
            found[source.count("\n", 0, match.start(1)) + 1] = match[1]
    return found
