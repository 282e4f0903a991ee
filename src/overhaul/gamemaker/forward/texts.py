"""Sources of GML that are changed in places, with all else as it was."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.lexer import END, NAME, NUMBER, Tokens, tokenize

#: Bytes that do not encode a letter are kept as these.
_LONE: Final = range(0xD800, 0xE000)
_UNKNOWN: Final = "\ufffd"
#: Strings and comments; the last one may have no end.
_COMMENT: Final = re.compile(r"\"[^\"]*\"|'[^']*'|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)


class Edit(NamedTuple):
    """Another text for a part of a source."""

    start: int
    end: int
    text: str


def edited(source: str, edits: Iterable[Edit]) -> str:
    """A source with other texts for some parts, which do not contain one another."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits):
        parts += source[at : edit.start], edit.text
        at = edit.end
    return "".join([*parts, source[at:]])


def tokens_of(source: str) -> Tokens:
    """The tokens of a source of Game Maker 5 to Studio 1."""
    return tokenize(source, ProblemList(source), gms2=False, v2=False)


def cleaned(text: str) -> str:
    """A text without characters that no file of a later editor holds: zeros, control characters,
    and bytes that do not encode a letter in the text's encoding."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_UNKNOWN if ord(c) in _LONE else c for c in text if c >= " " or c in "\t\n\r")


def closed(source: str) -> str:
    """A source whose last comment has an end: before Studio 2 it needs none."""
    if "/*" not in source:
        return source
    last = [found[0] for found in _COMMENT.finditer(source)][-1:]
    is_open = [text for text in last if text.startswith("/*")]
    if is_open and (len(is_open[0]) < 4 or not is_open[0].endswith("*/")):
        return f"{source.rstrip()} */\n"
    return source


class NewNames:
    """Other names for what code uses: ``plain`` of any use, ``calls`` of what is called, and
    ``numbers`` for those of instances."""

    def __init__(self) -> None:
        self.plain: dict[str, str] = {}
        self.calls: dict[str, str] = {}
        self.numbers: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self.plain or self.calls or self.numbers)

    def followed(self, source: str) -> tuple[str, int]:
        """The source with the other names, and the line of the first number that became a name."""
        if not self or not source:
            return source, 0
        tokens = tokens_of(source)
        edits: list[Edit] = []
        line = 0
        for number in range(len(tokens) - 1):
            made = self._other(tokens, number)
            if made is not None:
                at = tokens.positions[number]
                edits.append(Edit(at, at + len(tokens.values[number]), made))
                if tokens.kinds[number] == NUMBER and not line:
                    line = source.count("\n", 0, at) + 1
        return (edited(source, edits), line) if edits else (source, 0)

    def _other(self, tokens: Tokens, number: int) -> str | None:
        kind, value = tokens.kinds[number], tokens.values[number]
        if kind == NUMBER:
            return self.numbers.get(value)
        if kind != NAME or (number and tokens.kinds[number - 1] == "."):
            return None
        is_called = tokens.kinds[number + 1] == "("
        return _first(value, (self.calls if is_called else self.plain), self.plain)


def _first(name: str, *tables: Mapping[str, str]) -> str | None:
    return next((table[name] for table in tables if name in table), None)


def calls_of(source: str, names: Collection[str]) -> Iterator[tuple[int, str]]:
    """The calls of functions of some names in a source, with their lines."""
    if "(" not in source:
        return
    tokens = tokens_of(source)
    for number, kind in enumerate(tokens.kinds[:-1]):
        value = tokens.values[number]
        if kind == NAME and tokens.kinds[number + 1] == "(" and value in names:
            yield source.count("\n", 0, tokens.positions[number]) + 1, value


def ends_at(tokens: Tokens, number: int) -> int:
    """Where a token ends in its source."""
    if tokens.kinds[number] == END:
        return tokens.positions[number]
    return tokens.positions[number] + len(tokens.values[number])
