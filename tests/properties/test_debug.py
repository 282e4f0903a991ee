"""Broken debugger files: only our errors; what still reads writes back as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debug_files import debug_file
from overhaul.errors import FormatError
from overhaul.gamemaker.debug import DebugData

FILES = [debug_file(modern=modern).to_bytes() for modern in (True, False)]
#: a place, and the word that is put there
CHANGES = st.tuples(st.integers(0, 1 << 16), st.integers(0, 0xFFFFFFFF))


def reads_or_refuses(data: bytes) -> None:
    try:
        read = DebugData.from_bytes(data)
    except FormatError:
        return
    assert read.to_bytes() == data
    read.info()
    list(read.tree())


@pytest.mark.parametrize("data", FILES)
def test_every_truncation(data: bytes) -> None:
    for length in range(len(data)):
        with pytest.raises(FormatError):
            DebugData.from_bytes(data[:length])


@pytest.mark.parametrize("data", FILES)
@pytest.mark.parametrize("value", [0x00, 0x01, 0x7F, 0xFF])
def test_every_changed_byte(data: bytes, value: int) -> None:
    for place in range(len(data)):
        reads_or_refuses(data[:place] + bytes([value]) + data[place + 1 :])


@given(
    st.sampled_from(FILES),
    st.lists(
        st.tuples(st.integers(0, 1 << 16), st.integers(0, 0xFFFFFFFF)), min_size=1, max_size=4
    ),
)
def test_changed_words(data: bytes, changes: list[tuple[int, int]]) -> None:
    broken = bytearray(data)
    for place, word in changes:
        at = place % (len(data) - 4)
        broken[at : at + 4] = word.to_bytes(4, "little")
    reads_or_refuses(bytes(broken))


@given(st.sampled_from(FILES), st.integers(8, 1 << 16), st.binary(max_size=16))
def test_inserted_bytes(data: bytes, place: int, more: bytes) -> None:
    at = place % len(data)
    reads_or_refuses(data[:at] + more + data[at:])
