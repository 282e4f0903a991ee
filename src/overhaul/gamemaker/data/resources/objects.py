"""Objects with their events and instances, and timelines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from overhaul.document.surface import counted
from overhaul.gamemaker.data.chunks.objt import Event as EventRecord
from overhaul.gamemaker.data.chunks.objt import EventType, PhysicsShape, Vertex, event_types
from overhaul.gamemaker.data.chunks.objt import GameObject as ObjectRecord
from overhaul.gamemaker.data.chunks.objt import Moment as MomentRecord
from overhaul.gamemaker.data.chunks.objt import Timeline as TimelineRecord
from overhaul.gamemaker.data.chunks.room import Instance as InstanceRecord
from overhaul.gamemaker.data.chunks.room import LayerType
from overhaul.gamemaker.data.chunks.room import Room as RoomRecord
from overhaul.gamemaker.data.code.additions import add_event, add_instance_code, add_moment
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.code.owners import event_key, title_of
from overhaul.gamemaker.data.model import GameModel
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.code import Code, KeyedEvent, KeyedEvents, code_or_none
from overhaul.gamemaker.data.resources.edits import Edits
from overhaul.gamemaker.data.resources.fields import (
    Choice,
    Colour,
    Flag,
    Link,
    Number,
    Paint,
    Real,
    put_field,
)
from overhaul.gamemaker.data.resources.parts import Part
from overhaul.gamemaker.data.resources.sprites import Sprite
from overhaul.suggest import did_you_mean

#: where a game has its rooms, whose surface stands above this one
_ROOMS = "rooms"


class Event(KeyedEvent[ObjectRecord, EventRecord]):
    """An event of an object."""

    __slots__ = ("kind",)

    def __init__(
        self, game: CodeModel, owner: ObjectRecord, record: EventRecord, kind: int
    ) -> None:
        super().__init__(game, owner, record)
        #: the number of its type
        self.kind: int = kind

    @property
    def name(self) -> str:
        """Its name in the names of code: ``Step_0``, ``Collision_obj_wall``."""
        return event_key(self.kind, self.record)

    @property
    def key(self) -> str:
        """Its :attr:`name`."""
        return self.name

    @property
    def title(self) -> str:
        """Its name for people: ``Step``, ``Key press: enter``, ``Collision with obj_wall``."""
        return title_of(self.name)

    @property
    def type(self) -> EventType | int:
        """Its type; the number of a type that no known release has."""
        known = self.kind in list(EventType)
        return EventType(self.kind) if known else self.kind

    @property
    def object(self) -> GameObject:
        """The object that the event belongs to."""
        return GameObject(self.game, self.owner)

    @property
    def other(self) -> GameObject | None:
        """The other object of a collision; None for events of other types."""
        subtype = self.record.subtype
        target = subtype.target if isinstance(subtype, Reference) else None
        return None if target is None else GameObject(self.game, target)

    def _about(self) -> str:
        return f"{self.name} of {self.owner.name}"


class Events(KeyedEvents[str, Event]):
    """The events of an object by name: ``events["Step_0"]``, ``events["Collision_obj_wall"]``."""

    def __init__(self, holder: GameObject) -> None:
        self._object = holder

    def _all(self) -> Iterator[tuple[str, Event]]:
        record = self._object.record
        for kind, events in enumerate(record.events):
            for known in events:
                event = Event(self._object.game, record, known, kind)
                yield event.name, event

    def _missing(self, key: str) -> str:
        near = did_you_mean(str(key), self)
        has = "" if near else f"; it has {self._keys()}"
        return f"{self._object.name} has no event {key!r}{near}{has}"

    def add(self, name: str, source: str, definitions: str = "") -> Event:
        """Add an event: ``"Step_0"``, ``"Alarm_3"``, ``"Collision_obj_wall"``.

        ``definitions``: GML text with ``#macro`` and ``enum`` lines.  Raises EncodeError (a
        ValueError) for an event that the object has or the release does not know, SyntaxError_ and
        CompileError for the source; nothing is changed then.
        """
        add_event(self._object.game, self._object.record, name, source, definitions)
        return self[name]

    def __delitem__(self, name: str) -> None:
        """Remove an event, and its code if nothing else runs that."""
        event = self[name]
        event._remove_from(self._object.record.events[event.kind])

    def __repr__(self) -> str:
        return f"<events of {self._object.name}: {self._keys()}>"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


class Physics:
    """How an object behaves in the physics world."""

    __slots__ = ("game", "record")

    def __init__(self, game: CodeModel, record: ObjectRecord) -> None:
        self.game: CodeModel = game
        self.record = record

    enabled: Flag = Flag("whether it takes part in the physics world", "uses_physics")
    sensor: Flag = Flag("whether it only notices collisions")
    shape: Choice[PhysicsShape] = Choice(PhysicsShape, "the shape it collides with")
    density: Real = Real("mass per area; 0 for an object that nothing moves")
    restitution: Real = Real("how much it bounces, from 0 to 1")
    group: Number = Number("collision group: objects of one group collide if it is positive")
    linear_damping: Real = Real("how quickly it slows down")
    angular_damping: Real = Real("how quickly its rotation slows down")
    friction: Real = Real("how much it resists sliding")
    awake: Flag = Flag("whether it moves from the start")
    kinematic: Flag = Flag("whether it moves without being pushed")

    @property
    def vertices(self) -> list[tuple[float, float]]:
        """The corners of its shape, in pixels; for a circle its radius, in a corner's x.

        The list is a copy: assign one to change it.
        """
        return [(vertex.x, vertex.y) for vertex in self.record.vertices]

    @vertices.setter
    def vertices(self, corners: list[tuple[float, float]]) -> None:
        made = []
        for corner in corners:
            x, y = corner
            made.append(Vertex())
            holder = Part(self.game, self.record, made[-1])
            put_field(holder, "x", float(x))
            put_field(holder, "y", float(y))
        old = {(vertex.x, vertex.y): vertex for vertex in self.record.vertices}
        self.record.vertices = [old.get((point.x, point.y), point) for point in made]

    def __repr__(self) -> str:
        return f"<Physics of {self.record.name}: {'on' if self.enabled else 'off'}>"

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if not name.startswith("_")]


class GameObject(Resource[ObjectRecord]):
    """An object."""

    __slots__ = ()
    chunk = "OBJT"
    _facts = ("sprite", "mask", "parent", "visible", "solid", "persistent", "depth")

    sprite: Link[Sprite] = Link(Sprite, "its sprite")
    mask: Link[Sprite] = Link(
        Sprite, "the sprite whose mask it collides with; None: that of its own sprite"
    )
    visible: Flag = Flag("whether its instances are drawn")
    solid: Flag = Flag("whether it is solid")
    persistent: Flag = Flag("whether its instances stay when the room changes")
    managed: Flag = Flag("whether it is managed (GameMaker 2022.5 and later)")
    depth: Number = Number("the order of drawing: objects of smaller depth are drawn in front")

    @property
    def parent(self) -> GameObject | None:
        """The object it inherits events from; set by name or object, None for none.

        Raises ValueError for a parent that inherits from the object itself.
        """
        target = self.record.parent
        found = target.target if isinstance(target, Reference) else None
        return None if found is None else GameObject(self.game, found)

    @parent.setter
    def parent(self, value: GameObject | str | None) -> None:
        link = Link(GameObject, name="parent")
        new = link.stored(value, self)
        target = new.target if isinstance(new, Reference) else None
        if target is not None:
            chosen = GameObject(self.game, target)
            if self in (chosen, *chosen.ancestors()):
                raise ValueError(f"parent: {chosen.name} is or inherits from {self.name}")
        if value is not None or self.parent is not None:
            self.record.parent = new

    def ancestors(self) -> list[GameObject]:
        """Its parent, that one's parent, and so on."""
        ancestors: list[GameObject] = []
        each = self.parent
        while each is not None and each not in ancestors and each != self:
            ancestors.append(each)
            each = each.parent
        return ancestors

    @property
    def children(self) -> list[GameObject]:
        """The objects that have it as their parent."""
        return [
            GameObject(self.game, record)
            for record in self._list.present()
            if isinstance(record.parent, Reference) and record.parent.target is self.record
        ]

    def descendants(self) -> list[GameObject]:
        """The objects that inherit from it, nearest first."""
        descendants = self.children
        for descendant in descendants:
            descendants += [
                child for child in descendant.children if child not in descendants and child != self
            ]
        return descendants

    def instances(self, *, descendants: bool = False) -> list[Instance]:
        """Its instances in all rooms, in the order of the rooms; with ``descendants`` those of
        objects that inherit from it as well."""
        kinds = [self, *self.descendants()] if descendants else [self]
        wanted = {id(kind.record) for kind in kinds}
        return [
            Instance(self.game, room, instance)
            for room in self.game.records.rooms.present()
            for instance in room.instances
            if isinstance(instance.object, Reference) and id(instance.object.target) in wanted
        ]

    @property
    def instance_count(self) -> int | None:
        """How many instances of it all rooms have."""
        return len(self.instances())

    @property
    def own_events(self) -> list[Event]:
        """Its own events, in the order of the file."""
        return list(self.events.values())

    @property
    def events(self) -> Events:
        """Its own events by name; see :meth:`find_event` for those it inherits."""
        return Events(self)

    def find_event(self, name: str) -> Event | None:
        """The event that runs: its own, or that of the nearest ancestor; None where none has it."""
        for owner in (self, *self.ancestors()):
            if name in owner.events:
                return owner.events[name]
        return None

    @property
    def physics(self) -> Physics:
        """How it behaves in the physics world."""
        return Physics(self.game, self.record)

    def _about(self) -> str:
        parent = self.parent
        events = counted(len(self.events), "event")
        return events if parent is None else f"{events}, child of {parent.name}"


class GameObjects(Resources[GameObject]):
    """The objects of a game."""

    resource = GameObject

    def add(
        self,
        name: str,
        *,
        sprite: Sprite | str | None = None,
        parent: GameObject | str | None = None,
        mask: Sprite | str | None = None,
        events: Mapping[str, str] | None = None,
        visible: bool = True,
        solid: bool = False,
        persistent: bool = False,
        depth: int = 0,
    ) -> GameObject:
        """Add an object, with the source of its events by name.

        Raises ValueError for a name that is taken or is none, KeyError for a sprite or parent that
        is not there, ValueError and TypeError for other wrong values, SyntaxError_ and CompileError
        for source; nothing is changed then.
        """
        record = ObjectRecord(events=[[] for _ in range(event_types(self.game.release))])
        trial = GameObject(self.game, record)
        trial.sprite, trial.parent, trial.mask = sprite, parent, mask
        trial.visible, trial.solid, trial.persistent = visible, solid, persistent
        trial.depth = depth
        with Edits(self.game)():
            made = self._add(record, name)
            made.events.add_all(events or {})
        return made


# -- instances -----------------------------------------------------------------------------------

#: the field of an instance that says what it is one of
_OBJECT: Link[GameObject] = Link(GameObject, name="object")


class Instance(Part[RoomRecord, InstanceRecord]):
    """An instance of an object in a room."""

    __slots__ = ()

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
    def object(self) -> GameObject | None:
        """The object that it is an instance of; set by name or resource."""
        return _OBJECT.shown(self.record.object, self)

    @object.setter
    def object(self, value: GameObject | str | None) -> None:
        if value is None:
            raise TypeError("object: an instance has to be one of an object, got None")
        self.record.object = _OBJECT.stored(value, self)

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
        """Set its creation code, in place of the old one.

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
    return {instance.id for room in game.records.rooms.present() for instance in room.instances}


def id_lists(room: RoomRecord) -> list[list[int]]:
    """The lists of a room that hold ids of its instances: those of layers, and the order of
    creation."""
    listed = [
        layer.data.instances
        for layer in room.layers or ()
        if layer.type == LayerType.INSTANCES and layer.data is not None
    ]
    return [*listed, room.instance_order] if room.instance_order else listed


class Moment(KeyedEvent[TimelineRecord, MomentRecord]):
    """A step of a timeline, at which code runs."""

    __slots__ = ()

    @property
    def step(self) -> int:
        """The step, from 0.  Raises ValueError for one that the timeline has another moment at."""
        return self.record.step

    @step.setter
    def step(self, value: int) -> None:
        new = Number(name="step").stored(value, self)
        moments = self.owner.moments
        if any(moment.step == new and moment is not self.record for moment in moments):
            raise ValueError(f"step: {self.owner.name} has a moment at step {new}")
        if new != self.record.step:
            put_field(self, "step", new)
            moments.sort(key=lambda each: each.step)

    @property
    def key(self) -> str:
        """Its step."""
        return str(self.record.step)

    @property
    def title(self) -> str:
        """``Step 30``."""
        return f"Step {self.record.step}"

    def _about(self) -> str:
        return f"step {self.step} of {self.owner.name}"


class Moments(KeyedEvents[int, Moment]):
    """The moments of a timeline by step, in the order of the file."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline

    def _all(self) -> Iterator[tuple[int, Moment]]:
        timeline = self._timeline
        for record in timeline.record.moments:
            yield record.step, Moment(timeline.game, timeline.record, record)

    def _missing(self, key: int) -> str:
        return f"{self._timeline.name} has no moment at step {key!r}; it has {self._keys()}"

    def add(self, step: int, source: str, definitions: str = "") -> Moment:
        """Add a moment at a step, in the order of the steps.

        ``definitions``: GML text with ``#macro`` and ``enum`` lines.  Raises ValueError for a step
        that is there, SyntaxError_ and CompileError for the source; nothing is changed then.
        """
        trial = Moment(self._timeline.game, self._timeline.record, MomentRecord())
        put_field(trial, "step", Number(name="step").stored(step, trial))
        add_moment(self._timeline.game, self._timeline.record, step, source, definitions)
        return self[step]

    def __delitem__(self, step: int) -> None:
        """Remove a moment, and its code if nothing else runs that."""
        self[step]._remove_from(self._timeline.record.moments)

    def __repr__(self) -> str:
        return f"<moments of {self._timeline.name}: {self._keys()}>"


class Timeline(Resource[TimelineRecord]):
    """A timeline: code that runs at certain steps."""

    __slots__ = ()
    chunk = "TMLN"

    @property
    def moments(self) -> Moments:
        """The moments by step: ``timeline.moments[30].gml``."""
        return Moments(self)

    @property
    def steps(self) -> list[tuple[int, Moment]]:
        """The moments with their steps, in the order of the file."""
        return [
            (record.step, Moment(self.game, self.record, record)) for record in self.record.moments
        ]

    def _about(self) -> str:
        return counted(len(self.record.moments), "moment")


class Timelines(Resources[Timeline]):
    """The timelines of a game."""

    resource = Timeline

    def add(self, name: str, moments: Mapping[int, str] | None = None) -> Timeline:
        """Add a timeline, with the source of its moments by step.

        Raises ValueError for a name that is taken or is none, SyntaxError_ and CompileError for a
        source; nothing is changed then.
        """
        sources = dict(sorted((moments or {}).items()))
        trial = Moment(self.game, TimelineRecord(), MomentRecord())
        for step in sources:
            put_field(trial, "step", Number(name="step").stored(step, trial))
        with Edits(self.game)():
            made = self._add(TimelineRecord(), name)
            made.moments.add_all(sources)
        return made


def instance_counts(game: GameModel) -> dict[int, int]:
    """How many instances all rooms have of each object, by its number: as many as
    :attr:`GameObject.instance_count` says, found for all of them at once."""
    counts = dict.fromkeys(range(len(game.named("OBJT"))), 0)
    for room in game.named("ROOM").present():
        for instance in room.instances:
            reference = instance.object
            if isinstance(reference, Reference) and reference.index in counts:
                counts[reference.index] += 1
    return counts
