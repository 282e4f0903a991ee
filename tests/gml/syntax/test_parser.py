"""Reading GML: every construct, in the words of the tree."""

from __future__ import annotations

import pytest

from overhaul import gml
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse, parse_all, parse_expression
from overhaul.gml.syntax.tree import (
    ArrayLiteral,
    Assignment,
    Binary,
    Block,
    Boolean,
    Call,
    Conditional,
    ExpressionStatement,
    Function,
    Increment,
    Index,
    Int64,
    Member,
    Name,
    New,
    Number,
    String,
    StringField,
    StructLiteral,
    StructMember,
    TemplateString,
    Unary,
)

GMS1 = gml.Dialect.for_version(15, (1, 4, 0, 1763))
A, B, C, D = Name("a"), Name("b"), Name("c"), Name("d")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12", Number(12)),
        ("0.5", Number(0.5)),
        (".5", Number(0.5)),
        ("$FF", Number(255)),
        ("0xFF", Number(255)),
        ("0b101", Number(5)),
        ("1_000_000", Number(1000000)),
        ("#FF8800", Number(0x0088FF)),
        ("$FFFFFFFF", Int64(0xFFFFFFFF)),
        ("9007199254740993", Int64(9007199254740993)),
        ("true", Boolean(True)),
        (r'"a\n\"\x41\u0042\103"', String('a\n"ABC')),
        (r'@"a\n"', String(r"a\n")),
        ("a + b * c", Binary("+", A, Binary("*", B, C))),
        ("a - b - c", Binary("-", Binary("-", A, B), C)),
        ("(a - b) - c", Binary("-", Binary("-", A, B), C)),
        ("a = b", Binary("==", A, B)),
        ("a <> b", Binary("!=", A, B)),
        ("a and not b", Binary("&&", A, Unary("!", B))),
        ("a mod b div c", Binary("div", Binary("%", A, B), C)),
        ("a & b == c", Binary("==", Binary("&", A, B), C)),
        ("a << b + c", Binary("<<", A, Binary("+", B, C))),
        ("!a == b", Binary("==", Unary("!", A), B)),
        ("-a.b", Unary("-", Member(A, "b"))),
        ("a ? b : c ? d : a", Conditional(A, B, Conditional(C, D, A))),
        ("a ?? b", Binary("??", A, B)),
        ("a[b]", Index(A, [B])),
        ("a[b, c]", Index(A, [B, C])),
        ("a[| b]", Index(A, [B], "|")),
        ("a[? b]", Index(A, [B], "?")),
        ("a[# b, c]", Index(A, [B, C], "#")),
        ("a[@ b]", Index(A, [B], "@")),
        ('a[$ "b"]', Index(A, [String("b")], "$")),
        ("a[$10]", Index(A, [Number(16)])),
        ("[$10]", ArrayLiteral([Number(16)])),
        ("a(b,, c)", Call(A, [B, None, C])),
        ("a(b)(c)", Call(Call(A, [B]), [C])),
        ("a.b(c).d", Member(Call(Member(A, "b"), [C]), "d")),
        ("a++", Increment("++", A)),
        ("--a", Increment("--", A, True)),
        ("new a(b)", New(A, [B])),
        ("new a.b()", New(Member(A, "b"), [])),
        ("{a: b, \"c d\": 1, b}", StructLiteral([
            StructMember("a", B), StructMember("c d", Number(1)), StructMember("b", B)])),
        ('$"x{a + b}y{"q"}"', TemplateString(
            [String("x"), Binary("+", A, B), String("y"), StringField("q")])),
        ("function(a) {}", Function("", [tree.Parameter("a")], Block([]))),
    ],
)  # fmt: skip
def test_expressions(text: str, expected: tree.Expression) -> None:
    assert parse_expression(text) == expected


def statements(text: str, language: gml.Dialect | None = None) -> list[tree.Statement]:
    return parse(text, language).statements


def test_positions_are_offsets_in_the_source() -> None:
    first, second = statements("a = 1;\n  b.c = foo(a);")
    assert (first.position, second.position) == (0, 9)
    assert isinstance(second, Assignment)
    assert second.value.position == 15


def test_one_statement_is_a_body_as_a_block_is() -> None:
    assert parse("if (a) b(); else if (c) d(); else a();") == parse(
        "if a then begin b() end else if c { d() } else { a() }"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("while (a) do b();", "while a { b(); }"),
        ("repeat 3 a();", "repeat (3) { a(); }"),
        ("with (a) do b = 1", "with a begin b := 1; end"),
        ("do a(); until b", "do { a() } until (b);"),
        ("for (a = 0; a < 3; a += 1;) b();", "for(a=0;a<3;a+=1){b()}"),
        ("if (a) ++b;", "if (a) { ++b; }"),
        ("return; a = 1", "exit; a = 1;"),
        ("var a, b = 1;;", "var a, b = 1;"),
        ("#region x\na = 1;\n#endregion\n// c\n/* d */", "a = 1;"),
    ],
)
def test_spellings_that_are_the_same(one: str, other: str) -> None:
    assert parse(one) == parse(other)


def test_switch() -> None:
    (node,) = statements("switch (a) { case 1: case 2: b(); break; default: c() }")
    assert isinstance(node, tree.Switch)
    assert [(case.value, len(case.body)) for case in node.cases] == [
        (Number(1), 0), (Number(2), 2), (None, 1),
    ]  # fmt: skip


def test_functions_constructors_and_exceptions() -> None:
    (node,) = statements("function f(p, q = 7) : g(p) constructor { static n = 1; }")
    assert isinstance(node, ExpressionStatement)
    function = node.expression
    assert isinstance(function, Function)
    assert function.constructor
    assert function.parent == Call(Name("g"), [Name("p")])
    assert function.parameters[1].default == Number(7)
    (node,) = statements("try { a() } catch (e) { b() } finally { c() }")
    assert isinstance(node, tree.Try)
    assert node.name == "e"
    assert node.final is not None


def test_definitions() -> None:
    macro, enum = statements("#macro Debug:SIZE (1 + \\\n 2)\nenum e { a, b = 3, c, }")
    assert macro == tree.Macro("SIZE", "(1 + \\\n 2)", "Debug")
    assert enum == tree.Enum(
        "e", [tree.EnumMember("a"), tree.EnumMember("b", Number(3)), tree.EnumMember("c")]
    )


def test_gms1_has_no_escapes_and_fewer_words() -> None:
    (node,) = statements("new = 'a\\n\"';", GMS1)
    assert node == Assignment(Name("new"), "=", String('a\\n"'))


def test_macros_are_replaced_by_their_tokens() -> None:
    macros = {"TWICE": "2 *", "FOUR": "TWICE 2", "LOOP": "LOOP"}
    assert parse("x = FOUR;", macros=macros) == parse("x = 2 * 2;")
    assert parse("x = LOOP;", macros=macros) == parse("x = LOOP;")


def test_a_macro_goes_on_behind_a_backslash_with_a_comment() -> None:
    source = "#macro SUM 1 +\\ // one\r\n 2 +\\\t \n 3\\// three\n\nx = SUM;"
    macro, assignment = statements(source)
    assert isinstance(macro, tree.Macro)
    assert macro.text == "1 +\\ // one\r\n 2 +\\\t \n 3\\// three"
    assert parse("x = SUM;", macros={"SUM": macro.text}) == parse("x = 1 + 2 + 3;")
    assert assignment == statements("x = SUM;")[0]
    assert len(statements("#macro PATH a\\b // no more\ny = 1;")) == 2


def test_macros_that_grow_without_end_are_refused() -> None:
    macros = {f"m{n}": f"m{n + 1} + m{n + 1}" for n in range(40)} | {"m40": "1"}
    with pytest.raises(gml.SyntaxError_, match="macros expand to more than 20,000 tokens"):
        parse("x = m0;", macros=macros)


def test_macros_may_have_so_many_tokens() -> None:
    """The limit counts all that is read, of nested and empty macros too; long texts have more."""
    long = "1" + "+1" * 9_999  # with the end of its text 20,000 tokens
    assert parse("x = M;", macros={"M": long}) == parse(f"x = {long};")
    for macros in ({"M": f"-{long}"}, {"M": f"N{long[1:]}", "N": ""}):
        with pytest.raises(gml.SyntaxError_, match="more than 20,000 tokens"):
            parse("x = M;", macros=macros)
    text = "y();" * 255  # 1,020 tokens
    assert len(parse(text + "x = M;", macros={"M": f"{long}+1+1"}).statements) == 256
    with pytest.raises(gml.SyntaxError_, match="more than 20,500 tokens"):
        parse(text + "x = M;", macros={"M": long + "+1" * 251})


def test_several_errors_each_with_its_place_and_a_caret() -> None:
    source = "x = ;\ny = 2;\nfoo(1;\nz = 3\n"
    block, problems = parse_all(source)
    assert [(p.line, p.column) for p in problems.problems()] == [(1, 5), (3, 6)]
    assert len(block.statements) == 2
    with pytest.raises(gml.SyntaxError_) as caught:
        parse(source, name="my_script")
    assert len(caught.value.errors) == 2
    assert (caught.value.line, caught.value.column) == (1, 5)
    assert str(caught.value.errors[0]).splitlines()[1:] == ["    x = ;", "        ^"]


@pytest.mark.parametrize(
    "source",
    [
        "{" * 5000, "x = " + "(" * 5000 + "1", "x = " + "-" * 5000 + "1", "x = a" + ".b" * 5000,
        "x = " + "[a(" * 900, "if a " * 3000 + "b()", "x = " + "a?" * 3000, "x = \"abc",
        "x = $\"{a", "function(" * 900, "\x00\xff", "}", "case 1:", "enum", "#macro",
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_our_own_words(source: str) -> None:
    with pytest.raises(gml.SyntaxError_):
        parse(source)


def test_what_is_long_is_not_deep() -> None:
    count = 20000
    assert len(statements("x = a" + " + a" * count)) == 1
    assert len(statements("if (a) b() " + "else if (a) b() " * 3000)) == 1


def test_leaves_hold_no_nodes() -> None:
    source = '#macro M 1\n// c\nx = a.b[1] + "c" + 2 * true; var d = 4611686018427387904;'
    seen = set()
    for node in parse(source).walk():
        held = [getattr(node, name) for name in node.fields]
        if node.is_leaf:
            assert not any(isinstance(value, (tree.Node, list)) for value in held)
            assert node.children() == []
            seen.add(type(node))
    assert {tree.Name, tree.Number, tree.String, tree.Boolean, tree.Macro} <= seen
