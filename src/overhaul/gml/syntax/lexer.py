"""Cuts GML source into tokens.

Tokens are kept in three parallel lists, which is what makes the lexer and parser fast. A token's
kind is one of NAME, NUMBER, STRING, TEMPLATE, MACRO, END, or the operator or keyword itself in
its one normal spelling (``and`` becomes ``&&``, ``begin`` becomes ``{``, ``<>`` becomes ``!=``,
``mod`` ``%``). Comments, white space and ``#region`` lines leave nothing.
"""

from __future__ import annotations

import re
from itertools import accumulate, compress
from typing import Final

from overhaul.gml.syntax.errors import ProblemList

NAME: Final = "name"
NUMBER: Final = "number"
STRING: Final = "string"
TEMPLATE: Final = "template"
MACRO: Final = "macro definition"
END: Final = "end of text"

#: the problem of a comment without an end
OPEN_COMMENT: Final = "this comment is not closed"

# Words that are never names, and the token each becomes.
_WORDS_GMS1: Final[dict[str, str]] = {
    "and": "&&", "or": "||", "xor": "^^", "not": "!", "mod": "%", "div": "div",
    "begin": "{", "end": "}",
    **{
        word: word
        for word in [
            "if", "then", "else", "switch", "case", "default", "break", "continue", "exit",
            "return", "while", "for", "repeat", "do", "until", "with", "var", "globalvar", "enum",
        ]
    },
}  # fmt: skip
_WORDS_V2: Final[dict[str, str]] = {
    **_WORDS_GMS1,
    **{
        word: word
        for word in ["try", "catch", "finally", "throw", "new", "delete", "function", "static"]
    },
}

_SPACE: Final = r"[ \t\r\n\f\v\xa0\ufeff]+|//[^\n]*|/\*.*?\*/|/\*.*"
_NAME: Final = r"[^\W\d]\w*|@@[^\W\d]\w*@@"  # @@f@@: a function that only compilers call
_NUMBER_V1: Final = r"\$[0-9A-Fa-f]+|0[xX][0-9A-Fa-f]+|[0-9]+(?:\.[0-9]*)?|\.[0-9]+"
_NUMBER_V2: Final = (
    r"\$[0-9A-Fa-f_]+|0[xX][0-9A-Fa-f_]+|0[bB][01_]+|#[0-9A-Fa-f]{6}(?![0-9A-Za-z_])"
    r"|[0-9][0-9_]*(?:\.[0-9][0-9_]*|\.(?![A-Za-z_.]))?|\.[0-9][0-9_]*"
)
_OPERATOR: Final = (
    r"\?\?=|\?\?|<<=|>>=|<=|>=|<>|==|!=|:=|\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|&&|\|\||\^\^|<<|>>"
    r"|[-+*/%&|^~!<>=?:;,.(){}\[\]@$#\\]"
)
#: A macro goes on behind a backslash at the end of a line, which a comment may follow.
_HASH: Final = (
    r"#macro\b(?:[^\n\\]|\\[ \t]*(?://[^\n]*)?(?:\r?\n|\Z)|\\)*|#(?:(?:end)?region|line)\b[^\n]*"
)


def _pattern(number: str, string: str, template: str) -> re.Pattern[str]:
    # The order of the groups is the order of the constants below.
    parts = [_SPACE, _NAME, _HASH, number, string, template, _OPERATOR, r"."]
    return re.compile("|".join(f"({part})" for part in parts), re.DOTALL)


_G_SPACE, _G_NAME, _G_HASH, _G_NUMBER, _G_STRING, _G_TEMPLATE, _G_OPERATOR, _G_OTHER = range(1, 9)

_STRING_GMS1: Final = r"\"[^\"]*\"|'[^']*'"
_STRING_GMS2: Final = r"\"(?:[^\"\\\n]|\\.)*\"|@\"[^\"]*\"|@'[^']*'"
_NEVER: Final = r"(?!)"

_PATTERNS: Final = {
    (False, False): _pattern(_NUMBER_V1, _STRING_GMS1, _NEVER),
    (False, True): _pattern(_NUMBER_V2, _STRING_GMS1, r"\$\""),
    (True, False): _pattern(_NUMBER_V1, _STRING_GMS2, _NEVER),
    (True, True): _pattern(_NUMBER_V2, _STRING_GMS2, r"\$\""),
}


def _whole_pattern(number: str, string: str, accessors: str) -> re.Pattern[str]:
    """The pattern that cuts a plain text as a whole; see :func:`_plain_tokens`."""
    parts = [_SPACE, _NAME, number, string, accessors, _OPERATOR, r"."]
    return re.compile("|".join(parts), re.DOTALL)


_ACCESSORS: Final = r"\[(?:[|?#]|@(?!@))"
_ACCESSORS_V2: Final = r"\[(?:[|?#]|@(?!@)|\$(?![0-9]))"

_WHOLE_PATTERNS: Final = {
    (False, False): _whole_pattern(_NUMBER_V1, _STRING_GMS1, _ACCESSORS),
    (False, True): _whole_pattern(_NUMBER_V2, _STRING_GMS1, _ACCESSORS_V2),
    (True, False): _whole_pattern(_NUMBER_V1, _STRING_GMS2, _ACCESSORS),
    (True, True): _whole_pattern(_NUMBER_V2, _STRING_GMS2, _ACCESSORS_V2),
}

_SPELLINGS: Final = {"<>": "!=", ":=": "="}

# After one of these a "[" opens an index, elsewhere an array literal.
_VALUE_ENDS: Final = frozenset({NAME, NUMBER, STRING, TEMPLATE, ")", "]", "}"})


class Tokens:
    """The tokens of a text: ``kinds[i]``, their text ``values[i]`` and offset ``positions[i]``.

    The last token is END. ``[|`` and the other accessor brackets are tokens of their own.
    """

    __slots__ = ("kinds", "positions", "values")

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.values: list[str] = []
        self.positions: list[int] = []

    def append(self, kind: str, value: str, position: int) -> None:
        self.kinds.append(kind)
        self.values.append(value)
        self.positions.append(position)

    def __len__(self) -> int:
        return len(self.kinds)


def keywords(v2: bool) -> dict[str, str]:
    """The reserved words of a language version, with the token each stands for."""
    return _WORDS_V2 if v2 else _WORDS_GMS1


def words(source: str, *, gms2: bool = True, v2: bool = True) -> list[str]:
    """The tokens of a source as they are written, without the end, whatever is wrong with it."""
    return tokenize(source, ProblemList(source), gms2=gms2, v2=v2).values[:-1]


def tokenize(
    source: str,
    problems: ProblemList,
    *,
    gms2: bool = True,
    v2: bool = True,
    start: int = 0,
    end: int = -1,
) -> Tokens:
    """Cut ``source[start:end]`` into tokens; ``gms2`` and ``v2`` (GMS2.3 and later) choose the
    language.  Characters that start no token, and strings and comments that are not closed, are
    noted in ``problems``."""
    if start == 0 and end < 0:
        known = _plain_tokens(source, gms2, v2)
        if known is not None:
            return known
    return _cut(source, problems, gms2, v2, start, len(source) if end < 0 else end)


def _cut(source: str, problems: ProblemList, gms2: bool, v2: bool, start: int, end: int) -> Tokens:
    """:func:`tokenize`, one token after another."""
    accessors = "|?#@$" if v2 else "|?#@"
    tokens = Tokens()
    kinds, values, positions = tokens.kinds, tokens.values, tokens.positions
    add_kind, add_value, add_position = kinds.append, values.append, positions.append
    word = keywords(v2).get
    spelling = _SPELLINGS.get
    scan = _PATTERNS[gms2, v2].finditer
    restart = start
    while 0 <= restart < end:
        at, restart = restart, -1
        for match in scan(source, at, end):
            group = match.lastindex
            if group == _G_SPACE:
                if match.end() == end:
                    _check_closed(source, match.start(), end, problems)
                continue
            text = match.group()
            position = match.start()
            if group == _G_NAME:
                add_kind(word(text, NAME))
            elif group == _G_OPERATOR:
                if text == "[" and kinds and kinds[-1] in _VALUE_ENDS:
                    text = _bracket(source, position, accessors)
                    if text != "[":
                        restart = position + 2
                add_kind(spelling(text, text))
            elif group == _G_NUMBER:
                add_kind(NUMBER)
            elif group == _G_STRING:
                add_kind(STRING)
            elif group == _G_TEMPLATE:
                restart = _template_end(source, position + 2, end, problems)
                text = source[position:restart]
                add_kind(TEMPLATE)
            elif group == _G_OTHER:
                restart = _complain(source, position, end, problems)
                if restart < 0:
                    continue
                text = '""'
                add_kind(STRING)
            elif text.startswith("#macro"):
                add_kind(MACRO)
            else:
                continue
            add_value(text)
            add_position(position)
            if restart >= 0:
                break
    tokens.append(END, "", end)
    return tokens


class _Special(Exception):
    """Raised for a token that is not cut out by one pattern."""


class _Kinds(dict[str, str]):
    """The kind of each token of plain text by its letters, "" for spaces and comments."""

    def __init__(self, v2: bool) -> None:
        super().__init__()
        self._words: dict[str, str] = keywords(v2)

    def __missing__(self, text: str) -> str:
        kind = self._kind(text)
        if len(text) <= _SHORT:
            if len(self) >= _MOST_KINDS:
                self.clear()
            self[text] = kind
        return kind

    def _kind(self, text: str) -> str:
        if text in _OPERATORS:
            return _SPELLINGS.get(text, text)
        first = text[0]
        if first in _SPACES or text.startswith("//"):
            return ""
        if text.startswith("/*"):
            if text.find("*/", 2) < 0:
                raise _Special
            return ""
        if first in "\"'" or text.startswith(('@"', "@'")):
            if len(text) == 1:
                raise _Special
            return STRING
        if first in "0123456789" or (len(text) > 1 and first in ".$#"):
            return NUMBER
        if first == "_" or first.isalpha() or text.startswith("@@") or _NAMED.fullmatch(text):
            return self._words.get(text, NAME)
        raise _Special


_SPACES: Final = frozenset(" \t\r\n\f\v\xa0\ufeff")
_OPERATORS: Final = frozenset(
    ["??=", "<<=", ">>=", "??", "<=", ">=", "<>", "==", "!=", ":=", "++", "--", "+=", "-=", "*=",
     "/=", "%=", "&=", "|=", "^=", "&&", "||", "^^", "<<", ">>", "[|", "[?", "[#", "[@", "[$",
     *"-+*/%&|^~!<>=?:;,.(){}[]@$#\\"]
)  # fmt: skip
_NAMED: Final = re.compile(_NAME)
_SHORT: Final = 32
_MOST_KINDS: Final = 1 << 15
"""Tokens of so many letters at most are known again, and so many."""
_KINDS: Final = {False: _Kinds(False), True: _Kinds(True)}


def _plain_tokens(source: str, gms2: bool, v2: bool) -> Tokens | None:
    """As :func:`tokenize` of a whole text in which each token shows by itself what it is, which
    takes less time; None for other texts: with ``#`` lines, template strings, or mistakes."""
    texts = _WHOLE_PATTERNS[gms2, v2].findall(source)
    try:
        found = list(map(_KINDS[v2].__getitem__, texts))
    except _Special:
        return None
    tokens = Tokens()
    kinds = tokens.kinds = list(compress(found, found))
    tokens.values = list(compress(texts, found))
    positions = tokens.positions = list(compress(accumulate(map(len, texts), initial=0), found))
    if "#" in source or "[@" in source or "$" in source or "[|" in source or "[?" in source:
        accessors = "|?#@$" if v2 else "|?#@"
        for at, kind in enumerate(kinds):
            if kind == "#":
                return None
            if kind[0] == "[":
                is_index = at > 0 and kinds[at - 1] in _VALUE_ENDS
                wanted = _bracket(source, positions[at], accessors) if is_index else "["
                if wanted != kind:
                    return None
            elif kind == "$" and source[positions[at] + 1 : positions[at] + 2] == '"':
                return None
    tokens.append(END, "", len(source))
    return tokens


def _bracket(source: str, position: int, accessors: str) -> str:
    """The bracket behind a value: ``[``, or with the sign of its accessor."""
    after = source[position + 1 : position + 2]
    # a[$10] is a hexadecimal index, s[$ key] and s[$key] look into a struct; a[@@f@@(b)] calls.
    behind = source[position + 2 : position + 3]
    plain = (after == "$" and behind.isdigit()) or (after == "@" and behind == "@")
    return "[" + after if after and after in accessors and not plain else "["


def _check_closed(source: str, position: int, end: int, problems: ProblemList) -> None:
    """Note a comment that goes on to the end of the text without an end of its own."""
    is_comment = source.startswith("/*", position, end)
    if is_comment and source.find("*/", position + 2, end) < 0:
        problems.add(OPEN_COMMENT, position)


def _complain(source: str, position: int, end: int, problems: ProblemList) -> int:
    """Note a character that starts no token.

    Where it opens a string that is not closed, the rest of the line was meant as text: the offset
    behind it; -1 otherwise.
    """
    text = source[position]
    if text not in "\"'":
        problems.add(f"unexpected character {text!r}", position)
        return -1
    problems.add("this string is not closed", position)
    stop = source.find("\n", position, end)
    return end if stop < 0 else stop


def _template_end(source: str, at: int, end: int, problems: ProblemList) -> int:
    """The offset behind the closing quote of a template string whose text begins at ``at``; ``end``
    if there is none.

    Inside braces stand expressions, in which strings and template strings may stand again.
    """
    position = at - 2
    depth = 0  # open braces of the innermost template
    stack: list[int] = []
    while at < end:
        char = source[at]
        if depth == 0:
            if char == "\\":
                at += 1
            elif char == '"':
                if not stack:
                    return at + 1
                depth = stack.pop()
            elif char == "{":
                depth = 1
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        elif char == '"':
            if source[at - 1] == "$":
                stack.append(depth)
                depth = 0
            else:
                match = _ESCAPED_STRING.match(source, at, end)
                if match is None:
                    break
                at = match.end() - 1
        elif char == "@" and source[at + 1 : at + 2] in ('"', "'"):
            close = source.find(source[at + 1], at + 2, end)
            if close < 0:
                break
            at = close
        at += 1
    problems.add("this string is not closed", position)
    return end


_ESCAPED_STRING: Final = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)


# ------------------------------------------------------------------------------------------------
# The values of tokens

_ESCAPES: Final = {
    "n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "a": "\a",
}  # fmt: skip
_ESCAPE: Final = re.compile(
    r"\\(?:u([0-9A-Fa-f]{1,6})|x([0-9A-Fa-f]{1,2})|([0-7]{3})|(\r?\n)|(.))", re.DOTALL
)


def _escape(match: re.Match[str]) -> str:
    code, byte, octal, newline, char = match.groups()
    if char is not None:
        return _ESCAPES.get(char, char)
    if newline is not None:
        return ""
    if code is not None:
        value = int(code, 16)
        return chr(value) if value <= 0x10FFFF else "\ufffd"
    return chr(int(byte, 16)) if byte is not None else chr(int(octal, 8))


def unescape(text: str) -> str:
    """Resolve the escapes of a GMS2 string (without its quotes)."""
    return _ESCAPE.sub(_escape, text) if "\\" in text else text


def string_value(text: str, gms2: bool) -> str:
    """The content of a string token."""
    if text[0] == "@":
        return text[2:-1]
    return unescape(text[1:-1]) if gms2 else text[1:-1]
