"""Sources of shaders, in pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overhaul.media.glsl import Uniform, divided, pieces, uniforms


def roles(source: str) -> list[tuple[str, str]]:
    return [(piece.role, piece.text) for piece in pieces(source) if piece.role != "space"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("uniform vec2 u;", "keyword uniform|type vec2|name u|operator ;"),
        ("mat4x3 uint4 isampler2D", "type mat4x3|type uint4|type isampler2D"),
        ("vec5 float5 mat1 Texture2Dx", "name vec5|name float5|name mat1|name Texture2Dx"),
        ("Texture2D texture2D TextureCube", "type Texture2D|function texture2D|type TextureCube"),
        ("gl_Position sin sinus", "function gl_Position|function sin|name sinus"),
        ("1 1. .5 1e-3 2.5f a1", "number 1|number 1.|number .5|number 1e-3|number 2.5f|name a1"),
        ("a//b\nc", "name a|comment //b|name c"),
        ("a/*b\nc*/d/*e", "name a|comment /*b\nc*/|name d|comment /*e"),
        ("  #define A 1 // one\n#if A", "directive   #define A 1 |comment // one|directive #if A"),
        ("a # b", "name a|operator #|name b"),
    ],
)
def test_a_source_is_divided_by_role(source: str, expected: str) -> None:
    assert "|".join(f"{role} {text}" for role, text in roles(source)) == expected


@given(st.text(alphabet="ab1./*#\n \\\"'é", max_size=60))
def test_the_pieces_are_the_source(source: str) -> None:
    assert "".join(piece.text for piece in pieces(source)) == source


def test_the_uniforms_of_a_source() -> None:
    source = """
        uniform vec2 u_a;            // uniform int no;
        uniform highp float u_b , u_c[ 4 ];  /* uniform int no; */
        uniform sampler2D tex[2*N];
        varying vec4 v;  float uniformly; uniform int broken
    """
    assert uniforms(source) == [
        Uniform("vec2", "u_a"), Uniform("float", "u_b"), Uniform("float", "u_c[4]"),
        Uniform("sampler2D", "tex[2*N]"),
    ]  # fmt: skip


def test_what_gamemaker_puts_before_a_source_is_reported_apart() -> None:
    prelude = "uniform mat4 gm_Matrices[5];\n#define _YY_GLSLES_ 1\n"
    assert divided(prelude + "void main() {}") == (prelude, "void main() {}")
    assert divided(prelude.rstrip("\n")) == (prelude.rstrip("\n"), "")
    assert divided("int _YY_GLSLES_ 1;\n #define _YY_A_ 1\n") == (
        "", "int _YY_GLSLES_ 1;\n #define _YY_A_ 1\n",
    )  # fmt: skip
    assert divided("") == ("", "")
