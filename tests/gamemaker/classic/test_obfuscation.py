"""The obfuscation of Game Maker 7, by the vectors of its description."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.obfuscation import (
    Obfuscation,
    conceal,
    inverse,
    reveal,
    table_of_seed,
)
from overhaul.gamemaker.classic.streams import ProjectReader
from overhaul.schema import codec_for

START = bytes.fromhex(
    "91d51200bd0200000100000002000000070000003930000008000000090000007801906f2a616227"
    "66256b6c2271721f77781c7da4217121"
)


@pytest.mark.parametrize(
    ("seed", "checksum", "beginning"),
    [
        (0, 0x83636768, "00 01 02 04 03 06 05 08 07 0A 09 0C"),
        (248, 0x29058C73, "00 01 02 03 04 05 06 07"),
        (12345, 0x605C7104, "00 3B 3D 3A 3E 40 38 41"),
        (25599, 0x1B1438E9, "00 39 3A 37 3C 3D 3E 36"),
    ],
)
def test_tables(seed: int, checksum: int, beginning: str) -> None:
    table = table_of_seed(seed)
    assert zlib.crc32(table) == checksum
    assert table.startswith(bytes.fromhex(beginning))
    assert inverse(inverse(table)) == table


def test_the_start_of_a_file() -> None:
    header, position = codec_for(Obfuscation).read(START, 8, ProjectReader())
    assert (header.count_before, header.count_after, header.seed) == (1, 2, 12345)
    assert (list(header.junk_before), list(header.junk_after)) == ([7], [8, 9])
    plain = reveal(START[position:], header.seed, position)
    assert plain == bytes.fromhex("78563412") + bytes(range(16)) + (702).to_bytes(4, "little")
    assert conceal(plain, header.seed, position) == START[position:]


def test_negative_seeds_are_refused() -> None:
    with pytest.raises(FormatError, match="negative"):
        table_of_seed(-1)


@given(st.binary(max_size=600), st.integers(0, 30000), st.integers(20, 70000))
def test_both_ways(data: bytes, seed: int, start: int) -> None:
    assert reveal(conceal(data, seed, start), seed, start) == data
    assert conceal(reveal(data, seed, start), seed, start) == data
