"""Texts to tokens in one go: the common case of the preprocessor and the lexer.

All tokens of a text are found at once, and its lines are taken from the line ends among them.  What
that can't tell for certain, and all that is wrong, is left to :class:`Preprocessor`, which goes
line by line and knows the places of errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.lexer import NEW_SCRIPT, Lexer, Tokens
from overhaul.ags.language.options import Source, Version
from overhaul.ags.language.preprocessor import DOTS, Preprocessor

#: Spaces at the ends of lines that are tokens between others.
_ODD_ASCII: Final = "\x1c\x1d\x1e\x1f"
_ODD: Final = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_UNDERLINED: Final = re.compile(r"_(?<![A-Za-z0-9_]_)_*([A-Za-z0-9]\w*)", re.ASCII)
_COMMENT: Final = re.compile(r"//|/\*")
#: Literals, the start of a comment, and quotes that end no literal, from the start of a line.
_LITERALS: Final = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|//|/\*|["']""")


@lru_cache
def _whole(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """A pattern for tokens, comments and line ends of a whole text, from that for one line."""
    rest = pattern.pattern.replace(r"[^\"\\]", r"[^\"\\\n]").replace(r'[^"\\]', r'[^"\\\n]')
    rest = rest.replace(r"[^'\\]", r"[^'\\\n]").replace(r"[^']*", r"[^'\n]*")
    return re.compile(r"[ \t]*([A-Za-z_][A-Za-z0-9_]*|[;(),{}\n]|" + rest + ")", re.ASCII)


def read_tokens(
    source: Source, macros: dict[str, str], version: Version, lexer: Lexer
) -> tuple[Tokens, dict[str, str]] | None:
    """The tokens of a text, and the macros behind it; None for a text to be read line by line.

    ``macros`` are those before it.  Only if there are tokens, literals are added to the lexer's.
    """
    text = source.text
    if NEW_SCRIPT in text or any(space in text for space in _ODD_ASCII):
        return None
    if not text.isascii() and _ODD.search(text) is not None:
        return None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    plain = _without_comments(text)
    if plain is None:
        return None
    found = _whole(lexer.pattern).findall(plain)
    reader = _Reader(source, plain, Preprocessor(macros.copy(), version, lexer.pattern))
    try:
        good = reader.read(found)
    except ScriptError:
        return None
    if not good:
        return None
    tokens = lexer.finish(source.name, reader.tokens, reader.lines, reader.rows)
    return None if tokens is None else (tokens, reader.macros)


def _without_comments(text: str) -> str | None:
    """A text without its comments; None if one joins what is around it, or a literal has no end."""
    pieces: list[str] = []
    kept = 0
    match = _COMMENT.search(text)
    while match is not None:
        at = match.start()
        start = text.rfind("\n", kept, at)
        before = text[kept if start < 0 else start + 1 : at]
        if '"' in before or "'" in before:
            found = _comment_behind_literals(text, at - len(before), at)
            if found < 0:
                return None
            if found != at:
                match = _COMMENT.search(text, found)
                continue
        pieces.append(text[kept:at])
        if text[at + 1] == "/":
            kept = text.find("\n", at)
            kept = len(text) if kept < 0 else kept
        else:
            end = text.find("*/", at + 2)
            kept = len(text) if end < 0 else end + 2
            lines = text.count("\n", at, kept)
            pieces.append("\n" * lines)
            around = text[at - 1 : at] + text[kept : kept + 1]
            if not lines and len(around) == 2 and not (around[0].isspace() or around[1].isspace()):
                return None
        match = _COMMENT.search(text, kept)
    if not kept:
        return text
    pieces.append(text[kept:])
    return "".join(pieces)


def _comment_behind_literals(text: str, start: int, at: int) -> int:
    """Where the comment really begins that seems to begin at ``at``, in the line at ``start``.

    Returns the end of the literal that it is in if it is none, and -1 for a quote without another.
    """
    for match in _LITERALS.finditer(text, start):
        if match.end() > at:
            if match.start() == at:
                return at
            return match.end() if match.end() - match.start() > 1 else -1
        if match.end() - match.start() == 1:
            return -1
    return -1


def _directives(found: list[str]) -> Iterator[int]:
    """Where the lines of directives begin among the tokens."""
    at = -1
    for _ in range(found.count("#")):
        at = found.index("#", at + 1)
        if not at or found[at - 1] == "\n":
            yield at


class _Reader:
    """Takes lines one after another; ``tokens`` and ``lines`` are what is read."""

    def __init__(self, source: Source, text: str, preprocessor: Preprocessor) -> None:
        self.text = text
        self.preprocessor = preprocessor
        self.macros: dict[str, str] = preprocessor.macros
        self.tokens: list[str] = []
        self.lines: list[int] = []
        #: Where the lines with literals are among the tokens.
        self.rows: list[tuple[int, int]] = []
        self._texts = text.split("\n")
        self._under: set[str] = set()
        preprocessor.begin(source)

    def read(self, found: list[str]) -> bool:
        """All lines; returns whether their tokens are certain."""
        self._under = set(_UNDERLINED.findall(self.text)) if "_" in self.text else set()
        if not self.macros.keys().isdisjoint(self._under):
            return False
        found.append("\n")
        start = line = 0
        for at in _directives(found):
            part = found[start:at]
            if not self._part(part, line):
                return False
            line += part.count("\n")
            self.preprocessor.directive(self._texts[line].strip())
            if not self.macros.keys().isdisjoint(self._under):
                return False
            start = found.index("\n", at) + 1
            line += 1
        return self._part(found[start:] if start else found, line) and self.preprocessor.closed

    def _part(self, found: list[str], line: int) -> bool:
        """Take the lines between two directives, the first after so many ``line``s."""
        if not found:
            return True
        if not self.preprocessor.active:
            return '"' not in found and "'" not in found
        if not self._all_replaced(found):
            return self._rows(found, line)
        tokens, lines, texts = self.tokens, self.lines, self._texts
        start = 0
        for _ in range(found.count("\n")):
            end = found.index("\n", start)
            text = texts[line]
            line += 1
            if end != start:
                lines += [line] * (end - start)
                if '"' in text or "'" in text:
                    self.rows.append((len(tokens), len(tokens) + end - start))
                tokens += found[start:end]
            start = end + 1
        return True

    def _all_replaced(self, found: list[str]) -> bool:
        """Replace the macros in lines without directives, if all of them are one word."""
        words = {name: self.preprocessor.word(name) for name in self.macros.keys() & set(found)}
        if not words:
            return True
        if not all(words.values()):
            return False
        places = [at for at, token in enumerate(found) if token in words]
        for at in places:
            before = found[at - 1]
            if found[at + 1] in DOTS or before in DOTS or before[0].isdigit():
                return False
        for at in places:
            found[at] = words[found[at]]
        return True

    def _rows(self, found: list[str], line: int) -> bool:
        """Take one line after another; returns whether their tokens are certain."""
        tokens, lines = self.tokens, self.lines
        names = self.macros.keys()
        start = 0
        for _ in range(found.count("\n")):
            end = found.index("\n", start)
            row = found[start:end]
            start = end + 1
            text = self._texts[line]
            line += 1
            if not row:
                continue
            if not names.isdisjoint(row):
                plain = self._replaced(text.strip(), row)
                if plain is None:
                    return False
                row = plain
                self.rows.append((len(tokens), len(tokens) + len(row)))
            elif '"' in text or "'" in text:
                self.rows.append((len(tokens), len(tokens) + len(row)))
            tokens += row
            lines += [line] * len(row)
        return True

    def _replaced(self, text: str, row: list[str]) -> list[str] | None:
        """The tokens of a line with its macros replaced; None if they are not certain."""
        plain = self.preprocessor.replaced(row)
        if plain is not None:
            return plain
        find = self.preprocessor.pattern.findall
        return find(self.preprocessor.expanded(text)) if find(text) == row else None
