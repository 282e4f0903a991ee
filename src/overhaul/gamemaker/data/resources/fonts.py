"""Fonts, with their glyphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from overhaul.gamemaker.data.chunks.font import Font as FontRecord
from overhaul.gamemaker.data.chunks.font import Glyph as GlyphRecord
from overhaul.gamemaker.data.chunks.font import Kerning
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.fields import Flag, Number, Real, Text, put_field
from overhaul.gamemaker.data.resources.parts import Part

if TYPE_CHECKING:
    from PIL.Image import Image

#: what no font needs a glyph for: the ends of lines
_LINE_ENDS = frozenset("\r\n")
#: the highest character a font can have
_LAST = 0xFFFF


class Glyph(Part[FontRecord, GlyphRecord]):
    """A character of a font: where it is in the font's picture, and how far it moves."""

    __slots__ = ()

    x = Number("pixels from the left of the font's picture")
    y = Number("pixels from the top of the font's picture")
    width = Number("pixels")
    height = Number("pixels")
    shift = Number("pixels to the beginning of the next character")
    offset = Number("pixels it is moved to the right")

    @property
    def character(self) -> str:
        """The character."""
        return chr(self.record.character)

    @property
    def kerning(self) -> dict[str, int]:
        """By the character before, how many pixels further to the right it is drawn.

        The mapping is a copy: assign one to change it.
        """
        return {chr(each.other & _LAST): each.amount for each in self.record.kerning}

    @kerning.setter
    def kerning(self, pairs: Mapping[str, int]) -> None:
        old = {chr(each.other & _LAST): each for each in self.record.kerning}
        made = []
        for character, amount in pairs.items():
            number = _number(character)
            pair = Kerning(number - 0x10000 if number > 0x7FFF else number)
            whole = Number(name="kerning").stored(amount, self)
            put_field(Part(self.game, self.owner, pair), "amount", whole)
            before = old.get(character)
            made.append(before if before is not None and before == pair else pair)
        self.record.kerning = made

    @property
    def image(self) -> Image | None:
        """Its picture, a Pillow image (RGBA); None where the font has none or it lies outside."""
        picture = self.owner.image
        box = (self.x, self.y, self.x + self.width, self.y + self.height)
        if picture is None or not self.width or not self.height:
            return None
        inside = box[2] <= picture.width and box[3] <= picture.height
        return picture.crop(box) if inside else None

    def _about(self) -> str:
        return f"{self.character!r} {self.width}×{self.height} at {self.x}, {self.y}"


def _number(character: object) -> int:
    if not isinstance(character, str) or len(character) != 1 or ord(character) > _LAST:
        raise ValueError(f"expected one character up to U+FFFF, got {character!r}")
    return ord(character)


class Glyphs(Mapping[str, Glyph]):
    """The glyphs of a font by character."""

    def __init__(self, font: Font) -> None:
        self._font = font

    def __getitem__(self, character: str) -> Glyph:
        for record in self._font.record.glyphs:
            if chr(record.character) == character:
                return Glyph(self._font.game, self._font.record, record)
        raise KeyError(f"{self._font.name} has no glyph for {character!r}")

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(chr(each.character) for each in self._font.record.glyphs))

    def __len__(self) -> int:
        return len({each.character for each in self._font.record.glyphs})

    def __repr__(self) -> str:
        shown = "".join(list(self)[:40])
        return f"<{len(self)} glyphs of {self._font.name}: {shown!r}>"


class Font(Resource[FontRecord]):
    """A font."""

    __slots__ = ()
    chunk = "FONT"

    display_name = Text("the name of the typeface")
    bold = Flag("whether it is bold")
    italic = Flag("whether it is italic")
    charset = Number("the character set, as Windows numbers them")
    anti_alias = Number("how much it is smoothed, from 0")
    range_start = Number("its first character")
    range_end = Number("its last character")
    scale_x = Real("times the width of its glyphs when drawn")
    scale_y = Real("times the height of its glyphs when drawn")
    ascender_offset = Number("pixels that it is drawn higher")
    ascender = Number("pixels above the base line (2022.2 and later)")
    sdf_spread = Number("pixels around glyphs that are distance fields; 0 for none (2023.2)")
    line_height = Number("pixels from line to line (2023.6 and later)")

    @property
    def size(self) -> float:
        """The size in points."""
        return abs(self.record.size)

    @size.setter
    def size(self, value: float) -> None:
        number = Real(name="size").stored(value, self)
        if not isinstance(number, float) or not 0 < number < 1 << 31:
            raise ValueError(f"size: expected more than 0, got {value!r}")
        if number != self.size:
            whole = isinstance(self.record.size, int) and number.is_integer()
            # files with fractions of points store them negated
            stored = int(number) if whole else number
            put_field(self, "size", -stored if isinstance(self.record.size, float) else stored)

    @property
    def glyphs(self) -> Glyphs:
        """The glyphs by character: ``font.glyphs["A"].width``."""
        return Glyphs(self)

    @property
    def image(self) -> Image | None:
        """A copy of the picture all glyphs are in (RGBA); None where there is none."""
        return self.record.image

    def missing(self, text: str) -> list[str]:
        """The characters of a text that the font has no glyph for, each once, as they come."""
        known = set(self.glyphs) | _LINE_ENDS
        return [each for each in dict.fromkeys(text) if each not in known]

    def covers(self, text: str) -> bool:
        """Whether the font has a glyph for each character of a text."""
        return not self.missing(text)

    def _about(self) -> str:
        style = [word for word in ("bold", "italic") if getattr(self, word)]
        return ", ".join([f"{self.size:g} pt", *style, f"{len(self.glyphs)} glyphs"])

    def _repr_png_(self) -> bytes | None:
        return self.record._repr_png_()


class Fonts(Resources[Font]):
    """The fonts of a game."""

    resource = Font
