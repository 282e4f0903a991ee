"""Values that a file has in several places, kept once while it is merged.

Instances of a room stand next to its layers, which have their names, so that a layer and what is
on it are merged apart.  Keyframes of a sprite's frames have no times, which follow from the order
of the frames.  Maps of tiles are not compressed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overhaul.gamemaker.ide.parts import frames_of
from overhaul.gamemaker.ide.resources.rooms import expanded
from overhaul.gamemaker.ide.values import Json, list_at, text_at
from overhaul.gamemaker.ide_merge.conflicts import Conflict, Which
from overhaul.gamemaker.recovery.rooms import compressed

#: The member of a room that has its instances while it is merged.
PLACED: Final = "instances"
#: Members of a room that say in which order instances are created.
ORDERS: Final = ("instanceCreationOrder", "instanceCreationOrderIDs")
_COMPRESSED: Final = "TileCompressedData"
_PLAIN: Final = "TileSerialiseData"
_WIDE, _HIGH = "SerialiseWidth", "SerialiseHeight"
_MOST: Final = 1 << 24
#: Words of tiles have 32 bits, with a sign or without.
_WORDS: Final = 1 << 32


class Three(NamedTuple):
    """A value of three editions."""

    base: Json
    ours: Json
    theirs: Json


# -- instances of rooms --------------------------------------------------------------------------


def layers_in(value: Json) -> Iterator[dict[str, Json]]:
    """The layers of a room, and those in them."""
    for layer in list_at(value, "layers"):
        if isinstance(layer, dict):
            yield layer
            yield from layers_in(layer)


def _mark(row: Json) -> str:
    key = "id" if isinstance(row, dict) and "modelName" in row else "name"
    return text_at(row, key)


def spread_room(value: Json) -> Json | None:
    """A room with its instances next to its layers; None for one where that can't be done."""
    if not isinstance(value, dict):
        return None
    placed: dict[str, Json] = {}

    def without(layer: Json) -> Json:
        if not isinstance(layer, dict):
            return layer
        made = dict(layer)
        if isinstance(layer.get("instances"), list):
            rows = list_at(layer, "instances")
            names: list[Json] = []
            for row in rows:
                names.append(_mark(row) or str(len(placed)))
                placed[str(names[-1])] = row
            made["instances"] = names
        if isinstance(layer.get("layers"), list):
            made["layers"] = [without(one) for one in list_at(layer, "layers")]
        return made

    count = sum(len(list_at(layer, "instances")) for layer in layers_in(value))
    made = {**value, "layers": [without(layer) for layer in list_at(value, "layers")]}
    return {**made, PLACED: dict(placed)} if len(placed) == count else None


def gathered_room(value: Json) -> Json | None:
    """The room of a merged one; None if an instance is on no layer, or on two, or is gone."""
    if not isinstance(value, dict):
        return None
    placed = value.get(PLACED)
    rows = dict(placed) if isinstance(placed, dict) else {}
    wanted = [str(mark) for layer in layers_in(value) for mark in list_at(layer, "instances")]
    if sorted(wanted) != sorted(rows):
        return None

    def within(layer: Json) -> Json:
        if not isinstance(layer, dict):
            return layer
        made = dict(layer)
        if isinstance(layer.get("instances"), list):
            made["instances"] = [rows[str(mark)] for mark in list_at(layer, "instances")]
        if isinstance(layer.get("layers"), list):
            made["layers"] = [within(one) for one in list_at(layer, "layers")]
        return made

    made = {key: item for key, item in value.items() if key != PLACED}
    return {**made, "layers": [within(layer) for layer in list_at(value, "layers")]}


def is_room(value: Json) -> bool:
    """Whether a value is a room, of 2.0 and later."""
    return "GMRoom" in (text_at(value, "resourceType"), text_at(value, "modelName"))


# -- frames of sprites ---------------------------------------------------------------------------


def _track(value: Json) -> dict[str, Json] | None:
    """The track of the frames of a sprite, if each keyframe is one frame long, in their order."""
    sequence = value.get("sequence") if isinstance(value, dict) else None
    tracks = list_at(sequence, "tracks")
    track = tracks[0] if len(tracks) == 1 and isinstance(tracks[0], dict) else None
    if track is None or text_at(track, "resourceType") != "GMSpriteFramesTrack":
        return None
    rows = list_at(track.get("keyframes"), "Keyframes")
    frames = frames_of(value)
    length = sequence.get("length") if isinstance(sequence, dict) else None
    is_usual = (
        [_frame(row) for row in rows] == frames
        and len(set(frames)) == len(frames)
        and [_number(row, "Key") for row in rows] == list(range(len(rows)))
        and all(_number(row, "Length") == 1 for row in rows)
        and length == len(frames)
    )
    return track if is_usual else None


def _frame(row: Json) -> str:
    channels = row.get("Channels") if isinstance(row, dict) else None
    return text_at(channels, "0", "Id", "name")


def _number(row: Json, key: str) -> Json:
    return row.get(key) if isinstance(row, dict) else None


def untimed(value: Json) -> Json | None:
    """A sprite whose keyframes have no times; None for one whose frames last otherwise."""
    if not isinstance(value, dict) or _track(value) is None:
        return None
    return _timed(value, frames_of(value), timed=False)


def timed(value: Json) -> Json:
    """A sprite with the times of its frames, in their order."""
    assert isinstance(value, dict)
    return _timed(value, frames_of(value), timed=True)


def _timed(value: dict[str, Json], frames: list[str], *, timed: bool) -> Json:
    sequence = value["sequence"]
    track = list_at(sequence, "tracks")[0]
    assert isinstance(sequence, dict) and isinstance(track, dict)
    store = track["keyframes"]
    assert isinstance(store, dict)
    places = {frame: number for number, frame in enumerate(frames)}
    rows = [row for row in list_at(store, "Keyframes") if _frame(row) in places]
    rows.sort(key=lambda row: places[_frame(row)])
    made: list[Json] = [
        {**row, "Key": float(number) if timed else 0.0}
        for number, row in enumerate(rows) if isinstance(row, dict)
    ]  # fmt: skip
    track = {**track, "keyframes": {**store, "Keyframes": made}}
    length = float(len(frames)) if timed else 0.0
    return {**value, "sequence": {**sequence, "length": length, "tracks": [track]}}


# -- maps of tiles -------------------------------------------------------------------------------


def merged_tiles(
    three: Three, path: str, place: str, which: Which
) -> tuple[Json, list[Conflict]] | None:
    """The map of tiles that both editions make of one, cell by cell; None for other values."""
    maps = [_cells_of(value) for value in three]
    base, ours, theirs = maps
    if base is None or ours is None or theirs is None or not isinstance(three.ours, dict):
        return None
    resized = [side.shape != base.shape for side in (ours, theirs)]
    if all(resized) and ours.shape != theirs.shape:
        reason = "the size of the map of tiles is changed by both"
        clash = Conflict(path, reason, place, 0, _size(three.ours), _size(three.theirs))
        return three.ours if which == "ours" else three.theirs, [clash]
    primary, other = (theirs, ours) if resized[1] and not resized[0] else (ours, theirs)
    stored = three.theirs if primary is theirs else three.ours
    made, clashes = _painted(base, primary, other)
    conflicts: list[Conflict] = []
    if clashes:
        row, column = clashes[0]
        sides = [_cell(side, row, column) for side in (ours, theirs)]
        where = f"{place}[{column}, {row}]"
        conflicts.append(Conflict(path, "the tile is changed by both", where, 0, *sides))
        chosen = ours if which == "ours" else theirs
        for row, column in clashes:
            word = _cell(chosen, row, column)
            if isinstance(word, int) and row < made.shape[0] and column < made.shape[1]:
                made[row, column] = word
    assert isinstance(stored, dict)
    return _stored(stored, made, primary), conflicts


def _painted(
    base: NDArray[np.int64], primary: NDArray[np.int64], other: NDArray[np.int64]
) -> tuple[NDArray[np.int64], list[tuple[int, int]]]:
    """A map with what another edition of it painted, and the cells that both painted."""
    made = primary.copy()
    clashes: list[tuple[int, int]] = []
    for row, column in np.argwhere(other != base) if other.shape == base.shape else ():
        inside = row < primary.shape[0] and column < primary.shape[1]
        now = int(primary[row, column]) if inside else None
        if now == int(base[row, column]):
            made[row, column] = other[row, column]
        elif now != int(other[row, column]):
            clashes.append((int(row), int(column)))
    if other.shape != base.shape:  # both have the same new size
        for row, column in np.argwhere(other != primary):
            is_old = row < base.shape[0] and column < base.shape[1]
            was = int(base[row, column]) if is_old else None
            if was is not None and int(primary[row, column]) == was:
                made[row, column] = other[row, column]
            elif was is None or int(other[row, column]) != was:
                clashes.append((int(row), int(column)))
    return made, clashes


def _cell(side: NDArray[np.int64], row: int, column: int) -> Json:
    inside = row < side.shape[0] and column < side.shape[1]
    return int(side[row, column]) if inside else None


def _size(value: Json) -> Json:
    return [_number(value, _WIDE), _number(value, _HIGH)]


def _cells_of(value: Json) -> NDArray[np.int64] | None:
    if not isinstance(value, dict) or not (_COMPRESSED in value or _PLAIN in value):
        return None
    wide, high = value.get(_WIDE), value.get(_HIGH)
    if not isinstance(wide, int) or not isinstance(high, int) or min(wide, high) < 1:
        return None
    if wide * high > _MOST:
        return None
    words = list_at(value, _PLAIN)
    if _COMPRESSED in value:
        words = expanded(list_at(value, _COMPRESSED), wide * high)
    cells = [word for word in words if isinstance(word, int) and abs(word) < _WORDS]
    if len(cells) != wide * high or len(cells) != len(words):
        return None
    return np.array(cells, np.int64).reshape(high, wide)


def _stored(
    value: dict[str, Json], cells: NDArray[np.int64], before: NDArray[np.int64]
) -> dict[str, Json]:
    """A map with other cells; its text stays if they are the same."""
    if np.array_equal(cells, before):
        return value
    flat = cells.ravel()
    key = _COMPRESSED if _COMPRESSED in value else _PLAIN
    words = compressed(flat) if key == _COMPRESSED else flat.tolist()
    return {**value, key: list[Json](words)}
