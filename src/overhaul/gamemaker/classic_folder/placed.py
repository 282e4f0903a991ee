"""The ids of instances and tiles: each occurs once in a project, and new ones get the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from overhaul.gamemaker.classic.kinds import AnySlot, slots_of
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic.rooms import Instance, Room, Tile

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
) -> list[str]:
    """Allocate ids for elements without one, and for new elements that have an id of another room,
    and move the last ids of the project behind the highest.

    ``before`` and ``now`` are the slots of the rooms, ``stem`` gives the file name of one.  The
    last ids in ``low`` stay as they are while nothing is numbered.  Returns warnings about new
    ids, and about ids that occur twice.
    """
    warnings: list[str] = []
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
                warnings.append(
                    f"rooms/{stem(index)}/{field}.json: other rooms have these ids, so there are "
                    f"new ones: {_some([f'{id} is {new}' for id, new in ids.items()])}"
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
            warnings.append(
                f"rooms/{place}/{field}.json: more than one of the {field} has the id "
                f"{_some(twice)}; a row without an id gets a new one"
            )
    return warnings


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
