"""Characters and typefaces as people name them: ranges, texts, files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from overhaul.errors import FormatError
from overhaul.media.typeface import LAST_CHARACTER, Typeface

#: a file of a typeface, or its bytes
OneTypeface: TypeAlias = "str | os.PathLike[str] | bytes | Typeface"
#: one or several: the first that has a character draws it
Typefaces: TypeAlias = "OneTypeface | Sequence[OneTypeface]"
#: characters: a text, or several texts, numbers and ranges of numbers
Characters: TypeAlias = "str | Iterable[str | int | range]"

_RANGE = re.compile(r"(U\+|0x|)([0-9A-F]{1,6})(?:-(U\+|0x|)([0-9A-F]{1,6}))?", re.IGNORECASE)


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
    if not first <= last <= LAST_CHARACTER:
        raise ValueError(f"expected characters up to U+FFFF, the first one first, got {found[0]!r}")
    return range(first, last + 1)


def typefaces_of(ttf: Typefaces) -> list[Typeface]:
    """The typefaces of files.  Raises FormatError for what is none, OSError, TypeError."""
    if isinstance(ttf, str | os.PathLike | bytes | Typeface):
        return [_typeface(ttf)]
    typefaces = [_typeface(font) for font in ttf]
    if not typefaces:
        raise ValueError("expected at least one typeface")
    return typefaces


def _typeface(ttf: OneTypeface) -> Typeface:
    if isinstance(ttf, Typeface):
        return ttf
    if isinstance(ttf, bytes):
        return Typeface(ttf, "the typeface")
    name = os.fspath(ttf)
    with open(name, "rb") as file:
        return Typeface(file.read(), name)


def characters_of(characters: Characters) -> list[int]:
    """The numbers of characters, each once, in order; ends of lines are left out.

    Raises ValueError for one above U+FFFF, which no font can have.
    """
    found: set[int] = set()
    for character in [characters] if isinstance(characters, str) else characters:
        if isinstance(character, str):
            found.update(map(ord, character))
        elif isinstance(character, range):
            if character and not 0 <= min(character) <= max(character) <= LAST_CHARACTER:
                raise ValueError(f"expected characters up to U+FFFF, got {character}")
            found.update(character)
        else:
            found.add(character)
    if found and not 0 <= min(found) <= max(found) <= LAST_CHARACTER:
        worst = next(code for code in found if not 0 <= code <= LAST_CHARACTER)
        said = f"U+{worst:04X}" if worst > 0 else str(worst)
        raise ValueError(f"expected characters up to U+FFFF, got {said}")
    return sorted(number for number in found if number not in (10, 13))
