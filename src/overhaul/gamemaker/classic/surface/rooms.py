"""Rooms, and what they look like: what Game Maker draws in the first step, from the records only.

Behind everything is the background colour; black in rooms that draw none.  Then come the
backgrounds, then instances and tiles from the greatest depth to the least (of the same depth:
instances first, each in the order of the file), then the foregrounds.  No code runs: an object
with a Draw event is drawn as one without.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple, TypeAlias

from PIL.Image import Image

from overhaul.document.room_views import Area, LayerShown
from overhaul.document.surface import DrawnRoom, counted
from overhaul.gamemaker.classic.executable.records import GameRoom
from overhaul.gamemaker.classic.resources import Instance as InstanceRecord
from overhaul.gamemaker.classic.resources import Room as RoomRecord
from overhaul.gamemaker.classic.resources import RoomBackground
from overhaul.gamemaker.classic.resources import Tile as TileRecord
from overhaul.gamemaker.classic.surface.assets import Background, Sprite
from overhaul.gamemaker.classic.surface.base import Places, Resource
from overhaul.gamemaker.classic.surface.objects import Object
from overhaul.media.canvas import RGBA, Canvas, Drawing, Transform
from overhaul.media.pool import Share
from overhaul.suggest import did_you_mean

AnyRoom: TypeAlias = RoomRecord | GameRoom
#: the parts of a room, as ``layers`` names them
PARTS = ("backgrounds", "tiles", "instances", "foregrounds")


class View(NamedTuple):
    """A view: the part of the room it shows, in pixels, and whether it is on."""

    enabled: bool
    view_x: int
    view_y: int
    view_width: int
    view_height: int


class Instance:
    """An object placed in a room; places are in pixels, ``rotation`` is in degrees
    (counterclockwise)."""

    __slots__ = ("places", "record")

    def __init__(self, places: Places, record: InstanceRecord) -> None:
        self.places: Places = places
        self.record = record

    @property
    def id(self) -> int:
        """Its number, which is that of no other instance in the room."""
        return self.record.id

    @property
    def object(self) -> Object | None:
        """The object that it is an instance of; None where that is not there."""
        return self.places.ref(Object, self.record.object).get()

    @property
    def x(self) -> int:
        """Where its origin is, from the left of the room."""
        return self.record.x

    @property
    def y(self) -> int:
        """Where its origin is, from the top of the room."""
        return self.record.y

    @property
    def scale_x(self) -> float:
        """How wide it is drawn; 1 is its own size."""
        return self.record.scale_x

    @property
    def scale_y(self) -> float:
        """How high it is drawn; 1 is its own size."""
        return self.record.scale_y

    @property
    def rotation(self) -> float:
        """Degrees, counterclockwise."""
        return self.record.rotation

    @property
    def layer_name(self) -> str | None:
        """The name of its layer; None, as these rooms have no layers."""
        return None

    @property
    def creation_code(self) -> str:
        """The GML that runs when it is created."""
        return self.record.creation_code

    def __repr__(self) -> str:
        name = "" if self.object is None else self.object.name
        return f"<Instance {self.id} of {name[:80]} at {self.x}, {self.y}>"


class Room(DrawnRoom, Resource[AnyRoom]):
    """A room; sizes and places are in pixels.

    ``image()`` draws all of it, or the ``layers`` of these names on a transparent ground:
    ``backgrounds``, ``tiles``, ``instances`` and ``foregrounds``.  ``view`` draws what the view of
    that number shows, ``region`` a rectangle of the room (left, top, width, height), ``scale`` is
    the size of the picture to that of the room.  No code runs: objects with a Draw event are drawn
    as those without.  It raises KeyError for an unknown layer, IndexError for an unknown view,
    ValueError for a wrong scale or region, EncodeError for a picture of more than 2**28 pixels,
    FormatError for a damaged picture.
    """

    __slots__ = ()
    plural = "rooms"
    _facts = ("speed", "persistent", "caption", "background_colour")

    @property
    def width(self) -> int:
        """Its width."""
        return self.record.width

    @property
    def height(self) -> int:
        """Its height."""
        return self.record.height

    @property
    def speed(self) -> int:
        """Steps per second."""
        return self.record.speed

    @property
    def caption(self) -> str:
        """The title of the window."""
        return self.record.caption

    @property
    def persistent(self) -> bool:
        """Whether it stays as it is left until it is entered again."""
        return bool(self.record.persistent)

    @property
    def creation_code(self) -> str:
        """The GML that runs when the room is entered."""
        return self.record.creation_code

    @property
    def instances(self) -> list[Instance]:
        """The instances in it, in the order in which they are created."""
        return [Instance(self.places, record) for record in self.record.instances]

    @property
    def views(self) -> list[View]:
        """Its views; none of them is on where the room does not use views."""
        return [
            View(
                bool(self.record.enable_views and view.visible),
                view.view_x, view.view_y, view.view_width, view.view_height,
            )
            for view in self.record.views
        ]  # fmt: skip

    @property
    def backgrounds(self) -> list[RoomBackground]:
        """Its backgrounds and foregrounds."""
        return self.record.backgrounds

    @property
    def tiles(self) -> list[TileRecord]:
        """Its tiles."""
        return [*self.record.tiles]

    @property
    def weight(self) -> int:
        """About how many bytes a drawing takes besides its pictures."""
        return 20_000 + 500 * len(self.record.instances)

    @property
    def shown_layers(self) -> list[LayerShown]:
        """The parts of its picture."""
        return [LayerShown(part) for part in PARTS]

    @property
    def view_areas(self) -> list[Area]:
        """The areas of its enabled views."""
        return [Area(n, *view[1:]) for n, view in enumerate(self.views) if view.enabled]

    @property
    def background_colour(self) -> str:
        """The colour behind everything, as ``#rrggbb``; ``none`` where it is not drawn."""
        colour = self.record.background_colour
        drawn = self.record.draw_background_colour & 1
        return "#{:02x}{:02x}{:02x}".format(*_parts(colour)[:3]) if drawn else "none"

    def _view(self, number: int) -> tuple[int, int, int, int]:
        return self.views[number][1:]

    def drawing(self, *, layers: Iterable[str] | None = None) -> Drawing:
        """The drawing that :meth:`image` makes: ``drawing.image(region, scale)`` makes pictures of
        it, on any thread.

        Raises KeyError for a part that there is not.
        """
        wanted = None
        if layers is not None:
            wanted = {layers} if isinstance(layers, str) else set(layers)
            for name in wanted.difference(PARTS):
                raise KeyError(f"there is no layer named {name!r}{did_you_mean(name, PARTS)}")
        return draw_room(self.places, self.record, self.name, wanted)

    def _about(self) -> str:
        return f"{self.width}×{self.height}, {counted(len(self.record.instances), 'instance')}"


# -- drawing -------------------------------------------------------------------------------------


def draw_room(
    places: Places,
    room: AnyRoom,
    name: str,
    layers: Collection[str] | None,
) -> Drawing:
    """The picture of a room; ``layers`` are the parts to draw, None for all and the background
    colour."""

    pictures: Share[tuple[Image | None]] = Share()

    def paint(canvas: Canvas) -> None:
        if layers is None:
            drawn = room.background_colour if room.draw_background_colour & 1 else 0
            canvas.fill((*_parts(drawn)[:3], 255))
        _Painter(places, room, canvas, pictures).draw(PARTS if layers is None else layers)

    return Drawing(name, paint, places.smooth)


class _Painter:
    """Draws a room on a canvas, with the pictures that were decoded for it before."""

    def __init__(
        self,
        places: Places,
        room: AnyRoom,
        canvas: Canvas,
        pictures: Share[tuple[Image | None]],
    ) -> None:
        self.places = places
        self.room = room
        self.canvas = canvas
        self._pictures = pictures

    def draw(self, wanted: Collection[str]) -> None:
        """Draw these parts of the room."""
        room = self.room
        self._backgrounds("backgrounds" in wanted, foreground=False)
        placed: list[InstanceRecord | TileRecord] = []
        if "instances" in wanted:
            placed += room.instances
        if "tiles" in wanted:
            placed += room.tiles
        for element in sorted(placed, key=self._depth):
            if isinstance(element, TileRecord):
                self._tile(element)
            else:
                self._instance(element)
        self._backgrounds("foregrounds" in wanted, foreground=True)

    def _depth(self, placed: InstanceRecord | TileRecord) -> int:
        """The key of the order of drawing: the greatest depth first."""
        if isinstance(placed, TileRecord):
            return -placed.depth
        kind = self.places.ref(Object, placed.object).get()
        return 0 if kind is None else -kind.record.depth

    def _backgrounds(self, wanted: bool, *, foreground: bool) -> None:
        for shown in self.room.backgrounds if wanted else ():
            if shown.visible and bool(shown.foreground) == foreground:
                self._background(shown)

    def _background(self, shown: RoomBackground) -> None:
        image = self._picture("backgrounds", shown.background)
        if image is None:
            return
        at = Transform(shown.x, shown.y)
        if shown.stretch:
            at = at._replace(
                scale_x=self.room.width / image.width, scale_y=self.room.height / image.height
            )
        across, down = bool(shown.tile_horizontally), bool(shown.tile_vertically)
        if across or down:
            self.canvas.tile(image, at, across=across, down=down)
        else:
            self.canvas.draw(image, at)

    def _instance(self, shown: InstanceRecord) -> None:
        kind = self.places.ref(Object, shown.object).get()
        sprite = None if kind is None else kind.sprite
        if kind is None or sprite is None or not kind.record.visible:
            return
        image = self._picture("sprites", sprite.index)
        if image is not None:
            at = Transform(
                shown.x, shown.y, *sprite.origin, shown.scale_x, shown.scale_y, shown.rotation
            )
            self.canvas.draw(image, at, _parts(shown.blend))

    def _tile(self, shown: TileRecord) -> None:
        image = self._picture("backgrounds", shown.background)
        if image is None:
            return
        left, top = max(0, shown.tile_x), max(0, shown.tile_y)
        right = min(image.width, shown.tile_x + shown.width)
        bottom = min(image.height, shown.tile_y + shown.height)
        if left < right and top < bottom:
            at = Transform(
                shown.x, shown.y, shown.tile_x - left, shown.tile_y - top,
                shown.scale_x, shown.scale_y,
            )  # fmt: skip
            self.canvas.draw(image.crop((left, top, right, bottom)), at, _parts(shown.blend))

    def _picture(self, kind: str, index: int) -> Image | None:
        """A background, or the first subimage of a sprite; None where there is none."""
        cached = self._pictures.get((kind, index))
        if cached is not None:
            return cached[0]
        if kind == "sprites":
            sprite = self.places.ref(Sprite, index).get()
            image = sprite.frames[0].image if sprite is not None and sprite.frames else None
        else:
            background = self.places.ref(Background, index).get()
            image = None if background is None else background.image
        size = 200 if image is None else 200 + 4 * image.width * image.height
        self._pictures.put((kind, index), (image,), size)
        return image


def _parts(colour: int) -> RGBA:
    """The parts of a stored colour, whose lowest byte is red; -1 is white."""
    return colour & 255, colour >> 8 & 255, colour >> 16 & 255, colour >> 24 & 255
