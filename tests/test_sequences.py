"""Changes of sequences: found, placed elsewhere, combined."""

from __future__ import annotations

import random
import time

from hypothesis import given
from hypothesis import strategies as st

from overhaul.mods.patches import read_hunks, write_hunks
from overhaul.sequences import (
    Edit,
    Hunk,
    Region,
    anchored_opcodes,
    carry_out,
    combine,
    exactly,
    hunks,
    opcodes,
    place,
    three_way,
)

LINES = st.lists(
    st.sampled_from(["a", "b", "c", "", "{", "}", " -x", "+", "@@ -1 +1 @@"]), max_size=14
)


@given(LINES, LINES)
def test_the_changes_make_the_one_of_the_other(old: list[str], new: list[str]) -> None:
    edits, misfits = place(hunks(old, new), old)
    assert misfits == []
    assert carry_out(edits, old) == new


@given(LINES, LINES)
def test_a_unified_diff_says_all(old: list[str], new: list[str]) -> None:
    found = hunks(old, new)
    read = read_hunks(write_hunks(found), "x")
    edits, misfits = place(read, old)
    assert misfits == []
    assert carry_out(edits, old) == new
    assert [hunk.at for hunk in read] == [hunk.at for hunk in found]
    assert [hunk.old for hunk in read] == [hunk.old for hunk in found]
    assert write_hunks(read) == write_hunks(found)


@given(LINES, LINES)
def test_opcodes_leave_equal_ends_only(old: list[str], new: list[str]) -> None:
    for a, b, c, d in opcodes(old, new):
        assert old[a:b] != new[c:d]
        assert (a == 0) == (c == 0) or a == c or old[:a] != new[:c]


TEXT = [f"line {number}" for number in range(20)]


def edited(text: list[str], at: int, *new: str, count: int = 1) -> list[str]:
    return [*text[:at], *new, *text[at + count :]]


def test_a_change_is_found_after_lines_came_before_it() -> None:
    change = hunks(TEXT, edited(TEXT, 10, "new"))
    moved = ["first", "second", *TEXT]
    edits, misfits = place(change, moved)
    assert misfits == []
    assert carry_out(edits, moved) == edited(moved, 12, "new")


def test_of_equal_places_the_nearest_is_taken() -> None:
    text = [*TEXT, *TEXT]
    change = hunks(text, edited(text, 30, "new"))
    longer = ["x", *text]
    edits, _ = place(change, longer)
    assert carry_out(edits, longer) == edited(longer, 31, "new")


def test_a_change_that_is_there_is_not_made_twice() -> None:
    change = hunks(TEXT, edited(TEXT, 10, "new", "more", count=0))
    done = edited(TEXT, 10, "new", "more", count=0)
    assert place(change, done) == ([], [])


def test_less_context_is_enough_where_it_tells_the_place() -> None:
    change = hunks(TEXT, edited(TEXT, 10, "new"))
    other = edited(edited(TEXT, 8, "other"), 13, "others")
    edits, misfits = place(change, other)
    assert misfits == []
    assert carry_out(edits, other) == edited(other, 10, "new")


def test_less_context_is_not_enough_where_there_are_several_places() -> None:
    text = ["x", "do", "y", "do", "z", "do"]
    change = hunks(text, edited(text, 1, "done"))
    assert len(place(change, ["1", "do", "2", "do", "3", "do"])[1]) == 1


def test_brackets_alone_tell_no_place() -> None:
    change = hunks(["a", "{", "}", "b"], ["a", "{", "{", "}", "b"])
    assert len(place(change, ["other", "{", "}", "others"])[1]) == 1


def test_a_change_whose_lines_are_gone_has_no_place() -> None:
    change = hunks(TEXT, edited(TEXT, 10, "new"))
    _, misfits = place(change, edited(TEXT, 10, "something else"))
    assert [misfit.line for misfit in misfits] == [10]


def test_a_change_of_the_first_lines_is_at_the_beginning() -> None:
    change = hunks(["a", "b", "c", "d"], ["A", "b", "c", "d"])
    longer = ["x", "y", "a", "b", "c", "d", "a", "b", "c", "d"]
    assert len(place(change, longer)[1]) == 1  # two places, and neither is the beginning


def test_edits_of_other_lines_are_combined() -> None:
    one, two = Edit(2, 3, ("A",), 0), Edit(3, 4, ("B",), 1)
    for order in ([one, two], [two, one]):
        kept, clashes = combine(order)
        assert clashes == []
        assert carry_out(kept, TEXT)[2:4] == ["A", "B"]


def test_the_same_edit_counts_once() -> None:
    assert combine([Edit(2, 3, ("A",), 0), Edit(2, 3, ("A",), 1)]) == ([Edit(2, 3, ("A",), 0)], [])


def test_edits_of_the_same_lines_clash() -> None:
    for one, two in (
        (Edit(2, 4, ("A",), 0), Edit(3, 5, ("B",), 1)),
        (Edit(2, 3, ("A",), 0), Edit(2, 3, ("B",), 1)),
        (Edit(2, 6, (), 0), Edit(4, 4, ("B",), 1)),
        (Edit(2, 2, ("A",), 0), Edit(2, 2, ("B",), 1)),
    ):
        assert len(combine([one, two])[1]) == 1
        assert len(combine([two, one])[1]) == 1


def test_what_is_inserted_next_to_an_edit_does_not_clash() -> None:
    for edits in (
        [Edit(2, 3, ("A",), 0), Edit(3, 3, ("B",), 1)],
        [Edit(2, 2, ("A",), 0), Edit(2, 3, ("B",), 1)],
    ):
        assert combine(edits)[1] == []


def test_edits_of_one_mod_never_clash() -> None:
    assert combine([Edit(2, 2, ("A",), 1), Edit(2, 2, ("B",), 1)])[1] == []


@given(LINES, LINES, LINES)
def test_what_is_exactly_there_is_what_would_be_found(
    old: list[str], new: list[str], other: list[str]
) -> None:
    changes = hunks(old, new)
    edits = [exactly(hunk, old) for hunk in changes]
    if None not in edits:
        assert edits == place(changes, old)[0]
    if edits and None not in edits:  # and it is not taken to be there still
        assert new == old or None in [exactly(hunk, new) for hunk in changes]
    for hunk in changes:
        found = exactly(hunk, other)
        if found is not None:
            assert [found] == place([hunk], other)[0]


def test_a_change_elsewhere_or_unclear_is_not_exactly_there() -> None:
    change = hunks(TEXT, edited(TEXT, 10, "new"))[0]
    assert exactly(change, TEXT, 3) == Edit(10, 11, ("new",), 3)
    assert exactly(change, ["first", *TEXT]) is None
    assert exactly(change, TEXT[1:]) is None
    for near in (7, 10, 13):
        assert exactly(change, edited(TEXT, near, "other")) is None
    assert exactly(change, edited(TEXT, 14, "other")) is not None
    first = hunks(TEXT, ["new", *TEXT])[0]
    assert exactly(first, TEXT) is not None
    last = hunks(TEXT, [*TEXT, "new"])[0]
    assert exactly(last, TEXT) is not None
    assert exactly(last, [*TEXT, "more"]) is None
    around = ("a",) * 3
    assert exactly(Hunk(4, around, (), ("a",), around), ["a"] * 9) is None
    assert exactly(Hunk(4, around, (), ("b",), around), ["a"] * 9) is not None


def test_what_is_equal_at_both_ends_stays() -> None:
    old, new = list("hxtuv"), list("htuvytuv")
    assert [*opcodes(old, new)] == [(1, 2, 1, 5)]
    assert [*opcodes(new, old)] == [(1, 5, 1, 2)]


# -- three editions -------------------------------------------------------------------------------


def test_regions_of_three_editions() -> None:
    assert three_way("abcdef", "aXcdef", "abcdeY") == [
        Region(("a",), ("a",), ("a",), ("a",)),
        Region(("b",), ("X",), ("b",), ("X",)),
        Region(("c", "d", "e"), ("c", "d", "e"), ("c", "d", "e"), ("c", "d", "e")),
        Region(("f",), ("f",), ("Y",), ("Y",)),
    ]
    assert three_way("abc", "aXc", "aYc")[1] == Region(("b",), ("X",), ("Y",), None)
    assert three_way("abc", "aXc", "aXc")[1] == Region(("b",), ("X",), ("X",), ("X",))
    # changes that touch
    assert three_way("abcd", "aXcd", "abYd")[1] == Region(("b", "c"), ("X", "c"), ("b", "Y"), None)
    assert three_way("ab", "aXb", "aYb")[1] == Region((), ("X",), ("Y",), None)
    assert three_way("", "a", "") == [Region((), ("a",), (), ("a",))]
    assert three_way("ab", "ab", "ab") == [Region(("a", "b"), ("a", "b"), ("a", "b"), ("a", "b"))]


def test_random_editions() -> None:
    for seed in range(400):
        choose = random.Random(seed)
        base = [choose.choice("abcdefgh") for _ in range(choose.randrange(12))]
        ours, theirs = (edited_at_random(base, choose) for _ in range(2))
        regions = three_way(base, ours, theirs)
        for number, side in enumerate((base, ours, theirs)):
            items = [(one.base, one.ours, one.theirs)[number] for one in regions]
            assert [item for some in items for item in some] == side
        turned = [Region(one.base, one.theirs, one.ours, one.merged) for one in regions]
        assert three_way(base, theirs, ours) == turned
        if base == ours:
            assert [item for one in regions for item in one.merged or ()] == theirs
            assert None not in [one.merged for one in regions]


def edited_at_random(items: list[str], choose: random.Random) -> list[str]:
    made = [*items]
    for _ in range(choose.randrange(3)):
        at = choose.randrange(len(made) + 1)
        if choose.random() < 0.5:
            made.insert(at, choose.choice("xyz"))
        else:
            del made[at : at + 1]
    return made


def test_items_that_occur_once_are_anchors() -> None:
    old, new = [*"x1x2x3x"], [*"x1y2x3z"]
    assert list(anchored_opcodes(old, new)) == [(2, 3, 2, 3), (6, 7, 6, 7)]
    # of lines that cross, the longest row counts
    assert list(anchored_opcodes([*"abcd"], [*"dabc"])) == [(0, 0, 0, 1), (3, 4, 4, 4)]
    many = [str(number) if number % 3 == 0 else "}" for number in range(30_000)]
    other = [*many[:15_000], "new", *many[15_001:]]
    begin = time.process_time()
    assert list(anchored_opcodes(many, other)) == [(15_000, 15_001, 15_000, 15_001)]
    assert time.process_time() - begin < 5
