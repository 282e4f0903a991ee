"""Maps read from a folder: what they say of rooms, checked value by value."""

from __future__ import annotations

import base64
import binascii
import math
import os
import zlib
from collections.abc import Callable, Iterator
from typing import NamedTuple, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from overhaul.bounds import Budget
from overhaul.document.names import is_safe_path
from overhaul.errors import FormatError, PlainFileError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.references import NamedList
from overhaul.gamemaker.tiled.exporting import ACROSS, DIAGONAL, DOWN, siblings, words_of
from overhaul.gamemaker.tiled.model import (
    Layer,
    Map,
    MapObject,
    Properties,
    TiledElement,
    TiledPicture,
    parse,
)
from overhaul.gamemaker.tiled.rooms import TileSets, tile_size

T = TypeVar("T")

#: attributes that say nothing of a room: they are Tiled's own
_OWN = {
    "map": {"version", "tiledversion", "renderorder", "nextlayerid", "nextobjectid",
            "compressionlevel", "backgroundcolor", "orientation", "width", "height", "tilewidth",
            "tileheight", "infinite"},
    "layer": {"id", "name", "width", "height", "visible", "opacity", "offsetx", "offsety",
              "locked", "x", "y"},
    "objectgroup": {"id", "name", "visible", "opacity", "offsetx", "offsety", "locked", "color",
                    "draworder", "x", "y", "width", "height"},
    "imagelayer": {"id", "name", "visible", "opacity", "offsetx", "offsety", "tintcolor",
                   "repeatx", "repeaty", "locked", "x", "y", "width", "height"},
    "object": {"id", "name", "type", "class", "gid", "x", "y", "width", "height", "rotation",
               "visible"},
}  # fmt: skip
_KINDS = {"layer": "tiles", "objectgroup": "objects", "imagelayer": "image"}
#: the properties that layers and objects may have
_LAYER_PROPERTIES = {"layer", "depth", "colour", "stretch"}
_OBJECT_PROPERTIES = {"id", "colour", "image_index", "image_speed"}
#: the most cells of a layer, and what a cell takes in memory while they are read
_MOST_CELLS = 1 << 24
_CELL = 20


class NumberSet(NamedTuple):
    """The numbers of a tile set in a map: from ``first``, ``count`` of them.

    ``tiles`` is the number of the game's tile set, or None; otherwise ``pictures`` are what the
    numbers show.
    """

    first: int
    size: int
    name: str
    tiles: int | None
    pictures: dict[int, TiledPicture]


class MapReader:
    """Reads the maps of a folder, for a game."""

    def __init__(self, game: GameData, folder: str) -> None:
        self.game = game
        self.folder = folder
        self._sets: dict[str, tuple[int, str, int | None, dict[int, TiledPicture]]] = {}
        sets = TileSets(game, ())
        self._images = {path: TiledPicture("sprite", n) for n, path in sets.sprite_paths.items()}
        if game.release.major < 2:
            kept = sets.background_paths.items()
            self._images = {path: TiledPicture("background", n) for n, path in kept}

    def read(self, path: str) -> Map:
        """The map at a path in the folder.  Raises PlainFileError."""
        return self._reader(path).map()

    def _reader(self, path: str) -> _DocumentReader:
        if not is_safe_path(path):
            raise PlainFileError(f"{path} leads out of the folder", self.folder)
        full = os.path.join(self.folder, *path.split("/"))
        try:
            with open(full, "rb") as stream:
                data = stream.read()
        except OSError as error:
            raise PlainFileError(f"can't be read: {error.strerror}", path) from None
        budget = Budget(len(data))
        return _DocumentReader(self, path, parse(data, path, budget), budget)

    def tile_set(self, path: str) -> tuple[int, str, int | None, dict[int, TiledPicture]]:
        """The count of numbers, the name, and what is in a tile set."""
        if path not in self._sets:
            self._sets[path] = self._reader(path).tile_set()
        return self._sets[path]

    def picture_of(self, path: str) -> TiledPicture | None:
        """The resource that the picture at a path of the folder shows."""
        return self._images.get(path)


class _DocumentReader:
    """Reads one document."""

    def __init__(self, maps: MapReader, path: str, root: TiledElement, budget: Budget) -> None:
        self.maps = maps
        self.budget = budget
        self.game = maps.game
        self.path = path
        self.root = root
        self.sets: list[NumberSet] = []

    # -- values ---------------------------------------------------------------------------------

    def fail(self, node: TiledElement, message: str, key: str = "") -> NoReturn:
        """Raise the error for an element."""
        raise PlainFileError(message, self.path, key or f"<{node.tag}>", node.line)

    def number(self, node: TiledElement, name: str, usual: float | None = None) -> float:
        """An attribute that is a number."""
        text = node.attributes.get(name)
        if text is None:
            if usual is None:
                self.fail(node, f"the attribute {name} is missing")
            return usual
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or abs(value) > 1e12:
            self.fail(node, f"{name}: expected a number, got {text[:40]!r}")
        return value

    def whole(
        self, node: TiledElement, name: str, low: int, high: int, usual: int | None = None
    ) -> int:
        """An attribute that is a whole number."""
        value = self.number(node, name, None if usual is None else float(usual))
        if not value.is_integer() or not low <= value <= high:
            self.fail(node, f"{name}: expected a whole number from {low} to {high}, got {value:g}")
        return int(value)

    def flag(self, node: TiledElement, name: str, usual: bool) -> bool:
        """An attribute that is 0 or 1."""
        return bool(self.whole(node, name, 0, 1, usual))

    def properties(self, node: TiledElement, known: set[str]) -> Properties:
        """The properties of an element, all of them known."""
        properties: Properties = {}
        for holder in node.all("properties"):
            for child in holder.children:
                name = child.attributes.get("name", "")
                if name not in known:
                    names = ", ".join(sorted(known))
                    self.fail(child, f"the property {name!r} means nothing here (known: {names})")
                properties[name] = child.attributes.get("value", child.text)
        return properties

    def property_number(self, node: TiledElement, values: Properties, name: str) -> int | None:
        """A property that is a whole number, taken out of the properties."""
        text = values.pop(name, None)
        if text is None:
            return None
        try:
            return int(text)
        except ValueError:
            self.fail(node, f"expected a whole number, got {text[:40]!r}", name)

    def only(self, node: TiledElement) -> None:
        """Refuse attributes that would be dropped."""
        for name in node.attributes:
            if name not in _OWN[node.tag]:
                value = node.attributes[name]
                self.fail(node, f"{name}={value[:40]!r} has no meaning in a room")

    def named(
        self, node: TiledElement, records: NamedList[T], number: int | None, name: str
    ) -> int:
        """The number of a record by the number it had and its name."""
        record = None if number is None else records.at(number)
        if record is not None and str(getattr(record, "name", None) or "") == name:
            return number or 0
        if not name or name not in records:
            self.fail(node, f"the game has no {records.title} {name!r}")
        return records.index(name)

    # -- tile sets ------------------------------------------------------------------------------

    def tile_set(self) -> tuple[int, str, int | None, dict[int, TiledPicture]]:
        root = self.root
        if root.tag != "tileset":
            self.fail(root, "expected a tile set")
        name = root.attributes.get("name", "")
        values = self.properties(root, {"kind", "number"})
        kind, number = values.get("kind"), self.property_number(root, values, "number")
        if kind == "tiles":
            count = self.whole(root, "tilecount", 0, 1 << 20)
            number_ = self.named(root, self.game.records.backgrounds, number, name)
            return count, name, number_, {}
        if kind not in ("objects", "sprites", "parts"):
            self.fail(root, f"the tile set {name!r} is none of the game's", "kind")
        pictures: dict[int, TiledPicture] = {}
        for tile in root.all("tile"):
            local = self.whole(tile, "id", 0, 1 << 24)
            shown = tile.attributes.get("type", tile.attributes.get("class", ""))
            if kind == "parts":
                pictures[local] = self._part(tile, shown)
            elif kind == "objects":
                index = self.named(tile, self.game.records.objects, local, shown)
                pictures[local] = TiledPicture("object", index)
            else:
                index = self.named(tile, self.game.records.sprites, local, shown)
                pictures[local] = TiledPicture("sprite", index)
        return max(pictures, default=-1) + 1, name, None, pictures

    def _part(self, tile: TiledElement, text: str) -> TiledPicture:
        words = text.split()
        if len(words) != 5 or not all(word.lstrip("-").isdigit() for word in words):
            self.fail(tile, f"type: expected five numbers, got {text[:40]!r}")
        index, *source = map(int, words)
        old = self.game.release.major < 2
        records = self.game.records.backgrounds if old else self.game.records.sprites
        if records.at(index) is None:
            self.fail(tile, f"the game has no {records.title} number {index}")
        return TiledPicture("part", index, (source[0], source[1], source[2], source[3]))

    def _number_sets(self) -> None:
        for node in self.root.all("tileset"):
            first = self.whole(node, "firstgid", 1, DIAGONAL - 1)
            source = node.attributes.get("source")
            if source is None:
                self.fail(node, "a tile set inside of a map is none of the game's")
            count, name, tiles, pictures = self.maps.tile_set(siblings(self.path, source))
            self.sets.append(NumberSet(first, count, name, tiles, pictures))
        self.sets.sort()

    def set_of(self, node: TiledElement, gid: int) -> NumberSet:
        """The tile set of a number without flags."""
        candidates = [
            candidate
            for candidate in self.sets
            if candidate.first <= gid < candidate.first + candidate.size
        ]
        if not candidates:
            self.fail(node, f"no tile set of the map has the tile {gid}")
        return candidates[-1]

    # -- the map --------------------------------------------------------------------------------

    def map(self) -> Map:
        """The map in the document."""
        root = self.root
        if root.tag != "map":
            self.fail(root, "expected a map")
        self.only(root)
        if root.attributes.get("orientation") != "orthogonal":
            self.fail(root, "orientation: expected orthogonal")
        if self.flag(root, "infinite", False):
            self.fail(root, "infinite: a room has a size (Map > Map Properties > Infinite)")
        values = self.properties(root, {"room", "number", "width", "height"})
        number = self.property_number(root, values, "number")
        room = self.named(root, self.game.records.rooms, number, values.get("room", ""))
        sizes = [self.property_number(root, values, name) for name in ("width", "height")]
        grid = (
            self.whole(root, "tilewidth", 1, 1 << 20),
            self.whole(root, "tileheight", 1, 1 << 20),
        )
        cells = (self.whole(root, "width", 1, 1 << 31), self.whole(root, "height", 1, 1 << 31))
        wide, high = map(_pixels, sizes, grid, cells)
        self._number_sets()
        colour = root.attributes.get("backgroundcolor", "")
        colour = self._colour(root, colour) if colour else ""
        made = Map(room, wide, high, grid, colour)
        made.layers = list(self._layers())
        return made

    def _layers(self) -> Iterator[Layer]:
        for node in self.root.children:
            if node.tag in ("properties", "tileset", "editorsettings"):
                continue
            if node.tag not in _KINDS:
                self.fail(node, "a room has no such layer")
            yield self._layer(node)

    def _layer(self, node: TiledElement) -> Layer:
        self.only(node)
        values = self.properties(node, _LAYER_PROPERTIES)
        number = self.property_number(node, values, "layer")
        layer = Layer(_KINDS[node.tag], number, node.attributes.get("name", ""), line=node.line)
        layer.visible = self.flag(node, "visible", True)
        layer.opacity = self.number(node, "opacity", 1.0)
        layer.offset_x = self.number(node, "offsetx", self.number(node, "x", 0.0))
        layer.offset_y = self.number(node, "offsety", self.number(node, "y", 0.0))
        tint = self._colour(node, node.attributes.get("tintcolor", "#ffffff"))
        layer.tint = "" if tint == "#ffffff" else tint
        layer.repeat_x = self.flag(node, "repeatx", False)
        layer.repeat_y = self.flag(node, "repeaty", False)
        layer.properties = self._plain(node, values)
        allowed = {"properties"}
        if layer.kind == "tiles":
            allowed |= {"data"}
            self._cells(node, layer)
        elif layer.kind == "image":
            allowed |= {"image"}
            self._image(node, layer)
        else:
            allowed |= {"object"}
            layer.objects = [self._object(child) for child in node.all("object")]
        for child in node.children:
            if child.tag not in allowed:
                self.fail(child, "has no meaning in a room")
        return layer

    def _plain(self, node: TiledElement, values: Properties) -> Properties:
        """Properties whose colours are written as a room's are."""
        if "colour" in values:
            values["colour"] = self._colour(node, values["colour"])
        return values

    def _colour(self, node: TiledElement, text: str) -> str:
        digits = text.removeprefix("#").lower()
        if len(digits) not in (6, 8) or not all(c in "0123456789abcdef" for c in digits):
            self.fail(node, f"expected a colour, got {text[:40]!r}", "colour")
        return f"#{digits[2:]}" if len(digits) == 8 and digits[:2] == "ff" else f"#{digits}"

    def _image(self, node: TiledElement, layer: Layer) -> None:
        image = node.first("image")
        source = None if image is None else image.attributes.get("source")
        if image is not None and source:
            path = siblings(self.path, source)
            layer.image = self.maps.picture_of(path)
            if layer.image is None:
                self.fail(image, f"source: {path[:80]} is not a picture of the game")

    def _object(self, node: TiledElement) -> MapObject:
        self.only(node)
        for child in node.children:
            if child.tag not in ("properties", "point"):
                self.fail(child, "has no meaning in a room")
        values = self.properties(node, _OBJECT_PROPERTIES)
        number = self.property_number(node, values, "id")
        gid = self.whole(node, "gid", 0, (1 << 32) - 1, 0)
        kind = node.attributes.get("type", node.attributes.get("class", ""))
        if kind:
            picture = TiledPicture(
                "object", self.named(node, self.game.records.objects, None, kind)
            )
        elif gid:
            plain = gid & (DIAGONAL - 1)
            numbers = self.set_of(node, plain)
            known = numbers.pictures.get(plain - numbers.first)
            if known is None:
                self.fail(node, f"the tile set {numbers.name} has no picture {plain}", "gid")
            picture = known
        else:
            self.fail(node, "the name of an object is missing (Class, or Type)", "type")
        if gid & DIAGONAL:
            self.fail(node, "an object can't have its axes changed", "gid")
        return MapObject(
            picture,
            self.number(node, "x", 0.0),
            self.number(node, "y", 0.0),
            self.number(node, "width", 0.0),
            self.number(node, "height", 0.0),
            self.number(node, "rotation", 0.0),
            bool(gid & ACROSS),
            bool(gid & DOWN),
            self.flag(node, "visible", True),
            node.attributes.get("name", ""),
            number,
            self.whole(node, "id", 0, 1 << 31, 0),
            self._plain(node, values),
            node.line,
        )

    # -- cells ----------------------------------------------------------------------------------

    def _cells(self, node: TiledElement, layer: Layer) -> None:
        columns = self.whole(node, "width", 0, _MOST_CELLS)
        rows = self.whole(node, "height", 0, _MOST_CELLS)
        if columns * rows > _MOST_CELLS:
            self.fail(node, f"a layer of {columns} x {rows} tiles is too large")
        try:
            self.budget.take(columns * rows * _CELL, f"a layer of {columns} x {rows} tiles")
        except FormatError as error:
            self.fail(node, error.message)
        data = node.first("data")
        if data is None:
            self.fail(node, "the tiles are missing")
        numbers = self._numbers(data, columns * rows)
        if len(numbers) != columns * rows:
            self.fail(data, f"{len(numbers)} tiles in a layer of {columns} x {rows}")
        grid = numbers.reshape(rows, columns)
        plain = grid & np.uint32(DIAGONAL - 1)
        present = np.unique(plain[plain > 0])
        if not len(present):
            layer.cells = np.zeros((rows, columns), np.uint32)
            return
        sets = {self.set_of(data, int(gid)).first: self.set_of(data, int(gid)) for gid in present}
        if len(sets) > 1:
            names = ", ".join(set_.name for set_ in sets.values())
            self.fail(data, f"a layer can't have the tiles of several tile sets ({names})")
        chosen = next(iter(sets.values()))
        if chosen.tiles is None:
            self.fail(data, f"the pictures of {chosen.name} can't be tiles of a layer")
        layer.tile_set = chosen.tiles
        width, height = tile_size(self.game, chosen.tiles)
        across, down = self.number(self.root, "tilewidth"), self.number(self.root, "tileheight")
        layer.step = (max(1, int(width // across)), max(1, int(height // down)))
        layer.cells = words_of(grid, chosen.first)

    def _numbers(self, data: TiledElement, count: int) -> NDArray[np.uint32]:
        encoding, packed = data.attributes.get("encoding"), data.attributes.get("compression", "")
        if any(True for _ in data.all("chunk")):
            self.fail(data, "chunks are for infinite maps; a room has a size")
        if encoding is None:
            gids = [self.whole(tile, "gid", 0, (1 << 32) - 1, 0) for tile in data.all("tile")]
            return np.array(gids, np.uint32)
        if encoding == "csv":
            stated = data.text.count(",") + 1
            if stated > count:
                self.fail(data, f"{stated} tiles, but the layer has {count}")
            words = data.text.split(",") if data.text.strip() else []
            if not all(word.strip().isdigit() for word in words):
                wrong = next((w for w in words if not w.strip().isdigit()), None)
                self.fail(data, f"expected a number, got {(wrong or '').strip()[:40]!r}")
            values = [int(word) for word in words]
            if max(values, default=0) >= 1 << 32:
                self.fail(data, "a number is too large")
            return np.array(values, np.uint32)
        if encoding != "base64" or packed not in _UNPACK:
            self.fail(data, f"tiles as {encoding} {packed} can't be read; set the map to CSV")
        try:
            raw = _UNPACK[packed](base64.b64decode(data.text.strip(), validate=True), 4 * count)
        except (binascii.Error, ValueError, zlib.error) as error:
            self.fail(data, f"the tiles are damaged: {error}")
        return np.frombuffer(raw[: len(raw) // 4 * 4], "<u4").astype(np.uint32)


def _pixels(size: int | None, step: int, count: int) -> int:
    """The size of a room: what the map's property says, if the map's own size still agrees."""
    return size if size is not None and max(1, -(-size // step)) == count else count * step


def _inflate(data: bytes, size: int) -> bytes:
    return zlib.decompressobj().decompress(data, size + 4)


def _gunzip(data: bytes, size: int) -> bytes:
    return zlib.decompressobj(31).decompress(data, size + 4)


_UNPACK: dict[str, Callable[[bytes, int], bytes]] = {
    "": lambda data, size: data[: size + 4],
    "zlib": _inflate,
    "gzip": _gunzip,
}
