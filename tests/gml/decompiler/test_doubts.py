"""Numbers that may stand for assets: which are in doubt, and which the code shows to be none."""

from __future__ import annotations

import pytest

from gml_programs import context
from overhaul import gml
from overhaul.gml.decompiler import gather
from overhaul.gml.decompiler.doubts import Doubt, doubts_of, weigh
from overhaul.gml.decompiler.only_compared import OnlyCompared, Within
from overhaul.gml.roundtrip import choose
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse

NAMES = ("gml_Object_obj_a_Create_0", "gml_Object_obj_a_Step_0", "gml_Object_obj_b_Create_0")


def doubts(*sources: str, modern: bool = False) -> list[tuple[int, int]]:
    """The lines and numbers in doubt in the first of some entries, of a game with 20 objects and
    sprites."""
    return [(doubt.line, doubt.value) for doubt in found(*sources, modern=modern)]


def found(*sources: str, modern: bool = False) -> list[Doubt]:
    game = context(17, (2022, 5)) if modern else context(17, (2, 2, 5))
    game.add_extension_function("some_script", 1)
    for number in range(20):
        game.add_asset("object", number, f"obj_{number}")
        game.add_asset("sprite", number, f"spr_{number}")
    codes = [
        gml.compile(source, game, kind="event", name=name)
        for source, name in zip(sources, NAMES, strict=False)
    ]
    inferred = gather(codes, game)
    weighed = weigh(codes, game, inferred)
    choices = choose(codes[0], game, inferred)
    shown = doubts_of(codes[0], game, weighed, choices, inferred)
    assert shown.problems == []
    return shown.doubts


@pytest.mark.parametrize(
    "source",
    [
        "target = 7;",
        "if (target == 7) x = 1;",
        "target = choose(7, foo);",
        "target = keyboard_check(1) ? 7 : foo;",
        "list[0] = 7;",
        "ds_list_add(list, 7);",
        "some_script(7);",
        "switch (target) { case 7: x = 1; }",
        "sprite_index = foo + 7;",
        "ds_map_add(map, 7, foo);",
        "other.target = 7;",
    ],
)
def test_a_number_that_nothing_shows_is_in_doubt(source: str) -> None:
    assert doubts(source) == [(1 if "switch" not in source else 3, 7)]


@pytest.mark.parametrize(
    "source",
    [
        "x = 7;",
        "hp = foo + 7;",
        "hp -= 7;",
        "if (hp < 7) x = 1;",
        "repeat (7) foo = bar;",
        "foo = list[7];",
        "foo = grid[# 7, 7];",
        "draw_text(x, y, 7);",
        "foo = string(7);",
        "foo = -7;",
        "foo = 7.5;",
        "foo = bar & 7;",
        "foo = irandom(7);",
        "if (keyboard_check(7)) foo = bar;",
        "if (instance_number(foo) == 7) bar = foo;",
        "image_speed = keyboard_check(1) ? 7 : foo;",
        "draw_sprite(7, 7, x, y);",
        "with (7) foo = bar;",
        "if (x == 7) foo = bar;",
        "if (foo + 1 == 7) foo = bar;",
    ],
)
def test_a_number_that_can_be_no_asset_is_not(source: str) -> None:
    assert doubts(source) == []


@pytest.mark.parametrize(
    "other",
    ["hp += 1;", "if (hp > 2) x = 1;", "y = hp;", "hp = 0.5;", "move_towards_point(x, y, hp);"],
)
def test_what_is_calculated_with_anywhere_is_no_asset(other: str) -> None:
    assert doubts("hp = 7;", other) == []
    assert doubts("hp = 7;", "other_one = 1;") == [(1, 7)]


def test_what_is_used_in_both_ways_is_in_doubt() -> None:
    assert doubts("what = 7;", "sprite_index = what;") == []
    assert doubts("what = 7;", "sprite_index = what;", "what += 1;") == [(1, 7)]
    # next to what holds assets, a calculation says nothing
    assert doubts("what = 7;", "what = that; that += 1;", "sprite_index = what;") == []


def test_yes_and_no_are_in_doubt_where_a_variable_seems_to_hold_objects() -> None:
    assert doubts("what = 1;", "instance_destroy(what);") == [(1, 1)]
    assert doubts("what = 1;", "instance_destroy(what); what = 9;") == []


@pytest.mark.parametrize("modern", [False, True])
def test_an_object_of_which_members_are_read_is_known(modern: bool) -> None:
    assert doubts("player = 10;", "x = player.x;", modern=modern) == []
    # a struct may come later, so that 0 and 1 say nothing
    doubtful = doubts("player = 1;", "x = player.x;", modern=modern)
    assert doubtful == [(1, 1)]


@pytest.mark.parametrize(
    "reader",
    [
        "if (state == 3) up = 1;",
        "if (state) up = 1;",
        "if (!state && up) up = 1;",
        "while (state) { up = 1; }",
        "do { up = 1; } until (state)",
        "for (up = 0; state; up = 1) { down = 1; }",
        "switch (state) { case 3: up = 1; break; default: up = 2; }",
        "show_debug_message(string(state));",
        "old = state; if (old == 2) up = 1;",
        "if (obj_3.state != 3) up = 1;",
        "var old = state; if (old == 2) up = 1;",
        "list[0] = state; if (list[1] == 3) up = 1;",
        "list[2] = state; old = list[down]; if (old == 3) up = array_length_1d(list);",
    ],
)
def test_a_number_that_is_only_compared_stays_in_all_code(reader: str) -> None:
    assert [doubt.within for doubt in found("state = 7;", reader)] == ["game"]
    assert [doubt.within for doubt in found(f"state = 7;\n{reader}")][:1] == ["entry"]


@pytest.mark.parametrize(
    "reader",
    [
        "if (state == 3) up = some_script(state);",
        "if (state == 3) up = max(state, down);",
        "if (state == 3) some_script([state]);",
        "if (state == 3) { state = some_script(2); }",
        "if (state == 3) { list[0] = state; some_script(list[1]); }",
        "if (state == 3) { list[0] = state; some_script(list); }",
        "list[0] = state; if (list[1] == instance_nearest(x, y, obj_3)) up = 1;",
        "old = state; if (old == 2) up = some_script(old);",
        "if (state == 3) up = 1; old = state; up = some_script(old);",
        "if (state == 3) up = 1; up = {state: some_script(2)};",
        'if (state == 3) up = 1; if (variable_instance_exists(id, "state")) up = 1;',
        "if (state == keyboard_string) up = 1;",
        "switch (state) { case 3: up = 1; break; case some_script(2): up = 2; }",
        "if (state == 3) up = 1; return state;",
        "if (state == 3) up = 1; with (state) x = 2;",
        "state = instance_nearest(x, y, obj_3); if (state == 3) up = 1;",
    ],
)
def test_a_number_that_goes_elsewhere_is_in_doubt(reader: str) -> None:
    """Of those that are in doubt at all, which a calculation ends."""
    modern = "[" in reader or "{state" in reader
    assert [each.within for each in found("state = 7;", reader, modern=modern)] in ([None], [])
    rest = [each for each in found(f"state = 7;\n{reader}", modern=modern) if each.value == 7]
    assert all(each.within is None for each in rest)


def test_elements_of_arrays_are_like_their_array() -> None:
    source = "list = [7, 8]; row = array_create(3, 6); row[1] = list[0]; if (row[up] == 5) up = 1;"
    shown = found(source, modern=True)
    kept = {each.value: each.within for each in shown}
    assert {number: kept[number] for number in (5, 6, 7, 8)} == dict.fromkeys((5, 6, 7, 8), "entry")
    gone = found(f"{source} some_script(row);", modern=True)
    assert {each.within for each in gone if each.value in (5, 6, 7, 8)} == {None}


#: a function, where it stands, and what calls it; then what is in doubt: within the game or at all
BODY = "if ({0} == 5) x = 1; show_debug_message(string({0}));"


def of_function(body: str, caller: str, release: tuple[int, ...]) -> dict[int, Within | None]:
    """Which code the numbers of a function and its caller meet."""
    modern = release >= (2, 3)
    game = context(17, release)
    game.add_extension_function("some_script", -1)
    game.add_function("own", "gml_Script_own")
    game.add_asset("script", 0, "own")
    if modern:
        name, text = "gml_GlobalScript_own", f"function own(p, q) {{ {body.format('p', 'q')} }}"
    else:
        name, text = "gml_Script_own", body.format("argument0", "argument1")
    codes = [
        gml.compile(text, game, kind="script", name=name),
        gml.compile(caller, game, kind="event", name=NAMES[0]),
    ]
    inferred = gather(codes, game)
    weighed = weigh(codes, game, inferred)
    found: dict[int, Within | None] = {}
    for code in codes:
        shown = doubts_of(code, game, weighed, choose(code, game, inferred), inferred)
        assert shown.problems == []
        found |= {doubt.value: doubt.within for doubt in shown.doubts}
    return found


RELEASES = [(1, 4, 1804), (2, 2, 5), (2, 3, 1), (2022, 5)]


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(
    ("body", "caller"),
    [
        (BODY, "own(7);"),
        (BODY, "own(choose(7, 8)); v = 7; own(v); if (v == 5) x = 2;"),
        (BODY, "own(7, some_script(2));"),
        ("switch ({0}) {{ case 5: x = 1; }}", "own(7);"),
        ("old = {0}; if (old == 5) x = 1;", "own(7);"),
    ],
)
def test_arguments_that_a_function_only_compares(
    body: str, caller: str, release: tuple[int, ...]
) -> None:
    shown = of_function(body, caller, release)
    assert (shown[5], shown[7]) == ("game", "game")


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(
    ("body", "caller"),
    [
        (BODY + " with ({0}) x = 2;", "own(7);"),
        (BODY + " return {0};", "own(7);"),
        (BODY + " some_script({0});", "own(7);"),
        (BODY, "own(7); own(some_script(3));"),
        (BODY, "own(7); own(instance_nearest(x, y, 0));"),
        (BODY, "v = some_script(1); own(v); own(7);"),
        (BODY, "own(7); script_execute(some_script(3), 4);"),
        (BODY, 'own(7); f = asset_get_index("own"); script_execute(f, 8);'),
        (BODY, "own(7); script_execute(own, 8);"),
        (BODY, 'own(7); f = asset_get_index("o" + other.kind); g = f;'),
        (BODY + " x = argument[y];", "own(7);"),
        ("x = argument[0]; if (x == 5) y = 1; some_script(argument[0]);", "own(7);"),
    ],
)
def test_arguments_that_go_elsewhere_or_come_from_there(
    body: str, caller: str, release: tuple[int, ...]
) -> None:
    shown = of_function(body, caller, release)
    assert (shown.get(5), shown.get(7)) == (None, None)


@pytest.mark.parametrize("release", RELEASES[2:])
@pytest.mark.parametrize(
    "caller",
    ["f = own; f(7);", "own(7); some_script(own);", "own(7); other.own(8);", "own(7); new own(8);",
     "own(7); other.own = function(p) { if (p == 8) x = 1; };"],
)  # fmt: skip
def test_functions_that_are_values_are_called_by_anything(
    caller: str, release: tuple[int, ...]
) -> None:
    assert of_function(BODY, caller, release).get(5) is None


def test_code_whose_tree_is_not_whole_may_use_all_its_variables_otherwise() -> None:
    game = context(17, (2, 2, 5))
    code = gml.compile("if (state == 3) up = 1;", game, kind="event", name=NAMES[0])
    block = parse("if (state == 3) up = 1;", game.dialect)
    compared = OnlyCompared(lambda name: False, lambda number: None)
    compared.add(code, block, is_whole=True)
    assert compared.names(frozenset()) == {"state": "entry", "up": "set"}
    assert compared.names(frozenset({"state"})) == {"up": "set"}
    compared.add(code, tree.Block([]), is_whole=False)
    assert compared.names(frozenset()) == {}


def test_what_is_only_set_in_one_entry_is_said() -> None:
    assert [doubt.within for doubt in found("state = 7;", "up = 1;")] == ["set"]
    assert [doubt.within for doubt in found("state = 7;", "state = 1;")] == [None]
