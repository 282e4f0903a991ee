"""A translation template out of a game of Adventure Game Studio."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import polib

from overhaul.ags.text import UTF_8
from overhaul.errors import FormatError
from overhaul.translate.ags.game import Parts, parts_of
from overhaul.translate.ags.settings import Settings
from overhaul.translate.ags.texts import Place, all_texts, decided, find_texts
from overhaul.translate.messages import MADE, MISSING_PARTS, new_messages, one_line
from overhaul.translate.results import Explanation, GameFile

if TYPE_CHECKING:
    from overhaul.document.protocol import Document
    from overhaul.folder.parallel import Progress
    from overhaul.translate.rules import Rules

#: how many places of a text a comment lists
_TOLD: Final = 8
UTF_8_SINCE: Final = (3, 6)
#: what stands for a value: ``%d`` of scripts, ``@SCORE@`` of labels
FORMAT: Final = re.compile(r"%(?:%|[-+ 0#]*\d*(?:\.\d+)?[sdfcxXu])")
MACRO: Final = re.compile(r"@[A-Za-z0-9_]+@")


def extract(
    game: Document, *, rules: Rules | None = None, progress: Progress | None = None
) -> polib.POFile:
    """The texts that the editor lists for a translation, in its order."""
    parts = parts_of(game, progress)
    made = new_messages(parts.shown(parts.name))
    made.metadata.update(default_settings(parts).headers())
    made.header = MADE
    missing = [one_line(line) for line in parts.missing]
    for text, places in find_texts(parts, rules).items():
        if any(0xD800 <= ord(letter) < 0xE000 for letter in text):
            missing.append(f"{places[0].where}: a text that is not in {parts.encoding}")
        else:
            made.append(_entry(text, places))
    if missing:
        made.header = "\n".join([MADE, MISSING_PARTS, *(f"  missing {line}" for line in missing)])
    return made


def explain(
    game: Document, text: str, *, rules: Rules | None = None, progress: Progress | None = None
) -> list[Explanation]:
    """What was decided about each place of a text."""
    return [
        Explanation(place.where, place.line, place.note, *decided(text, place, rules))
        for found, place in all_texts(parts_of(game, progress))
        if found == text
    ]


def files(game: Document) -> list[GameFile]:
    """Raises FormatError: scripts are not searched for the files that they read."""
    raise FormatError(f"expected the data of a GameMaker game, got {game.kind}", source=game.source)


def default_settings(parts: Parts) -> Settings:
    """The settings of a new translation: UTF-8 from 3.6 on, before the game's code page."""
    if parts.release() >= UTF_8_SINCE:
        return Settings(encoding=UTF_8)
    return Settings(encoding="" if parts.encoding == UTF_8 else parts.encoding)


def _entry(text: str, places: list[Place]) -> polib.POEntry:
    notes = list(dict.fromkeys(place.note for place in places if place.note))
    comment = [one_line(note) for note in notes[:_TOLD]]
    if len(notes) > _TOLD:
        more = len(notes) - _TOLD
        comment.append(f"and {more} more use{'' if more == 1 else 's'}")
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
    found = [each for each in FORMAT.findall(text) if each != "%%"]
    return bool(found) and "%" not in FORMAT.sub("", text)
