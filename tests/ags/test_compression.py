"""LZW and RLE: both ways, and streams that lie."""

from __future__ import annotations

import random
from functools import cache

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ags_lzw_trees import compress_with_trees
from overhaul.ags import compression
from overhaul.ags.compression import (
    WINDOW,
    compress_rle,
    decompress_lzw,
    decompress_lzw_one_by_one,
    decompress_rle,
    measure_rle,
)
from overhaul.ags.lzw_encoder import _MIXER, _sorted, compress_lzw
from overhaul.ags.lzw_fast import compress_lzw_fast, decompress_lzw_fast
from overhaul.errors import FormatError

data = st.one_of(
    st.binary(max_size=400),
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 300)), max_size=8).map(
        lambda runs: b"".join(bytes([value]) * count for value, count in runs)
    ),
)


@given(data, st.booleans())
def test_lzw_round_trip(plain: bytes, signed: bool) -> None:
    packed = compress_lzw(plain, signed=signed)
    assert decompress_lzw(packed, len(plain)) == plain
    assert len(packed) <= len(plain) * 9 / 8 + 1


def test_lzw_by_hand() -> None:
    # three literals, then "abc" again with an overlap: distance 3, length 6
    packed = bytes([0b1000]) + b"abc" + ((6 - 3) << 12 | 2).to_bytes(2, "little")
    assert decompress_lzw(packed, 9) == b"abcabcabc"


def test_lzw_window_begins_with_zeros() -> None:
    packed = bytes([1]) + (0xF << 12 | 4095).to_bytes(2, "little")
    assert decompress_lzw(packed, 18) == bytes(18)


def test_lzw_reaches_back_through_the_whole_window() -> None:
    plain = b"start" + bytes(range(256)) * 16
    assert decompress_lzw(compress_lzw(plain), len(plain)) == plain


def test_lzw_signed_and_unsigned_differ_in_the_match_alone() -> None:
    # Only once the window moves on does the order of the trees decide between equal matches.
    plain = bytes(random.Random(1).choices(b"\0\1\x7f\x80\xff", k=9000))
    first, second = compress_lzw(plain, signed=True), compress_lzw(plain)
    assert first != second and len(first) == len(second)
    assert decompress_lzw(first, len(plain)) == decompress_lzw(second, len(plain)) == plain


def _texture(chance: random.Random, size: int) -> bytes:
    """Bytes with repeats near and far, of one of four kinds."""
    kind = chance.randrange(4)
    if kind == 0:
        return bytes(chance.choices(b"\0\1\x7f\x80\xff", k=size))
    parts = [chance.randbytes(chance.randrange(1, 40)) for _ in range(chance.randrange(2, 30))]
    made = bytearray()
    while len(made) < size:
        if kind == 1:
            made += bytes([chance.randrange(256)]) * chance.randrange(1, 300)
        else:
            made += chance.choice(parts) if kind == 2 else chance.randbytes(3) + bytes(1)
    return bytes(made[:size])


@pytest.mark.parametrize("seed", range(40))
def test_lzw_chooses_as_the_trees_of_the_editors_do(seed: int) -> None:
    """Before and after places leave the window, and at the end, where fewer bytes are compared."""
    chance = random.Random(seed)
    plain = _texture(chance, chance.choice([chance.randrange(1, 60), chance.randrange(4070, 9500)]))
    for signed in (False, True):
        assert compress_lzw(plain, signed=signed) == compress_with_trees(plain, signed=signed)


@given(data, st.booleans())
def test_lzw_of_few_bytes_is_as_the_trees_make_it(plain: bytes, signed: bool) -> None:
    assert compress_lzw(plain, signed=signed) == compress_with_trees(plain, signed=signed)


def test_lzw_goes_on_from_piece_to_piece() -> None:
    chance = random.Random(7)
    plain = b"".join(_texture(chance, 5000) for _ in range(15))  # pieces have 32768 bytes
    assert compress_lzw(plain) == compress_with_trees(plain)


@pytest.mark.parametrize("seed", [310, 315, 359, 569, 1514])
def test_lzw_at_its_end_takes_nodes_that_would_leave_then(seed: int) -> None:
    chance = random.Random(seed)
    size = chance.randrange(4083, 4115)
    part = bytes(chance.choices(b"ab", k=chance.randrange(2, 9)))
    plain = bytearray(chance.choices(b"ab", k=size))
    plain[size - 40 :] = (part * 30)[:40]
    start = chance.randrange(1, 30)
    plain[start : start + 40] = (part * 30)[:40]
    assert compress_lzw(bytes(plain)) == compress_with_trees(bytes(plain))


@pytest.mark.parametrize("gap", [4079, 4080, 4081])
def test_lzw_reaches_as_far_as_the_editors_do(gap: int) -> None:
    noise = random.Random(gap).randbytes(gap)
    plain = noise + noise[:200] + noise
    assert compress_lzw(plain) == compress_with_trees(plain)


def test_places_are_reported_apart_whose_bytes_mix_to_one_number() -> None:
    low = numpy.array([3, 5, 3, 5], numpy.uint64)
    high = numpy.array([9, 0, 9, 0], numpy.uint64)
    mixed = low * _MIXER
    high[1::2] = high[::2] ^ mixed[::2] ^ mixed[1::2]
    order, same = _sorted(low, high)
    assert sorted(order[:2].tolist()) in ([0, 2], [1, 3])
    assert same.tolist() == [True, False, True]


def test_lzw_gives_no_more_than_asked() -> None:
    assert decompress_lzw(compress_lzw(b"hello hello hello"), 5) == b"hello"


@pytest.mark.parametrize(
    ("packed", "size"),
    [(b"", 1), (b"\0abc", 4), (b"\1\0", 3), (b"\0a", 1 << 40), (b"\0a", -1)],
)
def test_lzw_lies(packed: bytes, size: int) -> None:
    with pytest.raises(FormatError):
        decompress_lzw(packed, size)


@given(data, st.sampled_from([1, 2, 4]), st.integers(0, 20))
def test_rle_round_trip(plain: bytes, unit: int, width: int) -> None:
    plain = plain[: len(plain) // unit * unit]
    packed = compress_rle(plain, unit, width * unit)
    assert decompress_rle(packed, len(plain), unit) == (plain, len(packed))
    assert decompress_rle(b"xx" + packed + b"yy", len(plain), unit, 2) == (plain, len(packed) + 2)


@pytest.mark.parametrize(
    ("plain", "packed"),
    [
        (b"a", b"\0a"),
        (b"aaa", b"\xfea"),
        (b"abc", b"\2abc"),
        (b"abb", b"\1ab\0b"),
        (b"a" * 130, b"\x82a" + b"\xfea"),
        (bytes(range(130)), b"\x7e" + bytes(range(127)) + b"\2" + bytes([127, 128, 129])),
    ],
)
def test_rle_is_packed_as_the_editor_does(plain: bytes, packed: bytes) -> None:
    assert compress_rle(plain) == packed
    assert decompress_rle(packed, len(plain))[0] == plain


def test_rle_control_minus_128_is_one_literal() -> None:
    assert decompress_rle(b"\x80x", 1) == (b"x", 2)


@given(st.binary(max_size=60), st.integers(0, 100), st.sampled_from([1, 2, 4]), st.integers(0, 3))
def test_measuring_rle_is_unpacking_it(packed: bytes, count: int, unit: int, start: int) -> None:
    try:
        expected: object = decompress_rle(packed, count * unit, unit, start)[1]
    except FormatError as error:
        expected = "refused"
        if "can't unpack" in error.message:
            return
    try:
        found: object = measure_rle(packed, count * unit, unit, start)
    except FormatError:
        found = "refused"
    assert found == expected


@pytest.mark.parametrize(
    ("packed", "size"),
    [(b"", 1), (b"\xfe", 3), (b"\2ab", 3), (b"\xfea", 2), (b"\2abc", 2), (b"\0a", 1 << 40)],
)
def test_rle_lies(packed: bytes, size: int) -> None:
    with pytest.raises(FormatError):
        decompress_rle(packed, size)


@given(st.binary(max_size=60), st.integers(0, 500))
def test_any_bytes_unpack_or_are_refused(packed: bytes, size: int) -> None:
    for unpack in (decompress_lzw, lambda p, s: decompress_rle(p, s)[0]):
        try:
            assert len(unpack(packed, size)) == size
        except FormatError:
            continue


@given(st.one_of(data, st.binary(max_size=60).map(lambda part: part * 200)))
def test_quick_lzw_round_trip(plain: bytes) -> None:
    packed = compress_lzw_fast(plain)
    assert decompress_lzw(packed, len(plain)) == plain
    assert len(packed) <= len(plain) * 9 / 8 + 1


@pytest.mark.parametrize("size", [WINDOW - 1, WINDOW, WINDOW + 1, WINDOW + 20])
def test_quick_lzw_looks_back_through_the_window_and_no_further(size: int) -> None:
    noise = random.Random(size).randbytes(size)
    plain = noise + noise[:40]
    packed = compress_lzw_fast(plain)
    assert decompress_lzw(packed, len(plain)) == plain
    # 40 bytes are three references of 16, 16 and 8 bytes, where the window reaches that far.
    literal = len(compress_lzw_fast(noise))
    assert (len(packed) < literal + 10) == (size <= WINDOW)


@pytest.mark.parametrize("place", [(1 << 16) - 8, 1 << 16, (1 << 16) + 8])
def test_quick_lzw_finds_matches_across_its_pieces(place: int) -> None:
    noise = random.Random(place).randbytes(place)
    packed = compress_lzw_fast(noise + noise[-1000:] + b"end")
    assert decompress_lzw(packed, place + 1003) == noise + noise[-1000:] + b"end"
    assert len(packed) < len(compress_lzw_fast(noise)) + 1000 // 16 * 3


def test_quick_lzw_packs_about_as_well_as_the_editors() -> None:
    chance = random.Random(3)
    rows = [bytes(chance.choices(range(8), k=64)) for _ in range(8)]
    plain = b"".join(chance.choice(rows) * 4 for _ in range(60))
    assert len(compress_lzw_fast(plain)) < 1.15 * len(compress_lzw(plain))


@cache
def streams() -> list[bytes]:
    """Pictures, and what no picture is, each packed in two ways."""
    random_ = random.Random(11)
    plain = [
        bytes(70_000),
        random_.randbytes(20_000),
        b"".join(bytes([n % 7, 3, n // 900, 255]) for n in range(20_000)),
        bytes(random_.choices(b"\0\1\2", k=50_000)),
        b"\0" * 30 + b"a" * 17_000 + random_.randbytes(40) * 300,
    ]
    return [pack(data) for data in plain for pack in (compress_lzw, compress_lzw_fast)]


@pytest.mark.parametrize("number", range(10))
def test_unpacked_at_once_as_one_by_one(number: int) -> None:
    packed = streams()[number]
    whole = 20_000
    random_ = random.Random(number)
    for size in (whole, 16_384, 17_001, 1, 0):
        assert decompress_lzw_fast(packed, size) == decompress_lzw_one_by_one(packed, size)
    for _ in range(60):  # damaged, cut off, or too short for what is asked
        damaged = bytearray(packed[: random_.randrange(1, len(packed) + 1)])
        damaged[random_.randrange(len(damaged))] ^= 1 << random_.randrange(8)
        size = random_.choice((whole, 16_400, 70_000))
        found = decompress_lzw_fast(bytes(damaged), size)
        try:
            expected = decompress_lzw_one_by_one(bytes(damaged), size)
        except FormatError:
            assert found is None
        else:
            assert found in (None, expected)


def test_large_pictures_are_unpacked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytes(range(200)) * 100
    packed = compress_lzw_fast(data)
    assert decompress_lzw(packed, len(data)) == data
    monkeypatch.setattr(compression, "decompress_lzw_one_by_one", None)
    assert decompress_lzw(packed, len(data)) == data
