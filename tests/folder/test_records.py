"""Records shown as JSON, and their counts set again."""

from __future__ import annotations

from typing import Annotated

from overhaul.folder.records import set_counts, show_record
from overhaul.schema import Counted, FixedCodec, Record, Scheme, u8, u32


class Leaf(Record):
    count: u32 = 0
    values: Annotated[list[u8], Counted("count")] = []


class Branch(Record):
    count: u32 = 0
    leaves: Annotated[list[Leaf], Counted("count")] = []


class Named(Record):
    name: Annotated[object, FixedCodec("I", "name", kind="name")] = None
    number: u8 = 3


def test_counts_of_records_in_lists_are_set() -> None:
    branch = Branch(leaves=[Leaf(values=[1, 2]), Leaf(7, [3])])
    set_counts(branch, None)
    assert branch.count == 2
    assert [leaf.count for leaf in branch.leaves] == [2, 1]


def test_fields_without_a_value_are_shown_unless_they_are_left_out() -> None:
    scheme = Scheme(show={"name": lambda value: value})
    assert show_record(Named(), scheme) == {"name": None, "number": 3}
    assert show_record(Named(), scheme, nulls=False) == {"number": 3}
    assert show_record(Named("a"), scheme, nulls=False) == {"name": "a", "number": 3}
