"""A translation template out of a game."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

import polib

from overhaul.document.opening import open as open_document
from overhaul.errors import FormatError
from overhaul.gamemaker.data.game import GameData
from overhaul.translate.shown import Place, find_texts

if TYPE_CHECKING:
    from overhaul.document.protocol import Document
    from overhaul.folder.parallel import Progress

Game: TypeAlias = "str | os.PathLike[str] | Document"

#: how many places of a text, and other uses of it, a comment tells
_TOLD = 8
_LONGEST = 160
#: how the lines of a file's header begin that are not a translator's
OWN_LINES = (
    "Made by overhaul translate extract",
    "The game is native code (YYC): only the texts in its rooms are here.",
    "Texts in this code may be missing, as it could not be read whole:",
    "  gml_",
)
_FIELD = re.compile(r"\{\d+\}")
_PERCENT = re.compile(r"%\d{1,2}(?!\d)")
PLACEHOLDER = re.compile(r"\{\w+\}|%\d{1,2}(?!\d)|%[sdif](?!\w)")


def extract(game: Game, *, progress: Progress | None = None) -> polib.POFile:
    """The texts of a GameMaker game that a player sees, untranslated.

    Each has the code that shows it as its occurrence and comment.  Code that can't be read is named
    in the header.  Raises FormatError for what is not the data of a GameMaker game.
    """
    with opened(game) as data:
        found = find_texts(data, progress)
        made = polib.POFile(wrapwidth=0)
        made.metadata = {
            "Project-Id-Version": _one_line(str(data.general.display_name or "")) or "game",
            "Report-Msgid-Bugs-To": "",
            "PO-Revision-Date": "YEAR-MO-DA HO:MI+ZONE",
            "Last-Translator": "",
            "Language-Team": "",
            "Language": "",
            "MIME-Version": "1.0",
            "Content-Type": "text/plain; charset=UTF-8",
            "Content-Transfer-Encoding": "8bit",
        }
        made.header = _header(data, found.unread)
        for text, places in found.places().items():
            made.append(_entry(text, places, found.other.get(text, [])))
        return made


@contextmanager
def opened(game: Game) -> Iterator[GameData]:
    """A GameMaker game by its path, or itself."""
    if isinstance(game, str | os.PathLike):
        with open_document(game) as document:
            yield _checked(document)
    else:
        yield _checked(game)


def _checked(document: Document) -> GameData:
    if isinstance(document, GameData):
        return document
    if document.kind.startswith("ags"):
        raise FormatError(
            f"translate does not support Adventure Game Studio yet, got {document.kind}",
            source=document.source,
        )
    raise FormatError(
        f"expected the data of a GameMaker game, got {document.kind}", source=document.source
    )


def _header(game: GameData, unread: list[str]) -> str:
    made, native, missing, _ = OWN_LINES
    lines = [made]
    if game.is_native:
        lines.append(native)
    if unread:
        lines.append(missing)
        lines += [f"  {name}" for name in unread]
    return "\n".join(lines)


def _entry(text: str, places: list[Place], other: list[str]) -> polib.POEntry:
    seen = dict.fromkeys((place.owner, place.source) for place in places)
    comment = [_one_line(": ".join(part for part in pair if part)) for pair in list(seen)[:_TOLD]]
    if len(seen) > _TOLD:
        comment.append(f"and {len(seen) - _TOLD} places more")
    if other:
        more = f" and {len(other) - _TOLD} more" if len(other) > _TOLD else ""
        uses = ", ".join(map(_one_line, other[:_TOLD]))
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
    return flags


def _one_line(text: str) -> str:
    """A text for a comment."""
    text = " ".join(text.split())
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
