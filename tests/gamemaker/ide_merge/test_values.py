"""Values of three editions: what both did is there, and what they disagree about is named."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import cast

import pytest

from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.ide_merge.conflicts import Conflict, Which
from overhaul.gamemaker.ide_merge.values import ValueMerge, same


def merged(
    base: object, ours: object, theirs: object, which: Which = "ours"
) -> tuple[object, list[tuple[str, str]]]:
    merging = ValueMerge("a.yy", which, lambda keys, key, kind: len(keys))
    made = merging.merged(cast("Json", base), cast("Json", ours), cast("Json", theirs))
    return made, [(one.place, one.reason) for one in merging.conflicts]


def test_fields_of_both_sides() -> None:
    base: Json = {"x": 1, "y": 2, "gone": 3, "other": 4}
    ours: Json = {"x": 5, "y": 2, "other": 4, "new": True}
    theirs: Json = {"x": 1, "y": 6, "gone": 3, "extra": None}
    assert merged(base, ours, theirs) == ({"x": 5, "y": 6, "new": True, "extra": None}, [])


def test_fields_that_both_changed() -> None:
    conflicts = [("at.x", "changed by both")]
    base, ours, theirs = ({"at": {"x": number}} for number in (1, 2, 3))
    assert merged(base, ours, theirs) == ({"at": {"x": 2}}, conflicts)
    assert merged(base, ours, theirs, "theirs") == ({"at": {"x": 3}}, conflicts)
    assert merged(base, ours, ours) == (ours, [])


def test_what_one_changed_and_the_other_removed() -> None:
    base, ours = {"a": [1, 2]}, {"a": [1, 3]}
    conflicts = [("a", "changed by ours and removed by theirs")]
    assert merged(base, ours, {}) == (ours, conflicts)
    assert merged(base, ours, {}, "theirs") == ({}, conflicts)
    assert merged(base, {}, ours) == ({}, [("a", "changed by theirs and removed by ours")])


@pytest.mark.parametrize(
    ("one", "two", "are"),
    [(1, 1.0, True), (1, True, False), ([0], [False], False), ({}, [], False)],
)
def test_equal_values(one: Json, two: Json, are: bool) -> None:
    assert same(one, two) is are


def rows(*names: str) -> list[Json]:
    return [{"id": {"name": name, "path": f"objects/{name}/{name}.yy"}} for name in names]


def test_resources_are_sorted_where_they_were() -> None:
    made, conflicts = merged(rows("b", "d"), rows("b", "d", "e"), rows("a", "b", "c", "d"))
    assert (made, conflicts) == (rows("a", "b", "c", "d", "e"), [])
    made, conflicts = merged(rows("d", "b"), rows("d", "x", "b"), rows("d", "a", "b"))
    assert (made, conflicts) == (rows("d", "x", "a", "b"), [])


def named(**values: int) -> list[Json]:
    return [{"name": name, "x": x} for name, x in values.items()]


def test_elements_are_known_by_their_names() -> None:
    made, conflicts = merged(named(a=1, b=2, c=3), named(b=2, c=9, d=4), named(c=3, a=1, b=5, e=6))
    assert conflicts == []
    assert made == named(c=9, b=5, e=6, d=4) or made == named(c=9, b=5, d=4, e=6)
    assert merged(named(a=1), named(), named(a=2))[1] == [
        ("[a]", "changed by theirs and removed by ours")
    ]
    assert merged(named(a=1), named(a=2), named(a=3))[1] == [("[a].x", "changed by both")]


def test_orders() -> None:
    assert merged(["a", "b", "c"], ["c", "a", "b"], ["a", "b", "c", "d"]) == (
        ["c", "d", "a", "b"],
        [],
    )  # fmt: skip
    made, conflicts = merged(["a", "b", "c"], ["b", "a", "c"], ["c", "b", "a"])
    assert conflicts == [("", "the order is changed by both")]
    assert made == ["b", "a", "c"]
    assert merged(["a", "b", "c"], ["b", "a", "c"], ["c", "b", "a"], "theirs")[0] == ["c", "b", "a"]


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("bacde", "abced", "baced"),
        # the first that one chose stays the first
        ("eabcd", "bacde", "ebacd"),
        # the last of both stays the last
        ("edcba", "bcdea", "edcba"),
        ("bxacde", "abcedy", "bxacedy"),
    ],
)
def test_moves_of_both(ours: str, theirs: str, expected: str) -> None:
    for one, two in ((ours, theirs), (theirs, ours)):
        assert merged(list("abcde"), list(one), list(two)) == (list(expected), [])


@pytest.mark.parametrize(("which", "expected"), [("ours", "acb"), ("theirs", "bac")])
def test_moves_that_no_order_has(which: Which, expected: str) -> None:
    # c is before b in ours, b before a in theirs, and a before c in all
    made = merged(list("abc"), list("acb"), list("bac"), which)
    assert made == (list(expected), [("", "the order is changed by both")])


def test_random_orders() -> None:
    """Two elements that only one edition turned round stand as there, or it is a conflict."""
    choose = random.Random(7)
    counts: Counter[str] = Counter()
    for _ in range(300):
        base = list(range(choose.randint(2, 9)))
        sides = [list(base), list(base)]
        for side in sides:
            for _ in range(choose.randint(0, 2)):
                side.insert(choose.randrange(len(side)), side.pop(choose.randrange(len(side))))
        names = [[str(mark) for mark in side] for side in (base, *sides)]
        made, conflicts = merged(names[0], names[1], names[2])
        if conflicts:
            counts["conflict"] += 1
            continue
        counts["merged"] += 1
        places = [
            {mark: n for n, mark in enumerate(side)}
            for side in (*names[1:], cast("list[str]", made))
        ]
        for one, two in combinations(names[0], 2):
            ours, theirs, now = (side[one] < side[two] for side in places)
            assert now == (ours and theirs)  # turned round by any: turned round
    assert counts["merged"] > 200 and counts["conflict"] > 20


def event(kind: int, number: int, other: str | None = None, **more: Json) -> dict[str, Json]:
    reference: Json = None if other is None else {"name": other, "path": f"objects/{other}"}
    return {
        "collisionObjectId": reference,
        "eventNum": number,
        "eventType": kind,
        "name": "",
        **more,
    }


def test_events_are_known_by_what_they_are_for() -> None:
    base: list[Json] = [event(0, 0)]
    ours: list[Json] = [event(0, 0), event(3, 0, id="1")]
    theirs: list[Json] = [event(0, 0), event(4, 0, "obj_a")]
    made, conflicts = merged(base, ours, theirs)
    assert (made, conflicts) == ([event(0, 0), event(3, 0, id="1"), event(4, 0, "obj_a")], [])
    twice: list[Json] = [event(0, 0), event(3, 0, id="2")]
    assert merged(base, ours, twice)[1] == [("[3 0].id", "changed by both")]


def test_elements_without_a_name() -> None:
    base: list[Json] = [{"x": 1}, {"x": 2}, {"x": 3}, {"x": 4}]
    ours: list[Json] = [{"x": 0}, {"x": 1}, {"x": 2}, {"x": 3}, {"x": 4}]
    theirs: list[Json] = [{"x": 1}, {"x": 2}, {"x": 3}, {"x": 5}]
    assert merged(base, ours, theirs) == ([*ours[:4], {"x": 5}], [])
    made, conflicts = merged([{"x": 1, "y": 1}], [{"x": 2, "y": 1}], [{"x": 1, "y": 2}])
    assert (made, conflicts) == ([{"x": 2, "y": 2}], [])
    assert merged([{"x": 1}], [], [{"x": 2}])[1] == [("[0]", "changed by both")]


def test_numbers_cell_by_cell() -> None:
    assert merged([1, 2, 3], [9, 2, 3], [1, 2, 8]) == ([9, 2, 8], [])
    assert merged([1, 2], [3, 2], [4, 2]) == ([3, 2], [("[0]", "changed by both")])
    assert merged([1, 2], [3, 2], [4, 5], "theirs") == ([4, 5], [("[0]", "changed by both")])
    assert merged([1], [1, 2], [3])[1] == [("", "changed by both")]


def tiles(width: int, *cells: int, packed: bool = False) -> dict[str, Json]:
    made: dict[str, Json] = {"SerialiseHeight": len(cells) // width, "SerialiseWidth": width}
    if packed:
        return {**made, "TileCompressedData": [len(cells), *cells]}
    return {**made, "TileSerialiseData": list[Json](cells)}


def test_tiles_by_cell() -> None:
    base, ours, theirs = tiles(2, 0, 0, 0, 0), tiles(2, 1, 0, 0, 0), tiles(2, 0, 0, 0, 2)
    assert merged(base, ours, theirs) == (tiles(2, 1, 0, 0, 2), [])
    wider = tiles(3, 0, 0, 7, 0, 0, 0)
    assert merged(base, wider, theirs) == (tiles(3, 0, 0, 7, 0, 2, 0), [])
    assert merged(base, theirs, wider) == (tiles(3, 0, 0, 7, 0, 2, 0), [])
    packed = [tiles(2, *cells, packed=True) for cells in ((5, 6, 7, 8), (1, 6, 7, 8), (5, 6, 7, 9))]
    made, conflicts = merged(packed[0], packed[1], packed[2])
    assert (made, conflicts) == (tiles(2, 1, 6, 7, 9, packed=True), [])


def test_tiles_that_both_painted() -> None:
    base, ours, theirs = tiles(2, 0, 0), tiles(2, 0, 1), tiles(2, 3, 2)
    conflicts = [("[1, 0]", "the tile is changed by both")]
    assert merged(base, ours, theirs) == (tiles(2, 3, 1), conflicts)
    assert merged(base, ours, theirs, "theirs") == (tiles(2, 3, 2), conflicts)
    # painted where the other cut the map off
    cut = tiles(1, 0)
    assert merged(base, cut, theirs) == (tiles(1, 3), conflicts)
    sizes = merged(base, tiles(1, 0), tiles(3, 0, 0, 0))
    assert sizes == (tiles(1, 0), [("", "the size of the map of tiles is changed by both")])


def test_tiles_that_are_none() -> None:
    base, ours, theirs = tiles(2, 0, 0), tiles(2, 1 << 70, 0), tiles(2, 0, 3)
    made, conflicts = merged(base, ours, theirs)
    assert (made, conflicts) == (tiles(2, 1 << 70, 3), [])


def test_texts_of_several_lines() -> None:
    assert merged("a\nb\nc\n", "x\nb\nc\n", "a\nb\ny\n") == ("x\nb\ny\n", [])
    assert merged("a\nb\n", "x\nb\n", "y\nb\n") == ("x\nb\n", [("", "changed by both")])
    assert merged("a", "b", "c") == ("b", [("", "changed by both")])


def test_the_later_release_wins() -> None:
    base, ours, theirs = ({"IDEVersion": v} for v in ("2024.8.1", "2024.11.0", "2024.9.2"))
    assert merged(base, ours, theirs) == (ours, [])
    assert merged(base, theirs, ours) == (ours, [])


def test_conflicts_are_said() -> None:
    conflict = Conflict("a.yy", "changed by ours and removed by theirs", "x", 3, [1])
    assert str(conflict) == "a.yy:3: x: changed by ours and removed by theirs"
    assert conflict.sides() == [("ours", "[1]"), ("theirs", "(nothing)")]
    assert conflict.to_json() == {
        "path": "a.yy", "reason": "changed by ours and removed by theirs", "place": "x", "line": 3,
        "ours": [1],
    }  # fmt: skip
    assert str(conflict.turned()) == "a.yy:3: x: changed by theirs and removed by ours"
