"""Maps written to a folder."""

from __future__ import annotations

import math
import posixpath
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from overhaul.document.files import write_into
from overhaul.document.names import FileNames
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.tiled.model import Layer, Map, MapObject, TiledElement, shown, to_bytes
from overhaul.gamemaker.tiled.rooms import VERSION, TileSets, map_of
from overhaul.media import tilemap

#: flags of a number of Tiled's: mirrored, flipped, and left above and right below change places
ACROSS, DOWN, DIAGONAL = 1 << 31, 1 << 30, 1 << 29

_TYPES = {"colour": "color", "depth": "int", "image_index": "float", "image_speed": "float"}


class Exported(NamedTuple):
    """The maps that were written, by their paths in the folder, and how many files in all."""

    maps: list[str]
    files: int


def export_rooms(
    game: GameData,
    patterns: Sequence[str],
    folder: str,
    *,
    force: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
) -> Exported:
    """Write the rooms that match globs of ``rooms/NAME`` to a folder as maps of Tiled; all or none.

    ``NAME.tmx`` is a map; the tile sets (``*.tsx``) and pictures it needs are next to it.  Nothing
    is written where nothing matches.  Raises FileExistsError without ``force``.
    """
    stems = FileNames()
    maps = {}
    for room in game.records.rooms.present():
        path = f"{stems(str(room.name or ''))}.tmx"
        if any(fnmatchcase(f"rooms/{room.name or ''}", pattern) for pattern in patterns):
            maps[path] = map_of(game, room)
    if not maps:
        return Exported([], 0)
    sets = TileSets(game, maps.values())
    written = sets.write()
    files: dict[str, Callable[[], bytes]] = {
        path: partial(to_bytes, node_of(game, map_, sets, written)) for path, map_ in maps.items()
    }
    files.update(sets.files)
    done = 0

    def read(path: str) -> bytes:
        nonlocal done
        if progress is not None:
            progress(done, len(files), path)
        done += 1
        return files[path]()

    write_into(folder, {path: partial(read, path) for path in files}, force=force)
    if progress is not None:
        progress(len(files), len(files), "")
    return Exported(list(maps), len(files))


def node_of(
    game: GameData,
    made: Map,
    sets: TileSets,
    written: dict[tuple[object, ...], tuple[str, int]],
) -> TiledElement:
    """The document of a map."""
    used: set[tuple[object, ...]] = {("objects",)}
    for layer in made.layers:
        used |= {(f"{object_.picture.kind}s",) for object_ in layer.objects}
        used |= {("tiles", layer.tile_set)} if layer.tile_set is not None else set()
    first: dict[tuple[object, ...], int] = {}
    following = 1
    across, down = made.grid
    node = TiledElement("map", {"version": VERSION, "orientation": "orthogonal"})
    node.attributes |= {
        "renderorder": "right-down",
        "width": str(max(1, math.ceil(made.width / across))),
        "height": str(max(1, math.ceil(made.height / down))),
        "tilewidth": str(across),
        "tileheight": str(down),
        "infinite": "0",
    }
    if made.colour:
        node.attributes["backgroundcolor"] = made.colour
    count = sum(len(layer.objects) for layer in made.layers)
    node.attributes["nextlayerid"] = str(len(made.layers) + 1)
    node.attributes["nextobjectid"] = str(count + 1)
    room = game.records.rooms[made.room]
    values = {"room": (None, str(room.name or "")), "number": ("int", made.room)}
    values |= {"width": ("int", made.width), "height": ("int", made.height)}
    _add_properties(node, values)
    for key, (path, numbers) in written.items():
        if key in used:
            first[key] = following
            following += numbers
            node.add("tileset", firstgid=first[key], source=path)
    for number, layer in enumerate(made.layers, 1):
        _add_layer(node, number, layer, sets, first)
    return node


def _add_layer(
    node: TiledElement,
    number: int,
    layer: Layer,
    sets: TileSets,
    first: dict[tuple[object, ...], int],
) -> None:
    tag = {"tiles": "layer", "objects": "objectgroup", "image": "imagelayer"}[layer.kind]
    made = node.add(tag, id=number, name=layer.name)
    if layer.kind == "tiles" and layer.cells is not None:
        rows, columns = layer.cells.shape
        made.attributes |= {
            "width": str(columns * layer.step[0]),
            "height": str(rows * layer.step[1]),
        }
    if layer.kind == "objects":
        made.attributes["draworder"] = "index"
    _set(made, "visible", layer.visible, True)
    _set(made, "opacity", layer.opacity, 1.0)
    if layer.offset_x or layer.offset_y:  # Tiled drops one without the other
        made.attributes |= {"offsetx": shown(layer.offset_x), "offsety": shown(layer.offset_y)}
    _set(made, "tintcolor", layer.tint, "")
    _set(made, "repeatx", layer.repeat_x, False)
    _set(made, "repeaty", layer.repeat_y, False)
    values: dict[str, tuple[str | None, object]] = {}
    if layer.id is not None:
        values["layer"] = ("int", layer.id)
    for name, value in layer.properties.items():
        kind = "bool" if name == "stretch" else _TYPES.get(name)
        values[name] = (kind, _argb(value) if kind == "color" else value)
    _add_properties(made, values)
    if layer.image is not None:
        made.add("image", source=sets.image_path(layer.image))
    if layer.kind == "tiles" and layer.cells is not None:
        numbers = gids(layer.cells, first["tiles", layer.tile_set], _count(sets, layer.tile_set))
        data = made.add("data", encoding="csv")
        data.text = csv_of(spread(numbers, layer.step))
    for object_ in layer.objects:
        _add_object(made, object_, sets, first)


def _count(sets: TileSets, number: int | None) -> int:
    return 0 if number is None else sets.game.records.backgrounds[number].tile_count


def _set(node: TiledElement, name: str, value: object, usual: object) -> None:
    if value != usual:
        node.attributes[name] = shown(value)


def _argb(colour: str) -> str:
    """A colour as Tiled writes that of a property, whose alpha comes first."""
    return colour if len(colour) == 9 else f"#ff{colour[1:]}"


def _add_object(
    node: TiledElement, object_: MapObject, sets: TileSets, first: dict[tuple[object, ...], int]
) -> None:
    local = object_.picture.number
    if object_.picture.kind == "part":
        local = sets.parts.index(object_.picture)
    gid = first[f"{object_.picture.kind}s",] + local
    gid |= (ACROSS if object_.mirrored else 0) | (DOWN if object_.flipped else 0)
    made = node.add("object", id=object_.number)
    _set(made, "name", object_.name, "")
    made.attributes |= {"gid": str(gid), "x": shown(object_.x), "y": shown(object_.y)}
    made.attributes |= {"width": shown(object_.width), "height": shown(object_.height)}
    _set(made, "rotation", object_.rotation, 0.0)
    values: dict[str, tuple[str | None, object]] = {"id": ("int", object_.id)}
    for name, value in object_.properties.items():
        kind = _TYPES.get(name)
        values[name] = (kind, _argb(value) if kind == "color" else value)
    _add_properties(made, values)


def _add_properties(node: TiledElement, values: dict[str, tuple[str | None, object]]) -> None:
    if values:
        holder = node.add("properties")
        for name, (kind, value) in values.items():
            holder.add("property", name=name, type=kind, value=value)


# -- cells -------------------------------------------------------------------------------------


def gids(words: NDArray[np.uint32], first: int, count: int) -> NDArray[np.uint32]:
    """Tile words as Tiled's numbers; tiles that the set does not have are empty.

    A room mirrors and flips a tile and then turns it; Tiled first changes left above and right
    below, and then mirrors and flips.
    """
    index = words & tilemap.INDEX_BITS
    mirror, flip = (words & tilemap.MIRROR) != 0, (words & tilemap.FLIP) != 0
    turned = (words & tilemap.ROTATE) != 0
    across = np.where(turned, ~flip, mirror)
    down = np.where(turned, mirror, flip)
    numbers = index + np.uint32(first)
    for bit, where in ((ACROSS, across), (DOWN, down), (DIAGONAL, turned)):
        numbers = np.where(where, numbers | np.uint32(bit), numbers)
    return np.where((index > 0) & (index < count), numbers, 0).astype(np.uint32)


def words_of(numbers: NDArray[np.uint32], first: int) -> NDArray[np.uint32]:
    """The inverse of :func:`gids`."""
    turned = (numbers & DIAGONAL) != 0
    across, down = (numbers & ACROSS) != 0, (numbers & DOWN) != 0
    mirror = np.where(turned, down, across)
    flip = np.where(turned, ~across, down)
    plain = numbers & np.uint32(DIAGONAL - 1)
    words = plain - np.uint32(first)
    for bit, where in ((tilemap.MIRROR, mirror), (tilemap.FLIP, flip), (tilemap.ROTATE, turned)):
        words = np.where(where, words | np.uint32(bit), words)
    return np.where(plain == 0, 0, words).astype(np.uint32)


def spread(numbers: NDArray[np.uint32], step: tuple[int, int]) -> NDArray[np.uint32]:
    """Tiles on a finer grid: each in the lowest, leftmost of its cells, where Tiled places it."""
    if step == (1, 1):
        return numbers
    rows, columns = numbers.shape
    made = np.zeros((rows * step[1], columns * step[0]), np.uint32)
    made[step[1] - 1 :: step[1], :: step[0]] = numbers
    return made


def csv_of(numbers: NDArray[np.uint32]) -> str:
    """Rows of numbers, each but the last with a comma at its end."""
    rows = (",".join(map(str, row)) for row in numbers.tolist())
    return "\n" + ",\n".join(rows) + "\n"


def siblings(path: str, source: str) -> str:
    """The path in the folder that a file at ``path`` means by ``source``."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), source))
