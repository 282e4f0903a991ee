"""Two edits of one value are both in the result, or one of them was chosen."""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping

import pytest

from overhaul.errors import WorkspaceError
from overhaul.mods.values import NOTHING, same
from overhaul.workbench.reconciling import Difference, Reconciling, Side, words_of

ONE: dict[str, object] = {"id": 7, "name": "one", "x": 1}
TWO: dict[str, object] = {"id": 8, "name": "two", "x": 2}
BASE: dict[str, object] = {
    "sprite": "spr_a",
    "solid": False,
    "depth": 0,
    "mask_of": None,
    "points": [{"x": 1, "y": 2}, {"x": 3, "y": 4}],
    "items": [ONE, TWO],
}


LISTS = ("points", "items")


def edited(**new: object) -> dict[str, object]:
    return {**copy.deepcopy(BASE), **new}


def test_fields_of_one_edit_alone_need_no_choice() -> None:
    both = Reconciling(BASE, edited(depth=5), edited(solid=True))
    assert both.differences() == [
        Difference(0, "depth", "0", "0", "5"),
        Difference(-1, "solid", "no", "yes", ""),
    ]
    assert both.value({}) == edited(depth=5, solid=True)


@pytest.mark.parametrize(("side", "depth"), [("theirs", 7), ("yours", 5)])
def test_a_field_that_both_changed_is_chosen(side: Side, depth: int) -> None:
    both = Reconciling(BASE, edited(depth=5, sprite=None), edited(depth=7, mask_of="spr_b"))
    assert both.differences() == [
        Difference(0, "sprite", "spr_a", "spr_a", "nothing"),
        Difference(1, "depth", "0", "7", "5", rivals=True),
        Difference(-1, "mask of", "nothing", "spr_b", ""),
    ]
    with pytest.raises(WorkspaceError, match="Choose a side"):
        both.value({0: side})
    assert both.value({1: side}) == edited(depth=depth, sprite=None, mask_of="spr_b")


def test_the_same_change_of_both_is_no_conflict() -> None:
    both = Reconciling(BASE, edited(depth=5), edited(depth=5, solid=True))
    assert [each.number for each in both.differences()] == [-1, -1]
    assert both.value({}) == edited(depth=5, solid=True)


def test_elements_are_found_by_what_identifies_them() -> None:
    one, two = {"id": 7, "name": "one", "x": 1}, {"id": 8, "name": "two", "x": 9}
    yours = edited(items=[one, two])
    now = edited(items=[{"id": 8, "name": "two", "x": 2}])
    both = Reconciling(BASE, yours, now)
    assert both.differences()[0] == Difference(0, "items › 1: two › x", "2", "2", "9")
    assert both.value({}) == edited(items=[two])


@pytest.mark.parametrize("side", ["theirs", "yours"])
def test_a_change_inside_what_the_other_removed(side: Side) -> None:
    one, two = ONE, TWO
    yours = edited(items=[one | {"x": 9}, two])
    both = Reconciling(BASE, yours, edited(items=[two]))
    assert both.differences() == [
        Difference(0, "items › 0: one › x", "1", "not there", "9", rivals=True)
    ]
    assert both.value({0: side}) == (yours if side == "yours" else edited(items=[two]))


def test_what_is_put_in_and_moved_has_words() -> None:
    one, two = ONE, TWO
    new = {"id": 9, "name": "new", "x": 0}
    both = Reconciling(BASE, edited(items=[one, two, new]), edited(items=[two, one]))
    assert both.differences() == [
        Difference(0, "items › a new element", "not there", "not there", "id 9; name new; x 0"),
        Difference(-1, "items › 1: two", "", "moved", ""),
    ]
    assert both.value({}) == edited(items=[two, new, one])


def test_elements_without_names_are_put_in_next_to_what_the_other_did() -> None:
    first, second, third = {"x": 1, "y": 2}, {"x": 3, "y": 4}, {"x": 5, "y": 6}
    both = Reconciling(BASE, edited(points=[first, second, third]), edited(points=[first]))
    was, now = "2 elements: x 1, y 2; x 3, y 4", "1 element: x 1, y 2"
    yours = "2 elements: x 1, y 2; x 5, y 6"
    assert both.differences() == [Difference(0, "points", was, now, yours)]
    assert both.value({}) == edited(points=[first, third])


def test_lists_whose_elements_both_changed_are_chosen() -> None:
    mine = [{"x": 9, "y": 9}]
    both = Reconciling(BASE, edited(points=mine), edited(points=[{"x": 1, "y": 2}]))
    was, now = "2 elements: x 1, y 2; x 3, y 4", "1 element: x 1, y 2"
    assert both.differences() == [
        Difference(0, "points", was, now, "1 element: x 9, y 9", rivals=True)
    ]
    assert both.value({0: "theirs"}) == edited(points=[{"x": 1, "y": 2}])
    assert both.value({0: "yours"}) == edited(points=mine)


def test_all_is_chosen_where_nothing_says_what_it_was() -> None:
    both = Reconciling(NOTHING, edited(depth=5), edited(solid=True))
    assert both.differences() == [
        Difference(0, "solid", "yes", "yes", "no", rivals=True),
        Difference(1, "depth", "0", "0", "5", rivals=True),
    ]
    assert both.value({0: "theirs", 1: "yours"}) == edited(depth=5, solid=True)


def test_words() -> None:
    assert words_of([]) == "0 elements"
    assert words_of("") == words_of({}) == "empty"
    assert words_of({"a_b": [1, True]}) == "a b 2 elements: 1, yes"
    assert words_of(list(range(14))).endswith("10; 11; 2 more")
    assert len(words_of("x" * 1000)) == 400


def _random_value(chance: random.Random) -> dict[str, object]:
    made = edited()
    for _ in range(chance.randrange(1, 4)):
        key = chance.choice([*BASE])
        old = made[key]
        if not isinstance(old, list):
            made[key] = chance.choice([1, 2, None, "spr_b", True])
        elif chance.random() < 0.3 and old:
            del old[chance.randrange(len(old))]
        elif chance.random() < 0.3:
            old.insert(chance.randrange(len(old) + 1), {"id": chance.randrange(6), "x": 5})
        elif chance.random() < 0.3:
            chance.shuffle(old)
        elif old:
            chance.choice(old)["x"] = chance.randrange(4)
    return made


def _lost(edit: dict[str, object], made: object) -> list[str]:
    """The fields that an edit changes and that are something else in a value."""
    assert isinstance(made, dict)
    changed = [key for key in edit if not same(edit[key], BASE[key]) and key not in LISTS]
    return [key for key in changed if made[key] != edit[key]]


def test_random_edits_lose_nothing() -> None:
    """Where yours is chosen, yours is there; where it is not, what was there stays."""
    refused = rivals = 0
    for seed in range(600):
        chance = random.Random(seed)
        yours, now = _random_value(chance), _random_value(chance)
        both = Reconciling(BASE, yours, now)
        listed = [each for each in both.differences() if each.rivals]
        rivals += len(listed)
        mine: Mapping[int, Side] = {each.number: "yours" for each in listed}
        theirs: Mapping[int, Side] = {each.number: "theirs" for each in listed}
        try:
            kept = both.value(mine)
        except WorkspaceError:
            refused += 1
            continue
        assert _lost(yours, kept) == [], seed
        assert _lost(now, both.value(theirs)) == [], seed
    assert rivals > 150
    assert refused < 12
