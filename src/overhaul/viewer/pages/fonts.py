"""The page of a font: its glyphs, and a text of your own set in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

from overhaul.gamemaker.data.chunks.room import TextInstance
from overhaul.gamemaker.data.drawing.texts import Layout
from overhaul.media import png
from overhaul.viewer.answers import Asked, Media, Page
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages import generic

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data.resources.fonts import Font

#: glyphs and characters of a text that the page shows
_GLYPHS, _TEXT = 1500, 400
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
    """A font.  ``text`` is set in it; ``missing`` are its characters that the font lacks."""

    face: str
    points: float
    picture: str
    picture_width: int
    picture_height: int
    glyphs: list[GlyphCell]
    count: int
    text: str
    missing: list[str]
    placed: list[SetGlyph]
    text_width: float
    text_height: float


def show_font(asked: Asked) -> FontPage:
    """The page of a font; ``?text=`` is set in it."""
    opened, entry, font = asked.opened, asked.resource, font_of(asked)
    base = msgspec.structs.asdict(generic.show(asked))
    base["files"] = [file for file in base["files"] if file.type != "picture"]
    text = asked.query.get("text", "").strip()[:_TEXT] or SAMPLE
    layout = Layout(font.record, TextInstance(), text)
    placed = [
        SetGlyph(left, top, glyph.x, glyph.y, glyph.width, glyph.height)
        for glyph, left, top in layout.placed()
    ]
    item = font.record.texture
    glyphs = list(font.glyphs.values())
    return FontPage(
        **base,
        face=str(font.display_name or ""),
        points=font.size,
        picture="" if item is None else opened.href(entry, "picture.png"),
        picture_width=0 if item is None else item.bounding_width,
        picture_height=0 if item is None else item.bounding_height,
        glyphs=[
            GlyphCell(
                each.character, ord(each.character), each.x, each.y, each.width, each.height,
                each.shift, each.offset,
            )
            for each in glyphs[:_GLYPHS]
        ],
        count=len(glyphs),
        text=text,
        missing=font.missing(text),
        placed=placed,
        text_width=max((layout.width(line) for line in layout.lines), default=0.0),
        text_height=layout.line_height * max(1, len(layout.lines)),
    )  # fmt: skip


def font_of(asked: Asked) -> Font:
    """The font of a request."""
    game = cast("GameData", asked.opened.document)
    if asked.resource.name not in game.fonts:
        raise NotThere(f"there is no font {asked.resource.name!r}")
    return game.fonts[asked.resource.name]


def picture_part(asked: Asked) -> Media:
    """``picture.png``: the picture that all glyphs are in."""

    def make() -> bytes:
        image = font_of(asked).image
        if image is None:
            raise NotThere(f"{asked.resource.name} has no picture")
        return png.encode(png.from_image(image))

    key = ("font", asked.resource.key)
    return Media(asked.opened.remember(key, make, len), "image/png")


FONT = Page(
    show_font,
    "font.html",
    {"files": generic.file_part, "picture.png": picture_part, "thumbnail.png": picture_part},
    thumbnails=True,
)
