"""The tile maps of a room, painted on a canvas with the tiles of their tile set."""

from __future__ import annotations

from urllib.parse import urlencode

import msgspec

from overhaul.document.room_views import RoomView
from overhaul.document.views import PictureView
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.media.tilemap import INDEX_BITS
from overhaul.viewer.answers import Answer, Asked, DataPage, Moved
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.files import read
from overhaul.viewer.pages.generic import way_of
from overhaul.viewer.pages.rooms import LEVELS, TILE
from overhaul.viewer.writing import must_write
from overhaul.workbench import tilemaps
from overhaul.workbench.bench import StaleEdit
from overhaul.workbench.journal import digest_of

#: larger files of rooms are not painted in here
_LARGEST = 64 << 20


class MapLink(msgspec.Struct, frozen=True):
    """A tile map of the room: its layer, and its tile set."""

    layer: str
    tileset: str
    href: str
    here: bool


class TilesPage(msgspec.Struct, frozen=True):
    """A tile map; ``width`` and ``height`` are those of the room in pixels, ``places`` the left and
    top of each tile in the picture of the tile set, ``side`` its width and height.

    ``tiles``, ``layers``, ``tile`` and ``levels`` are of the picture behind, as on the canvas of
    the room.  ``number`` are the bits of a cell that are the number of its tile.
    """

    name: str
    layer: str
    maps: list[MapLink]
    width: int
    height: int
    rows: list[list[int]]
    picture: str
    places: list[tuple[int, int]]
    side: tuple[int, int]
    number: int
    tiles: str
    layers: str
    tile: int
    levels: int
    before: str
    why: str
    problem: str
    sent: str


def show_tiles(asked: Asked) -> Answer:
    """``/-/tiles/rooms/rm_first?map=N``; a POST (``cells``, ``before``) is a step."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    path = path_of(opened, entry)
    if not path:
        raise NotThere(f"{entry.name} has no tile maps that can be painted here")
    data = read(opened, path)
    maps = tilemaps.maps_in(data, path) if len(data) <= _LARGEST else []
    number = asked.number("map", most=max(len(maps) - 1, 0))
    if not maps:
        raise NotThere(f"{entry.name} has no tile maps that can be painted here")
    if asked.method != "POST":
        return _shown(opened, entry, maps, number, digest_of(data))
    given = form_of(asked.body)
    before = given.get("before", "")
    try:
        cells = tilemaps.cells(given.get("cells", ""))
        count = len(_tileset(opened, maps[number]).tile_places)
        made = tilemaps.painted(data, path, maps[number].pointer, cells, count)
        label = f"{entry.name}: {len(cells)} cells of {maps[number].layer} painted"
        must_write(opened.writer).step({path: made}, label, before={path: before})
    except StaleEdit:
        raise
    except OverhaulError as error:
        page = (str(error), given.get("cells", ""))
        return _shown(opened, entry, maps, number, digest_of(data), *page)
    return Moved(tiles_href(opened, entry, number))


def tiles_href(opened: Opened, entry: ListedResource, number: int = 0) -> str:
    """Where a tile map of a room is painted."""
    query = f"?{urlencode({'map': number})}" if number else ""
    return f"{opened.prefix}/-/tiles{opened.own_path(entry)}{query}"


def path_of(opened: Opened, entry: ListedResource) -> str:
    """The JSON file of a room that may have tile maps; "" for others."""
    if opened.kind != "gamemaker-data" or opened.writer is None or entry.path not in opened.files:
        return ""
    return entry.path if isinstance(opened.resource(entry), RoomView) else ""


def has_maps(opened: Opened, entry: ListedResource) -> bool:
    """Whether a room has tile maps."""
    path = path_of(opened, entry)
    if not path:
        return False
    data = opened.files[path].read()
    return len(data) <= _LARGEST and bool(tilemaps.maps_in(data, path))


def _tileset(opened: Opened, tile_map: tilemaps.TileMap) -> PictureView:
    entry = _tileset_entry(opened, tile_map)
    view = None if entry is None else opened.resource(entry)
    if not isinstance(view, PictureView) or not view.width:
        raise WorkspaceError(f"the tile set {tile_map.tileset} has no picture")
    return view


def _tileset_entry(opened: Opened, tile_map: tilemaps.TileMap) -> ListedResource | None:
    return opened.find(tile_map.tileset, "background") or opened.find(tile_map.tileset, "tile set")


def _shown(
    opened: Opened,
    entry: ListedResource,
    maps: list[tilemaps.TileMap],
    number: int,
    before: str,
    problem: str = "",
    sent: str = "",
) -> DataPage:
    chosen = maps[number]
    tileset, room = _tileset(opened, chosen), opened.resource(entry)
    source = _tileset_entry(opened, chosen)
    assert isinstance(room, RoomView) and source is not None
    shown = [
        str(at)
        for at, layer in enumerate(room.shown_layers)
        if layer.visible and layer.name != chosen.layer
    ]
    links = [
        MapLink(each.layer, each.tileset, tiles_href(opened, entry, at), at == number)
        for at, each in enumerate(maps)
    ]
    page = TilesPage(
        entry.name,
        chosen.layer,
        links,
        room.width,
        room.height,
        chosen.rows,
        opened.href(source, "picture.png"),
        [(int(x), int(y)) for x, y in tileset.tile_places],
        (int(tileset.tile_size[0]), int(tileset.tile_size[1])),
        INDEX_BITS,
        opened.href(entry, "tiles"),
        "-".join(shown) or "none",
        TILE,
        LEVELS,
        before,
        "" if opened.writer is None else opened.writer.why,
        problem,
        sent,
    )
    way = way_of(opened, entry)
    status = 422 if problem else 200
    return DataPage("tile-edit.html", page, f"Tiles of {entry.name}", way, "Tiles", status)
