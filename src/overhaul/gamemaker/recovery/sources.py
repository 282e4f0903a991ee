"""Scripts, shaders and timelines: what is mostly text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from overhaul.errors import OverhaulError
from overhaul.gamemaker.recovery.drafts import rows

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.code import Code
    from overhaul.gamemaker.data.resources.objects import Moment
    from overhaul.gamemaker.ide.values import Json
    from overhaul.gamemaker.recovery.drafts import Draft

_GLOBAL: Final = "gml_GlobalScript_"
_SCRIPT: Final = "gml_Script_"
#: What the compiler writes before the source of a shader that an author wrote.
_MARK: Final = "#define _YY_GLSLES_ 1\n"
_STEP: Final = 0
#: An enumeration that the decompiler names, as it prints it.
_ENUM: Final = re.compile(r"^enum (UnknownEnum\w*)\n\{\n(.*?)\n\}\n?", re.MULTILINE | re.DOTALL)
_MEMBER: Final = re.compile(r"(\w+)(?: = (-?\d+))?")
_ENUMS: Final = "recovered_enums"


def gml_of(draft: Draft, code: Code | None, path: str) -> str | None:
    """The source of code; None where there is none, which is reported."""
    if code is None:
        return None
    try:
        return _without_enums(draft, code.gml).rstrip("\n") + "\n"
    except OverhaulError as error:
        draft.findings.warn("code-not-decompiled", str(error), path)
        return None


def _without_enums(draft: Draft, source: str) -> str:
    """A source without the enumerations that the decompiler wrote behind it: a project has each of
    them once."""

    def take(found: re.Match[str]) -> str:
        members = draft.enums.setdefault(found[1], {})
        value = -1
        for name, given in _MEMBER.findall(found[2]):
            value = int(given) if given else value + 1
            members[name] = value
        return ""

    return _ENUM.sub(take, source)


def add_enums(draft: Draft) -> None:
    """Add a script with the enumerations that the decompiler had to name."""
    if not draft.enums:
        return
    lines: list[str] = []
    for name, members in draft.enums.items():
        listed = sorted(members.items(), key=lambda member: member[1])
        rows = ",\n".join(f"    {member} = {value}" for member, value in listed)
        lines.append(f"enum {name}\n{{\n{rows}\n}}\n")
    made = draft.name_for("script", _ENUMS)
    members_: dict[str, Json] = {"isDnD": False, "isCompatibility": False}
    files = {f"{made}.gml": draft.source("\n".join(lines))}
    draft.add("script", _ENUMS, "GMScript", members_, files)
    draft.lost("the names of enumerations", draft.path_of("script", _ENUMS))


def add_scripts(draft: Draft) -> None:
    """Add the scripts; since 2.3 those whose code declares functions."""
    total = lost = 0
    is_late = draft.game.release.at_least(2, 3)
    for script in draft.game.scripts:
        code = script.code
        name = script.name
        if is_late:
            if code is not None and not code.name.startswith(_GLOBAL):
                continue  # a function of a script
            if code is None and name.startswith(_SCRIPT):
                continue
        total += 1
        path = draft.path_of("script", name)
        source = gml_of(draft, code, path)
        if source is None:
            lost += 1
            if code is None:
                draft.lost("its source (the game has none)", path)
            source = f"// The source of {name} could not be recovered.\n"
        made = draft.name_for("script", name)
        members: dict[str, Json] = {"isDnD": False, "isCompatibility": False}
        draft.add("script", name, "GMScript", members, {f"{made}.gml": draft.source(source)})
    draft.count("scripts", total, 0, lost)


def add_shaders(draft: Draft) -> None:
    """Add the shaders with their sources in the author's language."""
    total = lost = 0
    for shader in draft.game.shaders:
        total += 1
        name = shader.name
        kind = int(shader.type) & 0xF
        pairs = {
            1: (shader.vertex, shader.fragment),
            2: (shader.glsl_vertex, shader.glsl_fragment),
            3: (shader.hlsl9_vertex, shader.hlsl9_fragment),
        }
        vertex, fragment = (_author_part(text or "") for text in pairs.get(kind, pairs[1]))
        if not (vertex and fragment):
            lost += 1
            draft.lost("its source", draft.path_of("shader", name))
        made = draft.name_for("shader", name)
        files = {f"{made}.vsh": draft.source(vertex), f"{made}.fsh": draft.source(fragment)}
        draft.add("shader", name, "GMShader", {"type": kind if kind in (1, 2) else 1}, files)
    draft.count("shaders", total, 0, lost)


def _author_part(source: str) -> str:
    """The source without what the compiler writes before it."""
    return source.rpartition(_MARK)[2]


def add_timelines(draft: Draft) -> None:
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
            source = _moment(draft, moment, path)
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


def _moment(draft: Draft, moment: Moment, path: str) -> str | None:
    return gml_of(draft, moment.code, path)


def event_record(
    draft: Draft, kind: int, number: int, other: dict[str, Json] | None
) -> dict[str, Json]:
    """An event of code."""
    members: dict[str, Json] = {
        "isDnD": False,
        "eventNum": number,
        "eventType": kind,
        "collisionObjectId": other,
    }
    return draft.record("GMEvent", members)
