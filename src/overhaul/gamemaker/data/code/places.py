"""Lines of code, and which of them say a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from typing import NamedTuple

from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.mention_index import without_texts, words_of


class SourceLine(NamedTuple):
    """A line (from 1) of a code entry's source; 0 where the entry as a whole is meant."""

    entry: str
    line: int
    text: str = ""

    def __str__(self) -> str:
        return f"{self.entry}:{self.line}" if self.line else self.entry


def lines_with(
    entry: CodeEntry, words: Set[str], text_of: Callable[[CodeEntry], str] | None = None
) -> list[SourceLine]:
    """The lines of an entry that say one of the words; the entry as a whole where none does.

    ``text_of`` gives its text; else it is decompiled.
    """
    return _places(entry, text_of, lambda line: not words.isdisjoint(words_of(line)))


def lines_matching(
    entry: CodeEntry, pattern: str, text_of: Callable[[CodeEntry], str] | None = None
) -> list[SourceLine]:
    """As :func:`lines_with`, for a regular expression."""
    compiled = re.compile(pattern)
    return _places(entry, text_of, lambda line: compiled.search(without_texts(line)) is not None)


def lines_with_text(
    entry: CodeEntry, text: str, text_of: Callable[[CodeEntry], str] | None = None
) -> list[SourceLine]:
    """As :func:`lines_with`, for a text in quotes."""
    spellings = (f'"{text}"', f"'{text}'")
    return _places(entry, text_of, lambda line: any(each in line for each in spellings))


def _places(
    entry: CodeEntry, text_of: Callable[[CodeEntry], str] | None, says: Callable[[str], bool]
) -> list[SourceLine]:
    places = [
        SourceLine(str(entry.name), number, line.strip())
        for number, line in enumerate((text_of or _source_of)(entry).split("\n"), 1)
        if says(line)
    ]
    return places or [SourceLine(str(entry.name), 0)]


def _source_of(entry: CodeEntry) -> str:
    """The source of one entry, without looking at all code for types."""
    language = entry.game.language
    try:
        alone = language.decompiled.source_alone(entry)
        source: str = (language.decompiled.source(entry) if alone is None else alone)[0]
    except OverhaulError:
        return ""
    return source
