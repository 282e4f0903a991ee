"""What the source of code says: tokens, what it names, and the hash that survives renaming."""

from __future__ import annotations

import pytest

from overhaul.catalog.sources import NamedUse, declared_names, named, normal_hash
from overhaul.document.format_parts import tokens_of

RESOURCES = {"spr_a": "sprite", "spr_b": "sprite", "obj_x": "object", "scr_go": "script"}


def test_tokens_leave_comments_out() -> None:
    source = "var x = \"a // b\"; // no\n/* no\n */ y += x[0x1F] * 1.5; 'c' /* open"
    assert tokens_of(source) == [
        "var", "x", "=", '"a // b"', ";", "y", "+", "=", "x", "[", "0x1F", "]", "*", "1.5", ";",
        "'c'",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "declared"),
    [
        ("var a, b = f(c, d), e; g = h;", {"a", "b", "e"}),
        ("function f(a, b = k(c)) { return a; }", {"a", "b"}),
        ("static f = function (a) { b = a; }", {"f", "a"}),
        ("try { } catch (e) { show(e); }", {"e"}),
        ("int a, b; String s = t; f(a, c);", {"a", "b", "s"}),
        ("function room_Load(int a, Room *who) { Room *b = a * c; }", {"a", "b", "who"}),
        ("var a; b = 1, c", {"a"}),
        ("var x1, _y = 2, n_a, é; z2 = x1", {"x1", "_y", "n_a", "é"}),
        ("return x; else y; new Z(q); case w:", set()),
        ("var a = [b, c], d;", {"a", "d"}),
        ("for (var i = 0, n = 3; i < n; i++) k(i, j)", {"i", "n"}),
    ],
)
def test_declared_names(source: str, declared: set[str]) -> None:
    assert declared_names(tokens_of(source)) == declared


def test_what_a_source_names() -> None:
    source = (
        "var f = 1; scr_go(spr_a); draw(spr_a); a.draw(2); a.spr_b = 3; if (f) f(4); "
        "function own(x) { x(obj_x); }"
    )
    assert named(tokens_of(source), RESOURCES) == {
        NamedUse("scr_go", "script"): 1,
        NamedUse("spr_a", "sprite"): 2,
        NamedUse("draw", "function"): 1,
        NamedUse("draw", "method"): 1,
        NamedUse("obj_x", "object"): 1,
    }


def same(one: str, two: str) -> bool:
    hashes = [normal_hash(tokens_of(source), RESOURCES) for source in (one, two)]
    return hashes[0] == hashes[1]


def test_the_normal_hash_survives_names_of_variables_and_resources_and_space() -> None:
    one = "var a = 1; draw(spr_a, a); b = a; go(spr_a)"
    assert same(one, "var k=1;  draw( spr_b, k ); // c\n b = k; go(spr_b)")


@pytest.mark.parametrize(
    "other",
    [
        "var a = 2; draw(spr_a, a); b = a; go(spr_a)",  # a number
        "var a = 1; show(spr_a, a); b = a; go(spr_a)",  # a function
        "var a = 1; draw(spr_a, a); c = a; go(spr_a)",  # a variable of the instance
        "var a = 1; draw(spr_a, a); b = a; go(spr_b)",  # two resources instead of one
        "var a = 1; draw(spr_a, a); b = a.a; go(spr_a)",
        "var a = 1; draw(a, a); b = a; go(spr_a)",
        'var a = "1"; draw(spr_a, a); b = a; go(spr_a)',
    ],
)
def test_the_normal_hash_sees_all_else(other: str) -> None:
    assert not same("var a = 1; draw(spr_a, a); b = a; go(spr_a)", other)


def test_a_member_called_as_a_variable_is_no_variable() -> None:
    assert not same("var a; b.a = 1", "var c; b.c = 1")


def test_tokens_do_not_run_together() -> None:
    assert normal_hash(["ab", "c"], {}) != normal_hash(["a", "bc"], {})
