"""A room on a canvas: what stands in it is moved, added, duplicated and removed as one step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from urllib.parse import urlencode

import msgspec

from overhaul.document.room_views import MaskedView, RoomView
from overhaul.document.views import NamesRoom, PathView
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.viewer.answers import Answer, Asked, DataPage, Moved
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.forms import hint_of
from overhaul.viewer.pages.generic import way_of
from overhaul.viewer.pages.looks import KINDS, Look, Looks
from overhaul.viewer.pages.roomfields import NEW, Field, Fields, code_of, code_path
from overhaul.viewer.pages.rooms import LEVELS, TILE
from overhaul.viewer.writing import must_write
from overhaul.workbench import rooms
from overhaul.workbench.bench import StaleEdit
from overhaul.workbench.journal import digest_of

#: parts of a room's picture before GameMaker 2 that have only what can be moved
_MOVED = ("tiles", "instances")
_SNAP = 16


class RoomElement(msgspec.Struct, frozen=True):
    """An element: the pointer to it, its place, its look, and the texts of its fields.

    ``code`` is where its creation code is edited, "" without.
    """

    at: str
    x: float
    y: float
    look: str
    name: str
    fields: dict[str, str] = {}
    code: str = ""


class Group(msgspec.Struct, frozen=True):
    """A list of elements in a layer: ``to`` points to it, ``layer`` is its name, or "".

    ``kind`` is that of the resources that an element names, ``fields`` what each may have;
    ``fixed``: none is added or removed; ``layered``: elements may go to another layer; ``coded``:
    they may have creation code.
    """

    path: str
    to: str
    word: str
    layer: str
    names: str
    items: list[RoomElement]
    kind: str = ""
    fields: list[Field] = []
    fixed: bool = False
    layered: bool = False
    coded: bool = False


class Slice(msgspec.Struct, frozen=True):
    """The part that is drawn at once: layers of the picture, as the address of its tiles has
    them, or the elements of some groups."""

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
    ``tiles``, and what can be moved; behind all is ``picture``, if there is one. ``before`` has
    the digests of the files; ``line``: the elements are points of a path, which is shown over
    one of ``rooms``; ``behind`` is the size of the picture under it.
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
        if given.get("do") == "code":
            return _new_code(opened, entry, given)
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
    if not isinstance(view, RoomView | MaskedView | PathView):
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
    changes = rooms.changed(operations, writer.read, lambda path: hint_of(opened, path))
    words = {"add": "added", "set": "changed", "remove": "removed", "order": "put in order"}
    counts = Counter(operation.op for operation in operations)
    said = ", ".join(f"{counts[op]} {word}" for op, word in words.items() if counts[op])
    writer.step(changes, f"{entry.name}: {said}")


def _new_code(opened: Opened, entry: ListedResource, given: dict[str, str]) -> Moved:
    """Give an instance creation code, which is written next."""
    number = given.get("id", "")
    path = code_path(opened, entry, int(number) if number.isascii() and number.isdigit() else 0)
    if not path:
        raise WorkspaceError(f"instances of {entry.name} can't have creation code")
    if path not in opened.files:
        must_write(opened.writer).step({path: NEW}, f"Add {path}", before={path: None})
    return Moved(code_of(opened, entry.slug, path))


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
    files = {path: writer.read(path) for path in paths}
    view = opened.resource(entry)
    keys = ("points",) if isinstance(view, PathView) else ()
    placed = [group for path, data in files.items() for group in rooms.placed_in(path, data, keys)]
    if not isinstance(view, PathView):
        placed = [group for group in placed if group.shape.key != "points"]
    placed = [group for group in placed if group.elements or not _is_old(group, placed)]
    placed.sort(key=lambda group: group.shape.fixed)
    looks = Looks(opened, entry)
    groups = [_group(opened, entry, group, looks) for group in placed]
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
        looks.made,
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


def _is_old(group: rooms.Placed, placed: Iterable[rooms.Placed]) -> bool:
    """Whether a list is one of tiles without layers, in a room that has layers."""
    return group.shape.word == "tile" and any(each.layer for each in placed)


def _canvas(
    opened: Opened, entry: ListedResource, placed: Iterable[rooms.Placed]
) -> tuple[int, int, str]:
    """The size of a room, and the picture behind all."""
    view = opened.resource(entry)
    if isinstance(view, MaskedView):
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
    """The drawn parts, from the back to the front; the elements of a layer stand for all of it."""
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


def _group(opened: Opened, entry: ListedResource, placed: rooms.Placed, looks: Looks) -> Group:
    shape, known = placed.shape, Fields(opened, entry, placed)
    items = []
    names = ""
    for element in placed.elements:
        fields = element.fields
        key = next((key for key in shape.names if fields.get(key) is not None), "")
        names = names or key
        name = fields.get(key)
        items.append(
            RoomElement(
                element.pointer,
                element.x,
                element.y,
                looks.of(key, name) if key else "",
                "" if name is None else str(name)[:200],
                known.texts(element),
                known.code(element),
            )
        )
    shown = {field.key for field in known.shown}
    if not names and shape.names:
        names = next((key for key in shape.names if key in shown), shape.names[0])
    return Group(
        placed.path, placed.pointer, shape.word, placed.layer, names, items,
        KINDS.get(names, ""), known.shown, shape.fixed, shape.layered and bool(placed.layer),
        known.coded,
    )  # fmt: skip
