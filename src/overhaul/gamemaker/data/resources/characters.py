"""Characters as people write them down: ranges, files; and those of a game's strings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from overhaul.errors import FormatError

if TYPE_CHECKING:
    from overhaul.gamemaker.data.model import GameModel

_RANGE = re.compile(r"(U\+|0x|)([0-9A-F]{1,6})(?:-(U\+|0x|)([0-9A-F]{1,6}))?", re.IGNORECASE)
_LAST = 0xFFFF


def read_characters(words: Iterable[str]) -> list[str]:
    """The characters of ranges and files: ``32-126``, ``U+0400-U+04FF,0xE9``, ``letters.txt``.

    A file (UTF-8) stands for all characters in it.  Raises ValueError for what is neither,
    FormatError for a file in another encoding, OSError for one that can't be read.
    """
    found: set[str] = set()
    for word in words:
        if os.path.isfile(word):
            found.update(_of_file(word))
            continue
        for part in word.split(","):
            matched = _RANGE.fullmatch(part.strip())
            if matched is None:
                raise ValueError(
                    f"expected ranges such as 32-126,U+0400-U+04FF or a file, got {word!r}"
                )
            found.update(map(chr, _range(matched)))
    return sorted(found)


def _of_file(path: str) -> str:
    with open(path, "rb") as file:
        data = file.read()
    try:
        return data.decode("utf-8-sig").replace("\n", "").replace("\r", "")
    except UnicodeDecodeError as error:
        raise FormatError("expected a text in UTF-8", source=path, offset=error.start) from None


def _range(found: re.Match[str]) -> range:
    base = 16 if found[1] else 10
    try:
        first = int(found[2], base)
        last = first if found[4] is None else int(found[4], 16 if found[3] else base)
    except ValueError:
        raise ValueError(f"expected the number of a character, got {found[0]!r}") from None
    if not first <= last <= _LAST:
        raise ValueError(f"expected characters up to U+FFFF, the first one first, got {found[0]!r}")
    return range(first, last + 1)


def letters_of_strings(game: GameModel) -> str:
    """The characters of all strings of a game that a font can have and that can be seen."""
    found = set("".join(map(str, game.strings)))
    return "".join(sorted(each for each in found if each.isprintable() and ord(each) <= _LAST))
