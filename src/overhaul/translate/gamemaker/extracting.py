"""The texts of a GameMaker game as messages."""

from __future__ import annotations

import re

import polib

from overhaul.document.registry import load
from overhaul.gamemaker.data.game import GameData
from overhaul.translate.families import Job
from overhaul.translate.gamemaker.companions import catalogues, read_files
from overhaul.translate.gamemaker.listed import TextPlace, listed
from overhaul.translate.results import (
    COMPANIONS,
    MADE,
    MISSING_CODE,
    NATIVE,
    GameFile,
    new_messages,
    one_line,
)
from overhaul.translate.rules import Rules

_IS_TEXT = "overhaul.translate.gamemaker.shown:is_text"
#: how many places of a text, and other uses of it, a comment lists
_LISTED = 8
_HASH = re.compile(r"(?<!\\)#")
_FIELD = re.compile(r"\{\d+\}")
_PERCENT = re.compile(r"%\d{1,2}(?!\d)")
_FORMAT = re.compile(r"%[sdif](?!\w)|%%")


def extract(game: GameData, job: Job) -> polib.POFile:
    """The texts that a player sees, untranslated."""
    shown = listed(game, job)
    made = new_messages(shown.title)
    files = read_files(game, shown.files)
    made.header = _header(game, shown.unread, [file.path for file in files if file.found])
    places_of = shown.places
    for catalogue in catalogues(game, files, job.rules):
        for text, _, _, line in catalogue.texts:
            if load(_IS_TEXT)(text) and not (job.rules or Rules()).exclude.text(text):
                place = TextPlace(catalogue.name, line, catalogue.name, "")
                places_of.setdefault(text, []).append(place)
    for text, places in places_of.items():
        other = shown.other.get(text, [])
        made.append(_entry(text, places, other, game.release.major < 2))
    return made


def files(game: GameData) -> list[GameFile]:
    """The files that the game's code reads."""
    return read_files(game, listed(game, Job()).files)


def _header(game: GameData, unread: list[str], files: list[str]) -> str:
    lines = [MADE]
    if game.is_native:
        lines.append(NATIVE)
    if unread:
        lines.append(MISSING_CODE)
        lines += [f"  {one_line(name)}" for name in unread]
    if files:
        lines.append(COMPANIONS)
        lines += [f"  file {one_line(name)}" for name in files]
    return "\n".join(lines)


def _entry(
    text: str, places: list[TextPlace], other: list[str], hash_breaks: bool
) -> polib.POEntry:
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
            (one_line(place.where).replace(" ", "_"), str(place.line) if place.line else "")
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
