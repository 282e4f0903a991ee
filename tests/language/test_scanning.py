"""Names in GML sources, also in broken ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overhaul.gml.dialect import Dialect
from overhaul.language.gml.scanning import Scan, scan

NEWEST = Dialect.for_version(17, (2024, 14, 0, 0))
OLD = Dialect.for_version(16, (1, 4, 0, 0))
SOURCE = """#macro SPEED (base_speed + 1)
enum Colour { RED, BLUE = 2 }
function walk(a, b = [1, 2], c) : parent(a) constructor
{
    var x = 1, text = $"hi {a + $"x{inner}"} {last}";
    static step = function(k) { return k + x; }
    self.hp = x;
    foo.bar.baz = {m: 1, n: a ? x : text, switch: 2};
    try { z(); } catch (e) { show(e); }
}
var w = Colour.RED; global.gg = w;
"""


def uses(found: Scan, name: str) -> list[tuple[str, bool]]:
    return [(each.use, found.is_local(each)) for each in found.occurrences if each.name == name]


def test_each_name_is_in_its_function() -> None:
    found = scan(SOURCE, NEWEST)
    assert uses(found, "a") == [("declared", True), ("name", True), ("name", True), ("name", True)]
    # the variables of a function are none of the function inside
    assert uses(found, "x") == [
        ("declared", True), ("name", False), ("name", True), ("name", True),
    ]  # fmt: skip
    assert uses(found, "inner") == uses(found, "last") == [("name", False)]
    assert uses(found, "e") == [("name", True), ("name", True)]
    assert uses(found, "m") == [("key", False)]
    assert [each.owner for each in found.occurrences if each.name == "gg"] == ["global"]
    assert [each.owner for each in found.occurrences if each.name == "baz"] == [""]


def test_what_is_declared_for_others_is_found_with_its_range() -> None:
    found = scan(SOURCE, NEWEST)
    declared = {each.name: each for each in found.declared}
    assert {name: each.what for name, each in declared.items()} == {
        "SPEED": "macro", "Colour": "enum", "RED": "member", "BLUE": "member",
        "walk": "constructor",
    }  # fmt: skip
    walk = declared["walk"]
    assert walk.detail == "(a, b = [1, 2], c)"
    assert SOURCE[walk.begin : walk.until].startswith("function walk(")
    assert SOURCE[walk.begin : walk.until].endswith("}\n}")
    assert found.scope_at(SOURCE.index("self.hp")).name == "walk"
    assert found.scope_at(SOURCE.index("k + x")).parameters == ["k"]


def test_functions_within_defaults_of_parameters_end() -> None:
    deep = "function f(a = " * 3000
    assert scan(deep, NEWEST).occurrences
    assert scan('x = $"{' * 500, NEWEST)


@given(
    st.text(
        alphabet=st.sampled_from("abv{}()[]\"'.,;:=#$@ \nfunction var enum static"), max_size=80
    )
)
def test_any_text_is_read(text: str) -> None:
    for dialect in (NEWEST, OLD):
        for each in scan(text, dialect).occurrences:
            assert text[each.position : each.position + len(each.name)] == each.name


@pytest.mark.parametrize(
    "source",
    [
        "var first = 1\nshow(b, c, d);",
        "if (ready) { var first = 1 }\nshow(b, c, d);",
        "with (obj) { var first = [1, 2] }\nlist = [b, c, d];",
        "var first = [1, 2], second = other(1, 2)\nshow(b, c, d)",
        "var first = function(p, q) { return p } show(b, c, d)",
        "if (ready) { static first = 1 }\nnew Box(b, c, d)",
    ],
)
def test_arguments_behind_a_declaration_are_none(source: str) -> None:
    found = scan(source, NEWEST)
    for name in ("b", "c", "d"):
        assert uses(found, name) == [("name", False)]
    declared = {each.name for each in found.occurrences if each.use == "declared"}
    assert {"first"} <= declared <= {"first", "second", "p", "q"}
