"""Rooms of a project of Studio 1, and the file of the project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from overhaul.document.xmltext import Node
from overhaul.gamemaker.recovery.code import gml_of
from overhaul.gamemaker.recovery.drafts import there
from overhaul.gamemaker.recovery.studio import GROUPS, flag, leaf, number, parent

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.code import Code
    from overhaul.gamemaker.data.resources.rooms import Room
    from overhaul.gamemaker.recovery.studio import StudioDraft, StudioProjectDraft

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


def _room(draft: StudioDraft, room: Room) -> Iterator[Node]:
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
    yield leaf("clearDisplayBuffer", flag(True))
    yield parent("makerSettings", [leaf(tag, 0) for tag in MAKER])
    yield parent("backgrounds", _backgrounds(draft, room))
    yield parent("views", _views(draft, room))
    yield parent("instances", _instances(draft, room))
    yield parent("tiles", _tiles(draft, room))
    yield from physics_world(
        (room.width, room.height),
        (room.gravity_x, room.gravity_y),
        room.metres_per_pixel,
        is_on=room.physics_world,
    )


def physics_world(
    size: tuple[int, int],
    gravity: tuple[float, float] = (0.0, 10.0),
    metres: float = 0.1,
    *,
    is_on: bool = False,
) -> Iterator[Node]:
    """What a room has for physics."""
    yield leaf("PhysicsWorld", flag(is_on))
    yield leaf("PhysicsWorldTop", 0)
    yield leaf("PhysicsWorldLeft", 0)
    yield leaf("PhysicsWorldRight", size[0])
    yield leaf("PhysicsWorldBottom", size[1])
    yield leaf("PhysicsWorldGravityX", number(gravity[0]))
    yield leaf("PhysicsWorldGravityY", number(gravity[1]))
    yield leaf("PhysicsWorldPixToMeters", number(metres))


def element(tag: str, **values: object) -> Node:
    """An element with attributes."""
    return Node(tag, attributes={key: str(value) for key, value in values.items()})


def _backgrounds(draft: StudioDraft, room: Room) -> Iterator[Node]:
    for each in there(room.backgrounds):
        known = each.background
        yield element(
            "background",
            visible=flag(each.enabled),
            foreground=flag(each.foreground),
            name="" if known is None else draft.named("background", known),
            x=each.x,
            y=each.y,
            htiled=flag(each.tile_x),
            vtiled=flag(each.tile_y),
            hspeed=each.speed_x,
            vspeed=each.speed_y,
            stretch=flag(each.stretch),
        )


def _views(draft: StudioDraft, room: Room) -> Iterator[Node]:
    for view in there(room.views):
        yield element(
            "view",
            visible=flag(view.enabled),
            objName=draft.named("object", view.follow),
            xview=view.view_x,
            yview=view.view_y,
            wview=view.view_width,
            hview=view.view_height,
            xport=view.port_x,
            yport=view.port_y,
            wport=view.port_width,
            hport=view.port_height,
            hborder=view.border_x,
            vborder=view.border_y,
            hspeed=view.speed_x,
            vspeed=view.speed_y,
        )


def _instances(draft: StudioDraft, room: Room) -> Iterator[Node]:
    taken: set[str] = set()
    for place, each in enumerate(there(room.instances)):
        name = f"inst_{draft.short_id(room.name, each.id)}"
        if name in taken:  # two have one number
            name = f"inst_{draft.short_id(room.name, each.id, place)}"
        taken.add(name)
        yield element(
            "instance",
            objName=draft.named("object", each.object),
            x=each.x,
            y=each.y,
            name=name,
            locked=0,
            code=_source(draft, each.creation_code, room),
            scaleX=number(each.scale_x),
            scaleY=number(each.scale_y),
            colour=int(each.record.colour) & _WHITE,
            rotation=number(each.rotation),
        )


def _tiles(draft: StudioDraft, room: Room) -> Iterator[Node]:
    for tile in there(room.tiles):
        yield element(
            "tile",
            bgName=draft.named("background", tile.background),
            x=tile.x,
            y=tile.y,
            w=tile.width,
            h=tile.height,
            xo=tile.source_x,
            yo=tile.source_y,
            id=tile.id,
            name=f"inst_{draft.short_id(room.name, 'tile', tile.id)}",
            depth=tile.depth,
            locked=0,
            colour=int(tile.record.colour) & _WHITE,
            scaleX=number(tile.scale_x),
            scaleY=number(tile.scale_y),
        )


# -- the project -----------------------------------------------------------------------------------


def add_project(draft: StudioDraft) -> None:
    """Add the project's file, with the default configuration and an empty help text."""
    options = draft.game.options
    constants = [
        (str(each.name), str(each.value))
        for each in (() if options is None else options.constants)
        if not str(each.name).startswith(_HIDDEN)
    ]
    add_project_file(draft, constants, _configuration(draft))


def add_project_file(
    draft: StudioProjectDraft,
    constants: Sequence[tuple[str, str]],
    configuration: Mapping[str, object],
    help_text: bytes = b"{\\rtf1\\ansi }",
    included: Sequence[Node] = (),
) -> None:
    """Add the project's file with constants, the options of the default configuration, what F1
    shows, and the rows of included files."""
    groups: list[Node] = [parent("Configs", [leaf("Config", "Configs\\Default")], name="configs")]
    if included:
        count = str(len(included))
        groups.append(parent("datafiles", included, number=count, name="datafiles"))
    groups.append(parent("NewExtensions", draft.entries.get("extension", ())))
    for kind, (tag, name, _, _) in GROUPS.items():
        groups.append(parent(tag, draft.entries.get(kind, ()), name=name))
    if constants:
        rows = [Node("constant", value, {"name": name}) for name, value in constants]
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


def _configuration(draft: StudioDraft) -> dict[str, object]:
    """The options that a game says, of the default configuration."""
    general = draft.game.general
    values: dict[str, object] = {
        "option_author": "",
        "option_display_name": str(general.display_name or ""),
        "option_fast_collision_compatibility": False,
        "option_gameguid": f"{{{draft.id('game').upper()}}}",
        "option_gameid": int(general.game_id),
        "option_shortcircuit": True,
        "option_use_fast_collision": True,
        "option_version_build": int(general.build),
        "option_version_major": int(general.major),
        "option_version_minor": int(general.minor),
        "option_version_release": int(general.release),
        "option_windowcolor": "clBlack",
    }
    options = draft.game.options
    if options is not None:
        values |= {
            "option_closeesc": bool(options.quit_key),
            "option_freeze": bool(options.freeze),
            "option_fullscreen": bool(options.fullscreen),
            "option_interpolate": bool(options.interpolate),
            "option_scale": int(options.scale),
            "option_sizeable": bool(options.sizeable),
            "option_sync_vertex": int(options.vertex_sync),
            "option_use_new_audio": bool(options.new_audio),
        }
    return values
