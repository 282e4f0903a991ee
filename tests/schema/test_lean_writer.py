"""A lean writer leaves large media out until the end, and writes the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overhaul.schema import Writer

#: The size from which media are left out.
LARGE = 4096
SIZES = st.sampled_from([0, 1, 5, LARGE - 1, LARGE, LARGE + 1, 3 * LARGE + 7])
PARTS = st.lists(st.tuples(SIZES, SIZES.map(lambda size: size % 100)), max_size=6)


def media(size: int, seed: int) -> bytes:
    """Bytes that differ from those of other parts."""
    return bytes([seed + 1]) * size


@given(PARTS, st.sampled_from([1, 4, 16, 128]))
def test_it_writes_what_another_one_writes(parts: list[tuple[int, int]], alignment: int) -> None:
    writers = [Writer(), Writer()]
    writers[1].lean = True
    for writer in writers:
        slot = writer.reserve()
        for seed, (size, rest) in enumerate(parts):
            writer.add_media(memoryview(media(size, seed)))
            writer.align(alignment)
            writer.point(slot, writer.position)
            writer.out += bytes(rest)
    assert writers[1].finished() == writers[0].finished()
    assert writers[1].position == len(writers[0].out)
    assert writers[1].media == writers[0].media == sum(size for size, _ in parts)
    large = any(size >= LARGE for size, _ in parts)
    assert (len(writers[1].out) < len(writers[0].out)) == large


@pytest.mark.parametrize("lean", [False, True])
def test_only_a_lean_one_leaves_media_out(lean: bool) -> None:
    writer = Writer()
    writer.lean = lean
    writer.add_media(bytes(2 * LARGE + 5))
    assert writer.left_out == (2 * LARGE if lean else 0)
    assert len(writer.out) == (5 if lean else 2 * LARGE + 5)
    assert writer.position == 2 * LARGE + 5


def test_bytes_that_do_not_change_are_not_copied() -> None:
    """Other than media, they do not count as such."""
    writer = Writer()
    writer.lean = True
    writer.add(bytes(2 * LARGE + 5))
    assert (writer.left_out, len(writer.out), writer.media) == (2 * LARGE, 5, 0)
    assert writer.finished() == bytes(2 * LARGE + 5)
