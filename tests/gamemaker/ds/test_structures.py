"""The structures as Python collections."""

from __future__ import annotations

import pytest

from overhaul.gamemaker import ds


def test_a_map_is_a_mapping_in_its_order() -> None:
    value = ds.DsMap({"b": 1, "a": 2, 3.5: "x"})
    assert list(value) == ["b", "a", 3.5]
    assert value["a"] == 2 and value[3.5] == "x" and "c" not in value
    value["b"] = 9
    value["c"] = 4
    del value["a"]
    assert list(value.items()) == [("b", 9), (3.5, "x"), ("c", 4)]
    assert value == {"b": 9, 3.5: "x", "c": 4}
    assert value.pop("c") == 4 and len(value) == 2
    with pytest.raises(KeyError):
        value["a"]
    with pytest.raises(KeyError):
        del value["a"]


def test_a_map_may_repeat_a_key() -> None:
    value = ds.DsMap([("a", 1), ("b", 2), ("a", 3)])
    assert len(value) == 3 and value["a"] == 1 and value.getall("a") == [1, 3]
    value.add("a", 4)
    assert value.getall("a") == [1, 3, 4]
    value["a"] = 9
    assert value.pairs() == [("a", 9), ("b", 2), ("a", 3), ("a", 4)]
    del value["a"]
    assert value.pairs() == [("b", 2)]


def test_a_map_takes_arrays_as_keys() -> None:
    value = ds.DsMap([([1.0], "x")])
    assert value[[1.0]] == "x"
    value[[1.0]] = "y"
    assert value.pairs() == [([1.0], "y")]


def test_a_grid_by_columns() -> None:
    grid = ds.DsGrid.from_rows([[1, 2, 3], [4, 5, 6]])
    assert (grid.width, grid.height) == (3, 2)
    assert grid.cells == [1, 4, 2, 5, 3, 6]
    assert grid[2, 1] == 6 and grid.rows() == [[1, 2, 3], [4, 5, 6]]
    grid[0, 1] = 9
    assert grid.cells[1] == 9
    for outside in (3, 0), (0, 2), (-1, 0):
        with pytest.raises(IndexError):
            grid[outside]
    with pytest.raises(ValueError, match="one length"):
        ds.DsGrid.from_rows([[1], [2, 3]])
    with pytest.raises(ValueError, match="3 values"):
        ds.DsGrid(2, 2, [1, 2, 3])
    assert ds.DsGrid(2, 2) == ds.DsGrid(2, 2, [0.0] * 4) != ds.DsGrid(4, 1)


def test_a_priority_queue() -> None:
    queue = ds.DsPriority([ds.Prioritized("a", 5.0), ds.Prioritized("b", 1.0)])
    assert queue.minimum().value == "b" and queue.maximum().value == "a"
    assert ds.loads(ds.dumps(queue)) == queue


def queue_slots(queue: ds.DsQueue) -> tuple[int, int, list[object]]:
    again = ds.loads(ds.dumps(queue))
    assert isinstance(again, ds.DsQueue)
    return again.slots()


def test_a_queue_keeps_its_slots() -> None:
    queue = ds.DsQueue([1.0, 2.0], before=[7.0], after=[8.0, 9.0])
    assert queue_slots(queue) == (3, 1, [7.0, 1.0, 2.0, 8.0, 9.0])
    queue.append(3.0)  # takes over a slot that was free
    assert queue_slots(queue) == (4, 1, [7.0, 1.0, 2.0, 3.0, 9.0])
    queue.extend([4.0, 5.0])  # more than there are slots
    assert queue_slots(queue) == (6, 1, [7.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    del queue[1:]  # the slots stay, empty
    assert queue_slots(queue) == (2, 1, [7.0, 1.0, 0.0, 8.0, 9.0])


def test_structures_are_lists_to_people() -> None:
    assert ds.DsList([1, 2]) == [1, 2]
    stack = ds.DsStack([1])
    stack.append(2)
    assert stack.pop() == 2
    assert "DsStack" in repr(stack) and repr(ds.DsMap({"a": 1})) == "DsMap({'a': 1})"
