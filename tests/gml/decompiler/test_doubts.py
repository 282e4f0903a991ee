"""Numbers that may stand for assets: which are in doubt, and which the code shows to be none."""

from __future__ import annotations

import pytest

from gml_programs import context
from overhaul import gml
from overhaul.gml.decompiler import gather
from overhaul.gml.decompiler.doubts import Doubt, doubts_of, weigh
from overhaul.gml.decompiler.only_compared import OnlyCompared
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
        "if (state == 3) up = [state];",
        "if (state == 3) { state = some_script(2); }",
        "if (state == 3) { list[0] = state; }",
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


def test_code_whose_tree_is_not_whole_may_use_all_its_variables_otherwise() -> None:
    game = context(17, (2, 2, 5))
    code = gml.compile("if (state == 3) up = 1;", game, kind="event", name=NAMES[0])
    block = parse("if (state == 3) up = 1;", game.dialect)
    compared = OnlyCompared()
    compared.add(code, block, is_whole=True)
    assert compared.names(frozenset()) == {"state": "entry", "up": "set"}
    assert compared.names(frozenset({"state"})) == {"up": "set"}
    compared.add(code, tree.Block([]), is_whole=False)
    assert compared.names(frozenset()) == {}


def test_what_is_only_set_in_one_entry_is_said() -> None:
    assert [doubt.within for doubt in found("state = 7;", "up = 1;")] == ["set"]
    assert [doubt.within for doubt in found("state = 7;", "state = 1;")] == [None]
