"""The text files of .gm82 folders: what they are laid out as, numbers, and escapes."""

from __future__ import annotations

import pytest

from overhaul.errors import FormatError
from overhaul.gamemaker.gm82.texts import (
    Layouts,
    delimited,
    integer,
    is_file_name,
    real_text,
    signed,
    undelimited,
    unsigned,
)


@pytest.mark.parametrize(
    ("data", "body"),
    [
        (b"", ""),
        (b"\n", ""),
        (b"a", "a"),
        (b"a\n", "a"),
        (b"a\n\n", "a\n"),
        (b"a\r\nb\r\n", "a\nb"),
        (b"a\r\nb\n", "a\r\nb"),
        (b"\xef\xbb\xbfa\n", "a"),
        ("ä\n".encode(), "ä"),
    ],
)
def test_a_text_is_written_as_it_was_read(data: bytes, body: str) -> None:
    layouts = Layouts()
    assert layouts.read("x", data) == body
    assert layouts.written("x", body) == data


def test_a_new_text_ends_with_a_line_end_unless_it_is_empty() -> None:
    assert Layouts().written("x", "a\nb") == b"a\nb\n"
    assert Layouts().written("x", "") == b""


def test_bytes_that_are_not_utf_8_are_kept_and_their_line_is_known() -> None:
    layouts = Layouts()
    body = layouts.read("scripts/a.gml", b"a\n\xff\n")
    assert layouts.undecoded == {"scripts/a.gml": 2}
    assert layouts.written("scripts/a.gml", body) == b"a\n\xff\n"


def test_the_order_of_keys_and_unknown_lines_are_kept() -> None:
    layouts = Layouts()
    data = b"b=2\nnew=3\n\na=1=1\nb=4\n=\n"
    assert layouts.read_keys("x", data, ["a", "b", "c"]) == {"b": ("2", 1), "a": ("1=1", 4)}
    assert layouts.kept_lines() == [("x", "new=3"), ("x", "b=4"), ("x", "=")]
    assert layouts.written_keys("x", {"a": "1=1", "b": "2", "c": "5"}, ["a", "b", "c"]) == data


def test_keys_in_the_usual_order_need_no_layout() -> None:
    layouts = Layouts()
    layouts.read_keys("x", b"a=1\n\nb=2\n", ["a", "", "b"])
    assert layouts.keys == {}
    assert layouts.written_keys("x", {"a": "3", "b": ""}, ["a", "", "b"]) == b"a=3\n\nb=\n"


def test_numbers_have_32_bits() -> None:
    assert integer("-2147483648", "x", 1) == -(1 << 31)
    assert integer("4294967295", "x", 1) == 0xFFFFFFFF
    assert signed(0xFFFFFFFF) == -1
    assert signed(0x7FFFFFFF) == 0x7FFFFFFF
    assert unsigned(-1) == 0xFFFFFFFF
    for text in ("4294967296", "-2147483649"):
        with pytest.raises(FormatError, match=f"x: line 7: {text} does not fit into 32 bits"):
            integer(text, "x", 7)
    with pytest.raises(FormatError, match=r"x: line 7: '1\.5' is not a whole number"):
        integer("1.5", "x", 7)


@pytest.mark.parametrize(
    ("number", "text"),
    [(1.0, "1"), (0.5, "0.5"), (-0.0, "-0"), (1e21, "1" + "0" * 21), (1e-7, "0.0000001"),
     (-100.25, "-100.25"), (float("inf"), "inf"), (float("nan"), "NaN")],
)  # fmt: skip
def test_fractions_have_no_exponent(number: float, text: str) -> None:
    assert real_text(number) == text


@pytest.mark.parametrize("text", ["a\\nb", "a\r\nb", "*/", "\\*/", "\\", "*\\/", "plain"])
def test_arguments_stand_on_one_line_and_come_back(text: str) -> None:
    line = delimited(text)
    assert "\n" not in line and "\r" not in line and "*/" not in line
    assert undelimited(line) == text


def test_a_backslash_before_another_letter_stays() -> None:
    assert undelimited("C:\\games\\x") == "C:\\games\\x"


@pytest.mark.parametrize("name", ["", " ", "a/b", "..", "a.", "a:b", "a\\b", "a\nb", 'a"'])
def test_names_that_no_file_can_have(name: str) -> None:
    assert not is_file_name(name)


def test_names_that_files_can_have() -> None:
    assert is_file_name("Draw GUI") and is_file_name("a.b")
