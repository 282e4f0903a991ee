"""The views and backgrounds of rooms, and their single tiles."""

from __future__ import annotations

from overhaul.gamemaker.data.chunks.room import Room as RoomRecord
from overhaul.gamemaker.data.chunks.room import RoomBackground as RoomBackgroundRecord
from overhaul.gamemaker.data.chunks.room import Tile as TileRecord
from overhaul.gamemaker.data.chunks.room import View as ViewRecord
from overhaul.gamemaker.data.resources.backgrounds import Background
from overhaul.gamemaker.data.resources.colour import Colour
from overhaul.gamemaker.data.resources.fields import Flag, Link, Number, Paint, Real
from overhaul.gamemaker.data.resources.objects import GameObject
from overhaul.gamemaker.data.resources.parts import Part, Parts
from overhaul.gamemaker.data.resources.sprites import Sprite
from overhaul.gamemaker.data.room_rules import new_tile_id


class View(Part[RoomRecord, ViewRecord]):
    """A view of a room: the rectangle of the room it shows, and where it shows it."""

    __slots__ = ()

    enabled: Flag = Flag("whether it is shown")
    view_x: Number = Number("pixels of the room")
    view_y: Number = Number("pixels of the room")
    view_width: Number = Number("pixels of the room")
    view_height: Number = Number("pixels of the room")
    port_x: Number = Number("pixels of the window")
    port_y: Number = Number("pixels of the window")
    port_width: Number = Number("pixels of the window")
    port_height: Number = Number("pixels of the window")
    border_x: Number = Number("pixels around the object it follows")
    border_y: Number = Number("pixels around the object it follows")
    speed_x: Number = Number("pixels per step it follows with; -1 for at once")
    speed_y: Number = Number("pixels per step it follows with; -1 for at once")
    follow: Link[GameObject] = Link(GameObject, "the object it follows")

    def _about(self) -> str:
        state = "" if self.enabled else "disabled, "
        return f"{state}{self.view_width}×{self.view_height} at {self.view_x}, {self.view_y}"


class Views(Parts[View]):
    """The views of a room: always eight."""

    title = "view"
    part = View


class RoomBackground(Part[RoomRecord, RoomBackgroundRecord]):
    """A background of a room, before GameMaker 2."""

    __slots__ = ()

    enabled: Flag = Flag("whether it is drawn")
    foreground: Flag = Flag("whether it is drawn in front of everything")
    background: Link[Background] = Link(Background, "the picture")
    x: Number = Number("pixels")
    y: Number = Number("pixels")
    tile_x: Flag = Flag("whether it repeats across")
    tile_y: Flag = Flag("whether it repeats down")
    speed_x: Number = Number("pixels per step")
    speed_y: Number = Number("pixels per step")
    stretch: Flag = Flag("whether it is scaled to the size of the room")

    def _about(self) -> str:
        shown = self.background
        return f"{'' if self.enabled else 'disabled, '}{shown.name if shown else 'no picture'}"


class RoomBackgrounds(Parts[RoomBackground]):
    """The backgrounds of a room before GameMaker 2: always eight."""

    title = "background"
    part = RoomBackground


class Tile(Part[RoomRecord, TileRecord]):
    """A single tile: a rectangle of a background (before GameMaker 2) or of a sprite."""

    __slots__ = ()

    x: Number = Number("pixels")
    y: Number = Number("pixels")
    background: Link[Background] = Link(Background, "the picture, before GameMaker 2")
    sprite: Link[Sprite] = Link(Sprite, "the picture, from GameMaker 2 on")
    source_x: Number = Number("where the rectangle is in the picture")
    source_y: Number = Number("where the rectangle is in the picture")
    width: Number = Number("pixels")
    height: Number = Number("pixels")
    depth: Number = Number("greater is farther back; before GameMaker 2")
    id: Number = Number("the number code knows it by")
    scale_x: Real = Real()
    scale_y: Real = Real()
    colour: Paint = Paint("the colour it is blended with; white leaves it as it is")

    def _about(self) -> str:
        found = [each.name for each in (self.background, self.sprite) if each is not None]
        return f"{self.id} of {found[0] if found else 'nothing'} at {self.x}, {self.y}"


class Tiles(Parts[Tile]):
    """Single tiles, in the order of the file."""

    title = "tile"
    part = Tile

    def add(
        self,
        picture: Background | Sprite | str,
        x: int,
        y: int,
        *,
        source: tuple[int, int, int, int],
        depth: int = 0,
        scale: tuple[float, float] = (1.0, 1.0),
        colour: Colour | tuple[int, ...] | str = "#ffffff",
    ) -> Tile:
        """Add a tile: the rectangle ``source`` (x, y, width, height) of a picture.

        ``picture`` is a background before GameMaker 2, later a sprite.  Raises KeyError,
        ValueError or TypeError.
        """
        tile = self._over(TileRecord())
        setattr(tile, "background" if self.game.release.major < 2 else "sprite", picture)
        tile.x, tile.y, tile.depth = x, y, depth
        tile.source_x, tile.source_y, tile.width, tile.height = source
        tile.scale_x, tile.scale_y = scale
        tile.colour = colour
        tile.record.id = new_tile_id(self.game)
        self.records.append(tile.record)
        return tile

    def remove(self, tile: Tile) -> None:
        """Take a tile away.  Raises ValueError if it is not among these."""
        del self.records[self._place(tile)]
