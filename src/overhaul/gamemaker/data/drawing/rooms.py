"""The elements that a room shows in its first step, in the order of drawing.

Behind everything is the background colour; black in rooms that draw none, as in the first step.

Before GameMaker 2: the backgrounds, then tiles and instances from the greatest depth to the least
(of the same depth: tiles first, then instances in their order), then the foregrounds.

From GameMaker 2 on: the layers from the greatest depth to the least. The offset of a layer moves
what is on it but instances; in a layer of assets texts are drawn first, then sequences, sprites,
and tiles. Elements that are not drawn are collected in :attr:`RoomElements.left_out`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

import numpy as np

from overhaul.gamemaker.data.chunks.gen8 import InfoFlags
from overhaul.gamemaker.data.chunks.room import (
    Instance,
    Layer,
    LayerType,
    Room,
    RoomBackground,
    SpriteInstance,
    Tile,
)
from overhaul.gamemaker.data.drawing.elements import (
    DrawnPicture,
    Element,
    Fill,
    TileMap,
    Wallpaper,
    frame_of,
    painter,
    rgba,
    sprite_at,
    target_of,
    text_at,
)
from overhaul.gamemaker.data.drawing.sequences import SequenceElements
from overhaul.gamemaker.data.model import GameModel
from overhaul.gamemaker.data.pictures import PageImages, PageItem
from overhaul.media.canvas import Drawing, Transform

T = TypeVar("T")

#: the parts of a room before GameMaker 2, as ``layers`` names them
PARTS = ("backgrounds", "tiles", "instances", "foregrounds")


class RoomElements:
    """The elements of a room's picture; ``layers`` are the names of those to draw, or None."""

    def __init__(self, game: GameModel, room: Room, layers: Collection[str] | None = None) -> None:
        self.game = game
        self.room = room
        self.layers = layers
        #: descriptions of what is not drawn, without duplicates
        self.left_out: list[str] = []
        self._layer_name = ""

    def _report(self, what: str) -> None:
        place = f"layer {self._layer_name}: {what}" if self._layer_name else what
        if place not in self.left_out:
            self.left_out.append(place)

    def all(self) -> Iterator[Element]:
        """Every element, from the back to the front."""
        room = self.room
        if self.layers is None:
            drawn = room.background_colour if room.draw_background_colour else 0
            yield Fill((*rgba(drawn)[:3], 255))
        if self.game.release.major < 2:
            yield from self._before_layers()
        else:
            # of the same depth, the layer that comes last in the file is drawn last
            for layer in sorted(_present(room.layers), key=lambda layer: -layer.depth):
                if layer.visible if self.layers is None else str(layer.name) in self.layers:
                    self._layer_name = str(layer.name)
                    yield from self._layer(layer)

    # -- before GameMaker 2 ---------------------------------------------------------------------

    def _before_layers(self) -> Iterator[Element]:
        room = self.room
        wanted = PARTS if self.layers is None else self.layers
        backgrounds = [
            background for background in _present(room.backgrounds) if background.enabled
        ]
        if "backgrounds" in wanted:
            for background in backgrounds:
                if not background.foreground:
                    yield from self._background(background)
        tiles = _present(room.tiles) if "tiles" in wanted else []
        instances = _present(room.instances) if "instances" in wanted else []
        placed: list[tuple[int, Tile | Instance]] = [(-tile.depth, tile) for tile in tiles]
        placed += [(-_depth_of(instance), instance) for instance in instances]
        placed.sort(key=lambda pair: pair[0])
        for _, instance in placed:
            yield from (
                self._tile(instance) if isinstance(instance, Tile) else self._instance(instance)
            )
        if "foregrounds" in wanted:
            for background in backgrounds:
                if background.foreground:
                    yield from self._background(background)

    def _background(self, shown: RoomBackground) -> Iterator[Element]:
        item = getattr(target_of(shown.background), "texture", None)
        if item is None:
            return
        at = Transform(shown.x, shown.y)
        if shown.stretch:
            at = self._stretched(at, item)
        if shown.tile_x or shown.tile_y:
            yield Wallpaper(item, at, bool(shown.tile_x), bool(shown.tile_y))
        else:
            yield DrawnPicture(item, at)

    def _stretched(self, at: Transform, item: PageItem) -> Transform:
        """A picture that is stretched to the size of the room."""
        return at._replace(
            scale_x=self.room.width / max(1, item.bounding_width),
            scale_y=self.room.height / max(1, item.bounding_height),
        )

    # -- from GameMaker 2 on --------------------------------------------------------------------

    def _layer(self, layer: Layer) -> Iterator[Element]:
        data = layer.data
        effect = getattr(data, "effect_type", None) or layer.effect_type
        if effect and layer.effect_enabled:
            self._report(f"the effect {effect}")
        if data is None:
            return
        if layer.type == LayerType.BACKGROUND:
            yield from self._background_layer(layer)
        elif layer.type == LayerType.INSTANCES:
            here = {instance.id: instance for instance in _present(self.room.instances)}
            for number in data.instances:
                if number in here:
                    yield from self._instance(here[number])
        elif layer.type == LayerType.ASSETS:
            yield from self._assets(layer)
        elif layer.type == LayerType.TILES:
            tiles = target_of(data.tileset)
            if tiles is not None and len(data.tiles) == data.width * data.height:
                words = np.array(data.tiles, np.uint32).reshape(data.height, data.width)
                yield TileMap(words, tiles, _whole(layer.offset_x), _whole(layer.offset_y))

    def _background_layer(self, layer: Layer) -> Iterator[Element]:
        data = layer.data
        if not data.visible or data.foreground:
            return
        colour = rgba(data.colour)
        sprite = target_of(data.sprite)
        if sprite is None:
            yield Fill(colour)
            return
        item = frame_of(sprite, data.first_frame)
        if item is None:
            return
        at = Transform(layer.offset_x, layer.offset_y)
        if data.stretch:
            at = self._stretched(at, item)
        if data.tile_horizontally or data.tile_vertically:
            across, down = bool(data.tile_horizontally), bool(data.tile_vertically)
            yield Wallpaper(item, at, across, down, colour)
        else:
            yield DrawnPicture(item, at, colour)

    def _assets(self, layer: Layer) -> Iterator[Element]:
        data = layer.data
        x, y = layer.offset_x, layer.offset_y
        for text in _present(data.texts):
            font = target_of(text.font)
            if font is not None:
                yield from text_at(font, text, x, y, rgba(text.colour), self._report)
        for sequence in _present(data.sequences):
            yield from SequenceElements(sequence, self._report).at(x, y)
        for sprite in (*_present(data.nine_slices), *_present(data.sprites)):
            yield from self._sprite(sprite, x, y)
        for tile in _present(data.tiles):
            yield from self._tile(tile, x, y)
        for system in _present(data.particle_systems):
            name = getattr(target_of(system.particle_system), "name", None)
            if name is not None:
                self._report(f"the particle system {name}")

    def _sprite(self, shown: SpriteInstance, x: float, y: float) -> Iterator[Element]:
        sprite = target_of(shown.sprite)
        if sprite is not None:
            at = Transform(
                shown.x + x,
                shown.y + y,
                sprite.origin_x,
                sprite.origin_y,
                shown.scale_x,
                shown.scale_y,
                shown.rotation,
            )
            yield from sprite_at(sprite, shown.frame, at, rgba(shown.colour), self._report)

    # -- both -----------------------------------------------------------------------------------

    def _instance(self, shown: Instance) -> Iterator[Element]:
        kind = target_of(shown.object)
        sprite = None if kind is None or not kind.visible else target_of(kind.sprite)
        if sprite is not None:
            at = Transform(
                shown.x,
                shown.y,
                sprite.origin_x,
                sprite.origin_y,
                shown.scale_x,
                shown.scale_y,
                shown.rotation,
            )
            yield from sprite_at(sprite, shown.image_index, at, rgba(shown.colour), self._report)

    def _tile(self, shown: Tile, x: float = 0, y: float = 0) -> Iterator[Element]:
        if self.game.release.major < 2:
            item = getattr(target_of(shown.background), "texture", None)
        else:
            sprite = target_of(shown.sprite)
            item = None if sprite is None else frame_of(sprite, 0)
        if item is not None:
            at = Transform(shown.x + x, shown.y + y, scale_x=shown.scale_x, scale_y=shown.scale_y)
            part = (shown.source_x, shown.source_y, shown.width, shown.height)
            yield DrawnPicture(item, at, rgba(shown.colour), part)


def _present(items: Sequence[T | None] | None) -> list[T]:
    return [item for item in items or () if item is not None]


def _depth_of(instance: Instance) -> int:
    return getattr(target_of(instance.object), "depth", 0)


def _whole(offset: float) -> int:
    return round(offset) if abs(offset) < 1e9 else 1 << 30


def not_drawn(game: GameModel, room: Room, layers: Collection[str] | None = None) -> list[str]:
    """Descriptions of what a picture of a room leaves out."""
    elements = RoomElements(game, room, layers)
    for _ in elements.all():
        pass
    return elements.left_out


def draw_room(
    game: GameModel, images: PageImages, room: Room, layers: Collection[str] | None = None
) -> Drawing:
    """A drawing of a room, or of some of its layers, with all pictures cut out."""
    flags = getattr(game.general, "flags", 0)
    paint = painter(images, RoomElements(game, room, layers).all())
    return Drawing(str(room.name), paint, bool(flags & InfoFlags.INTERPOLATE))
