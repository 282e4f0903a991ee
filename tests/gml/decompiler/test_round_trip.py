# ruff: noqa: E501 - each program is one line
"""Compile, decompile, compile: the second code is the first, for every release."""

from __future__ import annotations

import pytest

from gml_programs import NEW_PROGRAMS, PROGRAMS, RELEASES, context
from overhaul.gml.compiler import compile as compile_source
from overhaul.gml.dialect import Dialect
from overhaul.gml.errors import SyntaxError_
from overhaul.gml.roundtrip import analyse, decompile

NAME = "gml_Object_obj_Create_0"


def check(source: str, bytecode: int, version: tuple[int, ...]) -> bool:
    """Whether the program exists in the release; then it must survive."""
    game = context(bytecode, version)
    try:
        code = compile_source(source, game, kind="event", name=NAME)
    except SyntaxError_:
        return False
    game.enums.clear()
    assert not analyse(code, game).problems, source
    text = decompile(code, game)
    again = compile_source(text, game, kind="event", name=NAME, previous=code)
    assert again.instructions == code.instructions, f"{source}\n{version}:\n{text}"
    return True


@pytest.mark.sampled(2)
@pytest.mark.parametrize("source", PROGRAMS)
def test_programs_of_every_release(source: str) -> None:
    assert sum(check(source, *release) for release in RELEASES) >= 3


@pytest.mark.sampled(3)
@pytest.mark.parametrize("source", NEW_PROGRAMS)
def test_programs_of_2_3_and_later(source: str) -> None:
    releases = [release for release in RELEASES if Dialect.for_version(*release).gml_v2]
    assert sum(check(source, *release) for release in releases) >= 3


@pytest.mark.parametrize("release", [RELEASES[len(RELEASES) // 2], RELEASES[-1]])
@pytest.mark.parametrize(
    "condition",
    [
        "a && b && c",
        "a || b || c || d",
        "a && (b || c || d) && e",
        "(a && b && c) || d || (e && f)",
    ],
)
def test_chains_of_conditions(condition: str, release: tuple[int, tuple[int, ...]]) -> None:
    source = f"x = {condition}; if ({condition}) {{ y = 1; }} while ({condition}) {{ z(); }}"
    assert check(source, *release)
    game = context(*release)
    text = decompile(compile_source(source, game, kind="event", name=NAME), game)
    assert " ".join(text.split()) == source


@pytest.mark.parametrize("short_circuit", [False, True])
def test_without_short_circuits(short_circuit: bool) -> None:
    game = context(13, (1, 0, 0, 1000))
    game.dialect = game.dialect.replace(logical_short_circuit=short_circuit)
    source = "a = b && c || !d; e = (f && g) && h;"
    code = compile_source(source, game, kind="event", name=NAME)
    text = decompile(code, game)
    again = compile_source(text, game, kind="event", name=NAME)
    assert again.instructions == code.instructions


@pytest.mark.parametrize("around", ["{}", "switch (a) {{ case 0: {} }}", "with (o) {{ {} }}"])
@pytest.mark.parametrize("step", ["exit", "return b", "{ e = 1; return b; }", "b[0]++", "--b[0]"])
def test_a_continue_leads_to_a_step_that_undoes_what_is_around_it(step: str, around: str) -> None:
    source = f"for (; a; {step}) {{ if (c) {{ if (d) continue; e = 1; }} f = 1; }}"
    assert sum(check(around.format(source), *release) for release in RELEASES) >= 20


def test_the_order_of_default_and_case_shows_in_what_exits_undo() -> None:
    """Also behind short circuits, switches and repeats, whose own exits say nothing."""
    bodies = (
        "g[a || b]++; return c;", "switch (d) { case 2: exit; } return c;",
        "switch (d) { case 2: exit; default: break; } if (a == b || c) exit;",
        "repeat (2) { if (a) return b; } exit;", "if (a++ == 2 || b) exit;",
        "throw d; exit;", "d(); exit;",
    )  # fmt: skip
    for body in bodies:
        for labels in ("default: case 1:", "case 1: default:"):
            switch = f"switch (a) {{ {labels} {body} }}"
            for around in ("{}", "switch (i) {{ default: {} exit; case 5: }}",
                           "switch (i) {{ default: case 4: {} case 5: }}"):  # fmt: skip
                assert check(around.format(switch), 17, (2024, 14, 0, 0))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        # The owner is marked again where it is another.
        ("a[0] = 1; if (b) { var i = [i, 2]; }", "a[0] = 1; var i; if (b) { var i = [i, 2]; }"),
        ("var i; a[0] = 1; i = [1];", "a[0] = 1; var i; i = [1];"),
        ("var i = [1]; var i = [2]; i = [3];", "var i = [1]; var i = [2]; i = [3];"),
        ("for (var i = [1]; a; b()) { }", None),
        ("try { c(i); } finally { var j = []; } a[0] = j;", None),
        ("var f = function() { var i; a[0] = 1; i = [2]; }; f[0] = 1; f = [1];", None),
    ],
)
def test_array_owners_tell_where_a_local_is_declared(source: str, expected: str | None) -> None:
    game = context(17, (2024, 2, 0, 0))
    game.dialect = game.dialect.replace(array_copy_on_write=True)
    code = compile_source(source, game, kind="event", name=NAME)
    text = decompile(code, game)
    again = compile_source(text, game, kind="event", name=NAME, previous=code)
    assert again.instructions == code.instructions
    assert expected is None or " ".join(text.split()) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("array_set(a, i, [1]);", "array_set(a, i, [1]);"),
        ("array_set(a, i, [1, function() { b[0] = 1; }]);", None),
        ("a[@ i] = function() { b[0] = 1; };", None),
        ("ds_list_set(a, i, [1]);", "ds_list_set(a, i, [1]);"),
        ("a[| i] = [1];", "a[| i] = [1];"),
        ("a[| i] = b([1], [2]);", "a[| i] = b([1], [2]);"),
        ("a[? i] = function() { b[0] = 1; };", "a[? i] = function() { b[0] = 1; };"),
        ("a[@ i] = [1];", "a[@ i] = [1];"),
        ("a = b + c([1]); array_set(d, 0, 1);", "a = b + c([1]); d[@ 0] = 1;"),
    ],
)
def test_array_owners_tell_a_call_from_an_accessor(source: str, expected: str | None) -> None:
    """A call marks one for each array and function in it, an accessor's statement one for all."""
    for version in ((2, 3, 0, 0), (2, 3, 1, 0), (2, 3, 7, 0)):
        assert check(source, 17, version)
    game = context(17, (2, 3, 0, 0))
    code = compile_source(source, game, kind="event", name=NAME)
    assert expected is None or " ".join(decompile(code, game).split()) == expected


def test_what_begins_a_constructor_is_no_part_of_its_first_statement() -> None:
    game = context(17, (2024, 14, 0, 0))
    game.dialect = game.dialect.replace(array_copy_on_write=True)
    source = "function f() constructor { a[@ i] = 0; }"
    code = compile_source(source, game, kind="global_script", name=NAME)
    assert " ".join(decompile(code, game).split()) == source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("for (; a; b[0] = 2) { b[1] = 1; }", "for (; a; b[0] = 2) { b[1] = 1; }"),
        ("for (; a; { b[0] = 2; c = 1; }) { b[1] = 1; }", "for (; a; { b[0] = 2; c = 1; }) { b[1] = 1; }"),
        ("for (;; b[0] = 2) { b[1] = 1; if (c) b[2] = 3; else d[0] = 1; }", None),
        ("for (; a; b[0] = 2) { b[1] = 1; if (c) d[2] = 3; else b[2] = 1; }", None),
        ("for (; a; b[0] = 2) { if (c) b[1] = 3; }", None),
        ("while (a) { b[0] = 1; b[1] = 2; }", "while (a) { b[0] = 1; b[1] = 2; }"),
        ("while (a) { repeat (2) b[0] = 1; b[1] = 2; }", "while (a) { repeat (2) { b[0] = 1; } b[1] = 2; }"),
        ("while (a) { if (c) continue; b[0] = 1; b[1] = 2; }", None),
        ("--a[[]][{ b: function() { c[@ 0] = 1; } }];", None),
        ("try { a(); } finally { b(); } do { while (c) { d[0] = 1; } d[1] = 2; } until (e);",
         "try { a(); } finally { b(); } do { while (c) { d[0] = 1; } d[1] = 2; } until (e);"),
        ("try { } finally { } do { while (c && d) { f(); d[0] = 1; } d[1] = 2; } until (e);", None),
        ("function f(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q) { q++; q[0] = 1; --q; q += 2; q = q++; }", None),
    ],
)  # fmt: skip
def test_array_owners_tell_the_step_of_a_loop(source: str, expected: str | None) -> None:
    """A step marks its owner again, a body's statement only if another was marked before it."""
    for version in ((2, 3, 0, 0), (2, 3, 5, 0), (2, 3, 7, 0)):
        assert check(source, 17, version)
    game = context(17, (2, 3, 7, 0))
    code = compile_source(source, game, kind="event", name=NAME)
    assert expected is None or " ".join(decompile(code, game).split()) == expected
