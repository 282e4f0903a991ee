"""Objects, timelines and scripts: what a game does, as actions and code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from overhaul.document.surface import ResourceSurface, counted
from overhaul.gamemaker.classic.actions import Action, ActionList, event_title
from overhaul.gamemaker.classic.actions import Object as ObjectRecord
from overhaul.gamemaker.classic.describing import Line, code_of, lines_of
from overhaul.gamemaker.classic.executable.records import GameScript
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic.resources import Script as ScriptRecord
from overhaul.gamemaker.classic.resources import Timeline as TimelineRecord
from overhaul.gamemaker.classic.settings import Trigger as TriggerRecord
from overhaul.gamemaker.classic.surface.assets import Sprite
from overhaul.gamemaker.classic.surface.base import Places, Resource, Resources
from overhaul.gml.context import ASSET_KINDS, Context
from overhaul.gml.dialect import Dialect

AnyScript: TypeAlias = ScriptRecord | GameScript
#: when a trigger is checked, by its number
_CHECKED = ("in the step", "at the beginning of the step", "at the end of the step")
#: the properties that the compilers of these releases share with the first one that is known
_DIALECT = Dialect.for_version(8, (1, 0, 0, 0))


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
        sole = self.record.actions[0] if len(self.record.actions) == 1 else None
        plain = sole is not None and sole.library_id == 1 and sole.applies_to == -1
        return code_of(sole) if sole is not None and plain else None

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
    """The actions of an object for an event."""

    __slots__ = ("category", "sub_type")

    def __init__(self, places: Places, record: ActionList, category: int, sub_type: int) -> None:
        super().__init__(places, record)
        self.category: int = category
        self.sub_type: int = sub_type

    @property
    def title(self) -> str:
        """As people read it: ``Alarm 3``, ``Collision with obj_wall``."""
        return event_title(self.category, self.sub_type, self.places.name_of)

    @property
    def key(self) -> str:
        """Its key: its title, as projects have no other name for it."""
        return self.title

    def __repr__(self) -> str:
        return f"<Event {self.title}, {len(self.actions)} actions>"


class Object(Resource[ObjectRecord]):
    """An object."""

    __slots__ = ()
    plural = "objects"
    _facts = ("sprite", "mask", "parent", "visible", "solid", "persistent", "depth")

    @property
    def sprite(self) -> Sprite | None:
        """Its sprite; None where it has none."""
        return self.places.ref(Sprite, self.record.sprite).get()

    @property
    def parent(self) -> Object | None:
        """The object it inherits from; None for none."""
        return self.places.ref(Object, self.record.parent).get()

    @property
    def mask(self) -> Sprite | None:
        """The sprite whose shape collides; None for its own."""
        return self.places.ref(Sprite, self.record.mask).get()

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
        """The depth at which instances are drawn; those of the greatest depth are drawn first."""
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
        """The objects that have it as their parent."""
        return [it for it in Resources(self.places, Object) if it.record.parent == self.index]

    @property
    def instance_count(self) -> int | None:
        """How many instances the rooms have; not counted."""
        return None

    @property
    def own_events(self) -> list[Event]:
        """Its events."""
        return self.events

    @property
    def events(self) -> list[Event]:
        """Its events, by category, then as the editor lists them."""
        return [
            Event(self.places, event.actions, category, event.sub_type)
            for category, events in enumerate(self.record.categories)
            for event in sorted(events, key=lambda event: event.sub_type)
        ]

    def _about(self) -> str:
        return counted(len(self.events), "event")


class Moment(Actions):
    """The actions at a step of a timeline."""

    __slots__ = ("step",)

    def __init__(self, places: Places, record: ActionList, step: int) -> None:
        super().__init__(places, record)
        self.step: int = step

    @property
    def key(self) -> str:
        """Its step."""
        return str(self.step)

    @property
    def title(self) -> str:
        """``Step 30``."""
        return f"Step {self.step}"

    def __repr__(self) -> str:
        return f"<Moment {self.step}, {len(self.actions)} actions>"


class Timeline(Resource[TimelineRecord]):
    """A timeline."""

    __slots__ = ()
    plural = "timelines"

    @property
    def moments(self) -> list[Moment]:
        """Its moments, in the order of the file."""
        return [
            Moment(self.places, moment.actions, moment.position) for moment in self.record.moments
        ]

    @property
    def steps(self) -> list[tuple[int, Moment]]:
        """Its moments with their steps."""
        return [(moment.step, moment) for moment in self.moments]

    def _about(self) -> str:
        return counted(len(self.record.moments), "moment")


class Script(Resource[AnyScript]):
    """A script."""

    __slots__ = ()
    plural = "scripts"
    when = ""

    @property
    def code(self) -> str:
        """Its GML."""
        return self.record.code

    def _about(self) -> str:
        return counted(len(self.record.code.splitlines()), "line")


class Trigger(Resource[TriggerRecord]):
    """A trigger."""

    __slots__ = ()
    plural = "triggers"

    @property
    def code(self) -> str:
        """The GML of its condition."""
        return self.record.condition

    @property
    def when(self) -> str:
        """When it is checked, and the constant that its event is known by."""
        moment, name = self.record.moment, self.record.constant_name
        known = 0 <= moment < len(_CHECKED)
        when = f"Checked {_CHECKED[moment]}" if known else f"Checked at moment {moment}"
        return f"{when}, constant {name}" if name else when


class ProjectPart(ResourceSurface):
    """A part of a project other than a resource, which exists once: its kind is its name."""

    __slots__ = ("_document", "kind")

    def __init__(self, document: object, kind: str) -> None:
        self._document = document
        self.kind: str = kind

    @property
    def record(self) -> object:
        """The document it is of."""
        return self._document

    @property
    def document(self) -> object:
        """The document it is of."""
        return self._document

    @property
    def name(self) -> str:
        """Its kind."""
        return self.kind


class Information(ProjectPart):
    """The text that F1 shows to players."""

    __slots__ = ("text",)

    def __init__(self, document: object, text: str) -> None:
        super().__init__(document, "information")
        self.text: str = text


class Constants(ProjectPart):
    """The constants: names with the expressions that they stand for."""

    __slots__ = ("values",)

    def __init__(self, document: object, values: list[tuple[str, str]]) -> None:
        super().__init__(document, "constants")
        self.values: list[tuple[str, str]] = values


def context_of(places: Places) -> Context:
    """The language tools' knowledge of a project: its dialect, its resources by name; scripts
    are functions, too."""
    context = Context(_DIALECT)
    for plural, slots in places.slots.items():
        kind = BY_PLURAL[plural].singular
        for index, slot in enumerate(slots):
            if slot.exists and slot.name and kind in ASSET_KINDS:
                context.add_asset(kind, index, slot.name)
    return context
