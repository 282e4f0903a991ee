"""Elements, struct literals, parameters and statics in shapes that only code of some releases has:
the source compiles to the same code again.

Most were found by compiling the sources of projects for other releases, and by random programs
(``gml_chains``).
"""

from __future__ import annotations

import pytest

from gml_programs import context
from overhaul.gml.compiler import compile as compile_source
from overhaul.gml.context import Context
from overhaul.gml.roundtrip import decompile

GMS1 = (16, (1, 0, 0, 1773))
V231, V232, V235, V237 = ((17, (2, 3, build, 0)) for build in (1, 2, 5, 7))
V2023, NEWEST = (17, (2023, 4, 0, 0)), (17, (2024, 14, 0, 0))
Release = tuple[int, tuple[int, ...]]


def come_back(source: str, game: Context, kind: str, name: str) -> str:
    """The decompiled source; it compiles to the same code."""
    code = compile_source(source, game, kind=kind, name=name)
    text = decompile(code, game)
    again = compile_source(text, game, kind=kind, name=name, previous=code)
    assert again.instructions == code.instructions, text
    return text


def shown(source: str, release: Release) -> str:
    """The decompiled source of an event."""
    return come_back(source, context(*release), "event", "gml_Object_obj_Create_0")


def function_shown(source: str, release: Release) -> str:
    """The decompiled source of a script file, in one line."""
    made = come_back(source, context(*release), "global_script", "gml_GlobalScript_tools")
    return " ".join(made.split())


# -- elements --------------------------------------------------------------------------------------


@pytest.mark.parametrize("release", [V232, V2023, NEWEST])
def test_two_indices_behind_what_is_no_variable(release: Release) -> None:
    lines = (
        "data[? hp][1, 2] = 3;",
        "hp = data[$ x][i, j];",
        "scr_move()[1, 2] += 2;",
        "list[| 0][1, 2]++;",
        "hp = list[| 0][1, 2]--;",
        "(hp / 2)[1, 2][? 3] = 0;",
    )
    text = shown("\n".join(lines), release)
    assert text.replace("[@ ", "[") == "\n".join(lines)  # with owners of arrays, [@ marks none


def test_elements_without_an_owner_keep_their_sign() -> None:
    source = "data[$ hp][@ 0] = x;\nscr_move()[0] = x;\ndata[$ hp][0] = x;"
    assert shown(source, V232) == source


def test_elements_of_what_is_no_variable_have_an_owner_in_later_projects_that_copy_arrays() -> None:
    game = context(*NEWEST)
    game.dialect = game.dialect.replace(array_copy_on_write=True)
    source = "data[$ hp][@ 0] = x;\nscr_move()[@ 0] = x;\nscr_move()[0] = x;\n(2.5)[@ hp] = x;"
    assert come_back(source, game, "event", "gml_Object_obj_Create_0") == source


def test_two_indices_with_a_sign_before_2_3() -> None:
    source = "list[@ 1, 2] = 3;\nhp = list[@ i, j];\nlist[@ 1, 2]++;\nlist[@ hp, x] += 2;"
    assert shown(source, GMS1) == source


# -- values made outside of struct literals --------------------------------------------------------


@pytest.mark.parametrize("release", [V232, V2023, NEWEST])
@pytest.mark.parametrize("literal", ["[x]", "[]", "{}", "{ c: x }", "function() { return 1; }"])
def test_a_literal_that_is_left_of_a_constant_condition_is_made_outside(
    literal: str, release: Release
) -> None:
    text = shown(f"data = {{ b: 1 < 2 ? {literal} : 0 }};", release)
    is_passed = context(*release).dialect.struct_arrays_passed and literal.startswith("[")
    assert ("true ? " in text) is not is_passed


def test_an_asset_that_is_left_of_a_constant_condition_is_passed() -> None:
    for release in (V2023, NEWEST):
        text = shown("data = { b: 1 < 2 ? spr : x };", release)
        assert ("true ? spr : undefined" in text) is context(*release).dialect.asset_references


def test_conditions_in_conditions_in_the_place_of_a_nullish_assignment() -> None:
    source = (
        "(x ? hp : (y ? mp : target)).data ??= 2;\n"
        "list[| hp ? 0 : (mp ? i : (x ? 1 : y))] ??= x ? 1 : (y ? 2 : 3);"
    )
    assert shown(source, V2023) == source


# -- parameters and statics ------------------------------------------------------------------------


@pytest.mark.parametrize("release", [V232, V2023, NEWEST])
def test_a_default_value_is_not_a_test_of_a_parameter_where_they_differ(release: Release) -> None:
    default = "function f(arg0 = 5) { return arg0; }"
    tested = "function f(arg0) { if (arg0 == undefined) { arg0 = 5; } return arg0; }"
    named = tested.replace("arg0", "argument0").replace("(argument0) { if", "() { if")
    is_newest = release == NEWEST
    assert function_shown(default, release) == default
    assert function_shown(tested, release) == (tested if is_newest else default)
    own = "function f(arg0 = argument0) { return arg0; }"
    assert function_shown(own, NEWEST) == own
    kept = default.replace("return arg0", "return argument0")  # a default, as the code shows
    assert function_shown(named, release) == (kept if is_newest else named)


@pytest.mark.parametrize("release", [V232, V2023, NEWEST])
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("static q; q = 1;", "static q; q = 1;"),
        ("static q = 2, r; r[1] = q;", "static q = 2, r; r[1] = q;"),
        ("static q; static r; return q + r;", "static q, r; return q + r;"),
        ("static q;", "static unused;"),
        ("static q; unused = x;", "static unused_; unused = x;"),
        ("static q = x; q = { a: [x] };", "static q = x; q = { a: [x] };"),
    ],
)
def test_statics_without_a_value_are_declared(source: str, expected: str, release: Release) -> None:
    assert function_shown(f"function f() {{ {source} }}", release) == (
        f"function f() {{ {expected} }}"
    )


@pytest.mark.parametrize("release", [V232, V237, V2023, NEWEST])
@pytest.mark.parametrize(
    "body",
    [
        "static q = 0; self.q = 0;",
        "static q = 0; self.q[1] = 0; q[2] = self.q[3]; self.q++;",
    ],
)
def test_a_variable_with_the_name_of_a_static_says_self(body: str, release: Release) -> None:
    source = f"function F() constructor {{ {body} }}"
    assert function_shown(source, release) == source


def test_an_array_with_the_owner_of_one_behind_a_dot_says_self() -> None:
    source = "function F() constructor { self.pool = []; self.pool[i] = 1; free[0] = 2; }"
    assert function_shown(source, V237) == source


def test_a_parameter_that_is_set_from_itself_is_not_a_compound_assignment_before_2_3_5() -> None:
    source = "function f(arg0) { arg0 = arg0 % 360; arg0 %= 4; arg0 = arg0 + 1; arg0++; }"
    assert function_shown(source, V231) == source
    later = source.replace("arg0 = arg0 % 360", "arg0 %= 360").replace("= arg0 + 1", "+= 1")
    assert function_shown(source, V235) == later


@pytest.mark.parametrize("release", [GMS1, (14, (1, 0, 0, 1250))])
def test_accessors_of_structs_stand_in_code_with_structs_only(release: Release) -> None:
    source = "variable_struct_set(hp, x, variable_struct_get(hp, y));"
    assert shown(source, release) == source


def test_the_first_releases_have_no_accessors() -> None:
    source = "ds_list_set(hp, 1, ds_list_find_value(hp, 2));"
    assert shown(source, (14, (1, 0, 0, 1250))) == source
    assert shown(source, GMS1) == "hp[| 1] = hp[| 2];"


# -- switches --------------------------------------------------------------------------------------


@pytest.mark.parametrize("release", [GMS1, V231, V237, NEWEST])
def test_a_case_may_be_a_condition(release: Release) -> None:
    cases = ["hp >= 2 || i == 3", "hp && i", "(hp == 1) == (i || x)", "!(hp || i == 4)"]
    source = "\n".join(f"case {case}:\nx = 1;" for case in cases)
    text = shown(f"switch (y) {{ {source} default: x = 2; }}", release)
    assert [line.strip()[5:-1] for line in text.split("\n") if "case" in line] == cases


@pytest.mark.parametrize("release", [V231, V237, NEWEST])
def test_a_case_may_be_a_function(release: Release) -> None:
    source = "function() { if (a == 1 || b == 2) return 3; }"
    text = " ".join(
        shown(f"switch (y) {{ case {source}: case {source}: x = 1; }}", release).split()
    )
    assert text.count("case function() { if (a == 1 || b == 2)") == 2


@pytest.mark.parametrize("release", [V231, V237, NEWEST])
def test_members_of_numbers_that_no_instance_has(release: Release) -> None:
    assert shown("(-12).state = (-13).count;", release) == "(-12).state = (-13).count;"


def test_a_number_is_no_word_where_words_are_ids() -> None:
    assert shown("with (-2) { x = 1; }", GMS1).startswith("with (-2)")
    assert shown("with (other) { x = 1; }", GMS1).startswith("with (other)")
