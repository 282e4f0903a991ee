"""Collision masks: bits to booleans and back, spare bits kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from overhaul.errors import EncodeError, FormatError
from overhaul.media import masks

# A mask of 10 x 2: two bytes per row, the leftmost pixel first; spare bits are marked s.
MASK = bytes(
    (
        0b1000_0001,  # pixels 0-7 of row 0: the first and the last
        0b0100_0000,  # pixels 8 and 9: only 9; ss_ssss all 0
        0b0000_0000,
        0b1011_0001,  # pixel 8, not 9; spare 11_0001
    )
)


def test_bits_of_a_mask() -> None:
    mask = masks.unpack(MASK, 10, 2)
    assert mask.dtype == np.bool_
    assert np.flatnonzero(mask[0]).tolist() == [0, 7, 9]
    assert np.flatnonzero(mask[1]).tolist() == [8]


def test_spare_bits_are_kept_apart() -> None:
    mask, spare = masks.unpack(MASK, 10, 2), masks.spare_bits(MASK, 10, 2)
    assert spare == bytes((0, 0b11_0001))
    assert masks.pack(mask, spare) == MASK
    assert masks.pack(mask) == MASK[:3] + bytes((0b1000_0000,))
    assert masks.spare_bits(masks.pack(mask), 10, 2) == b""
    assert masks.spare_bits(b"\xff", 8, 1) == b""


def test_sizes() -> None:
    assert [masks.mask_size(w, 3) for w in (0, 1, 8, 9)] == [0, 3, 3, 6]
    assert masks.unpack(b"", 0, 5).shape == (5, 0)
    assert masks.pack(np.zeros((5, 0), np.bool_)) == b""


def test_images() -> None:
    mask = masks.unpack(MASK, 10, 2)
    image = masks.to_image(mask)
    assert (image.mode, image.size) == ("1", (10, 2))
    assert image.getpixel((0, 0)) == 255
    assert np.array_equal(masks.from_image(image), mask)
    for mode in ("L", "RGB", "RGBA", "P"):
        assert np.array_equal(masks.from_image(image.convert(mode)), mask)
    assert not masks.from_image(Image.new("RGBA", (1, 1), (255, 255, 255, 0))).any()
    assert masks.to_image(np.zeros((0, 3), np.bool_)).size == (3, 0)


def test_wrong_sizes() -> None:
    with pytest.raises(FormatError, match="takes 4 bytes, got 3"):
        masks.unpack(MASK[:3], 10, 2)
    with pytest.raises(FormatError):
        masks.unpack(b"", -8, 1)
    for spare in (b"\1", b"\1\2\3", b"\0\x40"):
        with pytest.raises(EncodeError):
            masks.pack(masks.unpack(MASK, 10, 2), spare)
    with pytest.raises(EncodeError):
        masks.pack(np.zeros((2, 8), np.bool_), b"\0\0")
    with pytest.raises(EncodeError):
        masks.pack(np.zeros(8, np.bool_))


@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=1, max_size=6))
def test_rectangles_cover_what_is_solid_once(drawn: list[list[bool]]) -> None:
    mask = np.array(drawn, bool)
    covered = np.zeros(mask.shape, int)
    boxes = masks.rectangles(mask)
    for left, top, width, height in boxes:
        covered[top : top + height, left : left + width] += 1
    assert (covered == mask).all()
    assert boxes == sorted(boxes, key=lambda box: (box[1], box[0]))


def test_runs_of_one_place_in_rows_that_follow_are_one_rectangle() -> None:
    mask = np.array([[1, 1, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0], [0, 1, 0]], bool)
    assert masks.rectangles(mask) == [(0, 0, 2, 2), (1, 2, 1, 1), (1, 4, 1, 1)]
