from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import overhaul
from overhaul.errors import FormatError
from overhaul.folder.verifying import first_difference
from toy import toy_bytes, toy_package


def test_an_identical_file(toys: None) -> None:
    data = toy_bytes({"a": b"1"})
    report = overhaul.verify(data + b"tail")
    assert report.identical
    assert report.first_difference is None
    assert report.coverage is not None
    assert (report.coverage.decoded, report.coverage.opaque) == (len(data), 4)
    assert report.warnings == ["4 bytes behind the end"]


def test_the_first_difference(toys: None, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(toy_bytes({"a": b"1"}, "lossy"))
    report = overhaul.verify(path)
    assert not report.identical
    assert report.to_json() == {
        "path": str(path),
        "kind": "toy",
        "version": "1",
        "identical": False,
        "first_difference": {"offset": 5, "path": "title"},
        "coverage": {"decoded": 21, "media": 0, "opaque": 0},
        "findings": [],
    }


def test_documents_in_documents_are_verified(toys: None, tmp_path: Path) -> None:
    path = tmp_path / "x"
    content = {
        "good": toy_bytes({}),
        "bad": toy_bytes({}, "lossy"),
        "broken": toy_bytes({"a": b"1"})[:-1],
        "picture": b"\x89PNG",
    }
    path.write_bytes(toy_package(content))
    report = overhaul.verify(path)
    assert report.identical
    assert not report.good
    reported = {member.path.rpartition("!")[2]: member for member in report.members}
    assert sorted(reported) == ["bad", "broken", "good"]
    assert reported["good"].good
    assert reported["bad"].first_difference is not None
    assert "too early" in str(reported["broken"].error)


def test_a_broken_file_raises(toys: None) -> None:
    with pytest.raises(FormatError):
        overhaul.verify(toy_bytes({"a": b"1"})[:-1])


@given(st.binary(max_size=40), st.data())
def test_where_two_files_differ_first(data: bytes, draw: st.DataObject) -> None:
    assert first_difference(data, data) is None
    assert first_difference(data, data + b"x") == len(data)
    if data:
        position = draw.draw(st.integers(0, len(data) - 1))
        changed = bytearray(data)
        changed[position] ^= 1
        assert first_difference(data, bytes(changed)) == position
        assert first_difference(data[:position], data) == position


def test_a_difference_far_inside() -> None:
    data = bytes(5 << 20)
    changed = bytearray(data)
    changed[(3 << 20) + 17] = 1
    assert first_difference(memoryview(data), bytes(changed)) == (3 << 20) + 17
