"""The record engine: one declaration, both directions, and errors that say where."""

import struct
from typing import Annotated, Any

import pytest

from overhaul.errors import EncodeError, FormatError
from overhaul.schema import (
    Align,
    Condition,
    Counted,
    Deferred,
    Embedded,
    FixedCodec,
    Inline,
    Pointers,
    RawFloat,
    Reader,
    Record,
    Scheme,
    Switch,
    When,
    Writer,
    b32,
    codec_for,
    f32,
    i16,
    u8,
    u16,
    u32,
)
from overhaul.schema.declaration import describe
from overhaul.schema.jsonable import from_jsonable, to_jsonable

newer = Condition(lambda version: version >= 2, "2+")


class Point(Record):
    """A point."""

    x: f32 = 0.0
    y: f32 = 0.0
    weight: Annotated[u16, newer, "how much it counts"] = 7


class Box(Record):
    """A point and its neighbours."""

    flag: b32 = False
    points: Annotated[list[Point], Deferred(Pointers(align=8))] = []
    ids: Annotated[list[i16], Inline("H")] = []
    corner: Annotated[Point | None, Deferred(Embedded(Point))] = None
    extra: Annotated[u8, When("flag", bool, "with flag")] = 0
    after: Annotated[u32, Align(4)] = 9


class Tree(Record):
    """A tree."""

    value: u8 = 0
    children: Annotated[list["Tree"], Inline("B")] = []


class Circle(Record):
    """A circle."""

    radius: u8 = 0


class Square(Record):
    """A square."""

    side: u16 = 0


class Shape(Record):
    """A shape of one of two kinds."""

    kind: u8 = 0
    shape: Annotated[Any, Switch("kind", {1: Circle, 2: Square})] = None


class Named(Record):
    """Two words resolved through a table."""

    first: Annotated[Any, FixedCodec("I", "word", kind="word", patched=True)] = None
    second: Annotated[Any, FixedCodec("I", "word", kind="word", patched=True)] = None


class Names(Record):
    """Many of them."""

    names: Annotated[list[Named], Inline()] = []


class Points(Record):
    """Points in bulk."""

    points: Annotated[list[Point], Inline()] = []


class List(Record):
    """Points by pointer."""

    points: Annotated[list[Point], Pointers()] = []


class Row(Record):
    """A long list."""

    cells: Annotated[list[u8], Inline()] = []


class Rows(Record):
    """Rows by pointer."""

    rows: Annotated[list[Row], Pointers()] = []


class Pair(Record):
    """A counted list."""

    count: u8 = 0
    values: Annotated[list[u8], Counted("count")] = []


class Words(dict[int, str]):
    """A table that knows three words."""

    def __missing__(self, number: int) -> str:
        raise FormatError(f"no word {number}")


def written(record: Record, version: Any = 2) -> bytes:
    writer = Writer(version=version, encoders={"word": lambda word: len(word)})
    codec_for(type(record), version).write(writer, record)
    return bytes(writer.out)


def read(kind: type[Record], data: bytes, version: Any = 2) -> Any:
    reader = Reader(version=version, tables={"word": Words({1: "a", 2: "bb", 3: "ccc"})})
    record, position = codec_for(kind, version).read(data, 0, reader)
    assert position == len(data)
    assert reader.notes == []
    return record


BOX = Box(
    True,
    [Point(1.0, 2.0), Point(-0.5, 0.25, 65535), Point(0.0, -0.0)],
    [1, -2, 3],
    Point(4.0, 5.0),
    200,
)


@pytest.mark.parametrize("version", [1, 2])
def test_what_is_written_reads_back(version: int) -> None:
    data = written(BOX, version)
    box = read(Box, data, version)
    assert written(box, version) == data
    assert box.ids == [1, -2, 3]
    assert [point.x for point in box.points] == [1.0, -0.5, 0.0]
    assert box.corner.y == 5.0
    assert (box.points[1].weight == 65535) == (version == 2)


def test_the_layout_is_the_declared_one() -> None:
    assert written(Box(False, [], [5])) == bytes.fromhex(
        "00000000"  # flag
        "14000000"  # points: the list stands behind the last field
        "01000500"  # ids: a u16 count and one i16
        "00000000"  # corner: none; `extra` is not there without the flag
        "09000000"  # after
        "00000000"  # the points: a count of 0
    )


def test_every_truncation_is_a_format_error() -> None:
    data = written(BOX)
    for length in range(len(data)):
        with pytest.raises(FormatError):
            read(Box, data[:length])


def test_errors_name_the_place() -> None:
    data = bytearray(written(Names([Named("a", "bb"), Named("ccc", "a"), Named("bb", "bb")])))
    struct.pack_into("<I", data, 4 + 8 + 4, 77)
    with pytest.raises(FormatError) as caught:
        read(Names, bytes(data))
    assert caught.value.path == "names[1].second"
    assert caught.value.offset == 16
    assert "no word 77" in str(caught.value)


def test_a_count_is_checked_before_it_is_used() -> None:
    with pytest.raises(FormatError) as caught:
        read(Names, struct.pack("<I", 0xFFFFFFFF) + bytes(64))
    assert caught.value.path == "names"
    assert caught.value.offset == 0


def test_recursion_is_bounded() -> None:
    deep = b"\x00\x01" * 200 + b"\x00\x00"
    with pytest.raises(FormatError, match="levels deep"):
        read(Tree, deep)
    tree = Tree(1, [Tree(2, [Tree(3)]), Tree(4)])
    assert read(Tree, written(tree)) == tree


def test_a_switch_reads_the_case_of_its_field() -> None:
    assert read(Shape, b"\x01\x05") == Shape(1, Circle(5))
    assert read(Shape, b"\x02\x05\x01") == Shape(2, Square(0x105))
    assert read(Shape, b"\x09") == Shape(9, None)
    assert written(Shape(2, Square(3))) == b"\x02\x03\x00"


def test_the_bits_of_a_nan_survive() -> None:
    signalling = bytes.fromhex("0100a07f")
    for data in (signalling + bytes(6), bytes(4) + signalling + bytes(2)):
        point = read(Point, data)
        assert written(point) == data
    data = struct.pack("<I", 2) + (signalling + bytes(6)) * 2

    assert written(read(Points, data)) == data
    assert read(Points, data).points[1].x == RawFloat(0x7FA00001)


def test_bulk_reading_equals_reading_one_by_one() -> None:
    points = [Point(float(i), i / 3, i) for i in range(100)]
    codec = codec_for(Point, 2)
    single = b"".join(written(point) for point in points)
    writer = Writer(version=2)
    codec.write_flat(writer, points)
    assert bytes(writer.out) == single
    reader = Reader(version=2)
    one_by_one, position = [], 0
    for _ in points:
        point, position = codec.read(single, position, reader)
        one_by_one.append(point)
    assert codec.read_flat(single, 0, len(points), reader) == one_by_one


def test_elements_out_of_order_are_followed_and_noted() -> None:
    data = struct.pack("<3I", 2, 22, 12) + b"\x01" * 10 + b"\x02" * 10
    reader = Reader(version=2)

    record, position = codec_for(List, 2).read(data, 0, reader)
    assert [point.weight for point in record.points] == [0x202, 0x101]
    assert position == len(data)
    assert reader.notes


def test_shared_elements_are_one_object() -> None:
    data = struct.pack("<3I", 2, 12, 12) + b"\x01" * 10
    reader = Reader(version=2)

    record, _ = codec_for(List, 2).read(data, 0, reader)
    assert record.points[0] is record.points[1]
    assert reader.notes


def test_overlapping_pointers_stay_bounded() -> None:

    count = 2000
    head = 4 + 4 * count
    body = bytes(4 * count) + struct.pack("<I", 0)
    pointers = [head + 4 * i for i in range(count)]
    data = bytearray(struct.pack(f"<{count + 1}I", count, *reversed(pointers)) + body)
    for at in pointers:
        struct.pack_into("<I", data, at, (len(data) - at - 4) & 0xFFFF)
    with pytest.raises(FormatError, match="overlap"):
        read(Rows, bytes(data))


def test_a_value_that_does_not_fit_is_an_encode_error() -> None:
    with pytest.raises(EncodeError):
        written(Box(ids=[70000]))
    with pytest.raises(EncodeError):
        written(Point(weight=-1))

    with pytest.raises(EncodeError, match="count is 2"):
        written(Pair(2, [1]))


@pytest.mark.parametrize("record", [BOX, Shape(1, Circle(5)), Tree(1, [Tree(2)])])
def test_plain_data_gives_the_same_record(record: Record) -> None:
    scheme = Scheme(2)
    plain = to_jsonable(record, scheme)
    assert from_jsonable(type(record), plain, scheme) == record


def test_plain_data_with_errors_says_where() -> None:
    scheme = Scheme(2)
    plain = to_jsonable(BOX, scheme)
    plain["points"][1]["weight"] = 70000
    with pytest.raises(FormatError) as caught:
        from_jsonable(Box, plain, scheme)
    assert caught.value.path == "points[1].weight"
    with pytest.raises(FormatError, match="Point has no such key"):
        from_jsonable(Point, {"speed": 1}, scheme)
    with pytest.raises(FormatError, match="Point has no such key"):
        from_jsonable(Point, {"weight": 1}, Scheme(1))


class Long(Record):
    """More fields than a message lists."""

    first: u16 = 0
    b: u16 = 0
    c: u16 = 0
    d: u16 = 0
    e: u16 = 0
    f: u16 = 0
    g: u16 = 0
    h: u16 = 0
    i: u16 = 0
    j: u16 = 0
    k: u16 = 0
    n: u16 = 0
    m: u16 = 0


@pytest.mark.parametrize(
    ("record", "key", "words"),
    [
        (Point, "speed", "Point has no such key (there are weight, x, y)"),
        (Point, "wieght", "Point has no such key (did you mean 'weight'?)"),
        (Long, "speed", "Long has no such key"),
        (Long, "frist", "Long has no such key (did you mean 'first'?)"),
    ],
)
def test_an_unknown_key_is_answered_with_those_that_there_are(
    record: type[Record], key: str, words: str
) -> None:
    with pytest.raises(FormatError) as caught:
        from_jsonable(record, {key: 1}, Scheme(2))
    assert (caught.value.path, caught.value.message) == (key, words)


def test_a_declaration_documents_itself() -> None:
    rows = {row.name: row for row in describe(Point)}
    assert rows["weight"].condition == "2+"
    assert rows["weight"].doc == "how much it counts"
    assert [row.type for row in describe(Box)][1] == "pointer to pointer list of Point"


def test_versions_of_the_same_layout_share_a_codec() -> None:
    assert codec_for(Point, 2) is codec_for(Point, 3)
    assert codec_for(Point, 1) is not codec_for(Point, 2)
    assert codec_for(Tree, 1) is codec_for(Tree, 2)
