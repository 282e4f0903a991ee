"""Bitmap fonts as they are edited: letters by character, drawn again with a typeface."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from PIL import Image as Pillow

from overhaul.ags.font import drawing
from overhaul.ags.font.model import LARGEST, BitmapFont, Glyph, glyph_of, numbering
from overhaul.ags.font.sheet import COLOURS, picture_of, sheet_of
from overhaul.ags.images import to_image
from overhaul.ags.surface.base import AgsResource, Holder
from overhaul.errors import FormatError
from overhaul.media.bounds import PILLOW_ERRORS
from overhaul.media.characters import Characters, Typefaces, characters_of, typefaces_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

#: A pixel of a picture counts from this alpha on.
_SOLID: Final = 128


class FontHolder(Holder, Protocol):
    """A document with a bitmap font."""

    font: BitmapFont


class Letters(Mapping[str, Glyph]):
    """The letters of a font that can be seen, by character."""

    def __init__(self, font: BitmapFont, encoding: str) -> None:
        self._font = font
        self._number = numbering(encoding)
        self._encoding = encoding

    def __getitem__(self, character: str) -> Glyph:
        number = self._number(character) if len(character) == 1 else None
        glyph = None if number is None else self._font.glyph(number)
        if glyph is None or not glyph.width:
            raise KeyError(f"the font has no letter {character!r}")
        return glyph

    def __iter__(self) -> Iterator[str]:
        for number, glyph in enumerate(self._font.glyphs):
            character = self._character(number) if glyph.width else None
            if character is not None and character.isprintable():
                yield character

    def _character(self, number: int) -> str | None:
        if self._number is ord:
            return chr(number)
        try:
            return bytes([number]).decode(self._encoding)
        except (ValueError, UnicodeDecodeError):
            return None

    def __len__(self) -> int:
        return sum(1 for _ in self)


class BitmapFontView(AgsResource[FontHolder]):
    """A bitmap font.  Sizes are in points: 96 pixels are 72."""

    __slots__ = ("_name",)
    _kind = "font"
    #: What fonts of GameMaker have, and these do not.
    display_name = ""
    bold = italic = False
    sdf_spread = 0

    def __init__(self, holder: FontHolder, name: str = "font") -> None:
        super().__init__(holder, 0)
        self._name = name

    @property
    def record(self) -> BitmapFont:
        """The font as stored."""
        return self._holder.font

    @property
    def name(self) -> str:
        """The name of its file."""
        return self._name

    @property
    def line_height(self) -> int:
        """The height of a line in pixels."""
        return self.record.height

    @property
    def size(self) -> float:
        """The height of a line in points."""
        return self.record.height * 72 / 96

    @property
    def glyphs(self) -> Letters:
        """The letters by character."""
        return Letters(self.record, self._holder.encoding)

    @property
    def image(self) -> Image:
        """All of its letters, in the picture that the unpacked folder has."""
        sheet = sheet_of(self.record)
        return to_image(picture_of(self.record, sheet), COLOURS.ljust(768, b"\0"))

    def missing(self, text: str) -> list[str]:
        """The characters of a text that it can't show, each once, in their order."""
        return list(self.record.missing(text, self._holder.encoding))

    def rebuild(
        self,
        ttf: Typefaces,
        size: float | None = None,
        chars: Characters | None = None,
        *,
        antialias: bool | None = None,
        hinting: bool = True,
        kerning: bool = True,
        sdf: bool | int | None = None,
    ) -> None:
        """Draw all letters again with a typeface.

        ``size`` is in points; without it, capitals are as high as the font's own.  ``chars`` are
        by default those that it has.  Bitmap fonts have no grey pixels, pairs or distance fields.

        Raises ValueError for characters that no typeface has or the game's encoding lacks, and for
        what such fonts don't have; FormatError for a broken typeface, OSError for a missing file.
        """
        _check_options(antialias, sdf)
        typefaces = typefaces_of(ttf)
        wanted = characters_of(list(self.glyphs) if chars is None else chars)
        numbers = self._numbers(sorted({ord(" "), *wanted}))
        points = drawing.size_like(self.record, typefaces) if size is None else size
        pixels = drawing.pixels_of_points(points)
        drawn = drawing.draw_letters(typefaces, numbers, pixels, hinting=hinting)
        letters = drawing.letters_on_line(drawn, *drawing.line_of(drawn.values()))
        made = [Glyph()] * max(len(self.record.glyphs), *(n + 1 for n in numbers.values()))
        for character, number in numbers.items():
            made[number] = letters[character]
        self._holder.font = BitmapFont(made)

    def add_glyphs(
        self,
        ttf: Typefaces,
        chars: Characters,
        size: float | None = None,
        *,
        antialias: bool | None = None,
        hinting: bool = True,
        kerning: bool = True,
    ) -> list[str]:
        """Draw letters that it lacks with a typeface, on the base line of the others.

        Returns them.  The arguments and the errors are those of :meth:`rebuild`.
        """
        _check_options(antialias, None)
        typefaces = typefaces_of(ttf)
        wanted = [number for number in characters_of(chars) if self.missing(chr(number))]
        numbers = self._numbers(wanted)
        points = drawing.size_like(self.record, typefaces) if size is None else size
        pixels = drawing.pixels_of_points(points)
        drawn = drawing.draw_letters(typefaces, numbers, pixels, hinting=hinting)
        font = self.record
        letters = drawing.letters_on_line(drawn, drawing.base_line(font), max(font.height, 1))
        for character, number in numbers.items():
            font.set_glyph(number, letters[character])
        return [chr(character) for character in numbers]

    def set_glyph(
        self,
        char: str,
        image: Image | NDArray[np.uint8] | str | os.PathLike[str],
        shift: int | None = None,
        offset: int = 0,
    ) -> Glyph:
        """Give a character a picture: a Pillow image, an array (height, width, 4) or a file.

        What is opaque in the picture is set.  ``shift`` is how far the next letter is, by default
        ``offset`` and the width.  Raises ValueError for more or less than one character.
        """
        if len(char) != 1:
            raise ValueError(f"expected one character, got {char!r}")
        (number,) = self._numbers([ord(char)]).values()
        solid = _solid(image)
        width = offset + solid.shape[1] if shift is None else shift
        if not 0 < width <= LARGEST or offset < 0:
            raise ValueError(f"expected a width of 1 to {LARGEST} pixels, got {width}")
        shown = np.zeros((solid.shape[0], width), np.bool_)
        part = solid[:, : max(0, width - offset)]
        shown[:, offset : offset + part.shape[1]] = part
        self.record.set_glyph(number, glyph_of(shown))
        return self.glyphs[char]

    def _numbers(self, characters: Sequence[int]) -> dict[int, int]:
        """The numbers of characters.  Raises ValueError for those that the encoding lacks."""
        number = numbering(self._holder.encoding)
        numbers = {character: number(chr(character)) for character in characters}
        lacking = [chr(character) for character, known in numbers.items() if known is None]
        if lacking:
            raise ValueError(
                f"the texts of the game are in {self._holder.encoding}, which has no "
                f"{' '.join(lacking[:40])}"
            )
        return {character: known for character, known in numbers.items() if known is not None}

    def _about(self) -> str:
        return f"{self.record.height} pixels, {len(self.glyphs)} letters"


def _check_options(antialias: bool | None, sdf: bool | int | None) -> None:
    """Raises ValueError for what bitmap fonts do not have."""
    if antialias:
        raise ValueError("antialias: a bitmap font has no grey pixels")
    if sdf:
        raise ValueError("sdf: a bitmap font has no distance fields")


def _solid(image: Image | NDArray[np.uint8] | str | os.PathLike[str]) -> NDArray[np.bool_]:
    """The pixels of a picture that are set: (height, width)."""
    if isinstance(image, np.ndarray):
        shown = image
    else:
        try:
            opened = Pillow.open(image) if isinstance(image, str | os.PathLike) else image
            shown = np.asarray(opened.convert("RGBA"))
        except PILLOW_ERRORS as error:
            raise FormatError(f"not a picture: {error}", source=str(image)) from None
    solid: NDArray[np.bool_] = shown[..., 3] >= _SOLID
    return solid
