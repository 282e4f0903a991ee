"""Texts that a browser shows and sends back: what was not typed stays as it was."""

from __future__ import annotations

import random

import pytest

from overhaul.workbench.forms import written_as
from overhaul.workbench.typed import as_typed, in_browser

ODD = (
    "a",
    "b",
    "\0",
    "\udc81",
    "\ud800",
    "\r",
    "\n",
    "\r\n",
    "\t",
    " ",
    "\x85",
    "\u2028",
    "\ufffd",
)


def sent(text: str) -> str:
    """What a browser sends of a text area."""
    return text.replace("\n", "\r\n")


def test_a_browser_has_one_line_end_and_no_nul() -> None:
    assert in_browser("a\0b\udc81\r\nc\rd\ne\x85") == "a\ufffdb\\udc81\nc\nd\ne\x85"


@pytest.mark.parametrize(
    ("before", "typed", "after"),
    [
        ("x\ny", "a\r\nb", "a\nb"),
        ("x\r\ny", "a\r\nb", "a\r\nb"),
        ("x\ry", "a\r\nb", "a\rb"),
        ("x\0y", "x\ufffdyz", "x\0yz"),
        ("x\0y\0z", "1x\ufffdy2\ufffdz3", "1x\0y2\0z3"),
        ("x\0y", "xy", "xy"),
        ("\udc81 and \udc82", "\\udc81 or \\udc82", "\udc81 or \udc82"),
        ("\\udc81\0", "\\udc81\ufffd!", "\\udc81\0!"),
        ("a\r\nb\nc\rd\n", "a\r\nB\r\nc\r\nd\r\ne\r\n", "a\r\nB\nc\rd\ne\r\n"),
        ("\n a \n", "\r\n a\r\n", "\n a\n"),
    ],
)
def test_what_was_not_typed_stays(before: str, typed: str, after: str) -> None:
    assert as_typed(typed, before) == after


def test_random_texts_stay_and_change_where_something_is_typed() -> None:
    choose = random.Random(7)
    for _ in range(500):
        before = "".join(choose.choices(ODD, k=choose.randrange(12)))
        assert as_typed(sent(in_browser(before)), before) == before
        at = choose.randrange(len(before) + 1)
        if before[at - 1 : at + 1] == "\r\n":
            continue
        first, last = before[:at], before[at:]
        made = as_typed(sent(f"{in_browser(first)}#{in_browser(last)}"), before)
        assert made == f"{first}#{last}"


def test_long_texts_are_compared_quickly() -> None:
    before = "".join(f"line {number % 7}\0\r\n" for number in range(20_000)) + "end\n"
    shown = in_browser(before)
    made = as_typed(sent(f"first{shown[:-4]}last\n"), before)
    assert made == f"first{before[:-4]}last\n"
    one = "ab\0" * 50_000
    assert as_typed(in_browser(f"1{one}2"), one) == f"1{one}2"


def test_a_file_of_the_same_value_keeps_its_layout() -> None:
    compact = b'{"a":1,\r\n"b":[true]}'
    assert written_as({"a": 1, "b": [True]}, compact) == compact
    assert written_as({"a": 1, "b": [1]}, compact) != compact
