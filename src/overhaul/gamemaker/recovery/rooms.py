"""Rooms with their layers, instances and tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overhaul.gamemaker.data.chunks.room import RoomFlags
from overhaul.gamemaker.data.chunks.seqn import SpeedType
from overhaul.gamemaker.data.resources.layers import (
    Asset,
    AssetLayer,
    BackgroundLayer,
    InstanceLayer,
    Layer,
    TileLayer,
)
from overhaul.gamemaker.data.resources.objects import Instance
from overhaul.gamemaker.data.resources.rooms import Room
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.drafts import there
from overhaul.gamemaker.recovery.modern import ModernDraft, ModernProjectDraft, rows
from overhaul.gamemaker.recovery.objects import Variables
from overhaul.gamemaker.recovery.placed import WHITE, Placed, graphic_members

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
        self.path = draft.path_of("room", room.name)
        self.placed = Placed(draft, variables, self.path, room.name)
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
        code = self.placed.code(room.creation_code, _CREATION)
        members = room_members(
            draft,
            (room.width, room.height),
            [draft.place(self.names[id(each.record)], self.path) for each in there(room.instances)],
            persistent=room.persistent,
            views_enabled=room.views_enabled,
            clears_views=room.clear_view_background,
            clears_display=not int(room.record.flags) & RoomFlags.KEEP_DISPLAY_BUFFER,
            physics=(
                room.physics_world, room.gravity_x, room.gravity_y, room.metres_per_pixel,
            ),
        )  # fmt: skip
        members |= {
            "views": rows([self._view(view) for view in self._views()]),
            "layers": rows([self._layer(layer) for layer in there(room.layers)]),
            "creationCodeFile": f"${{project_dir}}/{self._folder()}/{_CREATION}" if code else "",
        }
        draft.add("room", room.name, "GMRoom", members, self.placed.files)
        return self.placed.is_lossy

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
            self.placed.is_lossy = True
            message = f"{len(others)} instances are left out, as no layer has instances"
            self.draft.findings.warn("left-out", message, self.path)
        return found

    def _folder(self) -> str:
        return self.path.rpartition("/")[0]

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
            instances = self.on_layer[id(layer.record)]
            return "GMRInstanceLayer", {"instances": rows([*map(self._instance, instances)])}
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
            "colour": int(layer.record.data.colour) & WHITE,
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
        return self.draft.record("GMRInstance", self.placed.instance(instance, name), name)

    def _assets(self, layer: AssetLayer) -> list[Json]:
        made: list[Json] = []
        placed = self.placed

        def add(kind: str, number: int, asset: Asset, members: dict[str, Json]) -> None:
            name = placed.name(asset, kind, layer.name, kind, number)
            made.append(self.draft.record(kind, members, name))

        for number, sprite in enumerate(layer.sprites):
            add("GMRSpriteGraphic", number, sprite, placed.sprite(sprite))
        for number, tile in enumerate(layer.tiles):
            name = f"tile_{self.draft.short_id(self.room.name, layer.name, number)}"
            members = graphic_members(
                self.draft.reference("sprite", tile.sprite),
                (float(tile.x), float(tile.y)),
                (tile.width, tile.height),
                (tile.source_x, tile.source_y),
                int(tile.record.colour) & WHITE,
            )
            made.append(self.draft.record("GMRGraphic", members, name))
        for number, text in enumerate(getattr(layer, "texts", None) or ()):
            add("GMRTextItem", number, text, placed.text(text))
        for number, shown in enumerate(getattr(layer, "sequences", None) or ()):
            add("GMRSequenceGraphic", number, shown, placed.sequence(shown))
        for number, system in enumerate(getattr(layer, "particle_systems", None) or ()):
            add("GMRParticleSystem", number, system, placed.particles(system))
        return made


def room_members(
    draft: ModernProjectDraft,
    size: tuple[int, int],
    order: Sequence[Json],
    *,
    persistent: bool,
    views_enabled: bool,
    clears_views: bool,
    clears_display: bool,
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
        "clearDisplayBuffer": clears_display,
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
