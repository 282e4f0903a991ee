"""Changes of JSON values, and merging them."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overhaul.mods.merging import MergeConflict, merge
from overhaul.mods.patches import read_ops, show_ops
from overhaul.mods.values import NOTHING, Op, brief, compare, identity, is_brief_of, same, show_path

SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b", 1.5])
MARKED = st.lists(st.fixed_dictionaries({"id": st.integers(0, 5), "x": SCALARS}), max_size=5).map(
    lambda items: list({item["id"]: item for item in items}.values())
)
NAMES = st.lists(st.sampled_from("abcdef"), unique=True, max_size=5)
VALUES = st.recursive(
    SCALARS | MARKED | NAMES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("klmn"), inner, max_size=4)
    ),
    max_leaves=12,
)


def ops(old: object, new: object) -> list[Any]:
    """The changes, as they come out of a mod's file."""
    return read_ops(json.loads(json.dumps(show_ops(list(compare(old, new))))))


@given(VALUES, VALUES)
def test_the_changes_make_the_one_of_the_other(old: object, new: object) -> None:
    merged, clashes = merge(old, [(0, ops(old, new))])
    assert clashes == []
    assert same(merged, new)


@given(VALUES, VALUES)
def test_changes_that_are_there_change_nothing(old: object, new: object) -> None:
    merged, _ = merge(new, [(0, [op for op in ops(old, new) if op.kind in ("set", "insert")])])
    assert same(merged, new)


@given(VALUES, VALUES)
def test_the_same_changes_of_two_mods_are_made_once(old: object, new: object) -> None:
    found = ops(old, new)
    merged, clashes = merge(old, [(0, found), (1, found)])
    assert clashes == []
    assert same(merged, new)


@given(VALUES, VALUES)
def test_no_changes_where_values_are_equal(old: object, new: object) -> None:
    assert (list(compare(old, new)) == []) == same(old, new)


@given(st.dictionaries(st.sampled_from("klmnop"), VALUES), VALUES, VALUES)
def test_changes_of_different_keys_commute(
    base: dict[str, object], one: object, two: object
) -> None:
    base = {**base, "k": 1, "n": 2}
    first, second = ops(base, {**base, "k": one}), ops(base, {**base, "n": two})
    merged = merge(base, [(0, first), (1, second)])
    assert merged == merge(base, [(1, second), (0, first)])
    assert merged[1] == []
    assert same(merged[0], {**base, "k": one, "n": two})


ROOM: dict[str, Any] = {
    "speed": 15,
    "instances": [{"id": 1, "x": 0}, {"id": 2, "x": 5}],
    "flags": ["a", "b"],
}


def room(**changes: object) -> dict[str, Any]:
    return {**json.loads(json.dumps(ROOM)), **changes}


def merged(
    *others: dict[str, Any], base: dict[str, Any] | None = None
) -> tuple[Any, list[MergeConflict]]:
    """What changes of the room make of it, or of another one."""
    changes = [(number, ops(ROOM, other)) for number, other in enumerate(others)]
    return merge(ROOM if base is None else base, changes)


def test_changes_are_reported_by_path() -> None:
    found = list(compare(ROOM, room(instances=[{"id": 1, "x": 0}, {"id": 2, "x": 6}])))
    assert [(show_path(op.at), op.was, op.now) for op in found] == [("instances[id=2].x", 5, 6)]


def test_the_same_field_changed_in_two_ways_is_a_conflict() -> None:
    _, clashes = merged(room(speed=20), room(speed=30))
    assert [(t.key, t.owners, t.ours, t.theirs) for t in clashes] == [("speed", (0, 1), 20, 30)]


def test_a_field_that_is_another_by_now_is_a_conflict() -> None:
    value, clashes = merged(room(speed=20), base=room(speed=60))
    assert [(t.key, t.owners, t.ours, t.theirs) for t in clashes] == [("speed", (0,), 60, 20)]
    assert value["speed"] == 60


def test_a_preferred_mod_counts() -> None:
    changes = [(number, ops(ROOM, room(speed=speed))) for number, speed in enumerate((20, 30))]
    for preferred, speed in ((0, 20), (1, 30)):
        for order in (changes, changes[::-1]):
            value, clashes = merge(ROOM, order, preferred=[preferred])
            assert (value, clashes) == (room(speed=speed), [])


def test_elements_with_the_same_new_id_are_both_there() -> None:
    one = room(instances=[*ROOM["instances"], {"id": 3, "x": 7}])
    two = room(instances=[*ROOM["instances"], {"id": 3, "x": 9}])
    value, clashes = merged(one, two)
    assert clashes == []
    assert value["instances"] == [*ROOM["instances"], {"x": 9}, {"id": 3, "x": 7}]


def test_an_element_that_is_gone_can_not_be_changed() -> None:
    moved = room(instances=[{"id": 1, "x": 0}, {"id": 2, "x": 6}])
    _, clashes = merged(moved, base=room(instances=[{"id": 1, "x": 0}]))
    assert [(t.key, t.reason) for t in clashes] == [("instances[id=2].x", "no longer exists")]


def test_an_element_that_is_gone_need_not_be_removed() -> None:
    less = room(instances=[{"id": 1, "x": 0}])
    assert merged(less, base=less) == (less, [])


def test_an_element_that_one_removes_and_one_changes_is_a_conflict() -> None:
    less = room(instances=[{"id": 1, "x": 0}])
    moved = room(instances=[{"id": 1, "x": 0}, {"id": 2, "x": 6}])
    for order in ((less, moved), (moved, less)):
        _, clashes = merged(*order)
        assert [t.key for t in clashes] == ["instances[id=2].x"]


@pytest.mark.parametrize("now", [None, [1], "a text", NOTHING])
def test_what_one_replaces_and_another_changes_inside_is_a_conflict(now: object) -> None:
    """Neither order loses a change, and the mod that counts decides alone."""
    base: dict[str, Any] = {"light": {"x": 1, "y": 2}, "speed": 3}
    without = {"speed": 3} if now is NOTHING else {**base, "light": now}
    inside = {**base, "light": {"x": 5, "y": 2}}
    changes = [(0, ops(base, without)), (1, ops(base, inside))]
    for order in (changes, changes[::-1]):
        value, clashes = merge(base, order)
        assert [(t.key, t.owners, t.reason, t.ours) for t in clashes] == [
            ("light.x", (0, 1), "is changed, but replaced by the other", now)
        ]
        assert value == without
        assert merge(base, order, preferred=[0]) == (without, [])
        assert merge(base, order, preferred=[1]) == (inside, [])


def test_an_element_is_not_removed_if_it_is_another_by_now() -> None:
    less = room(instances=[{"id": 1, "x": 0}])
    here = room(instances=[{"id": 1, "x": 0}, {"id": 2, "x": 99}])
    value, clashes = merged(less, base=here)
    assert value == here
    assert [t.key for t in clashes] == ["instances[id=2]"]


def test_a_changed_order_is_carried_out() -> None:
    for flags in (["b", "a"], ["c", "b", "a"], ["b", "c", "a"], ["b"]):
        assert merged(room(flags=flags)) == (room(flags=flags), [])


def test_numbers_that_only_grow_take_the_largest() -> None:
    base, low, high = {"last": 5}, {"last": 7}, {"last": 9}
    grows = lambda key: key == "last"  # noqa: E731
    for order in (
        [(0, ops(base, low)), (1, ops(base, high))],
        [(0, ops(base, high)), (1, ops(base, low))],
    ):
        assert merge(base, order, grows) == (high, [])
    for numbers in itertools.permutations((7, 9, 8)):
        changes = [(n, ops(base, {"last": last})) for n, last in enumerate(numbers)]
        assert merge(base, changes, grows) == (high, []), numbers
        assert merge({"last": 8}, changes, grows) == (high, []), numbers
        assert merge({"last": 20}, changes, grows) == ({"last": 20}, []), numbers
    assert merge({"last": 20}, [(0, ops(base, high))], grows) == ({"last": 20}, [])
    both = [(0, ops(base, {"last": 1})), (1, ops(base, {"last": 3}))]
    assert merge(base, both, grows) == (base, [])  # only one mod may make it smaller
    assert merge(base, [(0, ops(base, {"last": 1}))], grows) == ({"last": 1}, [])
    assert merge(base, [(0, ops(base, low)), (1, ops(base, high))])[1] != []


def test_what_tells_elements_apart() -> None:
    assert identity([{"id": 1}], [{"id": 2}]) == "id"
    assert identity([{"name": "a"}], []) == "name"
    assert identity(["a"], ["b"]) == ""
    assert identity([{"id": 1}, {"id": 1}], []) is None
    assert identity([1], [2]) is None
    assert identity([{"id": True}], []) is None


def test_long_values_are_kept_as_digests() -> None:
    long = "x" * 100
    assert brief("short") == "short"
    assert brief(NOTHING) is NOTHING
    assert is_brief_of(brief(long), long)
    assert not is_brief_of(brief(long), long + "x")
    assert not is_brief_of(brief([1]), NOTHING)
    assert brief(brief(long)) == brief(long)
    kept = {"sha256": "b546f12788482d8f"}  # as files of mods have it
    assert brief({"text": "\u00e9", "at": [1.5, None]}) == kept


def test_numbers_and_truth_are_not_the_same() -> None:
    assert same(1, 1.0)
    assert not same(1, True)
    assert same(float("nan"), float("nan"))
    assert not same({"a": 1}, {"b": 1})
    assert not same([1], [1, 1])


def test_an_element_that_got_another_id_is_there_already() -> None:
    """Packing gives ids again where two elements have one: putting a mod on twice adds nothing."""
    new = Op("insert", ("items",), NOTHING, {"id": 1, "x": 9}, {"id": 7})
    there = {"items": [{"id": 1, "x": 5}, {"id": 7, "x": 9}]}
    assert merge(there, [(0, [new])]) == (there, [])
    other = {"items": [{"id": 1, "x": 5}, {"id": 7, "x": 8}]}
    made, clashes = merge(other, [(0, [new])])
    assert made == {"items": [*other["items"], {"x": 9}]}
    assert clashes == []
    # of two mods that give one id, both are new, whatever else is like them
    first = Op("insert", ("items",), NOTHING, {"id": 1, "x": 5}, {"id": 7})
    made, clashes = merge({"items": [{"id": 7, "x": 9}]}, [(0, [first]), (1, [new])])
    assert clashes == []
    assert isinstance(made, dict)
    assert sorted(item["x"] for item in made["items"]) == [5, 9, 9]


@pytest.mark.parametrize(
    ("one", "two", "both"),
    [
        ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
        (["x"], ["y"], ["y", "x"]),  # each comes first, as it has nothing before it
        ({"a": {"b": 1}}, {"a": {"c": 2}}, {"a": {"b": 1, "c": 2}}),
        ({"a": 1}, {"a": 1}, {"a": 1}),
        ({}, {"a": 1}, {"a": 1}),
    ],
)
def test_two_mods_that_each_add_the_first_of_something_go_together(
    one: object, two: object, both: object
) -> None:
    changes = [(n, [*compare({}, {"new": side})]) for n, side in enumerate((one, two))]
    merged, clashes = merge({}, changes)
    assert clashes == []
    assert merged == {"new": both}


def test_what_two_mods_add_in_different_ways_is_a_conflict() -> None:
    for one, two in (({"a": 1}, {"a": 2}), ({"a": 1}, ["a"]), ({"a": 1}, 1)):
        changes = [(n, [*compare({}, {"new": side})]) for n, side in enumerate((one, two))]
        assert len(merge({}, changes)[1]) == 1, (one, two)


def test_what_a_mod_adds_where_the_game_has_something_is_a_conflict() -> None:
    changes = [(n, [*compare({}, {"new": side})]) for n, side in enumerate(({"a": 1}, {"b": 1}))]
    assert merge({"new": {"a": 1, "c": 3}}, changes) == ({"new": {"a": 1, "c": 3, "b": 1}}, [])
    assert len(merge({"new": {"a": 2}}, changes)[1]) == 1


def test_long_lists_are_compared_as_single_values_are() -> None:
    """Numbers of tile maps are compared at once: 1 and 1.0 are the same, 1 and true are not."""
    nan = float("nan")
    assert same([1, 2, None, "a"], [1, 2, None, "a"]) and not same([1, 2], [1, 3])
    assert same([1, 2], [1.0, 2.0]) and same([nan, 1], [float("nan"), 1])
    assert not same([1, 0], [True, False]) and not same([1], [1, 1])
    assert same([[1, 2], [3]], [[1.0, 2], [3]]) and not same([[1]], [[True]])
