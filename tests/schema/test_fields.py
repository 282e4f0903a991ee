"""Fields one by one: what they take from the bytes, what they refuse, and where."""

import math
import re
import struct
from array import array
from collections.abc import Callable
from enum import IntEnum, IntFlag
from typing import Annotated, Any, ClassVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from overhaul.errors import EncodeError, FormatError
from overhaul.schema import (
    Align,
    Bytes,
    Condition,
    Constant,
    Counted,
    CountedBytes,
    Deferred,
    Either,
    Embedded,
    FixedCodec,
    IfPresent,
    Inline,
    NotStored,
    NulText,
    Numbers,
    OneOf,
    Padding,
    Pointers,
    RawFloat,
    Reader,
    Record,
    Rest,
    Scheme,
    SizedBytes,
    SizedText,
    Switch,
    Times,
    ToEnd,
    VariableCodec,
    When,
    Writer,
    b8,
    before,
    bind,
    by_version,
    codec_for,
    count_of,
    enum32,
    f32,
    f64,
    fields_of,
    i16,
    only,
    since,
    u8,
    u16,
)
from overhaul.schema.declaration import lengths
from overhaul.schema.exact import float_offsets
from overhaul.schema.jsonable import (
    from_jsonable,
    read_enum,
    read_float,
    show_enum,
    show_float,
    to_jsonable,
)
from overhaul.schema.lists import ListCodec, check_count

FLOATS = st.floats(width=32, allow_nan=False)


class Byte(Record):
    value: u8 = 0


class Pair(Record):
    first: u16 = 0
    second: u16 = 0


def lists(codec: ListCodec, record: type[Record] = Pair, version: Any = None) -> Any:
    return bind(codec.with_element(Embedded(record)), version)


def written(record: Record, version: Any = None, **state: Any) -> bytes:
    writer = Writer(version=version, **state)
    codec_for(type(record), version).write(writer, record)
    return bytes(writer.out)


def read(kind: type[Record], data: bytes, version: Any = None, **state: Any) -> Any:
    reader = Reader(version=version, **state)
    record, end = codec_for(kind, version).read(data, 0, reader)
    assert end == len(data) and reader.notes == []
    return record


# ---------------------------------------------------------------------------------- counts


@pytest.mark.parametrize(
    ("count", "minimum", "left", "fits"),
    [
        (3, 4, 12, True),
        (3, 4, 11, False),
        (4, 4, 12, False),
        (12, 1, 12, True),
        (12, 0, 12, True),
        (13, 0, 12, False),
        (0, 4, 0, True),
        (-1, 4, 12, False),
    ],
)
def test_a_count_fits_the_bytes_left_exactly(
    count: int, minimum: int, left: int, fits: bool
) -> None:
    reader = Reader(source="a.bin")
    if fits:
        check_count(reader, bytes(5 + left), count, minimum, 5, 1)
        return
    with pytest.raises(FormatError, match=f"a count of {count} does not fit the {left} ") as caught:
        check_count(reader, bytes(5 + left), count, minimum, 5, 1)
    assert (caught.value.offset, caught.value.source) == (1, "a.bin")


def test_lists_read_the_last_byte() -> None:
    assert lists(Inline("B")).read(b"\x01\x01\x00\x02\x00", 0, Reader()) == ([Pair(1, 2)], 5)
    with pytest.raises(FormatError):
        lists(Inline("B")).read(b"\x01\x01\x00\x02", 0, Reader())
    assert lists(Inline("i")).read(b"\0\0\0\0", 0, Reader()) == ([], 4)
    with pytest.raises(FormatError, match="a count of -1"):
        lists(Inline("i")).read(b"\xff\xff\xff\xff" + bytes(99), 0, Reader())


def test_a_count_that_its_field_can_not_hold_is_an_encode_error() -> None:
    writer = Writer()
    lists(Inline("B"), Byte).write(writer, [Byte(1)] * 255)
    assert bytes(writer.out) == b"\xff" + b"\x01" * 255
    with pytest.raises(EncodeError, match="256"):
        lists(Inline("B"), Byte).write(Writer(), [Byte(1)] * 256)


class Counts(Record):
    """Counts that follow from what stands behind them."""

    pair_count: ClassVar[Annotated[u8, "how many pairs"]] = count_of("pairs")
    word_count: ClassVar[u16] = count_of("words", unit=4)
    flag: u8 = 7
    pairs: Annotated[list[Pair], Counted("pair_count")] = []
    more: Annotated[list[u8], Counted("pair_count")] = []
    words: Annotated[bytes, CountedBytes("word_count", unit=4)] = b""


def test_counts_follow_from_lists() -> None:
    counts = Counts(9, [Pair(1, 2), Pair(3, 4)], [5, 6], b"abcdefgh")
    data = bytes.fromhex("02 0200 09 0100 0200 0300 0400 05 06") + b"abcdefgh"
    assert written(counts) == data
    assert read(Counts, data) == counts
    assert (counts.pair_count, counts.word_count) == (2, 2)
    assert [field.name for field in fields_of(Counts)][:3] == ["pair_count", "word_count", "flag"]
    assert fields_of(Counts)[0].doc == "how many pairs"
    with pytest.raises(AttributeError, match="the length of pairs"):
        counts.pair_count = 3  # type: ignore[misc]
    with pytest.raises(EncodeError, match="pair_count is 2, but there are 1"):
        written(Counts(9, [Pair(), Pair()], [5]))
    with pytest.raises(EncodeError, match="expected 4 bytes, got 5"):
        written(Counts(9, [], [], b"abcde"))


def test_counts_leave_json_and_follow_there() -> None:
    scheme = Scheme()
    shown = to_jsonable(Counts(9, [Pair(1, 2)], [5], b"abcd"), scheme)
    assert list(shown) == ["flag", "pairs", "more", "words"]
    shown["pairs"] += shown["pairs"]
    shown["more"] += [6]
    assert from_jsonable(Counts, shown, scheme).pair_count == 2
    agreeing = from_jsonable(Counts, {**shown, "pair_count": 2, "word_count": 1}, scheme)
    assert (agreeing.pair_count, agreeing.word_count) == (2, 1)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ({"pair_count": 3}, "pair_count: expected 1, the length of pairs, got 3; a count may be"),
        ({"pair_count": "1"}, "pair_count: expected 1, the length of pairs, got '1'"),
        ({"word_count": 2}, "word_count: expected 1, the length of words, got 2"),
        ({"more": [5, 6]}, "more: more has 2 elements, but pairs has 1: they go together"),
        ({"pairs": []}, "more: more has 1 elements, but pairs has 0"),
    ],
)
def test_counts_that_do_not_agree_are_refused(edit: dict[str, object], message: str) -> None:
    shown = to_jsonable(Counts(9, [Pair(1, 2)], [5], b"abcd"), Scheme())
    with pytest.raises(FormatError, match=re.escape(message)):
        from_jsonable(Counts, {**shown, **edit}, Scheme())


class Stored(Record):
    """Counts that are fields of their own: one of a list, one with another meaning."""

    count: u8 = 0
    half: u8 = 0
    items: Annotated[list[u8], Counted("count")] = []
    later: Annotated[list[u8], Counted("count"), since(2)] = []
    doubled: Annotated[list[u8], Counted("half", count=lambda half: half * 2)] = []
    third: u8 = 0
    given: Annotated[list[u8], Counted("third"), When("count", bool, "if count")] = []


def test_stored_counts_follow_too() -> None:
    record = Stored(2, 1, [1, 2], [], [3, 4], 1, [9])
    assert list(to_jsonable(record, Scheme(1))) == ["half", "items", "doubled", "given"]
    assert lengths(record, 1) == {"count": {"items": 2}, "third": {"given": 1}}
    assert lengths(record, 2)["count"] == {"items": 2, "later": 0}
    made = from_jsonable(Stored, {"items": [1, 2, 3]}, Scheme(1))
    assert (made.count, made.half) == (3, 0)
    with pytest.raises(FormatError, match="later has 0 elements, but items has 3"):
        from_jsonable(Stored, {"items": [1, 2, 3]}, Scheme(2))


def test_counts_that_do_not_agree_in_the_file_are_shown_and_kept() -> None:
    record = Stored(5, 0, [1, 2])
    shown = to_jsonable(record, Scheme(1))
    assert shown["count"] == 5
    kept = from_jsonable(Stored, {"half": 0}, Scheme(1), base=record)
    assert (kept.count, kept.items) == (5, [1, 2])
    with pytest.raises(FormatError, match="count: expected 2, the length of items, got 5"):
        from_jsonable(Stored, shown, Scheme(1))


def test_lists_that_are_not_stored_count_nothing() -> None:
    assert lengths(Stored(third=3), 1) == {"count": {"items": 0}}
    assert to_jsonable(Stored(third=3), Scheme(1))["third"] == 3


def test_a_count_of_something_else_is_a_mistake_in_the_declaration() -> None:
    class Wrong(Record):
        count: ClassVar[u8] = count_of("items")
        items: Annotated[list[u8], Inline()] = []

    class Late(Record):
        count: ClassVar[u8] = count_of("items")
        items: Annotated[list[u8], Counted("count"), since(2)] = []

    class Unit(Record):
        count: ClassVar[u8] = count_of("items", unit=2)
        items: Annotated[bytes, CountedBytes("count")] = b""

    for record in (Wrong, Late, Unit):
        with pytest.raises(TypeError, match="count is not the count of items"):
            codec_for(record, 1)
    assert written(Late([1]), 2) == b"\x01\x01"


# -------------------------------------------------------------------------------- pointers


def pointed(*pointers: int, base: int = 4, tail: bytes = b"") -> bytes:
    return bytes(base) + struct.pack(f"<{len(pointers) + 1}I", len(pointers), *pointers) + tail


def test_pointers_stay_inside_the_structure() -> None:
    codec = lists(Pointers(), Byte)

    def elements(data: bytes, base: int = 4) -> tuple[list[Any], list[str]]:
        reader = Reader(base=base)
        values, _ = codec.read(data, 4, reader)
        return [None if item is None else item.value for item in values], reader.notes

    assert elements(pointed(12, tail=b"\x07")) == ([7], [])
    # as early as the base, as late as the last byte
    assert elements(pointed(4, tail=b"\x07")) == (
        [1],
        ["an element out of running order (0xc) at 0x4"],
    )
    assert elements(pointed(13, tail=b"\x07\x08")) == (
        [8],
        ["an element out of running order (0xc) at 0xd"],
    )
    assert elements(pointed(0, tail=b"\x07")) == ([None], [])
    for pointer, offset in ((3, 3), (13, None), (99, None)):
        with pytest.raises(FormatError, match=f"{pointer:#x} leads out") as caught:
            elements(pointed(pointer, tail=b"\x07"))
        assert (caught.value.path, caught.value.offset) == ("[0]", offset)


def test_two_pointers_to_one_element() -> None:
    reader = Reader()
    data = pointed(16, 16, tail=b"\x07")
    values, end = lists(Pointers(), Byte).read(data, 4, reader)
    assert values[0] is values[1] and end == len(data)
    assert reader.notes == ["two pointers to one element at 0x10"]


def test_elements_after_a_shared_one_are_read() -> None:
    data = pointed(20, 20, 21, tail=b"\x07\x08")
    values, end = lists(Pointers(), Byte).read(data, 4, Reader())
    assert [element.value for element in values] == [7, 7, 8] and end == len(data)


@pytest.mark.parametrize("alignment", [1, 2, 4, 8])
def test_pointers_are_aligned_as_the_version_says(alignment: int) -> None:
    assert Pointers().alignment(17) == 1
    codec = Pointers(align=lambda version: version)
    for count in range(4):
        writer = Writer()
        writer.out += b"..."
        items = [Byte(index + 1) for index in range(count)]
        lists(codec, Byte, alignment).write(writer, items)
        data = bytes(writer.out)
        table = struct.unpack_from(f"<{count}I", data, 7)
        assert [data[at] for at in table] == [index + 1 for index in range(count)]
        assert all(at % alignment == 0 for at in table)
        assert writer.positions["pointer"] == [7 + 4 * index for index in range(count)]
        reader = Reader()
        assert lists(codec, Byte, alignment).read(data, 3, reader) == (items, len(data))
        assert reader.notes == []
    binders = [lists(codec, Byte, version) for version in (alignment, alignment)]
    assert len({id(binder) for binder in binders}) == 2


def test_padding_before_an_element_is_noted() -> None:
    class Words(Record):
        words: Annotated[list[Pair], Inline("B")] = []

    for record, size in ((Pair, 8), (Words, 1)):
        writer = Writer()
        writer.out += b"."
        lists(Pointers(align=8), record).write(writer, [record(), record()])
        data = bytearray(writer.out)
        reader = Reader()
        lists(Pointers(align=8), record).read(bytes(data), 1, reader)
        assert reader.notes == []
        data[14] = 1  # between the table and the first element
        lists(Pointers(align=8), record).read(bytes(data), 1, reader)
        assert reader.notes == ["padding is not zero at 0xd"], size


def test_a_list_that_ends_early_names_the_element() -> None:
    writer = Writer()
    lists(Pointers()).write(writer, [Pair(1, 2), Pair(3, 4), Pair(5, 6)])
    data = bytes(writer.out)
    for length in range(16, len(data)):
        with pytest.raises(FormatError) as caught:
            lists(Pointers()).read(data[:length], 0, Reader())
        assert caught.value.path == f"[{(length - 16) // 4}]"


def test_elements_between_the_first_and_the_last_may_be_out_of_order() -> None:
    data = struct.pack("<5I8H", 4, 20, 28, 24, 32, *range(8))
    reader = Reader()
    values, end = lists(Pointers()).read(data, 0, reader)
    assert [pair.first for pair in values] == [0, 4, 2, 6] and end == len(data)
    assert reader.notes


class Leaf(Record):
    """A record of one byte that may hold others like it."""

    leaves: Annotated[list["Leaf"], Inline("B")] = []


def test_a_record_inside_itself_may_be_one_byte_long() -> None:
    leaf = Leaf([Leaf(), Leaf([Leaf()])])
    assert written(leaf) == b"\2\0\1\0" and read(Leaf, b"\2\0\1\0") == leaf
    many = Leaf([Leaf()] * 100)  # levels count, not elements
    assert read(Leaf, written(many)) == many
    with pytest.raises(FormatError, match="a count of 2 does not fit the 1 "):
        read(Leaf, b"\2\0")


def test_an_empty_element_keeps_the_others_in_place() -> None:
    writer = Writer()
    items = [Pair(1, 2), None, Pair(3, 4)]
    lists(Pointers()).write(writer, items)
    assert bytes(writer.out) == struct.pack("<4I4H", 3, 16, 0, 20, 1, 2, 3, 4)
    assert lists(Pointers()).read(bytes(writer.out), 0, Reader()) == (items, 24)


def test_a_pointer_leads_to_a_record() -> None:
    with pytest.raises(TypeError, match="not to a number"):
        bind(Pointers().with_element(FixedCodec("B", "u8")))
    with pytest.raises(TypeError, match="can't be an element"):
        bind(Inline())


class Far(Record):
    """A structure behind a pointer."""

    inner: Annotated[Byte | None, Deferred(Embedded(Byte), align=4)] = None
    mark: u8 = 0xEE


def test_a_deferred_structure_stands_behind_the_record() -> None:
    data = b"\x08\0\0\0\xee\0\0\0\x07"
    assert written(Far(Byte(7))) == data
    assert read(Far, data) == Far(Byte(7))
    assert written(Far()) == b"\0\0\0\0\xee"
    reader = Reader(base=4)
    moved, _ = codec_for(Far).read(b"....\x0a\0\0\0\xee\0\x07", 4, reader)
    assert moved == Far(Byte(7)) and reader.notes
    for pointer in (3, 11):
        with pytest.raises(FormatError, match="leads out"):
            codec_for(Far).read(b"...." + bytes([pointer]) + b"\0\0\0\xee\0\x07", 4, Reader(base=4))


# --------------------------------------------------------------------------------- streams


@given(st.integers(0, 40), st.integers(1, 16), st.integers(0, 16))
def test_padding_ends_at_a_multiple(position: int, alignment: int, behind: int) -> None:
    end = -(-position // alignment) * alignment
    reader = Reader()
    assert reader.skip_padding(bytes(end + behind), position, alignment) == end
    assert reader.notes == []
    if end > position:
        with pytest.raises(FormatError, match="the data ends here"):
            reader.skip_padding(bytes(end - 1), position, alignment)
        for at in (position, end - 1):
            reader = Reader()
            data = bytearray(end + behind)
            data[at] = 1
            assert reader.skip_padding(data, position, alignment) == end
            assert reader.notes == [f"padding is not zero at {position:#x}"]
        around = bytearray(b"\x01" * (end + 1))
        around[position:end] = bytes(end - position)
        reader = Reader()
        reader.skip_padding(around, position, alignment)
        assert reader.notes == []


def test_notes_are_bounded() -> None:
    reader = Reader()
    for index in range(101):
        reader.note("odd", index)
    assert len(reader.notes) == 100
    assert reader.notes[98:] == ["odd at 0x62", "more places follow"]


def test_reading_out_of_turn_is_bounded() -> None:
    reader = Reader()
    reader.charge(b"abc", 4 * 3 + 65536, 0)
    with pytest.raises(FormatError, match="overlap"):
        reader.charge(b"abc", 1, 0)


def test_nesting_is_bounded() -> None:
    reader = Reader()
    for _ in range(64):
        reader.enter(0)
    with pytest.raises(FormatError, match="64 levels"):
        reader.enter(5)


# ------------------------------------------------------------------------ bytes and texts

ROUND_TRIPS: list[tuple[VariableCodec[Any], Any, bytes]] = [
    (SizedBytes(), b"ab", b"\x02\0\0\0ab"),
    (SizedBytes("B"), b"", b"\0"),
    (SizedText("H"), "aé", b"\x03\0a\xc3\xa9"),
    (SizedText("B"), "\udc80", b"\x01\x80"),
    (NulText(), "aé", b"a\xc3\xa9\0"),
    (NulText(), "", b"\0"),
    (Rest(), b"abc", b"abc"),
    (OneOf(1, -2), -2, b"\xfe\xff\xff\xff"),
    (CountedBytes(count=lambda: 2, unit=3), b"abcdef", b"abcdef"),
]


@pytest.mark.parametrize(("codec", "value", "data"), ROUND_TRIPS)
def test_bytes_and_texts(codec: VariableCodec[Any], value: Any, data: bytes) -> None:
    writer = Writer()
    codec.write(writer, value)
    assert bytes(writer.out) == data
    behind = b"" if isinstance(codec, Rest) else b"\x55"
    for view in (bytes, bytearray, memoryview):
        assert codec.read(view(b"." + data + behind), 1, Reader()) == (value, 1 + len(data))
    assert codec.minimum <= len(data)
    scheme = Scheme()
    assert codec.from_jsonable(codec.to_jsonable(value, scheme), scheme) == value
    for length in range(0 if isinstance(codec, Rest) else len(data)):
        with pytest.raises(FormatError) as caught:
            codec.read(b"." + data[:length], 1, Reader(source="x"))
        assert caught.value.source == "x"


def test_a_long_text_in_a_view() -> None:
    for length in (63, 64, 65, 319, 320, 321, 5000):
        data = memoryview(b"x" * length + b"\0\0")
        assert NulText().read(data, 0, Reader()) == ("x" * length, length + 1)


@pytest.mark.parametrize(
    ("codec", "value"),
    [
        (SizedBytes("B"), b"x" * 256),
        (SizedText("B"), "x" * 256),
        (NulText(), "a\0b"),
        (SizedText(), "\ud800"),
        (OneOf(1), 2),
        (CountedBytes(count=lambda: 2), b"abc"),
        (CountedBytes(count=lambda: 2), b"a"),
    ],
)
def test_what_can_not_be_written(codec: VariableCodec[Any], value: Any) -> None:
    with pytest.raises(EncodeError):
        codec.write(Writer(), value)


def test_a_negative_size_is_refused() -> None:
    with pytest.raises(FormatError, match="a length of 3 does not fit the 2 bytes left") as caught:
        SizedBytes("B").read(b"..\x03ab", 2, Reader())
    assert caught.value.offset == 2
    with pytest.raises(FormatError, match="-1"):
        SizedBytes("i").read(b"\xff\xff\xff\xff" + bytes(9), 0, Reader())
    with pytest.raises(FormatError, match="-3 bytes"):
        CountedBytes("n", unit=3).read(bytes(9), 0, Reader(), -1)


@pytest.mark.parametrize("value", [3, None, ["a"]])
def test_wrong_json_for_bytes_and_texts(value: object) -> None:
    for codec in (SizedBytes(), SizedText()):
        with pytest.raises(FormatError, match=r"expected (a text|hexadecimal bytes), got"):
            codec.from_jsonable(value, Scheme())
    with pytest.raises(FormatError, match="hexadecimal"):
        SizedBytes().from_jsonable("0g", Scheme())


def test_media_are_counted() -> None:
    writer = Writer()
    SizedBytes(media=True).write(writer, b"abc")
    SizedBytes().write(writer, b"de")
    CountedBytes("n", media=True).write(writer, b"fgh", 3)
    assert writer.media == 6


def test_a_constant() -> None:
    codec = Constant(b"\x01\x02", "the mark")
    assert codec.read(b"\x01\x02\x03", 0, Reader()) == (None, 2)
    for data in (b"\x01\x03", b"\x01", b""):
        with pytest.raises(FormatError, match="the mark is missing"):
            codec.read(data, 0, Reader())
    assert codec.minimum == 2 and codec.type_name() == "the mark (01 02)"


class Table(Record):
    width: u8 = 0
    height: u8 = 0
    cells: Annotated[Any, Numbers("H", "width", "height")] = array("H")
    padding: Annotated[None, Padding(4)] = None


def test_numbers() -> None:
    table = Table(2, 1, array("H", [1, 65535]))
    data = b"\x02\x01\x01\x00\xff\xff\0\0"
    assert written(table) == data and read(Table, data) == table
    with pytest.raises(FormatError, match="4 bytes do not fit the 3 bytes left"):
        read(Table, data[:5])
    with pytest.raises(EncodeError, match="expected 2 numbers, got 1"):
        written(Table(2, 1, array("H", [1])))
    with pytest.raises(EncodeError, match="does not fit"):
        written(Table(1, 1, array("l", [70000])))
    assert to_jsonable(table, Scheme()) == {"width": 2, "height": 1, "cells": [1, 65535]}
    with pytest.raises(FormatError, match="cells: expected a list of numbers"):
        from_jsonable(Table, {"cells": [70000]}, Scheme())


# ------------------------------------------------------------------- lists without counts


def test_a_list_to_the_end() -> None:
    data = b"\x01\0\x02\0\x03\0\x04\0"
    pairs = [Pair(1, 2), Pair(3, 4)]
    for whole in (False, True):
        assert lists(ToEnd(whole=whole)).read(data, 0, Reader()) == (pairs, 8)
        assert lists(ToEnd(whole=whole)).read(b"", 0, Reader()) == ([], 0)
    assert lists(ToEnd(whole=True)).read(data[:7], 0, Reader()) == (pairs[:1], 4)
    with pytest.raises(FormatError) as caught:
        lists(ToEnd()).read(data[:7], 0, Reader())
    assert caught.value.path == "[1]"
    with pytest.raises(FormatError, match="takes no bytes"):
        bind(ToEnd().with_element(CountedBytes(count=lambda: 0))).read(b"a", 0, Reader())


def test_a_list_of_fixed_length() -> None:
    codec = lists(Times(2))
    assert codec.read(b"\x01\0\x02\0\x03\0\x04\0", 0, Reader())[1] == 8
    with pytest.raises(FormatError, match="a count of 2"):
        codec.read(b"\x01\0\x02\0\x03\0\x04", 0, Reader())
    for count in (1, 3):
        with pytest.raises(EncodeError, match=f"the count is 2, but there are {count}"):
            codec.write(Writer(), [Pair()] * count)


def test_a_computed_count_names_what_it_comes_from() -> None:
    codec = lists(Counted("flags", count=sum))
    with pytest.raises(EncodeError, match="the count by flags is 3, but there are 1"):
        codec.write(Writer(), [Pair()], [1, 2])


def test_an_element_that_fails_is_named() -> None:
    class Texts(Record):
        texts: Annotated[list[Annotated[str, NulText()]], Inline("B")] = []

    with pytest.raises(EncodeError) as caught:
        written(Texts(["a", "b\0"]))
    assert caught.value.path == "texts[1]"
    with pytest.raises(FormatError) as failed:
        read(Texts, b"\x02a\0b")
    assert failed.value.path == "texts[1]"


# ------------------------------------------------------------------ presence and versions


class Optional(Record):
    width: u8 = 0
    height: u8 = 0
    pixels: Annotated[bytes | None, IfPresent(SizedBytes("B"), "width", "height")] = None
    names: Annotated[
        list[u8], IfPresent(Inline("B"), "width", present=lambda width: width > 1, empty=list)
    ] = []


def test_a_field_depends_on_others() -> None:
    assert read(Optional, b"\x01\x01\x02ab") == Optional(1, 1, b"ab")
    assert read(Optional, b"\x02\x00\x01\x05") == Optional(2, 0, None, [5])
    assert written(Optional(2, 1, b"a", [5])) == b"\x02\x01\x01a\x01\x05"
    for record in (Optional(1, 0, b"a"), Optional(1, 1), Optional(1, 0, None, [5])):
        with pytest.raises(EncodeError, match="does not agree with width"):
            written(record)
    shown = to_jsonable(Optional(2, 1, b"a", [5]), Scheme())
    assert shown == {"width": 2, "height": 1, "pixels": "61", "names": [5]}
    assert from_jsonable(Optional, shown, Scheme()) == Optional(2, 1, b"a", [5])
    with pytest.raises(TypeError, match="declared with When"):
        bind(IfPresent(FixedCodec("B", "u8"), "width"))


class Shapes(Record):
    kind: Annotated[str, NulText()] = ""
    shape: Annotated[
        Any, Switch("kind", {"B": Byte, "P": Pair}, key=str.upper, unknown="unknown shape")
    ] = None


def test_an_unknown_case_is_refused() -> None:
    assert read(Shapes, b"b\0\x07") == Shapes("b", Byte(7))
    assert written(Shapes("p", Pair(1, 2))) == b"p\0\x01\0\x02\0"
    with pytest.raises(FormatError, match="unknown shape x"):
        read(Shapes, b"x\0\x07")
    for record in (Shapes("x"), Shapes("b")):
        with pytest.raises(EncodeError, match="unknown shape"):
            written(record)
    assert fields_of(Shapes)[1].codec.type_name() == "by kind: Byte, Pair"
    plain = {"kind": "p", "shape": {"first": 1}}
    assert from_jsonable(Shapes, plain, Scheme()) == Shapes("p", Pair(1))


class Changing(Record):
    """A record whose layout depends on the version in every way."""

    always: u8 = 0
    aligned: Annotated[u8, Align(4, since(3))] = 0
    stored: Annotated[Any, by_version((2, Bytes(1)), (5, SizedBytes("B")), last=SizedText("B"))] = (
        b""
    )
    late: Annotated[u8, since(4)] = 0
    early: Annotated[u8, before(2), only(0, 1)] = 0
    given: Annotated[u8, When("always", bool, "if always")] = 0


def test_each_version_has_its_layout() -> None:
    codecs = [codec_for(Changing, version) for version in range(7)]
    assert [codecs.index(codec) for codec in codecs] == [0, 0, 2, 3, 4, 5, 5]
    texts = {0: b"a", 1: b"a", 2: b"a", 3: b"a", 4: b"a", 5: "a", 6: "a"}
    sizes = {}
    for version, text in texts.items():
        for always in (0, 1):
            record = Changing(always, 2, text, 0, 0, 9 * always)
            data = written(record, version)
            assert read(Changing, data, version) == record
            sizes[version, always] = len(data)
    assert [sizes[version, 0] for version in texts] == [4, 4, 4, 7, 8, 8, 8]
    assert all(sizes[version, 1] == sizes[version, 0] + 1 for version in texts)


def test_conditions_combine() -> None:
    both = since(2) & before(4)
    assert [version for version in range(6) if both.holds(version)] == [2, 3]
    assert both.words == "since 2, before 4"
    assert [version for version in range(6) if (~both).holds(version)] == [0, 1, 4, 5]
    either = Either(Condition(lambda version: version > 1, "later"), Bytes(1), Bytes(2))
    assert [either.choose(version).type_name() for version in (1, 2)] == ["2 bytes", "1 bytes"]


# ------------------------------------------------------------------------------------ JSON


@given(FLOATS)
@example(0.1)
@example(1 / 3)
@example(16777216.0)
@example(-0.0)
@example(1.17549435e-38)
def test_floats_are_shown_shortest_and_read_exactly(value: float) -> None:
    (value,) = struct.unpack("<f", struct.pack("<f", value))
    shown = show_float(value)
    back = read_float(shown)
    assert struct.pack("<f", back) == struct.pack("<f", value)
    assert read_float(show_float(value, "d"), "d") == value
    if math.isfinite(value):
        assert isinstance(shown, float)
        digits = next(
            count
            for count in (6, 7, 8, 9)
            if struct.pack("<f", float(f"{value:.{count}g}")) == struct.pack("<f", value)
        )
        assert shown == (float(f"{value:.{digits}g}") if digits < 9 else value)


def test_numbers_that_json_has_no_word_for() -> None:
    assert [show_float(math.inf), show_float(-math.inf)] == ["inf", "-inf"]
    assert [read_float("inf"), read_float("-inf")] == [math.inf, -math.inf]
    assert show_float(RawFloat(0x7FA00001)) == "nan:7fa00001"
    assert read_float("nan:7fa00001") == RawFloat(0x7FA00001)
    assert show_float(math.nan) == "nan:7fc00000"
    shown = show_float(math.nan, "d")
    assert shown == "nan:7ff8000000000000" and math.isnan(read_float(shown, "d"))
    assert show_float(1e300) == 1e300
    for wrong in ("nan:x", "one", True, None, 1e300):
        with pytest.raises(FormatError):
            read_float(wrong)
    assert read_float(1e300, "d") == 1e300
    with pytest.raises(FormatError, match="too large"):
        read_float(10**400, "d")


class Colour(IntEnum):
    RED = 0
    GREEN = 5


class Flags(IntFlag):
    ONE = 1
    TWO = 2
    BOTH = 3
    SEVERAL = 0x64


def test_named_numbers() -> None:
    assert [show_enum(Colour, 5), show_enum(Colour, 6)] == ["green", 6]
    assert show_enum(Flags, 0) == []
    assert show_enum(Flags, 2 | 16) == ["two", 16]
    assert show_enum(Flags, 3) == ["one", "two"]
    assert show_enum(Flags, 0x64 | 1) == ["one", "several"]
    assert show_enum(Flags, 0x24) == [0x24]  # a part of it has no name
    for value in (0, 1, 2, 3, 18, 0x64, 0x65):
        assert read_enum(Flags, show_enum(Flags, value)) == value
    assert [read_enum(Colour, "green"), read_enum(Colour, 9)] == [5, 9]
    with pytest.raises(FormatError, match="'blue' is not one of red, green"):
        read_enum(Colour, "blue")
    for wrong in (True, None, 1.5):
        with pytest.raises(FormatError, match="expected a name or a number"):
            read_enum(Colour, wrong)


class Plain(Record):
    """One field of each kind of JSON."""

    number: i16 = 0
    yes: b8 = False
    colour: Annotated[int, enum32(Colour)] = 0
    raw: Annotated[bytes, Bytes(2)] = b"\0\0"
    single: f32 = 0.0
    double: f64 = 0.0
    many: Annotated[list[u8], Inline()] = []


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("number", 32768, "32768 does not fit i16"),
        ("number", "1", "expected a number"),
        ("raw", "00", "expected 2 bytes, got 1"),
        ("raw", "zz00", "expected hexadecimal bytes"),
        ("single", 1e39, "too large"),
        ("many", {}, "expected a list"),
        ("many", [1, 256], "256 does not fit u8"),
        ("colour", "pink", "is not one of"),
        ("no", 1, "has no such key"),
    ],
)
def test_wrong_json_says_where(key: str, value: object, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        from_jsonable(Plain, {key: value}, Scheme())
    assert caught.value.path == key + "[1]" * (value == [1, 256])
    with pytest.raises(FormatError, match="expected an object with the fields of Plain"):
        from_jsonable(Plain, [], Scheme())


def test_json_leaves_out_defaults_and_keeps_a_base() -> None:
    base = Plain(5, True, 5, b"ab", 0.5, 0.25, [1])
    short = Scheme(omit_defaults=True)
    assert to_jsonable(Plain(), short).keys() == {"raw"}
    assert to_jsonable(base, short) == to_jsonable(base, Scheme())
    changed = from_jsonable(Plain, {"number": 6}, Scheme(), base=base)
    assert (changed.number, changed.raw, changed.many) == (6, b"ab", [1])
    assert from_jsonable(Plain, {"extra": 1}, Scheme(), extra=frozenset({"extra"})) == Plain()
    assert to_jsonable(Plain(yes=2), Scheme())["yes"] == 2  # type: ignore[arg-type]


class Maybe(Record):
    remark: str = ""  # not stored
    number: u8 | None = None
    point: Pair | None = None


def test_optional_annotations_name_the_same_codec() -> None:
    assert [field.codec.type_name() for field in fields_of(Maybe)] == ["u8", "Pair"]
    assert to_jsonable(Maybe(), Scheme()) == {"number": None, "point": None}
    assert to_jsonable(Maybe(), Scheme(omit_defaults=True)) == {}
    assert to_jsonable(Maybe("", 3), Scheme(omit_defaults=True)) == {"number": 3}


class Named(Record):
    name: Annotated[Any, FixedCodec("I", "word", kind="word")] = None
    others: Annotated[
        list[Annotated[Any, FixedCodec("H", "word", kind="word", patched=True)]], Inline()
    ] = []


class Words(dict[int, str]):
    def __missing__(self, number: int) -> str:
        raise FormatError(f"no word {number}")


class Linked(Record):
    number: u8 = 0
    owner: Annotated[Plain | None, NotStored()] = None


def test_a_record_that_is_not_stored_is_no_field() -> None:
    assert [field.name for field in fields_of(Linked)] == ["number"]


def test_resolved_values_go_through_tables_and_encoders() -> None:
    encode: dict[str, Callable[[Any], int]] = {"word": len}
    writer = Writer(encoders=encode)
    codec_for(Named).write(writer, Named("a", ["bb", "a"]))
    data = bytes(writer.out)
    assert data == b"\x01\0\0\0\x02\0\0\0\x02\0\x01\0"
    assert writer.positions == {"word": [8, 10]}
    reader = Reader(tables={"word": Words({1: "a", 2: "bb"})})
    assert codec_for(Named).read(data, 0, reader) == (Named("a", ["bb", "a"]), 12)
    for at, path in ((0, "name"), (10, "others[1]")):
        broken = bytearray(data)
        broken[at] = 9
        with pytest.raises(FormatError, match="no word 9") as caught:
            codec_for(Named).read(bytes(broken), 0, reader)
        assert (caught.value.path, caught.value.offset) == (path, at)
    scheme = Scheme(show={"word": str.upper}, read={"word": str.lower})
    shown = to_jsonable(Named("a", ["b"]), scheme)
    assert shown == {"name": "A", "others": ["B"]}
    assert from_jsonable(Named, shown, scheme) == Named("a", ["b"])


class Shouted(Record):
    word: Annotated[Any, FixedCodec("I", "word", kind="word", shown=str.upper)] = None
    more: Annotated[
        list[Annotated[Any, FixedCodec("I", "word", kind="word", shown=str.upper)]], Inline()
    ] = []


def test_attributes_show_values_and_elements_as_the_codec_says() -> None:
    data = b"\x01\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0"
    reader = Reader(tables={"word": Words({1: "a", 2: "bb"})})
    record, _ = codec_for(Shouted).read(data, 0, reader)
    assert (record.word, record.more) == ("A", ["BB", "A"])
    record.word = "c"
    record.more.append("d")
    assert (record.word, record.more) == ("C", ["BB", "A", "D"])


class Link(Record):
    before: u8 = 0
    word: Annotated[Any, FixedCodec("H", "word", kind="word", patched=True)] = None


def test_numbers_to_settle_are_found_in_every_element_of_a_list() -> None:
    """A list of records of one size is written as one block."""
    writer = Writer(encoders={"word": len})
    lists(Inline("B"), Link).write(writer, [Link(9, "a"), Link(8, "bb"), Link(7, "ccc")])
    assert bytes(writer.out) == b"\3\x09\1\0\x08\2\0\x07\3\0"
    assert writer.positions == {"word": [2, 5, 8]}


@pytest.mark.parametrize(
    ("format", "found"),
    [("f", [(0, 0)]), ("<12sf", [(1, 12)]), ("<2H10f", [(n + 2, 4 * n + 4) for n in range(10)]),
     ("<3xfB", [(0, 3)]), ("<d", [])],
)  # fmt: skip
def test_where_the_floats_of_a_format_are(format: str, found: list[tuple[int, int]]) -> None:
    assert float_offsets(format) == found
