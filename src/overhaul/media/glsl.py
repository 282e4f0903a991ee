"""Source of shaders in GLSL and HLSL: its pieces by role, and what it declares.

GameMaker puts declarations of its own before what an author wrote (``gm_Matrices``, lights, fog).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

#: the last line that GameMaker puts before an author's source
_END_OF_PRELUDE: Final = re.compile(r"^#define _YY_\w+_ 1[^\n]*(?:\n|\Z)", re.MULTILINE)
_PIECES: Final = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<directive>^[ \t]*\#[^\n]*?(?=//|/\*|\n|\Z))"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[uUfFhH]?)"
    r"|(?P<space>\s+)"
    r"|(?P<operator>.)",
    re.DOTALL | re.MULTILINE,
)
_KEYWORDS: Final = re.compile(
    r"attribute|break|case|cbuffer|const|continue|default|discard|do|else|flat|for|highp"
    r"|if|in|inout|invariant|layout|lowp|mediump|out|precision|return|register|smooth"
    r"|static|struct|switch|uniform|varying|while|true|false"
)
_TYPES: Final = re.compile(
    r"void|bool|int|uint|float|half|double|fixed|[biu]?vec[234]|mat[234](?:x[234])?"
    r"|(?:bool|int|uint|float|half)[1-4](?:x[1-4])?"
    r"|[iu]?sampler\w*|[Tt]exture(?:1D|2D|3D|Cube)(?:Array|MS)*|SamplerState"
)
#: the built-in names of the languages, and the variables of GLSL
_BUILTIN: Final = re.compile(
    r"gl_\w+|"
    r"abs|acos|all|any|asin|atan|atan2|ceil|clamp|clip|cos|cross|dFdx|dFdy|ddx|ddy|degrees"
    r"|distance|dot|equal|exp|exp2|faceforward|floor|fract|frac|fwidth|greaterThan"
    r"|greaterThanEqual|inversesqrt|length|lerp|lessThan|lessThanEqual|log|log2"
    r"|matrixCompMult|max|min|mix|mod|mul|normalize|not|notEqual|pow|radians|reflect"
    r"|refract|round|rsqrt|saturate|sign|sin|smoothstep|sqrt|step|tan|tex2D|tex2Dlod"
    r"|texture|texture2D|texture2DLod|texture2DProj|textureCube|texelFetch|textureSize"
    r"|transpose|trunc"
)
_UNIFORM: Final = re.compile(
    r"\buniform\s+(?:(?:lowp|mediump|highp|const)\s+)*(?P<type>\w+)\s+(?P<names>[^;{}]+);"
)
_NAME: Final = re.compile(r"\s*(\w+)\s*((?:\[[^\]]*\]\s*)*)")


class Piece(NamedTuple):
    """A part of a source: ``role`` is ``comment``, ``directive``, ``keyword``, ``type``,
    ``function``, ``name``, ``number``, ``operator`` or ``space``."""

    role: str
    text: str


class Uniform(NamedTuple):
    """A value that the game gives to a shader: ``vec2 u_size``; ``name`` has its ``[4]``, if it is
    an array."""

    type: str
    name: str


def pieces(source: str) -> Iterator[Piece]:
    """The pieces of a source, in order; all of them together are the source."""
    for match in _PIECES.finditer(source):
        text = match[0]
        role = match.lastgroup or "operator"
        if role == "word":
            role = _role(text)
        yield Piece(role, text)


def _role(word: str) -> str:
    for role, words in (("keyword", _KEYWORDS), ("function", _BUILTIN), ("type", _TYPES)):
        if words.fullmatch(word):
            return role
    return "name"


def divided(source: str) -> tuple[str, str]:
    """The text that GameMaker put before an author's source, and that source; the first is empty
    if it can't be distinguished."""
    ends = [match.end() for match in _END_OF_PRELUDE.finditer(source)] or [0]
    return source[: ends[-1]], source[ends[-1] :]


def uniforms(source: str) -> list[Uniform]:
    """The uniforms that a GLSL source declares, in order, comments left out."""
    bare = "".join(" " if piece.role == "comment" else piece.text for piece in pieces(source))
    declared = []
    for match in _UNIFORM.finditer(bare):
        for part in match["names"].split(","):
            name = _NAME.match(part)
            if name is not None:
                declared.append(Uniform(match["type"], name[1] + "".join(name[2].split())))
    return declared
