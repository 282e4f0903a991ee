"""Syntax in the sources of a project that an earlier release of the language does not read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.errors import LineIndex, ProblemList
from overhaul.gml.syntax.lexer import TEMPLATE, tokenize

#: The names of later tokens; a source without these letters has none.
_NULLISH: Final = "??"
_TEMPLATES: Final = ('$"', "$'")


def later_syntax(text: str, dialect: Dialect) -> Iterator[tuple[int, int, str]]:
    """The tokens of a source that a dialect lacks: line and column, and what each is called."""
    nullish = not dialect.nullish_operator and _NULLISH in text
    templates = not dialect.template_strings and any(sign in text for sign in _TEMPLATES)
    if not nullish and not templates:
        return
    tokens = tokenize(text, ProblemList(text), gms2=True, v2=True)
    places = LineIndex(text)
    for kind, position in zip(tokens.kinds, tokens.positions, strict=True):
        if nullish and isinstance(kind, str) and kind.startswith(_NULLISH):
            yield *places.place(position), kind
        elif templates and kind == TEMPLATE:
            yield *places.place(position), "template strings"
