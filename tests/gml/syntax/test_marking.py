"""A source in pieces of one role each."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from overhaul.gml import Dialect
from overhaul.gml.syntax.marking import pieces

MODERN = Dialect()
FIRST = Dialect(gms2_or_later=False, gml_v2=False)


def roles(source: str, dialect: Dialect = MODERN) -> list[tuple[str, str]]:
    return [(p.role, p.text) for p in pieces(source, dialect) if p.role != "space"]


def test_every_role() -> None:
    source = '#macro A 1\n// one\nif (obj_a.x > 0x1F) { y = "a"; } /* two */\n#region R\n'
    assert roles(source) == [
        ("directive", "#macro A 1"), ("comment", "// one"), ("keyword", "if"), ("operator", "("),
        ("name", "obj_a"), ("operator", "."), ("field", "x"), ("operator", ">"),
        ("number", "0x1F"), ("operator", ")"), ("operator", "{"), ("name", "y"),
        ("operator", "="), ("string", '"a"'), ("operator", ";"), ("operator", "}"),
        ("comment", "/* two */"), ("directive", "#region R"),
    ]  # fmt: skip


def test_words_are_those_of_the_release() -> None:
    assert roles("static")[0] == ("keyword", "static")
    assert roles("static", FIRST)[0] == ("name", "static")
    assert roles(r"'a\'", FIRST) == [("string", r"'a\'")]
    assert roles('$"a{b}c"') == [("string", '$"a{b}c"')]


def test_what_is_not_closed_ends_with_its_line() -> None:
    assert roles('a = "b\nc') == [
        ("name", "a"), ("operator", "="), ("string", '"b'), ("name", "c"),
    ]  # fmt: skip
    assert roles("a /* b\nc") == [("name", "a"), ("comment", "/* b\nc")]


@given(st.text(alphabet="ab.\"'/*#\n\\{}[$@ 1x?", max_size=60), st.sampled_from([MODERN, FIRST]))
def test_pieces_are_the_source(source: str, dialect: Dialect) -> None:
    parts = list(pieces(source, dialect))
    assert "".join(piece.text for piece in parts) == source
    assert all(source.startswith(piece.text, piece.position) for piece in parts)
