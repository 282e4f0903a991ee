"""Plain texts are cut into tokens as a whole: they are the tokens that one by one gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overhaul.gml.syntax import lexer
from overhaul.gml.syntax.errors import ProblemList

LANGUAGES = [(False, False), (False, True), (True, False), (True, True)]
PIECES = [
    "[", "|", "?", "#", "@", "$", '"', "'", "\\", "\n", " ", "a", "if", "return", "1", "0x1F", ".5",
    ".", "$FF", "#FF00FF", "#macro a b", "#region", "//x", "/*", "*/", "@@f@@", '@"x"', "??", "=",
    "[|", '[$ "a"]', "[$10]", "²", "é", "Ⅷ", "\u2028", "\xa0", "<>", ":=", "1_0", "0b1", ")", "]",
    "}", "(", "begin", "end", "and", '$"{a}"',
]  # fmt: skip


def one_by_one(source: str, gms2: bool, v2: bool) -> tuple[lexer.Tokens, bool]:
    problems = ProblemList(source)
    tokens = lexer.tokenize(source, problems, gms2=gms2, v2=v2, start=0, end=len(source))
    return tokens, bool(problems.found)


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join), st.sampled_from(LANGUAGES))
def test_the_tokens_are_the_same(source: str, language: tuple[bool, bool]) -> None:
    whole = lexer._plain_tokens(source, *language)
    if whole is not None:
        wanted, has_problems = one_by_one(source, *language)
        assert not has_problems
        assert whole.kinds == wanted.kinds
        assert whole.values == wanted.values
        assert whole.positions == wanted.positions


@pytest.mark.parametrize(
    "source",
    [
        'x = $"{a}";', "#macro A 1\nx = A;", "#region x\na();\n#endregion", 'x = "open', "/* open",
        "x = \u2028y;", "return [|a|];",
    ],
)  # fmt: skip
def test_other_texts_are_cut_one_by_one(source: str) -> None:
    assert lexer._plain_tokens(source, True, True) is None


@pytest.mark.parametrize(
    "source",
    [
        "if (a[i] <> 3) begin b[| c] := d[? \"k\"]; end", 'x = s[$ "key"] + a[@ 0] + a[@@f@@(b)];',
        "// remark\nvar t = /* inside */ [1, 2.5, .5, 0x1F];", "x = a[$10] ?? #FF00FF;", "",
    ],
)  # fmt: skip
def test_plain_texts_are_cut_as_a_whole(source: str) -> None:
    whole = lexer._plain_tokens(source, True, True)
    assert whole is not None
    assert whole.kinds == one_by_one(source, True, True)[0].kinds


def test_known_tokens_are_forgotten_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexer, "_MOST_KINDS", 4)
    monkeypatch.setattr(lexer, "_KINDS", {True: lexer._Kinds(True)})
    names = " ".join(f"name{number}" for number in range(20))
    whole = lexer._plain_tokens(names, True, True)
    assert whole is not None and whole.values[:-1] == names.split()
    assert len(lexer._KINDS[True]) <= 4
