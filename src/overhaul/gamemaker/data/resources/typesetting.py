"""Fonts drawn with a typeface: the glyphs as a release writes them, and the picture they are in.

The numbers that each release writes were measured in the fonts of real games
(docs/guide/fonts.md has them). A glyph's box begins at the top of the line. In GameMaker: Studio
1 it ends below the character, in GameMaker 2 all of a font are as high as the line.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks.font import Font as FontRecord
from overhaul.gamemaker.data.chunks.font import Glyph, Kerning
from overhaul.media import packing
from overhaul.media.typeface import Drawn, Face, Typeface
from overhaul.schema.record import short_repr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.gamemaker.data.version import Version

    Pixels: TypeAlias = NDArray[np.uint8]

#: the character that GameMaker draws for those that a font lacks
PLACEHOLDER: Final = 0x25AF
#: pixels around distance fields, as GameMaker sets it by default
SPREAD: Final = 8
#: the largest side of a font's picture: that of ordinary pages, and of the largest
_SIDES: Final = (2048, 4096, 8192)
#: pixels between glyphs
_GAP: Final = 2
_POINTS: Final = 72 / 96
#: letters that stand on the base line, and those of them that are as high as capitals
_STANDING: Final = "HEITLFXZNMKPAhklmnrx1"
_CAPITALS: Final = "HEITLFXZNMKP1"
_MEASURED: Final = 200
#: a character is drawn no smaller than this part of the size
_LEAST: Final = 0.4


def in_words(characters: Iterable[int], most: int = 40) -> str:
    """Characters in a message."""
    numbers = list(characters)
    words = [
        chr(number) if chr(number).isprintable() and number != 32 else f"U+{number:04X}"
        for number in numbers[:most]
    ]
    more = [f"and {len(numbers) - most} more"] if len(numbers) > most else []
    return " ".join(words + more)


@dataclass(frozen=True, slots=True)
class Style:
    """How characters are drawn; ``spread`` is that of distance fields, 0 for ordinary ones."""

    __repr__ = short_repr

    antialias: bool = True
    hinting: bool = True
    spread: int = 0

    def face(self, typeface: Typeface, pixels: float) -> Face:
        """A typeface at a size."""
        return typeface.at(pixels, antialias=self.antialias, hinting=self.hinting)

    def draw(self, face: Face, character: int) -> Drawn:
        """A character, as a picture or distance field."""
        return face.field(character, self.spread) if self.spread else face.draw(character)


@dataclass
class Typeset:
    """Glyphs without a place, and their pictures (alpha); what a font of them has."""

    __repr__ = short_repr

    glyphs: list[Glyph]
    pictures: list[Pixels]
    ascender_offset: int = 0
    ascender: int = 0
    line_height: int = 0
    #: characters that were drawn smaller, as they are higher than the font's lines
    reduced: list[int] = field(default_factory=list)


def pixels_of_points(points: float) -> float:
    """The size in pixels of one in points."""
    return points / _POINTS


def _drawn_by(
    typefaces: Sequence[Typeface], characters: Iterable[int]
) -> tuple[dict[int, int], list[int]]:
    """Which typeface draws each character, and those that none has."""
    chosen: dict[int, int] = {}
    missing = []
    for character in characters:
        number = next((n for n, t in enumerate(typefaces) if character in t.characters), None)
        if number is not None:
            chosen[character] = number
        elif unicodedata.category(chr(character)) == "Cc" or character == PLACEHOLDER:
            chosen[character] = 0  # the glyph that the typeface draws for characters it lacks
        else:
            missing.append(character)
    return chosen, missing


def check_covered(typefaces: Sequence[Typeface], characters: Iterable[int]) -> dict[int, int]:
    """Which typeface draws each character.  Raises ValueError if one has none."""
    chosen, missing = _drawn_by(typefaces, characters)
    if missing:
        names = ", ".join(typeface.name for typeface in typefaces)
        raise ValueError(
            f"{names}: no glyph for {in_words(missing)}; give one more typeface, which has them"
        )
    return chosen


def typeset(
    typefaces: Sequence[Typeface],
    characters: Sequence[int],
    points: float,
    style: Style,
    release: Version,
    *,
    kerning: bool = True,
) -> Typeset:
    """A font of these characters, as the release writes it.

    The first typeface gives the height of lines.  Raises ValueError for characters that none has
    and sizes that can't be drawn, FormatError for a broken typeface.
    """
    chosen = check_covered(typefaces, characters)
    pixels = pixels_of_points(points)
    faces = [style.face(typeface, pixels) for typeface in typefaces]
    drawn = {
        character: _draw(faces[number], character, style) for character, number in chosen.items()
    }
    first, spread = faces[0], style.spread
    modern = release.major >= 2
    line = first.line_height if modern else first.ascent + first.descent
    ascender = line - first.descent if release.at_least(2023, 6) else first.ascent
    highest = max((glyph.top - spread for glyph in drawn.values() if glyph.alpha.size), default=0)
    over = max(0, highest - ascender)
    base = ascender + over + spread
    lowest = max((base + glyph.bottom for glyph in drawn.values() if glyph.alpha.size), default=0)
    glyphs, pictures = [], []
    for character, each in drawn.items():
        height = max(line + over, lowest) if modern or not each.alpha.size else base + each.bottom
        glyph, picture = _boxed(character, each, base, height, spread)
        glyphs.append(glyph)
        pictures.append(picture)
    if kerning and release.at_least(2, 3, 6):
        _kern(glyphs, faces, chosen)
    return Typeset(glyphs, pictures, over, ascender, line)


def _draw(face: Face, character: int, style: Style) -> Drawn:
    if character == PLACEHOLDER and character not in face.typeface.characters:
        return _placeholder(face.size)
    return style.draw(face, character)


def _placeholder(pixels: float) -> Drawn:
    """A box, about as GameMaker draws it."""
    thick, width, height = (max(least, round(pixels * by)) for least, by in _BOX)
    alpha = np.full((height, width), 255, np.uint8)
    alpha[thick:-thick, thick:-thick] = 0
    left = round(pixels * 0.19)
    return Drawn(alpha, left, round(height * 0.85), width + 2 * left)


_BOX: Final = ((1, 1 / 16), (3, 0.6), (3, 0.8))


def _boxed(
    character: int, drawn: Drawn, base: int, height: int, spread: int
) -> tuple[Glyph, Pixels]:
    """The glyph of a drawn character, and its picture: its alpha from the top of the line."""
    width = drawn.alpha.shape[1] or max(0, drawn.advance)
    picture = np.zeros((max(0, height), width), np.uint8)
    if drawn.alpha.size:
        top = base - drawn.top
        picture[top : top + drawn.alpha.shape[0]] = drawn.alpha
    glyph = Glyph(character, width=width, height=picture.shape[0])
    glyph.shift = drawn.advance
    glyph.offset = drawn.left + spread if drawn.alpha.size else 0
    return glyph, picture


def _kern(glyphs: Iterable[Glyph], faces: Sequence[Face], chosen: dict[int, int]) -> None:
    by_character = {glyph.character: glyph for glyph in glyphs}
    for number, face in enumerate(faces):
        own = [character for character, which in chosen.items() if which == number]
        for (before, after), amount in sorted(face.kerning(own).items()):
            other = before - 0x10000 if before > 0x7FFF else before
            by_character[after].kerning.append(Kerning(other, amount))


def picture_of(made: Typeset) -> Pixels:
    """A new picture with the glyphs, which get their places; its sides are powers of two.

    Raises ValueError for more glyphs than the largest texture page holds.
    """
    sizes = [(picture.shape[1], picture.shape[0]) for picture in made.pictures]
    shown = [index for index, (width, height) in enumerate(sizes) if width and height]
    for side in _SIDES:
        try:
            pages = packing.pack([sizes[i] for i in shown], max_size=side, border=_GAP // 2)
        except EncodeError:
            continue
        if len(pages) <= 1:
            break
    else:
        raise ValueError(f"{len(shown)} glyphs of this size do not fit a picture of {_SIDES[-1]}²")
    width, height = (pages[0].width, pages[0].height) if pages else (1, 1)
    canvas = _clear(width, height)
    for number, x, y in pages[0].places if pages else ():
        _put(canvas, made.glyphs[shown[number]], made.pictures[shown[number]], x, y)
    return canvas


def _clear(width: int, height: int) -> Pixels:
    """Transparent white, as around the characters of GameMaker's fonts."""
    canvas = np.full((height, width, 4), 255, np.uint8)
    canvas[:, :, 3] = 0
    return canvas


def _put(canvas: Pixels, glyph: Glyph, picture: Pixels, x: int, y: int) -> None:
    glyph.x, glyph.y = x, y
    height, width = picture.shape[:2]
    place = canvas[y : y + height, x : x + width]
    if picture.ndim == 2:
        place[:, :, 3] = picture
    else:
        place[:] = picture


# -- glyphs added to a font that is there --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measures:
    """Rows of a font's glyphs: from the top of a box to the base line, and the height of
    capitals; None for what can't be seen."""

    __repr__ = short_repr

    base: int | None
    capitals: int | None


def measured(record: FontRecord, pixels: Pixels | None) -> Measures:
    """How high a font's characters are, by their pixels."""
    bottoms: Counter[int] = Counter()
    tops: Counter[int] = Counter()
    for glyph in record.glyphs if pixels is not None else ():
        letter = chr(glyph.character)
        if letter not in _STANDING or pixels is None:
            continue
        box = pixels[glyph.y : glyph.y + glyph.height, glyph.x : glyph.x + glyph.width, 3]
        rows = np.flatnonzero((box >= 128).any(axis=1))
        if rows.size:
            bottoms[int(rows[-1]) + 1] += 1
            if letter in _CAPITALS:
                tops[int(rows[0])] += 1
    if not bottoms:
        stated = record.ascender + record.ascender_offset + record.sdf_spread
        return Measures(stated if record.ascender else None, None)
    base = bottoms.most_common(1)[0][0]
    return Measures(base, base - tops.most_common(1)[0][0] if tops else None)


def matching(typeface: Typeface, measures: Measures, points: float) -> float:
    """The size in pixels at which capitals are as high as those of a font of ``points``."""
    pixels = pixels_of_points(points)
    if not measures.capitals:
        return pixels
    face = typeface.at(_MEASURED)
    heights = [
        face.draw(ord(capital)).top for capital in _CAPITALS if ord(capital) in typeface.characters
    ]
    capitals = Counter(heights).most_common(1)[0][0] if heights else 0
    return max(1.0, measures.capitals * _MEASURED / capitals) if capitals > 0 else pixels


def typeset_like(
    record: FontRecord,
    pixels: Pixels | None,
    typefaces: Sequence[Typeface],
    characters: Sequence[int],
    points: float | None,
    style: Style,
    release: Version,
    *,
    kerning: bool = True,
) -> Typeset:
    """Glyphs for a font that is there, on its base line.

    Without ``points`` capitals are as high as the font's.  A character that would rise above the
    line is drawn smaller.  Raises ValueError, FormatError.
    """
    chosen = check_covered(typefaces, characters)
    measures, spread = measured(record, pixels), style.spread
    sizes = [
        matching(typeface, measures, abs(record.size))
        if points is None
        else pixels_of_points(points)
        for typeface in typefaces
    ]
    faces = [style.face(typeface, size) for typeface, size in zip(typefaces, sizes, strict=True)]
    base = measures.base
    if base is None:
        base = faces[0].ascent + spread
    tallest = max((glyph.height for glyph in record.glyphs), default=0)
    line = max(tallest, faces[0].line_height if not tallest else 0)
    made = Typeset([], [])
    for character, number in chosen.items():
        drawn, reduced = _fitted(faces[number], character, base, style)
        if reduced:
            made.reduced.append(character)
        bottom = base + drawn.bottom if drawn.alpha.size else 0
        whole = release.major >= 2 or not drawn.alpha.size
        glyph, picture = _boxed(
            character, drawn, base, max(line, bottom) if whole else bottom, spread
        )
        made.glyphs.append(glyph)
        made.pictures.append(picture)
    if kerning and release.at_least(2, 3, 6):
        _kern(made.glyphs, faces, chosen)
    return made


def _fitted(face: Face, character: int, base: int, style: Style) -> tuple[Drawn, bool]:
    """A character that is not higher than ``base``, and whether it was made smaller for it."""
    drawn = _draw(face, character, style)
    size = face.size
    while drawn.alpha.size and drawn.top > base:
        size = min(size * (base - style.spread) / (drawn.top - style.spread), size - 0.25)
        if size < max(1, face.size * _LEAST):
            raise ValueError(f"{in_words([character])} is higher than the lines of the font")
        drawn = _draw(style.face(face.typeface, size), character, style)
    return drawn, size != face.size


def with_glyphs(record: FontRecord, pixels: Pixels | None, made: Typeset) -> Pixels:
    """A font's picture with more glyphs below those that are there; they get their places.

    Raises ValueError if the largest texture page does not hold them.
    """
    old = _clear(1, 1) if pixels is None else pixels
    height, width = old.shape[:2]
    used = max((glyph.y + glyph.height for glyph in record.glyphs if glyph.width), default=0)
    order = sorted(range(len(made.glyphs)), key=lambda i: -made.pictures[i].shape[0])
    sizes = [(made.pictures[i].shape[1], made.pictures[i].shape[0]) for i in order]
    found: list[tuple[int, int, int, list[tuple[int, int]]]] = []
    for side in _SIDES:
        across = width
        while across <= max(side, width):
            places, bottom = _in_rows(sizes, across, used + _GAP)
            if places is not None:
                down = height if bottom <= height else 1 << max(0, bottom - 1).bit_length()
                if down <= max(side, height):
                    found.append((across * down, across, down, places))
            across *= 2
        if found:
            break
    if not found:
        raise ValueError(f"{len(sizes)} glyphs more do not fit a picture of {_SIDES[-1]}²")
    _, across, down, places = min(found)
    canvas = _clear(across, down)
    canvas[:height, :width] = old
    for index, (x, y) in zip(order, places, strict=True):
        picture = made.pictures[index]
        canvas[y : y + picture.shape[0], x : x + picture.shape[1]] = _clear(1, 1)
        _put(canvas, made.glyphs[index], picture, x, y)
    return canvas


def _in_rows(
    sizes: Iterable[tuple[int, int]], across: int, top: int
) -> tuple[list[tuple[int, int]] | None, int]:
    """Places of boxes in rows, and where the last one ends; None if one is too wide."""
    places = []
    x, y, row = _GAP, top, 0
    for width, height in sizes:
        if width + 2 * _GAP > across:
            return None, 0
        if x + width + _GAP > across:
            x, y, row = _GAP, y + row + _GAP, 0
        places.append((x, y))
        x, row = x + width + _GAP, max(row, height)
    return places, y + row
