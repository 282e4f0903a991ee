"""The names in source text."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TEXTS = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'|//[^\n]*")
_WORDS = re.compile(r"[A-Za-z_]\w*")


def words_of(source: str) -> list[str]:
    """The names in a source, in order; not those in texts."""
    return _WORDS.findall(_TEXTS.sub("", source))


def with_words(source: str, words: Mapping[str, str]) -> str:
    """A source with other words in the place of names, but for those in texts and of members."""
    known = "|".join(map(re.escape, words))
    pattern = re.compile(rf"{_TEXTS.pattern}|(?<![\w.])(?:{known})(?!\w)")
    return pattern.sub(lambda found: words.get(found[0], found[0]), source)
