"""Rooms of an old project, for Studio 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, cast

from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.classic.resources import Room
from overhaul.gamemaker.forward.classic import ClassicDraft
from overhaul.gamemaker.forward.texts import cleaned
from overhaul.gamemaker.recovery.studio import NOTHING, flag, leaf, parent
from overhaul.gamemaker.recovery.studio_rooms import (
    MAKER,
    Drawn,
    background_node,
    instance_node,
    physics_world,
    tile_node,
    view_node,
)

_RGB: Final = 0xFFFFFF
_KEEPS_VIEWS: Final = 2


def add_rooms(draft: ClassicDraft) -> None:
    """Add the rooms in the order of the game."""
    by_name = dict(draft.all("rooms"))
    ordered = [draft.naming.name("rooms", index) for index in draft.old.room_order.rooms]
    names = [name for name in dict.fromkeys(ordered) if name is not None]
    names += [name for name in by_name if name not in names]
    titles = [draft.folders.get(("room", name), ()) for name in names]
    if not _stays(titles):
        message = "groups of rooms are left out, as they would change the order of the game"
        draft.findings.warn("left-out", message, "rooms")
        for name in names:
            draft.folders.pop(("room", name), None)
    paths = []
    for name in names:
        path = draft.path_of("room", name)
        paths.append(path)
        draft.add("room", name, _room(draft, name, cast("Room", by_name[name]), path))
    draft.tally("rooms", paths)


def _stays(titles: Sequence[tuple[str, ...]]) -> bool:
    """Whether rooms have the same order in their groups: each group is begun once."""
    seen: set[tuple[str, ...]] = set()
    before: tuple[str, ...] = ()
    for each in titles:
        opened = {each[:size] for size in range(1, len(each) + 1)}
        new = {group for group in opened if group != before[: len(group)]}
        if new & seen:
            return False
        seen |= opened
        before = each
    return True


def _room(draft: ClassicDraft, name: str, room: Room, path: str) -> Iterator[XmlNode]:
    editor = room.editor
    yield leaf("caption", cleaned(room.caption))
    yield leaf("width", room.width)
    yield leaf("height", room.height)
    yield leaf("vsnap", room.snap_y)
    yield leaf("hsnap", room.snap_x)
    yield leaf("isometric", flag(room.isometric))
    yield leaf("speed", room.speed)
    yield leaf("persistent", flag(room.persistent))
    yield leaf("colour", room.background_colour & _RGB)
    yield leaf("showcolour", flag(room.draw_background_colour & 1))
    yield leaf("code", draft.code(room.creation_code, path))
    yield leaf("enableViews", flag(room.enable_views))
    yield leaf("clearViewBackground", flag(not room.draw_background_colour & _KEEPS_VIEWS))
    yield leaf("clearDisplayBuffer", flag(True))
    values = (
        flag(editor.remember), editor.width, editor.height, flag(editor.show_grid),
        flag(editor.show_objects), flag(editor.show_tiles), flag(editor.show_backgrounds),
        flag(editor.show_foregrounds), flag(editor.show_views),
        flag(editor.delete_underlying_objects), flag(editor.delete_underlying_tiles), editor.tab,
        editor.scroll_x, editor.scroll_y,
    )  # fmt: skip
    yield parent("makerSettings", [leaf(*each) for each in zip(MAKER, values, strict=True)])
    yield parent("backgrounds", _backgrounds(draft, room, path))
    yield parent("views", _views(draft, room, path))
    yield parent("instances", _instances(draft, name, room, path))
    yield parent("tiles", _tiles(draft, name, room, path))
    yield from physics_world((0, 0, room.width, room.height))


def _backgrounds(draft: ClassicDraft, room: Room, path: str) -> Iterator[XmlNode]:
    for each in room.backgrounds:
        yield background_node(
            draft.ref("backgrounds", each.background, path, ""),
            (each.visible, each.foreground),
            (each.x, each.y),
            (each.tile_horizontally, each.tile_vertically),
            (each.h_speed, each.v_speed),
            each.stretch,
        )


def _views(draft: ClassicDraft, room: Room, path: str) -> Iterator[XmlNode]:
    for view in room.views:
        numbers = (
            view.view_x, view.view_y, view.view_width, view.view_height, view.port_x, view.port_y,
            view.port_width, view.port_height, view.h_border, view.v_border, view.h_speed,
            view.v_speed,
        )  # fmt: skip
        followed = draft.ref("objects", view.follow_object, path, NOTHING)
        yield view_node(followed, view.visible, numbers)


def _instances(draft: ClassicDraft, name: str, room: Room, path: str) -> Iterator[XmlNode]:
    taken: dict[str, int] = {}
    for each in room.instances:
        own = draft.instance_name(name, each.id)
        taken[own] = taken.get(own, 0) + 1
        if taken[own] > 1:  # two have one number
            own = f"inst_{draft.short_id(name, each.id, taken[own])}"
        kind = draft.ref("objects", each.object, path, "")
        draft.count_more("instances", 1, lost=not kind)
        if not kind:
            message = f"instance {each.id} of object {each.object}, which is not there"
            draft.findings.warn("left-out", f"{message}, is left out", path)
            continue
        code = draft.code(each.creation_code, path)
        drawn = Drawn(each.scale_x, each.scale_y, each.blend, each.rotation)
        yield instance_node(kind, own, (each.x, each.y), code, drawn, locked=each.locked)


def _tiles(draft: ClassicDraft, name: str, room: Room, path: str) -> Iterator[XmlNode]:
    for place, tile in enumerate(room.tiles):
        background = draft.ref("backgrounds", tile.background, path, "")
        draft.count_more("tiles", 1, lost=not background)
        if not background:
            message = f"tile {tile.id} of background {tile.background}, which is not there"
            draft.findings.warn("left-out", f"{message}, is left out", path)
            continue
        numbers = (
            tile.x, tile.y, tile.width, tile.height, tile.tile_x, tile.tile_y, tile.id, tile.depth,
        )  # fmt: skip
        drawn = Drawn(tile.scale_x, tile.scale_y, tile.blend)
        own = f"inst_{draft.short_id(name, 'tile', tile.id, place)}"
        yield tile_node(background, own, numbers, drawn, locked=tile.locked)
