"""Errors in GML source: each with its line, its column and a caret under it."""

from __future__ import annotations

from bisect import bisect_right

from overhaul.errors import SourceError
from overhaul.gml.errors import SyntaxError_

MAX_PROBLEMS = 25


class Problem(SourceError):
    """An error in a source text; ``position`` is its character offset, ``text`` its line."""

    def __init__(self, message: str, position: int, line: int, column: int, text: str) -> None:
        super().__init__(message, line, column)
        self.position = position
        self.text = text

    def __str__(self) -> str:
        """``line:column: message`` with the source line and a caret below."""
        shown = self.text.replace("\t", " ")
        caret = " " * (self.column - 1) + "^"
        return f"{self.line}:{self.column}: {self.message}\n    {shown}\n    {caret}"


class ProblemList:
    """Collects the problems of one source text."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: list[tuple[int, str]] = []

    def add(self, message: str, position: int) -> None:
        """Note a problem; beyond MAX_PROBLEMS they are dropped."""
        if len(self.found) < MAX_PROBLEMS and (position, message) not in self.found:
            self.found.append((position, message))

    @property
    def full(self) -> bool:
        return len(self.found) >= MAX_PROBLEMS

    def problems(self) -> list[Problem]:
        """All of them, in source order, with lines and columns worked out."""
        lines = LineIndex(self.source)
        return [lines.problem(message, position) for position, message in sorted(self.found)]


class LineIndex:
    """Lines and columns of a source text."""

    def __init__(self, source: str) -> None:
        self.source = source
        starts = [0]
        at = source.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = source.find("\n", at + 1)
        self.starts = starts

    def place(self, position: int) -> tuple[int, int]:
        """Line and column (from 1) of a character offset."""
        position = max(0, min(position, len(self.source)))
        line = bisect_right(self.starts, position)
        return line, position - self.starts[line - 1] + 1

    def problem(self, message: str, position: int) -> Problem:
        """A Problem at a character offset."""
        line, column = self.place(position)
        start = self.starts[line - 1]
        end = self.source.find("\n", start)
        text = self.source[start : end if end >= 0 else len(self.source)].rstrip("\r")
        return Problem(message, max(position, 0), line, min(column, len(text) + 1), text)


def syntax_error(problems: ProblemList, name: str = "") -> SyntaxError_:
    """The exception for the problems of a text (at least one)."""
    errors = problems.problems()
    first = errors[0]
    return SyntaxError_(first.message, first.line, first.column, name=name, errors=errors)
