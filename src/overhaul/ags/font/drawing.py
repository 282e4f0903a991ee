"""Letters of a bitmap font drawn with a typeface.

A letter is as wide as the next one begins further right, and as high as a line, as the letters of
the editor's own fonts are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overhaul.ags.font.model import LARGEST, BitmapFont, Glyph, glyph_of, numbering
from overhaul.media.typeface import Drawn, Face, Typeface

#: Capitals that stand on the base line, by which a font's size is measured.
_CAPITALS: Final = "HEITLFXZNMKP"
_SMALLEST: Final = 4
_POINTS: Final = 72 / 96


def draw_letters(
    typefaces: Iterable[Typeface], characters: Iterable[int], pixels: float, *, hinting: bool = True
) -> dict[int, Drawn]:
    """Characters as the first typeface that has them draws them, without grey.

    Raises ValueError for one that no typeface has.
    """
    faces = [typeface.at(pixels, antialias=False, hinting=hinting) for typeface in typefaces]
    drawn = {}
    lacking = []
    for character in characters:
        face = _face_with(faces, character)
        if face is None:
            lacking.append(chr(character))
        else:
            drawn[character] = face.draw(character)
    if lacking:
        raise ValueError(f"no typeface has {' '.join(lacking[:40])}")
    return drawn


def _face_with(faces: list[Face], character: int) -> Face | None:
    return next((face for face in faces if character in face.typeface.characters), None)


def letters_on_line(drawn: Mapping[int, Drawn], ascent: int, height: int) -> dict[int, Glyph]:
    """Letters of a line of ``height`` pixels, whose base line is ``ascent`` pixels from its top."""
    return {character: _letter(letter, ascent, height) for character, letter in drawn.items()}


def _letter(drawn: Drawn, ascent: int, height: int) -> Glyph:
    """A letter; what reaches out of the line is cut off."""
    left = max(drawn.left, 0)
    columns = drawn.alpha.shape[1]
    width = min(max(drawn.advance, left + columns, 1), LARGEST)
    shown = np.zeros((height, width), np.bool_)
    top = ascent - drawn.top
    first = max(0, -top)
    part: NDArray[np.bool_] = drawn.alpha[first : max(first, height - top), : width - left] >= 128
    if part.size:
        shown[top + first : top + first + part.shape[0], left : left + part.shape[1]] = part
    return glyph_of(shown)


def line_of(drawn: Iterable[Drawn]) -> tuple[int, int]:
    """How far letters reach above the base line, and how high a line is that holds them."""
    letters = [letter for letter in drawn if letter.alpha.size]
    ascent = max((letter.top for letter in letters), default=1)
    descent = max((letter.bottom for letter in letters), default=0)
    return ascent, max(1, ascent + max(0, descent))


def base_line(font: BitmapFont) -> int:
    """How far the base line is from the top of a line, in pixels: where most capitals end."""
    bottoms = [
        int(np.flatnonzero(glyph.pixels.any(axis=1))[-1]) + 1
        for letter in _CAPITALS
        if (glyph := font.glyph(ord(letter))) is not None and any(glyph.rows)
    ]
    return max(set(bottoms), key=bottoms.count) if bottoms else font.height


def capital_height(font: BitmapFont) -> int:
    """How high capitals are, in pixels; 0 where the font has none."""
    heights = [
        int(glyph.pixels.any(axis=1).sum())
        for letter in _CAPITALS
        if (glyph := font.glyph(ord(letter))) is not None and any(glyph.rows)
    ]
    return max(set(heights), key=heights.count) if heights else 0


def size_like(font: BitmapFont, typefaces: list[Typeface]) -> float:
    """The size in points at which a typeface's capitals are as high as the font's own.

    Without capitals, that at which a line is as high.
    """
    wanted = capital_height(font)
    for pixels in range(_SMALLEST, 4 * max(font.height, 8)):
        if wanted:
            face = _face_with([t.at(pixels, antialias=False) for t in typefaces], ord("H"))
            reached = face is not None and face.draw(ord("H")).top >= wanted
        else:
            face = typefaces[0].at(pixels, antialias=False)
            reached = face.ascent + face.descent >= font.height
        if reached:
            return pixels * _POINTS
    return max(font.height, _SMALLEST) * _POINTS


@dataclass(frozen=True, slots=True)
class Style:
    """How letters are drawn: ``size`` in points, None as the font's own; ``hinting``."""

    size: float | None = None
    hinting: bool = True


def numbers_of(characters: Iterable[int], encoding: str) -> dict[int, int]:
    """The numbers of characters in a font.

    Raises ValueError for what the encoding lacks, and for what it has in several bytes, as a bitmap
    font has a letter for each byte.
    """
    number = numbering(encoding)
    known: dict[int, int] = {}
    lacking, wide = [], []
    for character in characters:
        code = number(chr(character))
        if code is not None:
            known[character] = code
        elif is_wide(chr(character), encoding):
            wide.append(chr(character))
        else:
            lacking.append(chr(character))
    if lacking:
        raise ValueError(
            f"the texts of the game are in {encoding}, which has no {' '.join(lacking[:40])}"
        )
    if wide:
        raise ValueError(
            f"{encoding} has {' '.join(wide[:40])} in several bytes, and a bitmap font has a "
            "letter for each byte: add a TrueType font in its place, in a file agsfntN.ttf"
        )
    return known


def is_wide(character: str, encoding: str) -> bool:
    """Whether an encoding has a character in several bytes."""
    try:
        return len(character.encode(encoding)) > 1
    except UnicodeEncodeError:
        return False


def drawn_again(
    font: BitmapFont, numbers: Mapping[int, int], typefaces: list[Typeface], style: Style
) -> BitmapFont:
    """A font with these letters only, by character and number, all drawn with a typeface.

    Raises ValueError for one that no typeface has.
    """
    drawn = _drawn(font, numbers, typefaces, style)
    letters = letters_on_line(drawn, *line_of(drawn.values()))
    made = [Glyph()] * max([len(font.glyphs), *(number + 1 for number in numbers.values())])
    for character, number in numbers.items():
        made[number] = letters[character]
    return BitmapFont(made)


def add_letters(
    font: BitmapFont, numbers: Mapping[int, int], typefaces: list[Typeface], style: Style
) -> None:
    """Draw letters into a font, on the base line of the others.

    Raises ValueError for one that no typeface has; nothing is changed then.
    """
    drawn = _drawn(font, numbers, typefaces, style)
    letters = letters_on_line(drawn, base_line(font), max(font.height, 1))
    for character, number in numbers.items():
        font.set_glyph(number, letters[character])


def _drawn(
    font: BitmapFont, numbers: Mapping[int, int], typefaces: list[Typeface], style: Style
) -> dict[int, Drawn]:
    points = size_like(font, typefaces) if style.size is None else style.size
    return draw_letters(typefaces, numbers, points / _POINTS, hinting=style.hinting)
