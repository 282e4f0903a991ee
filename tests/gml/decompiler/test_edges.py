"""Programs at the edge of a rule of the decompiler: one step further, and another text is right."""

from __future__ import annotations

from textwrap import dedent

import pytest

from gml_programs import context
from overhaul import gml
from overhaul.gml.decompiler.types.constants import double_node
from overhaul.gml.syntax import tree

GMS1, V232 = (16, (1, 0, 0, 1773)), (17, (2, 3, 2, 0))
V2023, NEWEST = (17, (2023, 4, 0, 0)), (17, (2024, 14, 0, 0))
Release = tuple[int, tuple[int, ...]]
LARGE_AND_SMALL = [1.7976931348623157e308, 1.2345678901234567e308, 1.2345678901e-309]


def stays(source: str, release: Release, kind: str = "event") -> None:
    """The decompiled source is the source, and compiles to the same code."""
    name = "gml_Object_o_Create_0" if kind == "event" else "gml_GlobalScript_s"
    game = context(*release)
    source = dedent(source).strip()
    code = gml.compile(source, game, kind=kind, name=name)
    text = gml.decompile(code, game)
    assert text == source
    again = gml.compile(text, game, kind=kind, name=name, previous=code)
    assert again.instructions == code.instructions


def test_a_variable_called_as_the_compiler_calls_its_copies() -> None:
    body = "    var copyVar = a();\n    x = 2;\n    return copyVar;\n"
    stays(f"try\n{{\n{body}}}\nfinally\n{{\n    c();\n}}", V232)


def test_a_check_of_a_variable_that_is_no_argument() -> None:
    stays("""
        function f(arg0)
        {
            if (argx == undefined)
            {
                argx = arg0;
            }
        }
        """, V2023, "global_script")  # fmt: skip


@pytest.mark.parametrize("release", [V2023, NEWEST])
def test_a_constructor_of_methods_alone(release: Release) -> None:
    stays("""
        function F() constructor
        {
            static go = function()
            {
                return 1;
            };
        }
        """, release, "global_script")  # fmt: skip


@pytest.mark.parametrize("release", [V2023, NEWEST])
def test_a_constructor_that_calls_a_method_of_another(release: Release) -> None:
    stays("""
        function F() constructor
        {
            thing.start();

            static go = function()
            {
                return 1;
            };
        }
        """, release, "global_script")  # fmt: skip


@pytest.mark.parametrize("operator", ["+=", "|=", "^=", "&="])
def test_a_local_that_is_changed_before_it_is_set(operator: str) -> None:
    stays(f"var a;\na {operator} 1;\na = 2;\nb = a;", GMS1)


@pytest.mark.parametrize("before", ["", "y = 1;\n", "y = 1;\nz = 2;\n"])
def test_a_loop_behind_other_statements(before: str) -> None:
    stays(before + "for (i = 0; i < 3; i++)\n{\n    show_message(i);\n}", GMS1)


def test_a_try_in_a_finally_part() -> None:
    stays("""
        try
        {
            a = 1;
            exit;
        }
        finally
        {
            try
            {
                b = 2;
            }
            finally
            {
                c = 3;
            }
        }
        """, NEWEST)  # fmt: skip


def test_a_local_that_only_a_case_reads() -> None:
    stays("var a;\nswitch (x)\n{\n    case a:\n        y = 1;\n        break;\n}", GMS1)


def test_a_continue_to_a_step_far_behind() -> None:
    lines = "".join(f"    x{n} = {n} + y;\n" for n in range(20))
    skip = "    if (y)\n    {\n        continue;\n    }\n"
    stays(f"for (i = 0; i < 3; i++)\n{{\n{skip}{lines}}}", GMS1)


@pytest.mark.parametrize("value", [0, -1, 2])
def test_a_member_of_an_enum_as_the_condition_of_a_loop(value: int) -> None:
    game = context(*V232)
    source = f"enum E {{ A = {value} }} while (E.A) {{ x = 1; }}"
    code = gml.compile(source, game, kind="event", name="gml_Object_o_Create_0")
    text = gml.decompile(code, game)
    again = gml.compile(text, game, kind="event", name="gml_Object_o_Create_0", previous=code)
    assert again.instructions == code.instructions


CATCHES = "try { b = 2; } catch (_e) { d = 4; }"
CATCHES_AND_ENDS = CATCHES + " finally { c = 3; }"


@pytest.mark.parametrize("release", [V232, V2023, NEWEST])
@pytest.mark.parametrize(
    "inner",
    [
        CATCHES,
        CATCHES_AND_ENDS,
        "try { b = 2; } finally { c = 3; }",
        f"x = 1; {CATCHES} y = 2;",
        f"if (x) {{ {CATCHES} }}",
        f"{CATCHES_AND_ENDS} if (x) {{ {CATCHES} }}",
        f"{CATCHES_AND_ENDS} {CATCHES_AND_ENDS}",
        f"try {{ a = 3; }} finally {{ {CATCHES} }}",
        f"{CATCHES} try {{ a = 3; }} finally {{ {CATCHES} z = 1; }}",
    ],
)
@pytest.mark.parametrize("body", ["", "if (a) { return a; }"])
def test_tries_in_a_finally_part(body: str, inner: str, release: Release) -> None:
    source = f"try {{ a = 1; {body} }} finally {{ {inner} }} f = 5;"
    game = context(*release)
    code = gml.compile(source, game, kind="event", name="gml_Object_o_Create_0")
    text = gml.decompile(code, game)
    assert " ".join(text.split()) == " ".join(source.replace("{  }", "{ }").split())
    again = gml.compile(text, game, kind="event", name="gml_Object_o_Create_0", previous=code)
    assert again.instructions == code.instructions


@pytest.mark.parametrize("inner", [CATCHES, CATCHES_AND_ENDS])
def test_a_try_behind_one_of_a_finally_part(inner: str) -> None:
    """No code shows whose of the two the last finally part is."""
    game = context(*NEWEST)
    source = f"try {{ a = 1; }} finally {{ {inner} {CATCHES} }}"
    code = gml.compile(source, game, kind="event", name="gml_Object_o_Create_0")
    text = gml.decompile(code, game)
    again = gml.compile(text, game, kind="event", name="gml_Object_o_Create_0", previous=code)
    assert again.instructions == code.instructions


def test_a_try_that_has_neither_part_is_shown_as_assembly() -> None:
    game = context(*NEWEST)
    source = "try { a = 1; } finally { b = 2; }"
    text = gml.disassemble(gml.compile(source, game, kind="event", name="e"), game)
    call = "call.i @@finish_finally@@(argc=0)\npopz.v\nb [end]\n"
    assert call in text
    code = gml.assemble(text.replace(call, ""), game)
    assert "a try without a catch and a finally part" in gml.decompile(code, game)


@pytest.mark.parametrize("between", ["", "pushi.e 2\npop.v.i builtin.b\n"])
def test_a_try_whose_other_part_can_not_be_read_stays(between: str) -> None:
    """The rest of the function is shown, with assembly for what is behind the try."""
    game = context(*NEWEST)
    source = "try { a = 1; } finally { b = 2; } c = 3;"
    text = gml.disassemble(gml.compile(source, game, kind="event", name="e"), game)
    end = "pushi.e 2\npop.v.i builtin.b\ncall.i @@finish_finally@@(argc=0)\npopz.v\nb [1]\n"
    assert end in text
    code = gml.assemble(text.replace(end, between + "b [1]\n"), game)
    shown = "".join(gml.decompile(code, game).split())
    assert shown.startswith("try{a=1;}" + ("b=2;" if between else "") + "/*couldnotbedecompiled")
    assert shown.endswith("*/c=3;")


@pytest.mark.parametrize("release", [V232, V2023, NEWEST])
def test_what_stands_before_a_throw_and_in_the_finally_part(release: Release) -> None:
    stays("""
        try
        {
            a = 1;
            b = 2;
            throw "no";
        }
        finally
        {
            b = 2;
        }
        """, release)  # fmt: skip


@pytest.mark.parametrize("number", LARGE_AND_SMALL)
def test_numbers_at_the_ends_of_what_a_double_holds(number: float) -> None:
    assert double_node(number) == tree.Number(number)
    assert double_node(-number) == tree.Number(-number)
