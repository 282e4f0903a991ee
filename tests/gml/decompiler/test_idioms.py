"""Where the bytes allow several texts, the source is the one people write."""

from __future__ import annotations

from textwrap import dedent

import pytest

from gml_programs import context
from overhaul.gml.compiler import compile as compile_source
from overhaul.gml.context import Context
from overhaul.gml.decompiler import decompile_as_likely, gather, read
from overhaul.gml.decompiler.choices import LOOP, Choices
from overhaul.gml.decompiler.unstructured import refuse_listings
from overhaul.gml.errors import CompileError
from overhaul.gml.roundtrip import analyse, decompile
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Code, Instruction
from overhaul.gml.vm.opcodes import POPENV_DROP, Opcode

BYTECODE_13, BYTECODE_14 = (13, (1, 0, 0, 1307)), (14, (1, 0, 0, 1567))
GMS2 = (17, (2, 2, 5, 0))
GMS1, V230, V232 = (16, (1, 0, 0, 1773)), (17, (2, 3, 0, 0)), (17, (2, 3, 2, 0))
V2023, NEWEST = (17, (2023, 4, 0, 0)), (17, (2024, 14, 0, 0))
Release = tuple[int, tuple[int, ...]]


def compiled(source: str, game: Context, name: str = "gml_Object_obj_Create_0") -> Code:
    return compile_source(source, game, kind="event", name=name)


def shown(source: str, release: Release) -> str:
    """The decompiled source; it compiles to the same code."""
    game = context(*release)
    code = compiled(source, game)
    text = decompile(code, game)
    again = compile_source(text, game, kind="event", name=code.name, previous=code)
    assert again.instructions == code.instructions, text
    return text


def stays(source: str, release: Release) -> None:
    text = dedent(source).strip()
    assert shown(text, release) == text


# -- constants -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1 / 60", "1 / 60"),
        ("-7 / 11", "-7 / 11"),
        ("pi / 16", "pi / 16"),
        ("-pi", "-pi"),
        ("2 * pi", "2 * pi"),
        ("180 / pi", "180 / pi"),
        ("35 * pi / 180", "7 * pi / 36"),
        ("0.1", "0.1"),
        ("0.3 * 1.5", "0.44999999999999996"),
        ("3.14159265", "3.14159265"),
        ("10000 / 7", "1428.5714285714287"),
    ],
)
def test_folded_fractions_are_fractions_again(written: str, expected: str) -> None:
    assert shown(f"x = {written};", NEWEST) == f"x = {expected};"
    assert shown(f"x = {written};", GMS1) == f"x = {expected};"


def test_fractions_inside_expressions() -> None:
    stays("x = 1 / 3 * y;", NEWEST)
    stays("x = y * (1 / 3);", NEWEST)
    stays("x = y / (1 / 3);", NEWEST)


def test_characters_without_escapes_are_made_by_chr() -> None:
    assert shown("x = chr(0) + chr(1);", GMS1) == "x = chr(0) + chr(1);"
    assert shown("x = chr(13) + chr(10);", GMS1) == "x = chr(13) + chr(10);"
    assert shown('x = y + ("a" + chr(7));', GMS1) == 'x = y + ("a" + chr(7));'
    assert shown('x = "a\nb";', GMS1) == 'x = "a\nb";'
    assert shown('x = "a\\nb";', NEWEST) == 'x = "a\\nb";'


def test_built_in_arrays_without_an_index() -> None:
    assert shown("x = view_xview;", BYTECODE_13) == "x = view_xview;"
    assert shown("x = view_xview[0];", BYTECODE_14) == "x = view_xview[0];"
    assert (
        shown("x = view_xview; y = view_xview[0];", GMS1) == "x = view_xview;\ny = view_xview[0];"
    )


# -- loops -----------------------------------------------------------------------------------------


def test_a_for_with_several_counters() -> None:
    stays(
        """
        for (var i = 0, n = array_length(list); i < n; i++)
        {
            show_debug_message(list[i]);
        }
        """,
        NEWEST,
    )
    stays(
        """
        for (var i = 0, first = true; i < 9; i++)
        {
            if (i == hp)
            {
                continue;
            }
            show_debug_message(first);
        }
        """,
        NEWEST,
    )


def test_a_sum_is_no_counter_of_the_loop_behind_it() -> None:
    stays(
        """
        var i = 0;
        var sum = 0;
        while (i < 10)
        {
            sum += list[i];
            i++;
        }
        """,
        NEWEST,
    )


def test_the_first_games_declare_without_a_value() -> None:
    first = """
        if (x)
        {
            var a, b;
            a = 1;
            y = a;
            b = 2;
            x = b;
        }
        """
    stays(first, (8, (1, 0, 0, 412)))
    stays(first, (10, (1, 0, 0, 666)))
    text = shown(dedent(first), BYTECODE_13)
    assert "var a = 1;" in text and "var b = 2;" in text


def test_old_games_declare_no_counter_in_a_header() -> None:
    stays(
        """
        var i;
        for (i = 0; i < 9; i += 1)
        {
            show_debug_message(i);
        }
        """,
        BYTECODE_14,
    )


def test_a_step_from_key_to_key() -> None:
    stays(
        """
        for (var key = ds_map_find_first(map); key != hp; key = ds_map_find_next(map, key))
        {
            show_debug_message(key);
        }
        """,
        NEWEST,
    )


def test_a_for_without_a_step() -> None:
    stays(
        """
        for (var i = 0; i < hp;)
        {
            if (x)
            {
                if (y)
                {
                    continue;
                }
                y = 1;
            }
            i += y;
        }
        """,
        NEWEST,
    )


def test_trying_numbers_until_one_fits() -> None:
    stays(
        """
        n = 1;
        while (file_exists("save" + string(n)))
        {
            file_delete("save" + string(n));
            n += 1;
        }
        """,
        GMS1,
    )


def test_looking_through_an_array() -> None:
    stays(
        """
        for (n = 0; names[n] != ""; n += 1)
        {
            file_delete(names[n]);
        }
        """,
        GMS1,
    )


@pytest.mark.parametrize("head", ["for (i = 0; i < 9; i += 1)", "with (obj)", "repeat (3)"])
def test_continue_where_the_loop_continues_elsewhere(head: str) -> None:
    stays(
        f"""
        {head}
        {{
            if (x > 3)
            {{
                continue;
            }}
            if (y > 3)
            {{
                y = 0;
                continue;
            }}
            hp += 1;
            x = 4;
        }}
        """,
        GMS1,
    )
    stays(
        f"""
        {head}
        {{
            if (y > 3)
            {{
                y = 0;
            }}
            else
            {{
                hp += 1;
                x = 4;
            }}
        }}
        """,
        GMS1,
    )


def test_the_last_of_the_labels_of_a_body_that_exits() -> None:
    for labels in ("case 1:\n    default:", "default:\n    case 1:"):
        for body in ("exit;", "go(2);\n        exit;", "return go(2);"):
            text = f"switch (x)\n{{\n    {labels}\n        {body}\n}}"
            assert shown(text, NEWEST) == text


def test_continue_at_the_begin_of_a_do() -> None:
    stays(
        """
        do
        {
            if (x > 3)
            {
                continue;
            }
            x += 1;
        }
        until (y);
        """,
        GMS1,
    )


# -- declarations ----------------------------------------------------------------------------------


def test_bare_declarations_stand_together() -> None:
    stays(
        """
        var xs, ys;
        xs[0] = 1;
        ys[0] = 2;
        """,
        GMS1,
    )


def test_bare_declarations_stand_together_behind_one_that_stands_further_out() -> None:
    stays(
        """
        var a;
        if (x)
        {
            if (y)
            {
                a = 1;
            }
            show_message(a);
            var b, c;
            if (y)
            {
                b = 1;
            }
            if (y)
            {
                c = 1;
            }
            show_message(b + c);
        }
        show_message(a);
        """,
        GMS1,
    )


def test_a_variable_declared_as_itself() -> None:
    stays("var a = 1;\nvar a = a;", NEWEST)


# -- constructors ----------------------------------------------------------------------------------


def test_methods_behind_what_a_constructor_does() -> None:
    stays(
        """
        function Enemy() constructor
        {
            static count = 0;

            life = 3;
            mood = 1;

            static hurt = function()
            {
                life--;
            };
            static rest = function()
            {
                life++;
            };
        }
        """,
        NEWEST,
    )


def test_methods_before_what_calls_them() -> None:
    stays(
        """
        function Enemy() constructor
        {
            static start = function()
            {
                life = 3;
            };

            start();
        }
        """,
        NEWEST,
    )


def test_statics_before_what_uses_them() -> None:
    stays(
        """
        function Enemy() constructor
        {
            static hurt = function()
            {
                life--;
            };
            static total = 0;

            life = 3;
            total++;
        }
        """,
        NEWEST,
    )


SAYING = """
function Canvas(w) constructor
{
    self.wide = w;
    self.rows = [];
    draw = function()
    {
        self.wide += self.rows[0];
        draw_sprite(self.wide, 0, 0, 0);
    };
}
"""


def of_game(source: str, release: Release) -> str:
    game = context(*release)
    code = compiled(source, game)
    text = decompile(code, game, inferred=gather([code], game))
    again = compile_source(text, game, kind="event", name=code.name, previous=code)
    assert again.instructions == code.instructions, text
    return text


def test_constructors_say_self_where_the_code_shows_that_they_do() -> None:
    text = of_game(SAYING, V2023)
    assert "self.wide = arg0;" in text
    assert "self.wide += self.rows[0];" in text
    assert "draw_sprite(self.wide," in text
    assert "    draw = function()" in text
    bare = of_game(SAYING.replace("self.", ""), V2023)
    assert "self." not in bare
    assert of_game(SAYING, NEWEST).count("self.") == SAYING.count("self.")  # each one is shown


def test_events_do_not_say_self_because_constructors_do() -> None:
    text = of_game(SAYING + "life = 3; list[0] = life;", V2023)
    assert "\nlife = 3;\nlist[0] = life;" in text


# -- arrays and instances --------------------------------------------------------------------------


def test_array_set_where_arrays_are_copied_on_write() -> None:
    assert shown("var a = list; a[@ 0] = 1;", V232) == "var a = list;\na[@ 0] = 1;"
    assert shown("var a = list; array_set(a, 0, 1);", V2023) == "var a = list;\narray_set(a, 0, 1);"


def test_instance_destroy_of_oneself() -> None:
    assert shown("instance_destroy(self);", GMS1) == "instance_destroy(self);"
    assert shown("target = self;", GMS1) == "target = id;"


# -- code that no one writes -----------------------------------------------------------------------


def odd(*instructions: Instruction) -> tuple[str, list[str]]:
    game = context(*GMS1)
    code = Code("gml_Object_obj_Create_0", [*compiled("x = 1;", game).instructions, *instructions])
    code.instructions += compiled("y = 2;", game).instructions
    return decompile(code, game), analyse(code, game).problems


@pytest.mark.parametrize(
    ("instructions", "reason"),
    [
        ([Instruction(Opcode.POPZ, 5, 0, 0)], "popz finds nothing"),
        (
            [Instruction(Opcode.PUSHI, 15, 0, 1), Instruction(Opcode.POPZ, 2, 0, 0)],
            "a value is dropped unused",
        ),
        ([Instruction(Opcode.B, 0, 0, 1)], "a jump to the next instruction"),
        ([Instruction(Opcode.POPENV, 0, 0, POPENV_DROP)], "popenv leaves no with"),
    ],
)
def test_instructions_without_source(instructions: list[Instruction], reason: str) -> None:
    text, problems = odd(*instructions)
    assert [problem.partition(" at ")[0] for problem in problems] == [reason]
    assert text.startswith("x = 1;\n/*\ncould not be decompiled: " + reason)
    assert text.endswith("*/\ny = 2;")


def test_a_mark_of_an_owner_of_nothing_is_reported() -> None:
    game = context(*V230)
    code = Code("gml_Object_obj_Create_0", [*compiled("x = 1;", game).instructions])
    code.instructions += [Instruction(Opcode.PUSHI, 15, 0, 1), Instruction(Opcode.BREAK, 15, 0, -5)]
    assert [problem.partition(" at ")[0] for problem in analyse(code, game).problems] == [
        "setowner for nothing"
    ]
    assert decompile(code, game).startswith("x = 1;\n/*\ncould not be decompiled: setowner")


@pytest.mark.parametrize("release", [GMS1, V230, NEWEST])
def test_clean_ups_before_an_exit_are_not(release: Release) -> None:
    game = context(*release)
    source = """
    repeat (3) { switch (x) { case 1: with (obj) { if (y) return x; exit; } case 2: exit; } }
    """
    assert not analyse(compiled(source, game), game).problems
    shown(source, release)


def test_code_that_jumps_into_a_loop_spoils_only_its_function() -> None:
    game = context(*NEWEST)
    source = """
    function good() { return 1; }
    function bad() { if (x) y = 1; while (hp) { hp -= 1; y += 1; } return 5; }
    z = 3;
    """
    code = compiled(source, game)
    offsets = code.offsets()
    tests = [
        at for at, instruction in enumerate(code.instructions) if instruction.opcode == Opcode.BF
    ]
    first, second = tests
    code.instructions[first].value = (offsets[second + 1] - offsets[first]) // 4
    text = decompile(code, game)
    assert text.startswith("function good()\n{\n    return 1;\n}\n\nfunction bad()\n{\n    if (x)")
    assert "crosses another construct" in text
    assert text.endswith("}\n\nz = 3;")
    with pytest.raises(CompileError, match="no source") as caught:
        refuse_listings(text)
    assert len(caught.value.errors) == 2
    refuse_listings(decompile(compiled("z = 3; // could not be", game), game))


# -- built-in arrays -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("view_yview[1] = 2;", "view_xview[0] = 3;"),
        ("x = view_hview[i];", "view_xview[0] = 3;"),
        ("view_yview[0] = 2;", "view_xview = 3;"),
        ("alarm[1] = 2;", "view_xview = 3;"),
    ],
)
def test_who_writes_one_index_writes_all(other: str, expected: str) -> None:
    """In bytecode 13 an index of 0 has the code of none: another index shows who writes it."""
    game = context(*BYTECODE_13)
    code = compiled("view_xview = 3;", game)
    inferred = gather([code, compiled(other, game)], game)
    assert decompile(code, game, inferred=inferred) == expected
    assert decompile(code, game, inferred=gather([code], game)) == "view_xview = 3;"


# -- what a loop is --------------------------------------------------------------------------------


def likely(source: str, release: Release) -> str:
    """The decompiled source as reading takes it, without a search for other choices; it compiles
    to the same code."""
    game = context(*release)
    code = compiled(source, game)
    text = decompile_as_likely(code, game)
    again = compile_source(text, game, kind="event", name=code.name, previous=code)
    assert again.instructions == code.instructions, text
    return " ".join(text.split())


@pytest.mark.parametrize("release", [GMS1, V2023])
@pytest.mark.parametrize(
    ("source", "part"),
    [
        # its continue jumps back by itself, an else does not
        ("while (a) { if (b) { continue; } if (c) { d(); } else { e(); } }", "else { e(); }"),
        # what a continue jumps back in is no for, whatever it counts
        ("i = 0; while (i < 3) { if (a) { continue; } b(); i += 1; }", "i = 0; while (i < 3)"),
    ],
)
def test_a_while_with_a_continue_stays_one(release: Release, source: str, part: str) -> None:
    assert part in likely(source, release)


def test_a_loop_in_a_try_gets_no_continue_that_would_set_a_flag() -> None:
    source = """
        try { repeat (3) { if (a) { b(); if (x) { continue; } } if (d) { e(); } else { f(2); } } }
        catch (g) { }
    """
    assert "else { f(2); }" in likely(source, V232)


def test_copies_show_whose_a_finally_part_is() -> None:
    source = """
        try { if (a) exit; b(); } catch (c) { d(); }
        finally { try { e(); } catch (f) { g(); } }
    """
    assert likely(source, V2023).startswith(
        "try { if (a) { exit; } b(); } catch (c) { d(); } finally"
    )


def test_a_for_begins_where_its_initial_statement_does() -> None:
    game = context(*GMS1)
    code = compiled("a = 1; for (i = 0; i < 3; i += 1) { b(); }", game)
    first, loop = analyse(code, game).block.statements
    assert isinstance(loop, tree.For) and loop.initial is not None
    assert first.address == 0 and loop.address == loop.initial.address > 0


def test_the_loops_around_the_parts_of_a_try_leave_nothing_open() -> None:
    game = context(*V232)
    code = compiled("while (a) { try { if (b) break; c(); } catch (e) { } d(); }", game)
    choices = Choices()
    read(code, game, choices)
    assert [point.kind for point in choices.asked].count(LOOP) == 1


@pytest.mark.parametrize(
    ("source", "release"),
    [
        ("function f() { static g = function() { return 1; }; a = 1; }", V2023),
        ("instance_destroy(id);", V2023),
        ("instance_destroy(id, false);", GMS2),
    ],
)
def test_habits_of_others_are_not_taken_over(source: str, release: Release) -> None:
    text = " ".join(shown(source, release).split())
    assert "self" not in text
    if "static" in text:
        assert text.index("static g") < text.index("a = 1")


RELEASES_OF_STRUCTS = (V230, V2023, (17, (2024, 2, 0, 0)), NEWEST, (17, (2024, 14, 4, 0)))


@pytest.mark.parametrize("release", RELEASES_OF_STRUCTS)
def test_accessors_only_where_they_compile_to_the_same(release: Release) -> None:
    """Of ``map[? key].f(a)`` the arguments come behind the instance, of a call before it."""
    for source in (
        "ds_map_find_value(m, k).f(a());",
        "m[? k].f(a());",
        "ds_list_find_value(l, i).f(a()).g(b());",
        "variable_struct_get(s, k).f(a);",
        "s[$ k].f(a);",
        "b = struct_get(s, k);",
        "struct_set(s, k, a);",
        "g[# 0, 1](a);",
    ):
        stays(source, release)
    assert shown("b = variable_struct_get(s, k);", release) == "b = s[$ k];"


@pytest.mark.parametrize("release", [GMS2, *RELEASES_OF_STRUCTS])
def test_a_call_whose_result_is_not_used_is_no_accessor(release: Release) -> None:
    """It was dropped from functions, as nothing but an accessor seemed to stand there."""
    stays("ds_list_find_value(l, a());", release)
    if release is not GMS2:
        stays("f = function()\n{\n    ds_map_find_value(m, a());\n};", release)


@pytest.mark.parametrize("release", RELEASES_OF_STRUCTS)
def test_a_function_is_shown_once_where_method_binds_it(release: Release) -> None:
    source = "function f()\n{\n    return 1;\n}\n\na = method(undefined, f);\nb = method(other, f);"
    stays(source, release)
