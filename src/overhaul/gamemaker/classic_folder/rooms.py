"""Rooms: ``room.json`` with lists of instances and tiles, and the ids of these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import TypeVar

from overhaul.findings import Findings
from overhaul.folder.json_fields import expect_list, in_file, json_bytes, rows
from overhaul.gamemaker.classic.kinds import AnySlot, slots_of
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic.resources import (
    Instance,
    Room,
    RoomBackground,
    RoomEditor,
    Tile,
    View,
)
from overhaul.gamemaker.classic_folder.kind import (
    FolderKind,
    JsonObject,
    Made,
    Reference,
    References,
    Unit,
    made_json,
    made_text,
    read_each,
    read_record,
    show_record,
    take,
)
from overhaul.gamemaker.classic_folder.names import ResourceFileNames
from overhaul.schema import Record

#: The id of a row without "id".
NO_ID = -(1 << 31)
_LISTS = (("instances", "last_instance_id"), ("tiles", "last_tile_id"))
#: The key of project.json with the last ids that are lower than ids in the rooms, and stay so.
LOW = "low_last_ids"
_LISTED = 3  # how many ids a warning names


def number_room(room: Room, last_instance_id: int, last_tile_id: int) -> None:
    """Allocate ids in a single room for elements without one."""
    for items, last in ((room.instances, last_instance_id), (room.tiles, last_tile_id)):
        _number(items, last)


def number_rooms(
    project: Project,
    before: Sequence[AnySlot],
    now: Sequence[AnySlot],
    stem: Callable[[int], str | None],
    low: Container[str] = (),
) -> Findings:
    """Allocate ids for elements without one, and for new elements that have an id of another room,
    and move the last ids of the project behind the highest.

    ``before`` and ``now`` are the slots of the rooms, ``stem`` gives the file name of one.  The
    last ids in ``low`` stay as they are while nothing is numbered.  Returns warnings about new
    ids, and about ids that occur twice.
    """
    findings: Findings = Findings()
    for field, last in _LISTS:
        items = [item for room in _rooms(now) for item in _placed(room, field)]
        stays = last in low and all(item.id != NO_ID for item in items)
        highest = _number(items, getattr(project, last))
        old = Counter(item.id for room in _rooms(before) for item in _placed(room, field))
        if old:
            given = _give_own_ids(before, now, field, max(highest, getattr(project, last)))
            stays = stays and not given
            for index, ids in given.items():
                highest = max(highest, *ids.values())
                findings.warn(
                    "duplicate",
                    "other rooms have these ids, so there are new ones: "
                    f"{_some([f'{id} is {new}' for id, new in ids.items()])}",
                    f"rooms/{stem(index)}/{field}.json",
                )
        if highest > max(old, default=0) and not stays:
            setattr(project, last, max(getattr(project, last), highest))
        count = Counter(item.id for item in items)
        twice = [id for id, times in count.items() if times > max(old[id], 1)]
        if twice:
            place = next(
                stem(index)
                for index, slot in enumerate(now)
                if isinstance(slot.resource, Room)
                and any(item.id == twice[0] for item in _placed(slot.resource, field))
            )
            findings.warn(
                "duplicate",
                f"more than one of the {field} has the id {_some(twice)}; a row without an id "
                "gets a new one",
                f"rooms/{place}/{field}.json",
            )
    return findings


def _some(items: Sequence[object]) -> str:
    more = f" and {len(items) - _LISTED} more" if len(items) > _LISTED else ""
    return ", ".join(map(str, items[:_LISTED])) + more


def _give_own_ids(
    before: Sequence[AnySlot], now: Sequence[AnySlot], field: str, last: int
) -> dict[int, dict[int, int]]:
    """Renumber new elements of a room that have an id of another room, behind the ``last`` id.

    A room that was copied has the ids of the first; so have rooms of two mods that count on from
    the same last id.  Returns the new ids by the old ones, by the index of the room.
    """
    names = {slot.name for slot in now if isinstance(slot.resource, Room)}
    held: dict[object, set[int]] = {}  # the ids of each room by its name; a renamed one's by index
    for index, slot in enumerate(before):
        if isinstance(slot.resource, Room):
            known = {item.id for item in _placed(slot.resource, field)}
            held[slot.name if slot.name in names else index] = known
    rooms = [
        (index, held.get(slot.name, held.get(index, set())), _placed(slot.resource, field))
        for index, slot in enumerate(now)
        if isinstance(slot.resource, Room)
    ]
    taken: dict[int, int] = {}  # the room that keeps an id, by its index
    for index, known, items in rooms:
        for item in items:
            if item.id in known:
                taken.setdefault(item.id, index)
    given: dict[int, dict[int, int]] = {}
    for index, known, items in rooms:
        for item in items:
            if item.id not in known and taken.setdefault(item.id, index) != index:
                last += 1
                given.setdefault(index, {})[item.id] = item.id = last
    return given


def low_last_ids(project: Project) -> list[str]:
    """The last ids of a project that are lower than an id in its rooms."""
    slots = slots_of(project)["rooms"]
    return [
        last
        for field, last in _LISTS
        if any(
            item.id > getattr(project, last)
            for room in _rooms(slots)
            for item in _placed(room, field)
        )
    ]


def _rooms(slots: Iterable[AnySlot]) -> Iterator[Room]:
    for slot in slots:
        if isinstance(slot.resource, Room):
            yield slot.resource


def _placed(room: Room, field: str) -> Sequence[Instance | Tile]:
    return room.instances if field == "instances" else room.tiles


def _number(items: Iterable[Instance | Tile], last: int) -> int:
    """Allocate ids behind the last and the highest one; return the highest id."""
    placed = list(items)
    highest = max((item.id for item in placed), default=0)
    following = max(highest, last)
    for item in placed:
        if item.id == NO_ID:
            following += 1
            highest = item.id = following
    return highest


T = TypeVar("T", bound=Record)

#: by list of a room: the references of its elements
ROOM_REFERENCES: dict[str, References] = {
    "backgrounds": {"background": ("backgrounds", -1)},
    "views": {"follow_object": ("objects", -1)},
    "instances": {"object": ("objects", -1)},
    "tiles": {"background": ("backgrounds", -1)},
}
COLOURS = ("background_colour",)
APART = ("creation_code", *ROOM_REFERENCES)
_FIRST = {  # the fields of a row that come first, whatever their values are
    "instances": ("id", "object", "x", "y"),
    "tiles": ("id", "background", "x", "y", "tile_x", "tile_y", "width", "height"),
}


def show_part(part: str, record: Record, version: int, names: ResourceFileNames) -> JsonObject:
    """A layer, view, instance or tile of a room for JSON."""
    return show_record(record, version, names, references=ROOM_REFERENCES[part], short=True)


def _show(room: Room, stem: str, extra: JsonObject, names: ResourceFileNames) -> Iterator[Made]:
    version = room.version
    plain = extra | show_record(room, version, names, without=APART, colours=COLOURS)
    if room.editor == RoomEditor():
        del plain["editor"]
    plain["backgrounds"] = [
        show_part("backgrounds", layer, version, names) for layer in room.backgrounds
    ]
    plain["views"] = [show_part("views", view, version, names) for view in room.views]
    yield f"{stem}/room.json", made_json(plain)
    if room.creation_code:
        yield f"{stem}/creation.gml", made_text(room.creation_code)
    if room.instances:
        count = Counter(instance.id for instance in room.instances)

        def show_instances() -> list[JsonObject]:
            return [_show_instance(item, version, names, count) for item in room.instances]

        yield f"{stem}/instances.json", lambda: json_bytes(show_instances(), rows)
        for instance in room.instances:
            if instance.creation_code and count[instance.id] == 1:
                yield f"{stem}/instance_{instance.id}.gml", made_text(instance.creation_code)
    if room.tiles:

        def show_tiles() -> list[JsonObject]:
            return [_row("tiles", tile, version, names) for tile in room.tiles]

        yield f"{stem}/tiles.json", lambda: json_bytes(show_tiles(), rows)


def _show_instance(
    instance: Instance, version: int, names: ResourceFileNames, count: Counter[int]
) -> JsonObject:
    """A row of instances.json; it holds the code if the id is not unique."""
    plain = _row("instances", instance, version, names)
    code = plain.pop("creation_code", "")
    return plain | {"creation_code": code} if code and count[instance.id] > 1 else plain


def _row(part: str, record: Record, version: int, names: ResourceFileNames) -> JsonObject:
    first = {name: getattr(record, name) for name in _FIRST[part]}
    for name, (kind, none) in ROOM_REFERENCES[part].items():
        first[name] = names.show(kind, first[name], none)
    return first | show_part(part, record, version, names)


def _read(unit: Unit, base: Room | None) -> Room:
    files = unit.files
    layers = take(unit.plain, "backgrounds", expect_list, [{}] * 8)
    views = take(unit.plain, "views", expect_list, [{}] * 8)
    room = unit.record(Room, base, colours=COLOURS)
    room.backgrounds = _records(unit, "backgrounds", RoomBackground, layers, "backgrounds")
    room.views = _records(unit, "views", View, views, "views")
    creation = f"{unit.folder}/creation.gml"
    room.creation_code = files.text(creation) if creation in files else ""
    room.instances = _rows(unit, "instances", Instance)
    for instance in room.instances:
        code = f"{unit.folder}/instance_{instance.id}.gml"
        if code in files:
            instance.creation_code = files.text(code)
    room.tiles = _rows(unit, "tiles", Tile)
    return room


def _rows(unit: Unit, part: str, record: type[T]) -> list[T]:
    path = f"{unit.folder}/{part}.json"
    with in_file(path):
        return _records(unit, part, record, unit.files.json_list(path))


def _records(unit: Unit, part: str, record: type[T], items: list[object], key: str = "") -> list[T]:
    references = ROOM_REFERENCES[part]

    def read(item: object) -> T:
        if key == "" and isinstance(item, dict) and "id" not in item:
            item = {**item, "id": NO_ID}
        return read_record(record, item, unit.version, unit.names, references=references)

    return read_each(read, items, key)


def _references(room: Room) -> Iterator[Reference]:
    for layer in room.backgrounds:
        yield "backgrounds", layer.background
    for tile in room.tiles:
        yield "backgrounds", tile.background
    for instance in room.instances:
        yield "objects", instance.object
    for view in room.views:
        yield "objects", view.follow_object


ROOMS = FolderKind("rooms", _show, _read, json="/room.json", references=_references)
