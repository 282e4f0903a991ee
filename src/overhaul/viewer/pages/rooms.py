"""The page of a room: its picture in tiles, its layers, and what stands in it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from overhaul.document.room_views import InstanceView, RoomDrawing, RoomView
from overhaul.document.views import CodeView
from overhaul.media import png
from overhaul.viewer.answers import Asked, Crumb, Media, Page
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages import generic, late
from overhaul.viewer.pages.lines import CodeShown
from overhaul.viewer.pages.page_parts import crumb

if TYPE_CHECKING:
    from overhaul.viewer.opened import Opened

#: the side of a tile of the picture, and of the whole one, in pixels
TILE, WHOLE, THUMBNAIL, FRONT = 512, 1024, 160, 960
#: the smallest scale is 1 / 2**LEVELS
LEVELS = 6
#: instances that the page shows, and pieces of creation code
INSTANCES, _CODES = 4000, 200


class LayerRow(msgspec.Struct, frozen=True):
    """A layer; before GameMaker 2 a part of the room's picture."""

    name: str
    about: str
    visible: bool


class InstanceBox(msgspec.Struct, frozen=True):
    """An instance: where it stands, and the rectangle that its sprite covers before it is turned.

    ``rotation`` is counterclockwise, in degrees.
    """

    id: int
    name: str
    object: Crumb | None
    x: float
    y: float
    left: float
    top: float
    width: float
    height: float
    rotation: float
    code: Crumb | None
    layer: str


class ViewBox(msgspec.Struct, frozen=True):
    """A view that is on: the part of the room it shows."""

    number: int
    x: float
    y: float
    width: float
    height: float


class RoomPage(generic.ResourcePage, frozen=True):
    """A room; sizes are in pixels.

    ``code`` leads to its creation code; ``codes`` are that and the code of its instances, if
    they are not resources of their own.
    """

    width: int
    height: int
    layers: list[LayerRow]
    chosen: str
    views: list[ViewBox]
    instances: list[InstanceBox]
    count: int
    picture: str
    tiles: str
    tile: int
    levels: int
    code: Crumb | None
    codes: list[CodeShown]


def show_room(asked: Asked) -> RoomPage:
    """The page of a room."""
    opened, entry, room = asked.opened, asked.resource, room_of(asked)
    codes: list[CodeShown] = []
    code = _code(opened, room.creation_code, codes, "Creation code", "creation.gml")
    instances = [box_of(opened, instance, codes) for instance in islice(room.instances, INSTANCES)]
    return RoomPage(
        **msgspec.structs.asdict(generic.base(asked)),
        width=room.width,
        height=room.height,
        layers=[LayerRow(*layer[:3]) for layer in room.shown_layers],
        chosen=asked.query.get("layers", ""),
        views=[ViewBox(*area) for area in room.view_areas],
        instances=instances,
        count=len(room.instances),
        picture=opened.href(entry, "picture.png") if room.has_picture else "",
        tiles=opened.href(entry, "tiles"),
        tile=TILE,
        levels=LEVELS,
        code=code if code is not None and not code.href.startswith("#") else None,
        codes=codes,
    )


def room_of(asked: Asked) -> RoomView:
    """The room of a request.  Raises NotThere."""
    room = asked.view
    if not isinstance(room, RoomView):
        raise asked.nothing()
    return room


def _code(
    opened: Opened, code: CodeView | str | None, codes: list[CodeShown], title: str, anchor: str
) -> Crumb | None:
    """A link to code that has a page; a source is shown on this page, up to a number of them."""
    if code is None or (isinstance(code, str) and not code.strip()):
        return None
    if not isinstance(code, str):
        return crumb(opened, code.name, code.kind)
    if len(codes) >= _CODES:
        return Crumb("code", "")
    codes.append(CodeShown(title, anchor, late("gamemaker.sources:marked")(opened, code)))
    return Crumb("code", f"#{anchor}")


def box_of(opened: Opened, instance: InstanceView, codes: list[CodeShown]) -> InstanceBox:
    """An instance; its creation code is added to ``codes``, where it has no page."""
    it = instance.object
    sprite = None if it is None else it.sprite
    left, top, width, height = instance.x - 8.0, instance.y - 8.0, 16.0, 16.0
    if sprite is not None:
        origin = sprite.origin or (0, 0)
        x1 = instance.x - origin[0] * instance.scale_x
        y1 = instance.y - origin[1] * instance.scale_y
        x2, y2 = x1 + sprite.width * instance.scale_x, y1 + sprite.height * instance.scale_y
        left, top, width, height = min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)
    title, anchor = f"Instance {instance.id}", f"instance_{instance.id}.gml"
    return InstanceBox(
        instance.id,
        "" if it is None else it.name,
        None if it is None else crumb(opened, it.name, "object"),
        instance.x, instance.y, left, top, width, height,
        instance.rotation,
        _code(opened, instance.creation_code, codes, title, anchor),
        instance.layer_name or "",
    )  # fmt: skip


# ------------------------------------------------------------------------------- its picture


def names_of(asked: Asked, room: RoomView) -> list[str] | None:
    """The layers of the query (``layers=0-2-5``, by their places in the list); None for those the
    game shows."""
    text = asked.query.get("layers", "")
    if not text:
        return None
    layers = room.shown_layers
    numbers = [int(word) for word in text.split("-") if word.isascii() and word.isdigit()]
    return [layers[number].name for number in numbers if number < len(layers)]


def _kept(asked: Asked, region: tuple[int, int, int, int] | None, scale: float) -> Media:
    def make() -> bytes:
        room = room_of(asked)
        if not room.has_picture:
            raise NotThere(f"{room.name} has no size")
        whole = (0, 0, room.width, room.height)
        drawing = _drawing(asked, room)
        with asked.opened.aside():
            return png.encode(png.from_image(drawing.image(region or whole, scale, quick=True)))

    key = ("room", asked.resource.key, asked.query.get("layers", ""), region, scale)
    return Media(asked.opened.remember(key, make, len), "image/png")


def _drawing(asked: Asked, room: RoomView) -> RoomDrawing:
    """A room made ready to be drawn, once for all its tiles."""
    key = ("drawing", asked.resource.key, asked.query.get("layers", ""))
    return asked.opened.remember(
        key, lambda: room.drawing(layers=names_of(asked, room)), lambda made: room.weight
    )


def _fitting(room: RoomView, side: int) -> float:
    return min(1.0, side / max(room.width, room.height, 1))


def picture_part(asked: Asked) -> Media:
    """``picture.png``: the whole room, made smaller where it is large."""
    return _kept(asked, None, _fitting(room_of(asked), WHOLE))


def thumbnail(asked: Asked) -> Media:
    """``thumbnail.png``."""
    return _kept(asked, None, _fitting(room_of(asked), THUMBNAIL))


def front(asked: Asked) -> Media:
    """``front.png``: for the first page of the game."""
    return _kept(asked, None, _fitting(room_of(asked), FRONT))


def tile_part(asked: Asked) -> Media:
    """``tiles/LEVEL/X/Y.png``: a square of the room at 1 / 2**LEVEL of its size."""
    room = room_of(asked)
    parts = asked.rest.removesuffix(".png").split("/")[1:]
    if len(parts) != 3 or not all(p.isascii() and p.isdigit() and len(p) < 7 for p in parts):
        raise NotThere("there is no such tile")
    level, x, y = map(int, parts)
    side = TILE << min(level, LEVELS)
    left, top = x * side, y * side
    if level > LEVELS or left >= room.width or top >= room.height:
        raise NotThere("there is no such tile")
    region = (left, top, min(side, room.width - left), min(side, room.height - top))
    return _kept(asked, region, 1 / (1 << level))


ROOM = Page(
    show_room,
    "room.html",
    {
        "files": generic.file_part,
        "picture.png": picture_part,
        "thumbnail.png": thumbnail,
        "tiles": tile_part,
        "front.png": front,
    },
    thumbnails=True,
    front="front.png",
)
