"""The pages of fonts: a text of your own set in them, and the glyphs of those that hold them."""

from __future__ import annotations

import msgspec

from overhaul.gamemaker.data.chunks.room import TextInstance
from overhaul.gamemaker.data.drawing.elements import Layout
from overhaul.gamemaker.data.resources.fonts import Font
from overhaul.viewer.answers import Asked, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.page_parts import SAMPLE, picture_part, view_of

#: glyphs and characters of a text that the page shows
_GLYPHS, _TEXT = 1500, 400
#: glyphs are shown up to about so high, and a line of the text, in pixels; at most so many times
_CELL, _LINE, _MOST = 56, 40, 6


class GlyphCell(msgspec.Struct, frozen=True):
    """A glyph: its place in the font's picture, and how far it moves, in pixels."""

    character: str
    code: int
    x: int
    y: int
    width: int
    height: int
    shift: int
    offset: int


class SetGlyph(msgspec.Struct, frozen=True):
    """A glyph of the text: where it is drawn, and where it is in the font's picture."""

    left: float
    top: float
    x: int
    y: int
    width: int
    height: int


class FontPage(generic.ResourcePage, frozen=True):
    """A font.  ``text`` is set in it; ``missing`` are its characters that the font lacks.

    ``zoom`` and ``text_zoom``: how many times their size glyphs and the text are shown.
    """

    face: str
    points: float
    picture: str
    picture_width: int
    picture_height: int
    glyphs: list[GlyphCell]
    count: int
    zoom: int
    text: str
    text_zoom: int
    missing: list[str]
    placed: list[SetGlyph]
    text_width: float
    text_height: float


def show_font(asked: Asked) -> FontPage:
    """The page of a font; ``?text=`` is set in it."""
    opened, entry, font = asked.opened, asked.resource, font_of(asked)
    text = asked.query.get("text", "").strip()[:_TEXT] or SAMPLE
    layout = Layout(font.record, TextInstance(), text)
    placed = [
        SetGlyph(left, top, glyph.x, glyph.y, glyph.width, glyph.height)
        for glyph, left, top in layout.placed()
    ]
    item = font.record.texture
    glyphs = list(font.glyphs.values())
    return FontPage(
        **msgspec.structs.asdict(generic.base(asked, "picture")),
        face=str(font.display_name or ""),
        points=font.size,
        picture="" if item is None else opened.href(entry, "picture.png"),
        picture_width=0 if item is None else item.bounding_width,
        picture_height=0 if item is None else item.bounding_height,
        glyphs=[
            GlyphCell(
                glyph.character, ord(glyph.character), glyph.x, glyph.y, glyph.width, glyph.height,
                glyph.shift, glyph.offset,
            )
            for glyph in glyphs[:_GLYPHS]
        ],
        count=len(glyphs),
        zoom=_zoom(max((max(glyph.width, glyph.height) for glyph in glyphs), default=1), _CELL),
        text=text,
        text_zoom=_zoom(layout.line_height, _LINE),
        missing=font.missing(text),
        placed=placed,
        text_width=max((layout.width(line) for line in layout.lines), default=0.0),
        text_height=layout.line_height * max(1, len(layout.lines)),
    )  # fmt: skip


def _zoom(size: float, room: int) -> int:
    """How many times its size what is small is shown: a whole number, so that pixels are even."""
    return max(1, min(_MOST, int(room / max(size, 1.0))))


def font_of(asked: Asked) -> Font:
    """The font of a request."""
    return view_of(asked, Font)


#: the picture that all glyphs are in
PICTURE = picture_part(lambda asked: font_of(asked).image)
FONT = Page(
    show_font,
    "font.html",
    {"files": generic.file_part, "picture.png": PICTURE, "thumbnail.png": PICTURE},
    thumbnails=True,
)
