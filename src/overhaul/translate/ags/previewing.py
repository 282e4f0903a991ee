"""Texts of a game of Adventure Game Studio drawn with its fonts, next to their translations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overhaul.ags import drawing
from overhaul.document.protocol import Document
from overhaul.translate.ags.extracting import draw_missing, encoding_for
from overhaul.translate.ags.fonts import fonts_of
from overhaul.translate.ags.game import GameWithRooms, parts_of
from overhaul.translate.ags.settings import settings_of
from overhaul.translate.ags.texts import find_texts
from overhaul.translate.families import Job
from overhaul.translate.results import Preview

if TYPE_CHECKING:
    import polib

    from overhaul.ags.drawing import TextFont

_BACKGROUND: Final = (32, 32, 40)
_WHITE: Final = (255, 255, 255)
_RED: Final = (255, 48, 48)
_MARGIN: Final = 8
_MOST: Final = 2000
#: A line is at most so wide, in pixels: about the width of a message on the screen.
_WIDTH: Final = 640


def preview(game: Document, messages: polib.POFile, job: Job) -> list[Preview]:
    """Each text of the messages in each font that shows it, with its translation.

    A text whose font is not evident is drawn in the font of messages.  typefaces draw what they
    have into bitmap fonts before; the game does not change.
    """
    parts = parts_of(game, job.progress)
    shown = find_texts(parts, job.rules)
    settings = settings_of(messages)
    encoding = encoding_for(parts, settings)
    if job.typefaces is not None:
        draw_missing(parts, messages, shown, job.typefaces, partly=True)
    made = []
    faces: dict[int, _Face] = {}
    for entry in messages:
        text, new = str(entry.msgid), str(entry.msgstr)
        if entry.obsolete or text not in shown:
            continue
        evident = fonts_of(shown[text], settings, sets_fonts=parts.sets_fonts)
        for number in evident or [max(settings.normal_font, 0)]:
            if number not in faces:
                faces[number] = _face(parts, number, encoding)
            made.append(faces[number].preview(text, new, evident=bool(evident)))
    return made


def _face(parts: GameWithRooms, number: int, encoding: str) -> _Face:
    glyphs = parts.fonts.get(number)
    size = drawing.font_size(parts.game, number)
    data = None if glyphs is None else glyphs.data

    def missing(text: str) -> str:
        return "" if glyphs is None else glyphs.missing(text, encoding)

    old = drawing.read_font(data, size, parts.encoding)
    return _Face(f"font {number}", old, drawing.read_font(data, size, encoding), missing)


@dataclass(frozen=True, slots=True)
class _Face:
    """A font: how it draws the game's texts (``old``), and those of the translation (``new``)."""

    name: str
    old: TextFont
    new: TextFont
    missing: Callable[[str], str]

    def preview(self, text: str, new: str, *, evident: bool) -> Preview:
        """A text and its translation."""
        return Preview(
            text,
            new,
            self.name,
            evident and self.old.own,
            0,
            self.missing(new),
            0.0,
            self._draw(self.old, text, ""),
            self._draw(self.new, new, self.missing(new)) if new else None,
        )

    def _draw(self, font: TextFont, text: str, missing: str) -> Image.Image:
        """A text in its lines; letters that the font lacks are red boxes."""
        lines = [_line(font, line, missing) for line in drawing.wrapped(font, text[:_MOST], _WIDTH)]
        high = max(font.height + 2, *(line.shape[0] for line in lines))
        wide = max(1, *(line.shape[1] for line in lines))
        shown = np.zeros((high * len(lines), wide), np.uint8)
        for row, line in enumerate(lines):
            shown[row * high : row * high + line.shape[0], : line.shape[1]] = line
        colours = np.array([_BACKGROUND, _WHITE, _RED], np.uint8)
        framed = np.pad(shown, _MARGIN)
        return Image.fromarray(colours[framed])


def _line(font: TextFont, text: str, missing: str) -> NDArray[np.uint8]:
    """The pixels of a line: 1 of letters, 2 of the boxes for those that the font lacks."""
    pieces: list[NDArray[np.uint8]] = []
    run = ""
    for letter in text:
        if letter not in missing:
            run += letter
            continue
        pieces += [font.line(run).astype(np.uint8), _box(font)]
        run = ""
    pieces.append(font.line(run).astype(np.uint8))
    high = max(font.height, *(piece.shape[0] for piece in pieces))
    padded = [np.pad(piece, ((0, high - piece.shape[0]), (0, 0))) for piece in pieces]
    return np.concatenate(padded, axis=1)


def _box(font: TextFont) -> NDArray[np.uint8]:
    box = np.zeros((font.height, max(3, font.height // 2)), np.uint8)
    box[:, :-1] = 2
    box[1:-1, 1:-2] = 0
    return box
