"""Numbers get the names that the whole of a game says they have."""

from __future__ import annotations

import math
from collections.abc import Set

import pytest

from first_reading import check_once
from gml_names import NamesWriter, false_names
from gml_programs import context
from overhaul.gml.builtins import load_constants, table_rows
from overhaul.gml.builtins.types import load_bit_groups, load_constant_groups, load_signatures
from overhaul.gml.compiler import compile as compile_source
from overhaul.gml.context import Context
from overhaul.gml.decompiler import gather
from overhaul.gml.decompiler.types.facts import (
    FIELD,
    GLOBAL,
    LOCAL,
    PARAMETER,
    Facts,
    GameFacts,
    Location,
)
from overhaul.gml.decompiler.types.habits import infer_fractions
from overhaul.gml.decompiler.types.infer import (
    compares_numbers,
    infer,
    may_be_boolean,
    seems_boolean,
    sense,
)
from overhaul.gml.decompiler.types.locations import owner_of
from overhaul.gml.decompiler.types.names import kind_of
from overhaul.gml.dialect import Dialect
from overhaul.gml.roundtrip import decompile

GMS1, GMS2, V23 = (16, (1, 0, 0, 1773)), (17, (2, 2, 5, 0)), (17, (2, 3, 0, 0))
TYPED, EARLY = (17, (2, 3, 7, 0)), (13, (1, 0, 0, 1307))
EVENT = "gml_Object_obj_a_Create_0"


def game(release: tuple[int, tuple[int, ...]] = GMS1) -> Context:
    made = context(*release)
    made.add_assets("sprite", ["spr_zero", "spr_one", "spr_two"])
    made.add_assets("object", ["obj_a", "obj_b", "obj_c"])
    made.add_assets("room", ["rm_zero", "rm_one"])
    made.add_extension_function("steam_create_leaderboard", 3)
    made.add_assets("audio_group", ["audiogroup_default", "audiogroup_music"])
    return made


def shown(programs: dict[str, str], made: Context | None = None) -> dict[str, str]:
    """All entries of a game as source, on one line each."""
    made = game() if made is None else made
    for name in programs:
        if name.startswith("gml_Script_"):
            made.add_function(name[11:], name)
    codes = {
        name: compile_source(
            source, made, kind="script" if name.startswith("gml_Script_") else "event", name=name
        )
        for name, source in programs.items()
    }
    inferred = gather(codes.values(), made)
    check_once(codes.values(), made)
    out = {name: decompile(code, made, inferred=inferred) for name, code in codes.items()}
    for name, source in out.items():
        kind = "script" if name.startswith("gml_Script_") else "event"
        again = compile_source(source, made, kind=kind, name=name, previous=codes[name])
        assert again.instructions == codes[name].instructions
    return {name: " ".join(source.split()) for name, source in out.items()}


def by_itself(source: str, release: tuple[int, tuple[int, ...]] = GMS1) -> str:
    """One event of a game that has nothing else."""
    return shown({EVENT: source}, game(release))[EVENT]


# -- booleans ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("flag = 0; flag = 1; if (flag) a = b;", "flag = false; flag = true;"),
        ("flag = x > 1; flag = 0;", "flag = false;"),
        ("flag = 0; if (!flag) a = b;", "flag = false;"),
        ("is_open = 0; is_open = 1; if (is_open == 1) a = b;", "is_open = false; is_open = true;"),
        ("state = 0; state = 1; if (state == 1) a = b;", "state = 0; state = 1;"),
        ("flag = 0; flag = 1; flag = 2; if (flag) a = b;", "flag = 0; flag = 1;"),
        ("flag = 0; flag = 1; a = flag + 2;", "flag = 0; flag = 1;"),
        ("flag = 0; flag = 1; if (flag > 0) a = b;", "flag = 0; flag = 1;"),
        ("flag = 0; flag = ds_map_find_value(m, 0); if (flag) a = b;", "flag = 0;"),
        ("canJump = 1;", "canJump = true;"),
        ("lives = 1;", "lives = 1;"),
    ],
)
def test_booleans_by_use_and_name(source: str, expected: str) -> None:
    assert by_itself(source).startswith(expected) or expected in by_itself(source)


def test_booleans_have_a_type_in_later_releases() -> None:
    assert by_itself("flag = 0; flag = 1; if (flag) a = b;", TYPED).startswith(
        "flag = 0; flag = 1;"
    )


def test_an_author_who_compares_all_flags_writes_numbers_in_early_releases() -> None:
    flags = [f"is_{letter}" for letter in "abc"]
    source = "".join(f"{flag} = 0; {flag} = 1; if ({flag} == 1) y = x;" for flag in flags)
    source += "draw_rectangle(0, 0, 8, 8, 0);"
    text = by_itself(source, (15, (1, 4, 0, 1757)))
    assert "false" not in text and "true" not in text
    # Nobody who asks `if (flag)` for others has that habit; one that is compared too says nothing.
    for asked, expected in (
        (flags[0], "is_a = 0; is_a = 1;"),
        ("is_d", "is_a = false; is_a = true;"),
    ):
        more = f"is_d = 0; is_d = 1; if ({asked}) y = x;"
        assert by_itself(source + more, (15, (1, 4, 0, 1757))).startswith(expected)
    # An answer is compared with a word.
    assert by_itself(source + "if (place_free(x, y) == 1) y = x;", (15, (1, 4, 0, 1757))).endswith(
        "if (place_free(x, y) == true) { y = x; }"
    )
    assert by_itself("if (place_free(x, y) == 1) y = x;", TYPED).startswith(
        "if (place_free(x, y) == 1)"
    )
    assert by_itself(source).startswith("is_a = false; is_a = true;")


def facts(given: Set[int | float], equal: Set[int | float] = frozenset(), asked: int = 0) -> Facts:
    made = Facts()
    made.given, made.equal, made.asked = set(given), set(equal), asked
    return made


def test_habits() -> None:
    compared, asked = facts({0, 1}, {1}), facts({0, 1}, asked=1)
    early, late = Dialect.for_version(15, (1, 4, 0, 1757)), Dialect.for_version(*GMS1)
    assert not compares_numbers([compared] * 2, early)
    assert compares_numbers([compared] * 3, early)
    assert not compares_numbers([compared] * 9, late)
    assert compares_numbers([compared] * 5 + [asked], early)
    assert not compares_numbers([compared] * 4 + [asked], early)
    both = facts({0, 1}, {1}, asked=1)
    assert compares_numbers([both] * 3, early)
    assert not compares_numbers([facts({0, 1}), facts({0, 2}, {2}), facts({0}, {0})] * 9, early)
    assert not compares_numbers([compared] * 3, early.replace(gms2_or_later=True))


READ = "a = m[? k]; b = l[| i]; c = g[# i, j];"
NAMED = "a = ds_map_find_value(m, k); b = ds_list_find_value(l, i); c = g[# i, j];"
ADD, REPLACE = "ds_map_add(m, k, 1);", "ds_map_replace(m, k, 1);"


@pytest.mark.parametrize(
    ("writes", "release", "expected"),
    [
        ("", GMS1, READ),
        (ADD, GMS1, NAMED),
        (ADD, GMS2, NAMED),
        (ADD, V23, READ),
        (REPLACE, V23, NAMED),
        ("ds_list_replace(l, 0, 1);", GMS1, NAMED),
        (f"{ADD} m[? k] = 2;", GMS1, READ),
        (f"{REPLACE} l[| 0] = 2;", V23, READ),
        (f"{ADD} {ADD} l[| 0] = 2;", GMS1, NAMED),
        (f"{ADD} {REPLACE} m[? k] = 2; l[| 0] = 2;", GMS1, READ),
    ],
)
def test_elements_are_read_as_they_are_written(
    writes: str, release: tuple[int, tuple[int, ...]], expected: str
) -> None:
    assert by_itself(f"{writes} {READ}", release).endswith(expected)


def test_elements_that_only_accessors_reach() -> None:
    # Other operands than those of a call, and steps that store.
    for source in ("a = m[? keys[i]];", "m[? k]++;", "a = --l[| i];"):
        assert by_itself(REPLACE + source, V23) == f"{REPLACE} {source}"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("can_shoot", 1), ("isDead", 1), ("music_enabled", 1), ("falling", 1), ("can", 0),
        ("wall", 0), ("red", 0), ("level", -1), ("menuIndex", -1), ("selected", -1),
        ("button_selected", 1), ("hspeed", -1), ("walkSpeed", -1),
    ],
)  # fmt: skip
def test_what_names_say(name: str, expected: int) -> None:
    assert sense(Location(GLOBAL, name)) == sense(Location(FIELD, name, "obj_on")) == expected
    assert sense(Location(PARAMETER, name)) == 0  # that is the function's name


def test_names_decide_what_is_only_compared() -> None:
    flag = facts({0, 1}, {1})
    wall, is_wall = Location(FIELD, "wall"), Location(FIELD, "is_wall")
    assert seems_boolean(wall, flag, False) and not seems_boolean(wall, flag, True)
    assert not seems_boolean(wall, facts({0}, {0}), False) and seems_boolean(
        is_wall, facts({0}), False
    )
    assert not seems_boolean(Location(FIELD, "level"), flag, False)
    assert seems_boolean(wall, facts({0, 1}, asked=1), True)
    local, is_local = Location(LOCAL, "wall", "x"), Location(LOCAL, "is_wall", "x")
    assert not seems_boolean(local, flag, False) and seems_boolean(is_local, flag, False)
    assert not seems_boolean(is_local, facts({0, 1}), False) and not seems_boolean(
        is_local, facts({0}, {0}), False
    )
    assert may_be_boolean(flag) and not may_be_boolean(facts({0, 1, 2}))


def test_flags_that_are_calculated_with() -> None:
    flag = facts({0, 1}, {1})
    flag.numeric = flag.terms = 2
    assert may_be_boolean(flag)
    flag.unknown = 1
    assert not may_be_boolean(flag)
    for made in (facts({0, 1}), facts({0}, {1}), facts({0, 1}, {2})):
        made.numeric = made.terms = 1
        assert not may_be_boolean(made)
    counted = facts({0, 1}, {1})
    counted.numeric = 2
    counted.terms = 1
    assert not may_be_boolean(counted)
    assert by_itself("hot = 0; hot = 1; if (hot == 1) a = b + hot * 5;").startswith("hot = false;")
    assert by_itself("hot = 0; hot = 1; hot *= 1; if (hot == 1) a = b;").startswith("hot = 0;")


# -- fractions ---------------------------------------------------------------------------------

SIXTIETHS = "".join(f"alarm[{n}] = room_speed * ({n} / 60);" for n in (5, 7, 8, 16, 25, 40))


def test_fractions_keep_the_denominator_of_their_author() -> None:
    assert "room_speed * (5 / 60);" in by_itself(SIXTIETHS)
    assert "room_speed * (1.5 / 60);" in by_itself(SIXTIETHS + "a = room_speed * (1.5 / 60);")
    assert "a = 3 / 60 * room_speed;" in by_itself(SIXTIETHS + "a = (3 / 60) * room_speed;")
    # What is multiplied by something else stays a decimal, and what fits no such part.
    assert "a = b * 0.05;" in by_itself(SIXTIETHS + "a = b * (3 / 60);")
    assert "a = room_speed * 0.123;" in by_itself(SIXTIETHS + "a = room_speed * 0.123;")


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ({5 / 12, 7 / 60, 2 / 15, 4 / 15, 2 / 3}, 0),
        ({5 / 12, 7 / 60, 2 / 15, 4 / 15, 2 / 3, -2 / 3}, 0),
        ({5 / 12, 7 / 60, 2 / 15, 4 / 15, 2 / 3, 5 / 6}, 60),
        ({1 / 12, 7 / 60, 2 / 15, 1 / 3, 2 / 3, 1 / 6}, 60),
        ({1 / 12, 1 / 60, 1 / 15, 1 / 3, 2 / 3, 5 / 6}, 0),
        ({5 / 12, 7 / 60, 2 / 15, 4 / 15, 2 / 3, 5 / 6, 3 / 7}, 0),
        ({n / 60 for n in range(61, 120)} | {1 / 600}, 60),
        ({5 / 7, 6 / 7, 4 / 7, 3 / 7, 2 / 7, 8 / 7}, 0),
        ({math.pi / 16, math.pi / 7, math.pi / 9, math.pi / 11, math.pi / 13, math.pi / 3}, 0),
    ],
)
def test_which_fractions_show_a_denominator(numbers: set[float], expected: int) -> None:
    assert infer_fractions(numbers, {}).denominator == expected


def test_what_is_multiplied_by_fractions() -> None:
    numbers = {5 / 12, 7 / 60, 2 / 15, 4 / 15, 2 / 3, 5 / 6}
    some = sorted(numbers)
    learned = infer_fractions(numbers, {"a": set(some[:3]), "b": set(some[:2]), "c": {0.3, 0.4}})
    assert learned.factors == {"a"}


def test_bouncing_curves_divide_by_two_and_three_quarters() -> None:
    source = "if (t < 1 / 2.75) { a = 2.625 / 2.75; }"
    assert by_itself(source) == source
    assert by_itself("a = 3 / 11;") == "a = 3 / 11;"


# -- assets and constants ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("pic = 1; draw_sprite(pic, 0, x, y);", "pic = spr_one;"),
        ("pic = 0; draw_sprite(pic, 0, x, y);", "pic = spr_zero;"),
        ("foe = 0; with (foe) x = 1;", "foe = 0;"),
        ("foe = 1; with (foe) x = 1;", "foe = obj_b;"),
        ("foe = -4;", "foe = noone;"),
        ("goal = -4; goal = 1; room_goto(goal);", "goal = noone; goal = rm_one;"),
        ("speed_up = -4; y += speed_up;", "speed_up = -4;"),
        ("walk_spr = 2;", "walk_spr = spr_two;"),
        ("spr_count = 2;", "spr_count = 2;"),
        ("shade = 16776960;", "shade = c_aqua;"),
        ("mask = 16776960; a = mask * 2;", "mask = 16776960;"),
        ("shade = 255;", "shade = 255;"),
        ("pad = 32769;", "pad = gp_face1;"),
        ("pics[0] = 1; pics[1] = 2; draw_sprite(pics[i], 0, x, y);", "pics[0] = spr_one;"),
        ("pic = 1; pic += 1; pic -= 2; draw_sprite(pic, 0, x, y);", "pic = 1;"),
    ],
)
def test_assets_and_constants_by_use(source: str, expected: str) -> None:
    assert by_itself(source).startswith(expected)


def test_arguments_and_results_of_scripts() -> None:
    text = shown(
        {
            "gml_Script_show": "draw_sprite(argument0, 0, x, y);",
            "gml_Script_pick": "return 1;",
            EVENT: "show(2); draw_sprite(pick(), 0, x, y); a = pick(); if (a == 2) b = x;",
        }
    )
    assert text[EVENT].startswith("show(spr_two);")
    assert text["gml_Script_pick"] == "return spr_one;"
    assert "a == spr_two" in text[EVENT]


def test_zero_is_no_asset_where_a_condition_asks_for_it_later() -> None:
    text = shown(
        {
            "gml_Script_later": "var f = argument0; obj_a.call = f;",
            EVENT: "if (call) draw_sprite(call, 0, x, y); later(0); later(2);",
        }
    )
    assert "later(false);" in text[EVENT] and "later(spr_two);" in text[EVENT]


@pytest.mark.parametrize(
    ("loop", "call", "expected"),
    [
        ("draw_sprite(argument[i], 0, x, y);", "all(1, 2, 0, 1);", None),
        ("draw_sprite(argument[i], argument[i + 1], x, y);", "all(1, 2, 0, 1);", "spr_one, 2"),
        ("draw_sprite(argument[i + 1], argument[i], x, y);", "all(3, 2, 0, 1);", "3, spr_two"),
        ("draw_sprite(argument[i], argument[i + 1], x, y);", "all(1, 2, 0);", "1, spr_two, 0"),
        ("draw_sprite(argument[i - 1], 0, x, y);", "all(1, 2, 0, 1);", "1, 2, 0, 1"),
        ("draw_sprite(argument[i * 2], 0, x, y);", "all(1, 2, 0, 1);", "1, 2, 0, 1"),
        ("draw_sprite(argument[2 + i], 0, x, y);", "all(1, 2, 0, 1);", "1, 2, 0, 1"),
        ("draw_sprite(argument[i + 8], 0, x, y);", "all(1, 2, 0, 1);", "1, 2, 0, 1"),
    ],
)
def test_arguments_that_are_read_by_computed_numbers(
    loop: str, call: str, expected: str | None
) -> None:
    text = shown({"gml_Script_all": f"for (i = 0; i < 4; i += 1) {loop}", EVENT: call})
    assert (expected or "spr_one, spr_two, spr_zero, spr_one") in text[EVENT]


def test_flags_among_values_of_other_kinds_stay_numbers() -> None:
    script = "for (i = 0; i < 4; i += 2) buffer_write(b, argument[i], argument[i + 1]);"
    text = shown({"gml_Script_all": script, EVENT: "all(1, 0, 5, 9); all(1, 1);"})[EVENT]
    assert text == "all(buffer_u8, 0, buffer_u32, 9); all(buffer_u8, 1);"


def test_nobody_orders_assets() -> None:
    text = by_itself(
        "pic = 1; if (pic >= 2) a = b; if (pic == 2) a = b; draw_sprite(pic, 0, x, y);"
    )
    assert "pic >= 2" in text
    assert "keyboard_key >= vk_f1" in by_itself("if (keyboard_key >= vk_f1) a = b;")


# -- visual actions ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        "draw_set_colour($FF0000FF & $ffffff);",
        "image_blend = $FF000000 & $ffffff;",
        "effect_create_below(3, 0, 0, 2, $FFFF2407 & $ffffff);",
        "effect_create_above(ef_firework, 0, 0, 2, c_red);",
        "var l0123ABCD_0; l0123ABCD_0 = keyboard_check_pressed(vk_space);",
        "var l0123ABCD_0 = instance_place(x, y, obj_a);",
        "var l0123ABCD = keyboard_check_pressed(vk_space);",
    ],
)
@pytest.mark.parametrize("release", [GMS2, V23])
def test_what_visual_actions_write(source: str, release: tuple[int, tuple[int, ...]]) -> None:
    assert by_itself(source, release) == source


def test_members_of_enums_are_no_colours_elsewhere() -> None:
    text = by_itself(
        "enum A { b = 255, c = $1000000 } draw_set_colour(A.b); x = A.b; y = A.c;", GMS2
    )
    assert text.startswith("draw_set_colour($FF0000FF & $ffffff); x = UnknownEnum.Value_255;")
    assert text.endswith("enum UnknownEnum { Value_255 = 255, Value_16777216 = 16777216 }")
    text = by_itself(
        "enum A { c = $1000000, d = -2 } draw_set_colour(A.c); draw_set_colour(A.d);", GMS2
    )
    assert "&" not in text


def test_array_literals_constructors_and_methods() -> None:
    text = by_itself(
        "function Actor(pic) constructor {\n"
        "    image = pic;\n"
        "    static wear = function(hat) { draw_sprite(hat, 0, 0, 0); }\n"
        "}\n"
        "pics = [1, 2];\n"
        "draw_sprite(pics[0], 0, x, y);\n"
        "hero = new Actor(2);\n"
        "draw_sprite(hero.image, 0, x, y);\n"
        "hero.wear(1);\n"
        "many = array_create(9, 1);\n"
        "draw_sprite(many[3], 0, x, y);\n",
        V23,
    )
    assert "pics = [spr_one, spr_two];" in text
    assert "hero = new Actor(spr_two);" in text
    assert "hero.wear(spr_one);" in text
    assert "many = array_create(9, spr_one);" in text


def test_one_name_may_mean_two_things_in_two_objects() -> None:
    text = shown(
        {
            "gml_Object_obj_a_Step_0": "look = 1; draw_sprite(look, 0, x, y);",
            "gml_Object_obj_b_Step_0": "look = 1; room_goto(look);",
            "gml_Object_obj_c_Step_0": "with (obj_b) look = 1; obj_a.look = 2;",
        }
    )
    assert text["gml_Object_obj_a_Step_0"].startswith("look = spr_one;")
    assert text["gml_Object_obj_b_Step_0"].startswith("look = rm_one;")
    assert (
        text["gml_Object_obj_c_Step_0"] == "with (obj_b) { look = rm_one; } obj_a.look = spr_two;"
    )


def test_owners_of_code() -> None:
    assert owner_of("gml_Object_obj_big_wall_Collision_obj_foot") == "obj_big_wall"
    assert owner_of("gml_Object_o_Step_2") == "o"
    assert owner_of("gml_Script_run") == owner_of("gml_RoomCC_rm_0_Create") == ""


# -- arguments that depend on others, joined flags, series -----------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        "event_perform(ev_other, ev_user0);",
        "event_perform(ev_other, ev_user0 + i);",
        "event_perform(ev_step, ev_step_begin);",
        "event_perform(ev_alarm, 2);",
        "event_perform(ev_collision, obj_c);",
        'event_perform_object(obj_b, ev_keypress, ord("A"));',
        "a = file_find_first(mask, fa_readonly | fa_hidden);",
        "a = file_find_first(mask, 0);",
        "physics_world_draw_debug(phy_debug_render_shapes | phy_debug_render_joints);",
        'a = font_add_sprite(spr_one, ord("!"), true, 1);',
        "if (keyboard_check(vk_f1 + i)) { a = b; }",
        "a = keyboard_check(choose(vk_left, vk_right));",
        "part_type_orientation(p, 0, 359, 0, 0, 1);",
        "audio_group_load(audiogroup_music);",
        "steam_create_leaderboard(name, lb_sort_descending, lb_disp_numeric);",
    ],
)
def test_comes_out_as_it_went_in(source: str) -> None:
    assert by_itself(source) == source


# -- tables ------------------------------------------------------------------------------------


def test_every_constant_type_of_an_argument_has_its_names() -> None:
    groups = load_constant_groups("gms2")
    without = {
        "Constant.All", "Constant.Other", "Constant.Self", "Constant.Character",
        # Names that no table of constants has yet, and the numbers of events (see EventNumber).
        "Constant.BufferErrorType", "Constant.DebugInputFilter", "Constant.EventNumber",
        "Constant.LayerType", "Constant.StencilOp", "Constant.TextAlign", "Constant.TextOrigin",
        "Constant.TextWrap",
    }  # fmt: skip
    for name, signature in load_signatures().items():
        for parameter in (*signature.parameters, signature.repeated, signature.result):
            for part in parameter.split("|"):
                if part.startswith("Constant."):
                    assert part in without or groups[part], f"{name}: {part}"
    assert load_bit_groups() <= groups.keys()


def test_kinds_of_types() -> None:
    assert kind_of("Asset.GMSprite") == "Asset.GMSprite"
    assert kind_of("Id.Instance|Asset.GMObject|Constant.All") == kind_of("Id.Instance")
    assert kind_of("Asset.GMSprite|Asset.GMSound") == kind_of("Real") == kind_of("") == ""


def test_facts_of_all_owners_are_joined() -> None:
    facts = GameFacts()
    facts.at(Location(FIELD, "pic", "obj_a")).add("Asset.GMSprite")
    facts.at(Location(FIELD, "pic", "obj_b")).see(2, compared=False)
    facts.link(Location(FIELD, "pic", "obj_b"), Location(GLOBAL, "shown"))
    assert infer(facts, Dialect()).types == {
        Location(FIELD, "pic"): "Asset.GMSprite",
        Location(GLOBAL, "shown"): "Asset.GMSprite",
    }


def test_what_data_structures_hold() -> None:
    text = by_itself(
        "foes = ds_list_create(); ds_list_add(foes, 1, 2);"
        "with (ds_list_find_value(foes, 0)) x = 1;"
        "look = ds_map_create(); ds_map_add(look, 'pic', 2); ds_map_add(look, 'size', 2);"
        "draw_sprite(ds_map_find_value(look, 'pic'), 0, x, y);"
        "later = ds_queue_create(); ds_queue_enqueue(later, 1); room_goto(ds_queue_dequeue(later));"
    )
    assert "ds_list_add(foes, obj_b, obj_c);" in text
    assert 'ds_map_add(look, "pic", spr_two); ds_map_add(look, "size", 2);' in text
    assert "ds_queue_enqueue(later, rm_one);" in text


def test_what_data_structures_hold_is_what_the_table_of_effects_says() -> None:
    text = by_itself(
        "foes = ds_list_create(); ds_list_add(foes, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2);"
        "with (ds_list_find_value(foes, 0)) x = 1;"
        "board = ds_grid_create(2, 2); ds_grid_set_region(board, 0, 0, 1, 1, 2);"
        "draw_sprite(ds_grid_get(board, 0, 0), 0, x, y);"
    )
    assert "ds_list_add(foes, " + ", ".join(["obj_b", "obj_c"] * 5) + ");" in text
    assert "ds_grid_set_region(board, 0, 0, 1, 1, spr_two);" in text


def test_a_hidden_name_is_not_shown() -> None:
    text = by_itself("var spr_one; spr_one = 5; draw_sprite(1, 0, x, spr_one);")
    assert "draw_sprite(1, 0, x, spr_one);" in text


def test_a_read_setting_means_what_its_default_means() -> None:
    text = by_itself("loud = ini_read_real('a', 'b', 1); loud = 0; if (loud) x = 1;")
    assert text.startswith('loud = ini_read_real("a", "b", true); loud = false;')


def test_arguments_by_number() -> None:
    text = shown(
        {
            "gml_Script_show": "draw_sprite(argument[0], 0, x, y); y = argument[i];",
            EVENT: "show(2);",
        }
    )
    assert text[EVENT] == "show(spr_two);"


def test_distances_are_not_taken_for_instances() -> None:
    text = shown(
        {"gml_Script_go": "a = argument0; b = a;", EVENT: "go(-4); go(4); goal = -4; goal = -1;"}
    )
    assert text[EVENT] == "go(-4); go(4); goal = noone; goal = -1;"


def test_members_of_built_in_enums() -> None:
    for source in (
        "a = audio_effect_create(AudioEffectType.Reverb1);",
        "flexpanel_node_style_set_width(n, 10, flexpanel_unit.percent);",
        "instance_deactivate_all(true, colspace.ui_view);",
    ):
        assert by_itself(source, TYPED) == source


@pytest.mark.parametrize(
    ("source", "release", "expected"),
    [
        ("a = place_meeting(x, y, -1);", EARLY, "a = place_meeting(x, y, self);"),
        ("a = place_meeting(x, y, -2);", EARLY, "a = place_meeting(x, y, other);"),
        ("a = place_meeting(-1, y, 1);", EARLY, "a = place_meeting(-1, y, obj_b);"),
        ("who = -1; if (instance_exists(who)) a = b;", EARLY, "who = -1;"),
        ("a = place_meeting(x, y, -1);", GMS1, "a = place_meeting(x, y, -1);"),
        ("a = place_meeting(x, y, -1);", TYPED, "a = place_meeting(x, y, -1);"),
    ],
)
def test_instances_that_are_numbers(
    source: str, release: tuple[int, tuple[int, ...]], expected: str
) -> None:
    assert by_itself(source, release).startswith(expected)


def test_a_zero_that_is_an_object() -> None:
    text = shown(
        {
            "gml_Script_make": "instance_create(x, y, argument0);",
            EVENT: "make(0); what = 0; what = 1; instance_create(x, y, what);"
            "next_object = 0; nextObj = 0; objects = 0; next_object = 2; nextObj = 2; objects = 2;"
            "instance_create(x, y, next_object); instance_create(x, y, nextObj);"
            "instance_create(x, y, objects);",
        }
    )[EVENT]
    assert text.startswith("make(obj_a); what = 0; what = obj_b;")
    assert "next_object = obj_a; nextObj = obj_a; objects = 0;" in text


@pytest.mark.parametrize("generation", ["gms1", "gms2"])
def test_constants_are_in_groups_as_when_each_is_looked_at(generation: str) -> None:
    constants = load_constants()
    slow: dict[str, list[tuple[int | float, str]]] = {}
    for name, patterns, *_ in table_rows("constant_groups.tsv"):
        group: dict[int | float, str] = {}
        without = [pattern[1:] for pattern in patterns.split(",") if pattern.startswith("-")]
        for pattern in patterns.split(","):
            stem = pattern.removesuffix("*")
            for constant in constants:
                wanted = constant.startswith(stem) if stem != pattern else constant == pattern
                of = constants[constant].generation
                wanted = wanted and not any(map(constant.startswith, without))
                if wanted and of in ("", generation):
                    group.setdefault(constants[constant].value, constant)
        slow[name] = list(group.items())
    fast = load_constant_groups(generation)
    assert {name: list(group.items()) for name, group in fast.items()} == slow


def test_one_number_of_two_enums_gives_no_name_of_the_one_to_the_other() -> None:
    """The engine's enum is named where its function is called, and where its value comes from."""
    own = "enum Pose { sit = 4, lie = 8 } "
    texts = shown(
        {
            "gml_Object_obj_a_Create_0": "effect = audio_effect_create(AudioEffectType.LPF2);",
            "gml_Object_obj_b_Create_0": own + "pose = Pose.sit; look(Pose.lie, [Pose.sit]);",
            "gml_Object_obj_c_Create_0": (
                "kind = AudioEffectType.HiShelf; other_effect = audio_effect_create(kind);"
            ),
        },
        game((17, (2024, 4, 0, 0))),
    )
    assert texts["gml_Object_obj_a_Create_0"] == (
        "effect = audio_effect_create(AudioEffectType.LPF2);"
    )
    assert texts["gml_Object_obj_b_Create_0"].startswith(
        "pose = UnknownEnum.Value_4; look(UnknownEnum.Value_8, [UnknownEnum.Value_4]);"
    )
    assert texts["gml_Object_obj_c_Create_0"] == (
        "kind = AudioEffectType.HiShelf; other_effect = audio_effect_create(kind);"
    )


NAMELESS = [EARLY, (14, (1, 0, 0, 1567)), GMS1, V23, (17, (2, 3, 6, 0)), (17, (2022, 9, 0, 0))]


@pytest.mark.parametrize("release", [*NAMELESS, (17, (2023, 4, 0, 0)), (17, (2024, 14, 4, 0))])
def test_random_programs_get_no_names_that_they_lack(
    release: tuple[int, tuple[int, ...]],
) -> None:
    structs = release[1] >= (2, 3)
    for seed in range(40):
        source = NamesWriter(seed, structs=structs).program()
        text = shown({EVENT: source}, game(release))[EVENT]
        assert false_names(source, text) == set(), (seed, source, text)


def test_elements_that_are_structs_and_numbers_are_no_objects() -> None:
    source = "s = { d: { e: [1, 2, { f: 3 }] } }; show_debug_message(s.d.e[2].f);"
    for release in (V23, (17, (2, 3, 6, 0)), (17, (2022, 9, 0, 0))):
        assert shown({EVENT: source}, game(release))[EVENT] == source


def test_comparisons_of_constants_do_not_say_of_what() -> None:
    """The code of ``os_browser == browser_not_a_browser`` is that of ``DEBUG == true``."""
    for release in (EARLY, GMS1, GMS2, V23, (17, (2, 3, 6, 0))):
        text = by_itself("c = true == 1; d = os_browser != browser_not_a_browser;", release)
        assert text == "c = true == true; d = true != true;"


def test_a_finally_part_is_not_empty_where_the_try_before_may_have_it() -> None:
    inner = "try { c(); } catch (f) { d(); }"
    for release in (V23, TYPED):
        for source in (
            f"try {{ a(); }} catch (e) {{ b(); }} finally {{ {inner} }}",
            f"try {{ a(); }} catch (e) {{ b(); }} finally {{ h(); {inner} }}",
        ):
            assert by_itself(source, release) == source
