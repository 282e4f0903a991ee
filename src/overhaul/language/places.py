"""Places that reports name, counted from 1, as ranges of a text."""

from __future__ import annotations

from overhaul.language.answers import Diagnostic, Severity
from overhaul.language.texts import Lines


def diagnostic(
    severity: Severity, message: str, line: int, column: int, lines: Lines
) -> Diagnostic:
    """A report about a place, counted from 1, with the word there as its range."""
    start = lines.offset(max(line, 1) - 1, max(column, 1) - 1)
    text, end = lines.text, start
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    if end == start and end < len(text) and text[end] not in "\r\n":
        end += 1
    return Diagnostic(severity, message, max(line, 1), max(column, 1), start, end)
