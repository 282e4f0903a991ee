"""The changes that a map makes in a room: layers, instances, sprites and single tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import PlainFileError
from overhaul.findings import Findings
from overhaul.gamemaker.data.chunks.room import Instance as InstanceRecord
from overhaul.gamemaker.data.chunks.room import SpriteInstance
from overhaul.gamemaker.data.chunks.room import Tile as TileRecord
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.resources.fields import Colour
from overhaul.gamemaker.data.resources.layers import (
    AssetLayer,
    BackgroundLayer,
    InstanceLayer,
    SpriteAsset,
    TileLayer,
)
from overhaul.gamemaker.data.resources.layers import Layer as RoomLayer
from overhaul.gamemaker.data.resources.objects import GameObject, Instance
from overhaul.gamemaker.data.resources.room_parts import Tile
from overhaul.gamemaker.data.resources.rooms import Room
from overhaul.gamemaker.tiled.exporting import gids, spread, words_of
from overhaul.gamemaker.tiled.model import Layer, MapObject, TiledPicture, same
from overhaul.gamemaker.tiled.rooms import INSTANCES, Frames, tile_lists

T = TypeVar("T")

#: the surface of what an object of a map stands for
Surface = Instance | SpriteAsset | Tile

#: its record
Shown = InstanceRecord | SpriteInstance | TileRecord


class ObjectChanges:
    """Carries changed, new, moved and removed objects over to a room."""

    def __init__(self, room: Room, path: str, findings: Findings) -> None:
        self.room = room
        self.game: CodeModel = room.game
        self.path = path
        self.findings = findings
        self.old: bool = room.game.release.major < 2
        self.frames: Frames = Frames(room.game)

    def _fail(self, object_: MapObject, message: str) -> PlainFileError:
        return PlainFileError(message, self.path, f"object {object_.number}", object_.line)

    def apply(self, before: Sequence[Layer], now: Sequence[tuple[Layer, RoomLayer | None]]) -> bool:
        """Change the room; whether anything changed."""
        records = self._records(before)
        matched = self._matches(before, [layer for layer, _ in now])
        changed = False
        lists: list[tuple[Layer, RoomLayer | None, list[Shown]]] = []
        for layer, target in now:
            if layer.kind != "objects":
                continue
            kept: list[Shown] = []
            for object_ in layer.objects:
                self._check_home(layer, target, object_)
                old = matched.get(id(object_))
                if old is None:
                    kept.append(self._add(layer, target, object_))
                    changed = True
                else:
                    kept.append(records[id(old)])
                    changed |= self._change(old, object_, self._surface(kept[-1]))
            lists.append((layer, target, kept))
        return self._arrange(before, records, lists) or changed

    # -- matching ---------------------------------------------------------------------------

    def _records(self, before: Sequence[Layer]) -> dict[int, Shown]:
        """The record of each object of the room's own map."""
        here: dict[int | None, InstanceRecord] = {
            instance.id: instance for instance in self.room.record.instances if instance is not None
        }
        records: dict[int, Shown] = {}
        for layer in before:
            sprites, tiles = tile_lists(self.room.record, layer)
            for object_ in layer.objects:
                if object_.picture.kind == "object":
                    records[id(object_)] = here[object_.id]
                else:
                    held = sprites if object_.picture.kind == "sprite" else tiles
                    records[id(object_)] = held[object_.id or 0]
        return records

    def _matches(self, before: Sequence[Layer], now: Sequence[Layer]) -> dict[int, MapObject]:
        """The object_ that each of the map's was; none for new ones, and for copies."""
        free = {(t.number, t.id, t.picture.kind): t for layer in before for t in layer.objects}
        matched: dict[int, MapObject] = {}
        left: list[tuple[Layer, MapObject]] = []
        for layer in now:
            for object_ in layer.objects:
                old = free.pop((object_.number, object_.id, object_.picture.kind), None)
                if old is None:
                    left.append((layer, object_))
                else:
                    matched[id(object_)] = old
        # other tools renumber objects: then the room's own ids decide
        homes = {id(t): layer.id for layer in before for t in layer.objects}
        by_id = {(t.id, t.picture.kind, homes[id(t)]): t for t in free.values()}
        for layer, object_ in left:
            home = layer.id if object_.picture.kind != "object" else None
            for key in by_id:
                if key[:2] == (object_.id, object_.picture.kind) and home in (None, key[2]):
                    matched[id(object_)] = by_id.pop(key)
                    break
        return matched

    def _surface(self, record: Shown) -> Surface:
        room = self.room.record
        if isinstance(record, InstanceRecord):
            return Instance(self.game, room, record)
        if isinstance(record, SpriteInstance):
            return SpriteAsset(self.game, room, record)
        return Tile(self.game, room, record)

    def _check_home(self, layer: Layer, target: RoomLayer | None, object_: MapObject) -> None:
        kind = object_.picture.kind
        if self.old:
            fits = (kind == "object") == (layer.name == INSTANCES)
        else:
            fits = isinstance(target, InstanceLayer) == (kind == "object")
        if not fits or not (self.old or isinstance(target, (InstanceLayer, AssetLayer))):
            word = {"object": "an instance", "sprite": "a sprite"}.get(kind, "a single tile")
            raise self._fail(object_, f"{word} can't be on the layer {layer.name!r}")
        if not object_.visible:
            raise self._fail(
                object_, "objects hidden in Tiled are not hidden in a room: delete them"
            )
        if object_.name and kind != "sprite":
            raise self._fail(object_, f"the name {object_.name[:40]!r} means nothing in a room")
        if kind == "part" and object_.rotation:
            raise self._fail(object_, "single tiles can't be turned")

    # -- new and changed ------------------------------------------------------------------------

    def _add(self, layer: Layer, target: RoomLayer | None, object_: MapObject) -> Shown:
        picture = object_.picture
        surface: Surface
        try:
            if picture.kind == "object":
                kind = GameObject(self.game, self.game.records.objects[picture.number])
                surface = self.room.instances.add(kind, 0, 0, layer=target)
            elif picture.kind == "sprite" and isinstance(target, AssetLayer):
                name = str(self.game.records.sprites[picture.number].name)
                surface = target.add_sprite(name, 0, 0, object_.name)
            else:
                tiles = target.tiles if isinstance(target, AssetLayer) else self.room.tiles
                records = self.game.records
                shown = records.backgrounds if self.old else records.sprites
                depth = layer.id or 0 if self.old else 0
                name = str(shown[picture.number].name)
                surface = tiles.add(name, 0, 0, source=picture.source, depth=depth)
            frame = self.frames.of(picture)
            if not object_.width or not object_.height:
                object_.width, object_.height = frame.width, frame.height
            place = object_.place(frame)
            surface.x, surface.y = round(place.x), round(place.y)
            surface.scale_x, surface.scale_y = place.scale_x, place.scale_y
            if not isinstance(surface, Tile):
                surface.rotation = place.angle
            for name, value in object_.properties.items():
                self._property(surface, name, value)
        except (ValueError, TypeError, KeyError) as error:
            raise self._fail(object_, str(error.args[0])) from None
        return surface.record

    def _change(self, before: MapObject, now: MapObject, surface: Surface) -> bool:
        try:
            return any(
                [
                    self._geometry(before, now, surface),
                    *(
                        self._property(surface, name, now.properties.get(name))
                        for name in sorted({*before.properties, *now.properties})
                        if _differ(before.properties.get(name), now.properties.get(name))
                    ),
                    self._rename(before, now, surface),
                ]
            )
        except (ValueError, TypeError, KeyError) as error:
            raise self._fail(now, str(error.args[0])) from None

    def _rename(self, before: MapObject, now: MapObject, surface: Surface) -> bool:
        if now.name == before.name or not isinstance(surface, SpriteAsset):
            return False
        surface.name = now.name
        return True

    def _geometry(self, before: MapObject, now: MapObject, surface: Surface) -> bool:
        shown = now.picture != before.picture
        wide = not same(now.width, before.width) or now.mirrored != before.mirrored
        high = not same(now.height, before.height) or now.flipped != before.flipped
        turned = not same(now.rotation, before.rotation)
        moved = not same(now.x, before.x) or not same(now.y, before.y)
        if shown:
            self._show(surface, now.picture)
        if shown or wide or high or turned:
            place = now.place(self.frames.of(now.picture))
            if turned and not isinstance(surface, Tile):
                surface.rotation = place.angle
            if wide or shown:
                surface.scale_x = place.scale_x
            if high or shown:
                surface.scale_y = place.scale_y
            self._move(now, surface, place.x, place.y)
        elif moved:
            x, y = surface.x + now.x - before.x, surface.y + now.y - before.y
            self._move(now, surface, x, y)
        return shown or wide or high or turned or moved

    def _move(self, object_: MapObject, surface: Surface, x: float, y: float) -> None:
        if not same(x, round(x)) or not same(y, round(y)):
            self.findings.warn(
                "approximated",
                f"{x:g}, {y:g} is not a whole pixel (now {round(x)}, {round(y)})",
                self.path,
                f"object {object_.number}",
                object_.line,
            )
        surface.x, surface.y = round(x), round(y)

    def _show(self, surface: Surface, picture: TiledPicture) -> None:
        records = self.game.records
        if isinstance(surface, Instance):
            surface.object = GameObject(self.game, records.objects[picture.number])
        elif isinstance(surface, SpriteAsset):
            surface.sprite = records.sprites[picture.number].name
        else:
            shown = records.backgrounds if self.old else records.sprites
            name = "background" if self.old else "sprite"
            setattr(surface, name, shown[picture.number].name)
            surface.source_x, surface.source_y, surface.width, surface.height = picture.source

    def _property(self, surface: Surface, name: str, value: str | None) -> bool:
        """Set a property, or what it is without."""
        if name == "colour":
            surface.colour = colour_of(value or "#ffffff")
            return True
        usual = {"image_index": 0.0, "image_speed": 1.0}[name]
        number = usual if value is None else float(value)
        if isinstance(surface, Instance) and name == "image_index" and number.is_integer():
            surface.image_index = int(number)
        elif isinstance(surface, Tile) or not hasattr(type(surface), name):
            raise ValueError(f"{name} means nothing here")
        else:
            setattr(surface, name, number)
        return True

    # -- lists ----------------------------------------------------------------------------------

    def _arrange(
        self,
        before: Sequence[Layer],
        records: dict[int, Shown],
        lists: list[tuple[Layer, RoomLayer | None, list[Shown]]],
    ) -> bool:
        """Bring what is listed where into the order of the map; whether anything changed."""
        kept = {id(record) for _, _, members in lists for record in members}
        gone = [record for record in records.values() if id(record) not in kept]
        own = {id(instance) for instance in self.room.record.instances}
        for record in gone:
            if isinstance(record, InstanceRecord) and id(record) in own:
                self.room.instances.remove(Instance(self.game, self.room.record, record))
        changed = bool(gone)
        shown = {id(record) for record in records.values()} | kept
        if self.old:
            for layer, _, members in lists:
                if layer.name == INSTANCES:
                    instances = [member for member in members if isinstance(member, InstanceRecord)]
                    changed |= _order(self.room.record.instances, instances)
                    continue
                tiles = [member for member in members if isinstance(member, TileRecord)]
                for tile in tiles:
                    changed |= tile.depth != layer.id
                    tile.depth = layer.id or 0
                changed |= _order(self.room.record.tiles, tiles)
            held = self.room.record.tiles
            held[:] = [record for record in held if id(record) in kept or id(record) not in shown]
            return changed
        for _, target, members in lists:
            if isinstance(target, InstanceLayer):
                numbers = target.record.data.instances
                wanted = [member.id for member in members if isinstance(member, InstanceRecord)]
                known = {record.id for record in self.room.record.instances}
                ours = {r.id for r in records.values() if isinstance(r, InstanceRecord)}
                ours |= set(wanted)
                others = [n for n in numbers if n not in known or n not in ours]
                if [n for n in numbers if n in known and n in ours] != wanted:
                    numbers[:] = [*wanted, *others]
                    changed = True
            elif isinstance(target, AssetLayer):
                data = target.record.data
                for held, is_sprite in ((data.sprites, True), (data.tiles, False)):
                    listed = [
                        member for member in members if hasattr(member, "rotation") == is_sprite
                    ]
                    others = [record for record in held if id(record) not in shown]
                    if [id(e) for e in held if id(e) in shown] != [id(e) for e in listed]:
                        held[:] = [*listed, *others]
                        changed = True
        return changed


def _order(held: list[T], members: list[T]) -> bool:
    """Put the members of a list into their order, in the places they have together."""
    wanted = {id(member) for member in members}
    places = [place for place, record in enumerate(held) if id(record) in wanted]
    if [id(held[place]) for place in places] == [id(member) for member in members]:
        return False
    for place, record in zip(places, members, strict=True):
        held[place] = record
    return True


def _differ(one: str | None, two: str | None) -> bool:
    """Whether two values of a property differ, numbers as numbers."""
    if one is None or two is None:
        return one != two
    try:
        return not same(float(one), float(two))
    except ValueError:
        return one != two


#: the values that a layer of each kind may have; others must not change
_MAY = {
    TileLayer: {"name", "visible", "offset_x", "offset_y", "depth", "cells"},
    InstanceLayer: {"name", "visible", "depth"},
    AssetLayer: {"name", "visible", "offset_x", "offset_y", "depth"},
    BackgroundLayer: {
        "name", "visible", "offset_x", "offset_y", "depth", "tint", "opacity", "repeat_x",
        "repeat_y", "image", "colour", "stretch",
    },
}  # fmt: skip
#: what a background of a room before GameMaker 2 may say
_BACKGROUND = {"visible", "offset_x", "offset_y", "repeat_x", "repeat_y", "image"}
_WORDS = {"offset_x": "offset", "offset_y": "offset", "repeat_x": "repeat", "repeat_y": "repeat"}


class LayerChanges:
    """Carries the changed attributes of layers over to a room."""

    def __init__(self, room: Room, path: str) -> None:
        self.room = room
        self.path = path
        self.old: bool = room.game.release.major < 2
        self._of: dict[int, RoomLayer] = {}

    def of(self, layer: Layer) -> RoomLayer | None:
        """The layer of the room that a layer of its own map stands for."""
        if self.old:
            return None
        if id(layer) in self._of:
            return self._of[id(layer)]
        candidates = (candidate for candidate in self.room.layers if candidate.id == layer.id)
        return next((candidate for candidate in candidates if _kind(candidate) == layer.kind), None)

    def depth(self, layer: Layer) -> int:
        """The depth a layer states.  Raises PlainFileError."""
        text = layer.properties.get("depth", "")
        try:
            return int(text)
        except ValueError:
            raise self._fail(layer, f"depth: expected a whole number, got {text!r}") from None

    def _fail(self, layer: Layer, message: str) -> PlainFileError:
        return PlainFileError(message, self.path, layer.name, layer.line)

    def add(self, now: Layer, depth: int) -> Layer:
        """Add a layer that only the map has; returns the layer of the room's own map."""
        kinds = {"tiles": "tiles", "image": "background"}
        shown = {object_.picture.kind for object_ in now.objects}
        kind = kinds.get(now.kind, "assets" if shown & {"sprite", "part"} else "instances")
        name, number = now.name or kind, 2
        while name in self.room.layers:
            name, number = f"{now.name or kind} {number}", number + 1
        now.name = name
        made = self.room.layers.add(name, kind, depth)
        before = Layer(now.kind, made.id, name, properties={"depth": str(depth)})
        if isinstance(made, TileLayer):
            before.cells, before.tile_set, before.step = np.zeros((0, 0), np.uint32), None, now.step
        if isinstance(made, BackgroundLayer):
            before.properties |= {"colour": "#ffffff"}
            if now.image is not None:
                now.properties = {"colour": "#ffffff", "stretch": "false"} | now.properties
                before.properties["stretch"] = "false"
            else:
                now.properties = {"colour": "#ffffff"} | now.properties
        self._of[id(before)] = made
        self.change(before, now)
        return before

    def change(self, before: Layer, now: Layer) -> bool:
        """Change a layer of the room as the map says; whether anything changed."""
        layer = self.of(before)
        changes = self._differences(before, now)
        if layer is not None:
            allowed = _MAY[type(layer)]
        else:
            allowed = _BACKGROUND if before.kind == "image" else set()
        for name in changes:
            if name not in allowed:
                word = _WORDS.get(name, name)
                raise self._fail(now, f"the {word} of this layer can't be changed in a room")
        try:
            for name in changes:
                self._set(layer, before, now, name)
        except (ValueError, TypeError, KeyError) as error:
            raise self._fail(now, str(error.args[0])) from None
        return bool(changes)

    def _differences(self, before: Layer, now: Layer) -> list[str]:
        changes = [
            name
            for name in ("name", "visible", "tint", "repeat_x", "repeat_y", "image")
            if getattr(before, name) != getattr(now, name)
        ]
        changes += [
            name
            for name in ("offset_x", "offset_y", "opacity")
            if not same(getattr(before, name), getattr(now, name))
        ]
        names = sorted({*before.properties, *now.properties})
        changes += [n for n in names if before.properties.get(n) != now.properties.get(n)]
        if before.kind == "tiles" and self._cells(before, now) is not None:
            changes.append("cells")
        return changes

    def _set(self, layer: RoomLayer | None, before: Layer, now: Layer, name: str) -> None:
        if layer is None:
            self._set_background(before, now, name)
        elif name == "depth":
            layer.depth = self.depth(now)
        elif name == "cells":
            self._set_cells(layer, before, now)
        elif name in ("name", "visible", "offset_x", "offset_y"):
            setattr(layer, name, getattr(now, name))
        elif isinstance(layer, BackgroundLayer):
            self._set_image(layer, now, name)

    def _set_background(self, before: Layer, now: Layer, name: str) -> None:
        shown = self.room.backgrounds[before.id or 0]
        if name == "image":
            if now.image is None:
                raise ValueError("image: a background has to have a picture")
            shown.background = self.room.game.records.backgrounds[now.image.number].name
        else:
            fields = {"visible": "enabled", "offset_x": "x", "offset_y": "y"}
            fields |= {"repeat_x": "tile_x", "repeat_y": "tile_y"}
            value = getattr(now, name)
            setattr(shown, fields[name], round(value) if name.startswith("offset") else value)

    def _set_image(self, layer: BackgroundLayer, now: Layer, name: str) -> None:
        if name == "image":
            records = self.room.game.records.sprites
            layer.sprite = None if now.image is None else records[now.image.number].name
        elif name in ("tint", "opacity"):
            parts = Colour.of(now.tint or "#ffffff")
            if not 0 <= now.opacity <= 1:
                raise ValueError(f"opacity: expected a number from 0 to 1, got {now.opacity:g}")
            layer.colour = Colour(*parts[:3], round(now.opacity * 255))
        elif name == "colour":
            if now.image is None:
                layer.colour = colour_of(now.properties.get("colour", "#ffffff"))
        elif name == "stretch":
            layer.stretch = now.properties.get("stretch") == "true"
        else:
            words = {"repeat_x": "tile_horizontally", "repeat_y": "tile_vertically"}
            setattr(layer, words[name], getattr(now, name))

    # -- tiles ----------------------------------------------------------------------------------

    def _cells(self, before: Layer, now: Layer) -> NDArray[np.uint32] | None:
        """The words of a changed tile layer; None where nothing changed."""
        if before.cells is None or now.cells is None:
            return None
        tile_set = before.tile_set if now.tile_set is None else now.tile_set
        step = before.step if now.tile_set in (None, before.tile_set) else now.step
        rows, columns = now.cells.shape
        if rows % step[1] or columns % step[0]:
            raise self._fail(
                now, f"the size is not a multiple of its tiles' ({step[0]} x {step[1]})"
            )
        cells = now.cells[step[1] - 1 :: step[1], :: step[0]]
        if not np.array_equal(spread(cells, step), now.cells):
            row, column = np.argwhere(spread(cells, step) != now.cells)[0]
            raise self._fail(
                now, f"the tile at column {column}, row {row} is not on the grid of its tiles"
            )
        if tile_set != before.tile_set:
            return cells
        count = 0 if tile_set is None else self._count(tile_set)
        shown = words_of(gids(before.cells, 1, count), 1)
        if cells.shape == shown.shape:
            if np.array_equal(cells, shown):
                return None
            # an unchanged cell keeps its word, with all its bits
            return np.where(cells == shown, before.cells, cells).astype(np.uint32)
        return cells

    def _count(self, tile_set: int) -> int:
        return self.room.game.records.backgrounds[tile_set].tile_count

    def _set_cells(self, layer: RoomLayer, before: Layer, now: Layer) -> None:
        cells = self._cells(before, now)
        if not isinstance(layer, TileLayer) or cells is None:
            return
        if now.tile_set is not None and now.tile_set != before.tile_set:
            layer.tile_set = self.room.game.records.backgrounds[now.tile_set].name
        data = layer.record.data
        if cells.shape == (data.height, data.width):
            layer.tiles[...] = cells
        else:
            layer.tiles = cells


def colour_of(text: str) -> Colour:
    """A colour that Tiled writes as ``#rrggbb`` or ``#aarrggbb``."""
    if len(text) == 9:
        return Colour.of(f"#{text[3:]}{text[1:3]}")
    return Colour.of(text)


def _kind(layer: RoomLayer) -> str:
    kinds: dict[type[RoomLayer], str] = {TileLayer: "tiles", BackgroundLayer: "image"}
    return kinds.get(type(layer), "objects")
