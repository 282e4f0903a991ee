"""Words that a text must have for a regular expression to be found in it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_LETTERS: Final = re.compile(r"[A-Za-z0-9_]")
_SHORTEST: Final = 2
#: an escape, a class of signs, a count, or any other sign
_PART: Final = re.compile(
    r"\\[A-Za-z0-9]|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[*+?]|\{[0-9]*,?[0-9]*\}|.", re.DOTALL
)
#: a letter by its number or name, and a group once more
_CODED: Final = re.compile(r"\\[xuUN0-9]")
#: the start of a group other than a flag, name or condition
_AROUND: Final = re.compile(r"\(\?(?:=|!|<=|<!|:)|\((?!\?)")


class NeededWord(NamedTuple):
    """A word of ASCII letters, digits and underscores, or a part of one; ``any_case``: in small or
    in capital letters."""

    text: str
    any_case: bool

    def is_in(self, content: bytes) -> bool:
        """Whether a text in UTF-8 may have the word: in any case, letters that are not of ASCII
        may stand for others."""
        if not self.any_case:
            return self.text.encode("ascii") in content
        return self.text.lower().encode("ascii") in content.lower() or not content.isascii()


def needed_word(pattern: re.Pattern[str]) -> NeededWord | None:
    """The longest word that every text has in which a pattern is found; None where none is
    certain."""
    if pattern.flags & re.VERBOSE:
        return None
    runs = _Runs()
    depth = 0
    text, at = pattern.pattern, 0
    while at < len(text):
        match = _PART.match(text, at)
        assert match is not None  # it takes any sign
        part, at = match[0], match.end()
        if part == "(":
            opening = _AROUND.match(text, match.start())
            if opening is None:
                return None
            at = opening.end()
            depth += 1
            runs.end()
        elif part == ")":
            depth -= 1
            runs.end()
        elif depth:
            continue
        elif part == "|" or _CODED.match(part):
            return None
        elif part in "*?" or (part[0] == "{" and len(part) > 1):
            runs.drop()
        elif _LETTERS.fullmatch(part):
            runs.put(part)
        else:
            runs.end()  # a "+" too: the next part follows the last of many
    runs.end()
    if len(runs.longest) < _SHORTEST:
        return None
    return NeededWord(runs.longest, bool(pattern.flags & re.IGNORECASE))


class _Runs:
    """Letters that stand one after another in every text."""

    def __init__(self) -> None:
        self.longest = ""
        self._run = ""

    def put(self, letter: str) -> None:
        self._run += letter

    def drop(self) -> None:
        """The last letter may be missing."""
        self._run = self._run[:-1]
        self.end()

    def end(self) -> None:
        self.longest = max(self.longest, self._run, key=len)
        self._run = ""


def plain_word(name: str) -> NeededWord | None:
    """A name as a word; None for one with other signs."""
    is_plain = len(name) >= _SHORTEST and all(map(_LETTERS.fullmatch, name))
    return NeededWord(name, any_case=False) if is_plain else None
