"""The rules of extension blocks, in every home they have: good lists and bad ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overhaul.ags.blocks import (
    GAME,
    OLD_ROOM,
    ROOM,
    TRANSLATION,
    Block,
    BlockFormat,
    BlockList,
    read_blocks,
)
from overhaul.errors import EncodeError, FormatError

FORMATS = [GAME, ROOM, OLD_ROOM, TRANSLATION]
NAME = b"v360_fonts".ljust(16, b"\0")


def u64(value: int) -> bytes:
    return value.to_bytes(8, "little")


def u32(value: int) -> bytes:
    return value.to_bytes(4, "little")


@pytest.mark.parametrize(
    ("format", "data", "ids", "contents"),
    [
        pytest.param(GAME, b"\xff", [], [], id="an empty list is its end marker"),
        pytest.param(
            GAME,
            b"\0" + NAME + u64(3) + b"abc" + b"\xff",
            ["v360_fonts"],
            [b"abc"],
            id="a string id and 8 bytes of length",
        ),
        pytest.param(
            GAME,
            b"\0" + b"sixteen_letters!" + u64(0) + b"\xff",
            ["sixteen_letters!"],
            [b""],
            id="all 16 bytes of an id without a NUL",
        ),
        pytest.param(
            GAME,
            b"\x07" + u64(2) + b"ab" + b"\xff",
            [7],
            [b"ab"],
            id="a number in game data has 8 bytes of length",
        ),
        pytest.param(
            OLD_ROOM,
            b"\x01" + u32(2) + b"ab" + b"\x08" + u32(0) + b"\xff",
            [1, 8],
            [b"ab", b""],
            id="a number in an old room has 4 bytes of length",
        ),
        pytest.param(
            OLD_ROOM,
            b"\0" + NAME + u64(1) + b"x" + b"\xff",
            ["v360_fonts"],
            [b"x"],
            id="a string id in an old room has 8 bytes of length all the same",
        ),
        pytest.param(
            ROOM,
            b"\x01" + u64(2) + b"ab" + b"\0" + NAME + u64(1) + b"x" + b"\xff",
            [1, "v360_fonts"],
            [b"ab", b"x"],
            id="numbers and texts in one room",
        ),
        pytest.param(
            TRANSLATION,
            u32(2) + u32(1) + b"x" + u32(0) + NAME + u64(1) + b"y" + b"\xff" * 4,
            [2, "v360_fonts"],
            [b"x", b"y"],
            id="4-byte ids and lengths in a translation",
        ),
        pytest.param(
            ROOM,
            b"\x01" + u64(1) + b"a" + b"\x01" + u64(1) + b"b" + b"\xff",
            [1, 1],
            [b"a", b"b"],
            id="doubles stay",
        ),
        pytest.param(
            GAME,
            b"\0" + b"ab\0junk after it" + u64(0) + b"\xff",
            ["ab"],
            [b""],
            id="bytes after an id's NUL stay",
        ),
        pytest.param(
            GAME,
            b"\x05" + u64(1) + b"\xff" + b"\xff",
            [5],
            [b"\xff"],
            id="0xFF inside a block ends nothing",
        ),
    ],
)
def test_good_lists(
    format: BlockFormat, data: bytes, ids: list[object], contents: list[bytes]
) -> None:
    blocks = read_blocks(data + b"what follows", format)
    assert blocks.ids == ids
    assert [block.data for block in blocks] == contents
    assert blocks.to_bytes() == data
    assert blocks.size == len(data)


@pytest.mark.parametrize(
    ("format", "data", "message", "offset"),
    [
        pytest.param(GAME, b"", "the end of the list", 0, id="no end marker at all"),
        pytest.param(
            ROOM, b"\x01" + u64(1) + b"a", "the end of the list", 10, id="no end after a block"
        ),
        pytest.param(GAME, b"\0v360", "a string id", 1, id="the end inside a string id"),
        pytest.param(GAME, b"\0" + NAME + b"\1\0", "a block length", 17, id="inside a length"),
        pytest.param(OLD_ROOM, b"\x01\x02", "a block length", 1, id="inside a short length"),
        pytest.param(
            OLD_ROOM, b"\x01" + u32(9) + b"abc\xff", "says 9 bytes where 4", 0, id="too long"
        ),
        pytest.param(
            GAME,
            b"\0" + NAME + b"\xff" * 8 + b"abc\xff",
            "where 4 are left",
            0,
            id="a length of 2**64 - 1",
        ),
        pytest.param(
            TRANSLATION, b"\xfe\xff\xff\xff", "not a valid block id: -2", 0, id="a negative id"
        ),
        pytest.param(TRANSLATION, b"\xff\xff\xff", "the end of the list", 0, id="half an end"),
    ],
)
def test_bad_lists(format: BlockFormat, data: bytes, message: str, offset: int) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        read_blocks(data, format)
    assert caught.value.offset == offset


def test_the_end_marker_of_another_home_does_not_end_the_list() -> None:
    with pytest.raises(FormatError):
        read_blocks(b"\xff", TRANSLATION)


def test_ids_that_the_engine_would_take_for_the_end_give_a_warning() -> None:
    data = b"\xc8" + u64(1) + b"x" + b"\xff"
    blocks = read_blocks(data, ROOM)
    assert blocks.ids == [200]
    assert len(blocks.findings) == 1 and "200" in blocks.findings[0].message
    assert blocks.to_bytes() == data


def test_reading_a_block_keeps_to_its_bounds() -> None:
    blocks = read_blocks(b"\x05" + u64(6) + b"\x07\0\0\0ab" + b"\xff", GAME)
    reader = blocks[5].reader()
    assert reader.integer() == 7
    assert reader.remaining == 2
    with pytest.raises(FormatError, match="past the end of the block") as caught:
        reader.read(3)
    assert caught.value.offset == 4 and "5" in caught.value.path
    with pytest.raises(FormatError):
        reader.read(-1)
    assert reader.read(1) == b"a"
    assert reader.finish() == ["block 5: 1 bytes at its end were not read and are skipped"]
    assert reader.finish() == [] and reader.remaining == 0


def test_editing() -> None:
    blocks = BlockList(GAME)
    blocks.add("first", b"1")
    blocks.add("third", b"3")
    blocks.add(2, b"2", at=1)
    assert blocks.ids == ["first", 2, "third"]
    assert "FIRST" in blocks and 2 in blocks and 3 not in blocks and len(blocks) == 3
    blocks.replace("Third", b"three")
    assert blocks["third"].data == b"three"
    assert blocks.remove(2).data == b"2"
    assert blocks.get(2) is None
    again = read_blocks(blocks.to_bytes(), GAME)
    assert [(b.id, b.data) for b in again] == [("first", b"1"), ("third", b"three")]
    with pytest.raises(EncodeError, match="already"):
        blocks.add("FIRST", b"")
    with pytest.raises(KeyError):
        blocks.replace("second", b"")
    with pytest.raises(KeyError):
        blocks.remove(9)


def test_removing_takes_the_block_itself_and_not_an_equal_one() -> None:
    data = b"\x01" + u64(0) + b"\x02" + u64(0) + b"\x01" + u64(0) + b"\xff"
    blocks = read_blocks(data, ROOM)
    last = blocks.blocks[2]
    blocks.remove(1)
    assert blocks.ids == [2, 1] and blocks.blocks[1] is last


@pytest.mark.parametrize(
    ("format", "id"), [(GAME, 0), (GAME, -1), (GAME, 255), (ROOM, "seventeen letters"), (GAME, "€")]
)
def test_ids_that_no_list_can_hold(format: BlockFormat, id: int | str) -> None:
    with pytest.raises(EncodeError):
        BlockList(format).add(id, b"")


def test_large_numbers_fit_translations_only() -> None:
    assert read_blocks(
        BlockList(TRANSLATION, [Block.of(1 << 30, b"x")]).to_bytes(), TRANSLATION
    ).ids == [1 << 30]
    with pytest.raises(EncodeError):
        BlockList(GAME, [Block.of(1 << 30, b"x")]).to_bytes()


numbers = st.integers(1, 0xFE)
names = st.binary(min_size=16, max_size=16)
blocks = st.one_of(
    st.builds(Block, numbers, st.just(b""), st.binary(max_size=40)),
    st.builds(Block, st.just(0), names, st.binary(max_size=40)),
)


@given(st.sampled_from(FORMATS), st.lists(blocks, max_size=8), st.binary(max_size=9))
def test_any_list_reads_as_it_was_written(
    format: BlockFormat, content: list[Block], after: bytes
) -> None:
    written = BlockList(format, content)
    data = written.to_bytes()
    found = read_blocks(b"ab" + data + after, format, 2)
    assert found.blocks == content
    assert found.size == written.size == len(data)
    assert found.to_bytes() == data


@given(st.sampled_from(FORMATS), st.lists(blocks, max_size=4), st.integers(0, 200))
def test_a_list_cut_anywhere_is_an_error(
    format: BlockFormat, content: list[Block], cut: int
) -> None:
    data = BlockList(format, content).to_bytes()
    with pytest.raises(FormatError):
        read_blocks(data[: cut % len(data)], format)


@given(st.sampled_from(FORMATS), st.binary(max_size=80))
def test_any_bytes_are_read_exactly_or_refused(format: BlockFormat, data: bytes) -> None:
    try:
        found = read_blocks(data, format)
    except FormatError as error:
        assert error.offset is None or error.offset <= len(data)
    else:
        assert found.to_bytes() == data[: found.size]
