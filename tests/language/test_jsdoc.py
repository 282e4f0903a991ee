"""Comments above functions, as GameMaker's manual and real projects write them."""

from __future__ import annotations

import pytest

from overhaul.language.gml.jsdoc import (
    Doc,
    DocParameter,
    comment_above,
    first_comment,
    parameters_of,
    read_doc,
)


def read(*lines: str, name: str = "scr_a") -> Doc:
    return read_doc("\n".join(lines), name)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/// @param {Real} a How much", {"a": DocParameter("Real", "How much")}),
        ("///@param {Real}  a", {"a": DocParameter("Real")}),
        ("/// @param a", {"a": DocParameter()}),
        ("/// @arg a - How much", {"a": DocParameter("", "How much")}),
        ("/// @argument {Any} [a] What", {"a": DocParameter("Any", "What", True)}),
        ("/// @parameter {Any} [a=4] What", {"a": DocParameter("Any", "What", True)}),
        ("/// @Param { Array<Real> , String } a", {"a": DocParameter("Array<Real>|String")}),
        (" * @param {Struct.Vec2} a", {"a": DocParameter("Struct.Vec2")}),
        ("/// @param {Real a", {}),
        ("/// @param", {}),
    ],
)
def test_parameters(line: str, expected: dict[str, DocParameter]) -> None:
    assert read(line).parameters == expected


def test_no_text_is_lost() -> None:
    doc = read(
        "/// @function scr_a(a, [b])", "/// Hurts someone.", "/// @desc More of it",
        "///   goes on",
        "/// @param {Real} a How", "///   much", "/// @param {Real a", "/// @see scr_b",
        "/// @returns {Bool} Whether", "/// @deprecated Use scr_b", "/// @pure",
    )  # fmt: skip
    assert doc == Doc(
        ("Hurts someone.", "More of it goes on", "{Real a", "see scr_b"),
        {"a": DocParameter("Real", "How much"), "b": DocParameter()},
        "Bool", "Whether", ("deprecated: Use scr_b", "pure"),
    )  # fmt: skip
    assert doc.text().splitlines() == [
        "Hurts someone.", "More of it goes on", "{Real a", "see scr_b", "a (Real): How much",
        "returns Bool: Whether", "deprecated: Use scr_b", "pure",
    ]  # fmt: skip


def test_what_it_returns() -> None:
    assert read("/// @return {Bool}").text() == "returns Bool"
    assert read("/// @return Whether").text() == "returns: Whether"
    assert read("/// @func other(a)").lines == ("other(a)",)


def test_the_first_line_of_old_scripts() -> None:
    assert read("///scr_a(x1, y1)").typed_names() == ["x1", "y1"]
    assert read("///scr_a(x1, y1)", "/// @param {Real} y1").typed_names() == ["x1", "y1: Real"]
    assert read("///scr_b(x1)").typed_names() == []


def test_blocks() -> None:
    assert read("/**", " * Hurts someone.", " *", " * @param {Real} a How", " */") == Doc(
        ("Hurts someone.",), {"a": DocParameter("Real", "How")}
    )
    assert read("/* Hurts someone. */").lines == ("Hurts someone.",)


def test_types_stand_behind_names() -> None:
    doc = read("/// @param {Real} b", "/// @param {String} c", "/// @param d")
    assert doc.with_types("(a, b = f(1, 2), c)") == "(a, b: Real = f(1, 2), c: String)"
    assert doc.with_types("()") == "()"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1;\n// a\n\t/// b\nfunction", "// a\n\t/// b\n"),
        ("// a\n\nfunction", ""),
        ("// a\nstatic f = function", ""),
        ("/* a\n\n*/\n\nfunction", "/* a\n\n*/"),
        ("*/ function", "*/"),
        ("function", ""),
        ("// a\n  function", "// a\n"),
    ],
)
def test_the_comment_above(text: str, expected: str) -> None:
    assert comment_above(text, text.index("function")) == expected


def test_the_comment_that_a_script_begins_with() -> None:
    assert first_comment("\n/// a\n/// b\nx = 1;\n/// c") == "/// a\n/// b\n"
    assert first_comment("/* a */ x") == "/* a */"
    assert first_comment("x = 1; // a") == ""


def test_places_of_parameters() -> None:
    text = "scr_a(a: Real, b = [1, 2], …) -> Bool"
    found = [text[each.start : each.end] for each in parameters_of(text)]
    assert found == ["a: Real", "b = [1, 2]", "…"]


def test_marks_inside_a_comment_stay() -> None:
    assert read_doc("/**\n * **Never** call this\n *  often. **/", "f").lines == (
        "**Never** call this",
        "often.",
    )
    assert read_doc("/**/", "f").lines == ()
    assert read_doc("// // a", "f").lines == ("a",)


def test_long_runs_of_spaces_take_no_time_of_their_square() -> None:
    spaces = " " * 1_000_000  # hours, if each space were tried as the start of a run
    assert first_comment(f"{spaces}x") == ""
    for text in (f"x{spaces}y", f"f(){spaces}y"):
        assert read_doc(f"// {text}", "f").lines == (text,)
