"""Scripts, shaders, objects and timelines of a project of Studio 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.recovery.code import (
    ENUMS,
    enum_source,
    gml_of,
    missing_source,
    scripts_of,
    shader_parts,
)
from overhaul.gamemaker.recovery.studio import (
    StudioDraft,
    StudioProjectDraft,
    flag,
    leaf,
    number,
    parent,
)

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.objects import GameObject

_COLLISION: Final = 4
#: Between the two sources of a shader; the second begins right behind it.
_MARKER: Final = "//######################_==_YOYO_SHADER_MARKER_==_######################@~"
_LANGUAGES: Final = {1: "GLSLES", 2: "GLSL", 3: "HLSL9", 4: "HLSL11"}


def add_scripts(draft: StudioDraft) -> None:
    """Add the scripts."""
    total = lost = 0
    for script in scripts_of(draft):
        total += 1
        source = gml_of(draft, script.code, draft.path_of("script", script.name))
        lost += source is None
        add_script(draft, script.name, source or missing_source(script.name))
    draft.count("scripts", total, 0, lost)


def add_enums(draft: StudioDraft) -> None:
    """Add a script with the enumerations that the decompiler had to name."""
    source = enum_source(draft)
    if source:
        name = draft.new_name("script", ENUMS)
        add_script(draft, name, source)
        draft.lost("the names of enumerations", f"scripts/{name}.gml")


def add_script(draft: StudioProjectDraft, name: str, source: str) -> None:
    """Add a script with a source."""
    made = draft.name_for("script", name)
    draft.files[f"scripts/{made}.gml"] = draft.source(source)
    draft.list("script", name, ".gml")


def add_shaders(draft: StudioDraft) -> None:
    """Add the shaders, both parts in one file."""
    total = lost = 0
    for shader in draft.own(draft.game.shaders):
        total += 1
        kind, vertex, fragment = shader_parts(shader)
        made = draft.name_for("shader", shader.name)
        if not (vertex and fragment):
            lost += 1
            draft.lost("its source", f"shaders/{made}.shader")
        draft.files[f"shaders/{made}.shader"] = draft.source(f"{vertex}{_MARKER}{fragment}")
        draft.list("shader", shader.name, ".shader", type=_LANGUAGES.get(kind, "GLSLES"))
    draft.count("shaders", total, 0, lost)


def code_action(source: str) -> XmlNode:
    """The action that runs code."""
    argument = parent("argument", [leaf("kind", 1), leaf("string", source)])
    values = {"id": "603", "kind": "7", "useapplyto": "-1", "exetype": "2"}
    return action_node(values, [argument])


#: The elements of an action in their order, and what most have.
_ACTION: Final = {
    "libid": "1", "id": "0", "kind": "0", "userelative": "0", "isquestion": "0",
    "useapplyto": "0", "exetype": "0", "functionname": "", "codestring": "", "whoName": "self",
    "relative": "0", "isnot": "0",
}  # fmt: skip


def action_node(values: Mapping[str, str], arguments: Iterable[XmlNode]) -> XmlNode:
    """An action: the texts of its elements, if they are not the usual ones, and its arguments."""
    children = [leaf(tag, values.get(tag, usual)) for tag, usual in _ACTION.items()]
    return parent("action", [*children, parent("arguments", arguments)])


def add_timelines(draft: StudioDraft) -> None:
    """Add the timelines."""
    total = lost = 0
    for timeline in draft.game.timelines:
        total += 1
        path = draft.path_of("timeline", timeline.name)
        entries = []
        for step, moment in timeline.steps:
            source = gml_of(draft, moment.code, path)
            lost += source is None
            event = parent("event", [code_action(source or "")])
            entries.append(parent("entry", [leaf("step", step), event]))
        draft.add("timeline", timeline.name, entries)
    draft.count("timelines", total, 0, lost)


def add_objects(draft: StudioDraft) -> None:
    """Add the objects with their events."""
    total = lost = 0
    for kind in draft.own(draft.game.objects):
        total += 1
        before = len(draft.findings)
        draft.add("object", kind.name, _object(draft, kind))
        lost += len(draft.findings) > before
    draft.count("objects", total, 0, lost)


def _object(draft: StudioDraft, kind: GameObject) -> Iterator[XmlNode]:
    yield leaf("spriteName", draft.named("sprite", kind.sprite))
    yield leaf("solid", flag(kind.solid))
    yield leaf("visible", flag(kind.visible))
    yield leaf("depth", kind.depth)
    yield leaf("persistent", flag(kind.persistent))
    yield leaf("parentName", draft.named("object", kind.parent))
    yield leaf("maskName", draft.named("sprite", kind.mask))
    yield parent("events", _events(draft, kind))
    physics = kind.physics
    yield from physics_nodes(
        {
            "": flag(physics.enabled),
            "Sensor": flag(physics.sensor),
            "Shape": str(int(physics.shape)),
            "Density": number(physics.density),
            "Restitution": number(physics.restitution),
            "Group": number(physics.group),
            "LinearDamping": number(physics.linear_damping),
            "AngularDamping": number(physics.angular_damping),
            "Friction": number(physics.friction),
            "Awake": flag(physics.awake),
            "Kinematic": flag(physics.kinematic),
        }
    )
    points = [leaf("point", f"{number(x)},{number(y)}") for x, y in physics.vertices]
    yield parent("PhysicsShapePoints", points)


#: The physics of a new object: the ends of the tags, and the texts.
NO_PHYSICS: Final = {
    "": "0", "Sensor": "0", "Shape": "0", "Density": "0.5", "Restitution": "0.1", "Group": "0",
    "LinearDamping": "0.1", "AngularDamping": "0.1", "Friction": "0.2", "Awake": "-1",
    "Kinematic": "0",
}  # fmt: skip


def physics_nodes(values: Mapping[str, str]) -> Iterator[XmlNode]:
    """The elements of an object for physics, but for the points of its shape."""
    for name, value in values.items():
        yield leaf(f"PhysicsObject{name}", value)


def _events(draft: StudioDraft, kind: GameObject) -> Iterator[XmlNode]:
    path = draft.path_of("object", kind.name)
    for event in kind.own_events:
        source = gml_of(draft, event.code, path)
        attributes = {"eventtype": str(event.kind)}
        if event.kind == _COLLISION and event.other is not None:
            attributes["ename"] = draft.named("object", event.other)
        else:
            subtype = event.record.subtype
            attributes["enumb"] = str(subtype if isinstance(subtype, int) else 0)
        yield parent("event", [code_action(source or "")], **attributes)
