"""Rooms of a project of Studio 1, and the file of the project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.data.chunks.room import RoomFlags
from overhaul.gamemaker.recovery.code import gml_of
from overhaul.gamemaker.recovery.drafts import there
from overhaul.gamemaker.recovery.included import FOLDER, included_files
from overhaul.gamemaker.recovery.options import studio_options
from overhaul.gamemaker.recovery.studio import (
    GROUPS,
    StudioDraft,
    StudioProjectDraft,
    datafile,
    flag,
    leaf,
    number,
    parent,
)

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.code import Code
    from overhaul.gamemaker.data.resources.rooms import Room

_WHITE: Final = 0xFFFFFFFF
_RGB: Final = 0xFFFFFF
_GRID: Final = 16
_HIDDEN: Final = "@@"
#: How the editor of a room was left.
MAKER: Final = (
    "isSet", "w", "h", "showGrid", "showObjects", "showTiles", "showBackgrounds",
    "showForegrounds", "showViews", "deleteUnderlyingObj", "deleteUnderlyingTiles", "page",
    "xoffset", "yoffset",
)  # fmt: skip
#: The numbers of a view.
VIEW: Final = (
    "xview", "yview", "wview", "hview", "xport", "yport", "wport", "hport", "hborder", "vborder",
    "hspeed", "vspeed",
)  # fmt: skip


def add_rooms(draft: StudioDraft) -> None:
    """Add the rooms."""
    total = lost = 0
    for room in draft.game.rooms:
        total += 1
        before = len(draft.findings)
        draft.add("room", room.name, _room(draft, room))
        lost += len(draft.findings) > before
    draft.count("rooms", total, total, lost)
    if total:
        draft.lost("the grids of rooms, locks, and the names of instances", "rooms")


def _source(draft: StudioDraft, code: Code | None, room: Room) -> str:
    return gml_of(draft, code, draft.path_of("room", room.name)) or ""


def _room(draft: StudioDraft, room: Room) -> Iterator[XmlNode]:
    yield leaf("caption", str(room.caption or ""))
    yield leaf("width", room.width)
    yield leaf("height", room.height)
    yield leaf("vsnap", _GRID)
    yield leaf("hsnap", _GRID)
    yield leaf("isometric", 0)
    yield leaf("speed", room.speed)
    yield leaf("persistent", flag(room.persistent))
    yield leaf("colour", int(room.record.background_colour) & _RGB)
    yield leaf("showcolour", flag(room.draw_background_colour))
    yield leaf("code", _source(draft, room.creation_code, room))
    yield leaf("enableViews", flag(room.views_enabled))
    yield leaf("clearViewBackground", flag(room.clear_view_background))
    keeps = int(room.record.flags) & RoomFlags.KEEP_DISPLAY_BUFFER
    yield leaf("clearDisplayBuffer", flag(not keeps))
    yield parent("makerSettings", [leaf(tag, 0) for tag in MAKER])
    yield parent("backgrounds", _backgrounds(draft, room))
    yield parent("views", _views(draft, room))
    yield parent("instances", _instances(draft, room))
    yield parent("tiles", _tiles(draft, room))
    world = room.record
    yield from physics_world(
        (world.physics_left, world.physics_top, world.physics_right, world.physics_bottom),
        (room.gravity_x, room.gravity_y),
        room.metres_per_pixel,
        is_on=room.physics_world,
    )


def physics_world(
    bounds: tuple[int, int, int, int],
    gravity: tuple[float, float] = (0.0, 10.0),
    metres: float = 0.1,
    *,
    is_on: bool = False,
) -> Iterator[XmlNode]:
    """The elements of a room for physics; ``bounds`` are left, top, right and bottom of its
    world."""
    left, top, right, bottom = bounds
    yield leaf("PhysicsWorld", flag(is_on))
    yield leaf("PhysicsWorldTop", top)
    yield leaf("PhysicsWorldLeft", left)
    yield leaf("PhysicsWorldRight", right)
    yield leaf("PhysicsWorldBottom", bottom)
    yield leaf("PhysicsWorldGravityX", number(gravity[0]))
    yield leaf("PhysicsWorldGravityY", number(gravity[1]))
    yield leaf("PhysicsWorldPixToMeters", number(metres))


def element(tag: str, **values: object) -> XmlNode:
    """An element with attributes."""
    return XmlNode(tag, attributes={key: str(value) for key, value in values.items()})


def background_node(
    name: str,
    shown: tuple[object, object],
    place: tuple[int, int],
    tiled: tuple[object, object],
    speed: tuple[int, int],
    stretch: object,
) -> XmlNode:
    """A background of a room; ``shown`` is whether it is visible, and whether it is in front."""
    return element(
        "background",
        visible=flag(shown[0]),
        foreground=flag(shown[1]),
        name=name,
        x=place[0],
        y=place[1],
        htiled=flag(tiled[0]),
        vtiled=flag(tiled[1]),
        hspeed=speed[0],
        vspeed=speed[1],
        stretch=flag(stretch),
    )


def view_node(followed: str, visible: object, numbers: Sequence[int]) -> XmlNode:
    """A view of a room; ``numbers`` are those of :data:`VIEW`."""
    values = dict(zip(VIEW, numbers, strict=True))
    return element("view", visible=flag(visible), objName=followed, **values)


class Drawn(NamedTuple):
    """How an instance or a tile is drawn."""

    scale_x: float
    scale_y: float
    colour: int
    rotation: float = 0.0


def instance_node(
    kind: str,
    name: str,
    place: tuple[int, int],
    code: str,
    drawn: Drawn,
    *,
    locked: object = False,
) -> XmlNode:
    """An instance of a room; ``kind`` is the name of its object."""
    return element(
        "instance",
        objName=kind,
        x=place[0],
        y=place[1],
        name=name,
        locked=flag(locked),
        code=code,
        scaleX=number(drawn.scale_x),
        scaleY=number(drawn.scale_y),
        colour=drawn.colour & _WHITE,
        rotation=number(drawn.rotation),
    )


def tile_node(
    background: str,
    name: str,
    numbers: Sequence[int],
    drawn: Drawn,
    *,
    locked: object = False,
) -> XmlNode:
    """A tile of a room; ``numbers`` are its place, its size, its place in the background, its
    number and its depth."""
    x, y, width, height, left, top, own, depth = numbers
    return element(
        "tile",
        bgName=background,
        x=x,
        y=y,
        w=width,
        h=height,
        xo=left,
        yo=top,
        id=own,
        name=name,
        depth=depth,
        locked=flag(locked),
        colour=drawn.colour & _WHITE,
        scaleX=number(drawn.scale_x),
        scaleY=number(drawn.scale_y),
    )


def _backgrounds(draft: StudioDraft, room: Room) -> Iterator[XmlNode]:
    for each in there(room.backgrounds):
        known = each.background
        yield background_node(
            "" if known is None else draft.named("background", known),
            (each.enabled, each.foreground),
            (each.x, each.y),
            (each.tile_x, each.tile_y),
            (each.speed_x, each.speed_y),
            each.stretch,
        )


def _views(draft: StudioDraft, room: Room) -> Iterator[XmlNode]:
    for view in there(room.views):
        numbers = (
            view.view_x, view.view_y, view.view_width, view.view_height, view.port_x, view.port_y,
            view.port_width, view.port_height, view.border_x, view.border_y, view.speed_x,
            view.speed_y,
        )  # fmt: skip
        yield view_node(draft.named("object", view.follow), view.enabled, numbers)


def _instances(draft: StudioDraft, room: Room) -> Iterator[XmlNode]:
    taken: set[str] = set()
    for place, each in enumerate(there(room.instances)):
        name = f"inst_{draft.short_id(room.name, each.id)}"
        if name in taken:  # two have one number
            name = f"inst_{draft.short_id(room.name, each.id, place)}"
        taken.add(name)
        kind = draft.named("object", each.object)
        code = _source(draft, each.creation_code, room)
        drawn = Drawn(each.scale_x, each.scale_y, int(each.record.colour), each.rotation)
        yield instance_node(kind, name, (each.x, each.y), code, drawn)


def _tiles(draft: StudioDraft, room: Room) -> Iterator[XmlNode]:
    for tile in there(room.tiles):
        numbers = (
            tile.x, tile.y, tile.width, tile.height, tile.source_x, tile.source_y, tile.id,
            tile.depth,
        )  # fmt: skip
        drawn = Drawn(tile.scale_x, tile.scale_y, int(tile.record.colour))
        name = f"inst_{draft.short_id(room.name, 'tile', tile.id)}"
        yield tile_node(draft.named("background", tile.background), name, numbers, drawn)


# -- the project -----------------------------------------------------------------------------------


def add_project(draft: StudioDraft) -> None:
    """Add the project's file, with the default configuration and an empty help text."""
    options = draft.game.options
    constants = [
        (str(each.name), str(each.value))
        for each in (() if options is None else options.constants)
        if not str(each.name).startswith(_HIDDEN)
    ]
    included = [*_included(draft)]
    add_project_file(
        draft, constants, studio_options(draft.game, draft.id("game")), included=included
    )


def add_project_file(
    draft: StudioProjectDraft,
    constants: Sequence[tuple[str, str]],
    configuration: Mapping[str, object],
    help_text: bytes = b"{\\rtf1\\ansi }",
    included: Sequence[XmlNode] = (),
) -> None:
    """Add the project's file with constants, the options of the default configuration, what F1
    shows, and the rows of included files."""
    groups: list[XmlNode] = [
        parent("Configs", [leaf("Config", "Configs\\Default")], name="configs")
    ]
    if included:
        count = str(len(included))
        groups.append(parent("datafiles", included, number=count, name="datafiles"))
    groups.append(parent("NewExtensions", draft.entries.get("extension", ())))
    for kind, (tag, name, _, _) in GROUPS.items():
        groups.append(parent(tag, draft.entries.get(kind, ()), name=name))
    if constants:
        rows = [XmlNode("constant", value, {"name": name}) for name, value in constants]
        groups.append(parent("constants", rows, number=str(len(rows))))
    tutorial = [leaf("IsTutorial", 0), leaf("TutorialName"), leaf("TutorialPage", 0)]
    groups += [parent("help", [leaf("rtf", "help.rtf")]), parent("TutorialState", tutorial)]
    draft.files[f"{draft.name}.project.gmx"] = draft.text(parent("assets", groups))
    draft.files["help.rtf"] = help_text.__bytes__
    children = [
        leaf(name, str(value).lower() if isinstance(value, bool) else str(value))
        for name, value in sorted(configuration.items())
    ]
    config = parent("Config", [parent("Options", children)])
    draft.files["Configs/Default.config.gmx"] = draft.text(config)


def _included(draft: StudioDraft) -> Iterator[XmlNode]:
    """The rows of the included files, which are copied; those of a folder are in a group."""
    groups: dict[str, list[XmlNode]] = {"": []}
    for path, read in included_files(draft).items():
        draft.files[f"{FOLDER}/{path}"] = read
        folder, _, name = path.rpartition("/")
        groups.setdefault(folder, []).append(datafile(name, len(read())))
    yield from groups.pop("")
    for folder, found in sorted(groups.items()):
        *outer, last = folder.split("/")
        node = parent("datafiles", found, number=str(len(found)), name=last)
        for name in reversed(outer):
            node = parent("datafiles", [node], number="1", name=name)
        yield node
