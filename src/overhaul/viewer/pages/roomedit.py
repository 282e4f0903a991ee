"""A room on a canvas: what stands in it is moved, added, duplicated and removed as one step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

from overhaul.ags.surface.rooms import Room as MaskedRoom
from overhaul.document.room_views import RoomView
from overhaul.document.views import NamesRoom, ObjectView, PathView, PictureView, SpriteView
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.viewer.answers import Answer, Asked, DataPage, Moved
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.generic import way_of
from overhaul.viewer.pages.rooms import LEVELS, TILE
from overhaul.viewer.writing import must_write
from overhaul.workbench import rooms
from overhaul.workbench.bench import StaleEdit
from overhaul.workbench.journal import digest_of

if TYPE_CHECKING:
    from overhaul.viewer.opened import ListedResource, Opened

#: the side of what has no picture
_BOX = 16
#: parts of a room's picture before GameMaker 2 that have only what can be moved
_MOVED = ("tiles", "instances")
_SNAP = 16


class Look(msgspec.Struct, frozen=True):
    """How elements of one name look: the picture, its size, and where its origin is in it."""

    href: str
    width: float
    height: float
    left: float = 0
    top: float = 0


class RoomElement(msgspec.Struct, frozen=True):
    """An element: the pointer to it, its place, its look, and what it is scaled by and turned.

    ``part`` is the rectangle of the picture that a tile shows.
    """

    at: str
    x: float
    y: float
    look: str
    name: str
    scale_x: float = 1
    scale_y: float = 1
    rotation: float = 0
    part: tuple[float, float, float, float] | None = None


class Group(msgspec.Struct, frozen=True):
    """A list of elements in a layer: ``to`` points to it, ``layer`` is its name, or ""."""

    path: str
    to: str
    word: str
    layer: str
    names: str
    items: list[RoomElement]


class Slice(msgspec.Struct, frozen=True):
    """What is drawn at once: layers of the picture, as the address of its tiles has them, or the
    elements of some groups."""

    layers: str
    groups: list[int]


class RoomChoice(msgspec.Struct, frozen=True):
    """A room that a path can be shown over, by the last part of its address."""

    key: str
    name: str
    chosen: bool


class RoomEditPage(msgspec.Struct, frozen=True):
    """A room to be edited; sizes are in pixels.

    ``stack`` is what is drawn, from the back to the front: parts of its picture, as tiles at
    ``tiles``, and what can be moved; behind all is ``picture``, if there is one.  ``before`` has
    the digests of the files, ``choices`` the names that new elements may have, by the word of the
    element; ``line``: the elements are points of a path, which is shown over one of ``rooms``;
    ``behind`` is the size of what is behind.
    """

    name: str
    width: int
    height: int
    snap: int
    tiles: str
    stack: list[Slice]
    levels: int
    tile: int
    picture: str
    groups: list[Group]
    looks: dict[str, Look]
    choices: dict[str, list[str]]
    before: dict[str, str]
    line: bool
    closed: bool
    smooth: bool
    rooms: list[RoomChoice]
    behind: tuple[int, int]
    why: str
    problem: str = ""
    sent: str = ""


def show_room_edit(asked: Asked) -> Answer:
    """``/-/room/rooms/rm_first``; a POST (``ops``, ``before``) is a step."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    paths = files_of_room(opened, entry)
    if not paths:
        raise NotThere(f"{entry.name} has nothing that can be moved here")
    behind = _behind(opened, entry, asked.query.get("room"))
    if asked.method != "POST":
        return _shown(opened, entry, paths, behind)
    given = form_of(asked.body)
    try:
        _take(opened, entry, paths, given)
    except StaleEdit:
        raise
    except OverhaulError as error:
        return _shown(opened, entry, paths, behind, str(error), given.get("ops", ""), 422)
    address = f"{opened.prefix}/-/room{opened.own_path(entry)}"
    room = asked.query.get("room")
    return Moved(address if room is None else f"{address}?{urlencode({'room': room})}")


def _behind(opened: Opened, entry: ListedResource, key: str | None) -> ListedResource | None:
    """The room that a path is shown over: the one that is asked for, else the one it names."""
    view = opened.resource(entry)
    if not isinstance(view, PathView):
        return None
    name = view.room_name if key is None and isinstance(view, NamesRoom) else ""
    for listing in opened.listings.values():
        if listing.kind == "room":
            if key:
                return listing.entries.get(key)
            return next((e for e in listing.entries.values() if name and e.name == name), None)
    return None


def files_of_room(opened: Opened, entry: ListedResource) -> list[str]:
    """The JSON files of a room or a path in which elements have places."""
    if opened.writer is None:
        return []
    view = opened.resource(entry)
    if not isinstance(view, RoomView | MaskedRoom | PathView):
        return []
    return [file.path for file in opened.files_of(entry) if file.path.endswith(".json")]


def _take(opened: Opened, entry: ListedResource, paths: list[str], given: dict[str, str]) -> None:
    writer = must_write(opened.writer)
    operations = rooms.operations(given.get("ops", ""))
    strange = {operation.path for operation in operations} - {*paths}
    if strange:
        raise NotThere(f"{min(strange)[:100]} is no file of {entry.name}")
    try:
        before = msgspec.json.decode(given.get("before", ""), type=dict[str, str])
    except msgspec.MsgspecError as error:
        raise WorkspaceError(f"not digests of files: {error}") from error
    for path in {operation.path for operation in operations}:
        if digest_of(writer.read(path)) != before.get(path):
            raise StaleEdit(path)
    changes = rooms.changed(operations, writer.read)
    words = {"add": "added", "set": "moved", "remove": "removed"}
    counts = Counter(operation.op for operation in operations)
    said = ", ".join(f"{counts[op]} {word}" for op, word in words.items() if counts[op])
    writer.step(changes, f"{entry.name}: {said}")


# --------------------------------------------------------------------------------------- showing


def _shown(
    opened: Opened,
    entry: ListedResource,
    paths: list[str],
    behind: ListedResource | None,
    problem: str = "",
    sent: str = "",
    status: int = 200,
) -> DataPage:
    writer = opened.writer
    assert writer is not None
    looks: dict[str, Look] = {}
    files = {path: writer.read(path) for path in paths}
    view = opened.resource(entry)
    keys = ("points",) if isinstance(view, PathView) else ()
    placed = [group for path, data in files.items() for group in rooms.placed_in(path, data, keys)]
    if not isinstance(view, PathView):
        placed = [group for group in placed if group.shape.key != "points"]
    look = _Looks(opened, entry, looks)
    groups = [_group(group, look) for group in placed]
    width, height, picture = _canvas(opened, entry, placed)
    back = (width, height)
    room = view if behind is None else opened.resource(behind)
    if behind is not None and isinstance(room, RoomView):
        back = room.width, room.height
        width, height = max(width, room.width), max(height, room.height)
    page = RoomEditPage(
        entry.name,
        width,
        height,
        _SNAP,
        opened.href(behind or entry, "tiles") if isinstance(room, RoomView) else "",
        _stack(room if isinstance(room, RoomView) else None, groups),
        LEVELS,
        TILE,
        picture,
        groups,
        looks,
        _choices(opened, groups),
        {path: digest_of(data) for path, data in files.items()},
        isinstance(view, PathView),
        isinstance(view, PathView) and bool(view.closed),
        isinstance(view, PathView) and bool(view.smooth),
        _rooms(opened, behind) if isinstance(view, PathView) else [],
        back,
        writer.why,
        problem,
        sent,
    )
    way = way_of(opened, entry)
    return DataPage("room-edit.html", page, f"Edit {entry.name}", way, "Canvas", status)


def _canvas(
    opened: Opened, entry: ListedResource, placed: Iterable[rooms.Placed]
) -> tuple[int, int, str]:
    """The size of a room, and the picture behind all."""
    view = opened.resource(entry)
    if isinstance(view, MaskedRoom):
        try:
            image = view.background_image(0)
        except (IndexError, OverhaulError):  # it has none, or a broken one
            return view.width, view.height, ""
        return image.width, image.height, opened.href(entry, "backgrounds", "0.png")
    if isinstance(view, RoomView):
        return view.width, view.height, ""
    points = [(element.x, element.y) for group in placed for element in group.elements]
    right = max((x for x, _ in points), default=0)
    bottom = max((y for _, y in points), default=0)
    return int(max(right + 64, 320)), int(max(bottom + 64, 240)), ""


def _stack(room: RoomView | None, groups: list[Group]) -> list[Slice]:
    """What is drawn, from the back to the front; the elements of a layer stand for all of it."""
    found: list[Slice] = []
    layers = [] if room is None else list(room.shown_layers)
    left = [*range(len(groups))]
    for number in sorted(range(len(layers)), key=lambda number: -layers[number].depth):
        layer = layers[number]
        own = [n for n in left if (groups[n].layer or f"{groups[n].word}s") == layer.name]
        if any(groups[n].items for n in own) or layer.name in _MOVED:
            found.append(Slice("", own))
            left = [n for n in left if n not in own]
        elif layer.visible and found and found[-1].layers:
            found[-1] = Slice(f"{found[-1].layers}-{number}", [])
        elif layer.visible:
            found.append(Slice(str(number), []))
    return [*found, Slice("", left)] if left else found


def _rooms(opened: Opened, behind: ListedResource | None) -> list[RoomChoice]:
    """The rooms that a path can be shown over."""
    return [
        RoomChoice(entry.key, entry.name, entry == behind)
        for entry in opened.entries()
        if entry.kind == "room"
    ]


class _Looks:
    """Looks of what elements show, each made once."""

    def __init__(self, opened: Opened, entry: ListedResource, looks: dict[str, Look]) -> None:
        self.opened, self.entry, self.looks = opened, entry, looks

    def of(self, key: str, name: object) -> str:
        """The key of the look of what a field of an element names."""
        known = f"{key}:{name}"
        if known not in self.looks:
            made = self._make(key, name)
            if made is None:
                return ""
            self.looks[known] = made
        return known

    def _make(self, key: str, name: object) -> Look | None:
        if key == "Image" and isinstance(name, int):
            return self._of_slot(name)
        kinds = {"object": "object", "sprite": "sprite"}
        kind = kinds.get(key, "")
        entry = self.opened.find(name, kind) if kind else self._background(name)
        view = None if entry is None else self.opened.resource(entry)
        if isinstance(view, ObjectView):
            view = view.sprite
            entry = None if view is None else self.opened.find(view.name, "sprite")
        if entry is None:
            return None
        if isinstance(view, SpriteView) and len(view.frames):
            left, top = view.origin or (0, 0)
            href = self.opened.href(entry, "frames", "0.png")
            return Look(href, view.width, view.height, left, top)
        if isinstance(view, PictureView) and view.width:
            href = self.opened.href(entry, "picture.png")
            return Look(href, view.width, view.height)
        return None

    def _background(self, name: object) -> ListedResource | None:
        return self.opened.find(name, "background") or self.opened.find(name, "tile set")

    def _of_slot(self, number: int) -> Look | None:
        room = self.opened.resource(self.entry)
        if not isinstance(room, MaskedRoom):
            return None
        image = room.sprite_image(number)
        if image is None:
            return None
        href = self.opened.href(self.entry, "sprites", f"{number}.png")
        return Look(href, image.width, image.height, 0, image.height)


_SOURCE = (("source_x", "source_y"), ("tile_x", "tile_y"))


def _group(placed: rooms.Placed, look: _Looks) -> Group:
    shape = placed.shape
    items = []
    names = ""
    for element in placed.elements:
        fields = element.fields
        key = next((key for key in shape.names if fields.get(key) is not None), "")
        names = names or key
        name = fields.get(key)
        looks = look.of(key, name) if key else ""
        items.append(
            RoomElement(
                element.pointer,
                element.x,
                element.y,
                looks,
                "" if name is None else str(name)[:200],
                _float(fields.get("scale_x"), 1),
                _float(fields.get("scale_y"), 1),
                _float(fields.get("rotation"), 0),
                _part(fields) if shape.word == "tile" else None,
            )
        )
    names = names or next(iter(shape.names), "")
    return Group(placed.path, placed.pointer, shape.word, placed.layer, names, items)


def _float(value: object, default: float) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if number and isinstance(value, int | float) else default


def _part(fields: dict[str, object]) -> tuple[float, float, float, float]:
    x, y = next((pair for pair in _SOURCE if pair[0] in fields or pair[1] in fields), _SOURCE[0])
    return (
        _float(fields.get(x), 0),
        _float(fields.get(y), 0),
        _float(fields.get("width"), _BOX),
        _float(fields.get("height"), _BOX),
    )


def _choices(opened: Opened, groups: Iterable[Group]) -> dict[str, list[str]]:
    """The names that new elements may have."""
    kinds = {"instance": "object", "sprite": "sprite"}
    made: dict[str, list[str]] = {}
    for group in groups:
        kind = kinds.get(group.word)
        if kind and group.word not in made:
            made[group.word] = [entry.name for entry in opened.entries() if entry.kind == kind]
    return made
