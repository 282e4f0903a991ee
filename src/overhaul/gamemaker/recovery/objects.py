"""Objects with their events, and variable definitions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.code import gml_of
from overhaul.gamemaker.recovery.modern import ModernDraft, rows
from overhaul.gamemaker.recovery.sources import event_record

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.objects import GameObject

_PRE_CREATE: Final = 14
_COLLISION: Final = 4
_ASSIGNED: Final = re.compile(r"(?:self\.)?([^\W\d]\w*) = (.+);")
_INHERITED: Final = "event_inherited();"
_TEXT: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_ESCAPED: Final = re.compile(r"\\(.)")
_REAL, _STRING, _BOOL, _EXPRESSION = 0, 2, 3, 4


class Definition(NamedTuple):
    """A variable definition: the type of its value, and the value, as the editor has them."""

    kind: int
    value: str


def definition_of(expression: str) -> Definition:
    """The definition whose value is an expression of code."""
    if _NUMBER.fullmatch(expression):
        return Definition(_REAL, expression)
    if expression in ("true", "false"):
        return Definition(_BOOL, expression.title())
    text = _TEXT.fullmatch(expression)
    if text is not None and "\\" not in text[1]:
        return Definition(_STRING, text[1])
    return Definition(_EXPRESSION, expression)


def assignments(source: str) -> dict[str, str] | None:
    """The expressions that code gives to variables, if it does nothing else; else None."""
    found: dict[str, str] = {}
    for line in source.splitlines():
        stripped = line.strip()
        if not stripped or stripped == _INHERITED:
            continue
        match = _ASSIGNED.fullmatch(stripped)
        if match is None or line[:1].isspace():
            return None
        found[match[1]] = match[2]
    return found


class Variables:
    """The variable definitions of objects, and which object has each first."""

    def __init__(self, draft: ModernDraft) -> None:
        self._draft = draft
        self._own: dict[str, dict[str, str]] = {}
        #: the sources other than definitions, by object
        self.other: dict[str, str] = {}
        for kind in draft.game.objects:
            event = kind.events.get("PreCreate_0")
            if event is None or kind.name in self._own:
                continue
            source = gml_of(draft, event.code, draft.path_of("object", kind.name)) or ""
            found = assignments(source)
            if found is None:
                self.other[kind.name] = source
            else:
                self._own[kind.name] = found

    def owner(self, kind: GameObject | None, name: str) -> GameObject | None:
        """The first object, from the oldest ancestor on, that has a variable."""
        line = [] if kind is None else [kind, *kind.ancestors()]
        having = [each for each in line if name in self._own.get(each.name, ())]
        return having[-1] if having else None

    def properties(self, kind: GameObject) -> tuple[list[Json], list[Json]]:
        """The definitions of an object, and those of its ancestors that it overrides."""
        own: list[Json] = []
        overridden: list[Json] = []
        for name, expression in self._own.get(kind.name, {}).items():
            first = self.owner(kind, name)
            if first is None or first.name == kind.name:
                own.append(self._property(name, definition_of(expression)))
            else:
                overridden.append(self.override(first, name, expression))
        return own, overridden

    def _property(self, name: str, definition: Definition) -> Json:
        members: dict[str, Json] = {
            "varType": definition.kind,
            "value": definition.value,
            "rangeEnabled": False,
            "rangeMin": 0.0,
            "rangeMax": 10.0,
            "listItems": [],
            "multiselect": False,
            "filters": [],
        }
        return self._draft.record("GMObjectProperty", members, name)

    def override(self, owner: GameObject, name: str, expression: str) -> Json:
        """Another value for the definition that an object has."""
        draft = self._draft
        kind = definition_of(self._own[owner.name][name]).kind
        made = definition_of(expression)
        value = made.value if made.kind == kind else expression
        path = draft.path_of("object", owner.name)
        members: dict[str, Json] = {
            "propertyId": draft.place(name, path),
            "objectId": draft.reference("object", owner),
            "value": value,
        }
        return draft.record("GMOverriddenProperty", members)


def add_objects(draft: ModernDraft, variables: Variables) -> None:
    """Add the objects of the game."""
    total = lossy = lost = 0
    for kind in draft.own(draft.game.objects):
        total += 1
        before = len(draft.findings)
        lost += _add_object(draft, kind, variables)
        lossy += len(draft.findings) > before
    draft.count("objects", total, lossy, lost)


def _add_object(draft: ModernDraft, kind: GameObject, variables: Variables) -> bool:
    """Add an object; whether an event of it is lost."""
    path = draft.path_of("object", kind.name)
    own_path = draft.place(draft.name_for("object", kind.name), path)
    files: dict[str, Callable[[], bytes]] = {}
    events: list[Json] = []
    lost = False
    for name, number, record, source in _events(draft, kind, variables):
        lost = lost or source is None
        files[f"{name}.gml"] = draft.source(source or "")
        event = event_record(draft, number, *record)
        if draft.style.letter == "B":
            event["parent"] = own_path
        events.append(event)
    own, overridden = variables.properties(kind)
    physics = kind.physics
    members: dict[str, Json] = {
        "spriteId": draft.reference("sprite", kind.sprite),
        "solid": kind.solid,
        "visible": kind.visible,
        "managed": kind.managed if draft.game.release.at_least(2022, 5) else True,
        "spriteMaskId": draft.reference("sprite", kind.mask),
        "persistent": kind.persistent,
        "parentObjectId": draft.reference("object", kind.parent),
        "physicsObject": physics.enabled,
        "physicsSensor": physics.sensor,
        "physicsShape": int(physics.shape),
        "physicsGroup": physics.group,
        "physicsDensity": physics.density,
        "physicsRestitution": physics.restitution,
        "physicsLinearDamping": physics.linear_damping,
        "physicsAngularDamping": physics.angular_damping,
        "physicsFriction": physics.friction,
        "physicsStartAwake": physics.awake,
        "physicsKinematic": physics.kinematic,
        "physicsShapePoints": rows(
            [draft.ordered({"x": float(x), "y": float(y)}) for x, y in physics.vertices]
        ),
        "eventList": rows(events),
        "properties": own,
        "overriddenProperties": overridden,
    }
    draft.add("object", kind.name, "GMObject", members, files)
    return lost


def _events(
    draft: ModernDraft, kind: GameObject, variables: Variables
) -> Iterator[tuple[str, int, tuple[int, dict[str, Json] | None], str | None]]:
    """The name of the file of each event, its type, its number with the other object, and its
    source."""
    path = draft.path_of("object", kind.name)
    head = variables.other.get(kind.name, "")
    if head:
        message = "its variable definitions are at the head of its Create event"
        draft.findings.warn("approximated", message, path)
    has_create = False
    for event in kind.own_events:
        if event.kind == _PRE_CREATE:
            continue
        source = gml_of(draft, event.code, path)
        if event.code is None:
            source = ""
        if event.name == "Create_0":
            has_create = True
            source = head + (source or "")
        if event.kind == _COLLISION and event.other is not None:
            other = draft.reference("object", event.other)
            assert other is not None
            yield f"Collision_{other['name']}", event.kind, (0, other), source
        else:
            subtype = event.record.subtype
            number = subtype if isinstance(subtype, int) else 0
            yield event.name, event.kind, (number, None), source
    if head and not has_create:
        yield "Create_0", 0, (0, None), head
