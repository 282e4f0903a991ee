"""Structs that several scripts share are put together from what each uses."""

from __future__ import annotations

import pytest

from overhaul.ags_project.structs import merged


def test_fields_of_both_stand_at_their_offsets() -> None:
    one = ["  int unused_0;", "  short short_4;", "  char unused_6[10];", "  int value_16[2];"]
    two = ["  String text_0;", "  short short_4;", "  char flag_7;", "  Hero *hero_24;"]
    assert merged(one, two) == [
        "  String text_0;",
        "  short short_4;",
        "  char unused_6;",
        "  char flag_7;",
        "  char unused_8[8];",
        "  int value_16[2];",
        "  Hero *hero_24;",
    ]


def test_the_first_names_a_field_that_both_have() -> None:
    assert merged(["  int value_0;"], ["  bool flag_0;"]) == ["  int value_0;"]


def test_bytes_behind_the_last_field_stay() -> None:
    assert merged(["  char unused_0[9];"], ["  int value_0;"]) == [
        "  int value_0;",
        "  char unused_4[5];",
    ]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (["  int value_0;"], ["  short unused_0;", "  short short_2;"]),  # they overlap
        (["  int value_0;"], ["  Thing thing_4;"]),  # of unknown size
        (["  int value_0;"], ["  import int Count();"]),
    ],
)
def test_what_does_not_agree(one: list[str], two: list[str]) -> None:
    assert merged(one, two) is None
    assert merged(two, one) is None
