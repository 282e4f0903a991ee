"""Scripts, shaders and timelines: what is mostly text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.code import (
    ENUMS,
    enum_source,
    gml_of,
    missing_source,
    scripts_of,
    shader_parts,
)
from overhaul.gamemaker.recovery.modern import ModernDraft, ModernProjectDraft, rows

_STEP: Final = 0


def add_enums(draft: ModernDraft) -> None:
    """Add a script with the enumerations that the decompiler had to name."""
    source = enum_source(draft)
    if source:
        name = draft.new_name("script", ENUMS)
        add_script(draft, name, source)
        draft.lost("the names of enumerations", draft.path_of("script", name))


def add_scripts(draft: ModernDraft) -> None:
    """Add the scripts; since 2.3 those whose code declares functions."""
    total = lost = 0
    for script in scripts_of(draft):
        total += 1
        source = gml_of(draft, script.code, draft.path_of("script", script.name))
        lost += source is None
        add_script(draft, script.name, source or missing_source(script.name))
    draft.count("scripts", total, 0, lost)


def add_script(draft: ModernProjectDraft, name: str, source: str) -> None:
    """Add a script with a source."""
    made = draft.name_for("script", name)
    members: dict[str, Json] = {"isDnD": False, "isCompatibility": False}
    draft.add("script", name, "GMScript", members, {f"{made}.gml": draft.source(source)})


def add_shaders(draft: ModernDraft) -> None:
    """Add the shaders with their sources in the author's language."""
    total = lost = 0
    for shader in draft.own(draft.game.shaders):
        total += 1
        name = shader.name
        kind, vertex, fragment = shader_parts(shader)
        if not (vertex and fragment):
            lost += 1
            draft.lost("its source", draft.path_of("shader", name))
        made = draft.name_for("shader", name)
        files = {f"{made}.vsh": draft.source(vertex), f"{made}.fsh": draft.source(fragment)}
        draft.add("shader", name, "GMShader", {"type": kind if kind in (1, 2) else 1}, files)
    draft.count("shaders", total, 0, lost)


def add_timelines(draft: ModernDraft) -> None:
    """Add the timelines with a source for each moment."""
    total = lost = 0
    for timeline in draft.game.timelines:
        total += 1
        name = timeline.name
        path = draft.path_of("timeline", name)
        own = draft.place(draft.name_for("timeline", name), path)
        moments: list[Json] = []
        files: dict[str, Callable[[], bytes]] = {}
        for step, moment in timeline.steps:
            source = gml_of(draft, moment.code, path)
            lost += source is None
            files[f"moment_{step}.gml"] = draft.source(source or "")
            event = event_record(draft, 0, _STEP, None)
            members: dict[str, Json] = {"moment": step, "evnt": event}
            if draft.style.letter == "B":
                event["parent"] = own
                members["parent"] = own
            moments.append(draft.record("GMMoment", members))
        draft.add("timeline", name, "GMTimeline", {"momentList": rows(moments)}, files)
    draft.count("timelines", total, 0, lost)


def event_record(
    draft: ModernProjectDraft, kind: int, number: int, other: dict[str, Json] | None
) -> dict[str, Json]:
    """An event of code."""
    members: dict[str, Json] = {
        "isDnD": False,
        "eventNum": number,
        "eventType": kind,
        "collisionObjectId": other,
    }
    return draft.record("GMEvent", members)
