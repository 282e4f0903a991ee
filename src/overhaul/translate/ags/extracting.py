"""The texts of an AGS game as messages, and what is wrong with a translation of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import polib

from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.folder.speech import speech_in
from overhaul.ags.speech import file_stem, names_files_newly, spoken_lines
from overhaul.ags.text import ANSI, UTF_8
from overhaul.ags.translating import code_page_of
from overhaul.document.protocol import Document
from overhaul.errors import EncodeError, FormatError
from overhaul.translate.ags.fonts import ShownText, extend, fonts_of, needed
from overhaul.translate.ags.game import GameWithRooms, parts_of
from overhaul.translate.ags.settings import Settings, settings_of
from overhaul.translate.ags.texts import TextPlace, all_texts, decided, find_texts
from overhaul.translate.families import FontFiles, Job
from overhaul.translate.results import (
    MADE,
    MISSING_PARTS,
    Explanation,
    GameFile,
    Problem,
    new_messages,
    one_line,
)

_BREAK: Final = re.compile(r"(?<!\\)\[|\n")
_NUMBER: Final = re.compile(r"&\d+(?= |$)")
_LINE: Final = re.compile(r"&(\d{1,9})(?: |$)", re.ASCII)


def check(game: Document, messages: polib.POFile, job: Job) -> list[Problem]:
    """The problems of a translation; the game does not change."""
    parts = parts_of(game, job.progress)
    shown = find_texts(parts, job.rules)
    settings = settings_of(messages)
    encoding = encoding_for(parts, settings)
    if job.typefaces is not None:
        draw_missing(parts, messages, shown, job.typefaces, partly=True)
    problems: list[Problem] = []
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
        for font, letters in missing_glyphs(parts, settings, shown.get(text, []), new, encoding):
            who = f"font {font} lacks" if font >= 0 else "no font of the game has"
            said.append(f"{who} {' '.join(letters)}")
        problems += [Problem(text, entry.linenum or 0, message) for message in said]
    return problems


def draw_missing(
    parts: GameWithRooms,
    messages: polib.POFile,
    shown: Mapping[str, list[TextPlace]],
    typefaces: FontFiles,
    *,
    partly: bool = False,
) -> dict[str, bytes]:
    """Draw the letters that translations need into the fonts of ``parts``; the files of these.

    Raises ValueError for letters that no typeface has (with ``partly`` they stay missing), KeyError
    for a font that the game does not have as a bitmap.
    """
    settings = settings_of(messages)
    encoding = encoding_for(parts, settings)
    texts = [
        ShownText(str(entry.msgstr), shown.get(str(entry.msgid), []))
        for entry in messages
        if entry.msgstr and not entry.obsolete and not entry.fuzzy
    ]
    wanted = needed(parts, settings, texts, encoding)
    return dict(extend(parts, wanted, typefaces, encoding, partly=partly))


_ADVICE: Final = "set X-AGS-Encoding or Language in the header to one that has them"


def encoding_for(parts: GameWithRooms, settings: Settings) -> str:
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
    """Differences between a text and its translation that the game relies on."""
    yield from placeholders(text, new)
    breaks = [len(_BREAK.findall(side)) for side in (text, new)]
    if breaks[0] != breaks[1]:
        yield f"it has {breaks[1]} line breaks, the text has {breaks[0]}"


def placeholders(text: str, new: str) -> Iterator[str]:
    """Differences in the placeholders of a text and its translation."""
    for pattern in (_NUMBER, MACRO):
        old_marks, new_marks = (Counter(pattern.findall(side)) for side in (text, new))
        if old_marks - new_marks:
            yield f"it lacks {' '.join((old_marks - new_marks).elements())}"
        if new_marks - old_marks:
            added = " ".join((new_marks - old_marks).elements())
            yield f"it has {added}, which the text has not"
    number = _NUMBER.match(text)
    if number and number[0] in new and not new.startswith(number[0]):
        yield f"{number[0]} is to be at its beginning"
    marks = [[mark for mark in FORMAT.findall(side) if mark != "%%"] for side in (text, new)]
    if marks[0] != marks[1]:
        expected, got = (" ".join(side) or "none" for side in marks)
        yield f"expected the marks {expected} in this order, got {got}"


def missing_glyphs(
    parts: GameWithRooms, settings: Settings, places: list[TextPlace], new: str, encoding: str
) -> list[tuple[int, str]]:
    """The letters that the fonts at a text's places lack, by the number of the font; -1 for those
    that no font has."""
    fonts = parts.fonts
    if not fonts:
        return []
    replaced = {font.font: font.replacement for font in settings.fonts}
    if any(number < 0 for number in replaced.values()):
        return []  # a file of the translation's own has the letters
    evident = fonts_of(places, settings, sets_fonts=parts.sets_fonts)
    reports = []
    for number in evident:
        lacks = fonts[number].missing(new, encoding) if number in fonts else ""
        if lacks:
            reports.append((number, lacks))
    left = set(new)
    for font in fonts.values():
        left &= set(font.missing(new, encoding))
    if left and not reports:
        reports.append((-1, "".join(sorted(left))))
    return reports


# -- extraction ------------------------------------------------------------------------------------

#: how many places of a text a comment lists
_LISTED: Final = 8
UTF_8_SINCE: Final = (3, 6)
#: placeholders of values: ``%d`` in scripts, ``@SCORE@`` in labels
FORMAT: Final = re.compile(r"%(?:%|[-+ 0#]*\d*(?:\.\d+)?[sdfcxXu])")
MACRO: Final = re.compile(r"@[A-Za-z0-9_]+@")


def extract(game: Document, job: Job) -> polib.POFile:
    """The texts that the editor lists for a translation, in its order."""
    parts = parts_of(game, job.progress)
    made = new_messages(parts.shown(parts.name))
    made.metadata.update(default_settings(parts).headers())
    made.header = MADE
    missing = [one_line(line) for line in parts.missing]
    files = _speech_files(game, parts)
    for text, places in find_texts(parts, job.rules).items():
        if any(0xD800 <= ord(letter) < 0xE000 for letter in text):
            missing.append(f"{places[0].where}: a text that is not in {parts.encoding}")
        else:
            made.append(_entry(text, places, files.get(_spoken(text), ())))
    if missing:
        made.header = "\n".join([MADE, MISSING_PARTS, *(f"  missing {line}" for line in missing)])
    return made


def explain(game: Document, text: str, job: Job) -> list[Explanation]:
    """Whether each place of a text is translated, and why."""
    return [
        Explanation(place.where, place.line, place.note, *decided(text, place, job.rules))
        for found, place in all_texts(parts_of(game, job.progress))
        if found == text
    ]


def files(game: Document) -> list[GameFile]:
    """Raises FormatError: scripts are not searched for the files that they read."""
    raise FormatError(f"expected the data of a GameMaker game, got {game.kind}", source=game.source)


def default_settings(parts: GameWithRooms) -> Settings:
    """The settings of a new translation: UTF-8 from 3.6 on, before the game's code page."""
    if parts.release() >= UTF_8_SINCE:
        return Settings(encoding=UTF_8)
    return Settings(encoding="" if parts.encoding == UTF_8 else parts.encoding)


def _speech_files(game: Document, parts: GameWithRooms) -> dict[tuple[int, str], list[str]]:
    """The files of speech of lines, by their numbers and texts."""
    found = speech_in(game) if isinstance(game, PackageDocument) else None
    if found is not None:
        named = [(voice.file, voice.line) for voice in found.voices]
        named += [(f"{stem} (which is not there)", line) for stem, line in found.silent]
    else:
        rooms = [(f"room{room.number}", room.document.room.script) for room in parts.rooms]
        scripts = [(name, script) for name, script in rooms if script is not None]
        newly = names_files_newly(parts.game)
        named = [
            (file_stem(line.who, line.number, newly=newly), line)
            for line in spoken_lines(parts.game, scripts)
            if line.who
        ]
    made: dict[tuple[int, str], list[str]] = {}
    for file, line in named:
        if line is not None:
            made.setdefault((line.number, parts.shown(line.text).strip()), []).append(file)
    return made


def _spoken(text: str) -> tuple[int, str]:
    """The number of a line that is heard, and its text."""
    found = _LINE.match(text)
    return (int(found[1]), text[found.end() :].strip()) if found is not None else (-1, text)


def _entry(text: str, places: list[TextPlace], files: Sequence[str] = ()) -> polib.POEntry:
    notes = list(dict.fromkeys(place.note for place in places if place.note))
    comment = [one_line(note) for note in notes[:_LISTED]]
    if len(notes) > _LISTED:
        more = len(notes) - _LISTED
        comment.append(f"and {more} more use{'' if more == 1 else 's'}")
    comment += [f"speech file {file}" for file in files]
    where = dict.fromkeys((place.where, place.line) for place in places)
    return polib.POEntry(
        msgid=text,
        msgstr="",
        comment="\n".join(comment),
        occurrences=[
            (one_line(name).replace(" ", "_"), str(line) if line else "") for name, line in where
        ],
        flags=["c-format"] if _is_format(text) else [],
    )


def _is_format(text: str) -> bool:
    """Whether a text has values that are put in, and no other per cent signs."""
    formats = [format_ for format_ in FORMAT.findall(text) if format_ != "%%"]
    return bool(formats) and "%" not in FORMAT.sub("", text)
