"""Rooms of a project of Studio 1, for later releases: everything stands on layers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.forward.layers import Tile, TileLayer, layers_of
from overhaul.gamemaker.forward.modern import ForwardDraft, is_on, real, whole
from overhaul.gamemaker.forward.modern_assets import Sheet
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.modern import rows
from overhaul.gamemaker.recovery.placed import WHITE, graphic_members, instance_members
from overhaul.gamemaker.recovery.rooms import layer_members, room_members, tile_cells
from overhaul.gamemaker.recovery.studio_rooms import VIEW

_OPAQUE: Final = 0xFF000000
#: Depths behind and in front of all others.
_COLOUR, _BACK, _FRONT = 2147483600, 2147483599, -2147483500
_CREATION: Final = "RoomCreationCode.gml"
_USUAL_SPEED: Final = 30


class Rooms:
    """The rooms of a project, which are read before the tile sets are made."""

    def __init__(self, draft: ForwardDraft, sheets: Mapping[str, Sheet]) -> None:
        self._draft = draft
        self._read = [(name, entry, draft.root(entry)) for name, entry in draft.all("room")]
        self._layers = {
            name: _layers(draft, root, draft.path_of("room", name), sheets)
            for name, _, root in self._read
        }
        speeds = [whole(root.value("speed", str(_USUAL_SPEED))) for _, _, root in self._read]
        #: steps per second in the first room
        self.speed = speeds[0] if speeds and speeds[0] > 0 else _USUAL_SPEED
        self._varies = len(set(speeds)) > 1

    @property
    def used(self) -> set[str]:
        """The backgrounds that layers of tiles use."""
        return {
            layer.tiles[0].background
            for layers in self._layers.values()
            for layer in layers
            if layer.sheet is not None
        }

    def sources(self) -> list[str]:
        """The code in rooms."""
        found: list[str] = []
        for _, _, root in self._read:
            found.append(root.value("code"))
            found += [node.attributes.get("code", "") for node in root.walk()]
        return [source for source in found if source]

    def add(self) -> list[tuple[str, str]]:
        """Add the rooms; their names and paths in the order of the game."""
        draft = self._draft
        paths = []
        lost = 0
        for name, entry, root in self._read:
            path = draft.path_of("room", name)
            paths.append(path)
            lost += draft.is_broken(entry)
            _Room(draft, name, root, self._layers[name]).add(self._varies)
        draft.tally("rooms", paths, lost)
        return [(name, draft.path_of("room", name)) for name, _, _ in self._read]


def _layers(
    draft: ForwardDraft, root: XmlNode, path: str, sheets: Mapping[str, Sheet]
) -> list[TileLayer]:
    """The layers of the tiles of a room."""
    place = root.find("instances")
    nodes = () if place is None else place.all("instance")
    depths = {_depth_of(draft, node) for node in nodes}
    return layers_of(_tiles(draft, root, path), sheets, depths)


def _tiles(draft: ForwardDraft, root: XmlNode, path: str) -> list[Tile]:
    found: list[Tile] = []
    absent: Counter[str] = Counter()
    place = root.find("tiles")
    for node in () if place is None else place.all("tile"):
        get = node.attributes.get
        background = draft.naming.called("backgrounds", get("bgName", ""))
        draft.count_more("tiles", 1, lost=background is None)
        if background is None:
            absent[get("bgName", "")] += 1
            continue
        tile = Tile(
            background,
            whole(get("x", "0")),
            whole(get("y", "0")),
            whole(get("w", "0")),
            whole(get("h", "0")),
            whole(get("xo", "0")),
            whole(get("yo", "0")),
            whole(get("depth", "0")),
            real(get("scaleX", "1")),
            real(get("scaleY", "1")),
            whole(get("colour", str(WHITE))) & WHITE,
            get("name", ""),
        )
        found.append(tile)
    for name, count in absent.items():
        message = f"tiles of the background {name}, which is not there, are left out: {count}"
        draft.findings.warn("left-out", message, path)
    return found


class _Room:
    """A room on its way."""

    def __init__(
        self, draft: ForwardDraft, name: str, root: XmlNode, tiles: list[TileLayer]
    ) -> None:
        self.draft = draft
        self.name = name
        self.root = root
        self.tiles = tiles
        self.path = draft.path_of("room", name)
        self.folder = self.path.rpartition("/")[0]
        self.files: dict[str, Callable[[], bytes]] = {}
        self.order: list[Json] = []
        #: the layers with their depths
        self.layers: list[tuple[int, Json]] = []

    def add(self, has_speed: bool) -> None:
        """Add it; ``has_speed``: its code says how many steps a second has."""
        root, draft = self.root, self.draft
        size = max(1, whole(root.value("width"))), max(1, whole(root.value("height")))
        self._backgrounds()
        self._tile_layers()
        self._instances()
        has_code = self._creation_code(has_speed)
        physics = (
            is_on(root.value("PhysicsWorld")),
            real(root.value("PhysicsWorldGravityX")),
            real(root.value("PhysicsWorldGravityY", "10")),
            real(root.value("PhysicsWorldPixToMeters", "0.1")),
        )
        members = room_members(
            draft,
            size,
            self.order,
            persistent=is_on(root.value("persistent")),
            views_enabled=is_on(root.value("enableViews")),
            clears_views=is_on(root.value("clearViewBackground", "-1")),
            clears_display=is_on(root.value("clearDisplayBuffer", "-1")),
            physics=physics,
        )
        ordered = sorted(self.layers, key=lambda pair: pair[0])
        members |= {
            "views": rows(self._views()),
            "layers": rows([layer for _, layer in ordered]),
            "creationCodeFile": f"${{project_dir}}/{self.folder}/{_CREATION}" if has_code else "",
        }
        draft.add("room", self.name, "GMRoom", members, self.files)

    def _creation_code(self, has_speed: bool) -> bool:
        """The code that runs when the room is entered; whether there is any."""
        root = self.root
        head = ""
        if has_speed and whole(root.value("speed")) > 0:
            head += f"game_set_speed({whole(root.value('speed'))}, gamespeed_fps);\n"
        caption = root.value("caption")
        path = f"{self.folder}/{_CREATION}"
        if caption.strip():
            text = " ".join(caption.split()).replace("\\", "\\\\").replace('"', '\\"')
            head += f'window_set_caption("{text}");\n'
        code = root.value("code")
        source = head + (self.draft.gml(code, path) if code.strip() else "")
        if source:
            self.files[_CREATION] = self.draft.source(source)
        return bool(source)

    def _views(self) -> list[Json]:
        made: list[Json] = []
        place = self.root.find("views")
        for node in () if place is None else place.all("view"):
            get = node.attributes.get
            members: dict[str, Json] = {
                "inherit": False,
                "visible": is_on(get("visible", "0")),
                "objectId": self.draft.refer("object", get("objName", ""), self.path),
            }
            members |= {key: whole(get(key, "0")) for key in VIEW}
            made.append(self.draft.ordered(members, "GMRoom.views[]"))
        return made

    def _add_layer(
        self, kind: str, name: str, depth: int, own: dict[str, Json], visible: bool = True
    ) -> None:
        members = layer_members(depth, visible=visible) | own
        self.layers.append((depth, self.draft.record(kind, members, name)))

    # -- backgrounds -------------------------------------------------------------------------------

    def _backgrounds(self) -> None:
        root = self.root
        if is_on(root.value("showcolour", "-1")):
            colour = whole(root.value("colour")) & 0xFFFFFF | _OPAQUE
            self._background_layer("Colour", _COLOUR, None, {"colour": colour})
        place = root.find("backgrounds")
        for number, node in enumerate(() if place is None else place.all("background")):
            get = node.attributes.get
            sprite = self.draft.refer("background", get("name", ""), self.path)
            if sprite is None:
                continue
            is_front = is_on(get("foreground", "0"))
            own: dict[str, Json] = {
                "x": whole(get("x", "0")),
                "y": whole(get("y", "0")),
                "htiled": is_on(get("htiled", "0")),
                "vtiled": is_on(get("vtiled", "0")),
                "hspeed": real(get("hspeed", "0")),
                "vspeed": real(get("vspeed", "0")),
                "stretch": is_on(get("stretch", "0")),
            }
            name = f"{'Foreground' if is_front else 'Background'}_{number}"
            depth = (_FRONT if is_front else _BACK) - number
            self._background_layer(name, depth, sprite, own, is_on(get("visible", "0")))

    def _background_layer(
        self,
        name: str,
        depth: int,
        sprite: dict[str, Json] | None,
        own: dict[str, Json],
        visible: bool = True,
    ) -> None:
        usual: dict[str, Json] = {
            "spriteId": sprite,
            "colour": WHITE,
            "x": 0,
            "y": 0,
            "htiled": False,
            "vtiled": False,
            "hspeed": 0.0,
            "vspeed": 0.0,
            "stretch": False,
            "animationFPS": 15.0,
            "animationSpeedType": 0,
            "userdefinedAnimFPS": False,
        }
        self._add_layer("GMRBackgroundLayer", name, depth, usual | own, visible)

    # -- tiles -------------------------------------------------------------------------------------

    def _tile_layers(self) -> None:
        seen: Counter[int] = Counter()
        for layer in reversed(self.tiles):  # the first of a depth is the one in front
            self._tile_layer(layer, seen[layer.depth])
            seen[layer.depth] += 1

    def _tile_layer(self, layer: TileLayer, number: int) -> None:
        depth = layer.shown_depth
        stem = f"Tiles_{_depth_name(layer.depth)}"
        name = f"{stem}_{number + 1}" if number else stem
        if layer.sheet is None:
            assets = [self._graphic(tile, n) for n, tile in enumerate(layer.tiles)]
            self._add_layer("GMRAssetLayer", name, depth, {"assets": rows(assets)})
            return
        (x, y), words = layer.words()
        sheet = layer.sheet.name
        own: dict[str, Json] = {
            "tilesetId": self.draft.place(sheet, self.draft.path_of("tile_set", sheet)),
            "x": x,
            "y": y,
            "tiles": tile_cells(self.draft, words),
        }
        self._add_layer("GMRTileLayer", name, depth, own)

    def _graphic(self, tile: Tile, number: int) -> Json:
        sprite = self.draft.place(tile.background, self.draft.path_of("sprite", tile.background))
        width, height = tile.width * tile.scale_x, tile.height * tile.scale_y
        members = graphic_members(
            sprite,
            (float(tile.x), float(tile.y)),
            (tile.width, tile.height),
            (tile.left, tile.top),
            tile.colour,
            (round(width), round(height)),
        )
        if width != round(width) or height != round(height):
            message = "a tile is drawn as large as whole pixels"
            self.draft.findings.warn_once("approximated", message, self.path)
        name = f"graphic_{self.draft.short_id(self.name, tile.name, tile.depth, number)}"
        return self.draft.record("GMRGraphic", members, name)

    # -- instances ---------------------------------------------------------------------------------

    def _instances(self) -> None:
        by_depth: dict[int, list[Json]] = {}
        taken: set[str] = set()
        place = self.root.find("instances")
        for number, node in enumerate(() if place is None else place.all("instance")):
            get = node.attributes.get
            kind = self.draft.refer("object", get("objName", ""), self.path)
            self.draft.count_more("instances", 1, lost=kind is None)
            if kind is None:
                message = f"an instance of {get('objName', '')}, which is not there, is left out"
                self.draft.findings.warn("left-out", message, self.path)
                continue
            name = get("name", "")
            if not name or name in taken:
                name = f"inst_{self.draft.short_id(self.name, name, number)}"
            taken.add(name)
            members = instance_members(
                kind,
                (real(get("x", "0")), real(get("y", "0"))),
                (real(get("scaleX", "1")), real(get("scaleY", "1"))),
                real(get("rotation", "0")),
                whole(get("colour", str(WHITE))) & WHITE,
            )
            code = get("code", "")
            if code.strip():
                file = f"InstanceCreationCode_{name}.gml"
                source = self.draft.gml(code, f"{self.folder}/{file}")
                self.files[file] = self.draft.source(source)
                members["hasCreationCode"] = True
            made = self.draft.record("GMRInstance", members, name)
            by_depth.setdefault(_depth_of(self.draft, node), []).append(made)
            self.order.append(self.draft.place(name, self.path))
        for depth, instances in by_depth.items():
            own: dict[str, Json] = {"instances": rows(instances)}
            self._add_layer("GMRInstanceLayer", f"Instances_{_depth_name(depth)}", depth, own)


def _depth_of(draft: ForwardDraft, node: XmlNode) -> int:
    """The depth of an instance: that of its object."""
    name = draft.naming.called("objects", node.attributes.get("objName", ""))
    return draft.depths.get(name or "", 0)


def _depth_name(depth: int) -> str:
    """A depth as a part of a name."""
    return f"m{-depth}" if depth < 0 else str(depth)
