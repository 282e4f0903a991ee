"""The page of a room: its picture in tiles, its layers, and what stands in it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, cast

import msgspec

from overhaul.gamemaker.classic.surface.rooms import Room as ProjectRoom
from overhaul.gamemaker.data.drawing.rooms import PARTS
from overhaul.media import png
from overhaul.viewer.answers import Asked, Crumb, Media, Page
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.games import Fact, crumb, either_of, facts, resource_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhaul.gamemaker.classic.surface.rooms import Instance as ProjectInstance
    from overhaul.gamemaker.classic.surface.rooms import View as ProjectView
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data.resources.instances import Instance
    from overhaul.gamemaker.data.resources.objects import GameObject
    from overhaul.gamemaker.data.resources.room_parts import View
    from overhaul.gamemaker.data.resources.rooms import Room
    from overhaul.media.canvas import Drawing
    from overhaul.viewer.opened import Opened

#: the side of a tile of the picture, and of the whole one, in pixels
TILE, WHOLE, THUMBNAIL = 512, 1024, 160
#: the smallest scale is 1 / 2**LEVELS
LEVELS = 6
#: the fields that the page shows
_FACTS = ("speed", "persistent", "background_colour", "physics_world")
#: instances that the page shows
INSTANCES = 4000


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
    """A room; sizes are in pixels."""

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
    facts: list[Fact]
    code: Crumb | None


def show_room(asked: Asked) -> RoomPage:
    """The page of a room."""
    opened, room = asked.opened, game_room_of(asked)
    code = room.creation_code
    boxes = [
        box_of(opened, each, _code_of(opened, each), each.layer_name or "")
        for each in islice(room.instances, INSTANCES)
    ]
    about = facts(opened, room, *_FACTS)
    link = None if code is None else crumb(opened, code.name, "code entry")
    return page_of(asked, room, boxes, about, link)


def page_of(
    asked: Asked,
    room: Room | ProjectRoom,
    boxes: list[InstanceBox],
    about: list[Fact],
    code: Crumb | None,
) -> RoomPage:
    """The page of a room of a game or a project; ``code`` leads to its creation code."""
    opened, entry = asked.opened, asked.resource
    return RoomPage(
        **msgspec.structs.asdict(generic.base(asked)),
        width=room.width,
        height=room.height,
        layers=_layers(room, opened),
        chosen=asked.query.get("layers", ""),
        views=_views(room),
        instances=boxes,
        count=len(room.instances),
        picture=opened.href(entry, "picture.png"),
        tiles=opened.href(entry, "tiles"),
        tile=TILE,
        levels=LEVELS,
        facts=about,
        code=code,
    )


def game_room_of(asked: Asked) -> Room:
    """The room of a request."""
    return resource_of(asked, lambda game: game.rooms)


def room_of(asked: Asked) -> Room | ProjectRoom:
    """The room of a request, in a game or a project."""
    return either_of(asked, lambda game: game.rooms, lambda project: project.rooms)


def _layers(room: Room | ProjectRoom, opened: Opened) -> list[LayerRow]:
    if isinstance(room, ProjectRoom) or cast("GameData", opened.document).release.major < 2:
        return [LayerRow(part, "", True) for part in PARTS]
    return [
        LayerRow(each.name, f"{_word(each.type)}, depth {each.depth}", bool(each.visible))
        for each in room.layers
    ]


def _word(kind: object) -> str:
    return str(getattr(kind, "name", kind)).lower()


def _views(room: Room | ProjectRoom) -> list[ViewBox]:
    views: Iterable[View | ProjectView] = room.views
    shown = [(n, view) for n, view in enumerate(views) if view.enabled]
    return [ViewBox(n, v.view_x, v.view_y, v.view_width, v.view_height) for n, v in shown]


def _code_of(opened: Opened, instance: Instance[GameObject]) -> Crumb | None:
    code = instance.creation_code
    return None if code is None else crumb(opened, code.name, "code entry")


def box_of(
    opened: Opened, instance: Instance[GameObject] | ProjectInstance, code: Crumb | None, layer: str
) -> InstanceBox:
    """An instance of a game or a project, with its creation code and layer."""
    it = instance.object
    sprite = None if it is None else it.sprite
    left, top, width, height = instance.x - 8.0, instance.y - 8.0, 16.0, 16.0
    if sprite is not None:
        x1 = instance.x - sprite.origin_x * instance.scale_x
        y1 = instance.y - sprite.origin_y * instance.scale_y
        x2, y2 = x1 + sprite.width * instance.scale_x, y1 + sprite.height * instance.scale_y
        left, top, width, height = min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)
    return InstanceBox(
        instance.id,
        "" if it is None else it.name,
        None if it is None else crumb(opened, it.name, "object"),
        instance.x, instance.y, left, top, width, height,
        instance.rotation,
        code,
        layer,
    )  # fmt: skip


# ------------------------------------------------------------------------------- its picture


def names_of(asked: Asked, room: Room | ProjectRoom) -> list[str] | None:
    """The layers of the query (``layers=0-2-5``, by their places in the list); None for those the
    game shows."""
    text = asked.query.get("layers", "")
    if not text:
        return None
    rows = _layers(room, asked.opened)
    numbers = [int(each) for each in text.split("-") if each.isascii() and each.isdigit()]
    return [rows[number].name for number in numbers if number < len(rows)]


def _kept(asked: Asked, region: tuple[int, int, int, int] | None, scale: float) -> Media:
    def make() -> bytes:
        room = room_of(asked)
        whole = (0, 0, room.width, room.height)
        drawing = _drawing(asked, room)
        with asked.opened.aside():
            return png.encode(png.from_image(drawing.image(region or whole, scale, quick=True)))

    key = ("room", asked.resource.key, asked.query.get("layers", ""), region, scale)
    return Media(asked.opened.remember(key, make, len), "image/png")


def _drawing(asked: Asked, room: Room | ProjectRoom) -> Drawing:
    """A room made ready to be drawn, once for all its tiles."""
    key = ("drawing", asked.resource.key, asked.query.get("layers", ""))
    return asked.opened.remember(
        key, lambda: room.drawing(layers=names_of(asked, room)), lambda made: _size_of(room)
    )


def _size_of(room: Room | ProjectRoom) -> int:
    """About how many bytes a drawing takes besides its pictures."""
    layers = getattr(room.record, "layers", None) or ()
    maps = sum(len(getattr(getattr(each, "data", None), "tiles", None) or ()) for each in layers)
    return 20_000 + 500 * len(room.instances) + 4 * maps


def _fitting(room: Room | ProjectRoom, side: int) -> float:
    return min(1.0, side / max(room.width, room.height, 1))


def picture_part(asked: Asked) -> Media:
    """``picture.png``: the whole room, made smaller where it is large."""
    return _kept(asked, None, _fitting(room_of(asked), WHOLE))


def thumbnail(asked: Asked) -> Media:
    """``thumbnail.png``."""
    return _kept(asked, None, _fitting(room_of(asked), THUMBNAIL))


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
    },
    thumbnails=True,
)
