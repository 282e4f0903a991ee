"""Fonts, with their glyphs."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias, TypedDict, Unpack

from overhaul.gamemaker.data.chunks.font import Font as FontRecord
from overhaul.gamemaker.data.chunks.font import Glyph as GlyphRecord
from overhaul.gamemaker.data.chunks.font import Kerning, range_of
from overhaul.gamemaker.data.painting import group_of
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.fields import (
    Flag,
    Number,
    Real,
    Text,
    check_present,
    put_field,
)
from overhaul.gamemaker.data.resources.names import check_new_name
from overhaul.gamemaker.data.resources.parts import Part
from overhaul.gamemaker.data.resources.pixels import all_pixels, pixels_of
from overhaul.gamemaker.data.resources.sprite_fonts import SpriteFont, sprite_fonts
from overhaul.gamemaker.data.resources.typesetting import (
    PLACEHOLDER,
    SPREAD,
    Style,
    Typeset,
    picture_of,
    typeset,
    typeset_like,
    with_glyphs,
)
from overhaul.gamemaker.data.version import Version
from overhaul.media.characters import Characters, Typefaces, characters_of, typefaces_of
from overhaul.media.typeface import Typeface

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.gamemaker.data.resources.pixels import Picture, Pixels

#: x, y, width, height in pixels of the font's picture
Box: TypeAlias = tuple[int, int, int, int]

#: characters that no font needs a glyph for: the ends of lines
_LINE_ENDS = frozenset("\r\n")
#: the highest character a font can have
_LAST = 0xFFFF
#: how far distance fields may reach, in pixels
_MOST_SPREAD = 64


class Glyph(Part[FontRecord, GlyphRecord]):
    """A character of a font: where it is in the font's picture, and how far it moves."""

    __slots__ = ()

    x: Number = Number("pixels from the left of the font's picture")
    y: Number = Number("pixels from the top of the font's picture")
    width: Number = Number("pixels")
    height: Number = Number("pixels")
    shift: Number = Number("pixels to the beginning of the next character")
    offset: Number = Number("pixels it is moved to the right")

    @property
    def character(self) -> str:
        """The character."""
        return chr(self.record.character)

    @property
    def kerning(self) -> dict[str, int]:
        """By the character before, how many pixels further to the right it is drawn.

        The mapping is a copy: assign one to change it.
        """
        return {chr(pair.other & _LAST): pair.amount for pair in self.record.kerning}

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
        self._known: dict[str, GlyphRecord] = {}
        for record in font.record.glyphs:
            if isinstance(record, GlyphRecord):  # a damaged file may point nowhere
                self._known.setdefault(chr(record.character), record)

    def __getitem__(self, character: str) -> Glyph:
        record = self._known.get(character)
        if record is None:
            raise KeyError(f"{self._font.name} has no glyph for {character!r}")
        return Glyph(self._font.game, self._font.record, record)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def add(self, character: str, box: Box, *, shift: int | None = None, offset: int = 0) -> Glyph:
        """Add a glyph that is at ``box`` (x, y, width, height) of the font's picture, in pixels.

        ``shift`` is how far the next character is, by default the width.  Raises ValueError for a
        character that is there or is above U+FFFF, and for a box that is not in the picture.
        """
        font = self._font.record
        if _number(character) in (glyph.character for glyph in font.glyphs):
            raise ValueError(f"{self._font.name} has a glyph for {character!r}")
        made = _made(self._font, character, box, shift, offset)
        item = font.texture
        if item is not None:
            _check_inside([made], item.bounding_width, item.bounding_height)
        followed = range_of(font) == (font.range_start, font.range_end)
        insort(font.glyphs, made, key=lambda glyph: glyph.character)
        if followed:
            font.range_start, font.range_end = range_of(font)
        self._known[character] = made
        return self[character]

    def __delitem__(self, character: str) -> None:
        """Remove a glyph."""
        gone, font = self[character].record, self._font.record
        followed = range_of(font) == (font.range_start, font.range_end)
        font.glyphs[:] = [glyph for glyph in font.glyphs if glyph is not gone]
        if followed:
            font.range_start, font.range_end = range_of(font)
        del self._known[character]

    def __repr__(self) -> str:
        shown = "".join(list(self)[:40])
        return f"<{len(self)} glyphs of {self._font.name}: {shown!r}>"


class Font(Resource[FontRecord]):
    """A font."""

    __slots__ = ()
    chunk = "FONT"

    display_name: Text = Text("the name of the typeface")
    bold: Flag = Flag("whether it is bold")
    italic: Flag = Flag("whether it is italic")
    charset: Number = Number("the character set, as Windows numbers them")
    anti_alias: Number = Number("how much it is smoothed, from 0")
    range_start: Number = Number("its first character")
    range_end: Number = Number("its last character")
    scale_x: Real = Real("times the width of its glyphs when drawn")
    scale_y: Real = Real("times the height of its glyphs when drawn")
    ascender_offset: Number = Number("pixels that it is drawn higher")
    ascender: Number = Number("pixels above the base line (2022.2 and later)")
    sdf_spread: Number = Number("pixels around distance fields of glyphs; 0 for none (2023.2)")
    line_height: Number = Number("pixels from line to line (2023.6 and later)")

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
        """A copy of the picture all glyphs are in (RGBA); None where there is none.

        Setting it takes a Pillow image, or an array (height, width, 4), of any size that holds the
        glyphs.  Raises ValueError for one that does not, or that no texture page can hold.
        """
        return self.record.image

    @image.setter
    def image(self, picture: Picture) -> None:
        pixels = pixels_of(picture, self.game.release)
        _check_inside(self.record.glyphs, pixels.shape[1], pixels.shape[0])
        _paint(self, pixels)

    def missing(self, text: str) -> list[str]:
        """The characters of a text that the font has no glyph for, each once, as they come."""
        known = {glyph.character for glyph in self.record.glyphs}
        letters = dict.fromkeys(text)
        return [
            letter for letter in letters if ord(letter) not in known and letter not in _LINE_ENDS
        ]

    def covers(self, text: str) -> bool:
        """Whether the font has a glyph for each character of a text."""
        return not self.missing(text)

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
        """Draw all glyphs again with a typeface, as this release's compiler writes a font.

        ``ttf`` is a TrueType or OpenType file, or several: the first that has a character draws
        it.  ``size`` is in points (96 pixels are 72 points), by default the font's own, and
        ``chars`` are by default those the font has: a text, or a list of texts, numbers and
        ranges of numbers; a space is always among them.  ``antialias`` and ``sdf`` are as the font
        is by default; ``sdf`` makes distance fields (2023.2 and later): True, or how many pixels
        they reach.  Kerning is stored from 2.3.6 on.

        Raises ValueError for characters that no typeface has and what this release can't have,
        FormatError for a broken typeface, OSError for a file that can't be read; nothing is
        changed then.
        """
        typefaces = typefaces_of(ttf)
        points = self.size if size is None else _points(size, self.game.release)
        style = self._style(antialias, hinting, sdf)
        if chars is None:
            characters = characters_of(list(self.glyphs))
        else:
            kept = {PLACEHOLDER} & {glyph.character for glyph in self.record.glyphs}
            characters = sorted({32, *characters_of(chars)} | kept)
        release = self.game.release
        made = typeset(typefaces, characters, points, style, release, kerning=kerning)
        pixels = pixels_of(picture_of(made), release)
        self._take(made, pixels, typefaces[0], points, style)

    def _take(
        self, made: Typeset, pixels: Pixels, typeface: Typeface, points: float, style: Style
    ) -> None:
        """Become what was drawn."""
        release, words = self.game.release, typeface.style.lower()
        self.size = points
        self.display_name = typeface.family
        self.bold = "bold" in words
        self.italic = "italic" in words or "oblique" in words
        full = 1 if release.major >= 2 else 3
        if bool(self.anti_alias) != style.antialias:
            self.anti_alias = full if style.antialias else 0
        ranged = bool(self.range_end) or not self.record.glyphs
        self.record.glyphs[:] = made.glyphs
        if ranged:
            self.record.range_start, self.record.range_end = range_of(self.record)
        if release.bytecode >= 17:
            self.ascender_offset = made.ascender_offset
        if release.at_least(2022, 2):
            self.ascender = made.ascender
        if release.at_least(2023, 6):
            self.line_height = made.line_height
        if self.sdf_spread != style.spread:
            self.sdf_spread = style.spread
        _paint(self, pixels)

    def _style(self, antialias: bool | None, hinting: bool, sdf: bool | int | None = None) -> Style:
        """How to draw, by default as the font is.  Raises ValueError."""
        if antialias is None:
            antialias = bool(self.anti_alias)
        spread = self.record.sdf_spread if sdf is None else SPREAD if sdf is True else int(sdf)
        if not 0 <= spread <= _MOST_SPREAD:
            raise ValueError(f"sdf: expected up to {_MOST_SPREAD} pixels, got {spread}")
        if spread:
            check_present(self, "sdf_spread")
        return Style(antialias, hinting, spread)

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
        """Draw more glyphs with a typeface, on the base line of the others, which do not change.

        Characters that the font has are left out; the rest is returned.  Without ``size`` (in
        points) capitals are drawn as high as the font's own.  A character that would rise above
        the line is drawn smaller, until it fits.  The other arguments and the errors are those of
        :meth:`rebuild`.
        """
        typefaces = typefaces_of(ttf)
        points = None if size is None else _points(size, self.game.release)
        known = {glyph.character for glyph in self.record.glyphs}
        wanted = [number for number in characters_of(chars) if number not in known]
        style = self._style(antialias, hinting)
        old = self._pixels()
        made = typeset_like(
            self.record,
            old,
            typefaces,
            wanted,
            points,
            style,
            self.game.release,
            kerning=kerning,
        )
        if made.glyphs:
            self._enlarge(made, old)
        return [chr(glyph.character) for glyph in made.glyphs]

    def set_glyph(
        self,
        char: str,
        image: Picture | str | PathLike[str],
        shift: int | None = None,
        offset: int = 0,
    ) -> Glyph:
        """Give a character a picture: a Pillow image, an array (height, width, 4) or a file.

        The picture begins at the top of the line. ``shift`` is how far the next character is, by
        default the width. The other glyphs do not change. Raises ValueError for a font of
        distance fields, and for more or less than one character.
        """
        number = _number(char)
        if self.sdf_spread:
            raise ValueError(f"{self.name} is drawn from distance fields, which no picture is")
        if isinstance(image, str | PathLike):
            pixels = all_pixels(image, self.game.release)[0]
        else:
            pixels = pixels_of(image, self.game.release)
        made = GlyphRecord(number, width=pixels.shape[1], height=pixels.shape[0])
        glyph = Glyph(self.game, self.record, made)
        glyph.shift = made.width if shift is None else shift
        glyph.offset = offset
        old = next((glyph for glyph in self.record.glyphs if glyph.character == number), None)
        if old is not None:
            made.kerning = old.kerning
        self._enlarge(Typeset([made], [pixels]), self._pixels(), instead_of=old)
        return self.glyphs[char]

    def _pixels(self) -> Pixels | None:
        picture = self.record.image
        return None if picture is None else pixels_of(picture, self.game.release)

    def _enlarge(
        self, made: Typeset, old: Pixels | None, instead_of: GlyphRecord | None = None
    ) -> None:
        """Put glyphs below those in the picture."""
        record = self.record
        pixels = pixels_of(with_glyphs(record, old, made), self.game.release)
        followed = range_of(record) == (record.range_start, record.range_end)
        kept = [glyph for glyph in record.glyphs if glyph is not instead_of]
        record.glyphs[:] = sorted([*kept, *made.glyphs], key=lambda glyph: glyph.character)
        if followed:
            record.range_start, record.range_end = range_of(record)
        _paint(self, pixels)

    def _about(self) -> str:
        style = [word for word in ("bold", "italic") if getattr(self, word)]
        return ", ".join([f"{self.size:g} pt", *style, f"{len(self.glyphs)} glyphs"])

    def _repr_png_(self) -> bytes | None:
        return self.record._repr_png_()


def _points(size: float, release: Version) -> float:
    if isinstance(size, bool) or not isinstance(size, int | float) or not size > 0:
        raise ValueError(f"size: expected points above 0, got {size!r}")
    if not release.at_least(2, 2, 2, 302) and not float(size).is_integer():
        raise ValueError(f"size: files of {release} have whole points, got {size:g}")
    return size


def _made(font: Font, character: str, box: Box, shift: int | None, offset: int) -> GlyphRecord:
    """The record of a new glyph.  Raises ValueError or TypeError."""
    made = GlyphRecord(_number(character))
    glyph = Glyph(font.game, font.record, made)
    try:
        glyph.x, glyph.y, glyph.width, glyph.height = box
    except ValueError as error:
        raise ValueError(f"{character!r}: expected (x, y, width, height), {error}") from None
    glyph.shift = glyph.width if shift is None else shift
    glyph.offset = offset
    return made


def _check_inside(glyphs: Iterable[GlyphRecord], width: int, height: int) -> None:
    """Raise ValueError for a glyph that is not in a picture of this size."""
    for glyph in glyphs:
        right, bottom = glyph.x + glyph.width, glyph.y + glyph.height
        if glyph.width and glyph.height and (right > width or bottom > height):
            raise ValueError(
                f"{chr(glyph.character)!r} is at {glyph.x}, {glyph.y} with {glyph.width} × "
                f"{glyph.height} pixels, outside of the picture of {width} × {height}"
            )


def _take_boxes(font: Font, pixels: Pixels, glyphs: Mapping[str, Box]) -> None:
    """Give a new font the glyphs that are in a picture.  Raises ValueError."""
    record, release = font.record, font.game.release
    for character, box in sorted(glyphs.items()):
        record.glyphs.append(_made(font, character, box, None, 0))
    _check_inside(record.glyphs, pixels.shape[1], pixels.shape[0])
    record.range_start, record.range_end = range_of(record)
    tallest = max((glyph.height for glyph in record.glyphs), default=0)
    if release.at_least(2022, 2):
        record.ascender = tallest
    if release.at_least(2023, 6):
        record.line_height = tallest


def _paint(font: Font, pixels: Pixels) -> None:
    game, record = font.game, font.record
    put = partial(setattr, record, "texture")
    group = partial(group_of, game, "FONT", record)
    game.painting.put(pixels, record.texture, put, group=group, path=font.name)


@dataclass(frozen=True)
class FontOptions:
    """The options of a new font: ``size`` in points, and how it is drawn with a typeface, as for
    :meth:`Font.rebuild`; ``chars`` are those of ASCII.

    ``bold`` and ``italic`` are those of a font that is given as a picture; a typeface says so
    itself, and ``display_name`` by default.
    """

    chars: Characters = range(32, 127)
    size: float = 12
    antialias: bool = True
    hinting: bool = True
    kerning: bool = True
    sdf: bool | int = False
    display_name: str | None = None
    bold: bool = False
    italic: bool = False


class FontFields(TypedDict, total=False):
    """The fields of :class:`FontOptions`, as keywords."""

    chars: Characters
    size: float
    antialias: bool
    hinting: bool
    kerning: bool
    sdf: bool | int
    display_name: str | None
    bold: bool
    italic: bool


class Fonts(Resources[Font]):
    """The fonts of a game."""

    resource = Font

    def from_sprites(self) -> list[SpriteFont]:
        """The fonts that code makes of sprites (``font_add_sprite``), which are not in this
        list: the sprite of each, and the character of each frame."""
        return sprite_fonts(self.game)

    def add(
        self,
        name: str,
        image: Picture | None = None,
        glyphs: Mapping[str, Box] | None = None,
        *,
        ttf: Typefaces | None = None,
        options: FontOptions | None = None,
        **fields: Unpack[FontFields],
    ) -> Font:
        """Add a font: drawn with a typeface, or a picture with where in it each character is.

        ``ttf`` is as for :meth:`Font.rebuild`.  Else the picture is a Pillow image or an array
        (height, width, 4), and ``glyphs`` are boxes (x, y, width, height); what else a glyph has
        (``shift``, ``offset``, ``kerning``) is set afterwards.  The fields of ``options`` may also
        be given as keywords: ``size=24``.  Raises ValueError for a name that is taken or
        is none, for glyphs outside of the picture, and for what no texture page holds.
        """
        how = replace(options or FontOptions(), **fields)
        self._check_kind()
        check_new_name(self.game, "FONT", name)
        release = self.game.release
        record = FontRecord(charset=0 if release.major >= 2 else 1)
        record.size = -1.0 if release.at_least(2, 2, 2, 302) else 1
        record.anti_alias = 1 if release.major >= 2 else 3
        font = Font(self.game, record)
        if ttf is None:
            if image is None or glyphs is None:
                raise ValueError("expected a typeface (ttf) or a picture with its glyphs' boxes")
            pixels = pixels_of(image, release)
            font.size, font.bold, font.italic = how.size, how.bold, how.italic
            _take_boxes(font, pixels, glyphs)
            added = self._add(record, name)
            record.display_name = self.game.strings.add(how.display_name or name)
            _paint(font, pixels)
            return added
        if image is not None or glyphs is not None:
            raise ValueError("expected a typeface or a picture with glyphs, got both")
        typefaces, points = typefaces_of(ttf), _points(how.size, release)
        style = font._style(how.antialias, how.hinting, how.sdf)
        box = {PLACEHOLDER} if release.at_least(2, 2, 2, 302) else set()
        characters = sorted({32, *characters_of(how.chars)} | box)
        made = typeset(typefaces, characters, points, style, release, kerning=how.kerning)
        pixels = pixels_of(picture_of(made), release)
        added = self._add(record, name)
        font._take(made, pixels, typefaces[0], points, style)
        if how.display_name is not None:
            font.display_name = how.display_name
        return added
