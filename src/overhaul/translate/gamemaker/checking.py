"""The faults of a translation of the texts of a GameMaker game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from overhaul.findings import Findings, warning
from overhaul.gamemaker.data.game import GameData
from overhaul.translate.families import Job
from overhaul.translate.gamemaker.companions import catalogues, read_files
from overhaul.translate.gamemaker.extending import drawable, extend
from overhaul.translate.gamemaker.faces import Faces
from overhaul.translate.gamemaker.shown import find_texts
from overhaul.translate.results import Problem, quoted, translations

if TYPE_CHECKING:
    import polib


_PLACEHOLDER = re.compile(r"\{\w+\}|%\d{1,2}(?!\d)|%[sdif](?!\w)|\|(?:\*\.\w+;?)+")
_BREAK = re.compile(r"(?<!\\)#|\n")


def check(game: GameData, messages: polib.POFile, job: Job) -> list[Problem]:
    """The faults that would show in the game; typefaces draw their letters into its fonts."""
    with drawable(game, job) as drawn:
        return _check(drawn, messages, job)


def _check(game: GameData, messages: polib.POFile, job: Job) -> list[Problem]:
    problems: list[Problem] = []
    texts = find_texts(game, job)
    shown, faces = texts.texts(), Faces(game, texts)
    for catalogue in catalogues(game, read_files(game, texts.files), job.rules):
        shown |= {each.text for each in catalogue.texts}
    if job.typefaces is not None:
        extend(job.typefaces, faces, translations(messages, shown), texts, partly=True)
    for entry in messages:
        text, new = str(entry.msgid), str(entry.msgstr)
        if entry.obsolete or entry.fuzzy or not new:
            continue
        said = []
        if text not in shown or entry.msgctxt:
            said.append("the game does not show this text")
        said += placeholders(text, new)
        said += _line_breaks(text, new, game.release.major < 2)
        said += missing_glyphs(faces, text, new)
        said += faces.overflows(text, new)
        problems += [Problem(text, entry.linenum or 0, message) for message in said]
    return problems


def glyph_warnings(faces: Faces, wanted: Mapping[str, str]) -> Findings:
    """The letters of translations that the fonts which draw them have not."""
    return Findings(
        warning("missing-letters", f"{said} of the translation of {quoted(text)}")
        for text, new in wanted.items()
        for said in missing_glyphs(faces, text, new)
    )


def missing_glyphs(faces: Faces, text: str, new: str) -> list[str]:
    """The findings about letters that a translation's fonts lack."""
    by_font, nowhere = faces.needs(text, new)
    said = [f"{name} has no {' '.join(letters)}" for name, letters in by_font.items()]
    if nowhere and faces.any():
        said.append(f"no font of the game has {' '.join(nowhere)}")
    elif nowhere:
        said.append(f"the game has no font, and GameMaker's own has no {' '.join(nowhere)}")
    return said


def placeholders(text: str, new: str) -> list[str]:
    """The placeholders in which a translation differs from its text, which are replaced when it
    is shown."""
    said = []
    old_fields, new_fields = (Counter(_PLACEHOLDER.findall(side)) for side in (text, new))
    lost, added = old_fields - new_fields, new_fields - old_fields
    if lost:
        said.append(f"it lacks {' '.join(lost.elements())}")
    if added:
        said.append(f"it has {' '.join(added.elements())}, which the text has not")
    return said


def _line_breaks(text: str, new: str, hash_breaks: bool) -> list[str]:
    breaks = _BREAK if hash_breaks else re.compile("\n")
    counts = [len(breaks.findall(side)) for side in (text, new)]
    if counts[0] == counts[1]:
        return []
    return [f"it has {counts[1]} line breaks, the text has {counts[0]}"]
