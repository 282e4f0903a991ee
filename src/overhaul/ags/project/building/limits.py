"""Texts that are longer than their fields in a game: the editor cuts them, and so does a build.

A build says which: what players read, or a script asks for, is not what the author wrote.  The
editor of 3.3 cuts none, so that such a text is an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from overhaul.ags.game.records import GameContent
from overhaul.ags.game.resources import Word
from overhaul.ags.project.building.reading import ElementError, cut
from overhaul.ags.project.building.releases import Release
from overhaul.ags.text import encode
from overhaul.document.xmltext import XmlNode
from overhaul.findings import Findings
from overhaul.schema import Record


class _Field(NamedTuple):
    """A text of limited length, in bytes: in a list, or in a record, until a release.

    ``has_full``: a block has the whole text too, where a game has ``v361_objnames``.
    """

    listed: str
    name: str
    size: int
    until: tuple[int, ...] = ()
    has_full: bool = False


_FIELDS: Final = (
    _Field("settings", "name", 49, has_full=True),
    _Field("save", "folder", 50, has_full=True),
    _Field("characters", "name", 40, has_full=True),
    _Field("characters", "script_name", 20, has_full=True),
    _Field("inventory", "name", 24, has_full=True),
    _Field("cursors", "name", 9, has_full=True),
    _Field("audio_clips", "script_name", 29, has_full=True),
    _Field("audio_clips", "file_name", 14, has_full=True),
    _Field("save", "extension", 20),
    _Field("gui.buttons", "text", 50, until=(3, 5)),
    _Field("gui.text_boxes", "text", 200, until=(3, 5)),
)
_OPTION, _LETTERS, _WORD = 150, 50, 30
#: Since when a block has the options of dialogs, and words of the parser have any length.
_OPTIONS_APART, _WORDS_WHOLE = (3, 6, 3, 4), (3, 6, 3)


def shorten(content: GameContent, release: Release, game: XmlNode, *, has_full: bool) -> Findings:
    """Cut texts to what their fields hold; warnings name them.

    ``has_full``: a block has whole names.  Raises ElementError in 3.3.
    """
    limits = _Limits(content, release, game)
    for field in _FIELDS:
        if not field.until or not release.since(*field.until):
            limits.cut_field(field, has_full=has_full and field.has_full)
    if not release.since(*_OPTIONS_APART):
        for place, dialog in enumerate(content.dialogs):
            limits.cut_all(dialog.options, f"dialogs[{place}].options", _OPTION)
    limits.cut_all(content.lip_sync, "lip_sync", _LETTERS)
    if not release.since(*_WORDS_WHOLE):
        limits.cut_words(content.dictionary)
    return limits.findings


class _Limits:
    """Cuts the texts of one game."""

    def __init__(self, content: GameContent, release: Release, game: XmlNode) -> None:
        self.content = content
        self.release = release
        self.game = game
        self.findings = Findings()

    def _records(self, listed: str) -> Iterator[tuple[str, Record]]:
        """The records of a list, or a record that there is one of, with their places."""
        found: object = self.content
        for name in listed.split("."):
            found = getattr(found, name)
        if isinstance(found, list):
            yield from ((f"{listed}[{place}]", record) for place, record in enumerate(found))
        elif isinstance(found, Record):
            yield listed, found

    def cut_field(self, field: _Field, *, has_full: bool) -> None:
        """Cut a text of each record of a list; the record keeps the whole one too if a block has
        it."""
        for place, record in self._records(field.listed):
            full = getattr(record, field.name)
            short = cut(full, field.size, self.release)
            if has_full:
                setattr(record, f"short_{field.name}", short)
            elif short != full:
                self._say(f"{place}.{field.name}", full, f"{field.size} bytes")
                setattr(record, field.name, short)

    def cut_all(self, texts: list[str], where: str, size: int) -> None:
        """Cut the texts of a list."""
        for place, full in enumerate(texts):
            short = cut(full, size, self.release)
            if short != full:
                self._say(f"{where}[{place}]", full, f"{size} bytes")
                texts[place] = short

    def cut_words(self, words: list[Word]) -> None:
        """Cut the words of the parser, to letters."""
        for place, word in enumerate(words):
            if len(word.text) > _WORD:
                self._say(f"dictionary[{place}]", word.text, f"{_WORD} letters")
                word.text = word.text[:_WORD]

    def _say(self, place: str, full: str, room: str) -> None:
        """Warn about a text that is cut.  Raises ElementError in 3.3, whose editor cuts none."""
        shown = full if len(full) <= 60 else f"{full[:60]}…"
        if not self.release.since(3, 4):
            raise ElementError(f"{place}: {shown!r} takes {len(encode(full))} bytes, and the game "
                               f"has room for {room}", self.game, code="limit")  # fmt: skip
        self.findings.warn("cut-short", f"{place}: the game has only the first {room} of {shown!r}")
