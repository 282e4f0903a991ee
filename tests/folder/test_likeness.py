"""How alike two resources are: what a renamed folder that was edited is recognised by."""

from __future__ import annotations

import pytest

from overhaul.folder.edits import likeness


@pytest.mark.parametrize(
    ("one", "two", "alike"),
    [
        ({"a.json": b'{"x": 1, "y": [1, 2]}'}, {"a.json": b'{"x": 1, "y": [1, 3]}'}, 2 / 4),
        ({"a.json": b'{"x": [1, 2, 3]}'}, {"a.json": b'{"x": [1, 2]}'}, 2 / 3),
        ({"a.json": b'{"x": 1}'}, {"a.json": b'{"y": 1}'}, 0),
        ({"a.json": b'{"x": 1}'}, {"a.json": b'{ "x":1 }'}, 1),
        ({"a.gml": b"a = 1;\nb = 2;"}, {"a.gml": b"a = 1;\nc = 3;"}, 1 / 3),
        ({"a.png": b"one"}, {"a.png": b"two"}, 0),
        ({"a.png": b"one"}, {"a.png": b"one"}, 1),
        ({"a.png": b"a line\nb"}, {"a.png": b"a line\nc"}, 0),
        ({"a.gml": b"a = 1;"}, {}, 0),
        ({}, {"a.gml": b""}, 0),
        ({"a.gml": b"x", "b.png": b"1"}, {"a.gml": b"x", "b.png": b"2"}, 1 / 2),
        ({}, {}, 0),
    ],
)
def test_likeness(one: dict[str, bytes], two: dict[str, bytes], alike: float) -> None:
    assert likeness(one, two) == pytest.approx(alike)
    assert likeness(two, one) == pytest.approx(alike)
