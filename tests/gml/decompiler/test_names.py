# ruff: noqa: E501 - each program is one line
"""Names that would mean something else where they stand, and those that files do not keep."""

from __future__ import annotations

import pytest

from gml_programs import context
from overhaul import gml

V2023 = (17, (2023, 4, 0, 0))
NEW = (17, (2024, 14, 0, 0))


def round_trip(source: str, release: tuple[int, tuple[int, ...]]) -> str:
    """The decompiled text of a script's source, which compiles to the same code."""
    game = context(*release)
    code = gml.compile(source, game, kind="global_script", name="gml_GlobalScript_s")
    text = gml.decompile(code, game)
    again = gml.compile(text, game, kind="global_script", name="gml_GlobalScript_s", previous=code)
    assert again.instructions == code.instructions, text
    return " ".join(text.split())


@pytest.mark.parametrize("release", [V2023, NEW], ids=["2023.4", "2024.14"])
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{ var arg0 = 1; return p + arg0; }", "function f(arg0_) { var arg0 = 1; return arg0_ + arg0; }"),
        ("{ var arg0 = 1, arg0_ = p; return arg0_; }", "function f(arg0__) { var arg0 = 1; var arg0_ = arg0__; return arg0_; }"),
        ("{ static arg0 = 1; return p; }", "function f(arg0_) { static arg0 = 1; return arg0_; }"),
        ("{ arg0(); return p; }", "function f(arg0_) { arg0(); return arg0_; }"),
        ("{ arg0[1] = p; x = arg0[1]; }", "function f(arg0_) { arg0[1] = arg0_; x = arg0[1]; }"),
        ("{ self.arg0 = p; return self.arg0; }", "function f(arg0) { self.arg0 = arg0; return self.arg0; }"),
        ("{ other.arg0 = p; global.arg0 = 2; }", "function f(arg0) { other.arg0 = arg0; global.arg0 = 2; }"),
        ("{ return { arg0: p }; }", "function f(arg0) { return { arg0: arg0 }; }"),
        ("{ return function(q) { var arg0 = q; return arg0; }; }", "function f(arg0) { return function(arg0_) { var arg0 = arg0_; return arg0; }; }"),
        ("{ var arg1 = p; arg2 = arg1; }", "function f(arg0) { var arg1 = arg0; arg2 = arg1; }"),
    ],
)  # fmt: skip
def test_a_parameter_gets_a_name_of_its_own(
    source: str, expected: str, release: tuple[int, tuple[int, ...]]
) -> None:
    assert round_trip(f"function f(p) {source}", release) == expected


def test_a_bare_variable_called_like_a_parameter() -> None:
    """Where the code shows whether it said ``self.``, the parameter is renamed, else it is said."""
    source = "function f(p = 2) { arg0 += 1; return p; }"
    assert "{ self.arg0 += 1; return arg0; }" in round_trip(source, V2023)
    assert round_trip(source, NEW) == "function f(arg0_ = 2) { arg0 += 1; return arg0_; }"


def test_a_room_instance_is_called_by_its_number() -> None:
    game = context(*NEW)
    game.add_asset("room_instance", 100007, "inst_door")
    code = gml.compile("a = inst_door; inst_door.x = 2; with (inst_door) { b = 1; }", game)
    bare = context(*NEW)
    text = gml.decompile(code, bare)
    assert text.startswith("a = inst_100007;\ninst_100007.x = 2;\nwith (inst_100007)")
    assert gml.compile(text, bare).instructions == code.instructions
    old = context(*V2023)
    code = gml.compile("a = room_instance_100007; b = inst_100007; inst_100007 = 3;", old)
    assert gml.decompile(code, old) == "a = 100007;\nb = inst_100007;\ninst_100007 = 3;"
