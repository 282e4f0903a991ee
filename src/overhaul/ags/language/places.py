"""Columns: where in a line of the source a token stands."""

from __future__ import annotations

import re

from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.lexer import NEW_SCRIPT
from overhaul.ags.language.options import Source
from overhaul.ags.language.preprocessor import LINE_ENDS
from overhaul.document.registry import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from difflib import SequenceMatcher

#: Lines of more tokens are not aligned with what the preprocessor made of them.
_LONG = 300
_LONG_TEXT = 10_000
_COMMENT = re.compile(r"//.*|/\*.*?(?:\*/|$)")


def with_column(
    error: ScriptError, source: Source, tokens: list[list[str]], pattern: re.Pattern[str]
) -> ScriptError:
    """An error whose column is the number of a token in a line, with the column of that token.

    ``tokens`` are those of each line behind the preprocessor, ``pattern`` matches tokens.
    """
    number = error.line + (_section_line(error.name, tokens) if error.name else 0)
    texts = LINE_ENDS.split(source.text)
    column = 1
    if 0 < number <= len(tokens):
        original = texts[number - 1]
        column = _column(original, tokens[number - 1], error.column, pattern)
    placed = ScriptError(
        error.message,
        error.line,
        column,
        name=error.name or source.name,
        undeclared=error.undeclared,
        redeclared=error.redeclared,
    )
    placed.unknown = error.unknown
    placed.function = error.function
    return placed


def _section_line(name: str, tokens: list[list[str]]) -> int:
    """The line with the mark of a section."""
    mark = f'"{NEW_SCRIPT}{name}"'
    return next((number for number, line in enumerate(tokens, start=1) if mark in line), 0)


def _column(original: str, tokens: list[str], ordinal: int, pattern: re.Pattern[str]) -> int:
    """The column of a token by its number; that of the macro if the token comes from one."""
    covered: list[tuple[int, int]] = []
    if len(original) < _LONG_TEXT:
        covered = [match.span() for match in _COMMENT.finditer(original)]
    found = [
        match
        for match in pattern.finditer(original)
        if not covered or not any(start <= match.start() < end for start, end in covered)
    ]
    if not found:
        return 1
    index = ordinal - 1
    texts = [match.group() for match in found]
    if texts == tokens or len(texts) > _LONG:
        return found[min(index, len(found) - 1)].start() + 1
    matcher: type[SequenceMatcher[str]] = load("difflib:SequenceMatcher")  # for errors only
    for _, start, end, first, last in matcher(None, texts, tokens, False).get_opcodes():
        if first <= index < last:
            place = start + index - first if end - start == last - first else start
            return found[min(place, len(found) - 1)].start() + 1
    return found[-1].start() + 1
