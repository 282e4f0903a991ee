"""Lines to tokens; the literals among them go to the string table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain, count, repeat
from typing import Final

from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.options import (
    ESCAPES,
    HEXADECIMAL,
    MARKS,
    STATEMENTS,
    TIGHT_LITERALS,
    CompilerOptions,
)

#: The beginning of a literal that names the source file of the next lines.
NEW_SCRIPT: Final = "__NEWSCRIPTSTART_"
_MARK: Final = '"' + NEW_SCRIPT
_MARK_LENGTH: Final = len(_MARK)

_NAMES: Final = r"[A-Za-z_]\w*|[(){};,\[\]]"
_LITERALS: Final = r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)[^'\n]*'"""
_SIGNS: Final = r"\.(?:\.\.)?|::?|&[&=]?|\|[|=]?|\+[+=]?|-[-=]?|<<?=?|>>?=?|[*/^!=]=?|\S"
_OLD_SIGNS: Final = r"\.(?:\.\.)?|::?|&&?|\|\|?|\+[+=]?|-[-=]?|<[<=]?|>[>=]?|[!=]=?|\S"
_TOKENS: Final = re.compile(rf"{_NAMES}|{_LITERALS}|\d[\d.]*|{_SIGNS}", re.ASCII)
_HEX_TOKENS: Final = re.compile(
    rf"{_NAMES}|{_LITERALS}|0[xX][0-9A-Fa-f]+|\d[\d.]*|{_SIGNS}", re.ASCII
)
_OLD_TOKENS: Final = re.compile(rf"{_NAMES}|{_LITERALS}|\d[\d.]*|{_OLD_SIGNS}", re.ASCII)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_OLD_ESCAPES: Final = {"[": "\\[", "n": "\n", "r": "\r"}
_ESCAPES: Final = {
    **_OLD_ESCAPES,
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "t": "\t",
    "v": "\v",
}


def unquoted(literal: str) -> str:
    """The text that a literal in quotes stands for."""
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), literal[1:-1])


#: The tokens of a line.
Row = tuple[str, ...]


class Quoted(tuple[str, ...]):
    """The tokens of a line with literals."""

    __slots__ = ()


class Tokens:
    """A text as tokens.

    ``lines`` has the number of the line of each; for a mark of a new source file it is negative,
    and the numbers begin again behind it.  Three empty tokens stand at the end.
    """

    __slots__ = ("lines", "tokens")

    def __init__(self) -> None:
        self.tokens: list[str] = []
        self.lines: list[int] = []


class Lexer:
    """Makes tokens; ``literals`` has where each text of a literal stands in ``strings``."""

    def __init__(self, options: CompilerOptions, strings: bytearray) -> None:
        self.literals: dict[str, int] = {}
        self.strings: bytearray = strings
        self._encoding = options.encoding
        editor = options.editor
        self._marks = editor >= MARKS
        self._escapes = _ESCAPES if editor >= ESCAPES else _OLD_ESCAPES
        # The table has the room that the literal takes in the text; the official compiler leaves
        # there what was in its memory.
        self._padded = not TIGHT_LITERALS[0] <= editor < TIGHT_LITERALS[1]
        self.pattern: re.Pattern[str] = (
            _HEX_TOKENS
            if editor >= HEXADECIMAL
            else _TOKENS
            if editor >= STATEMENTS
            else _OLD_TOKENS
        )

    def run(self, name: str, lines: list[str], tokens_of_lines: list[list[str]]) -> Tokens:
        """The tokens of a text called ``name``."""
        result = Tokens()
        tokens, numbers = result.tokens, result.lines
        mark = f'{_MARK}{name}"'
        if self._marks:
            self._literal(mark)
        tokens.append(mark)
        numbers.append(-1)
        number = 0
        for line, found in zip(lines, tokens_of_lines, strict=True):
            number += 1
            if not found:
                continue
            if '"' in line or "'" in line:
                number = self._literals_of(found, number, result)
                continue
            tokens += found
            numbers += [number] * len(found)
        tokens += ("", "", "")
        numbers += [numbers[-1] if numbers[-1] > 0 else 1] * 3
        return result

    def finish(self, name: str, rows: list[Row]) -> Tokens | None:
        """The tokens of a text called ``name``, from those of its lines.

        None if a literal is wrong.
        """
        texts: list[str] = []
        marked: list[int] = []
        for at in [at for at, row in enumerate(rows) if row.__class__ is Quoted]:
            row = rows[at]
            number = False
            for token in row:
                first = token[0]
                if first == '"':
                    texts.append(token)
                    if token[:_MARK_LENGTH] == _MARK:
                        marked.append(at)
                elif first == "'":
                    number = True
            if number:
                plain = [self._character(token) if token[0] == "'" else token for token in row]
                if "" in plain:
                    return None
                rows[at] = tuple(plain)
        result = Tokens()
        mark = f'{_MARK}{name}"'
        if self._marks:
            self._literal(mark)
        for token in texts:
            self._literal(token)
        result.tokens = [mark, *chain.from_iterable(rows), "", "", ""]
        result.lines = numbers = [-1, *_numbers(rows, marked)]
        numbers += [numbers[-1] if numbers[-1] > 0 else 1] * 3
        return result

    def _literals_of(self, found: list[str], number: int, result: Tokens) -> int:
        """Append the tokens of a line with literals; returns the number of the line."""
        for ordinal, token in enumerate(found, start=1):
            first = token[0]
            if first == '"' and len(token) > 1:
                self._literal(token)
                result.tokens.append(token)
                if token.startswith(_MARK):
                    result.lines.append(-max(number, 1))
                    number = 0
                else:
                    result.lines.append(number)
                continue
            if first == "'" and len(token) > 1:
                plain = self._character(token)
                if not plain:
                    message = f"expected one character between quotes, got {token}"
                    raise _wrong(message, number, ordinal, result)
                token = plain
            elif first in "\"'":
                message = f"the literal that begins with {first} does not end on its line"
                raise _wrong(message, number, ordinal, result)
            result.tokens.append(token)
            result.lines.append(number)
        return number

    def _literal(self, token: str) -> None:
        """Put the text of a literal into the table of strings."""
        text = token[1:-1]
        self.literals[token] = len(self.strings)
        if "\\" in text:
            escapes = self._escapes
            length = len(text)
            text = _ESCAPE.sub(lambda match: escapes.get(match.group(1), match.group(1)), text)
            if self._padded:
                text += "\0" * (length - len(text))
        self.strings += text.encode(self._encoding, "surrogateescape") + b"\0"

    def _character(self, token: str) -> str:
        """The number that a literal of a character stands for; "" if it is not one character."""
        text = token[1:-1]
        if len(text) == 2 and text[0] == "\\":
            text = self._escapes.get(text[1], text[1])
        data = text.encode(self._encoding, "surrogateescape")
        if len(data) == 1:
            return str(data[0] - (256 if data[0] > 127 else 0))
        return str(ord(text)) if len(text) == 1 else ""


def _numbers(rows: list[Row], marked: list[int]) -> Iterable[int]:
    """The number of the line of each token; rows in ``marked`` have marks of new source files."""
    if not marked:
        return chain.from_iterable(map(repeat, count(1), map(len, rows)))
    result: list[int] = []
    start = 0
    for at in [*dict.fromkeys(marked), len(rows)]:
        lengths = map(len, rows[start:at])
        result += chain.from_iterable(map(repeat, count(1), lengths))
        if at == len(rows):
            break
        number = at - start + 1
        for token in rows[at]:
            result.append(-max(number, 1) if token.startswith(_MARK) else number)
            number = 0 if token.startswith(_MARK) else number
        start = at + 1
    return result


def _wrong(message: str, line: int, ordinal: int, result: Tokens) -> ScriptError:
    """An error at a token of a line; its section is the last one that has begun."""
    marks = [token for token in result.tokens if token.startswith(_MARK)]
    name = section_name(marks[-1]) if len(marks) > 1 else ""
    return ScriptError(message, line, ordinal, name=name)


def section_name(token: str) -> str:
    """The name in a mark of a new source file."""
    return token[len(_MARK) : -1]
