"""Bare names of global variables: a file keeps no ``globalvar``, so the old code shows some."""

from __future__ import annotations

import pytest

from overhaul import gml

DIALECT = gml.Dialect.for_version(16, (1, 4, 0, 1773))
DECOMPILED = """global.points = 0;

if (global.points > best)
    show_message("points: " + string(global.points));
"""
ORIGINAL = """/// the score
points = 0
if points > best then show_message("points: " + string(points))
"""


def compiled(source: str, previous: gml.Code | None, *names: str) -> gml.Code:
    context = gml.Context(dialect=DIALECT)
    for name in names:
        context.add_global(name)
    return gml.compile(source, context, name="gml_Object_o_Create_0", previous=previous)


def test_the_source_of_the_old_code_shows_its_globalvars() -> None:
    official = compiled("global.points = 3 * 4; global.best = global.points;", None)
    assert compiled("points = 3 * 4; best = points", official) == official


def test_global_taken_away_is_no_silent_nothing() -> None:
    official = compiled(DECOMPILED, None)
    with pytest.raises(gml.CompileError, match=r"write global\.points or self\.points") as caught:
        compiled(DECOMPILED.replace("global.", ""), official)
    assert [(error.line, error.column) for error in caught.value.errors] == [(1, 1)]


def test_global_taken_away_beside_a_comment_is_no_silent_nothing() -> None:
    official = compiled("global.points = 5; global.best = global.points;", None)
    changed = "points = 5; // each its own\nglobal.best = 0;\n"
    with pytest.raises(gml.CompileError, match="points was a global variable here"):
        compiled(changed.replace("0", "points"), official)
    changed = "points = 5; // each its own\nbest = points; /* too */\n"
    with pytest.raises(gml.CompileError, match="points was a global variable here"):
        compiled(changed, official)


def test_lines_that_no_decompiler_writes_are_the_original_ones() -> None:
    official = compiled("if (global.points > 5) { global.best = global.points; }", None)
    assert compiled("if(points>5) best=points // the best", official) == official


def test_a_changed_source_must_say_which_it_means() -> None:
    official = compiled(DECOMPILED, None)
    changed = ORIGINAL.replace("0", "1")
    with pytest.raises(gml.CompileError, match="points was a global variable here"):
        compiled(changed, official)
    assert compiled(changed, official, "points") == compiled(changed, None, "points")
    assert compiled(f"globalvar points; {changed}", official) == compiled(changed, None, "points")
