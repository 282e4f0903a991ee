"""Structs that several scripts share are put together from what each uses."""

from __future__ import annotations

import pytest

from overhaul.ags.project.structs import merged, renamed_fields, size_of


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


def test_the_type_that_says_more_names_a_field_that_both_have() -> None:
    number, truth, pointer = ["  int value_0;"], ["  bool flag_0;"], ["  Hero *hero_0;"]
    assert merged(number, truth) == merged(truth, number) == truth
    assert merged(pointer, truth) == merged(truth, pointer) == pointer
    assert merged(["  float number_0;"], truth) == ["  float number_0;"]  # the first of equals


def test_fields_of_a_script_have_the_names_of_the_final_struct() -> None:
    own = ["  int value_0;", "  char unused_4[4];", "  bool flag_8;"]
    final = ["  Hero *hero_0;", "  int value_4;", "  bool flag_8;"]
    assert renamed_fields(own, final) == {"value_0": "hero_0"}
    assert (size_of(own), size_of([*final, "  short short_12[3];"]), size_of([])) == (12, 18, 0)


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
