"""The source reads as a person would have written it."""

from __future__ import annotations

from textwrap import dedent

import pytest

from gml_programs import context
from overhaul.gml.compiler import compile as compile_source
from overhaul.gml.context import Context
from overhaul.gml.decompiler import gather
from overhaul.gml.roundtrip import decompile, decompile_tree
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Code
from overhaul.gml.vm.opcodes import Opcode

GMS1, GMS2, V23, NEWEST = (
    (16, (1, 0, 0, 1773)),
    (17, (2, 2, 5, 0)),
    (17, (2, 3, 7, 0)),
    (17, (2024, 14, 0, 0)),
)


def compiled(source: str, game: Context, name: str = "gml_Object_obj_Create_0") -> Code:
    kind = "script" if name.startswith("gml_Script_") else "event"
    return compile_source(source, game, kind=kind, name=name)


def shown(source: str, release: tuple[int, tuple[int, ...]] = V23) -> str:
    game = context(*release)
    return decompile(compiled(source, game), game)


@pytest.mark.parametrize(
    "source",
    [
        """\
        for (var i = 0; i < 10; i++)
        {
            if (x > i)
            {
                continue;
            }
            y += i;
        }
        """,
        """\
        if (x == 1)
        {
            y = 2;
        }
        else if (x == 2)
        {
            y = 3;
        }
        else
        {
            y = 4;
        }
        """,
        """\
        var total = x + y * 2;
        total = (total + 1) * 2;
        return total;
        """,
        """\
        switch (x)
        {
            case 1:
            case 2:
                y = 1;
                break;
            default:
                exit;
        }
        """,
        """\
        with (obj)
        {
            if (x > other.x)
            {
                instance_destroy();
                break;
            }
        }
        """,
        """\
        function grow(arg0, arg1 = 2)
        {
            static count = 0;

            count++;
            return arg0 * arg1;
        }
        """,
        """\
        point = {
            x: 1,
            y: x,
            add: function(arg0)
            {
                x += arg0;
                return self;
            }
        };
        """,
        """\
        try
        {
            show_debug_message(x ?? "none");
        }
        catch (problem)
        {
            throw problem;
        }
        finally
        {
            y = 0;
        }
        """,
        """\
        inventory[? "gold"] += 5;
        grid[# 1, y] = list[| x];
        """,
        """\
        while (true)
        {
            if (!place_meeting(x, y + 1, obj))
            {
                break;
            }
            y--;
        }
        """,
    ],
)
def test_comes_out_as_it_went_in(source: str) -> None:
    source = dedent(source)
    assert shown(source).strip() == source.strip()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("sprite_index = spr;", "sprite_index = spr;"),
        ("instance_create(x, y, obj);", "instance_create(x, y, obj);"),
        ("if (room == rm) room_goto(rm);", "if (room == rm)\n{\n    room_goto(rm);\n}"),
        ("draw_set_color(c_red);", "draw_set_color(c_red);"),
        ("draw_set_color($123456);", "draw_set_color(1193046);"),
        ("keyboard_check(vk_left);", "keyboard_check(vk_left);"),
        ("keyboard_check(ord('Z'));", 'keyboard_check(ord("Z"));'),
        ("visible = false;", "visible = false;"),
        ("image_speed = 0;", "image_speed = 0;"),
        ("draw_set_halign(fa_center);", "draw_set_halign(fa_center);"),
        ("x = instance_exists(noone);", "x = instance_exists(noone);"),
        ("mask_index = x ? spr : -1;", "mask_index = x ? spr : -1;"),
        ("a = choose(1, 2); sprite_index = choose(spr, spr);",
         "a = choose(1, 2);\nsprite_index = choose(spr, spr);"),
    ],
)  # fmt: skip
def test_numbers_get_names_where_the_type_is_known(source: str, expected: str) -> None:
    release = GMS2 if "?" in source else GMS1
    assert shown(source.replace("'", '"'), release).strip() == expected


def test_a_whole_game_tells_the_types_of_its_own_variables() -> None:
    game = context(*GMS1)
    for name in ("scr_spawn", "scr_ready"):
        game.add_asset("script", len(game.assets["script"]), name)
        game.add_function(name, "gml_Script_" + name)
    sources = {
        "gml_Script_scr_spawn": "return instance_create(x, y, argument0);",
        "gml_Script_scr_ready": "if (hp > 0) return true; return false;",
        "gml_Object_obj_Create_0": "kind = obj; scr_spawn(obj); look = spr; ready = true;",
        "gml_Object_obj_Step_0": "if (ready) scr_spawn(kind); other.target = noone;",
        "gml_Object_obj_Draw_0": "draw_sprite(look, 0, x, y); with (target) y = 1;",
    }
    codes = {name: compiled(source, game, name) for name, source in sources.items()}
    create = codes["gml_Object_obj_Create_0"]
    assert "kind = 3;" in decompile(create, game)
    inferred = gather(codes.values(), game)
    text = {name: decompile(code, game, inferred=inferred) for name, code in codes.items()}
    assert text["gml_Object_obj_Create_0"].split() == (
        ["kind", "=", "obj;", "scr_spawn(obj);", "look", "=", "spr;", "ready", "=", "true;"]
    )
    assert "other.target = noone;" in text["gml_Object_obj_Step_0"]
    assert "return true;" in text["gml_Script_scr_ready"]
    for name, code in codes.items():
        assert compiled(text[name], game, name).instructions == code.instructions


def test_enum_members_stand_in_for_unknown_ones() -> None:
    text = shown("enum E { A, B, C } state = E.C; if (state == E.A) exit;")
    assert "state = UnknownEnum.Value_2;" in text
    assert text.rstrip().endswith("enum UnknownEnum\n{\n    Value_0,\n    Value_2 = 2\n}")


def test_known_enums_are_used() -> None:
    game = context(*V23)
    code = compiled("enum E { A = 7 } state = E.A;", game)
    game.add_enum("E", [("A", 7)])
    assert decompile(code, game).strip() == "state = E.A;"


def test_statements_know_their_first_instruction() -> None:
    game = context(*V23)
    block = decompile_tree(compiled("a = 1; if (b) { c = 2; } d(3);", game), game)
    addresses = [statement.address for statement in block.statements]
    assert addresses[0] == 0
    assert addresses == sorted(addresses)
    branch = block.statements[1]
    assert isinstance(branch, tree.If)
    assert isinstance(branch.then, tree.Block)
    assert branch.address < branch.then.statements[0].address < addresses[2]


def test_a_local_hides_an_instance_variable() -> None:
    game = context(*V23)
    code = compiled("self.hp = 3; var hp = self.hp;", game)
    text = decompile(code, game)
    assert text.split() == ["self.hp", "=", "3;", "var", "hp", "=", "self.hp;"]


def test_a_read_before_any_assignment_is_declared_outside() -> None:
    text = shown("var hit; repeat (3) { if (hit) exit; hit = true; }")
    assert text.startswith("var hit;\n")
    assert text.count("var ") == 1


def test_a_chain_of_a_thousand_else_ifs() -> None:
    source = "if (x == 0) y = 0;" + "".join(f"else if (x == {n}) y = {n};" for n in range(1, 1000))
    text = shown(source)
    assert text.count("else if") == 999


def test_a_sum_of_a_thousand_terms() -> None:
    text = shown("s = " + " + ".join(f"v{n}" for n in range(1000)) + ";")
    assert text.count("+") == 999


@pytest.mark.parametrize("release", [GMS1, GMS2, V23, NEWEST])
def test_strings_survive(release: tuple[int, tuple[int, ...]]) -> None:
    game = context(*release)
    source = 'a = "it\'s"; b = "two words";'
    code = compiled(source, game)
    assert compiled(decompile(code, game), game).instructions == code.instructions


@pytest.mark.parametrize("release", [V23, NEWEST])
@pytest.mark.parametrize(
    "source",
    ["m[? k]--;", "y = l[| 1]++;", "y = --m[? k];", "y = g[# 1, x]++;", 's[$ "a"]++;'],
)
def test_steps_of_accessors(source: str, release: tuple[int, tuple[int, ...]]) -> None:
    assert shown(source, release) == source


def test_a_missing_condition_is_no_enum_member() -> None:
    source = "for (;;)\n{\n    if (x)\n    {\n        break;\n    }\n}"
    assert shown(source) == source
    assert "enum UnknownEnum" in shown("enum E { A = 1 } for (;;) { x = E.A; }")


@pytest.mark.parametrize("release", [GMS1, GMS2, V23, NEWEST])
def test_continue_at_the_end_of_a_do(release: tuple[int, tuple[int, ...]]) -> None:
    game = context(*release)
    code = compiled("do { x = 1; if (a) { y = 2; if (b) continue; } } until (x);", game)
    text = decompile(code, game)
    assert "continue;" in text and "else" not in text
    assert compiled(text, game).instructions == code.instructions


def test_room_instances_by_number_and_by_reference() -> None:
    game = context(17, (2024, 14, 0, 0))
    game.add_asset("room_instance", 100005, "inst_5")
    source = "(100005).x = 1;\ninst_5.x = 2;\n(3).x = 3;\nobj.x = 4;"
    assert decompile(compiled(source, game), game) == source


@pytest.mark.parametrize("release", [GMS2, V23, NEWEST])
def test_a_missing_index_is_no_enum_member(release: tuple[int, tuple[int, ...]]) -> None:
    assert shown("x = view_xview;", release) == "x = view_xview;"
    assert "Value_0" in shown("enum E { A } x = E.A;", release)


def test_functions_among_arguments_of_a_method() -> None:
    game = context(17, (2024, 11, 0, 0))
    source = "x = F;\ny.z(F);"
    code = compiled(source, game)
    operations = [
        instruction.opcode for instruction in code.instructions if "F" in str(instruction.operand)
    ]
    assert operations == [Opcode.BREAK, Opcode.PUSH]
    assert decompile(code, game) == source


@pytest.mark.parametrize("release", [GMS1, GMS2])
def test_code_without_a_name_may_return_numbers(release: tuple[int, tuple[int, ...]]) -> None:
    game = context(*release)
    code = compiled("if (a) return 1; return 0;", game)
    assert "return true;" in decompile(code, game)  # what an event returns is not used
    code.name = ""
    assert "return 1;" in decompile(code, game)


@pytest.mark.parametrize(
    "source",
    [
        # what a loop reads in its head is declared before it
        """\
        var j;
        for (var i = 0; j < 3; i++)
        {
            if (a)
            {
                continue;
            }
            j = 1;
            b(j);
        }
        """,
        # a catch begins with the variable, though it does not use it
        """\
        if (a)
        {
            var e;
            try
            {
                b();
            }
            catch (e)
            {
                c();
            }
            d(e);
        }
        """,
    ],
)
def test_locals_are_declared_before_what_may_read_them(source: str) -> None:
    assert shown(dedent(source).rstrip()) == dedent(source).rstrip()


def test_static_get_of_a_reference() -> None:
    assert shown("static_get(F).x = 1;\nF.y = 2;", NEWEST) == "static_get(F).x = 1;\nF.y = 2;"
