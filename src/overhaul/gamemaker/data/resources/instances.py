"""Instances of objects in rooms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from overhaul.gamemaker.data.chunks.room import Instance as InstanceRecord
from overhaul.gamemaker.data.chunks.room import LayerType
from overhaul.gamemaker.data.chunks.room import Room as RoomRecord
from overhaul.gamemaker.data.code.additions import add_instance_code
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.code import Code, code_or_none
from overhaul.gamemaker.data.resources.colour import Colour
from overhaul.gamemaker.data.resources.fields import Link, Number, Paint, Real
from overhaul.gamemaker.data.resources.parts import Part

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.gamemaker.data.resources.base import Resource, Resources

#: where a game has its rooms, whose surface stands above this one
_ROOMS = "rooms"

O = TypeVar("O", bound="Resource[Any]")  # noqa: E741 - the surface of objects


class Instance(Part[RoomRecord, InstanceRecord], Generic[O]):
    """An instance of an object in a room.

    ``kind`` is the class that its object is shown as, which stands above instances.
    """

    __slots__ = ("kind",)

    def __init__(
        self, game: CodeModel, room: RoomRecord, record: InstanceRecord, kind: type[O]
    ) -> None:
        super().__init__(game, room, record)
        self.kind = kind

    x: Number = Number("pixels from the left of the room")
    y: Number = Number("pixels from the top of the room")
    scale_x: Real = Real("times the width of its sprite; negative mirrors it")
    scale_y: Real = Real("times the height of its sprite; negative turns it upside down")
    rotation: Real = Real("degrees, anticlockwise")
    colour: Paint = Paint("the colour it is blended with; white leaves it as it is")
    image_index: Number = Number("the frame its sprite begins with (GameMaker 2.2.2 and later)")
    image_speed: Real = Real("times the speed of its sprite (GameMaker 2.2.2 and later)")

    @property
    def room(self) -> Resource[RoomRecord]:
        """The room it stands in.  Raises KeyError if that is no longer in the game."""
        rooms: Resources[Resource[RoomRecord]] = getattr(self.game, _ROOMS)
        return rooms[self.game.named("ROOM").index(self.owner)]

    @property
    def id(self) -> int:
        """The number code knows it by; no two instances of a game share one.

        Setting it renumbers it where its room lists it, but not in code.  Raises ValueError for a
        number that is taken or is not from 0 to 2**32 - 1.
        """
        return int(self.record.id)

    @id.setter
    def id(self, value: int) -> None:
        old, new = self.record.id, Number(name="id").stored(value, self)
        if not isinstance(new, int) or not 0 <= new < 1 << 32:
            raise ValueError(f"id: expected a number from 0 to 2**32 - 1, got {value!r}")
        if new != old and new in used_ids(self.game):
            raise ValueError(f"id: {new} is the id of another instance")
        self.record.id = new
        for listed in id_lists(self.owner):
            listed[:] = [new if number == old else number for number in listed]

    @property
    def object(self) -> O | None:
        """What it is an instance of; set by name or resource."""
        return self._object().shown(self.record.object, self)

    @object.setter
    def object(self, value: O | str | None) -> None:
        if value is None:
            raise TypeError("object: an instance has to be one of an object, got None")
        self.record.object = self._object().stored(value, self)

    def _object(self) -> Link[O]:
        return Link(self.kind, name="object")

    @property
    def alpha(self) -> float:
        """How opaque it is, from 0.0 to 1.0."""
        return self.colour.alpha / 255

    @alpha.setter
    def alpha(self, value: float) -> None:
        if isinstance(value, bool) or not hasattr(value, "__float__") or not 0 <= value <= 1:
            raise ValueError(f"alpha: expected a number from 0 to 1, got {value!r}")
        self.colour = Colour(*self.colour[:3], round(float(value) * 255))

    @property
    def room_name(self) -> str:
        """The name of the room it is in."""
        return str(self.owner.name or "")

    @property
    def layer_name(self) -> str | None:
        """The name of the layer it is on; None in GMS1, and where no layer lists it."""
        for layer in self.owner.layers or ():
            if layer.type == LayerType.INSTANCES and self.record.id in layer.data.instances:
                return str(layer.name or "")
        return None

    @property
    def creation_code(self) -> Code | None:
        """The code that runs after its Create event; None where there is none."""
        return code_or_none(self.game, self.record.creation_code)

    @property
    def pre_create_code(self) -> Code | None:
        """The code that sets its variables before its Create event; None where there is none."""
        return code_or_none(self.game, self.record.pre_create_code)

    def set_creation_code(self, source: str) -> Code:
        """Give it creation code, in place of what it has.

        Raises SyntaxError_ and CompileError for the source.
        """
        entry = self.creation_code
        if entry is None:
            number = next(n for n, r in enumerate(self.owner.instances) if r is self.record)
            return Code(self.game, add_instance_code(self.game, self.owner, number, source))
        entry.gml = source
        return entry

    def _about(self) -> str:
        target = self.record.object
        name = target.name if isinstance(target, Reference) and target.target else "nothing"
        return f"{self.id} of {name} at {self.x}, {self.y}"


def used_ids(game: CodeModel) -> set[int]:
    """The ids of all instances of a game."""
    return {each.id for room in game.records.rooms.present() for each in room.instances}


def id_lists(room: RoomRecord) -> list[list[int]]:
    """The lists of a room that hold ids of its instances: those of layers, and the order of
    creation."""
    listed = [
        layer.data.instances
        for layer in room.layers or ()
        if layer.type == LayerType.INSTANCES and layer.data is not None
    ]
    return [*listed, room.instance_order] if room.instance_order else listed
