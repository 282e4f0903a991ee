"""What is wrong with a translation of a game of Adventure Game Studio."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhaul.ags.text import ANSI, UTF_8
from overhaul.errors import EncodeError
from overhaul.translate.ags.extracting import FORMAT, MACRO, UTF_8_SINCE
from overhaul.translate.ags.game import Parts, parts_of
from overhaul.translate.ags.settings import Settings, code_page_of, settings_of
from overhaul.translate.ags.texts import Place, find_texts
from overhaul.translate.results import Problem

if TYPE_CHECKING:
    import polib

    from overhaul.document.protocol import Document
    from overhaul.folder.parallel import Progress
    from overhaul.translate.rules import Rules
    from overhaul.translate.typefaces import FontFiles

_BREAK: Final = re.compile(r"(?<!\\)\[|\n")
_SPEECH: Final = frozenset(("Say", "SayAt", "SayBackground", "Think", "DisplaySpeech"))
_MESSAGES: Final = frozenset(("Display", "DisplayAt", "DisplayAtY", "DisplayTopBar"))
_NUMBER: Final = re.compile(r"&\d+(?= |$)")


def check(
    game: Document,
    messages: polib.POFile,
    *,
    keep: bool = True,
    rules: Rules | None = None,
    typefaces: FontFiles | None = None,
    progress: Progress | None = None,
) -> list[Problem]:
    """What would not work in the game, which does not change."""
    parts = parts_of(game, progress)
    shown = find_texts(parts, rules)
    settings = settings_of(messages)
    encoding = encoding_for(parts, settings)
    found: list[Problem] = []
    for entry in messages:
        text, new = str(entry.msgid), str(entry.msgstr)
        if entry.obsolete or entry.fuzzy or not new:
            continue
        said = []
        if entry.msgctxt or (text not in shown and parts.whole):
            said.append("the game does not show this text")
        said += differences(text, new)
        lost = letters_lost(new, encoding)
        if lost:
            said.append(f"{encoding} lacks {' '.join(lost)}: {_ADVICE}")
        said += missing_glyphs(parts, settings, shown.get(text, []), new, encoding)
        found += [Problem(text, entry.linenum or 0, message) for message in said]
    return found


_ADVICE: Final = "set X-AGS-Encoding or Language in the header to one that has them"


def encoding_for(parts: Parts, settings: Settings) -> str:
    """The encoding of the translations: as set, else that of the release and language.

    Raises EncodeError for UTF-8 in a game that can't read it.
    """
    if parts.release() >= UTF_8_SINCE:
        return settings.encoding or UTF_8
    if settings.encoding == UTF_8:
        raise EncodeError(
            "X-AGS-Encoding: games before 3.6 can't read UTF-8: expected a code page such as cp1252"
        )
    return settings.encoding or (code_page_of(settings.language) if settings.language else ANSI)


def letters_lost(text: str, encoding: str) -> list[str]:
    """The letters that an encoding lacks."""
    lost = []
    for letter in dict.fromkeys(text):
        try:
            letter.encode(encoding, "surrogateescape")
        except UnicodeEncodeError:
            lost.append(letter)
    return lost


def differences(text: str, new: str) -> Iterator[str]:
    """What a translation has otherwise than its text, that the game relies on."""
    yield from placeholders(text, new)
    breaks = [len(_BREAK.findall(each)) for each in (text, new)]
    if breaks[0] != breaks[1]:
        yield f"it has {breaks[1]} line breaks, the text has {breaks[0]}"


def placeholders(text: str, new: str) -> Iterator[str]:
    """What a translation has otherwise than its text, that is replaced when it is shown."""
    for pattern in (_NUMBER, MACRO):
        old_marks, new_marks = (Counter(pattern.findall(each)) for each in (text, new))
        if old_marks - new_marks:
            yield f"it lacks {' '.join((old_marks - new_marks).elements())}"
        if new_marks - old_marks:
            added = " ".join((new_marks - old_marks).elements())
            yield f"it has {added}, which the text has not"
    number = _NUMBER.match(text)
    if number and number[0] in new and not new.startswith(number[0]):
        yield f"{number[0]} is to be at its beginning"
    marks = [[mark for mark in FORMAT.findall(each) if mark != "%%"] for each in (text, new)]
    if marks[0] != marks[1]:
        expected, got = (" ".join(each) or "none" for each in marks)
        yield f"expected the marks {expected} in this order, got {got}"


def _font_of(place: Place, settings: Settings, sets_fonts: bool) -> int:
    """The font that shows a text at a place, -1 where that is not evident.

    The engine begins with font 0 for messages and options, and font 1 for speech.
    """
    if place.font >= 0 or sets_fonts:
        return place.font
    names = {function.rpartition("::")[2] for function in place.functions}
    if names and names <= _SPEECH:
        return settings.speech_font if settings.speech_font >= 0 else 1
    if names and names <= _MESSAGES:
        return settings.normal_font if settings.normal_font >= 0 else 0
    return -1


def missing_glyphs(
    parts: Parts, settings: Settings, places: list[Place], new: str, encoding: str
) -> list[str]:
    """The letters that the fonts at a text's places lack, or that no font has."""
    fonts = parts.fonts
    if not fonts:
        return []
    replaced = {font.font: font.replacement for font in settings.fonts}
    if any(number < 0 for number in replaced.values()):
        return []  # a file of the translation's own has the letters
    numbers = {_font_of(place, settings, parts.sets_fonts) for place in places}
    evident = sorted(replaced.get(number, number) for number in numbers if number >= 0)
    reports = []
    for number in evident:
        lacks = fonts[number].missing(new, encoding) if number in fonts else ""
        if lacks:
            reports.append(f"font {number} lacks {' '.join(lacks)}")
    left = set(new)
    for font in fonts.values():
        left &= set(font.missing(new, encoding))
    if left and not reports:
        reports.append(f"no font of the game has {' '.join(sorted(left))}")
    return reports
