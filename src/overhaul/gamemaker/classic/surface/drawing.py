"""Rooms as pictures: what Game Maker draws in the first step of a room, from its records alone.

Behind everything is the background colour; black in rooms that draw none.  Then come the
backgrounds, then instances and tiles from the greatest depth to the least (of the same depth:
instances first, each in the order of the file), then the foregrounds.  No code runs: an object
with a Draw event is drawn as one without.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, TypeAlias

from overhaul.gamemaker.classic.resources import Instance, Tile
from overhaul.gamemaker.classic.surface.objects import Object
from overhaul.gamemaker.classic.surface.pictures import Background, Sprite
from overhaul.media.canvas import Canvas, Drawing, Transform
from overhaul.media.pool import Share

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.gamemaker.classic.executable.records import GameRoom
    from overhaul.gamemaker.classic.resources import Room, RoomBackground
    from overhaul.gamemaker.classic.surface.base import Places
    from overhaul.media.canvas import RGBA

    AnyRoom: TypeAlias = Room | GameRoom

#: the parts of a room, as ``layers`` names them
PARTS = ("backgrounds", "tiles", "instances", "foregrounds")


def draw_room(
    places: Places,
    room: AnyRoom,
    name: str,
    layers: Collection[str] | None,
) -> Drawing:
    """What a room shows; ``layers`` are the parts to draw, None for all and the background
    colour."""

    pictures: Share[tuple[Image | None]] = Share()

    def paint(canvas: Canvas) -> None:
        if layers is None:
            drawn = room.background_colour if room.draw_background_colour & 1 else 0
            canvas.fill((*_parts(drawn)[:3], 255))
        _Drawing(places, room, canvas, pictures).draw(PARTS if layers is None else layers)

    return Drawing(name, paint, places.smooth)


class _Drawing:
    """A room that is drawn on a canvas, with the pictures that were decoded for it before."""

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
        placed: list[Instance | Tile] = []
        if "instances" in wanted:
            placed += room.instances
        if "tiles" in wanted:
            placed += room.tiles
        for each in sorted(placed, key=self._depth):
            if isinstance(each, Tile):
                self._tile(each)
            else:
                self._instance(each)
        self._backgrounds("foregrounds" in wanted, foreground=True)

    def _depth(self, placed: Instance | Tile) -> int:
        """What things are sorted by: the greatest depth comes first."""
        if isinstance(placed, Tile):
            return -placed.depth
        found = self.places.at("objects", placed.object)
        return 0 if found is None else -Object(self.places, placed.object).record.depth

    def _backgrounds(self, wanted: bool, *, foreground: bool) -> None:
        for each in self.room.backgrounds if wanted else ():
            if each.visible and bool(each.foreground) == foreground:
                self._background(each)

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

    def _instance(self, shown: Instance) -> None:
        if self.places.at("objects", shown.object) is None:
            return
        kind = Object(self.places, shown.object)
        sprite = kind.sprite
        if sprite is None or not kind.record.visible:
            return
        image = self._picture("sprites", sprite.index)
        if image is not None:
            at = Transform(
                shown.x, shown.y, *sprite.origin, shown.scale_x, shown.scale_y, shown.rotation
            )
            self.canvas.draw(image, at, _parts(shown.blend))

    def _tile(self, shown: Tile) -> None:
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
        found = self._pictures.get((kind, index))
        if found is not None:
            return found[0]
        image = None
        if self.places.at(kind, index) is not None:
            if kind == "sprites":
                frames = Sprite(self.places, index).frames
                image = frames[0].image if frames else None
            else:
                image = Background(self.places, index).image
        size = 200 if image is None else 200 + 4 * image.width * image.height
        self._pictures.put((kind, index), (image,), size)
        return image


def _parts(colour: int) -> RGBA:
    """The parts of a stored colour, whose lowest byte is red; -1 is white."""
    return colour & 255, colour >> 8 & 255, colour >> 16 & 255, colour >> 24 & 255
