"""The layout of GML: only white space changes, and decompiled source stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import overhaul
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.lexer import words
from overhaul.language.gml.formatting import formatted

NEWEST = Dialect.for_version(17, (2024, 14, 0, 0))


def test_lines_are_indented_and_spaced() -> None:
    source = (
        "if(x){\ny=1+-2;  // two\n\n\n  z  = a?b:c ;\nif (q)\nfor(i=0;i<3;i+=1)\nw();\n"
        "r=foo( 1,2 )[| 3]; /* kept\n as it is */\nswitch(x)\n{\ncase 1:\na();\nbreak;\n}\n}"
    )
    assert formatted(source, NEWEST) == (
        "if (x) {\n    y = 1 + -2;  // two\n\n    z = a ? b : c;\n    if (q)\n"
        "        for (i = 0; i < 3; i += 1)\n            w();\n"
        "    r = foo(1, 2)[| 3]; /* kept\n as it is */\n    switch (x)\n    {\n"
        "        case 1:\n            a();\n            break;\n    }\n}\n"
    )


def test_what_follows_else_and_do_is_indented() -> None:
    source = "if(a)\nx=1;\nelse\ny=2;\nz=3;\ndo\nw();\nuntil(b);\n"
    assert formatted(source, NEWEST) == (
        "if (a)\n    x = 1;\nelse\n    y = 2;\nz = 3;\ndo\n    w();\nuntil (b);\n"
    )


def test_line_ends_stay() -> None:
    assert formatted("a=1;\r\nb=2;\r\n", NEWEST) == "a = 1;\r\nb = 2;\r\n"


def test_what_an_open_comment_holds_stays() -> None:
    assert formatted("a=1\n  /* b=2\n  c=3", NEWEST) == "a = 1\n/* b=2\n  c=3\n"


@given(st.text(alphabet=st.sampled_from('ab1{}()[],;:?=+-!."\n /*#'), max_size=60))
def test_tokens_stay_and_a_second_time_changes_nothing(text: str) -> None:
    made = formatted(text, NEWEST)
    assert words(made) == words(text)
    assert formatted(made, NEWEST) == made


@pytest.mark.corpus
def test_decompiled_source_of_real_games_stays_as_it_is(corpus: Path) -> None:
    game_file = next(path for path in sorted((corpus / "datawin3").glob("*")) if path.is_file())
    with overhaul.open_game(game_file) as game:
        dialect = game.language.context.dialect
        for entry in list(game.code)[:60]:
            source = entry.gml.rstrip("\n") + "\n" if entry.gml.strip() else ""
            assert formatted(source, dialect) == source, entry.name
