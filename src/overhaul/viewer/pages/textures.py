"""The page of a texture page: what each rectangle of it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import msgspec

from overhaul.gamemaker.data.pictures import page_number
from overhaul.gamemaker.data.resources.embedded_images import TexturePage as PageSurface
from overhaul.media import textures
from overhaul.viewer.answers import Asked, Crumb, Page
from overhaul.viewer.opened import Opened
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.kit import crumb, view_of

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data.pictures import Item


class Rectangle(msgspec.Struct, frozen=True):
    """A picture on the page, in pixels of it."""

    x: int
    y: int
    width: int
    height: int
    owner: Crumb
    about: str


class TexturePage(generic.ResourcePage, frozen=True):
    """A texture page; ``picture`` is its address, or empty."""

    picture: str
    width: int
    height: int
    rectangles: list[Rectangle]


def show_page(asked: Asked) -> TexturePage:
    """The page of a texture page."""
    opened = asked.opened
    base = generic.base(asked)
    pictures = [file for file in base.files if file.type == "picture"]
    base = msgspec.structs.replace(base, files=[f for f in base.files if f not in pictures])
    game, page = cast("GameData", opened.document), view_of(asked, PageSurface)
    info = None if page.record.blob is None else textures.inspect(page.record.blob)
    owners = opened.remember("owners", lambda: _owners(opened, game), _cost)
    return TexturePage(
        **msgspec.structs.asdict(base),
        picture=pictures[0].href if pictures else "",
        width=0 if info is None else info.width,
        height=0 if info is None else info.height,
        rectangles=owners.get(page.number, []),
    )


def _cost(found: dict[int, list[Rectangle]]) -> int:
    return 300 * sum(len(each) for each in found.values())


def _owners(opened: Opened, game: GameData) -> dict[int, list[Rectangle]]:
    """The pictures on each page."""
    found: dict[int, list[Rectangle]] = {}
    for kind, name, about, item in _items(game):
        if item is not None:
            place = (item.source_x, item.source_y, item.source_width, item.source_height)
            owner = crumb(opened, name, kind)
            found.setdefault(page_number(item), []).append(Rectangle(*place, owner, about))
    return found


def _items(game: GameData) -> Iterator[tuple[str, str, str, Item | None]]:
    for sprite in game.records.sprites.present():
        for number, item in enumerate(sprite.textures):
            yield "sprite", str(sprite.name), f"frame {number}", item
    for background in game.records.backgrounds.present():
        yield "background", str(background.name), "", background.texture
    for font in game.records.fonts.present():
        yield "font", str(font.name), "", font.texture


PAGE = Page(
    show_page,
    "texture.html",
    {"files": generic.file_part, "thumbnail.png": generic.thumbnail},
    thumbnails=True,
)
