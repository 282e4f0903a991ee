"""The tile sets of maps: of a game's tile sets, its objects, its sprites, and parts of pictures."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image as pillow

from overhaul.document.names import FileNames
from overhaul.gamemaker.data.drawing.elements import places_of
from overhaul.gamemaker.data.drawing.pieces import Pieces
from overhaul.gamemaker.data.drawing.sprites import frame_of
from overhaul.gamemaker.data.pictures import page_images
from overhaul.gamemaker.tiled.model import Map, Picture
from overhaul.gamemaker.tiled.rooms import PLACEHOLDER, Frames
from overhaul.gamemaker.tiled.xmltree import Node, to_bytes
from overhaul.media import tilemap

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.gamemaker.data.model import GameModel
    from overhaul.gamemaker.data.pictures import Item

#: what gives the bytes of a file
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
        layers = [layer for each in maps for layer in each.layers]
        shown = {thing.picture for layer in layers for thing in layer.things}
        self.parts: list[Picture] = sorted(each for each in shown if each.kind == "part")
        self.sprites: list[int] = sorted({each.number for each in shown if each.kind == "sprite"})
        self.tiles: list[int] = sorted(
            {each.tile_set for each in layers if each.tile_set is not None}
        )
        for layer in layers:
            if layer.image is not None:
                self.image_path(layer.image)

    def image_path(self, picture: Picture) -> str:
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
                (number, _part_name(each), self._part_image(number, each))
                for number, each in enumerate(self.parts)
            ]
            made["parts",] = self._collection("parts", parts)
        return made

    def _tile_set(self, number: int) -> tuple[str, int]:
        tiles = self.game.records.backgrounds[number]
        count = tiles.tile_count
        columns = max(1, min(count, _COLUMNS))
        path = self._stems[number].removesuffix(".png")
        width, height = max(1, tiles.tile_width), max(1, tiles.tile_height)
        node = Node("tileset", {"version": VERSION, "name": str(tiles.name or "")})
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
        node = Node("tileset", {"version": VERSION, "name": kind})
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
        sprite = self.frames.sprite(Picture("object", number))
        if sprite is None or not sprite.width or not sprite.height:
            size = (PLACEHOLDER, PLACEHOLDER)
            self.files["placeholder.png"] = partial(_png_of_size, *size, (255, 0, 255, 96))
            return "placeholder.png", *size
        return self._sprite_image(self.game.records.sprites.index(sprite))

    def _sprite_image(self, number: int) -> tuple[str, int, int]:
        sprite = self.game.records.sprites[number]
        path, width, height = self._image(self.sprite_paths[number], frame_of(sprite, 0))
        return path, width or max(1, sprite.width), height or max(1, sprite.height)

    def _image(self, path: str, item: Item | None) -> tuple[str, int, int]:
        self.files[path] = partial(self._whole, item)
        if item is None:
            return path, 1, 1
        return path, item.bounding_width, item.bounding_height

    def _whole(self, item: Item | None) -> bytes:
        sheet = None if item is None else self.pieces.sheet(item)
        return _png_of_size(1, 1, (0, 0, 0, 0)) if sheet is None else _png(pillow.fromarray(sheet))

    def _part_image(self, number: int, part: Picture) -> tuple[str, int, int]:
        path = f"parts/{number}.png"
        width, height = min(part.source[2], 1 << 13), min(part.source[3], 1 << 13)
        self.files[path] = partial(self._part, part, width, height)
        return path, width, height

    def _part(self, part: Picture, width: int, height: int) -> bytes:
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


def _part_name(part: Picture) -> str:
    return " ".join(map(str, (part.number, *part.source)))


def _paths(folder: str, records: Iterable[object]) -> dict[int, str]:
    stems = FileNames()
    names = (str(getattr(record, "name", None) or "") for record in records)
    return {number: f"{folder}/{stems(name)}.png" for number, name in enumerate(names)}


def _properties(node: Node, values: dict[str, object]) -> None:
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
