"""The code of a game as the sources of a project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhaul.errors import OverhaulError
from overhaul.gamemaker.recovery.drafts import Draft

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.code import Code, Script
    from overhaul.gamemaker.data.resources.shaders import Shader

#: The script with the enumerations that the decompiler had to name.
ENUMS: Final = "recovered_enums"
_GLOBAL: Final = "gml_GlobalScript_"
_SCRIPT: Final = "gml_Script_"
_LANGUAGES: Final = 0xF
#: The text that the compiler writes before the source of a shader that an author wrote.
_MARK: Final = re.compile(r"#define _YY_GLSLES_ 1\n|#define _YY_HLSL11_ 1\n")
#: An enumeration that the decompiler names, as it prints it.
_ENUM: Final = re.compile(r"^enum (UnknownEnum\w*)\n\{\n(.*?)\n\}\n?", re.MULTILINE | re.DOTALL)
_MEMBER: Final = re.compile(r"(\w+)(?: = (-?\d+))?")


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


def enum_source(draft: Draft) -> str:
    """The enumerations that the decompiler had to name, as one source; "" for none."""
    parts: list[str] = []
    for name, members in draft.enums.items():
        listed = sorted(members.items(), key=lambda member: member[1])
        lines = ",\n".join(f"    {member} = {value}" for member, value in listed)
        parts.append(f"enum {name}\n{{\n{lines}\n}}\n")
    return "\n".join(parts)


def scripts_of(draft: Draft) -> Iterator[Script]:
    """The scripts of a game; since 2.3 those whose code declares functions."""
    is_late = draft.game.release.at_least(2, 3)
    for script in draft.own(draft.game.scripts):
        code = script.code
        if is_late and code is not None and not code.name.startswith(_GLOBAL):
            continue  # a function of a script
        if is_late and code is None and script.name.startswith(_SCRIPT):
            continue
        yield script


def missing_source(name: str) -> str:
    """The text in place of a lost source."""
    return f"// The source of {name} could not be recovered.\n"


def shader_parts(shader: Shader) -> tuple[int, str, str]:
    """The number of the language that the author wrote a shader in, and its two sources."""
    kind = int(shader.type) & _LANGUAGES
    pairs = {
        1: (shader.vertex, shader.fragment),
        2: (shader.glsl_vertex, shader.glsl_fragment),
        3: (shader.hlsl9_vertex, shader.hlsl9_fragment),
    }
    vertex, fragment = (_author_part(text or "") for text in pairs.get(kind, pairs[1]))
    return kind, vertex, fragment


def _author_part(source: str) -> str:
    """The source of a shader without what the compiler writes before it."""
    marks = list(_MARK.finditer(source))
    return source[marks[-1].end() :] if marks else source
