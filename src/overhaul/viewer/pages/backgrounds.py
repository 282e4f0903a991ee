"""The page of a background; of a tile set, its tiles by number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from overhaul.viewer.answers import Asked, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.games import picture_part, resource_of

if TYPE_CHECKING:
    from overhaul.gamemaker.classic.surface.pictures import Background as ProjectBackground
    from overhaul.gamemaker.data.resources.backgrounds import Background

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
    it = background_of(asked)
    with_tiles = it.game.release.major >= 2 and it.columns > 0
    count = it.tile_count if with_tiles else 0
    across, down = it.tile_width + 2 * it.border_x, it.tile_height + 2 * it.border_y
    cells = [
        TileCell(n, n % it.columns * across + it.border_x, n // it.columns * down + it.border_y)
        for n in range(min(count, TILES))
    ]
    size = (it.tile_width, it.tile_height) if with_tiles else (0, 0)
    return page_of(asked, it, size, count, cells)


def page_of(
    asked: Asked,
    it: Background | ProjectBackground,
    tile: tuple[int, int],
    count: int,
    cells: list[TileCell],
) -> BackgroundPage:
    """The page of a background of a game or a project."""
    opened, entry = asked.opened, asked.resource
    return BackgroundPage(
        **msgspec.structs.asdict(generic.base(asked, "picture")),
        picture=opened.href(entry, "picture.png") if it.width else "",
        width=it.width,
        height=it.height,
        tile_width=tile[0],
        tile_height=tile[1],
        count=count,
        tiles=cells,
    )


def background_of(asked: Asked) -> Background:
    """The background of a request."""
    return resource_of(asked, lambda game: game.backgrounds)


PICTURE = picture_part(lambda asked: background_of(asked).image)
BACKGROUND = Page(
    show_background,
    "background.html",
    {"files": generic.file_part, "picture.png": PICTURE, "thumbnail.png": PICTURE},
    thumbnails=True,
)
