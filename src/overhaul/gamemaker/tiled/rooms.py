"""A room as a map of Tiled, with the tile sets that the map needs."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from typing import TypeVar

import numpy as np
from PIL import Image as pillow
from PIL.Image import Image

from overhaul.document.names import FileNames
from overhaul.gamemaker.data.chunks.room import Instance, LayerType, Room, SpriteInstance, Tile
from overhaul.gamemaker.data.chunks.room import Layer as LayerRecord
from overhaul.gamemaker.data.chunks.sprt import Sprite, SpriteType
from overhaul.gamemaker.data.drawing.elements import Pieces, frame_of, places_of, rgba
from overhaul.gamemaker.data.model import GameModel
from overhaul.gamemaker.data.pictures import PageItem, page_images
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.tiled.model import (
    Frame,
    Layer,
    Map,
    MapObject,
    Placement,
    TiledElement,
    TiledPicture,
    object_at,
    to_bytes,
)
from overhaul.media import tilemap

T = TypeVar("T")

#: the size of objects without a picture, and of the grid of a map without tiles
PLACEHOLDER = 16
#: the most cells a layer gets where several sizes of tiles share a grid
_MOST_CELLS = 1 << 22
#: the name of the layer that holds the instances of a room without layers
INSTANCES = "instances"


class Frames:
    """The sizes and origins of what objects show."""

    def __init__(self, game: GameModel) -> None:
        self.game = game

    def of(self, picture: TiledPicture) -> Frame:
        """The frame of a picture."""
        if picture.kind == "part":
            return Frame(picture.source[2], picture.source[3])
        sprite = self.sprite(picture)
        if sprite is None or not sprite.width or not sprite.height:
            return Frame(PLACEHOLDER, PLACEHOLDER)
        return Frame(sprite.width, sprite.height, sprite.origin_x, sprite.origin_y)

    def sprite(self, picture: TiledPicture) -> Sprite | None:
        """The sprite that an object or sprite shows."""
        if picture.kind == "sprite":
            return self.game.records.sprites.at(picture.number)
        record = self.game.records.objects.at(picture.number)
        shown = None if record is None else target(record.sprite)
        return shown if shown is not None and shown.sprite_type == SpriteType.BITMAP else None


def target(reference: Reference[T] | None) -> T | None:
    """The target of a reference field; None without one."""
    return reference.target if isinstance(reference, Reference) else None


def colour_text(colour: int) -> str:
    """A stored colour as Tiled writes it: ``#rrggbb``, or ``#aarrggbb`` where it is not opaque."""
    red, green, blue, alpha = rgba(colour)
    return f"#{'' if alpha == 255 else f'{alpha:02x}'}{red:02x}{green:02x}{blue:02x}"


def map_of(game: GameModel, room: Room) -> Map:
    """The map of a room."""
    old = game.release.major < 2
    colour = colour_text(room.background_colour | 0xFF000000) if room.draw_background_colour else ""
    made = Map(game.records.rooms.index(room), room.width, room.height, (16, 16), colour)
    maker = _Maker(game, room)
    made.layers = list(maker.before_layers() if old else maker.layers())
    made.grid = _common_grid(game, room, made.layers)
    for number, object_ in enumerate((t for layer in made.layers for t in layer.objects), 1):
        object_.number = number
    return made


def _common_grid(game: GameModel, room: Room, layers: list[Layer]) -> tuple[int, int]:
    """The grid that all tile layers fit, whose steps are set."""
    tiled = [layer for layer in layers if layer.kind == "tiles"]
    sizes = [tile_size(game, layer.tile_set) for layer in tiled]
    if not sizes:
        return PLACEHOLDER, PLACEHOLDER
    grid = (math.gcd(*(width for width, _ in sizes)), math.gcd(*(height for _, height in sizes)))
    for layer, (width, height) in zip(tiled, sizes, strict=True):
        layer.step = (width // grid[0], height // grid[1])
        if layer.cells is not None and layer.cells.size * math.prod(layer.step) > _MOST_CELLS:
            for kept in tiled:
                kept.step = (1, 1)
            return sizes[0]
    return grid


def tile_size(game: GameModel, index: int | None) -> tuple[int, int]:
    """The size of the tiles of a tile set, in pixels."""
    tiles = None if index is None else game.records.backgrounds.at(index)
    return (1, 1) if tiles is None else (max(1, tiles.tile_width), max(1, tiles.tile_height))


class _Maker:
    def __init__(self, game: GameModel, room: Room) -> None:
        self.game = game
        self.room = room
        self.frames = Frames(game)

    # -- before GameMaker 2 ---------------------------------------------------------------------

    def before_layers(self) -> list[Layer]:
        room = self.room
        backgrounds = [
            self._background(number)
            for number, background in enumerate(room.backgrounds)
            if background is not None and target(background.background) is not None
        ]
        behind = [
            background
            for background in backgrounds
            if not room.backgrounds[background.id or 0].foreground
        ]
        depths = sorted({tile.depth for tile in room.tiles if tile is not None}, reverse=True)
        tiles = [
            Layer("objects", depth, f"tiles {depth}", objects=list(self._tiles(room.tiles, depth)))
            for depth in depths
        ]
        instances = Layer("objects", None, INSTANCES)
        instances.objects = list(map(self._instance, self._shown(room.instances)))
        front = [background for background in backgrounds if background not in behind]
        return [*behind, *tiles, instances, *front]

    def _background(self, number: int) -> Layer:
        shown = self.room.backgrounds[number]
        return Layer(
            "image",
            number,
            f"background {number}",
            bool(shown.enabled),
            offset_x=shown.x,
            offset_y=shown.y,
            repeat_x=bool(shown.tile_x),
            repeat_y=bool(shown.tile_y),
            image=TiledPicture("background", shown.background.index),
        )

    # -- from GameMaker 2 on --------------------------------------------------------------------

    def layers(self) -> list[Layer]:
        ordered = sorted(
            (layer for layer in self.room.layers if layer is not None),
            key=lambda layer: -layer.depth,
        )
        makers = {
            LayerType.BACKGROUND: self._image,
            LayerType.INSTANCES: self._instances,
            LayerType.ASSETS: self._assets,
            LayerType.TILES: self._map,
        }
        layers = []
        for record in ordered:
            make = makers.get(LayerType(record.type)) if record.data is not None else None
            layer = None if make is None else make(record)
            if layer is not None:
                layer.properties["depth"] = str(record.depth)
                layers.append(layer)
        return layers

    def _layer(self, kind: str, record: LayerRecord) -> Layer:
        return Layer(kind, record.id, str(record.name or ""), bool(record.visible))

    def _moved(self, kind: str, record: LayerRecord) -> Layer:
        layer = self._layer(kind, record)
        layer.offset_x, layer.offset_y = record.offset_x, record.offset_y
        return layer

    def _image(self, record: LayerRecord) -> Layer:
        data = record.data
        layer = self._moved("image", record)
        layer.repeat_x, layer.repeat_y = bool(data.tile_horizontally), bool(data.tile_vertically)
        if target(data.sprite) is None:
            layer.properties["colour"] = colour_text(data.colour)
        else:
            layer.image = TiledPicture("sprite", data.sprite.index)
            colour = data.colour & 0xFFFFFF
            layer.tint = "" if colour == 0xFFFFFF else colour_text(colour | 0xFF000000)
            layer.opacity = round((data.colour >> 24) / 255, 4)
            layer.properties["stretch"] = "true" if data.stretch else "false"
        return layer

    def _map(self, record: LayerRecord) -> Layer | None:
        data = record.data
        tiles = target(data.tileset)
        if tiles is None or len(data.tiles) != data.width * data.height:
            return None
        layer = self._moved("tiles", record)
        layer.tile_set = data.tileset.index
        layer.cells = np.array(data.tiles, np.uint32).reshape(data.height, data.width)
        return layer

    def _instances(self, record: LayerRecord) -> Layer:
        layer = self._layer("objects", record)
        here = {instance.id: instance for instance in self._shown(self.room.instances)}
        layer.objects = [
            self._instance(here[number]) for number in record.data.instances if number in here
        ]
        return layer

    def _assets(self, record: LayerRecord) -> Layer:
        layer = self._moved("objects", record)
        layer.objects = [
            *filter(None, map(self._sprite, count(), record.data.sprites)),
            *self._tiles(record.data.tiles, None),
        ]
        return layer

    # -- objects ---------------------------------------------------------------------------------

    def _shown(self, records: list[Instance]) -> list[Instance]:
        """The instances of objects that the game has, but for those without any size."""
        present = (record for record in records if record is not None)
        return [
            record for record in present if target(record.object) is not None and _has_size(record)
        ]

    def _instance(self, record: Instance) -> MapObject:
        picture = TiledPicture("object", record.object.index)
        place = Placement(record.x, record.y, record.scale_x, record.scale_y, record.rotation)
        object_ = self._object(picture, place, record.id, record.colour)
        if self.game.release.at_least(2, 2, 2, 302):
            if record.image_index:
                object_.properties["image_index"] = str(record.image_index)
            if record.image_speed != 1:
                object_.properties["image_speed"] = repr(float(record.image_speed))
        return object_

    def _sprite(self, number: int, record: SpriteInstance | None) -> MapObject | None:
        if record is None or target(record.sprite) is None or not _has_size(record):
            return None
        picture = TiledPicture("sprite", record.sprite.index)
        place = Placement(record.x, record.y, record.scale_x, record.scale_y, record.rotation)
        object_ = self._object(picture, place, number, record.colour)
        object_.name = str(record.name or "")
        if record.frame:
            object_.properties["image_index"] = repr(float(record.frame))
        return object_

    def _tiles(self, records: list[Tile], depth: int | None) -> list[MapObject]:
        """The single tiles of a list, only of a depth where one is given."""
        tiles = []
        for number, record in enumerate(records):
            if record is None or (depth is not None and record.depth != depth):
                continue
            old = self.game.release.major < 2
            shown = record.background if old else record.sprite
            drawn = record.width and record.height and _has_size(record)
            if target(shown) is not None and drawn:
                source = (record.source_x, record.source_y, record.width, record.height)
                picture = TiledPicture("part", shown.index, source)
                place = Placement(record.x, record.y, record.scale_x, record.scale_y, 0.0)
                tiles.append(self._object(picture, place, number, record.colour))
        return tiles

    def _object(
        self, picture: TiledPicture, place: Placement, number: int, colour: int
    ) -> MapObject:
        object_ = object_at(picture, self.frames.of(picture), place)
        object_.id = number
        if colour != 0xFFFFFFFF:
            object_.properties["colour"] = colour_text(colour)
        return object_


def _has_size(record: Instance | SpriteInstance | Tile) -> bool:
    values = (record.scale_x, record.scale_y, getattr(record, "rotation", 0.0))
    return all(map(math.isfinite, values)) and record.scale_x != 0 != record.scale_y


def tile_lists(room: Room, layer: Layer) -> tuple[list[SpriteInstance], list[Tile]]:
    """The lists that the numbers of a layer's sprites and single tiles count in."""
    for record in room.layers or ():
        if record.id == layer.id and record.type == LayerType.ASSETS and record.data is not None:
            return record.data.sprites, record.data.tiles
    return [], room.tiles


#: the function that gives the bytes of a file
Read = Callable[[], bytes]

#: the version of the format that is written
VERSION = "1.8"
#: the most columns that the picture of a tile set gets
_COLUMNS = 64


class TileSets:
    """The tile sets that maps of a game use, with their files.

    ``sets`` are their paths by what they hold: ``("objects",)``, ``("sprites",)``, ``("parts",)``
    or ``("tiles", number of the tile set)``.
    """

    def __init__(self, game: GameModel, maps: Iterable[Map]) -> None:
        self.game = game
        self.frames: Frames = Frames(game)
        self.pieces: Pieces = Pieces(page_images(game))
        self.files: dict[str, Read] = {}
        self.sprite_paths: dict[int, str] = _paths("sprites", game.records.sprites)
        self.background_paths: dict[int, str] = _paths("backgrounds", game.records.backgrounds)
        self._stems = _paths("tile_sets", game.records.backgrounds)
        layers = [layer for map_ in maps for layer in map_.layers]
        shown = {object_.picture for layer in layers for object_ in layer.objects}
        self.parts: list[TiledPicture] = sorted(
            picture for picture in shown if picture.kind == "part"
        )
        self.sprites: list[int] = sorted(
            {picture.number for picture in shown if picture.kind == "sprite"}
        )
        self.tiles: list[int] = sorted(
            {layer.tile_set for layer in layers if layer.tile_set is not None}
        )
        for layer in layers:
            if layer.image is not None:
                self.image_path(layer.image)

    def image_path(self, picture: TiledPicture) -> str:
        """The file of a layer's picture, which is written with the maps."""
        if picture.kind == "sprite":
            return self._sprite_image(picture.number)[0]
        background = self.game.records.backgrounds.at(picture.number)
        item = None if background is None else background.texture
        return self._image(self.background_paths[picture.number], item)[0]

    def write(self) -> dict[tuple[object, ...], tuple[str, int]]:
        """Make the files; the path and the count of numbers of each set."""
        made: dict[tuple[object, ...], tuple[str, int]] = {}
        for number in self.tiles:
            made["tiles", number] = self._tile_set(number)
        objects = [
            (number, str(record.name or ""), self._object_image(number))
            for number, record in enumerate(self.game.records.objects)
            if record is not None
        ]
        made["objects",] = self._collection("objects", objects)
        names = self.game.records.sprites
        sprites = [
            (number, str(getattr(names.at(number), "name", None) or ""), self._sprite_image(number))
            for number in self.sprites
        ]
        if sprites:
            made["sprites",] = self._collection("sprites", sprites)
        if self.parts:
            parts = [
                (number, _part_name(part), self._part_image(number, part))
                for number, part in enumerate(self.parts)
            ]
            made["parts",] = self._collection("parts", parts)
        return made

    def _tile_set(self, number: int) -> tuple[str, int]:
        tiles = self.game.records.backgrounds[number]
        count = tiles.tile_count
        columns = max(1, min(count, _COLUMNS))
        path = self._stems[number].removesuffix(".png")
        width, height = max(1, tiles.tile_width), max(1, tiles.tile_height)
        node = TiledElement("tileset", {"version": VERSION, "name": str(tiles.name or "")})
        node.attributes |= {
            "tilewidth": str(width),
            "tileheight": str(height),
            "tilecount": str(count),
            "columns": str(columns),
        }
        _properties(node, {"kind": "tiles", "number": number})
        rows = -(-count // columns)
        image = path.rpartition("/")[2] + ".png"
        node.add("image", source=image, width=columns * width, height=rows * height)
        self.files[f"{path}.png"] = partial(self._sheet, number, rows, columns)
        self.files[f"{path}.tsx"] = partial(to_bytes, node)
        return f"{path}.tsx", count

    def _sheet(self, number: int, rows: int, columns: int) -> bytes:
        """The picture of a tile set, without the borders around its tiles."""
        tiles = self.game.records.backgrounds[number]
        size = (max(1, tiles.tile_height), max(1, tiles.tile_width))
        sheet = self.pieces.sheet(tiles.texture)
        if sheet is None or not tiles.columns:
            return _png(pillow.new("RGBA", (columns * size[1], max(1, rows) * size[0])))
        words = np.arange(rows * columns, dtype=np.uint32).reshape(rows, columns)
        return _png(pillow.fromarray(tilemap.draw(words, sheet, places_of(tiles), size)))

    def _collection(
        self, kind: str, members: list[tuple[int, str, tuple[str, int, int]]]
    ) -> tuple[str, int]:
        """A set whose tiles are pictures of their own: number, name, and the picture of each."""
        count = max((number for number, _, _ in members), default=-1) + 1
        node = TiledElement("tileset", {"version": VERSION, "name": kind})
        node.attributes |= {
            "tilewidth": str(max((picture[1] for _, _, picture in members), default=PLACEHOLDER)),
            "tileheight": str(max((picture[2] for _, _, picture in members), default=PLACEHOLDER)),
            "tilecount": str(len(members)),
            "columns": "0",
            "objectalignment": "topleft",
        }
        _properties(node, {"kind": kind})
        node.add("grid", orientation="orthogonal", width=1, height=1)
        for number, name, (path, width, height) in members:
            tile = node.add("tile", id=number, type=name)
            tile.add("image", width=width, height=height, source=path)
        self.files[f"{kind}.tsx"] = partial(to_bytes, node)
        return f"{kind}.tsx", count

    # -- pictures -------------------------------------------------------------------------------

    def _object_image(self, number: int) -> tuple[str, int, int]:
        sprite = self.frames.sprite(TiledPicture("object", number))
        if sprite is None or not sprite.width or not sprite.height:
            size = (PLACEHOLDER, PLACEHOLDER)
            self.files["placeholder.png"] = partial(_png_of_size, *size, (255, 0, 255, 96))
            return "placeholder.png", *size
        return self._sprite_image(self.game.records.sprites.index(sprite))

    def _sprite_image(self, number: int) -> tuple[str, int, int]:
        sprite = self.game.records.sprites[number]
        path, width, height = self._image(self.sprite_paths[number], frame_of(sprite, 0))
        return path, width or max(1, sprite.width), height or max(1, sprite.height)

    def _image(self, path: str, item: PageItem | None) -> tuple[str, int, int]:
        self.files[path] = partial(self._whole, item)
        if item is None:
            return path, 1, 1
        return path, item.bounding_width, item.bounding_height

    def _whole(self, item: PageItem | None) -> bytes:
        sheet = None if item is None else self.pieces.sheet(item)
        return _png_of_size(1, 1, (0, 0, 0, 0)) if sheet is None else _png(pillow.fromarray(sheet))

    def _part_image(self, number: int, part: TiledPicture) -> tuple[str, int, int]:
        path = f"parts/{number}.png"
        width, height = min(part.source[2], 1 << 13), min(part.source[3], 1 << 13)
        self.files[path] = partial(self._part, part, width, height)
        return path, width, height

    def _part(self, part: TiledPicture, width: int, height: int) -> bytes:
        if self.game.release.major < 2:
            background = self.game.records.backgrounds.at(part.number)
            item = None if background is None else background.texture
        else:
            sprite = self.game.records.sprites.at(part.number)
            item = None if sprite is None else frame_of(sprite, 0)
        canvas = pillow.new("RGBA", (width, height))
        piece = None if item is None else self.pieces.part(item, *part.source)
        if piece is not None:
            canvas.paste(piece.image, (piece.x, piece.y))
        return _png(canvas)


def _part_name(part: TiledPicture) -> str:
    return " ".join(map(str, (part.number, *part.source)))


def _paths(folder: str, records: Iterable[object]) -> dict[int, str]:
    stems = FileNames()
    names = (str(getattr(record, "name", None) or "") for record in records)
    return {number: f"{folder}/{stems(name)}.png" for number, name in enumerate(names)}


def _properties(node: TiledElement, values: dict[str, object]) -> None:
    holder = node.add("properties")
    for name, value in values.items():
        kind = "int" if isinstance(value, int) else None
        holder.add("property", name=name, type=kind, value=value)


def _png_of_size(width: int, height: int, colour: tuple[int, int, int, int]) -> bytes:
    return _png(pillow.new("RGBA", (width, height), colour))


def _png(image: Image) -> bytes:
    stream = io.BytesIO()
    image.save(stream, "PNG", compress_level=4)
    return stream.getvalue()
