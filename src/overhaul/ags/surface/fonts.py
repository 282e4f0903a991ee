"""Bitmap fonts as they are edited: letters by character, drawn again with a typeface."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL.Image import Image

from overhaul.ags.drawing.art import Art
from overhaul.ags.font import drawing
from overhaul.ags.font.model import LARGEST, BitmapFont, Glyph, glyph_of
from overhaul.ags.font.sheet import COLOURS, picture_of, sheet_of
from overhaul.ags.font.wfn import read_font, write_font
from overhaul.ags.images import to_image
from overhaul.ags.library.package import Package
from overhaul.ags.surface.base import AgsResource, Holder
from overhaul.document.surface import ResourceList
from overhaul.errors import FormatError
from overhaul.media.bounds import PILLOW_ERRORS
from overhaul.media.characters import Characters, Typefaces, characters_of, typefaces_of

#: The file of a bitmap font of a game.
FONT_FILE: Final = re.compile(r"agsfnt(0|[1-9][0-9]{0,8})\.wfn", re.IGNORECASE)
#: A pixel of a picture counts from this alpha on.
_SOLID: Final = 128


class FontHolder(Holder, Protocol):
    """A holder of a bitmap font; it is assigned after each change."""

    @property
    def font(self) -> BitmapFont: ...
    @font.setter
    def font(self, font: BitmapFont) -> None: ...


class Letters(Mapping[str, Glyph]):
    """The letters of a font that have a width, by character."""

    def __init__(self, font: BitmapFont, encoding: str) -> None:
        self._font = font
        self._numbers = font.characters(encoding)

    def __getitem__(self, character: str) -> Glyph:
        if character not in self._numbers:
            raise KeyError(f"the font has no letter {character!r}")
        return self._font.glyphs[self._numbers[character]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class BitmapFontView(AgsResource[FontHolder]):
    """A bitmap font.  Sizes are in points: 96 pixels are 72."""

    __slots__ = ("_name",)
    _kind = "font"
    #: The parts of GameMaker's fonts that these fonts lack.
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

        ``size`` is in points; without it, capitals are as high as the font's own. ``chars`` are by
        default the existing ones. Bitmap fonts have no grey pixels, pairs or distance fields.

        Raises ValueError for characters that no typeface has or the game's encoding lacks, and for
        what such fonts don't have; FormatError for a broken typeface, OSError for a missing file.
        """
        _check_options(antialias, sdf)
        typefaces = typefaces_of(ttf)
        wanted = characters_of(list(self.glyphs) if chars is None else chars)
        numbers = drawing.numbers_of(sorted({ord(" "), *wanted}), self._holder.encoding)
        style = drawing.Style(size, hinting)
        self._holder.font = drawing.drawn_again(self.record, numbers, typefaces, style)

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
        numbers = drawing.numbers_of(wanted, self._holder.encoding)
        font = self.record
        drawing.add_letters(font, numbers, typefaces, drawing.Style(size, hinting))
        self._holder.font = font
        return [chr(character) for character in numbers]

    def set_glyph(
        self,
        char: str,
        image: Image | NDArray[np.uint8] | str | os.PathLike[str],
        shift: int | None = None,
        offset: int = 0,
    ) -> Glyph:
        """Give a character a picture: a Pillow image, an array (height, width, 4) or a file.

        Opaque pixels of the picture are set. ``shift`` is how far the next letter is, by default
        ``offset`` and the width. Raises ValueError for more or less than one character.
        """
        if len(char) != 1:
            raise ValueError(f"expected one character, got {char!r}")
        (number,) = drawing.numbers_of([ord(char)], self._holder.encoding).values()
        solid = _solid(image)
        width = offset + solid.shape[1] if shift is None else shift
        if not 0 < width <= LARGEST or offset < 0:
            raise ValueError(f"expected a width of 1 to {LARGEST} pixels, got {width}")
        shown = np.zeros((solid.shape[0], width), np.bool_)
        part = solid[:, : max(0, width - offset)]
        shown[:, offset : offset + part.shape[1]] = part
        font = self.record
        font.set_glyph(number, glyph_of(shown))
        self._holder.font = font
        return self.glyphs[char]

    def _about(self) -> str:
        return f"{self.record.height} pixels, {len(self.glyphs)} letters"


class FontPackage(Holder, Protocol):
    """A game's package, as far as its fonts need it."""

    package: Package

    @property
    def game_encoding(self) -> str: ...


class PackagedFont:
    """A bitmap font in a package: what is assigned is written there."""

    def __init__(self, document: FontPackage, name: str) -> None:
        self._document = document
        self._name = name
        self._font = read_font(document.package[name].read(), source=name)

    @property
    def font(self) -> BitmapFont:
        """The font."""
        return self._font

    @font.setter
    def font(self, font: BitmapFont) -> None:
        self._font = font
        self._document.package.replace(self._name, write_font(font))

    @property
    def source(self) -> str | None:
        """The file."""
        return self._document.source

    @property
    def encoding(self) -> str:
        """The encoding of the game's texts."""
        return self._document.game_encoding

    @property
    def art(self) -> Art:
        """The sprites and fonts of the game."""
        return self._document.art

    def shown(self, text: str) -> str:
        """A text in the encoding of the game."""
        return self._document.shown(text)


class PackagedFonts(ResourceList[BitmapFontView]):
    """The bitmap fonts of a game by number; TrueType fonts are not pictures."""

    def __init__(self, document: FontPackage) -> None:
        self._document = document
        named = ((FONT_FILE.fullmatch(asset.name), asset.name) for asset in document.package)
        self._names = {int(number[1]): name for number, name in named if number}

    @property
    def kind(self) -> str:
        """The kind of one of them in ``overhaul ls``."""
        return "font"

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[BitmapFontView]:
        return map(self._view, sorted(self._names))

    def _view(self, number: int) -> BitmapFontView:
        return BitmapFontView(PackagedFont(self._document, self._names[number]), str(number))

    def _numbered(self, number: int) -> BitmapFontView | None:
        return self._view(number) if number in self._names else None

    def _named(self, name: str) -> BitmapFontView | None:
        return self._numbered(int(name)) if name.isascii() and name.isdigit() else None


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
