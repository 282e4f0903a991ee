"""Rooms, and what they look like."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from overhaul.gamemaker.classic.executable.records import GameRoom
from overhaul.gamemaker.classic.resources import Instance as InstanceRecord
from overhaul.gamemaker.classic.resources import Room as RoomRecord
from overhaul.gamemaker.classic.surface.base import Places, Resource
from overhaul.gamemaker.classic.surface.drawing import PARTS, draw_room
from overhaul.gamemaker.classic.surface.objects import Object
from overhaul.media import png
from overhaul.media.canvas import region_of
from overhaul.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from PIL.Image import Image

    from overhaul.gamemaker.classic.resources import RoomBackground, Tile
    from overhaul.media.canvas import Drawing

AnyRoom: TypeAlias = RoomRecord | GameRoom
#: the longer side of the picture a notebook shows
_SHOWN = 1024


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
        """What it is an instance of; None where that is not there."""
        found = self.places.at("objects", self.record.object)
        return None if found is None else Object(self.places, self.record.object)

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
    def creation_code(self) -> str:
        """The GML that runs when it is created."""
        return self.record.creation_code

    def __repr__(self) -> str:
        name = "" if self.object is None else self.object.name
        return f"<Instance {self.id} of {name[:80]} at {self.x}, {self.y}>"


class Room(Resource[AnyRoom]):
    """A room; sizes and places are in pixels."""

    __slots__ = ()
    kind = "rooms"

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
        return [Instance(self.places, each) for each in self.record.instances]

    @property
    def views(self) -> list[View]:
        """Its views; none of them is on where the room does not use views."""
        return [
            View(
                bool(self.record.enable_views and each.visible),
                each.view_x, each.view_y, each.view_width, each.view_height,
            )
            for each in self.record.views
        ]  # fmt: skip

    @property
    def backgrounds(self) -> list[RoomBackground]:
        """Its backgrounds and foregrounds."""
        return self.record.backgrounds

    @property
    def tiles(self) -> list[Tile]:
        """Its tiles."""
        return [*self.record.tiles]

    def image(
        self,
        *,
        layers: Iterable[str] | str | None = None,
        view: int | None = None,
        region: tuple[int, int, int, int] | None = None,
        scale: float = 1.0,
    ) -> Image:
        """The room as the game draws it in its first step, as a Pillow image (RGBA).

        ``layers`` draws some parts alone, on a transparent ground: ``backgrounds``, ``tiles``,
        ``instances`` and ``foregrounds``.  ``view`` draws what the view of that number shows,
        ``region`` a rectangle of the room (left, top, width, height); otherwise it is the whole
        room.  ``scale`` is the size of the picture to that of the room.

        No code runs: objects with a Draw event are drawn as those without.

        Raises KeyError for a part and IndexError for a view that there is not, ValueError for a
        scale or region that is none, EncodeError for a picture of more than 2**28 pixels,
        FormatError for a damaged picture.
        """
        part = self._region(view, region, scale)
        return self.drawing(layers=layers).image(part, scale)

    def strips(
        self,
        *,
        layers: Iterable[str] | str | None = None,
        view: int | None = None,
        region: tuple[int, int, int, int] | None = None,
        scale: float = 1.0,
    ) -> tuple[tuple[int, int], Iterator[Image]]:
        """The size of what :meth:`image` gives, and the image from top to bottom in strips: a
        large room in little memory.

        Raises as :meth:`image`, but EncodeError for a picture of more than 2**30 pixels.
        """
        part = self._region(view, region, scale)
        return self.drawing(layers=layers).strips(part, scale)

    def _region(
        self, view: int | None, region: tuple[int, int, int, int] | None, scale: float
    ) -> tuple[int, int, int, int]:
        seen = None if view is None else self.views[view][1:]
        return region_of((max(0, self.width), max(0, self.height)), seen, region, scale)

    def drawing(self, *, layers: Iterable[str] | str | None = None) -> Drawing:
        """What :meth:`image` draws: ``drawing.image(region, scale)`` makes pictures of it, on any
        thread.

        Raises KeyError for a part that there is not.
        """
        wanted = None
        if layers is not None:
            wanted = {layers} if isinstance(layers, str) else set(layers)
            for name in wanted.difference(PARTS):
                raise KeyError(f"there is no layer named {name!r}{did_you_mean(name, PARTS)}")
        return draw_room(self.places, self.record, self.name, wanted)

    def _about(self) -> str:
        count = len(self.record.instances)
        return f"{self.width}×{self.height}, {count} instance{'' if count == 1 else 's'}"

    def _repr_png_(self) -> bytes | None:
        if self.width <= 0 or self.height <= 0:
            return None
        scale = min(1.0, _SHOWN / max(self.width, self.height))
        whole = (0, 0, self.width, self.height)
        return png.encode(png.from_image(self.drawing().image(whole, scale, quick=True)))
