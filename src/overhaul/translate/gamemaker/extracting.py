"""The texts of a GameMaker game as messages, and what is wrong with a translation of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import polib

from overhaul.translate.gamemaker.companions import catalogues, read_files
from overhaul.translate.gamemaker.extending import drawable, extend
from overhaul.translate.gamemaker.faces import Faces
from overhaul.translate.gamemaker.shown import Place, find_texts, is_text
from overhaul.translate.results import MADE, Problem, new_messages, one_line, quoted, translations
from overhaul.translate.rules import Rules

if TYPE_CHECKING:
    from overhaul.folder.parallel import Progress
    from overhaul.gamemaker.data.game import GameData
    from overhaul.translate.families import FontFiles
    from overhaul.translate.results import GameFile


_BREAK = re.compile(r"(?<!\\)#|\n")


def check(
    game: GameData,
    messages: polib.POFile,
    *,
    keep: bool,
    rules: Rules | None = None,
    typefaces: FontFiles | None = None,
    progress: Progress | None = None,
) -> list[Problem]:
    """What would not work in the game; ``typefaces`` draw what they have into its fonts."""
    with drawable(game, typefaces, keep) as drawn:
        return _check(drawn, messages, rules, typefaces, progress)


def _check(
    game: GameData,
    messages: polib.POFile,
    rules: Rules | None,
    typefaces: FontFiles | None,
    progress: Progress | None,
) -> list[Problem]:
    problems: list[Problem] = []
    texts = find_texts(game, progress, rules)
    shown, faces = texts.texts(), Faces(game, texts)
    for catalogue in catalogues(game, read_files(game, texts), rules):
        shown |= {each.text for each in catalogue.texts}
    if typefaces is not None:
        extend(typefaces, faces, translations(messages, shown), texts, partly=True)
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


def glyph_warnings(faces: Faces, wanted: Mapping[str, str]) -> list[str]:
    """The letters of translations that the fonts which draw them have not."""
    return [
        f"{said} of the translation of {quoted(text)}"
        for text, new in wanted.items()
        for said in missing_glyphs(faces, text, new)
    ]


def missing_glyphs(faces: Faces, text: str, new: str) -> list[str]:
    """What to say of the letters that a translation's fonts have not."""
    by_font, nowhere = faces.needs(text, new)
    said = [f"{name} has no {' '.join(letters)}" for name, letters in by_font.items()]
    if nowhere and faces.any():
        said.append(f"no font of the game has {' '.join(nowhere)}")
    elif nowhere:
        said.append(f"the game has no font, and GameMaker's own has no {' '.join(nowhere)}")
    return said


def placeholders(text: str, new: str) -> list[str]:
    """What a translation has otherwise than its text, that is replaced when it is shown."""
    said = []
    old_fields, new_fields = (Counter(PLACEHOLDER.findall(side)) for side in (text, new))
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


# -- extraction ------------------------------------------------------------------------------------

#: how many places of a text, and other uses of it, a comment lists
_LISTED = 8
#: how the lines of a file's header begin that are not a translator's
OWN_LINES = (
    MADE,
    "The game is native code (YYC): only the texts in its rooms are here.",
    "Texts in this code may be missing, as it could not be read whole:",
    "  gml_",
    "The game reads these companion files, which may have texts:",
    "  file ",
)
_HASH = re.compile(r"(?<!\\)#")
_FIELD = re.compile(r"\{\d+\}")
_PERCENT = re.compile(r"%\d{1,2}(?!\d)")
_FORMAT = re.compile(r"%[sdif](?!\w)|%%")
PLACEHOLDER = re.compile(r"\{\w+\}|%\d{1,2}(?!\d)|%[sdif](?!\w)|\|(?:\*\.\w+;?)+")


def extract(
    game: GameData, *, rules: Rules | None = None, progress: Progress | None = None
) -> polib.POFile:
    """The texts that a player sees, untranslated."""
    shown = find_texts(game, progress, rules)
    made = new_messages(str(game.general.display_name or ""))
    files = read_files(game, shown)
    made.header = _header(game, shown.unread, [file.path for file in files if file.found])
    places_of = shown.places()
    for catalogue in catalogues(game, files, rules):
        for text, _, _, line in catalogue.texts:
            if is_text(text) and not (rules or Rules()).exclude.text(text):
                place = Place(catalogue.name, line, catalogue.name, "")
                places_of.setdefault(text, []).append(place)
    for text, places in places_of.items():
        other = shown.other.get(text, [])
        made.append(_entry(text, places, other, game.release.major < 2))
    return made


def files(game: GameData) -> list[GameFile]:
    """The files that the game's code reads."""
    return read_files(game, find_texts(game))


def _header(game: GameData, unread: list[str], files: list[str]) -> str:
    made, native, missing, _, companions, _ = OWN_LINES
    lines = [made]
    if game.is_native:
        lines.append(native)
    if unread:
        lines.append(missing)
        lines += [f"  {name}" for name in unread]
    if files:
        lines.append(companions)
        lines += [f"  file {name}" for name in files]
    return "\n".join(lines)


def _entry(text: str, places: list[Place], other: list[str], hash_breaks: bool) -> polib.POEntry:
    seen = dict.fromkeys((place.owner, place.source) for place in places)
    comment = [one_line(": ".join(part for part in pair if part)) for pair in list(seen)[:_LISTED]]
    if len(seen) > _LISTED:
        comment.append(f"and {len(seen) - _LISTED} places more")
    reasons = dict.fromkeys(place.reason for place in places if ", " in place.reason)
    comment += [one_line(reason) for reason in list(reasons)[:_LISTED]]
    if hash_breaks and _HASH.search(text):
        comment.append("# breaks the line")
    if other:
        more = f" and {len(other) - _LISTED} more" if len(other) > _LISTED else ""
        uses = ", ".join(map(one_line, other[:_LISTED]))
        comment.append(
            f"WARNING: the same text is also {uses}{more}; what depends on it may stop working"
        )
    return polib.POEntry(
        msgid=text,
        msgstr="",
        comment="\n".join(line for line in comment if line),
        occurrences=[
            (place.where.replace(" ", "_"), str(place.line) if place.line else "")
            for place in dict.fromkeys(places)
        ],
        flags=_flags(text),
    )


def _flags(text: str) -> list[str]:
    flags = []
    rest = _FIELD.sub("", text)
    if rest != text and "{" not in rest and "}" not in rest:
        flags.append("python-brace-format")
    if _PERCENT.search(text):
        flags.append("qt-format")
    elif _FORMAT.search(text) and "%" not in _FORMAT.sub("", text):
        flags.append("c-format")
    return flags
