"""Rooms: their keys, their instances, and the layers of their tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from overhaul.gamemaker.classic.resources import Instance, Room, RoomBackground, Tile, View
from overhaul.gamemaker.gm82.keys import (
    ROOM,
    ROOM_BACKGROUND,
    ROOM_EDITOR,
    ROOM_VIEWS,
    VIEW,
    KeyReader,
    given,
    names_of,
)
from overhaul.gamemaker.gm82.model import Gm82Project
from overhaul.gamemaker.gm82.texts import (
    from_code,
    integer,
    lines_of,
    real,
    real_text,
    signed,
    to_code,
    unsigned,
    wrong,
)

EIGHT: Final = 8
#: the version of rooms in .gm81 files, and that of those whose instances have more
PLAIN, SCALED = 541, 811
USUAL_KEYS: Final = [
    *names_of(ROOM),
    "",
    *(name for number in range(EIGHT) for name in names_of(ROOM_BACKGROUND, number)),
    "",
    *names_of(ROOM_VIEWS),
    *(name for number in range(EIGHT) for name in names_of(VIEW, number)),
    "",
    *names_of(ROOM_EDITOR),
]
_TILE_COLUMNS: Final = 11
_INSTANCE_COLUMNS: Final = (9, 10)


def read_room(made: Gm82Project, name: str) -> Room:
    """The room of a folder."""
    folder = f"rooms/{name}"
    room = Room(version=PLAIN)
    path = f"{folder}/room.txt"
    keys = KeyReader(path, made.data(path), USUAL_KEYS, made.layouts, made.names)
    keys.take(ROOM, room)
    for number in range(EIGHT):
        keys.take(ROOM_BACKGROUND, layer := RoomBackground(), number)
        room.backgrounds.append(layer)
    keys.take(ROOM_VIEWS, room)
    for number in range(EIGHT):
        keys.take(VIEW, view := View(), number)
        room.views.append(view)
    keys.take(ROOM_EDITOR, room.editor)
    room.creation_code = to_code(made.read(f"{folder}/code.gml"))
    room.instances = list(_instances(made, folder))
    room.tiles = list(_tiles(made, folder))
    are_plain = [*map(_is_plain, room.instances), *map(_is_plain, room.tiles)]
    if not all(are_plain):
        room.version = SCALED
    return room


def _is_plain(one: Instance | Tile) -> bool:
    turned = one.rotation if isinstance(one, Instance) else 0.0
    return (one.scale_x, one.scale_y, one.blend, turned) == (1.0, 1.0, -1, 0.0)


def _instances(made: Gm82Project, folder: str) -> Iterator[Instance]:
    path = f"{folder}/instances.txt"
    for line, text in enumerate(lines_of(made.read(path)), 1):
        cells = text.split(",")
        if len(cells) not in _INSTANCE_COLUMNS:
            raise wrong(path, line, f"expected 9 or 10 values, got {len(cells)}")
        made.last_instance += 1
        number = made.last_instance
        made.instances[number] = cells[3], len(cells)
        code = f"{folder}/{cells[3]}.gml"
        has_code = made.has(code)
        if len(cells) == _INSTANCE_COLUMNS[1] and bool(integer(cells[9], path, line)) != has_code:
            message = f"the file {cells[3]}.gml {'is' if has_code else 'is not'} there"
            made.names.findings.warn("mismatch", message, path, line=line)
        yield Instance(
            object=made.names.id_of("objects", cells[0], path, line),
            x=signed(integer(cells[1], path, line)),
            y=signed(integer(cells[2], path, line)),
            id=number,
            creation_code=to_code(made.read(code)) if has_code else "",
            scale_x=real(cells[5], path, line),
            scale_y=real(cells[6], path, line),
            blend=signed(integer(cells[7], path, line)),
            rotation=real(cells[8], path, line),
            locked=integer(cells[4], path, line),
        )


def _tiles(made: Gm82Project, folder: str) -> Iterator[Tile]:
    path = f"{folder}/layers.txt"
    depths = [
        signed(integer(text, path, line))
        for line, text in enumerate(lines_of(made.read(path)), 1)
    ]  # fmt: skip
    made.layers[folder] = depths
    for depth in depths:
        path = f"{folder}/{depth}.txt"
        for line, text in enumerate(lines_of(made.read(path)), 1):
            cells = text.split(",")
            if len(cells) != _TILE_COLUMNS:
                raise wrong(path, line, f"expected {_TILE_COLUMNS} values, got {len(cells)}")
            made.last_tile += 1
            numbers = [signed(integer(cell, path, line)) for cell in cells[1:7]]
            x, y, tile_x, tile_y, width, height = numbers
            yield Tile(
                x=x,
                y=y,
                background=made.names.id_of("backgrounds", cells[0], path, line),
                tile_x=tile_x,
                tile_y=tile_y,
                width=width,
                height=height,
                depth=depth,
                id=made.last_tile,
                scale_x=real(cells[8], path, line),
                scale_y=real(cells[9], path, line),
                blend=signed(integer(cells[10], path, line)),
                locked=integer(cells[7], path, line),
            )


# ---------------------------------------------------------------------------------- writing


def write_room(made: Gm82Project, name: str, room: Room, write: Callable[[str, str], None]) -> None:
    """Write the files of a room, which ``write`` takes with their paths."""
    folder = f"rooms/{name}"
    made.write_keys(f"{folder}/room.txt", _values(made, room, f"{folder}/room.txt"), USUAL_KEYS)
    write(f"{folder}/code.gml", from_code(room.creation_code))
    path = f"{folder}/instances.txt"
    rows = []
    taken: set[str] = set()
    for one in room.instances:
        called, columns = made.instances.get(one.id) or (f"{unsigned(one.id):08X}", 10)
        if one.id not in made.instances:
            called = _free(called, taken)
        cells: list[object] = [
            made.names.name_of("objects", one.object, path),
            one.x,
            one.y,
            called,
        ]
        cells += [one.locked, real_text(one.scale_x), real_text(one.scale_y)]
        cells += [unsigned(one.blend), real_text(one.rotation), int(bool(one.creation_code))]
        rows.append(",".join(map(str, cells[:columns])))
        code = f"{folder}/{called}.gml"
        if one.creation_code or code in made.layouts.shapes:
            write(code, from_code(one.creation_code))
    write(path, "\n".join(rows))
    _write_tiles(made, folder, room, write)


def _free(called: str, taken: set[str]) -> str:
    """A name that no other instance of the room has, and which is taken then: the same if it is
    free."""
    number = 0
    name = called
    while name in taken:
        number += 1
        name = f"{unsigned(int(called, 16) + number):08X}"
    taken.add(name)
    return name


def _values(made: Gm82Project, room: Room, path: str) -> dict[str, str]:
    names = made.names
    values = given(ROOM, room, names, path) | given(ROOM_VIEWS, room, names, path)
    values |= given(ROOM_EDITOR, room.editor, names, path)
    layers = [*room.backgrounds, *[RoomBackground()] * EIGHT][:EIGHT]
    views = [*room.views, *[View()] * EIGHT][:EIGHT]
    for number in range(EIGHT):
        values |= given(ROOM_BACKGROUND, layers[number], names, path, number)
        values |= given(VIEW, views[number], names, path, number)
    return values


def _write_tiles(
    made: Gm82Project, folder: str, room: Room, write: Callable[[str, str], None]
) -> None:
    layers: dict[int, list[str]] = {depth: [] for depth in made.layers.get(folder, ())}
    added = sorted({tile.depth for tile in room.tiles} - set(layers))
    layers.update((depth, []) for depth in added)
    for tile in room.tiles:
        path = f"{folder}/{tile.depth}.txt"
        cells: list[object] = [made.names.name_of("backgrounds", tile.background, path)]
        cells += [tile.x, tile.y, tile.tile_x, tile.tile_y, tile.width, tile.height, tile.locked]
        cells += [real_text(tile.scale_x), real_text(tile.scale_y), unsigned(tile.blend)]
        layers[tile.depth].append(",".join(map(str, cells)))
    for depth, rows in layers.items():
        write(f"{folder}/{depth}.txt", "\n".join(rows))
    write(f"{folder}/layers.txt", "\n".join(map(str, layers)))
