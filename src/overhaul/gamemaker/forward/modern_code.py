"""Scripts, objects and time lines of a project of Studio 1, for later releases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.forward import dropped
from overhaul.gamemaker.forward.actions import Act
from overhaul.gamemaker.forward.blocks import ActionSource
from overhaul.gamemaker.forward.code import string_text
from overhaul.gamemaker.forward.modern import ForwardDraft, defined, is_on, real, whole
from overhaul.gamemaker.forward.parents import cut_circles
from overhaul.gamemaker.ide.loose import EVENT_WORDS
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.modern import rows
from overhaul.gamemaker.recovery.sources import add_script, event_record

_COLLISION: Final = 4
_INDENT: Final = "    "
_NUMBERS: Final = {
    "physicsDensity": "Density", "physicsRestitution": "Restitution",
    "physicsLinearDamping": "LinearDamping", "physicsAngularDamping": "AngularDamping",
    "physicsFriction": "Friction",
}  # fmt: skip
MACROS: Final = "constants"
#: The folder of the functions that stand for dropped ones.
_DROPPED: Final = "Dropped functions"


def acts_of(event: XmlNode) -> list[Act]:
    """The actions of an event or a moment."""
    return [_act(node) for node in event.all("action")]


def _act(node: XmlNode) -> Act:
    arguments: list[tuple[int, str]] = []
    found = node.find("arguments")
    for each in () if found is None else found.all("argument"):
        texts = [child.text for child in each.children if child.tag != "kind"]
        arguments.append((whole(each.value("kind")), texts[0] if texts else ""))
    return Act(
        whole(node.value("libid")),
        whole(node.value("id")),
        whole(node.value("kind")),
        is_on(node.value("isquestion")),
        whole(node.value("exetype")),
        node.value("functionname"),
        node.value("codestring"),
        node.value("whoName").strip() or "self",
        is_on(node.value("relative")),
        is_on(node.value("isnot")),
        tuple(arguments),
    )


def source_of(draft: ForwardDraft, event: XmlNode, path: str) -> str:
    """The source that does what the actions of an event do, in the language of Studio 1."""

    def warn(code: str, message: str, line: int) -> None:
        draft.findings.warn(code, message, path, "", line)

    source = ActionSource(acts_of(event), warn, ends_alone=draft.is_classic)
    made = source.text()
    draft.count_more("actions", source.count, source.unknown)
    return made


# -- scripts ---------------------------------------------------------------------------------------


def add_scripts(draft: ForwardDraft) -> None:
    """Add the scripts: each declares its functions."""
    paths = []
    lost = 0
    for name, entry in draft.all("script"):
        path = draft.path_of("script", name)
        paths.append(path)
        text = draft.text_of(entry.path)
        lost += text is None
        parts = [
            function(draft, name if own == entry.name else own, source, f"{path[:-3]}.gml")
            for own, source in defined(text or "", entry.name)
        ]
        add_script(draft, name, "\n".join(parts))
    draft.tally("scripts", paths, lost)


def function(draft: ForwardDraft, name: str, source: str, path: str) -> str:
    """A function with the source of a script."""
    made = draft.gml(source, path)
    lines = [_INDENT + line if line.strip() else "" for line in made.split("\n")]
    body = "\n".join(lines).rstrip()
    return f"function {name}() {{\n{body}\n}}\n" if body else f"function {name}() {{\n}}\n"


def add_dropped(draft: ForwardDraft, information: str) -> None:
    """Add the functions that stand for those that the release dropped, as far as code uses them;
    ``information`` is what F1 showed."""
    needed = dropped.needed(draft.forwarder.used)
    names = [name for name in needed if draft.naming.called("scripts", name) != name]
    for name in names:
        if name == dropped.DEPTHS:
            source = _depths(draft)
        elif name == dropped.INFORMATION:
            source = _information(information)
        else:
            source = dropped.scripted()[name].source
        draft.folders["script", draft.name_for("script", name)] = (_DROPPED,)
        add_script(draft, name, source)
        path = draft.path_of("script", name)
        message = "it stands for a function that the release dropped, or helps one that does"
        draft.findings.add_note("approximated", message, path)
    draft.count("added_scripts", len(names))


def _information(text: str) -> str:
    """The function that shows what F1 showed."""
    lines = ["/// What F1 showed.", f"function {dropped.INFORMATION}() {{"]
    return "\n".join([*lines, f"    show_message({string_text(text.strip())});", "}", ""])


def _depths(draft: ForwardDraft) -> str:
    """The function that gives the depths of objects."""
    cases = [
        f"        case {name}: return {depth};" for name, depth in draft.depths.items() if depth
    ]
    inside = ["    switch (kind) {", *cases, "    }"] if cases else []
    if dropped.SET_DEPTH in draft.forwarder.used:
        chosen = "    if (ds_map_exists(own, kind)) return own[? kind];"
        inside = ["    var own = old_depths();", chosen, *inside]
    lines = ["/// The depth of an object.", f"function {dropped.DEPTHS}(kind) {{", *inside]
    return "\n".join([*lines, "    return 0;", "}", ""])


def add_constants(draft: ForwardDraft) -> None:
    """Add a script with the constants as macros."""
    root = draft.old.gmx_file(draft.old.name).root
    found: dict[str, str] = {}
    places = [root.find("constants"), *_configured(draft)]
    for place in places:
        for node in () if place is None else place.all("constant"):
            name, value = node.attributes.get("name", ""), node.text
            if name and found.setdefault(name, value) != value:
                message = f"a configuration has another value for {name}"
                draft.findings.warn("defined-otherwise", message, draft.old.name)
    draft.count("constants", len(found))
    if not found:
        return
    script = draft.new_name("script", MACROS)
    path = draft.path_of("script", script)
    lines = []
    for name, value in found.items():
        made = " ".join(draft.forwarder.source(value, path).split()) or "0"
        lines.append(f"#macro {name} {made}")
    add_script(draft, script, "\n".join(lines) + "\n")


def _configured(draft: ForwardDraft) -> Iterator[XmlNode | None]:
    for entry in draft.old.entries_of("configuration"):
        yield draft.root(entry).find("ConfigConstants/constants")


# -- objects and time lines ------------------------------------------------------------------------


def add_objects(draft: ForwardDraft) -> None:
    """Add the objects with their events as code."""
    paths = []
    lost = 0
    parents = {
        name: draft.naming.called("objects", draft.root(entry).value("parentName")) or ""
        for name, entry in draft.all("object")
    }
    kept = cut_circles(parents, draft.findings, partial(draft.path_of, "object"))
    for name, entry in draft.all("object"):
        path = draft.path_of("object", name)
        paths.append(path)
        _add_object(draft, name, draft.root(entry), path, has_parent=name in kept)
        lost += draft.is_broken(entry)
    draft.tally("objects", paths, lost)


def _add_object(
    draft: ForwardDraft, name: str, root: XmlNode, path: str, *, has_parent: bool
) -> None:
    files: dict[str, Callable[[], bytes]] = {}
    events: list[Json] = []
    folder = path.rpartition("/")[0]
    for node in root.walk():
        if node.tag != "event":
            continue
        kind, number = whole(node.attributes.get("eventtype", "")), 0
        other = None
        if kind == _COLLISION:
            other = draft.refer("object", node.attributes.get("ename", ""), path)
            if other is None:
                count = len(acts_of(node))
                draft.count_more("actions", count, lost=count)
                message = "a collision with an object that is not there is left out"
                draft.findings.warn("left-out", message, path)
                continue
            file = f"{EVENT_WORDS[kind]}_{other['name']}.gml"
        else:
            number = whole(node.attributes.get("enumb", ""))
            if not 0 <= kind < len(EVENT_WORDS):
                message = f"an event of the type {kind}, which no release has, is left out"
                draft.findings.warn("left-out", message, path)
                continue
            file = f"{EVENT_WORDS[kind]}_{number}.gml"
        source = source_of(draft, node, f"{folder}/{file}")
        if file in files:
            message = f"{file[:-4]} is there twice: the first has the code of both"
            draft.findings.warn("duplicate", message, path)
            source = files[file]().decode("utf-8") + draft.gml(source, f"{folder}/{file}")
            files[file] = draft.source(source)
            continue
        files[file] = draft.source(draft.gml(source, f"{folder}/{file}"))
        events.append(event_record(draft, kind, number, other))
    members: dict[str, Json] = {
        "spriteId": draft.refer("sprite", root.value("spriteName"), path),
        "solid": is_on(root.value("solid")),
        "visible": is_on(root.value("visible")),
        "managed": True,
        "spriteMaskId": draft.refer("sprite", root.value("maskName"), path),
        "persistent": is_on(root.value("persistent")),
        "parentObjectId": draft.refer(
            "object", root.value("parentName") if has_parent else "", path
        ),
        **_physics(draft, root),
        "eventList": rows(events),
        "properties": [],
        "overriddenProperties": [],
    }
    draft.add("object", name, "GMObject", members, files)


def _physics(draft: ForwardDraft, root: XmlNode) -> Mapping[str, Json]:
    points: list[Json] = []
    shape = root.find("PhysicsShapePoints")
    for node in () if shape is None else shape.all("point"):
        x, y = ([real(each) for each in node.text.split(",")] + [0.0, 0.0])[:2]
        points.append(draft.ordered({"x": x, "y": y}))
    usual = {"Density": "0.5", "Restitution": "0.1", "Friction": "0.2"}
    return {
        "physicsObject": is_on(root.value("PhysicsObject")),
        "physicsSensor": is_on(root.value("PhysicsObjectSensor")),
        "physicsShape": whole(root.value("PhysicsObjectShape")),
        "physicsGroup": whole(root.value("PhysicsObjectGroup")),
        **{
            key: real(root.value(f"PhysicsObject{tag}", usual.get(tag, "0.1")))
            for key, tag in _NUMBERS.items()
        },
        "physicsStartAwake": is_on(root.value("PhysicsObjectAwake", "-1")),
        "physicsKinematic": is_on(root.value("PhysicsObjectKinematic")),
        "physicsShapePoints": points,
    }


def add_timelines(draft: ForwardDraft) -> None:
    """Add the time lines with a source for each moment."""
    paths = []
    for name, entry in draft.all("timeline"):
        path = draft.path_of("timeline", name)
        paths.append(path)
        root = draft.root(entry)
        moments: dict[int, str] = {}
        for node in root.all("entry"):
            step, event = whole(node.value("step")), node.find("event")
            file = f"{path.rpartition('/')[0]}/moment_{step}.gml"
            source = "" if event is None else draft.gml(source_of(draft, event, file), file)
            moments[step] = moments.get(step, "") + source
        records: list[Json] = []
        for step in moments:
            event_of = event_record(draft, 0, 0, None)
            records.append(draft.record("GMMoment", {"moment": step, "evnt": event_of}))
        files = {f"moment_{step}.gml": draft.source(text) for step, text in moments.items()}
        draft.add("timeline", name, "GMTimeline", {"momentList": records}, files)
    draft.tally("timelines", paths)
