"""The picture of a room of a project: the first step of the game.

In Studio 1: the backgrounds, then tiles and instances from the greatest depth to the least (of
the same depth: tiles first), then the foregrounds. Later: the layers from the greatest depth to
the least. Layers that a room inherits from its parent are in its own file too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

import numpy as np
from PIL import Image as pillow
from PIL.Image import Image

from overhaul.errors import FormatError
from overhaul.gamemaker.ide.resources.assets import Background
from overhaul.gamemaker.ide.resources.rooms import (
    PARTS,
    Instance,
    Layer,
    Room,
    RoomBackground,
    SpriteElement,
    Tile,
)
from overhaul.gamemaker.ide.resources.sprites import Sprite
from overhaul.media import png
from overhaul.media.canvas import RGBA, WHITE, Canvas, Drawing, Transform
from overhaul.media.nine_slice import nine_slice_picture
from overhaul.media.pool import Share
from overhaul.media.tile_drawing import draw_map
from overhaul.suggest import did_you_mean

#: Kinds of layers that show nothing in the first step.
_SILENT: Final = frozenset(("GMRLayer", "GMRPathLayer", "GMREffectLayer"))
#: The things placed in a layer of assets that are not drawn, in words.
_OTHERS: Final = {
    "GMRSequenceGraphic": "a sequence", "GMRParticleSystem": "a particle system",
    "GMRTextItem": "a text",
}  # fmt: skip


def draw_room(room: Room, layers: Iterable[str] | None) -> Drawing:
    """A drawing of a room.  Raises KeyError for a layer that it does not have."""
    wanted = _wanted(room, layers)
    pictures: Share[tuple[Image | None]] = Share()

    def paint(canvas: Canvas) -> None:
        _Painter(room, canvas, pictures).draw(wanted)

    return Drawing(room.name, paint, room.project.smooth)


def not_drawn(room: Room, layers: Iterable[str] | None) -> list[str]:
    """The parts that a picture of some layers leaves out, in words, without duplicates."""
    wanted = _wanted(room, layers)
    found: dict[str, None] = {}
    for instance in room.instances:
        try:
            if instance.object is None:
                found[f"instance {instance.name}: its object is not there"] = None
            _sprite_of(instance)
        except FormatError as error:
            found[f"instance {instance.name}: {error}"] = None
    if room.store.letter == "X":
        return list(found)
    for layer in _shown(room, wanted):
        if layer.effect_type and layer.effect_enabled and layer.effect_type != "none":
            found[f"layer {layer.name}: the effect {layer.effect_type}"] = None
        for element in layer.assets:
            what = _OTHERS.get(element.kind)
            if what is not None:
                found[f"layer {layer.name}: {what}"] = None
    return list(found)


def _wanted(room: Room, layers: Iterable[str] | None) -> set[str] | None:
    if layers is None:
        return None
    wanted = {layers} if isinstance(layers, str) else set(layers)
    known = PARTS if room.store.letter == "X" else room.layers.names()
    for name in wanted.difference(known):
        raise KeyError(f"there is no layer named {name!r}{did_you_mean(name, known)}")
    return wanted


def _shown(room: Room, wanted: Collection[str] | None) -> list[Layer]:
    """The layers that are drawn, the first behind all others."""
    layers = [
        layer for layer in _seen(room, ("layers",), wanted)
        if wanted is None or layer.name in wanted
    ]  # fmt: skip
    return sorted(layers, key=lambda layer: -layer.depth)


def _seen(
    room: Room, steps: tuple[str | int, ...], wanted: Collection[str] | None
) -> Iterator[Layer]:
    """The layers, without those in a folder that is not shown."""
    for number in range(room.store.count(steps)):
        layer = Layer(room, (*steps, number))
        if layer.visible or wanted is not None:
            yield layer
            yield from _seen(room, (*layer.where, "layers"), wanted)


def _depth_of(shown: Instance) -> int:
    try:
        kind = shown.object
        return 0 if kind is None else kind.depth
    except FormatError:  # not_drawn says so
        return 0


def _sprite_of(shown: Instance) -> Sprite | None:
    """The sprite of an instance; None for nothing. Raises FormatError for a file that is not
    there, or is broken."""
    kind = shown.object
    sprite = kind.sprite if kind is not None and kind.visible else None
    if sprite is not None:
        _ = sprite.store.letter  # its file is there, and can be read
    return sprite


class _Painter:
    """Draws a room on a canvas, with the pictures that were decoded for it before."""

    def __init__(self, room: Room, canvas: Canvas, pictures: Share[tuple[Image | None]]) -> None:
        self.room = room
        self.canvas = canvas
        self._pictures = pictures

    def draw(self, wanted: Collection[str] | None) -> None:
        """Draw these layers, or what the game shows."""
        if self.room.store.letter == "X":
            self._studio(PARTS if wanted is None else wanted, whole=wanted is None)
            return
        if wanted is None:
            self.canvas.fill((0, 0, 0, 255))
        for layer in _shown(self.room, wanted):
            if layer.kind not in _SILENT:
                self._layer(layer)

    # -- Studio 1 -------------------------------------------------------------------------------

    def _studio(self, wanted: Collection[str], *, whole: bool) -> None:
        room = self.room
        if whole:
            colour = room.background_colour if room.draw_background_colour else 0
            self.canvas.fill((*_parts(colour)[:3], 255))
        if "backgrounds" in wanted:
            self._backgrounds(foreground=False)
        tiles: list[Tile] = room.tiles if "tiles" in wanted else []
        placed: list[tuple[int, Tile | Instance]] = [(-tile.depth, tile) for tile in tiles]
        for instance in room.instances if "instances" in wanted else ():
            placed.append((-_depth_of(instance), instance))
        for _, element in sorted(placed, key=lambda pair: pair[0]):
            if isinstance(element, Tile):
                self._tile(element)
            else:
                self._instance(element)
        if "foregrounds" in wanted:
            self._backgrounds(foreground=True)

    def _backgrounds(self, *, foreground: bool) -> None:
        for shown in self.room.backgrounds:
            if shown.enabled and shown.foreground == foreground:
                self._background(shown)

    def _background(self, shown: RoomBackground) -> None:
        background = shown.background
        image = None if background is None else self._sheet(background)
        if image is not None:
            at = Transform(shown.x, shown.y)
            tiled = shown.tile_x, shown.tile_y
            self._spread(image, at, WHITE, tiled, stretch=shown.stretch)

    def _spread(
        self, image: Image, at: Transform, colour: RGBA, tiled: tuple[bool, bool], *, stretch: bool
    ) -> None:
        """A background: once, repeated, or as large as the room."""
        if stretch:
            at = at._replace(
                scale_x=self.room.width / image.width, scale_y=self.room.height / image.height
            )
        if any(tiled):
            self.canvas.tile(image, at, colour, across=tiled[0], down=tiled[1])
        else:
            self.canvas.draw(image, at, colour)

    def _tile(self, shown: Tile) -> None:
        background = shown.background
        image = None if background is None else self._sheet(background)
        if image is None:
            return
        source = shown.source_x, shown.source_y, shown.width, shown.height
        at = Transform(shown.x, shown.y, scale_x=shown.scale_x, scale_y=shown.scale_y)
        self._part(image, source, at, _parts(shown.colour))

    def _part(
        self, image: Image, source: tuple[int, int, int, int], at: Transform, colour: RGBA
    ) -> None:
        """A part of a picture: its left and top there, its width and height."""
        left, top = max(0, source[0]), max(0, source[1])
        right = min(image.width, source[0] + source[2])
        bottom = min(image.height, source[1] + source[3])
        if left < right and top < bottom:
            at = at._replace(origin_x=source[0] - left, origin_y=source[1] - top)
            self.canvas.draw(image.crop((left, top, right, bottom)), at, colour)

    # -- layers ---------------------------------------------------------------------------------

    def _layer(self, layer: Layer) -> None:
        kind = layer.kind
        if kind == "GMRBackgroundLayer":
            self._background_layer(layer)
        elif kind == "GMRTileLayer":
            self._tiles(layer)
        for instance in layer.instances:
            if not instance.ignored:
                self._instance(instance)
        for element in layer.assets:
            sprite = element.sprite
            if element.kind == "GMRGraphic" and sprite is not None and sprite.is_here:
                self._graphic(element, sprite, layer)
            elif element.kind == "GMRSpriteGraphic" and sprite is not None and sprite.is_here:
                at = Transform(
                    element.x + layer.offset_x, element.y + layer.offset_y, *sprite.origin,
                    element.scale_x, element.scale_y, element.rotation,
                )  # fmt: skip
                self._sprite(sprite, element.frame, at, _parts(element.colour))

    def _graphic(self, element: SpriteElement, sprite: Sprite, layer: Layer) -> None:
        """A part of a sprite, in the size that it is shown in."""
        image = self._frame(sprite, 0)
        left, top, right, bottom = (_whole(element, key) for key in ("u0", "v0", "u1", "v1"))
        width, height = right - left, bottom - top
        if image is None or width <= 0 or height <= 0:
            return
        at = Transform(
            element.x + layer.offset_x, element.y + layer.offset_y,
            scale_x=_whole(element, "w") / width, scale_y=_whole(element, "h") / height,
        )  # fmt: skip
        self._part(image, (left, top, width, height), at, _parts(element.colour))

    def _background_layer(self, layer: Layer) -> None:
        sprite = layer.sprite
        if sprite is None:
            self.canvas.fill(_parts(layer.colour))
            return
        image = self._frame(sprite, 0)
        if image is not None:
            at = Transform(layer.offset_x, layer.offset_y)
            tiled = layer.tile_horizontally, layer.tile_vertically
            self._spread(image, at, _parts(layer.colour), tiled, stretch=layer.stretch)

    def _tiles(self, layer: Layer) -> None:
        tile_set, words = layer.tile_set, layer.tiles
        image = None if tile_set is None else self._sheet(tile_set)
        if tile_set is None or words is None or image is None:
            return
        places = np.array([(top, left) for left, top in tile_set.tile_places], np.int64)
        if len(places):
            places[0] = -1  # the first tile is the empty one
            size = (tile_set.tile_height, tile_set.tile_width)
            sheet = png.from_image(image)
            x, y = round(layer.offset_x), round(layer.offset_y)
            draw_map(self.canvas, words, sheet, places, size, x, y)

    # -- both -----------------------------------------------------------------------------------

    def _instance(self, shown: Instance) -> None:
        try:
            sprite = _sprite_of(shown)
        except FormatError:  # not_drawn says so
            return
        if sprite is not None:
            at = Transform(
                shown.x, shown.y, *sprite.origin, shown.scale_x, shown.scale_y, shown.rotation
            )
            self._sprite(sprite, shown.image_index, at, _parts(shown.colour))

    def _sprite(self, sprite: Sprite, frame: float, at: Transform, colour: RGBA) -> None:
        image = self._frame(sprite, frame)
        cuts = sprite.nine_slice
        if image is None:
            return
        if cuts is not None and cuts.enabled:
            made = nine_slice_picture(png.from_image(image), cuts, at)
            if made is not None:
                self.canvas.draw(pillow.fromarray(made[0]), made[1], colour)
                return
        self.canvas.draw(image, at, colour)

    def _frame(self, sprite: Sprite, frame: float) -> Image | None:
        """The picture of a frame, counted on from the first again after the last."""
        count = len(sprite.frames) if sprite.is_here else 0
        if not count or frame != frame:
            return None
        number = int(min(max(frame, -1e9), 1e9)) % count
        return self._kept((sprite.path, number), lambda: sprite.frames[number].image)

    def _sheet(self, background: Background) -> Image | None:
        if not background.is_here:
            return None
        return self._kept((background.path, 0), lambda: background.image)

    def _kept(self, key: tuple[str, int], made: Callable[[], Image | None]) -> Image | None:
        known = self._pictures.get(key)
        if known is not None:
            return known[0]
        try:
            image = made()
        except FormatError:  # check says what is wrong with the file
            image = None
        size = 200 if image is None else 200 + 4 * image.width * image.height
        self._pictures.put(key, (image,), size)
        return image


def _whole(element: SpriteElement, key: str) -> int:
    """A whole number of an element; 0 for none."""
    found = element.value(key)
    return int(found) if isinstance(found, int | float) and abs(found) < 1e9 else 0


def _parts(colour: int) -> RGBA:
    """The parts of a stored colour, whose lowest byte is red and whose highest byte is alpha."""
    return colour & 255, colour >> 8 & 255, colour >> 16 & 255, colour >> 24 & 255
