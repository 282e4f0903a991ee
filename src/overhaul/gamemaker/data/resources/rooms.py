"""Rooms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from overhaul.document.registry import load
from overhaul.document.room_views import Area, LayerShown
from overhaul.document.surface import DrawnRoom, counted
from overhaul.gamemaker.data.chunks.room import Instance as InstanceRecord
from overhaul.gamemaker.data.chunks.room import LayerType, RoomFlags
from overhaul.gamemaker.data.chunks.room import Room as RoomRecord
from overhaul.gamemaker.data.pictures import page_images
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.code import Code, code_or_none
from overhaul.gamemaker.data.resources.fields import Colour, Flag, Number, Real, Text
from overhaul.gamemaker.data.resources.objects import GameObject, Instance, id_lists
from overhaul.gamemaker.data.resources.parts import Parts
from overhaul.gamemaker.data.resources.room_parts import RoomBackgrounds, Tiles, Views
from overhaul.gamemaker.data.room_rules import (
    fill_slots,
    flags_of_release,
    new_instance_id,
)
from overhaul.suggest import did_you_mean

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.layers import Layer, Layers
    from overhaul.media.canvas import Drawing

#: Not imported before they are used: the first page of the viewer looks at a room only.
_ADD_CODE = "overhaul.gamemaker.data.code.additions:add_room_code"
_DRAWING = "overhaul.gamemaker.data.drawing.rooms"
_LAYERS = "overhaul.gamemaker.data.resources.layers"


class Instances(Parts[Instance]):
    """The instances in a room, in the order of the file."""

    title = "instance"
    columns = ("id", "object", "x", "y")
    part = Instance

    def by_id(self, number: int) -> Instance:
        """The instance of an id.  Raises KeyError."""
        for record in self.records:
            if record.id == number:
                return self._over(record)
        raise KeyError(f"there is no instance {number} in {self.owner.name}")

    def add(
        self, obj: GameObject | str, x: int, y: int, *, layer: Layer | str | None = None
    ) -> Instance:
        """Add an instance of an object, with the next id of the game.

        From GameMaker 2 on it goes on a layer of instances, which may be left out where the room
        has one only.  Raises KeyError, ValueError or TypeError.
        """
        target = self._layer(layer)
        instance = self._over(InstanceRecord())
        instance.object = obj
        instance.x, instance.y = x, y
        number = instance.record.id = new_instance_id(self.game)
        self.records.append(instance.record)
        if target is not None:
            target.record.data.instances.append(number)
        if self.game.release.at_least(2024, 13):
            self.owner.instance_order.append(number)
        return instance

    def _layer(self, layer: Layer | str | None) -> Layer | None:
        """The layer a new instance goes on; None before GameMaker 2."""
        if self.game.release.major < 2:
            if layer is not None:
                raise ValueError(f"layer: rooms of {self.game.release} have no layers")
            return None
        layers: Layers = load(f"{_LAYERS}:Layers")(self.game, self.owner, self.owner.layers)
        holds = load(f"{_LAYERS}:InstanceLayer")
        able: list[Layer] = [layer for layer in layers if isinstance(layer, holds)]
        if layer is None:
            if len(able) != 1:
                names = ", ".join(each.name for each in able) or "none"
                raise ValueError(f"layer: say which layer of instances (the room has {names})")
            return able[0]
        chosen = layers[layer] if isinstance(layer, str) else layer
        if chosen not in able:
            raise ValueError(f"layer: {chosen.name} is not a layer of instances of this room")
        return chosen

    def remove(self, instance: Instance) -> None:
        """Take an instance away; its creation code stays in the game's code.

        Raises ValueError if it is not in the room.
        """
        del self.records[self._place(instance)]
        number = instance.id
        if any(record.id == number for record in self.records):
            return
        for listed in id_lists(self.owner):
            listed[:] = [reference for reference in listed if reference != number]


class _Bit:
    """An attribute that is a bit of a room's flags."""

    def __init__(self, bit: RoomFlags, doc: str) -> None:
        self.bit = bit
        self.__doc__ = doc

    def __get__(self, room: Room | None, owner: type) -> bool:
        return room is not None and bool(room.record.flags & self.bit)

    def __set__(self, room: Room, value: bool) -> None:
        if value not in (False, True):
            raise TypeError(f"expected True or False, got {value!r}")
        room.record.flags = room.record.flags & ~self.bit | (self.bit if value else 0)


class Room(DrawnRoom, Resource[RoomRecord]):
    """A room.

    ``image()`` draws it as the game does in its first step, or the ``layers`` of these names on a
    transparent ground, hidden ones too; before GameMaker 2 they are ``backgrounds``, ``tiles``,
    ``instances`` and ``foregrounds``.  ``view`` draws what the view of that number shows,
    ``region`` a rectangle of the room (left, top, width, height), ``scale`` is the size of the
    picture to that of the room.

    No code runs: objects with a Draw event are drawn as those without.  Effects, particles, SWF,
    Spine and vector sprites and fonts of distance fields are not drawn: see :meth:`not_drawn`.

    It raises KeyError for an unknown layer, IndexError for an unknown view, ValueError for a wrong
    scale or region, EncodeError for a picture of more than 2**28 pixels.
    """

    __slots__ = ()
    chunk = "ROOM"
    _facts = ("speed", "persistent", "background_colour", "physics_world")

    width: Number = Number("pixels")
    height: Number = Number("pixels")
    speed: Number = Number(
        "steps per second, before GameMaker 2; later all rooms run at the game's speed"
    )
    caption: Text = Text("the title of the window, before GameMaker 2")
    persistent: Flag = Flag("whether it stays as it is left until it is entered again")
    draw_background_colour: Flag = Flag("whether the background colour is drawn")
    views_enabled: _Bit = _Bit(RoomFlags.VIEWS_ENABLED, "whether its views are used")
    clear_view_background: _Bit = _Bit(
        RoomFlags.CLEAR_VIEW_BACKGROUND, "whether the screen is cleared before the views are drawn"
    )
    physics_world: Flag = Flag("whether it has a world of physics")
    gravity_x: Real = Real("metres per second, squared")
    gravity_y: Real = Real("metres per second, squared")
    metres_per_pixel: Real = Real("the scale of the world of physics")

    @property
    def background_colour(self) -> Colour:
        """The colour behind everything."""
        return Colour(*Colour.from_abgr(self.record.background_colour)[:3])

    @background_colour.setter
    def background_colour(self, value: Colour | tuple[int, ...] | str) -> None:
        stored = Colour.of(value).to_abgr() & 0xFFFFFF
        self.record.background_colour = self.record.background_colour & 0xFF000000 | stored

    @property
    def instances(self) -> Instances:
        """The instances in it."""
        return Instances(self.game, self.record, self.record.instances)

    @property
    def layers(self) -> Layers:
        """Its layers; none before GameMaker 2."""
        made: Layers = load(f"{_LAYERS}:Layers")(self.game, self.record, self.record.layers)
        return made

    @property
    def backgrounds(self) -> RoomBackgrounds:
        """Its backgrounds before GameMaker 2."""
        return RoomBackgrounds(self.game, self.record, self.record.backgrounds)

    @property
    def views(self) -> Views:
        """Its views."""
        return Views(self.game, self.record, self.record.views)

    @property
    def tiles(self) -> Tiles:
        """Its tiles before GameMaker 2."""
        return Tiles(self.game, self.record, self.record.tiles)

    @property
    def creation_code(self) -> Code | None:
        """The code that runs when the room is entered; None where there is none."""
        return code_or_none(self.game, self.record.creation_code)

    def set_creation_code(self, source: str) -> Code:
        """Set its creation code, in place of the old one.

        Raises SyntaxError_ and CompileError for the source.
        """
        entry = self.creation_code
        if entry is None:
            return Code(self.game, load(_ADD_CODE)(self.game, self.record, source))
        entry.gml = source
        return entry

    @property
    def weight(self) -> int:
        """About how many bytes a drawing takes besides its pictures."""
        maps = sum(
            len(getattr(layer.data, "tiles", None) or ()) for layer in self.record.layers or ()
        )
        return 20_000 + 500 * len(self.record.instances) + 4 * maps

    @property
    def shown_layers(self) -> list[LayerShown]:
        """The parts of its picture: its layers, or before GameMaker 2 the four that all have."""
        if self.game.release.major < 2:
            return [LayerShown(part) for part in load(f"{_DRAWING}:PARTS")]
        return [
            LayerShown(
                layer.name,
                f"{_word(layer.type)}, depth {layer.depth}",
                bool(layer.visible),
                layer.depth,
            )
            for layer in self.layers
        ]

    @property
    def view_areas(self) -> list[Area]:
        """The areas of its enabled views."""
        return [Area(n, *self._view(n)) for n, view in enumerate(self.views) if view.enabled]

    def _view(self, number: int) -> tuple[int, int, int, int]:
        view = self.views[number]
        return view.view_x, view.view_y, view.view_width, view.view_height

    def drawing(self, *, layers: Iterable[str | Layer] | str | None = None) -> Drawing:
        """The drawing that :meth:`image` makes, prepared: ``drawing.image(region, scale)`` makes
        pictures of it, on any thread, while others read the game.

        Raises KeyError for a layer the room does not have.
        """
        wanted = None if layers is None else self._layer_names(layers)
        draw = load(f"{_DRAWING}:draw_room")
        made: Drawing = draw(self.game, page_images(self.game), self.record, wanted)
        return made

    def not_drawn(self, *, layers: Iterable[str | Layer] | str | None = None) -> list[str]:
        """The parts that :meth:`image` leaves out of a picture of these layers, in words.

        Empty where it draws all that the room has; what code draws is not known.
        """
        wanted = None if layers is None else self._layer_names(layers)
        left: list[str] = load(f"{_DRAWING}:not_drawn")(self.game, self.record, wanted)
        return left

    def _layer_names(self, layers: Iterable[str | Layer] | str) -> set[str]:
        chosen = [layers] if isinstance(layers, str) else layers
        names = {layer if isinstance(layer, str) else layer.name for layer in chosen}
        parts: tuple[str, ...] = load(f"{_DRAWING}:PARTS")
        known = parts if self.game.release.major < 2 else self.layers.names()
        for name in names:
            if name not in known:
                raise KeyError(f"there is no layer named {name!r}{did_you_mean(name, known)}")
        return names

    def _about(self) -> str:
        return f"{self.width}×{self.height}, {counted(len(self.record.instances), 'instance')}"


def _word(kind: object) -> str:
    return str(getattr(kind, "name", kind)).lower()


class Rooms(Resources[Room]):
    """The rooms of a game."""

    resource = Room

    def add(self, name: str, *, width: int = 1366, height: int = 768) -> Room:
        """Add an empty room, the last in the game's order of rooms.

        From GameMaker 2 on it has a layer ``Instances``, and behind it a black ``Background``.
        Raises ValueError for a name that is taken or is none.
        """
        release = self.game.release
        record = RoomRecord(flags=int(flags_of_release(release)))
        fill_slots(record, release)
        if release.major < 2:
            record.speed = 30
            record.caption = self.game.strings.add("")
        room = self._add(record, name)
        room.width, room.height = width, height
        if release.major >= 2:
            room.layers.add("Instances", LayerType.INSTANCES, 0)
            background = room.layers.add("Background", LayerType.BACKGROUND, 100)
            background.record.data.colour = Colour().to_abgr()
        return room
