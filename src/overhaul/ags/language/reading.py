"""Texts to tokens in one go: the common case of the preprocessor and the lexer.

Most lines of headers and scripts stand in more than one text, or more than once in one, so the
tokens of lines are kept. Errors, and lines that need the lines before them, are left to
:class:`Preprocessor`, which goes line by line and knows the places of errors.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from sys import intern
from typing import Final

from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.lexer import Lexer, Quoted, Row, Tokens
from overhaul.ags.language.options import Source, Version
from overhaul.ags.language.preprocessor import Preprocessor, parts_of

#: Spaces at the ends of lines that are tokens between others.
_ODD: Final = re.compile("[\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_UNDERLINED: Final = re.compile(r"_(?<![A-Za-z0-9_]_)_*([A-Za-z0-9]\w*)", re.ASCII)
#: Literals, the start of a comment, and quotes that end no literal, from the start of a line.
_LITERALS: Final = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|//|/\*|["']""")
_DIRECTIVE: Final[Row] = ("#",)
_END: Final = intern("\n")
_MOST: Final = 1 << 15


class UncertainError(Exception):
    """A line that does not show its tokens by itself."""


class Lines:
    """The tokens of lines, as a pattern for tokens finds them, in ``rows``."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.rows: dict[str, Row] = {}
        self._find = pattern.findall
        self._find_with_ends = re.compile(rf"[ \t]*({pattern.pattern}|\n)", re.ASCII).findall

    def of(self, lines: list[str]) -> list[Row]:
        """The tokens of each line."""
        known = list(map(self.rows.get, lines))
        if None in known:
            new = [line for line, row in zip(lines, known, strict=True) if row is None]
            if len(self.rows) > _MOST:
                self.rows.clear()
                new = lines
            self._learn(list(dict.fromkeys(new)))
        return list(map(self.rows.__getitem__, lines))

    def _learn(self, new: list[str]) -> None:
        """Find the tokens of lines that are not known, all at once."""
        rows = self.rows
        text = "\n".join([_without_comment(line) if "/" in line else line for line in new])
        tokens = tuple(map(intern, self._find_with_ends(text)))
        if '"' in tokens or "'" in tokens or _ODD.search(text) is not None:
            for line in new:
                row = self.row(_without_comment(line).strip())
                rows[line] = _DIRECTIVE if row[:1] == _DIRECTIVE else row
            return
        quoted = '"' in text or "'" in text
        directives = "#" in text
        start = 0
        ends = [at for at, token in enumerate(tokens) if token is _END]
        ends.append(len(tokens))
        for line, end in zip(new, ends, strict=True):
            row = tokens[start:end]
            start = end + 1
            if directives and row[:1] == _DIRECTIVE:
                row = _DIRECTIVE
            elif quoted and ('"' in line or "'" in line):
                row = Quoted(row)
            rows[line] = row

    def row(self, text: str) -> Row:
        """The tokens of a text in one line, without comments."""
        row: Row = tuple(self._find(text))
        return _quoted(row) if '"' in text or "'" in text else row


def _quoted(row: Row) -> Row:
    """The tokens of a line with literals.  Raises UncertainError if one does not end."""
    if row[:1] == _DIRECTIVE:
        return row
    if '"' in row or "'" in row:
        raise UncertainError
    return Quoted(row)


@lru_cache(8)
def _lines_of(pattern: re.Pattern[str]) -> Lines:
    return Lines(pattern)


def forget_lines() -> None:
    """Forget all lines: for measuring."""
    _lines_of.cache_clear()


def read_tokens(
    source: Source, macros: dict[str, str], version: Version, lexer: Lexer
) -> tuple[Tokens, dict[str, str]] | None:
    """The tokens of a text, and the macros behind it; None for a text to be read line by line.

    ``macros`` are those before it.  Only if there are tokens, literals are added to the lexer's.
    """
    text = source.text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    known = _lines_of(lexer.pattern)
    reader = _Preprocessor(source, known, Preprocessor(macros.copy(), version, lexer.pattern))
    try:
        rows = reader.read(_without_comments(text))
    except (ScriptError, UncertainError):
        return None
    tokens = lexer.finish(source.name, rows)
    return None if tokens is None else (tokens, reader.macros)


def _without_comments(text: str) -> str:
    """A text without comments between ``/*`` and ``*/``; the lines stay.

    Raises UncertainError if one joins what is around it, or a literal has no end.
    """
    at = text.find("/*")
    if at < 0:
        return text
    pieces: list[str] = []
    kept = 0
    while at >= 0:
        start = text.rfind("\n", kept, at) + 1
        before = text[start or kept : at]
        if "/" in before or '"' in before or "'" in before:
            found = _comment_behind_others(text, at - len(before), at)
            if found != at:
                at = text.find("/*", found)
                continue
        pieces.append(text[kept:at])
        end = text.find("*/", at + 2)
        kept = len(text) if end < 0 else end + 2
        lines = text.count("\n", at, kept)
        pieces.append("\n" * lines)
        around = text[at - 1 : at] + text[kept : kept + 1]
        if not lines and len(around) == 2 and not (around[0].isspace() or around[1].isspace()):
            raise UncertainError
        at = text.find("/*", kept)
    pieces.append(text[kept:])
    return "".join(pieces)


def _comment_behind_others(text: str, start: int, at: int) -> int:
    """Where a comment really begins that seems to begin at ``at``, in the line from ``start``.

    If it is none, the end of the literal or of the line that it is in is returned.  Raises
    UncertainError for a quote without another.
    """
    for match in _LITERALS.finditer(text, start):
        found = match.group()
        if match.start() == at:
            return at
        if len(found) == 1:
            raise UncertainError
        if found == "//":
            end = text.find("\n", at)
            return len(text) if end < 0 else end
        if match.end() > at:
            return match.end()
    raise UncertainError


def _without_comment(line: str) -> str:
    """A line without the comment at its end."""
    before, comment, _ = line.partition("//")
    if '"' not in before and "'" not in before and "/*" not in before:
        return before
    if not comment and "/*" not in line:
        return line
    for match in _LITERALS.finditer(line):
        found = match.group()
        if found == "//":
            return line[: match.start()]
        if found == "/*" or len(found) == 1:
            raise UncertainError
    return line


@lru_cache(1 << 12)
def _directive(line: str) -> tuple[str, str]:
    """The name of the directive in a line, and the text after it."""
    return parts_of(_without_comment(line).strip())


class _Preprocessor:
    """Carries out directives and replaces macros."""

    def __init__(self, source: Source, known: Lines, preprocessor: Preprocessor) -> None:
        self.known = known
        self.preprocessor = preprocessor
        self.macros: dict[str, str] = preprocessor.macros
        preprocessor.begin(source)

    def read(self, text: str) -> list[Row]:
        """The tokens of each line, without those of directives.

        Raises UncertainError if they are not certain, ScriptError for a directive that is wrong.
        """
        lines = text.split("\n")
        rows = self.known.of(lines)
        under = frozenset(_UNDERLINED.findall(text)) if "_" in text else frozenset()
        names = self.macros.keys()
        if not names.isdisjoint(under):
            raise UncertainError
        start = 0
        if "#" in text:
            for at in [at for at, row in enumerate(rows) if row is _DIRECTIVE]:
                if start < at:
                    self._part(lines, rows, start, at)
                self.preprocessor.carry_out(*_directive(lines[at]))
                if not names.isdisjoint(under):
                    raise UncertainError
                rows[at] = ()
                start = at + 1
        self._part(lines, rows, start, len(rows))
        if not self.preprocessor.closed:
            raise UncertainError
        return rows

    def _part(self, lines: list[str], rows: list[Row], start: int, end: int) -> None:
        """Take the lines between two directives."""
        if not self.preprocessor.active:
            rows[start:end] = [()] * (end - start)
            return
        if self.macros.keys().isdisjoint(chain.from_iterable(rows[start:end])):
            return
        used = set(filter(self.macros.__contains__, chain.from_iterable(rows[start:end])))
        free = used.isdisjoint
        for at in [at for at in range(start, end) if not free(rows[at])]:
            rows[at] = self._replaced(rows[at], lines[at])

    def _replaced(self, row: Row, line: str) -> Row:
        """The tokens of a line with its macros replaced."""
        plain = self.preprocessor.replaced(list(row))
        if plain is not None:
            return Quoted(plain) if isinstance(row, Quoted) else tuple(plain)
        text = self.preprocessor.expanded(_without_comment(line).strip())
        if "_" in text and _UNDERLINED.search(text) is not None:
            text = self.preprocessor.expanded(text)
        return self.known.row(text)
