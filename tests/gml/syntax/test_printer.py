"""Printing trees: the layout, the parentheses, the strings, and where statements stand."""

from __future__ import annotations

import pytest

from overhaul import gml
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse, parse_expression
from overhaul.gml.syntax.printer import number_text, to_source
from overhaul.gml.syntax.tree import Name, Number

GMS1 = gml.Dialect.for_version(15, (1, 4, 0, 1763))

LAYOUT = """\
function f(p, q = 7) : g(p) constructor
{
    static n = 1;
    static m = [1, 2];

    x = {
        a: 1,
        "b c": function()
        {
        }
    };
    var i = 0, j;
    for (i = 0; i < 10; i++)
    {
        if (i == 3)
        {
            continue;
        }
        else if (i == 4)
        {
            break;
        }
        else
        {
            a[i] += -j;
        }
    }
    repeat (3)
    {
        b[? "k"] = c.d[| 2];
    }
    switch (x)
    {
        case 1:
        case 2:
            exit;
        default:
            return $"a{i}";
    }
    do
    {
        i--;
    }
    until (i < 0);
    try
    {
        throw "x";
    }
    catch (e)
    {
        with (other)
        {
            delete y;
        }
    }
    while (true)
    {
    }
}

enum e
{
    a,
    b = 3
}

for (;;)
{
}"""


def test_the_layout_is_a_fixed_point() -> None:
    assert to_source(parse(LAYOUT)) == LAYOUT


@pytest.mark.parametrize(
    "text",
    [
        "a + b + c", "a + (b + c)", "a - b * c", "(a - b) * c", "a && b && c",
        "a && (b || c)", "!(a && b)", "-(-a)", "-a.b", "(-a).b", "(5).x", "a ? b : c",
        "(a ? b : c) + 1", "a == b && c < d", "(a & 4) != 0 == b", "a << (1 + b)", "~a & b",
        "f(a, -1)", "f(,, a)", "(f()).g(a)", "(function() {})()", "a ?? b", "[a, [b]]",
    ],
)  # fmt: skip
def test_only_needed_parentheses(text: str) -> None:
    printed = to_source(parse_expression(text))
    assert parse_expression(printed) == parse_expression(text)
    assert len(printed.replace("\n", "")) <= len(text) + 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a && b || c && d", "(a && b) || (c && d)"),
        ("a & b == c", "(a & b) == c"),
        ("c != a | b", "c != (a | b)"),
        ("a << b | c", "(a << b) | c"),
        ("a << b * c", "a << (b * c)"),
        ("a == b ? c : d", "(a == b) ? c : d"),
        ("!a ? -b : c", "!a ? -b : c"),
        ("((a + b) == (c * d)) && (e < f)", "a + b == c * d && e < f"),
        ("(a * b) + c - (d / e)", "a * b + c - d / e"),
        ("a | b & c ^ d", "a | b & c ^ d"),
        ("a << b >> c", "a << b >> c"),
        ("(a << b) >> c", "(a << b) >> c"),
        ("a == b != c < d", "((a == b) != c) < d"),
        ("a == (b == c)", "a == (b == c)"),
        ("a ? (b ?? c) : d", "a ? (b ?? c) : d"),
        ("a ? b : (c ?? d ?? e)", "a ? b : (c ?? d ?? e)"),
        ("a ? b || c : d && e", "a ? b || c : d && e"),
        ("(a ?? b) ? c : d", "(a ?? b) ? c : d"),
    ],
)
def test_parentheses_as_most_people_write_them(text: str, expected: str) -> None:
    assert to_source(parse_expression(text)) == expected
    assert parse_expression(expected) == parse_expression(text)


def test_a_return_in_the_head_of_a_for_takes_no_value() -> None:
    source = "f = function() { for (;x;exit) { continue; } };"
    block = parse(source)
    for node in block.walk():
        if isinstance(node, tree.Exit):
            node.text = "return"
    text = to_source(block)
    assert "for (; x; exit)" in text
    assert parse(text) == block


def test_parentheses_that_a_tree_asks_for() -> None:
    product = tree.Binary("*", Name("a"), Name("b"), grouped=1)
    assert to_source(tree.Binary("/", product, Name("c"))) == "(a * b) / c"


def test_numbers() -> None:
    assert [number_text(n) for n in (5, 5.0, 0.1, 1e-5, 1e21, -2.5)] == [
        "5", "5", "0.1", "0.00001", "1000000000000000000000", "-2.5",
    ]  # fmt: skip
    assert to_source(Number(255, "$FF")) == "$FF"
    assert to_source(tree.Int64(7)) == "int64(7)"


def test_strings_of_both_generations() -> None:
    text = tree.String('say "hi"\n')
    assert to_source(text) == r'"say \"hi\"\n"'
    assert to_source(text, GMS1) == "'say \"hi\"\n'"
    both = to_source(tree.String('it\'s "x"'), GMS1)
    assert eval(both) == 'it\'s "x"'  # a sum of literals without escapes, as in Python


def test_omitted_arguments_read_back_as_omitted() -> None:
    for text in ("f(a, , )", "f(, a)", "f(, )", "f(, , b, , )"):
        tree_of_it = parse_expression(text)
        assert to_source(tree_of_it) == text
        assert parse_expression(to_source(tree_of_it)) == tree_of_it


def test_one_omitted_argument_at_the_end_is_written_out() -> None:
    call = tree.Call(Name("f"), [Name("a"), None])
    assert to_source(call) == "f(a, undefined)"


def test_comments_cannot_end_early() -> None:
    text = to_source(tree.Comment("one */ two\nthree"))
    assert text.count("*/") == 1
    assert parse(text + "\nx = 1;") == parse("x = 1;")
