"""The page of backgrounds and tile sets."""

from __future__ import annotations

import msgspec

from overhaul.document.views import PictureView
from overhaul.viewer.answers import Asked, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.page_parts import picture_part

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
    lost = opened.is_project and it.width > 0 and it.image is None  # a file that is not there
    return BackgroundPage(
        **msgspec.structs.asdict(generic.base(asked, "picture")),
        picture=opened.href(entry, "picture.png") if it.width and not lost else "",
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
