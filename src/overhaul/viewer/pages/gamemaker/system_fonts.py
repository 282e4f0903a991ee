"""The pages of fonts of the author's system, which projects name: a text of your own in them."""

from __future__ import annotations

import msgspec

from overhaul.gamemaker.classic.surface.assets import Font as SystemFont
from overhaul.viewer.answers import Asked, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.page_parts import SAMPLE, view_of


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
