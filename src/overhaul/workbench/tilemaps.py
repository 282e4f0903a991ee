"""Tile maps of rooms: rows of numbers in a JSON file, in which cells are painted."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Final, NamedTuple, TypeGuard

import msgspec

from overhaul.errors import WorkspaceError
from overhaul.folder.json_fields import read_json
from overhaul.workbench.forms import pointer_to, value_at, written_as

#: Cells of a map that is painted in a browser, and cells that one step may paint.
LARGEST: Final = 1 << 22
MOST: Final = 1 << 18
_HIGHEST: Final = (1 << 32) - 1


class TileMap(NamedTuple):
    """A tile map: the pointer to it, the layer that has it, its tile set, and its rows."""

    pointer: str
    layer: str
    tileset: str
    rows: list[list[int]]


class Cell(msgspec.Struct, frozen=True, array_like=True):
    """A cell that is painted: column, row, and the number that it gets."""

    x: int
    y: int
    tile: int


def maps_in(data: bytes, path: str) -> list[TileMap]:
    """The tile maps of a room's JSON file: those of layers that have a tile set."""
    value = read_json(data, path)
    layers = value.get("layers") if isinstance(value, dict) else None
    made = []
    for number, layer in enumerate(layers if isinstance(layers, list) else ()):
        inner = layer.get("data") if isinstance(layer, dict) else None
        if not isinstance(inner, dict):
            continue
        rows, tileset = inner.get("tiles"), inner.get("tileset")
        if isinstance(tileset, str) and is_map(rows):
            pointer = pointer_to("layers", number, "data", "tiles")
            made.append(TileMap(pointer, str(layer.get("name", number)), tileset, rows))
    return made


def is_map(rows: object) -> TypeGuard[list[list[int]]]:
    """Whether a value is rows of one length of numbers."""
    return (
        isinstance(rows, list)
        and bool(rows)
        and all(isinstance(row, list) and len(row) == len(rows[0]) for row in rows)
        and 0 < len(rows) * len(rows[0]) <= LARGEST
        and all(type(tile) is int for row in rows for tile in row)
    )


def cells(text: str) -> list[Cell]:
    """Cells from JSON (``[[x, y, tile], ...]``).  Raises WorkspaceError for anything else."""
    try:
        made = msgspec.json.decode(text, type=list[Cell])
    except msgspec.MsgspecError as error:
        raise WorkspaceError(f"not a list of cells: {error}") from error
    if len(made) > MOST:
        raise WorkspaceError(f"more than {MOST} cells at once are not taken")
    return made


def painted(data: bytes, path: str, pointer: str, painted: Sequence[Cell], most: int) -> bytes:
    """The JSON file with cells of a map painted; ``most`` is how many tiles the tile set has.

    Raises WorkspaceError for a cell outside, and a tile that there is not.
    """
    if not any(known.pointer == pointer for known in maps_in(data, path)):
        raise WorkspaceError(f"there is no tile map at {pointer[:100]}")
    value = deepcopy(read_json(data, path))
    rows = value_at(value, pointer)
    assert isinstance(rows, list)
    for cell in painted:
        if not (0 <= cell.y < len(rows) and 0 <= cell.x < len(rows[cell.y])):
            raise WorkspaceError(f"the cell {cell.x}, {cell.y} is outside of the map")
        if not 0 <= cell.tile <= _HIGHEST or (cell.tile & 0x7FFFF) >= max(most, 1):
            raise WorkspaceError(f"the tile set has no tile {cell.tile & 0x7FFFF}")
        rows[cell.y][cell.x] = cell.tile
    return written_as(value, data)
