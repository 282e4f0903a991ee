"""The pages of fonts that are drawn by the library: a text of your own set in them."""

from __future__ import annotations

import msgspec

from overhaul.ags.surface.game import Font as DrawnFont
from overhaul.media import png
from overhaul.viewer.answers import Asked, Media, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.page_parts import SAMPLE, view_of

#: the most characters of a text
_TEXT = 400


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
