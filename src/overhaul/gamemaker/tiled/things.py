"""What a map changes in the instances, sprites and single tiles of a room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from overhaul.errors import PlainFileError
from overhaul.gamemaker.data.chunks.room import Instance as InstanceRecord
from overhaul.gamemaker.data.chunks.room import SpriteInstance
from overhaul.gamemaker.data.chunks.room import Tile as TileRecord
from overhaul.gamemaker.data.resources.layers import AssetLayer, InstanceLayer, SpriteAsset
from overhaul.gamemaker.data.resources.layers import Layer as RoomLayer
from overhaul.gamemaker.data.resources.objects import GameObject, Instance
from overhaul.gamemaker.data.resources.room_parts import Tile
from overhaul.gamemaker.tiled.layers import colour_of
from overhaul.gamemaker.tiled.model import Layer, Picture, Thing, same
from overhaul.gamemaker.tiled.rooms import INSTANCES, Frames, tile_lists

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.gamemaker.data.resources.rooms import Room

T = TypeVar("T")

#: the surface of what a thing stands for
Surface = Instance | SpriteAsset | Tile

#: its record
Shown = InstanceRecord | SpriteInstance | TileRecord


class ThingChanges:
    """Carries changed, new, moved and removed things over to a room."""

    def __init__(self, room: Room, path: str, warnings: list[str]) -> None:
        self.room = room
        self.game: CodeModel = room.game
        self.path = path
        self.warnings = warnings
        self.old: bool = room.game.release.major < 2
        self.frames: Frames = Frames(room.game)

    def _fail(self, thing: Thing, message: str) -> PlainFileError:
        return PlainFileError(message, self.path, f"object {thing.number}", thing.line)

    def apply(self, before: Sequence[Layer], now: Sequence[tuple[Layer, RoomLayer | None]]) -> bool:
        """Change the room; whether anything changed."""
        records = self._records(before)
        matched = self._matches(before, [layer for layer, _ in now])
        changed = False
        lists: list[tuple[Layer, RoomLayer | None, list[Shown]]] = []
        for layer, target in now:
            if layer.kind != "things":
                continue
            kept: list[Shown] = []
            for thing in layer.things:
                self._check_home(layer, target, thing)
                old = matched.get(id(thing))
                record = None if old is None else records.get(id(old))
                if old is None or record is None:
                    record = self._add(layer, target, thing)
                    changed = True
                else:
                    changed |= self._change(old, thing, self._surface(record))
                kept.append(record)
            lists.append((layer, target, kept))
        return self._arrange(before, records, lists) or changed

    # -- what is what ---------------------------------------------------------------------------

    def _records(self, before: Sequence[Layer]) -> dict[int, Shown | None]:
        """The record of each thing of the room's own map."""
        here: dict[int | None, InstanceRecord] = {
            each.id: each for each in self.room.record.instances if each is not None
        }
        found: dict[int, Shown | None] = {}
        for layer in before:
            sprites, tiles = tile_lists(self.room.record, layer)
            for thing in layer.things:
                if thing.picture.kind == "object":
                    found[id(thing)] = here.get(thing.id)
                else:
                    held = sprites if thing.picture.kind == "sprite" else tiles
                    found[id(thing)] = held[thing.id or 0]
        return found

    def _matches(self, before: Sequence[Layer], now: Sequence[Layer]) -> dict[int, Thing]:
        """The thing that each of the map's was; none for new ones, and for copies."""
        free = {(t.number, t.id, t.picture.kind): t for layer in before for t in layer.things}
        matched: dict[int, Thing] = {}
        left: list[tuple[Layer, Thing]] = []
        for layer in now:
            for thing in layer.things:
                old = free.pop((thing.number, thing.id, thing.picture.kind), None)
                if old is None:
                    left.append((layer, thing))
                else:
                    matched[id(thing)] = old
        # other tools number anew: then what the room calls it decides
        homes = {id(t): layer.id for layer in before for t in layer.things}
        by_id = {(t.id, t.picture.kind, homes[id(t)]): t for t in free.values()}
        for layer, thing in left:
            home = layer.id if thing.picture.kind != "object" else None
            for key in by_id:
                if key[:2] == (thing.id, thing.picture.kind) and home in (None, key[2]):
                    matched[id(thing)] = by_id.pop(key)
                    break
        return matched

    def _surface(self, record: Shown) -> Surface:
        room = self.room.record
        if isinstance(record, InstanceRecord):
            return Instance(self.game, room, record)
        if isinstance(record, SpriteInstance):
            return SpriteAsset(self.game, room, record)
        return Tile(self.game, room, record)

    def _check_home(self, layer: Layer, target: RoomLayer | None, thing: Thing) -> None:
        kind = thing.picture.kind
        if self.old:
            fits = (kind == "object") == (layer.name == INSTANCES)
        else:
            fits = isinstance(target, InstanceLayer) == (kind == "object")
        if not fits or not (self.old or isinstance(target, (InstanceLayer, AssetLayer))):
            word = {"object": "an instance", "sprite": "a sprite"}.get(kind, "a single tile")
            raise self._fail(thing, f"{word} can't be on the layer {layer.name!r}")
        if not thing.visible:
            raise self._fail(thing, "what is hidden in Tiled is not hidden in a room: delete it")
        if thing.name and kind != "sprite":
            raise self._fail(thing, f"the name {thing.name[:40]!r} means nothing in a room")
        if kind == "part" and thing.rotation:
            raise self._fail(thing, "single tiles can't be turned")

    # -- new and changed ------------------------------------------------------------------------

    def _add(self, layer: Layer, target: RoomLayer | None, thing: Thing) -> Shown:
        picture = thing.picture
        surface: Surface
        try:
            if picture.kind == "object":
                kind = GameObject(self.game, self.game.records.objects[picture.number])
                surface = self.room.instances.add(kind, 0, 0, layer=target)
            elif picture.kind == "sprite" and isinstance(target, AssetLayer):
                name = str(self.game.records.sprites[picture.number].name)
                surface = target.add_sprite(name, 0, 0, thing.name)
            else:
                tiles = target.tiles if isinstance(target, AssetLayer) else self.room.tiles
                records = self.game.records
                shown = records.backgrounds if self.old else records.sprites
                depth = layer.id or 0 if self.old else 0
                name = str(shown[picture.number].name)
                surface = tiles.add(name, 0, 0, source=picture.source, depth=depth)
            frame = self.frames.of(picture)
            if not thing.width or not thing.height:
                thing.width, thing.height = frame.width, frame.height
            place = thing.place(frame)
            surface.x, surface.y = round(place.x), round(place.y)
            surface.scale_x, surface.scale_y = place.scale_x, place.scale_y
            if not isinstance(surface, Tile):
                surface.rotation = place.angle
            for name, value in thing.properties.items():
                self._property(surface, name, value)
        except (ValueError, TypeError, KeyError) as error:
            raise self._fail(thing, str(error.args[0])) from None
        return surface.record

    def _change(self, before: Thing, now: Thing, surface: Surface) -> bool:
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

    def _rename(self, before: Thing, now: Thing, surface: Surface) -> bool:
        if now.name == before.name or not isinstance(surface, SpriteAsset):
            return False
        surface.name = now.name
        return True

    def _geometry(self, before: Thing, now: Thing, surface: Surface) -> bool:
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

    def _move(self, thing: Thing, surface: Surface, x: float, y: float) -> None:
        if not same(x, round(x)) or not same(y, round(y)):
            self.warnings.append(
                f"{self.path}:{thing.line}: object {thing.number}: {x:g}, {y:g} is no whole pixel "
                f"(now {round(x)}, {round(y)})"
            )
        surface.x, surface.y = round(x), round(y)

    def _show(self, surface: Surface, picture: Picture) -> None:
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
        records: dict[int, Shown | None],
        lists: list[tuple[Layer, RoomLayer | None, list[Shown]]],
    ) -> bool:
        """Bring what is listed where into the order of the map; whether anything changed."""
        kept = {id(record) for _, _, members in lists for record in members}
        gone = [each for each in records.values() if each is not None and id(each) not in kept]
        own = {id(each) for each in self.room.record.instances}
        for record in gone:
            if isinstance(record, InstanceRecord) and id(record) in own:
                self.room.instances.remove(Instance(self.game, self.room.record, record))
        changed = bool(gone)
        shown = {id(each) for each in records.values()} | kept
        if self.old:
            for layer, _, members in lists:
                if layer.name == INSTANCES:
                    instances = [each for each in members if isinstance(each, InstanceRecord)]
                    changed |= _order(self.room.record.instances, instances)
                    continue
                tiles = [each for each in members if isinstance(each, TileRecord)]
                for tile in tiles:
                    changed |= tile.depth != layer.id
                    tile.depth = layer.id or 0
                changed |= _order(self.room.record.tiles, tiles)
            held = self.room.record.tiles
            held[:] = [each for each in held if id(each) in kept or id(each) not in shown]
            return changed
        for _, target, members in lists:
            if isinstance(target, InstanceLayer):
                numbers = target.record.data.instances
                wanted = [each.id for each in members if isinstance(each, InstanceRecord)]
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
                    listed = [each for each in members if hasattr(each, "rotation") == is_sprite]
                    others = [each for each in held if id(each) not in shown]
                    if [id(e) for e in held if id(e) in shown] != [id(e) for e in listed]:
                        held[:] = [*listed, *others]
                        changed = True
        return changed


def _order(held: list[T], members: list[T]) -> bool:
    """Put the members of a list into their order, in the places they have together."""
    wanted = {id(each) for each in members}
    places = [place for place, each in enumerate(held) if id(each) in wanted]
    if [id(held[place]) for place in places] == [id(each) for each in members]:
        return False
    for place, each in zip(places, members, strict=True):
        held[place] = each
    return True


def _differ(one: str | None, two: str | None) -> bool:
    """Whether two values of a property differ, numbers as numbers."""
    if one is None or two is None:
        return one != two
    try:
        return not same(float(one), float(two))
    except ValueError:
        return one != two
