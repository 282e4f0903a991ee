"""The pages of fonts: a text of your own set in them, and the glyphs of those that hold them."""

from __future__ import annotations

import msgspec

from overhaul.ags.surface.game import Font as DrawnFont
from overhaul.gamemaker.classic.surface.assets import Font as SystemFont
from overhaul.gamemaker.data.chunks.room import TextInstance
from overhaul.gamemaker.data.drawing.elements import Layout
from overhaul.gamemaker.data.resources.fonts import Font
from overhaul.media import png
from overhaul.viewer.answers import Asked, Media, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.kit import picture_part, view_of

#: glyphs and characters of a text that the page shows
_GLYPHS, _TEXT = 1500, 400
#: glyphs are shown up to about so high, and a line of the text, in pixels; at most so many times
_CELL, _LINE, _MOST = 56, 40, 6
SAMPLE = "The quick brown fox jumps over the lazy dog. 0123456789"


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


# -- fonts of the author's system ------------------------------------------------------------------


class SystemFontPage(generic.ResourcePage, frozen=True):
    """A font of the author's system; ``text`` is set in what this system has of it."""

    face: str
    points: int
    bold: bool
    italic: bool
    first: int
    last: int
    text: str


def show_system_font(asked: Asked) -> SystemFontPage:
    """The page of a font of the author's system; ``?text=`` is set in it."""
    font = view_of(asked, SystemFont)
    characters = font.characters
    return SystemFontPage(
        **msgspec.structs.asdict(generic.base(asked)),
        face=font.face,
        points=font.size,
        bold=font.bold,
        italic=font.italic,
        first=characters.start,
        last=characters.stop - 1,
        text=asked.query.get("text", "").strip()[:200] or SAMPLE,
    )


SYSTEM_FONT = Page(show_system_font, "project-font.html", {"files": generic.file_part})


# -- fonts that are drawn by the library -----------------------------------------------------------


class DrawnFontPage(generic.ResourcePage, frozen=True):
    """A font of a size with a text set in it; ``own``: in the game's letters."""

    number: int
    pixels: int
    text: str
    picture: str
    own: bool


def _text_of(asked: Asked) -> str:
    return asked.query.get("text", "")[:_TEXT] or SAMPLE


def show_drawn_font(asked: Asked) -> DrawnFontPage:
    """The page of a font that a text is drawn in; ``?text=`` is set in it."""
    font = view_of(asked, DrawnFont)
    return DrawnFontPage(
        **msgspec.structs.asdict(generic.base(asked)),
        number=font.number,
        pixels=font.size,
        text=_text_of(asked),
        picture=asked.opened.href(asked.resource, "text.png"),
        own=font.own_letters,
    )


def text_part(asked: Asked) -> Media:
    """``text.png?text=…``: a text in the font."""
    font, text = view_of(asked, DrawnFont), _text_of(asked)

    def make() -> bytes:
        return png.encode(png.from_image(font.text_image(text)))

    return Media(asked.opened.remember(("font", font.number, text), make, len), "image/png")


DRAWN_FONT = Page(
    show_drawn_font, "ags-font.html", {"files": generic.file_part, "text.png": text_part}
)
