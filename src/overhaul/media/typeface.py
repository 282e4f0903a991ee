"""Typefaces (TrueType and OpenType files): which characters they have, how they draw them, and how
pairs of them are kerned.

FreeType draws, through Pillow.  Pillow does not say which characters a typeface has, nor which
pairs it kerns, so those tables (``cmap``, ``kern``) are read here.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Final

import numpy as np
from PIL import Image, ImageFont

from overhaul.errors import FormatError
from overhaul.media.bounds import PILLOW_ERRORS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Alpha = NDArray[np.uint8]

#: the largest size that is drawn, in pixels
MAX_SIZE: Final = 1024
#: the highest character that is looked at
LAST_CHARACTER: Final = 0xFFFF

_SIGNATURES: Final = (b"\0\1\0\0", b"OTTO", b"true")
#: how many times as large outlines are drawn where hinting is off
_OVERSAMPLING: Final = 8
#: how often as large they are drawn for distance fields
_FIELD_SAMPLING: Final = 4
#: a character may be this many times as wide or high as the size
_LARGEST_GLYPH: Final = 16
#: pairs are kerned less below this size, as FreeType does
_FULL_KERNING: Final = 25


@dataclass(frozen=True, slots=True)
class Drawn:
    """A character as it is drawn.

    ``alpha`` is (height, width); its left side is ``left`` pixels to the right of where the
    character begins, its top ``top`` pixels above the base line; the next character begins
    ``advance`` pixels further.
    """

    alpha: Alpha
    left: int
    top: int
    advance: int

    @property
    def bottom(self) -> int:
        """How many pixels it goes below the base line."""
        return int(self.alpha.shape[0]) - self.top


class Typeface:
    """A typeface of a file: ``characters`` are the numbers of those it has, up to U+FFFF.

    ``data`` is the file's content, ``name`` what errors call it; of a collection (``.ttc``) the
    first typeface counts.  Raises FormatError.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self.data = data
        try:
            self._tables = _tables(data)
            self._units = self._number("head", 18)
            self._glyphs = _characters(self._tables.get("cmap", b""), self._number("maxp", 4))
        except (struct.error, IndexError):
            raise FormatError("the tables of the typeface are cut off", source=name) from None
        except FormatError as error:
            raise FormatError(error.message, source=name) from None
        if not 16 <= self._units <= 16384:
            raise FormatError(f"expected 16 to 16384 units per em, got {self._units}", source=name)
        self.characters: frozenset[int] = frozenset(np.flatnonzero(self._glyphs).tolist())
        if not self.characters:
            raise FormatError("the typeface has no characters of Unicode", source=name)
        self._fonts: dict[float, ImageFont.FreeTypeFont] = {}
        family, style = self._font(16).getname()
        self.family, self.style = family or "", style or ""

    def _number(self, table: str, offset: int) -> int:
        (number,) = struct.unpack_from(">H", self._tables.get(table, b""), offset)
        return int(number)

    def _font(self, size: float) -> ImageFont.FreeTypeFont:
        font = self._fonts.get(size)
        if font is None:
            try:
                font = ImageFont.truetype(
                    BytesIO(self.data), size, layout_engine=ImageFont.Layout.BASIC
                )
            except (*PILLOW_ERRORS, MemoryError) as error:
                raise FormatError(f"not a typeface: {error}", source=self.name) from None
            self._fonts[size] = font
        return font

    def at(self, size: float, *, antialias: bool = True, hinting: bool = True) -> Face:
        """The typeface at a size in pixels.  Raises ValueError for one that can't be drawn."""
        if not 1 <= size <= MAX_SIZE:
            raise ValueError(f"expected a size of 1 to {MAX_SIZE} pixels, got {size:g}")
        return Face(self, size, antialias, hinting)

    def kerned_pairs(self, characters: Iterable[int]) -> Iterator[tuple[int, int, int]]:
        """The pairs of characters that the typeface moves: the two, and how far in its units."""
        by_glyph: dict[int, list[int]] = {}
        for character in characters:
            if character in self.characters:
                by_glyph.setdefault(int(self._glyphs[character]), []).append(character)
        wanted = np.fromiter(by_glyph, np.int64, len(by_glyph))
        moved: dict[tuple[int, int], int] = {}
        for left, right, amount, override in _kerning(self._tables.get("kern", b"")):
            here = np.isin(left, wanted) & np.isin(right, wanted)
            rows = (left[here].tolist(), right[here].tolist(), amount[here].tolist())
            for *pair, by in zip(*rows, strict=True):
                glyphs = pair[0], pair[1]
                moved[glyphs] = by if override else moved.get(glyphs, 0) + by
        for (glyph, following), by in moved.items():
            for first in by_glyph[glyph]:
                for second in by_glyph[following]:
                    yield first, second, by

    @property
    def units(self) -> int:
        """Units of its outlines per em."""
        return self._units


class Face:
    """A typeface at a size: ``ascent``, ``descent`` and ``line_height`` are pixels."""

    def __init__(self, typeface: Typeface, size: float, antialias: bool, hinting: bool) -> None:
        self.typeface = typeface
        self.size = size
        self._mode = "L" if antialias else "1"
        self._times = 1 if hinting else _OVERSAMPLING
        font = typeface._font(size)
        self.ascent, self.descent = font.getmetrics()
        self.line_height: int = font.font.height
        if max(map(abs, (self.ascent, self.descent, self.line_height))) > size * _LARGEST_GLYPH:
            raise FormatError("the typeface has no sensible height", source=typeface.name)

    def draw(self, character: int) -> Drawn:
        """A character.  Raises FormatError if its outline is broken."""
        alpha, left, top, advance = self._raw(character, self._times, self._mode)
        if self._times > 1:
            alpha, left, top = _reduced(alpha, left, top, self._times, self._mode == "1")
            advance /= self._times
        return Drawn(*_cropped(alpha, left, top), round(advance))

    def field(self, character: int, spread: int) -> Drawn:
        """A character as a distance field: 128 on its outline, 128 / ``spread`` more for each pixel
        within, less outside.  The picture goes ``spread`` pixels further on each side."""
        times = _FIELD_SAMPLING
        alpha, left, top, advance = self._raw(character, times, "L")
        advance /= times
        if self._times == 1:
            advance = self._raw(character, 1, "L")[3]
        alpha = np.where(alpha >= 128, alpha, np.uint8(0))
        if not alpha.any():
            return Drawn(np.zeros((0, 0), np.uint8), 0, 0, round(advance))
        alpha, left, top = _cropped(alpha, left, top)
        first, highest = left // times, -(-top // times)
        last, lowest = -(-(left + alpha.shape[1]) // times), (top - alpha.shape[0]) // times
        width, height = last - first + 2 * spread, highest - lowest + 2 * spread
        inside = np.zeros((height * times, width * times), bool)
        x = left - (first - spread) * times
        y = (highest + spread) * times - top
        inside[y : y + alpha.shape[0], x : x + alpha.shape[1]] = alpha > 0
        field = distance_field(inside, times, spread)
        return Drawn(field, first - spread, highest + spread, round(advance))

    def kerning(self, characters: Iterable[int]) -> dict[tuple[int, int], int]:
        """By a character and the one after it, pixels that the second one is moved to the right."""
        pixels = round(self.size)
        pairs = {}
        for first, second, units in self.typeface.kerned_pairs(characters):
            moved = units * self.size / self.typeface.units
            if pixels < _FULL_KERNING:
                moved = moved * pixels / _FULL_KERNING
            if round(moved):
                pairs[first, second] = round(moved)
        return pairs

    def _raw(self, character: int, times: int, mode: str) -> tuple[Alpha, int, int, float]:
        """A character ``times`` as large: its pixels, where they are, and its advance."""
        if times > 1:
            mode = "L"
        size, text, name = self.size * times, chr(character), self.typeface.name
        font = self.typeface._font(size)
        try:
            box = font.getbbox(text, mode=mode, anchor="ls")
            if max(map(abs, box)) > size * _LARGEST_GLYPH + 64:
                raise FormatError(f"the outline of {text!r} is too large", source=name)
            mask, (left, top) = font.getmask2(text, mode=mode, anchor="ls")
            advance = font.getlength(text, mode=mode)
        except FormatError:
            raise
        except (*PILLOW_ERRORS, MemoryError, Image.DecompressionBombError) as error:
            raise FormatError(f"{text!r} can't be drawn: {error}", source=name) from None
        width, height = mask.size
        alpha = np.frombuffer(bytes(mask), np.uint8).reshape(height, width)
        if abs(advance) > size * _LARGEST_GLYPH:
            raise FormatError(f"{text!r} has no sensible width", source=name)
        return alpha, left, -top, advance


def distance_field(inside: NDArray[np.bool_], times: int, spread: int) -> Alpha:
    """How far from the outline each pixel is: 128 + 128 / spread for each pixel within.

    ``inside`` has ``times`` × ``times`` values for each pixel.
    """
    reach = spread * times + times
    # from the middle of a value to the outline between two of them
    signed = np.where(inside, _distance(~inside, reach) - 0.5, 0.5 - _distance(inside, reach))
    height, width = inside.shape
    means = signed.reshape(height // times, times, width // times, times).mean(axis=(1, 3))
    field: Alpha = np.clip(np.rint(128 + means * (128 / (spread * times))), 0, 255).astype(np.uint8)
    return field


def _distance(marked: NDArray[np.bool_], reach: int) -> NDArray[np.float64]:
    """How far the nearest marked value is from each, up to about ``reach``."""
    height, width = marked.shape
    far = reach + 1
    rows = np.arange(height)[:, np.newaxis]
    above = np.maximum.accumulate(np.where(marked, rows, -far), axis=0)
    below = np.minimum.accumulate(np.where(marked, rows, height + far)[::-1], axis=0)[::-1]
    straight = np.minimum(np.minimum(rows - above, below - rows), far)
    straight = straight.astype(np.uint16 if far < 180 else np.uint32) ** 2
    distance = straight.copy()
    for shift in range(1, min(reach, width - 1) + 1):
        np.minimum(distance[:, shift:], straight[:, :-shift] + shift**2, out=distance[:, shift:])
        np.minimum(distance[:, :-shift], straight[:, shift:] + shift**2, out=distance[:, :-shift])
    distances: NDArray[np.float64] = np.sqrt(distance)
    return distances


def _reduced(alpha: Alpha, left: int, top: int, times: int, whole: bool) -> tuple[Alpha, int, int]:
    """A picture that is drawn ``times`` as large, at its size; ``whole``: without half tones."""
    first, highest = left // times, -(-top // times)
    last, lowest = -(-(left + alpha.shape[1]) // times), (top - alpha.shape[0]) // times
    whole_picture = np.zeros(((highest - lowest) * times, (last - first) * times), np.uint8)
    x, y = left - first * times, highest * times - top
    whole_picture[y : y + alpha.shape[0], x : x + alpha.shape[1]] = alpha
    cells = whole_picture.reshape(highest - lowest, times, last - first, times)
    means = np.rint(cells.mean(axis=(1, 3))) if cells.size else np.zeros(cells.shape[::2])
    made = (means >= 128) * 255 if whole else means
    return made.astype(np.uint8), first, highest


def _cropped(alpha: Alpha, left: int, top: int) -> tuple[Alpha, int, int]:
    """A picture without empty rows and columns around it."""
    rows, columns = np.flatnonzero(alpha.any(axis=1)), np.flatnonzero(alpha.any(axis=0))
    if not len(rows):
        return np.zeros((0, 0), np.uint8), 0, 0
    y, x = int(rows[0]), int(columns[0])
    return alpha[y : rows[-1] + 1, x : columns[-1] + 1], left + x, top - y


def _tables(data: bytes) -> dict[str, bytes]:
    """The tables of the first typeface in a file."""
    start = 0
    if data[:4] == b"ttcf":
        (start,) = struct.unpack_from(">I", data, 12)
    signature = data[start : start + 4]
    if signature not in _SIGNATURES:
        packed = " (unpack it to .ttf first)" if data[:3] == b"wOF" else ""
        raise FormatError(
            f"expected a TrueType or OpenType file, got one that begins with {data[:4]!r}{packed}"
        )
    (count,) = struct.unpack_from(">H", data, start + 4)
    tables = {}
    for number in range(count):
        tag, _, offset, length = struct.unpack_from(">4sIII", data, start + 12 + 16 * number)
        if tag in (b"cmap", b"head", b"maxp", b"kern"):
            tables[tag.decode("ascii")] = data[offset : offset + length]
    return tables


def _characters(cmap: bytes, count: int) -> NDArray[np.int64]:
    """The number of the glyph of each character up to U+FFFF; 0 for none."""
    chosen: tuple[int, int] | None = None  # how good a subtable is, and where
    (tables,) = struct.unpack_from(">H", cmap, 2)
    for number in range(tables):
        platform, encoding, offset = struct.unpack_from(">HHI", cmap, 4 + 8 * number)
        whole = (platform, encoding) in ((3, 10), (0, 4), (0, 6))
        if (whole or (platform == 0 and encoding != 5) or (platform, encoding) == (3, 1)) and (
            chosen is None or whole > chosen[0]
        ):
            (kind,) = struct.unpack_from(">H", cmap, offset)
            if kind in (4, 6, 12):
                chosen = int(whole), offset
    glyphs = np.zeros(LAST_CHARACTER + 1, np.int64)
    if chosen is not None:
        offset = chosen[1]
        (kind,) = struct.unpack_from(">H", cmap, offset)
        {4: _segments, 6: _trimmed, 12: _groups}[kind](cmap, offset, glyphs)
    glyphs[glyphs >= count] = 0
    return glyphs


def _segments(cmap: bytes, offset: int, glyphs: NDArray[np.int64]) -> None:
    (doubled,) = struct.unpack_from(">H", cmap, offset + 6)
    count = doubled // 2
    columns = np.frombuffer(cmap, ">u2", count * 4 + 1, offset + 14).astype(np.int64)
    ends, starts = columns[:count], columns[count + 1 : 2 * count + 1]
    deltas, offsets = columns[2 * count + 1 : 3 * count + 1], columns[3 * count + 1 :]
    words = np.frombuffer(cmap, ">u2", (len(cmap) - offset) // 2, offset).astype(np.int64)
    at = 8 + 3 * count  # where the offsets begin, in words
    for index in range(count):
        start, end = int(starts[index]), int(ends[index])
        if start > end or start == LAST_CHARACTER:
            continue
        here = np.arange(start, end + 1)
        if offsets[index] == LAST_CHARACTER:
            continue
        if offsets[index]:
            places = at + index + offsets[index] // 2 + here - start
            numbers = words[np.minimum(places, len(words) - 1)] * (places < len(words))
            glyphs[here] = np.where(numbers, (numbers + deltas[index]) & 0xFFFF, 0)
        else:
            glyphs[here] = (here + deltas[index]) & 0xFFFF


def _trimmed(cmap: bytes, offset: int, glyphs: NDArray[np.int64]) -> None:
    first, count = struct.unpack_from(">HH", cmap, offset + 6)
    numbers = np.frombuffer(cmap, ">u2", count, offset + 10)[: LAST_CHARACTER + 1 - first]
    glyphs[first : first + len(numbers)] = numbers


def _groups(cmap: bytes, offset: int, glyphs: NDArray[np.int64]) -> None:
    (count,) = struct.unpack_from(">I", cmap, offset + 12)
    left = max(0, (len(cmap) - offset - 16) // 12)
    rows = np.frombuffer(cmap, ">u4", min(count, left) * 3, offset + 16).reshape(-1, 3)
    for start, end, glyph in rows[rows[:, 0] <= LAST_CHARACTER].tolist():
        here = np.arange(start, min(end, LAST_CHARACTER) + 1)
        glyphs[here] = np.minimum(glyph + here - start, 1 << 31)


def _kerning(
    kern: bytes,
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], bool]]:
    """The pairs of each table that FreeType uses: left and right glyphs, amounts, and whether they
    replace those of the tables before."""
    if len(kern) < 4:
        return
    version, count = struct.unpack_from(">HH", kern)
    at = 4
    for _ in range(count if version == 0 else 0):
        if at + 14 > len(kern):
            return
        _, length, coverage, pairs = struct.unpack_from(">HHHH", kern, at)
        if coverage & ~8 == 1:  # horizontal pairs, in order
            # a length of 16 bits is too short for many pairs
            pairs = min(pairs, (len(kern) - at - 14) // 6)
            rows = np.frombuffer(kern, ">u2", pairs * 3, at + 14).reshape(-1, 3).astype(np.int64)
            amounts = rows[:, 2] - ((rows[:, 2] & 0x8000) << 1)
            yield rows[:, 0], rows[:, 1], amounts, bool(coverage & 8)
        at += max(length, 14)
