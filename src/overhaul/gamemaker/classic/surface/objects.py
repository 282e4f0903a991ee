"""Objects, timelines and scripts: what a game does, as actions and code."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from overhaul.gamemaker.classic.actions import Object as ObjectRecord
from overhaul.gamemaker.classic.actions import event_title
from overhaul.gamemaker.classic.describing import Line, code_of, lines_of
from overhaul.gamemaker.classic.executable.records import GameScript
from overhaul.gamemaker.classic.resources import Script as ScriptRecord
from overhaul.gamemaker.classic.resources import Timeline as TimelineRecord
from overhaul.gamemaker.classic.settings import Trigger as TriggerRecord
from overhaul.gamemaker.classic.surface.base import Places, Resource
from overhaul.gamemaker.classic.surface.pictures import Sprite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhaul.gamemaker.classic.actions import Action, ActionList

AnyScript: TypeAlias = ScriptRecord | GameScript


class Actions:
    """A list of drag-and-drop actions."""

    __slots__ = ("places", "record")

    def __init__(self, places: Places, record: ActionList) -> None:
        self.places: Places = places
        self.record: ActionList = record

    @property
    def actions(self) -> list[Action]:
        """Their records."""
        return self.record.actions

    @property
    def lines(self) -> list[Line]:
        """Them as people read them: a sentence each, indented as their blocks are."""
        return list(lines_of(self.record.actions, self.places.name_of))

    @property
    def code(self) -> str | None:
        """The GML, where they are nothing but one action that executes code; None for others."""
        alone = self.record.actions[0] if len(self.record.actions) == 1 else None
        plain = alone is not None and alone.library_id == 1 and alone.applies_to == -1
        return code_of(alone) if alone is not None and plain else None

    def __str__(self) -> str:
        """The code where they are nothing but code; else the lines, with the code below its own."""
        code = self.code
        return code if code is not None else "\n".join(self._written())

    def _written(self) -> Iterator[str]:
        for line in self.lines:
            yield f"{'    ' * line.depth}{line.sentence}"
            for row in (line.code or "").splitlines():
                yield f"{'    ' * (line.depth + 1)}{row}".rstrip()


class Event(Actions):
    """What an object does when something happens."""

    __slots__ = ("category", "sub_type")

    def __init__(self, places: Places, record: ActionList, category: int, sub_type: int) -> None:
        super().__init__(places, record)
        self.category: int = category
        self.sub_type: int = sub_type

    @property
    def title(self) -> str:
        """As people read it: ``Alarm 3``, ``Collision with obj_wall``."""
        return event_title(self.category, self.sub_type, self.places.name_of)

    def __repr__(self) -> str:
        return f"<Event {self.title}, {len(self.actions)} actions>"


class Object(Resource[ObjectRecord]):
    """An object."""

    __slots__ = ()
    kind = "objects"

    @property
    def sprite(self) -> Sprite | None:
        """What it looks like; None for nothing."""
        found = self.places.at("sprites", self.record.sprite)
        return None if found is None else Sprite(self.places, self.record.sprite)

    @property
    def parent(self) -> Object | None:
        """The object it inherits from; None for none."""
        found = self.places.at("objects", self.record.parent)
        return None if found is None else Object(self.places, self.record.parent)

    @property
    def mask(self) -> Sprite | None:
        """The sprite whose shape collides; None for its own."""
        found = self.places.at("sprites", self.record.mask)
        return None if found is None else Sprite(self.places, self.record.mask)

    @property
    def visible(self) -> bool:
        """Whether instances are drawn."""
        return bool(self.record.visible)

    @property
    def solid(self) -> bool:
        """Whether instances stop what collides with them."""
        return bool(self.record.solid)

    @property
    def persistent(self) -> bool:
        """Whether instances stay when another room is entered."""
        return bool(self.record.persistent)

    @property
    def depth(self) -> int:
        """How far away instances are drawn; the greatest depth is behind all others."""
        return self.record.depth

    def ancestors(self) -> Iterator[Object]:
        """Its parent, that one's parent and so on; each once."""
        seen = {self.index}
        at = self.parent
        while at is not None and at.index not in seen:
            seen.add(at.index)
            yield at
            at = at.parent

    @property
    def children(self) -> list[Object]:
        """The objects whose parent it is."""
        return [
            Object(self.places, index)
            for index in range(len(self.places.slots["objects"]))
            if self.places.at("objects", index) is not None
            and Object(self.places, index).record.parent == self.index
        ]

    @property
    def events(self) -> list[Event]:
        """Its events, by category, then as the editor lists them."""
        return [
            Event(self.places, event.actions, category, event.sub_type)
            for category, events in enumerate(self.record.categories)
            for event in sorted(events, key=lambda event: event.sub_type)
        ]

    def _about(self) -> str:
        count = len(self.events)
        return f"{count} event{'' if count == 1 else 's'}"


class Moment(Actions):
    """What happens at a step of a timeline."""

    __slots__ = ("step",)

    def __init__(self, places: Places, record: ActionList, step: int) -> None:
        super().__init__(places, record)
        self.step: int = step

    def __repr__(self) -> str:
        return f"<Moment {self.step}, {len(self.actions)} actions>"


class Timeline(Resource[TimelineRecord]):
    """A timeline."""

    __slots__ = ()
    kind = "timelines"

    @property
    def moments(self) -> list[Moment]:
        """Its moments, in the order of the file."""
        return [Moment(self.places, each.actions, each.position) for each in self.record.moments]

    def _about(self) -> str:
        count = len(self.record.moments)
        return f"{count} moment{'' if count == 1 else 's'}"


class Script(Resource[AnyScript]):
    """A script."""

    __slots__ = ()
    kind = "scripts"

    @property
    def code(self) -> str:
        """Its GML."""
        return self.record.code

    def _about(self) -> str:
        count = len(self.record.code.splitlines())
        return f"{count} line{'' if count == 1 else 's'}"


class Trigger(Resource[TriggerRecord]):
    """A trigger."""

    __slots__ = ()
    kind = "triggers"

    @property
    def code(self) -> str:
        """The GML of its condition."""
        return self.record.condition
