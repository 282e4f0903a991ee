"""Objects of a project: their fields, and their events with the code of each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Final

from overhaul.document.surface import counted
from overhaul.document.xmltext import XmlNode
from overhaul.errors import EncodeError
from overhaul.gamemaker.events import COLLISION, event_title
from overhaul.gamemaker.ide.loose import EVENT_WORDS
from overhaul.gamemaker.ide.references import NO_ID
from overhaul.gamemaker.ide.resources.base import Part, Resource, Resources
from overhaul.gamemaker.ide.resources.fields import Choice, Flag, Link, Number, Real
from overhaul.gamemaker.ide.resources.making import record, tag_near
from overhaul.gamemaker.ide.resources.sources import read_source, write_source
from overhaul.gamemaker.ide.resources.sprites import Sprite
from overhaul.gamemaker.ide.stores import JsonStore
from overhaul.gamemaker.ide.values import Json, Steps
from overhaul.suggest import did_you_mean

#: The list of events, by the letter of the release.
_LISTS: Final[Mapping[str, str]] = {"X": "events"}
#: An action of Studio 1 that executes code.
_CODE_ACTION: Final = {
    "libid": "1", "id": "603", "kind": "7", "userelative": "0", "isquestion": "0",
    "useapplyto": "-1", "exetype": "2", "functionname": "", "codestring": "", "whoName": "self",
    "relative": "0", "isnot": "0",
}  # fmt: skip


class PhysicsShape(IntEnum):
    """The shape that an object has in the physics world: CIRCLE, BOX or CUSTOM."""

    CIRCLE = 0
    BOX = 1
    CUSTOM = 2


class Coded(Part, ABC):
    """Code that something runs: a file of its own, or actions in XML."""

    __slots__ = ()

    @property
    @abstractmethod
    def source_path(self) -> str:
        """The path of its file; that of the resource in Studio 1."""

    @property
    def gml(self) -> str:
        """Its source; empty where the file is not there.

        In Studio 1, setting it needs actions that are nothing but code: EncodeError else.
        """
        return "\n".join(self.texts())

    @gml.setter
    def gml(self, text: str) -> None:
        if self.store.letter != "X":
            write_source(self.project, self.source_path, text)
            return
        places = self._code_places()
        if len(places) != 1 or self.store.count(self._list) != 1:
            raise EncodeError("it has actions that are no code, or several: edit it in GameMaker")
        self.store.put(places[0], text)

    @property
    def code(self) -> str:
        """Its source; the same as :attr:`gml`."""
        return self.gml

    @property
    def is_code(self) -> bool:
        """Whether it is nothing but code: all but drag and drop in Studio 1."""
        return self.store.letter != "X" or len(self._code_places()) == self.store.count(self._list)

    @property
    def _list(self) -> Steps:
        return self.where

    def _code_places(self) -> list[Steps]:
        """Where the texts of actions that are code are, in Studio 1."""
        found: list[Steps] = []
        for number in range(self.store.count(self._list)):
            at = (*self._list, number)
            what = [self.store.get((*at, key)) for key in ("libid", "id", "whoName")]
            if what == ["1", "603", "self"]:
                found.append((*at, "arguments", "argument", "string"))
        return found

    def texts(self) -> list[str]:
        """Its sources: one, or that of each action that is code in Studio 1."""
        if self.store.letter != "X":
            return [read_source(self.project, self.source_path) or ""]
        found = [self.store.get(place) for place in self._code_places()]
        return [text for text in found if isinstance(text, str)]


class Event(Coded):
    """An event of an object: ``Event.name`` is what its code is called by."""

    __slots__ = ()
    kind_number = Number("The type of event.", "eventType", old="eventtype", xml="@eventtype")
    sub_type = Number("Which one of its type.", "eventNum", old="enumb", xml="@enumb")
    is_dnd = Flag("Whether it is drag and drop.", "isDnD", old="IsDnD")
    other: Link[Object] = Link(
        "object", "The object that it collides with.", "collisionObjectId", xml="@ename"
    )

    @property
    def word(self) -> str:
        """How its name begins: ``Step``."""
        number = self.kind_number
        return EVENT_WORDS[number] if 0 <= number < len(EVENT_WORDS) else str(number)

    @property
    def name(self) -> str:
        """``Create_0``, ``Collision_obj_wall``."""
        if self.kind_number != COLLISION:
            return f"{self.word}_{self.sub_type}"
        other = self.other
        return f"{self.word}_{self.sub_type if other is None else other.name}"

    @property
    def key(self) -> str:
        """Its name in code."""
        return self.name

    @property
    def title(self) -> str:
        """As people read it: ``Alarm 3``, ``Collision with obj_wall``."""
        other = self.other if self.kind_number == COLLISION else None
        called = "" if other is None else other.name
        return event_title(self.kind_number, self.sub_type, called) or self.name

    @property
    def source_path(self) -> str:
        """The path of its file."""
        if self.store.letter == "X":
            return self.owner.path
        name = self.name
        if self.store.letter == "A" and self.kind_number == COLLISION:
            name = f"{self.word}_{self.value('id')}"
        return f"{self.owner.folder}/{name}.gml"

    @property
    def has_source(self) -> bool:
        """Whether its code is there."""
        if self.store.letter == "X":
            return bool(self._code_places())
        return self.project.files.spelled(self.source_path) is not None

    def __repr__(self) -> str:
        return f"<Event {self.name[:80]} of {self.owner.name[:80]}>"


class Events(Mapping[str, Event]):
    """The events of an object by name: ``events["Step_0"]``, ``events["Collision_obj_wall"]``."""

    def __init__(self, owner: Object) -> None:
        self._owner = owner

    @property
    def where(self) -> Steps:
        """Where the list is."""
        return (_LISTS.get(self._owner.store.letter, "eventList"),)

    def _all(self) -> Iterator[Event]:
        for number in range(self._owner.store.count(self.where)):
            yield Event(self._owner, (*self.where, number))

    def __getitem__(self, name: str) -> Event:
        for event in self._all():
            if event.name == name:
                return event
        near = did_you_mean(str(name), list(self))
        has = "" if near else f"; it has {self._keys()}"
        raise KeyError(f"{self._owner.name} has no event {name!r}{near}{has}")

    def __setitem__(self, name: str, source: str) -> None:
        """Give an event another source, or add it."""
        if name in self:
            self[name].gml = source
        else:
            self.add(name, source)

    def __delitem__(self, name: str) -> None:
        """Remove an event, and its code."""
        event = self[name]
        path = event.source_path if event.store.letter != "X" and event.has_source else None
        event.store.remove(event.where)
        if path is not None:
            files = self._owner.project.files
            files.write(files.spelled(path) or path, None)

    def __iter__(self) -> Iterator[str]:
        return (event.name for event in self._all())

    def __len__(self) -> int:
        return self._owner.store.count(self.where)

    def add(self, name: str, source: str) -> Event:
        """Add an event: ``"Step_0"``, ``"Alarm_3"``, ``"Collision_obj_wall"``.

        Raises EncodeError (a ValueError) for an event that the object has, or that is none.
        """
        word, _, which = name.partition("_")
        if name in self or word not in EVENT_WORDS:
            has = "has already" if name in self else "can't have"
            raise EncodeError(f"{self._owner.name} {has} an event {name!r}")
        number = EVENT_WORDS.index(word)
        if number != COLLISION and not which.isdecimal():
            raise EncodeError(f"{self._owner.name} can't have an event {name!r}: expected a number")
        owner, store = self._owner, self._owner.store
        at = (*self.where, store.count(self.where))
        store.insert(at, _new_event(owner, number, which))
        event = Event(owner, at)
        if store.letter != "X":
            write_source(owner.project, event.source_path, source)
        else:
            event.gml = source
        return event

    def _keys(self) -> str:
        return ", ".join(self) or "none"

    def __repr__(self) -> str:
        return f"<events of {self._owner.name}: {self._keys()}>"


def _new_event(owner: Object, number: int, which: str) -> Json | XmlNode:
    """The record of an event that is added.  Raises KeyError for an object that is not there."""
    project, letter = owner.project, owner.store.letter
    other = Resources(project, Object)[which].entry if number == COLLISION else None
    sub_type = 0 if other is not None else int(which)
    if letter == "X":
        texts = [XmlNode(key, text, is_open=True) for key, text in _CODE_ACTION.items()]
        code = XmlNode(
            "argument", children=[XmlNode("kind", "1"), XmlNode("string", "", is_open=True)]
        )
        action = XmlNode("action", children=[*texts, XmlNode("arguments", children=[code])])
        what = {"ename": other.name} if other else {"enumb": str(sub_type)}
        return XmlNode("event", attributes={"eventtype": str(number), **what}, children=[action])
    store = owner.store
    assert isinstance(store, JsonStore)
    if letter == "A":
        members: dict[str, Json] = {
            "IsDnD": False, "collisionObjectId": NO_ID if other is None else other.id,
            "enumb": sub_type, "eventtype": number, "m_owner": owner.entry.id,
        }  # fmt: skip
    else:
        members = {
            "isDnD": False, "eventNum": sub_type, "eventType": number,
            "collisionObjectId": None if other is None else {
                "name": other.name, "path": other.path,
            },
        }  # fmt: skip
    style = store.file.style
    tag = tag_near(project, owner.path, "GMEvent") if style.letter == "D" else None
    return record("GMEvent", style, members, tag=tag)


class Physics(Part):
    """How an object behaves in the physics world."""

    __slots__ = ()
    enabled = Flag(
        "Whether it takes part in it.", "physicsObject", xml="PhysicsObject",
    )  # fmt: skip
    sensor = Flag("Whether it only notices collisions.", "physicsSensor", xml="PhysicsObjectSensor")
    shape = Choice(
        PhysicsShape, "The shape it collides with.", "physicsShape", xml="PhysicsObjectShape"
    )
    density = Real("Mass per area.", "physicsDensity", xml="PhysicsObjectDensity")
    restitution = Real("How much it bounces.", "physicsRestitution", xml="PhysicsObjectRestitution")
    group = Number("Its collision group.", "physicsGroup", xml="PhysicsObjectGroup")
    linear_damping = Real(
        "How quickly it slows down.", "physicsLinearDamping", xml="PhysicsObjectLinearDamping"
    )
    angular_damping = Real(
        "How quickly its rotation slows down.", "physicsAngularDamping",
        xml="PhysicsObjectAngularDamping",
    )  # fmt: skip
    friction = Real("How much it resists sliding.", "physicsFriction", xml="PhysicsObjectFriction")
    awake = Flag("Whether it moves from the start.", "physicsStartAwake", xml="PhysicsObjectAwake")
    kinematic = Flag(
        "Whether it moves without being pushed.", "physicsKinematic", xml="PhysicsObjectKinematic"
    )


class Object(Resource):
    """An object."""

    __slots__ = ()
    kind_name = "object"
    _facts = ("sprite", "mask", "parent", "visible", "solid", "persistent")

    sprite: Link[Sprite] = Link("sprite", "Its sprite; None for none.", "spriteId",
                                xml="spriteName")  # fmt: skip
    mask: Link[Sprite] = Link(
        "sprite", "The sprite whose shape collides; None for its own.", "spriteMaskId",
        old="maskSpriteId", xml="maskName",
    )  # fmt: skip
    parent: Link[Object] = Link(
        "object", "The object it inherits from; None for none.", "parentObjectId", xml="parentName"
    )
    visible = Flag("Whether instances are drawn.", "visible", xml="visible", default=True)
    solid = Flag("Whether instances stop what collides with them.", "solid", xml="solid")
    persistent = Flag(
        "Whether instances stay when another room is entered.", "persistent", xml="persistent"
    )
    depth = Number("How far away instances are drawn (Studio 1).", None, old=None, xml="depth")

    @property
    def events(self) -> Events:
        """Its events, by name."""
        return Events(self)

    @property
    def own_events(self) -> list[Event]:
        """Its events, in the order of the file."""
        return list(self.events.values())

    @property
    def physics(self) -> Physics:
        """How it behaves in the physics world."""
        return Physics(self, ())

    @property
    def children(self) -> list[Object]:
        """The objects that have it as their parent."""
        objects = Resources(self.project, Object)
        return [each for each in objects if each.is_here and each.parent == self]

    @property
    def instance_count(self) -> int | None:
        """How many instances the rooms have; not counted."""
        return None

    def ancestors(self) -> Iterator[Object]:
        """Its parent, that one's parent and so on; each once."""
        seen = {self.path}
        at = self.parent
        while at is not None and at.path not in seen:
            seen.add(at.path)
            yield at
            at = at.parent

    def _about(self) -> str:
        parent = self.parent
        child = f", child of {parent.name}" if parent is not None else ""
        return f"{counted(len(self.events), 'event')}{child}"
