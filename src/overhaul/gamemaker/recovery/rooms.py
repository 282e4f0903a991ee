"""Rooms with their layers, instances and tiles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from overhaul.gamemaker.data.chunks.seqn import SpeedType
from overhaul.gamemaker.data.resources.layers import (
    AssetLayer,
    BackgroundLayer,
    InstanceLayer,
    Layer,
    TileLayer,
)
from overhaul.gamemaker.recovery.code import gml_of
from overhaul.gamemaker.recovery.drafts import there
from overhaul.gamemaker.recovery.modern import rows
from overhaul.gamemaker.recovery.objects import assignments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.gamemaker.data.resources.code import Code
    from overhaul.gamemaker.data.resources.layers import Asset
    from overhaul.gamemaker.data.resources.objects import Instance
    from overhaul.gamemaker.data.resources.rooms import Room
    from overhaul.gamemaker.ide.values import Json
    from overhaul.gamemaker.recovery.modern import ModernDraft, ModernProjectDraft
    from overhaul.gamemaker.recovery.objects import Variables

_WHITE: Final = 0xFFFFFFFF
_ASSET_NAME: Final = re.compile(r"\w+\Z", re.A)
#: What the names of assets begin with, where a game has none; those of others are graphics.
_WORDS: Final = {"GMRTextItem": "text", "GMRParticleSystem": "particle"}
#: An empty cell in 2022.8 and later; before, the same bits as a number without a sign.
_EMPTY: Final = -(1 << 31)
#: Layers are so far apart.
_DEPTH: Final = 100
_CREATION: Final = "RoomCreationCode.gml"
#: Fewer equal cells are not worth a run.
_RUN: Final = 2


def add_rooms(draft: ModernDraft, variables: Variables) -> None:
    """Add the rooms of the game."""
    total = lost = 0
    for room in draft.game.rooms:
        total += 1
        lost += _Room(draft, room, variables).add()
    draft.count("rooms", total, total, lost)
    if total:
        draft.lost("the grids of layers, folders of layers, and the names of instances", "rooms")


class _Room:
    """A room on its way into a project."""

    def __init__(self, draft: ModernDraft, room: Room, variables: Variables) -> None:
        self.draft = draft
        self.room = room
        self.variables = variables
        self.path = draft.path_of("room", room.name)
        self.files: dict[str, Callable[[], bytes]] = {}
        self.is_lossy = False
        self.asset_names: set[str] = set()
        self.names: dict[int, str] = {}
        taken: Counter[int] = Counter()
        for each in there(room.instances):  # two may have one number
            place = (room.name, each.id, *([taken[each.id]] if taken[each.id] else ()))
            taken[each.id] += 1
            self.names[id(each.record)] = f"inst_{draft.short_id(*place)}"
        #: the depth that each layer has unless a person sets it, by the identity of its record
        self.depths = {
            id(layer.record): _DEPTH * place for place, layer in enumerate(there(room.layers))
        }
        #: the instances of each layer, by the identity of its record
        self.on_layer = self._sorted()

    def add(self) -> bool:
        """Add it; whether a part of it is lost."""
        room, draft = self.room, self.draft
        code = self._code(room.creation_code, _CREATION)
        members = room_members(
            draft,
            (room.width, room.height),
            [draft.place(self.names[id(each.record)], self.path) for each in there(room.instances)],
            persistent=room.persistent,
            views_enabled=room.views_enabled,
            clears_views=room.clear_view_background,
            physics=(
                room.physics_world, room.gravity_x, room.gravity_y, room.metres_per_pixel,
            ),
        )  # fmt: skip
        members |= {
            "views": rows([self._view(view) for view in self._views()]),
            "layers": rows([self._layer(layer) for layer in there(room.layers)]),
            "creationCodeFile": f"${{project_dir}}/{self._folder()}/{_CREATION}" if code else "",
        }
        draft.add("room", room.name, "GMRoom", members, self.files)
        return self.is_lossy

    def _sorted(self) -> dict[int, list[Instance]]:
        """The instances of each layer; those without one go to the first layer of instances."""
        left: dict[int, list[Instance]] = {}
        for each in there(self.room.instances):
            left.setdefault(each.id, []).append(each)
        layers = [layer for layer in there(self.room.layers) if isinstance(layer, InstanceLayer)]
        found: dict[int, list[Instance]] = {}
        for layer in layers:
            numbers = [number for number in layer.record.data.instances if left.get(number)]
            found[id(layer.record)] = [left[number].pop(0) for number in numbers if left[number]]
        others = [each for same in left.values() for each in same]
        if others and layers:
            found[id(layers[0].record)] += others
            message = f"{len(others)} instances without a layer are on {layers[0].name}"
            self.draft.findings.warn("approximated", message, self.path)
        elif others:
            self.is_lossy = True
            message = f"{len(others)} instances are left out, as no layer has instances"
            self.draft.findings.warn("left-out", message, self.path)
        return found

    def _folder(self) -> str:
        return self.path.rpartition("/")[0]

    def _code(self, code: Code | None, name: str, head: str = "") -> bool:
        """Add the source of code to the files of the room; whether there is any."""
        source = gml_of(self.draft, code, self.path)
        if code is not None and source is None:
            self.is_lossy = True
        text = head + (source or "")
        if text:
            self.files[name] = self.draft.source(text)
        return bool(text)

    def _views(self) -> list[dict[str, Json]]:
        made: list[dict[str, Json]] = []
        for view in there(self.room.views):
            made.append(
                {
                    "visible": view.enabled,
                    "xview": view.view_x,
                    "yview": view.view_y,
                    "wview": view.view_width,
                    "hview": view.view_height,
                    "xport": view.port_x,
                    "yport": view.port_y,
                    "wport": view.port_width,
                    "hport": view.port_height,
                    "hborder": view.border_x,
                    "vborder": view.border_y,
                    "hspeed": view.speed_x,
                    "vspeed": view.speed_y,
                    "objectId": self.draft.reference("object", view.follow),
                }
            )
        return made

    def _view(self, view: Mapping[str, Json]) -> Json:
        return self.draft.ordered({"inherit": False, **view}, "GMRoom.views[]")

    # -- layers ------------------------------------------------------------------------------------

    def _layer(self, layer: Layer) -> Json:
        has_effect = self.draft.game.release.at_least(2022, 1)
        effect = layer.effect_type if has_effect else ""
        members = layer_members(
            layer.depth,
            visible=layer.visible,
            is_own_depth=layer.depth != self.depths.get(id(layer.record)),
        )
        if has_effect:
            members |= {
                "effectEnabled": layer.effect_enabled,
                "effectType": effect or None,
                "properties": self._effect(layer),
            }
        kind, own = self._content(layer)
        members |= own
        if self.draft.style.letter == "B" and not self.draft.game.release.at_least(2022, 1):
            for key in ("effectEnabled", "effectType", "properties"):
                del members[key]
        return self.draft.record(kind, members, layer.name)

    def _effect(self, layer: Layer) -> list[Json]:
        made: list[Json] = []
        for each in getattr(layer.record, "effect_properties", None) or ():
            row: dict[str, Json] = {
                "type": int(each.kind), "name": str(each.name), "value": str(each.value),
            }  # fmt: skip
            made.append(self.draft.ordered(row))
        return made

    def _content(self, layer: Layer) -> tuple[str, dict[str, Json]]:
        """The class of a layer, and the members of its own."""
        if isinstance(layer, InstanceLayer):
            instances = [self._instance(each) for each in self.on_layer[id(layer.record)]]
            return "GMRInstanceLayer", {"instances": rows(instances)}
        if isinstance(layer, BackgroundLayer):
            return "GMRBackgroundLayer", self._background(layer)
        if isinstance(layer, TileLayer):
            return "GMRTileLayer", self._tiles(layer)
        if isinstance(layer, AssetLayer):
            return "GMRAssetLayer", {"assets": rows(self._assets(layer))}
        return "GMREffectLayer", {}

    def _background(self, layer: BackgroundLayer) -> dict[str, Json]:
        return {
            "spriteId": self.draft.reference("sprite", layer.sprite),
            "colour": int(layer.record.data.colour) & _WHITE,
            "x": round(layer.offset_x),
            "y": round(layer.offset_y),
            "htiled": layer.tile_horizontally,
            "vtiled": layer.tile_vertically,
            "hspeed": float(layer.speed_x),
            "vspeed": float(layer.speed_y),
            "stretch": layer.stretch,
            "animationFPS": float(layer.image_speed),
            "animationSpeedType": int(layer.speed_type),
            "userdefinedAnimFPS": layer.speed_type != SpeedType.FRAMES_PER_SECOND,
        }

    def _tiles(self, layer: TileLayer) -> dict[str, Json]:
        return {
            "tilesetId": self.draft.reference("tile_set", layer.tile_set),
            "x": round(layer.offset_x),
            "y": round(layer.offset_y),
            "tiles": tile_cells(self.draft, np.asarray(layer.tiles)),
        }

    # -- what stands on layers ---------------------------------------------------------------------

    def _instance(self, instance: Instance) -> Json:
        name = self.names[id(instance.record)]
        properties, head = self._properties(instance)
        has_code = self._code(instance.creation_code, f"InstanceCreationCode_{name}.gml", head)
        late = self.draft.game.release.at_least(2, 2, 2)
        members = instance_members(
            self.draft.reference("object", instance.object),
            (float(instance.x), float(instance.y)),
            (float(instance.scale_x), float(instance.scale_y)),
            float(instance.rotation),
            int(instance.record.colour) & _WHITE,
        )
        members |= {"properties": properties, "hasCreationCode": has_code}
        if late:
            members["imageIndex"] = round(instance.image_index)
            members["imageSpeed"] = float(instance.image_speed)
        return self.draft.record("GMRInstance", members, name)

    def _properties(self, instance: Instance) -> tuple[list[Json], str]:
        """The values that an instance gives to variable definitions; code for what else runs before
        it is created."""
        code = instance.pre_create_code
        if code is None:
            return [], ""
        source = gml_of(self.draft, code, self.path) or ""
        found = assignments(source)
        if found is None:
            message = "its variables are set at the head of its creation code"
            self.draft.findings.warn("approximated", message, f"{self.path}#{instance.id}")
            return [], source
        made: list[Json] = []
        left = ""
        for name, expression in found.items():
            owner = self.variables.owner(instance.object, name)
            if owner is None:
                left += f"{name} = {expression};\n"
            else:
                made.append(self.variables.override(owner, name, expression))
        return made, left

    def _assets(self, layer: AssetLayer) -> list[Json]:
        made: list[Json] = []
        for number, sprite in enumerate(layer.sprites):
            own: dict[str, Json] = {
                "spriteId": self.draft.reference("sprite", sprite.sprite),
                "headPosition": float(sprite.image_index),
                "animationSpeed": float(sprite.image_speed),
            }
            made.append(self._asset("GMRSpriteGraphic", layer, number, sprite, own))
        for number, tile in enumerate(layer.tiles):
            name = f"tile_{self.draft.short_id(self.room.name, layer.name, number)}"
            members = graphic_members(
                self.draft.reference("sprite", tile.sprite),
                (float(tile.x), float(tile.y)),
                (tile.width, tile.height),
                (tile.source_x, tile.source_y),
                int(tile.record.colour) & _WHITE,
            )
            made.append(self.draft.record("GMRGraphic", members, name))
        for number, text in enumerate(getattr(layer, "texts", None) or ()):
            own = {
                "fontId": self.draft.reference("font", text.font),
                "text": str(text.text or ""),
                "alignment": int(text.record.alignment),
                "charSpacing": float(text.character_spacing),
                "lineSpacing": float(text.line_spacing),
                "paragraphSpacing": float(getattr(text.record, "paragraph_spacing", 0.0)),
                "wrap": text.wrap,
                "frameW": float(text.frame_width),
                "frameH": float(text.frame_height),
                "xorigin": float(text.origin_x),
                "yorigin": float(text.origin_y),
            }
            made.append(self._asset("GMRTextItem", layer, number, text, own))
        for number, shown in enumerate(getattr(layer, "sequences", None) or ()):
            own = {
                "sequenceId": self.draft.reference("sequence", shown.sequence),
                "headPosition": float(shown.record.frame),
                "animationSpeed": float(shown.record.animation_speed),
            }
            made.append(self._asset("GMRSequenceGraphic", layer, number, shown, own))
        for number, system in enumerate(getattr(layer, "particle_systems", None) or ()):
            own = {
                "particleSystemId": self.draft.reference("particle_system", system.particle_system)
            }
            made.append(self._asset("GMRParticleSystem", layer, number, system, own))
        return made

    def _asset(
        self, kind: str, layer: Layer, number: int, asset: Asset, own: dict[str, Json]
    ) -> Json:
        name = str(asset.record.name or "")
        if not _ASSET_NAME.match(name) or name in self.asset_names:
            word = _WORDS.get(kind, "graphic")
            name = f"{word}_{self.draft.short_id(self.room.name, layer.name, kind, number)}"
        self.asset_names.add(name)
        members: dict[str, Json] = {
            "scaleX": float(asset.scale_x),
            "scaleY": float(asset.scale_y),
            "rotation": float(asset.rotation),
            "colour": int(asset.record.colour) & _WHITE,
            "inheritedItemId": None,
            "frozen": False,
            "ignore": False,
            "inheritItemSettings": False,
            "x": float(asset.x),
            "y": float(asset.y),
            **own,
        }
        return self.draft.record(kind, members, name)


def room_members(
    draft: ModernProjectDraft,
    size: tuple[int, int],
    order: Sequence[Json],
    *,
    persistent: bool,
    views_enabled: bool,
    clears_views: bool,
    physics: tuple[bool, float, float, float] = (False, 0.0, 10.0, 0.1),
) -> dict[str, Json]:
    """The members of a room but its layers and views: ``order`` are its instances as they are
    created, ``physics`` whether it has a world, the gravity, and metres per pixel."""
    world, gravity_x, gravity_y, metres = physics
    settings: dict[str, Json] = {
        "inheritRoomSettings": False,
        "Width": size[0],
        "Height": size[1],
        "persistent": persistent,
    }
    views: dict[str, Json] = {
        "inheritViewSettings": False,
        "enableViews": views_enabled,
        "clearViewBackground": clears_views,
        "clearDisplayBuffer": True,
    }
    physical: dict[str, Json] = {
        "inheritPhysicsSettings": False,
        "PhysicsWorld": world,
        "PhysicsWorldGravityX": float(gravity_x),
        "PhysicsWorldGravityY": float(gravity_y),
        "PhysicsWorldPixToMetres": float(metres),
    }
    return {
        "isDnd": False,
        "volume": 1.0,
        "parentRoom": None,
        "inheritLayers": False,
        "creationCodeFile": "",
        "inheritCode": False,
        "instanceCreationOrder": rows(order),
        "inheritCreationOrder": False,
        "sequenceId": None,
        "roomSettings": draft.ordered(settings, "GMRoom.roomSettings"),
        "viewSettings": draft.ordered(views, "GMRoom.viewSettings"),
        "physicsSettings": draft.ordered(physical, "GMRoom.physicsSettings"),
    }


def layer_members(
    depth: int, *, visible: bool = True, is_own_depth: bool = True
) -> dict[str, Json]:
    """The members that every layer has; ``is_own_depth``: a person chose the depth."""
    return {
        "visible": visible,
        "depth": depth,
        "userdefinedDepth": is_own_depth,
        "inheritLayerDepth": False,
        "inheritLayerSettings": False,
        "inheritVisibility": True,
        "inheritSubLayers": True,
        "gridX": 32,
        "gridY": 32,
        "layers": [],
        "hierarchyFrozen": False,
        "effectEnabled": True,
        "effectType": None,
        "properties": [],
    }


def instance_members(
    kind: Json,
    at: tuple[float, float],
    scale: tuple[float, float],
    rotation: float,
    colour: int,
) -> dict[str, Json]:
    """The members of an instance of an object."""
    return {
        "properties": [],
        "isDnd": False,
        "objectId": kind,
        "inheritCode": False,
        "hasCreationCode": False,
        "colour": colour,
        "rotation": rotation,
        "scaleX": scale[0],
        "scaleY": scale[1],
        "imageIndex": 0,
        "imageSpeed": 1.0,
        "inheritedItemId": None,
        "frozen": False,
        "ignore": False,
        "inheritItemSettings": False,
        "x": at[0],
        "y": at[1],
    }


def graphic_members(
    sprite: Json,
    at: tuple[float, float],
    size: tuple[int, int],
    source: tuple[int, int],
    colour: int,
    shown: tuple[int, int] | None = None,
) -> dict[str, Json]:
    """The members of a part of a sprite: its size, where it begins in the picture, and the size
    that it is shown in."""
    width, height = size if shown is None else shown
    return {
        "spriteId": sprite,
        "w": width,
        "h": height,
        "u0": source[0],
        "v0": source[1],
        "u1": source[0] + size[0],
        "v1": source[1] + size[1],
        "colour": colour,
        "inheritedItemId": None,
        "frozen": False,
        "ignore": False,
        "inheritItemSettings": False,
        "x": at[0],
        "y": at[1],
    }


def tile_cells(draft: ModernProjectDraft, words: NDArray[np.uint32]) -> Json:
    """The cells of a layer of tiles, by rows, as the release writes them."""
    cells = words.astype(np.int64)
    height, width = cells.shape if cells.ndim == 2 else (0, 0)
    is_late = draft.style.letter in ("C", "D")
    empty = _EMPTY if is_late else _EMPTY + (1 << 32)
    numbers = np.where(cells.ravel() == 0, empty, cells.ravel())
    tiles: dict[str, Json] = {"SerialiseWidth": width, "SerialiseHeight": height}
    if is_late:
        signed = np.where(numbers >= 1 << 31, numbers - (1 << 32), numbers)
        tiles |= {"TileCompressedData": rows(compressed(signed)), "TileDataFormat": 1}
    else:
        tiles["TileSerialiseData"] = rows(numbers.tolist())
    return draft.ordered(tiles, "GMRTileLayer.tiles")


def compressed(cells: Sequence[int] | NDArray[np.int64]) -> list[int]:
    """Cells as the editor compresses them: ``-n, v`` for n equal ones, else ``n, v1, ...``."""
    values = np.asarray(cells, np.int64)
    if not values.size:
        return []
    starts = np.flatnonzero(np.diff(values, prepend=values[0] - 1))
    lengths = np.diff(starts, append=values.size)
    made: list[int] = []
    single: list[int] = []
    for value, length in zip(values[starts].tolist(), lengths.tolist(), strict=True):
        if length < _RUN:
            single.append(value)
            continue
        if single:
            made += (len(single), *single)
            single = []
        made += (-length, value)
    if single:
        made += (len(single), *single)
    return made
