"""What is wrong with a translation of a GameMaker game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from overhaul.translate.gamemaker.beside import catalogues, read_files
from overhaul.translate.gamemaker.extracting import PLACEHOLDER
from overhaul.translate.gamemaker.shown import find_texts
from overhaul.translate.results import Problem, told

if TYPE_CHECKING:
    import polib

    from overhaul.folder.parallel import Progress
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data.resources.fonts import Font
    from overhaul.translate.rules import Rules

_BREAK = re.compile(r"(?<!\\)#|\n")


def check(
    game: GameData,
    messages: polib.POFile,
    *,
    rules: Rules | None = None,
    progress: Progress | None = None,
) -> list[Problem]:
    """What would not work in the game."""
    found: list[Problem] = []
    texts = find_texts(game, progress, rules)
    shown = set(texts.places())
    for catalogue in catalogues(game, read_files(game, texts), rules):
        shown |= {each.text for each in catalogue.texts}
    fonts = list(game.fonts)
    for entry in messages:
        text, new = str(entry.msgid), str(entry.msgstr)
        if entry.obsolete or entry.fuzzy or not new:
            continue
        said = []
        if text not in shown or entry.msgctxt:
            said.append("the game does not show this text")
        said += _differences(text, new, game.release.major < 2)
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
