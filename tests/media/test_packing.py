"""New texture pages: nothing overlaps, nothing is lost, the same every time."""

from __future__ import annotations

import random

import numpy as np
import pytest

from overhaul.errors import EncodeError
from overhaul.media import pages
from overhaul.media.packing import PackedPage, build, pack
from overhaul.media.pages import Border, Placement


def check(sizes: list[tuple[int, int]], packed: list[PackedPage], border: int) -> None:
    """Every rectangle is on one page, on it whole, and no borders overlap."""
    seen = []
    for page in packed:
        taken = np.zeros((page.height, page.width), np.bool_)
        for index, x, y in page.places:
            width, height = sizes[index]
            assert x >= 0 and y >= 0
            assert x + width <= page.width and y + height <= page.height
            around = taken[max(0, y - border) : y + height + border]
            around = around[:, max(0, x - border) : x + width + border]
            assert not around.any()
            around[...] = True
            seen.append(index)
    assert sorted(seen) == list(range(len(sizes)))


@pytest.mark.parametrize(("count", "largest"), [(1, 5), (30, 60), (300, 60), (1000, 30)])
def test_random_rectangles(count: int, largest: int) -> None:
    source = random.Random(count)
    sizes = [(source.randint(1, largest), source.randint(1, largest)) for _ in range(count)]
    packed = pack(sizes, max_size=512)
    check(sizes, packed, 2)
    assert pack(sizes, max_size=512) == packed
    for page in packed:
        for side in (page.width, page.height):
            assert side <= 512
            assert side & (side - 1) == 0


def test_it_packs_tightly() -> None:
    source = random.Random(9)
    sizes = [(source.randint(4, 100), source.randint(4, 100)) for _ in range(2000)]
    packed = pack(sizes, max_size=1024)
    full = packed[:-1]
    assert len(full) >= 3
    for page in full:
        used = sum((sizes[i][0] + 4) * (sizes[i][1] + 4) for i, _, _ in page.places)
        assert used / (page.width * page.height) > 0.9


def test_page_sizes() -> None:
    def sizes_of(*sizes: tuple[int, int]) -> list[tuple[int, int]]:
        return [(page.width, page.height) for page in pack(sizes, max_size=256)]

    assert sizes_of() == []
    assert sizes_of((60, 60)) == [(64, 64)]
    assert sizes_of((65, 60)) == [(128, 64)]
    assert sizes_of((60, 60), (60, 60)) == [(128, 64)]
    assert sizes_of((10, 120)) == [(16, 128)]
    # Where the page has no room for borders, there are none.
    assert sizes_of((61, 60)) == [(64, 64)]
    assert sizes_of((256, 256)) == [(256, 256)]
    assert pack([(256, 100)], max_size=256)[0].places == ((0, 0, 2),)
    assert sizes_of((256, 256), (1, 1)) == [(256, 256), (1, 1)]
    # A limit that is no power of two is rounded down.
    assert [page.width for page in pack([(200, 200)] * 2, max_size=500)] == [256, 256]


def test_a_rectangle_larger_than_a_page() -> None:
    with pytest.raises(EncodeError, match=r"\[1\]: a picture of 257 x 3"):
        pack([(1, 1), (257, 3)], max_size=256)


def frames() -> list[np.ndarray]:
    """Frames with room around what is visible, two of them equal."""
    rng = np.random.default_rng(4)
    made = []
    for number in range(20):
        frame = np.zeros((40 + number, 50, 4), np.uint8)
        frame[3 : 10 + number, 5:25] = rng.integers(1, 256, (7 + number, 20, 4), np.uint8)
        made.append(frame)
    return [*made, made[3].copy(), np.zeros((8, 8, 4), np.uint8)]


@pytest.mark.parametrize("style", Border)
def test_frames_come_back_from_new_pages(style: Border) -> None:
    made = frames()
    built = build(made, max_size=64, style=style)
    assert len(built.pages) > 1
    for frame, (number, item) in zip(made, built.items, strict=True):
        page = built.pages[number]
        assert np.array_equal(pages.frame(page, item), frame)
        around = pages._around(page, item, 2)
        assert pages._border_style(page, item, around, 2) is not None
    assert built.items[3] == built.items[20]
    assert built.items[0][1].target_x == 5 and built.items[0][1].target_y == 3
    empty = built.items[21][1]
    assert (empty.source_width, empty.source_height) == (1, 1)
    assert (empty.bounding_width, empty.bounding_height) == (8, 8)


def test_equal_pictures_cut_on_other_sides_are_two() -> None:
    dot = np.full((1, 1, 4), 255, np.uint8)
    wide = np.zeros((1, 2, 4), np.uint8)
    wide[0, 0] = 255
    built = build([dot, wide, dot])
    assert built.items[0] == built.items[2]
    assert built.items[0][1].source_x != built.items[1][1].source_x
    for frame, (number, item) in zip([dot, wide, dot], built.items, strict=True):
        assert np.array_equal(pages.frame(built.pages[number], item), frame)


def test_cropping_is_a_choice() -> None:
    frame = np.zeros((10, 10, 4), np.uint8)
    frame[5, 5] = 255
    frame[9, 9, 0] = 200  # a colour under alpha 0
    cropped, whole, exact = (
        build([frame], crop=crop, hidden_colours=hidden).items[0][1]
        for crop, hidden in ((True, False), (False, False), (True, True))
    )
    assert cropped == Placement(0, 0, 1, 1, 5, 5, 1, 1, 10, 10)
    assert whole == Placement(2, 2, 10, 10, 0, 0, 10, 10, 10, 10)
    assert exact == Placement(0, 0, 5, 5, 5, 5, 5, 5, 10, 10)


def test_no_border() -> None:
    built = build([np.full((4, 4, 4), 9, np.uint8)] * 3, border=0)
    assert [page.shape for page in built.pages] == [(4, 4, 4)]
    assert build([]).pages == []


def test_a_strict_border_is_left_out_only_where_no_page_has_room() -> None:
    sizes = [(10, 10)] * 12
    assert any(y == 0 for page in pack(sizes, border=4) for _, _, y in page.places)
    for page in pack(sizes, border=4, strict=True):
        for _, x, y in page.places:
            assert min(x, y) >= 4 and x + 14 <= page.width and y + 14 <= page.height
    (page,) = pack([(60, 20)], max_size=64, border=4, strict=True)
    assert page.places == ((0, 0, 4),) and (page.width, page.height) == (64, 32)
    (page,) = pack([(56, 24)], max_size=64, border=4, strict=True)
    assert page.places == ((0, 4, 4),)
