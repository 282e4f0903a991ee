"""Diagnostics: each with its place, several at once, and nothing that hangs."""

from __future__ import annotations

import pytest

from overhaul import gml
from overhaul.gml.compiler.definitions import add_definitions
from steps import at_most

GMS2 = gml.Dialect.for_version(17, (2, 2, 5, 0))


def errors(source: str, dialect: gml.Dialect | None = None) -> list[tuple[int, int, str]]:
    context = gml.Context(dialect=dialect or gml.Dialect())
    context.add_asset("object", 5, "obj_a")
    context.add_enum("E", [("zero", 0)])
    with pytest.raises(gml.CompileError) as caught:
        gml.compile(source, context, name="gml_Script_a")
    return [(error.line, error.column, error.message) for error in caught.value.errors]


@pytest.mark.parametrize(
    ("source", "column", "message"),
    [
        ("no_such_function(1);", 1, "unknown function no_such_function"),
        ("draw_txt(1, 2, s);", 1, "unknown function draw_txt (did you mean draw_text?)"),
        ("x = draw_text(1);", 5, "draw_text takes 3 arguments, not 1"),
        ("x = choose();", 5, "choose takes 1 or more arguments, not 0"),
        ("x = abs(1, 2);", 5, "abs takes 1 argument, not 2"),
        ("c_red = 1;", 1, "c_red is a constant"),
        ("obj_a = 1;", 1, "obj_a is a constant"),
        ("obj_a++;", 1, "obj_a is a constant"),
        ("E.zero = 1;", 1, "constant"),
        ("x = E.one;", 5, "the enum E has no member one"),
        ("break;", 1, "break outside a loop or switch"),
        ("switch (x) { case 1: continue; }", 22, "continue outside a loop"),
        ("x + 1;", 1, "does nothing"),
        ("x = 1 div 0;", 5, "division by zero"),
        ("x = a[1, 2, 3];", 13, "at most two indices"),
        ("fps = 30;", 1, "fps is read-only"),
        ("mouse_x += 1;", 1, "mouse_x is read-only"),
        ("current_time++;", 1, "current_time is read-only"),
        ("enum F { a, b = 2, a }", 20, "F.a is defined twice"),
    ],
)
def test_one_error(source: str, column: int, message: str) -> None:
    if source == "x + 1;":  # the parser stops at the operator
        with pytest.raises(gml.SyntaxError_):
            gml.compile(source, gml.Context(GMS2))
        return
    ((line, at, text),) = errors(source, GMS2)
    assert (line, at) == (1, column)
    assert message in text


def test_a_constant_cannot_be_deleted() -> None:
    ((line, column, message),) = errors("delete c_red;")
    assert (line, column) == (1, 8)
    assert "c_red is a constant" in message


def test_errors_in_functions() -> None:
    problems = errors("function f(a, b, a) : g() {\n    break;\n}\nx = 1;\nnoone = 2;")
    assert [(line, column) for line, column, _ in problems] == [(1, 18), (1, 23), (2, 5), (5, 1)]


def test_what_only_some_releases_have_is_free_elsewhere() -> None:
    code = gml.compile(
        "var fps = 1; fps = 2; player_id = 3; id = 4; s.mouse_x = 5;", gml.Context(GMS2)
    )
    assert len(code.instructions) == 12
    context = gml.Context(GMS2)
    context.without_builtins(["fps", "array_concat", "c_red"])
    gml.compile("fps = 1; c_red = 2;", context)
    with pytest.raises(gml.CompileError, match="unknown function array_concat"):
        gml.compile("array_concat(a, b);", context)


def test_a_brace_behind_an_error_still_opens_a_block() -> None:
    with pytest.raises(gml.SyntaxError_) as caught:
        gml.compile("if (a { b = 1; }\nfor (i = 0; i < 3; i++ { c = 2; }\nd = ;", gml.Context(GMS2))
    assert [error.line for error in caught.value.errors] == [1, 2, 3]


def test_a_problem_inside_a_function_leaves_the_rest_as_it_was() -> None:
    problems = errors("for (;;) { f = function(a = 1 div 0) { }; break; }\nbreak;")
    assert [line for line, _, _ in problems] == [1, 2]


def test_several_errors_in_one_go() -> None:
    problems = errors("nope();\nif (x) { break; }\nx = 1;\nE.zero = 2;\n", GMS2)
    assert [line for line, _, _ in problems] == [1, 2, 4]


def test_the_caret_stands_under_the_place() -> None:
    with pytest.raises(gml.CompileError) as caught:
        gml.compile("x = 1;\n    break;", gml.Context(GMS2), name="gml_Script_a")
    assert caught.value.name == "gml_Script_a"
    assert str(caught.value.errors[0]).splitlines()[1:] == ["        break;", "        ^"]


@pytest.mark.parametrize(
    ("capability", "source"),
    [
        ("nullish_operator", "x = a ?? b;"),
        ("nullish_operator", "x ??= b;"),
        ("template_strings", 'x = $"a{b}";'),
    ],
)
def test_what_the_release_does_not_have(capability: str, source: str) -> None:
    ((_, _, message),) = errors(source, gml.Dialect().replace(**{capability: False}))
    assert "this release has no" in message


def test_every_capability_stands_alone() -> None:
    for capability in gml.Dialect.__dataclass_fields__:
        if capability != "bytecode":
            dialect = gml.Dialect()
            dialect = dialect.replace(**{capability: not getattr(dialect, capability)})
            context = gml.Context(dialect=dialect)
            code = gml.compile("x = 1; y[2] += x;", context, name="gml_Script_a")
            source = gml.decompile(code, context)
            again = gml.compile(source, context, name="gml_Script_a")
            assert again.instructions == code.instructions


def test_the_exception_shows_all_errors_with_their_carets() -> None:
    with pytest.raises(gml.CompileError) as caught:
        gml.compile("break;\nx = draw_text();", gml.Context(GMS2), name="gml_Script_a")
    assert str(caught.value).splitlines() == [
        "gml_Script_a:1:1: break outside a loop or switch",
        "    break;",
        "    ^",
        "gml_Script_a:2:5: draw_text takes 3 arguments, not 0",
        "    x = draw_text();",
        "        ^",
    ]


def test_static_and_var_in_the_wrong_place() -> None:
    ((_, _, message),) = errors("static x = 1;")
    assert "only in functions" in message


def test_definitions_may_stand_in_any_order() -> None:
    context = gml.Context(GMS2)
    add_definitions(context, "#macro ONE 1\nenum A { x = B.y + ONE, z }\nenum B { q, y = B.q + 5 }")
    assert context.enums["B"] == [("q", 0), ("y", 5)]
    assert context.enums["A"] == [("x", 6), ("z", 7)]


def test_definitions_that_never_resolve_are_errors() -> None:
    context = gml.Context(GMS2)
    with pytest.raises(gml.CompileError, match="constant"):
        add_definitions(context, "enum A { x = B.y }\nenum B { y = A.x }")


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "a + " * 20000 + "1;",
        "x = " + "a && " * 5000 + "b;",
        "x = " + "a ? b : " * 100 + "c;",
        "x = " + "(" * 100 + "1" + ")" * 100 + ";",
        "if (a) b = 1; " + "else if (a) b = 1; " * 5000,
        "{" * 150 + "}" * 150,
        "x = " + "[" * 80 + "]" * 80 + ";",
        "x = " + "f(" * 80 + ")" * 80 + ";",
        "x = a" + ".b" * 110 + ";",
        "x = a" + "[0]" * 110 + ";",
        "x = " + "!" * 140 + "a;",
        "x = " + "{a: " * 80 + "1" + "}" * 80 + ";",
        "x = " + "function() { y = " * 40 + "1" + "}" * 40 + ";",
        'x = "' + "a" * 100000 + '";',
        "x = " + "9" * 5000 + ";",
        "switch (x) {" + "case 1: break;" * 5000 + "}",
    ],
)
def test_large_sources_compile_in_few_steps_or_are_refused(source: str) -> None:
    with at_most(6_000_000):
        try:
            gml.compile(source, gml.Context(), name="gml_Script_a")
        except gml.SyntaxError_:
            pass


@pytest.mark.parametrize("dialect", [GMS2, gml.Dialect()], ids=["2.2.5", "newest"])
def test_a_comment_that_is_not_closed_is_an_error_at_its_place(dialect: gml.Dialect) -> None:
    for source in ("a = 1;\n  /* b = 2;\nc = 3;", "a = 1;\n  /*/", '/**/\n  /* "*" /'):
        with pytest.raises(gml.SyntaxError_) as caught:
            gml.compile(source, gml.Context(dialect), name="gml_Object_o_Create_0")
        (error,) = caught.value.errors
        assert (error.line, error.column, error.message) == (2, 3, "this comment is not closed")
    gml.compile("a = 1; /* b */ /**/ // /*\n'/*';".replace("'/*';", ""), gml.Context(dialect))


def test_a_source_with_an_open_comment_is_taken_where_the_code_is_as_it_was() -> None:
    """Official compilers leave out the rest, so the source of some entries is so."""
    context = gml.Context(GMS2)
    name = "gml_Object_o_Create_0"
    before = gml.compile("a = 1;", context, name=name)
    same = gml.compile("a = 1; /* b = 2;", context, name=name, previous=before)
    assert same.instructions == before.instructions
    for source in ("a = 2; /* b = 2;", "a = 1 + ; /* b = 2;", "/* a = 1;"):
        with pytest.raises(gml.SyntaxError_) as caught:
            gml.compile(source, context, name=name, previous=before)
        assert "this comment is not closed" in [each.message for each in caught.value.errors]


@pytest.mark.parametrize(
    "release",
    [(15, (1, 4, 1757)), (17, (2, 2, 5)), (17, (2, 3, 1)), (17, (2023, 8)), (17, (2026, 0))],
)
def test_assets_and_functions_are_no_variables(release: tuple[int, tuple[int, ...]]) -> None:
    dialect = gml.Dialect.for_version(*release)
    context = gml.Context(dialect)
    context.add_asset("object", 5, "obj_a")
    context.add_asset("sprite", 6, "spr_a")
    context.add_asset("script", 7, "scr_a")
    context.add_function("scr_a", "gml_Script_scr_a" if dialect.gml_v2 else "scr_a")
    context.add_extension_function("ext_a", 1)
    name = "gml_Object_obj_a_Create_0"
    extension = ["ext_a"] if dialect.gml_v2 else []
    for target in ("obj_a", "spr_a", "scr_a", "draw_text", "c_red", *extension):
        for written in ("{} = 3;", "{}++;", "{} += 1;", "{}[0] = 3;", "{}[0] += 1;", "--{};"):
            if dialect.gml_v2:
                written = written.replace("[0]", "[0][1]")
            with pytest.raises(gml.CompileError, match=rf"{target} is .*: cannot assign to it"):
                gml.compile(written.format(target), context, name=name)
        gml.compile(f"var {target}; {target} = 3; {target}[1] = 2;", context, name=name)
        gml.compile(f"other.{target} = 3; spr_a.{target} += 2; global.{target} = 4;", context)
        if dialect.gml_v2:
            gml.compile(
                f"s = {{ {target}: 3 }}; f = function({target}) {{ {target} = 1; }}", context
            )
            gml.compile(f"function q() {{ static {target} = 1; {target} = 2; }}", context)
    with pytest.raises(gml.CompileError, match=r"obj_a is .*: cannot assign to it"):
        gml.compile("for (obj_a = 0; x < 3; x++) y = 1;", context, name=name)


def test_a_variable_keeps_the_name_of_a_function_that_the_code_shows() -> None:
    context = gml.Context()
    name = "gml_Object_obj_a_Create_0"
    before = gml.compile("hop = 1;", context, name=name)
    context.add_function("hop", "gml_Script_hop")
    gml.compile("hop = 2;", context, name=name, previous=before)
    with pytest.raises(gml.CompileError, match="hop is a function: cannot assign to it"):
        gml.compile("hop = 2;", context, name=name)
