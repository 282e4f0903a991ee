"""Rooms of an old project, for Studio 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, cast

from overhaul.gamemaker.classic.resources import Room
from overhaul.gamemaker.forward.texts import cleaned
from overhaul.gamemaker.recovery.studio import NOTHING, flag, leaf, number, parent
from overhaul.gamemaker.recovery.studio_rooms import MAKER, element, physics_world

if TYPE_CHECKING:
    from overhaul.document.xmltext import Node
    from overhaul.gamemaker.forward.classic import ClassicDraft

_WHITE: Final = 0xFFFFFFFF
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


def _room(draft: ClassicDraft, name: str, room: Room, path: str) -> Iterator[Node]:
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
    yield from physics_world((room.width, room.height))


def _backgrounds(draft: ClassicDraft, room: Room, path: str) -> Iterator[Node]:
    for each in room.backgrounds:
        yield element(
            "background",
            visible=flag(each.visible),
            foreground=flag(each.foreground),
            name=draft.ref("backgrounds", each.background, path, ""),
            x=each.x,
            y=each.y,
            htiled=flag(each.tile_horizontally),
            vtiled=flag(each.tile_vertically),
            hspeed=each.h_speed,
            vspeed=each.v_speed,
            stretch=flag(each.stretch),
        )


def _views(draft: ClassicDraft, room: Room, path: str) -> Iterator[Node]:
    for view in room.views:
        yield element(
            "view",
            visible=flag(view.visible),
            objName=draft.ref("objects", view.follow_object, path, NOTHING),
            xview=view.view_x,
            yview=view.view_y,
            wview=view.view_width,
            hview=view.view_height,
            xport=view.port_x,
            yport=view.port_y,
            wport=view.port_width,
            hport=view.port_height,
            hborder=view.h_border,
            vborder=view.v_border,
            hspeed=view.h_speed,
            vspeed=view.v_speed,
        )


def _instances(draft: ClassicDraft, name: str, room: Room, path: str) -> Iterator[Node]:
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
        yield element(
            "instance",
            objName=kind,
            x=each.x,
            y=each.y,
            name=own,
            locked=flag(each.locked),
            code=draft.code(each.creation_code, path),
            scaleX=number(each.scale_x),
            scaleY=number(each.scale_y),
            colour=each.blend & _WHITE,
            rotation=number(each.rotation),
        )


def _tiles(draft: ClassicDraft, name: str, room: Room, path: str) -> Iterator[Node]:
    for place, tile in enumerate(room.tiles):
        background = draft.ref("backgrounds", tile.background, path, "")
        draft.count_more("tiles", 1, lost=not background)
        if not background:
            message = f"tile {tile.id} of background {tile.background}, which is not there"
            draft.findings.warn("left-out", f"{message}, is left out", path)
            continue
        yield element(
            "tile",
            bgName=background,
            x=tile.x,
            y=tile.y,
            w=tile.width,
            h=tile.height,
            xo=tile.tile_x,
            yo=tile.tile_y,
            id=tile.id,
            name=f"inst_{draft.short_id(name, 'tile', tile.id, place)}",
            depth=tile.depth,
            locked=flag(tile.locked),
            colour=tile.blend & _WHITE,
            scaleX=number(tile.scale_x),
            scaleY=number(tile.scale_y),
        )
