"""Where fields are in bytes: every kind of codec, windows, and ways to a part."""

from __future__ import annotations

import struct
from typing import Annotated, ClassVar

import pytest
from msgspec import field

from overhaul.errors import FormatError
from overhaul.schema import (
    Align,
    Counted,
    Deferred,
    Embedded,
    Inline,
    Pointers,
    Reader,
    Record,
    SizedText,
    Switch,
    Times,
    ToEnd,
    codec_for,
    count_of,
    f32,
    given,
    since,
    u8,
    u16,
    u32,
)
from overhaul.schema.spans import Span, Walk, within


class Point(Record):
    """Two numbers."""

    x: u16 = 0
    y: u16 = 0


class Named(Record):
    """A text."""

    name: Annotated[str, SizedText("B")] = ""


class Everything(Record):
    """A field of each kind."""

    kind: u8 = 0
    newer: Annotated[u8, since(2)] = 0
    point: Point = field(default_factory=Point)
    count: ClassVar[u32] = count_of("points")
    far: Annotated[Named | None, Deferred(Embedded(Named))] = None
    size: Annotated[f32, Align(4)] = 0.0
    if_kind: Annotated[u16, given("kind")] = 0
    points: Annotated[list[Point], Counted("count")] = []
    numbers: Annotated[list[u16], Inline("B")] = []
    pair: Annotated[list[u8], Times(2)] = []
    chosen: Annotated[Record | None, Switch("kind", {1: Named})] = None
    listed: Annotated[list[Named], Pointers()] = []


class Tail(Record):
    """Elements to the end."""

    points: Annotated[list[Point], ToEnd()] = []


def stored(version: int) -> bytes:
    head = struct.pack("<B", 1) + (b"\x07" if version >= 2 else b"") + struct.pack("<HH", 3, 4)
    head += struct.pack("<I", 2)  # count
    far_at = len(head)
    head += bytes(4)
    head += bytes(-len(head) % 4)
    head += struct.pack("<fH", 1.5, 9) + struct.pack("<HHHH", 1, 2, 3, 4)
    head += struct.pack("<B3H", 3, 5, 6, 7) + b"\x01\x02" + b"\x02hi"
    listed = len(head)
    head += struct.pack("<III", 2, listed + 12, listed + 16) + b"\x03abc" + b"\x01z"
    data = bytearray(head)
    struct.pack_into("<I", data, far_at, len(data))
    return bytes(data) + b"\x03far"


def walked(version: int, window: tuple[int, int] | None = None) -> list[Span]:
    walk = Walk(stored(version), version, lambda: Reader(version=version), window=window)
    walk.record(Everything, 0)
    return walk.spans


@pytest.mark.parametrize("version", [1, 2])
def test_every_byte_is_of_one_field(version: int) -> None:
    data = stored(version)
    record, end = codec_for(Everything, version).read(data, 0, Reader(version=version))
    assert end == len(data)
    spans = sorted(walked(version), key=lambda span: span.start)
    at = 0
    for span in spans:
        assert span.start >= at, span
        assert not any(data[at : span.start]), span
        at = span.end
    assert at == len(data)
    values = {span.path: span.value for span in spans}
    assert values["point.y"] == str(record.point.y) == "4"
    assert values["points[1].x"] == "3"
    assert values["numbers[2]"] == "7"
    assert values["pair[1]"] == "2"
    assert values["chosen.name"] == "'hi'"
    assert values["listed[0].name"] == "'abc'"
    assert values["far.name"] == "'far'"
    assert values["size"] == "1.5"
    assert ("newer" in values) == (version >= 2)


def test_a_window_has_what_overlaps_it() -> None:
    everything = walked(2)
    for start in range(0, len(stored(2)), 5):
        window = (start, start + 9)
        wanted = [span for span in everything if span.start < window[1] and span.end > start]
        assert walked(2, window) == wanted


def test_a_window_of_many_elements_is_found_at_once() -> None:
    data = b"".join(struct.pack("<HH", n, n) for n in range(65_000))
    walk = Walk(data, None, Reader, window=(200_001, 200_010))
    walk.record(Tail, 0)
    assert [span.path for span in walk.spans] == [
        f"points[{n}].{axis}" for n in range(50_000, 50_003) for axis in "xy"
    ][:5]


def test_a_way_leads_to_a_part_and_into_it() -> None:
    data = stored(2)
    ways: list[tuple[str | int, ...]] = [("points", 1), ("listed", 0), ("points", 7)]
    walk = Walk(data, 2, lambda: Reader(version=2), ways=ways)
    walk.record(Everything, 0)
    assert list(walk.found) == ways[:2]
    assert walk.spans == []
    found = walk.found["points", 1]
    assert [span.path for span in within(data, found, Reader, 0, len(data))] == ["x", "y"]


def test_damage_is_an_error() -> None:
    walk = Walk(stored(2)[:20], 2, lambda: Reader(version=2))
    with pytest.raises(FormatError):
        walk.record(Everything, 0)
