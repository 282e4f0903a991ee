"""How source is written: each option by itself, and as literally as source can."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from gml_programs import NEW_PROGRAMS, PROGRAMS, context
from overhaul import gml
from overhaul.gml.context import Context
from overhaul.gml.decompiler.options import DEFAULT, PLAIN, PRESETS, DecompileOptions
from overhaul.gml.roundtrip import decompile
from overhaul.gml.vm.code import Code

NAME = "gml_Object_obj_Create_0"
GMS1, GMS2, NEW = (16, (1, 0, 0, 1773)), (17, (2, 2, 5, 0)), (17, (2024, 11, 0, 0))


def compiled(source: str, game: Context) -> Code:
    return gml.compile(source, game, name=NAME)


def shown(source: str, options: DecompileOptions, release: tuple[int, tuple[int, ...]]) -> str:
    """The source that is made of what a source compiles to, which compiles to the same."""
    game = context(*release)
    code = compiled(source, game)
    text = decompile(code, game, options)
    again = gml.compile(text, game, name=NAME, previous=code)
    assert again.instructions == code.instructions
    return text


@pytest.mark.parametrize(
    ("option", "release", "source", "part", "plainly"),
    [
        ("names", GMS1, "sprite_index = spr;", "spr;", "sprite_index = 2;"),
        ("names", GMS1, "visible = true;", "true", "visible = 1;"),
        ("fractions", GMS2, "a = 1 / 60;", "1 / 60", "0.016666666666666666"),
        ("for_loops", GMS2, "for (i = 0; i < 3; i += 1) { b(); }", "for (", "while (i < 3)"),
        (
            "early_continue",
            GMS2,
            "repeat (3) { if (a) { b(); if (x) continue; } if (d) { e(); continue; } f(2); }",
            "e();\\n        continue;",
            "else\\n    {\\n        f(2);",
        ),
        (
            "methods_last",
            NEW,
            "function F() constructor { static m = function() { return 1; }; x = 1; }",
            "x = 1;\\n    \\n",
            "static m",
        ),
        ("accessors", NEW, "a = l[| 0];", "l[| 0]", "ds_list_find_value(l, 0)"),
        ("declarations", GMS2, "var a = 1; b(a);", "var a = 1;", "var a;\\na = 1;"),
    ],
)
def test_each_option_changes_what_it_says(
    option: str, release: tuple[int, tuple[int, ...]], source: str, part: str, plainly: str
) -> None:
    usual = shown(source, DEFAULT, release)
    other = shown(source, replace(DEFAULT, **{option: False}), release)
    assert usual != other
    if option != "methods_last":
        assert part.replace("\\n", "\n") in usual
        assert plainly.replace("\\n", "\n") in other
    else:
        assert usual.index("x = 1") < usual.index("static m")
        assert other.index("x = 1") > other.index("static m")


@pytest.mark.parametrize("release", [GMS1, NEW])
def test_a_loop_without_a_condition_is_a_for_in_plain_text(
    release: tuple[int, tuple[int, ...]],
) -> None:
    assert "for (;;)" in shown("for (;;) { a = 1; if (b) break; }", PLAIN, release)


def test_every_option_is_tried_and_plain_has_none() -> None:
    assert PRESETS["plain"] is PLAIN
    assert PRESETS["default"] is DEFAULT
    assert not any(getattr(PLAIN, field.name) for field in fields(PLAIN))
    assert all(getattr(DEFAULT, field.name) for field in fields(DEFAULT))


@pytest.mark.parametrize("release", [GMS1, GMS2, NEW])
def test_plain_text_compiles_to_the_same(release: tuple[int, tuple[int, ...]]) -> None:
    game, tried = context(*release), 0
    for source in [*PROGRAMS, *(NEW_PROGRAMS if release is NEW else [])]:
        try:
            compiled(source, game)
        except gml.SyntaxError_:
            continue  # not in this release
        shown(source, PLAIN, release)
        tried += 1
    assert tried > 50
