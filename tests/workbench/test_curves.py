"""Points of animation curves as tables: changed, added where they belong, and kept in order."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from overhaul.errors import WorkspaceError
from overhaul.workbench.forms import Mistyped
from overhaul.workbench.tables import Cell, edited, tables_of

CURVE: dict[str, Any] = {
    "graph_type": 1,
    "channels": [
        {"name": "up", "points": [{"value": 0.25}, {"x": 0.5, "value": 1.0}, {"x": 1.0}]},
        {
            "name": "eased",
            "function": "bezier",
            "points": [{"bezier_x1": 0.1}, {"x": 1.0, "value": 2.0, "bezier_x0": -0.5}],
        },
        {"name": "odd", "function": 7, "points": [{"x": 0.9}, {"x": 0.1}]},
    ],
}
FIRST = "/channels/0/points"


def sent(**new: str) -> dict[str, str]:
    """What the form sends that nobody touched, with other texts."""
    fields = {}
    for table in tables_of(CURVE):
        fields[f"r:{table.pointer}"] = "1"
        for row in table.rows:
            fields[f"r:{row.pointer}"] = "1"
        for cell in [*table.own, *(cell for row in table.rows for cell in row.cells)]:
            fields[f"v:{cell.pointer}"] = cell.text
    return fields | new


def test_channels_are_tables() -> None:
    up, eased, odd = tables_of(CURVE)
    assert (up.title, up.pointer, up.word) == ("up", FIRST, "point")
    shapes = ["linear", "smooth", "bezier"]
    assert up.own == [Cell("/channels/0/function", "Shape", "choice", "linear", shapes)]
    assert [[cell.text for cell in row.cells] for row in up.rows] == [
        ["0", "0.25"], ["0.5", "1"], ["1", "0"],
    ]  # fmt: skip
    assert [cell.label for cell in eased.rows[0].cells] == [
        "x", "value", "bezier x0", "bezier y0", "bezier x1", "bezier y1",
    ]  # fmt: skip
    assert odd.own == []


def test_an_untouched_form_changes_nothing() -> None:
    assert edited(CURVE, sent()) == CURVE


def test_points_are_changed_and_stay_in_order() -> None:
    made: Any = edited(CURVE, sent(**{f"v:{FIRST}/1/x": "1.5", f"v:{FIRST}/1/value": "-3"}))
    assert made["channels"][0]["points"] == [{"value": 0.25}, {"x": 1.0}, {"x": 1.5, "value": -3.0}]
    assert made["channels"][1:] == CURVE["channels"][1:]  # points that were in no order, too


def test_the_shape_is_one_of_those_that_there_are() -> None:
    made: Any = edited(CURVE, sent(**{"v:/channels/0/function": "smooth"}))
    assert made["channels"][0]["function"] == "smooth"
    with pytest.raises(Mistyped, match="'round' is none of them"):
        edited(CURVE, sent(**{"v:/channels/0/function": "round"}))


@pytest.mark.parametrize(
    ("typed", "at", "point"),
    [
        ("", 1, {"x": 0.25, "value": 0.625}),
        ("0.5 7", 2, {"x": 0.5, "value": 7.0}),
        ("-1 -2.5", 0, {"x": -1.0, "value": -2.5}),
    ],
)
def test_a_new_point_goes_where_it_belongs(typed: str, at: int, point: dict[str, float]) -> None:
    made: Any = edited(CURVE, sent(do=f"add:{FIRST}", **{f"n:{FIRST}": typed}))
    points = copy.deepcopy(CURVE["channels"][0]["points"])
    points.insert(at, point)
    assert made["channels"][0]["points"] == points


@pytest.mark.parametrize("points", [[], [{"x": 0.5, "value": 4.0}]])
def test_the_first_points_of_a_channel(points: list[dict[str, float]]) -> None:
    curve = {"channels": [{"name": "a", "points": points}]}
    made: Any = edited(curve, {"do": f"add:{FIRST}"})
    new = {"x": 1.0, "value": 4.0} if points else {"x": 0.0, "value": 0.0}
    assert made["channels"][0]["points"] == [*points, new]


@pytest.mark.parametrize("typed", ["1", "1 2 3", "a b", "inf 1", "1 nan", "1e10 0"])
def test_what_is_no_point_is_refused(typed: str) -> None:
    with pytest.raises(WorkspaceError, match=r"expected the x and the value|too far away"):
        edited(CURVE, sent(do=f"add:{FIRST}", **{f"n:{FIRST}": typed}))


def test_a_point_is_removed() -> None:
    made: Any = edited(CURVE, sent(do=f"remove:{FIRST}/1"))
    assert made["channels"][0]["points"] == [{"value": 0.25}, {"x": 1.0}]


@pytest.mark.parametrize(
    "value", [{"channels": 5}, {"channels": [3]}, {"channels": [{"points": [{"y": 1}]}]}, {}, []]
)
def test_other_values_have_no_points(value: object) -> None:
    assert tables_of(value) == []
