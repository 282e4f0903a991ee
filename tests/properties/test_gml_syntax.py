"""What is printed reads back to the same tree, and nothing that is typed brings the tools down."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from overhaul import gml
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse, parse_all, parse_expression
from overhaul.gml.syntax.printer import to_source
from repeats import times
from tree_strategies import EXPRESSIONS, PROGRAMS

WORDS = st.sampled_from(
    [
        *"{}()[];:,.+-*/!=?xy1",
        *("if", "else", "switch", "case", "default", "var", "function", "new", "static", "try"),
        *("catch", "finally", "with", "repeat", "for", "do", "until", "while", "return", "enum"),
        *("[|", "[?", "&&", "==", "+=", "++", "??", "0.5", '"a"', '$"', "#macro", "\n"),
    ]
)
DIALECTS = st.sampled_from(
    [
        gml.Dialect(),
        gml.Dialect.for_version(13, (1, 1, 0, 1307)),
        gml.Dialect.for_version(17, (2, 3, 0, 0)),
        gml.Dialect.for_version(17, (2023, 8, 0, 0)),
    ]
)


@given(EXPRESSIONS)
@settings(max_examples=times(300, 5), deadline=None)
def test_expressions_print_and_read_back(expression: tree.Expression) -> None:
    assert parse_expression(to_source(expression)) == expression


@given(PROGRAMS)
@settings(max_examples=times(300, 5), deadline=None)
def test_programs_print_and_read_back(program: tree.Block) -> None:
    text = to_source(program)
    assert parse(text) == program
    assert to_source(parse(text)) == text


@given(st.text(max_size=60) | st.lists(WORDS, max_size=40).map(" ".join), DIALECTS)
@settings(max_examples=times(500, 5), deadline=None)
def test_any_text_is_read_or_refused(text: str, dialect: gml.Dialect) -> None:
    block, problems = parse_all(text, dialect)
    assert isinstance(block, tree.Block)
    for problem in problems.problems():
        assert problem.line >= 1
        assert str(problem)


@given(PROGRAMS, DIALECTS)
@settings(max_examples=times(200, 5), deadline=None)
def test_any_program_compiles_or_is_refused(program: tree.Block, dialect: gml.Dialect) -> None:
    try:
        code = gml.compile(to_source(program, dialect), gml.Context(dialect), name="gml_Script_a")
    except gml.SyntaxError_:
        return
    assert gml.assemble(gml.disassemble(code), code_context(dialect)).children == code.children


def code_context(dialect: gml.Dialect) -> gml.Context:
    return gml.Context(dialect)
