"""Names that are put into a tree which was made without types: as if it had been read with them."""

from __future__ import annotations

import random

import pytest

from first_reading import Once, check_once
from gml_programs import context
from overhaul.gml.compiler import compile as compile_source
from overhaul.gml.context import Context
from overhaul.gml.decompiler import read_facts
from overhaul.gml.decompiler.types.facts import InferredTypes
from overhaul.gml.decompiler.types.names import BOOLEAN, INSTANCE, OR_FALSE
from overhaul.gml.vm.code import Code

RELEASES = [
    (13, (1, 0, 0, 1307)), (16, (1, 0, 0, 1773)), (17, (2, 2, 5, 0)), (17, (2, 3, 0, 0)),
    (17, (2, 3, 7, 0)), (17, (2022, 9, 0, 0)), (17, (2024, 8, 0, 0)),
]  # fmt: skip
EVENT = "gml_Object_obj_a_Create_0"
#: what shows the types of the variables below
SHOWN = (
    "draw_sprite(look, 0, 0, 0); draw_sprite(looks[0], 0, 0, 0); instance_create(0, 0, what);"
    "if (flag) { x = 1; } flag = 0; flag = 1; if (keyboard_check(key)) { y = 1; }"
    "draw_set_halign(align); room_goto(place); if (instance_exists(enemy)) { x = 2; }"
)
CODE = {
    "a number": "look = 1;",
    "no name": "look = 77; place = 55;",
    "nothing": "enemy = -4; if (enemy == -4) { x = 1; } if (look != -4) { x = 2; }",
    "other negatives": "enemy = -3; look = -1; what = -2; enemy = -1;",
    "zero": "look = 0; flag = 0; what = 0; enemy = 0; place = 0;",
    "a constant": "align = 1; align = 2;",
    "a key": "key = 65; key = 37; key = 48 + x;",
    "an array": "looks[0] = 1; looks[1] = 2;",
    "a choice": "look = choose(0, 1, 2);",
    "a constant on the left": "if (1 == look) { x = 1; }",
    "compared by size": "if (look > 1) { x = 1; }",
    "a switch": "switch (look) { case 0: x = 1; break; case 1: x = 2; break; }",
    "a switch on a constant": "switch (1) { case look: x = 1; break; case what: x = 2; break; }",
    "a local of that name": "var spr_one; spr_one = 3; look = 1; x = spr_one;",
    "repeat": "repeat (1) { look = 1; }",
    "compound": "look += 1; looks[1] += 1; look = look + 1;",
    "calculated": "look = 1 + 1; x = look * 2; x = -look;",
    "two places": "look = 1; what = 1; place = 1; x = 1;",
    "a fraction": "x = 0.016666666666666666; x = y * 0.08333333333333333;",
    "what a call may return": "name = ini_read_string(x, y, -4); enemy = name; look = name;",
    "a colour": "image_blend = 255; draw_set_color(16711680);",
    "with": "with (1) { look = 1; } with (what) { flag = 1; }",
    "elements": "ds_list_add(x, 1); x = ds_list_find_value(y, 1); ds_map_replace(x, 1, 2);",
}
MODERN = {
    "a struct": "x = {look: 1, enemy: -4, other_one: look, deep: {look: 2}};",
    "an array literal": "looks = [0, 1, 2]; x = [look, 1];",
    "a function": "function f(a) { look = a; if (a == 1) { return 2; } return 1; } look = f(1);",
    "a ternary": "look = x ? 1 : 2; looks = [x ? 1 : 2];",
    "try": "try { look = 1; } catch (e) { look = 2; } finally { look = 0; }",
    "a constructor": (
        "function Thing() constructor { look = 1; static f = function() { return 1; } }"
    ),
}


def game(release: tuple[int, tuple[int, ...]]) -> Context:
    made = context(*release)
    made.add_assets("sprite", ["spr_zero", "spr_one", "spr_two"])
    made.add_assets("object", ["obj_a", "obj_b", "obj_c"])
    made.add_assets("room", ["rm_zero", "rm_one"])
    return made


def entries(made: Context) -> list[Code]:
    programs = CODE | (MODERN if made.dialect.gml_v2 else {})
    codes = []
    for number, source in enumerate((SHOWN, *programs.values())):
        name = f"gml_Object_obj_{'abc'[number % 3]}_Alarm_{number}"
        codes.append(compile_source(source, made, kind="event", name=name))
    return codes


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_texts_are_those_of_another_reading(release: tuple[int, tuple[int, ...]]) -> None:
    made = game(release)
    codes = entries(made)
    counts = check_once(codes, made)
    assert sum(counts) == len(codes)
    if not made.dialect.asset_references:
        assert counts.named > 3
        assert counts.again < counts.same + counts.named


#: types that some numbers have names in
TYPES = (
    "Asset.GMSprite", INSTANCE, BOOLEAN, f"{OR_FALSE}|Asset.GMSprite", "Asset.GMRoom",
    "Asset.GMObject", "Id.Instance", "Constant.Color", "Constant.VirtualKey", "Constant.HAlign",
    "Constant.Character", "EventNumber.ev_other",
)  # fmt: skip


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_texts_are_right_whatever_the_types_are(release: tuple[int, tuple[int, ...]]) -> None:
    made = game(release)
    codes = entries(made)
    facts = read_facts(codes, made)
    for seed in range(12):
        chance = random.Random(seed)
        types = {
            location.shared() if chance.random() < 0.5 else location: chance.choice(TYPES)
            for location in facts.table
            if chance.random() < 0.7
        }
        says_self, called = (chance.random() < 0.2 for _ in range(2))
        check_once(codes, made, InferredTypes(types, says_self=says_self, called=called))


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_a_result_that_is_kept_over_clean_ups(release: tuple[int, tuple[int, ...]]) -> None:
    """A number in a temporary local is a result in the end, which may be a word."""
    made = game(release)
    source = "switch (x) { case 1: repeat (2) { with (other) { return 1; } } }"
    code = compile_source(source, made, kind="event", name=EVENT)
    for type_name in TYPES:
        types = dict.fromkeys(read_facts([code], made).table, type_name)
        check_once([code], made, InferredTypes(types))


def test_only_what_types_change_is_read_again() -> None:
    made = game((16, (1, 0, 0, 1773)))
    plain, shown, named, local = (
        compile_source(source, made, kind="event", name=f"gml_Object_obj_a_Alarm_{number}")
        for number, source in enumerate(
            ("y = 7;", SHOWN, "look = 1;", "var spr_one; spr_one = 3; look = 1; x = spr_one;")
        )
    )
    assert check_once([plain], made) == Once(1, 0, 0)
    assert check_once([shown, plain, named], made) == Once(1, 2, 0)
    assert check_once([shown, plain, named, local], made) == Once(1, 2, 1)
