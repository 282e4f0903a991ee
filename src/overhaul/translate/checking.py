"""What is wrong with a translation."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polib

from overhaul.errors import FormatError
from overhaul.translate.extracting import PLACEHOLDER, Game, opened
from overhaul.translate.shown import find_texts

if TYPE_CHECKING:
    from overhaul.folder.parallel import Progress
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data.resources.fonts import Font

_LONGEST = 40
_LINE = re.compile(
    r"\s*(?:#(?!~).*|#~\|.*|"
    r'(?:#~)?\s*(?:msg(?:ctxt|id|id_plural|str|str\[\d+\])\s*)?"(?:[^"\\]|\\.)*"\s*|#~\s*|)'
)
_BREAK = re.compile(r"(?<!\\)#|\n")


@dataclass
class Problem:
    """Something wrong with a translation; ``line`` is its line in the PO file."""

    text: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {told(self.text)}: {self.message}"


def load(path: str | os.PathLike[str]) -> polib.POFile:
    """Read a PO file.  Raises FormatError for what is none, OSError if it can't be read."""
    name = os.fspath(path)
    with open(path, "rb") as file:
        data = file.read()
    try:
        text = data.decode(_charset(data))
    except (UnicodeDecodeError, LookupError) as error:
        raise FormatError(f"not a text in its encoding: {error}", source=name) from None
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if "\n" not in lines:  # polib takes a text of one line for a path
        lines += "\n"
    for number, line in enumerate(lines.split("\n"), 1):
        if not _LINE.fullmatch(line):  # polib reads some of them as something else
            raise FormatError(
                f"line {number}: expected a line of a PO file, got {line!r:.60}", source=name
            )
    try:
        return polib.pofile(lines, wrapwidth=0)
    except (OSError, ValueError, IndexError) as error:
        raise FormatError(f"not a PO file: {error}", source=name) from None


def _charset(data: bytes) -> str:
    found = re.search(rb'^"[^"\n]*charset=([\w.-]+)', data, re.MULTILINE)
    return found[1].decode("ascii") if found and found[1] != b"CHARSET" else "utf-8"


def check(game: Game, messages: polib.POFile, *, progress: Progress | None = None) -> list[Problem]:
    """What would not work in the game: lost placeholders, other line breaks, letters that no font
    of the game has, texts that it does not show.  Fuzzy and untranslated texts are not looked at.
    """
    found: list[Problem] = []
    with opened(game) as data:
        shown = find_texts(data, progress).places().keys()
        fonts = list(data.fonts)
        for entry in messages:
            text, new = str(entry.msgid), str(entry.msgstr)
            if entry.obsolete or entry.fuzzy or not new:
                continue
            said = []
            if text not in shown or entry.msgctxt:
                said.append("the game does not show this text")
            said += _differences(text, new, data.release.major < 2)
            missing = _missing(fonts, new)
            if missing:
                said.append(f"no font of the game has {missing}")
            found += [Problem(text, entry.linenum or 0, message) for message in said]
    return found


def glyph_warnings(game: GameData, wanted: Mapping[str, str]) -> list[str]:
    """The letters of translations that no font of the game has."""
    fonts = list(game.fonts)
    return [
        f"no font of the game has {missing} of the translation of {told(text)}"
        for text, new in wanted.items()
        if (missing := _missing(fonts, new))
    ]


def told(text: str) -> str:
    """A text in a message."""
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


def _differences(text: str, new: str, hash_breaks: bool) -> list[str]:
    said = []
    old_fields, new_fields = (Counter(PLACEHOLDER.findall(each)) for each in (text, new))
    lost, added = old_fields - new_fields, new_fields - old_fields
    if lost:
        said.append(f"it lacks {' '.join(lost.elements())}")
    if added:
        said.append(f"it has {' '.join(added.elements())}, which the text has not")
    breaks = _BREAK if hash_breaks else re.compile("\n")
    counts = [len(breaks.findall(each)) for each in (text, new)]
    if counts[0] != counts[1]:
        said.append(f"it has {counts[1]} line breaks, the text has {counts[0]}")
    return said


def _missing(fonts: list[Font], text: str) -> str:
    """The letters that none of the fonts has; "" in a game without fonts."""
    if not fonts:
        return ""
    left = set(text)
    for font in fonts:
        left &= set(font.missing(text))
    return " ".join(sorted(left))
