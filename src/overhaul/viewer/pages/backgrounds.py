"""The pages of backgrounds and tile sets, and of texture pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import msgspec

from overhaul.document.views import PictureView
from overhaul.gamemaker.data.pictures import page_number
from overhaul.gamemaker.data.resources.backgrounds import TexturePage as PageSurface
from overhaul.media import textures
from overhaul.viewer.answers import Asked, Crumb, Page
from overhaul.viewer.opened import Opened
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.page_parts import crumb, picture_part, view_of

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data.pictures import PageItem

#: tiles whose places are marked
TILES = 4096


class TileCell(msgspec.Struct, frozen=True):
    """A tile: its number, and where it is in the picture without its borders."""

    number: int
    x: int
    y: int


class BackgroundPage(generic.ResourcePage, frozen=True):
    """A background; the sizes of tiles are 0 where it has none."""

    picture: str
    width: int
    height: int
    tile_width: int
    tile_height: int
    count: int
    tiles: list[TileCell]


def show_background(asked: Asked) -> BackgroundPage:
    """The page of a background."""
    opened, entry, it = asked.opened, asked.resource, background_of(asked)
    places, size = it.tile_places, it.tile_size
    return BackgroundPage(
        **msgspec.structs.asdict(generic.base(asked, "picture")),
        picture=opened.href(entry, "picture.png") if it.width else "",
        width=it.width,
        height=it.height,
        tile_width=size[0],
        tile_height=size[1],
        count=len(places),
        tiles=[TileCell(n, left, top) for n, (left, top) in enumerate(places[:TILES])],
    )


def background_of(asked: Asked) -> PictureView:
    """The background of a request.  Raises NotThere."""
    background = asked.view
    if not isinstance(background, PictureView):
        raise asked.nothing()
    return background


_PICTURE = picture_part(lambda asked: background_of(asked).image)
BACKGROUND = Page(
    show_background,
    "background.html",
    {"files": generic.file_part, "picture.png": _PICTURE, "thumbnail.png": _PICTURE},
    thumbnails=True,
)


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


def _cost(rectangles: dict[int, list[Rectangle]]) -> int:
    return 300 * sum(len(rectangle) for rectangle in rectangles.values())


def _owners(opened: Opened, game: GameData) -> dict[int, list[Rectangle]]:
    """The pictures on each page."""
    owners: dict[int, list[Rectangle]] = {}
    for kind, name, about, item in _items(game):
        if item is not None:
            place = (item.source_x, item.source_y, item.source_width, item.source_height)
            owner = crumb(opened, name, kind)
            owners.setdefault(page_number(item), []).append(Rectangle(*place, owner, about))
    return owners


def _items(game: GameData) -> Iterator[tuple[str, str, str, PageItem | None]]:
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
