"""Values that have another form in another release, or are new in it: made of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from overhaul.errors import FormatError
from overhaul.gamemaker.ide.values import Json, list_at, text_at

#: The sign bit of a cell of tiles: 2.3 to 2022.6 print it as a large number.
_SIGN: Final = 1 << 31
_WORDS: Final = 1 << 32
#: Equal cells are stored as one from so many on.
_RUN: Final = 2
#: A tile map has no more cells.
_MOST_CELLS: Final = 1 << 24
#: A cell of a tile map has so many bits for the number of a tile.
_MOST_TILES: Final = 1 << 19
_STEREO: Final = 1


@dataclass
class Scene:
    """Where an object is: the file of it, what it is in, and what the project says of its parts.

    ``owners`` are the objects around it, the outermost first.  ``orders`` has the numbers that
    order resources and folders, by path; ``options`` are references to the files of options.
    """

    path: str
    orders: Mapping[str, int] = field(default_factory=dict)
    options: Sequence[Json] = ()
    owners: list[dict[str, Json]] = field(default_factory=list)

    def own(self) -> dict[str, Json]:
        """A reference to the resource of the file."""
        return {"name": text_at(self.owners[0], "name"), "path": self.path}

    def inside(self, name: str) -> dict[str, Json]:
        """A reference to a part of the resource."""
        return {"name": name, "path": self.path}


Derive: TypeAlias = Callable[[dict[str, Json], Scene], Json]


# --- tiles ----------------------------------------------------------------------------------------


def _cells(value: dict[str, Json], scene: Scene) -> list[int]:
    """The cells of a map, with a sign.  Raises FormatError for more than a map has."""
    stored = list_at(value, "TileSerialiseData")
    if stored or "TileCompressedData" not in value:
        words = [word for word in stored if isinstance(word, int)]
    else:
        words = _expanded(list_at(value, "TileCompressedData"), scene)
    return [word - _WORDS if word >= _SIGN else word for word in words]


def _expanded(stored: Sequence[Json], scene: Scene) -> list[int]:
    numbers = [number for number in stored if isinstance(number, int)]
    made: list[int] = []
    at = 0
    while at + 1 < len(numbers):
        count = numbers[at]
        if len(made) + abs(count) > _MOST_CELLS:
            message = f"TileCompressedData: expected at most {_MOST_CELLS} cells, got more"
            raise FormatError(message, source=scene.path)
        if count < 0:
            made += [numbers[at + 1]] * -count
            at += 2
        else:
            made += numbers[at + 1 : at + 1 + count]
            at += 1 + count
    return made


def _compressed(value: dict[str, Json], scene: Scene) -> Json:
    """The cells as later releases store them: ``-n, v`` for n equal ones, else ``n, v1, ...``."""
    made: list[Json] = []
    single: list[Json] = []
    cells = _cells(value, scene)
    at = 0
    while at < len(cells):
        end = at + 1
        while end < len(cells) and cells[end] == cells[at]:
            end += 1
        if end - at < _RUN:
            single.append(cells[at])
        else:
            made += [len(single), *single] if single else []
            made += [at - end, cells[at]]
            single = []
        at = end
    return made + ([len(single), *single] if single else [])


def _serialised(value: dict[str, Json], scene: Scene) -> Json:
    return [cell + _WORDS if cell < 0 else cell for cell in _cells(value, scene)]


# --- the project ----------------------------------------------------------------------------------


def _nodes(value: dict[str, Json], scene: Scene) -> Json:
    return [{"roomId": room} for room in list_at(value, "RoomOrder")]


def _rooms(value: dict[str, Json], scene: Scene) -> Json:
    rows = list_at(value, "RoomOrderNodes")
    return [row["roomId"] for row in rows if isinstance(row, dict) and "roomId" in row]


def _script_type(value: dict[str, Json], scene: Scene) -> Json:
    return 0 if value.get("isDnDProject") is True else 1


def _row_order(value: dict[str, Json], scene: Scene) -> Json:
    return scene.orders.get(text_at(value, "id", "path"), 0)


def _folder_order(value: dict[str, Json], scene: Scene) -> Json:
    return scene.orders.get(text_at(value, "folderPath"), 0)


# --- resources ------------------------------------------------------------------------------------


def _frame_picture(value: dict[str, Json], layer: Json, name: str, scene: Scene) -> Json:
    frame = scene.inside(text_at(value, "name"))
    return {
        "FrameId": frame, "LayerId": layer, "resourceVersion": "1.0", "name": name, "tags": [],
        "resourceType": "GMSpriteBitmap",
    }  # fmt: skip


def _composite(value: dict[str, Json], scene: Scene) -> Json:
    return _frame_picture(value, None, "", scene)


def _images(value: dict[str, Json], scene: Scene) -> Json:
    layers = [text_at(row, "name") for row in list_at(scene.owners[0], "layers")]
    return [_frame_picture(value, scene.inside(name), "", scene) for name in layers]


def _animation(value: dict[str, Json], scene: Scene) -> Json:
    count = value.get("tile_count")
    if isinstance(count, int) and count > _MOST_TILES:
        message = f"tile_count: expected at most {_MOST_TILES} tiles, got {count}"
        raise FormatError(message, source=scene.path)
    cells: list[Json] = list(range(count)) if isinstance(count, int) else []
    return {"FrameData": cells, "SerialiseFrameCount": 1}


def _functions(value: dict[str, Json], scene: Scene) -> Json:
    names = [text_at(row, "name") for row in list_at(value, "functions")]
    return [scene.inside(name) for name in names]


#: The function that gives the value of a field that a release has and a file lacks, by class and
#: name.
DERIVED: Final[dict[tuple[str, str], Derive]] = {
    ("GMRTileLayer.tiles", "TileCompressedData"): _compressed,
    ("GMRTileLayer.tiles", "TileDataFormat"): lambda value, scene: 1,
    ("GMRTileLayer.tiles", "TileSerialiseData"): _serialised,
    ("GMTileSet.macroPageTiles", "TileSerialiseData"): _serialised,
    ("GMProject", "RoomOrderNodes"): _nodes,
    ("GMProject", "RoomOrder"): _rooms,
    ("GMProject", "defaultScriptType"): _script_type,
    ("GMProject", "isDnDProject"): lambda value, scene: value.get("defaultScriptType") == 0,
    ("GMProject", "Options"): lambda value, scene: list(scene.options),
    ("GMProject.resources[]", "order"): _row_order,
    ("GMFolder", "order"): _folder_order,
    ("GMSprite.sequence", "parent"): lambda value, scene: scene.own(),
    ("GMSprite.sequence", "spriteId"): lambda value, scene: scene.own(),
    ("GMSpriteFrame", "parent"): lambda value, scene: scene.own(),
    ("GMSpriteFrame", "compositeImage"): _composite,
    ("GMSpriteFrame", "images"): _images,
    ("GMTileSet", "tileAnimation"): _animation,
    ("GMExtensionFile", "order"): _functions,
    ("GMSound", "type"): lambda value, scene: int(value.get("channelFormat") == _STEREO),
    ("GMSound", "channelFormat"): lambda value, scene: int(value.get("type") != 0),
}
