"""Texts on layers of assets, as the pictures of their characters.

Lines are broken at line ends and, where a text wraps, at spaces.  Fonts of distance fields (SDF)
are not drawn: their pictures are not those of characters.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhaul.gamemaker.data.drawing.elements import Picture
from overhaul.media.canvas import RGBA, Transform

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.font import Font, Glyph
    from overhaul.gamemaker.data.chunks.room import TextInstance
    from overhaul.gamemaker.data.drawing.elements import Told

#: the most characters of a text that are drawn
_MOST = 1 << 14


class Layout:
    """The lines of a text in a font; sizes in pixels of the font.

    ``words`` are drawn in the place of those of ``text``.
    """

    def __init__(self, font: Font, text: TextInstance, words: str | None = None) -> None:
        self.glyphs: dict[int, Glyph] = {g.character: g for g in font.glyphs if g is not None}
        self.text = text
        highest = max((glyph.height for glyph in self.glyphs.values()), default=0)
        self.line_height: float = (font.line_height or highest) + text.line_spacing
        self.lines: list[str] = list(
            self._lines((str(text.text or "") if words is None else words)[:_MOST])
        )

    def width(self, line: str) -> float:
        """How wide a line is."""
        end = 0.0
        for glyph, x in self._along(line):
            end = x + glyph.shift + self.text.character_spacing
        return end

    def _along(self, line: str) -> Iterator[tuple[Glyph, float]]:
        """The characters of a line that the font has, and where each begins."""
        x, before = 0.0, 0
        for character in line:
            glyph = self.glyphs.get(ord(character))
            if glyph is not None:
                x += sum(k.amount for k in glyph.kerning if k is not None and k.other == before)
                yield glyph, x
                x += glyph.shift + self.text.character_spacing
                before = glyph.character

    def _lines(self, text: str) -> Iterator[str]:
        for paragraph in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
            if not self.text.wrap or self.text.frame_width <= 0:
                yield paragraph
                continue
            line = ""
            for word in paragraph.split(" "):
                longer = f"{line} {word}" if line else word
                if line and self.width(longer) > self.text.frame_width:
                    yield line
                    longer = word
                line = longer
            yield line

    def placed(self) -> Iterator[tuple[Glyph, float, float]]:
        """Each character, and where its upper left corner is in the frame of the text."""
        across, down = self.text.alignment & 255, self.text.alignment >> 8 & 255
        room = self.text.frame_height - len(self.lines) * self.line_height
        y = room * down / 2 if self.text.frame_height > 0 else 0.0
        for line in self.lines:
            left = self.text.frame_width - self.width(line) if self.text.frame_width > 0 else 0.0
            for glyph, x in self._along(line):
                yield glyph, left * across / 2 + x + glyph.offset, y
            y += self.line_height


def text_at(
    font: Font, text: TextInstance, x: float, y: float, colour: RGBA, told: Told
) -> Iterator[Picture]:
    """The pictures of the characters of a text, for the offset of its layer."""
    if font.sdf_spread:
        told(f"a text in the font of distance fields {font.name}")
    if font.texture is None or font.sdf_spread:
        return
    for glyph, left, top in Layout(font, text).placed():
        if not math.isfinite(left + top + text.origin_x + text.origin_y):
            return
        if glyph.width and glyph.height:
            at = Transform(
                text.x + x,
                text.y + y,
                text.origin_x - math.ceil(left - 0.5),
                text.origin_y - math.ceil(top - 0.5),
                text.scale_x,
                text.scale_y,
                text.rotation,
            )
            part = (glyph.x, glyph.y, glyph.width, glyph.height)
            yield Picture(font.texture, at, colour, part)
