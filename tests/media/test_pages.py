"""Texture page items: to full-canvas frames and back, borders included."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from overhaul.errors import EncodeError, FormatError
from overhaul.media import pages
from overhaul.media.pages import Border, Box, Placement

RED, GREEN, BLUE = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255)

# A picture of 3 x 2 that lies at (4, 5) on its page, and at (1, 0) on a canvas of 4 x 2:
# cropped at the left only.
ITEM = Placement(4, 5, 3, 2, 1, 0, 3, 2, 4, 2)
PICTURE = np.array([[RED, GREEN, BLUE], [(9, 9, 9, 0), GREEN, RED]], np.uint8)


def page_with(style: Border) -> np.ndarray:
    """A page of 12 x 12 with the picture and its border, and a dot far away."""
    page = np.zeros((12, 12, 4), np.uint8)
    page[3:9, 2:9] = pages.bordered(PICTURE, (True, False, False, False), style)
    page[11, 11] = 77
    return page


def test_a_frame_is_on_its_canvas() -> None:
    frame = pages.frame(page_with(Border.CLEAR), ITEM)
    assert frame.shape == (2, 4, 4)
    assert not frame[:, 0].any()
    assert np.array_equal(frame[:, 1:], PICTURE)


def test_borders() -> None:
    """Rows of a border of one pixel, left to right, for a picture cut at the left."""
    picture = np.array([[RED, GREEN]], np.uint8)
    cut_left = (True, False, False, False)
    clear = pages.bordered(picture, cut_left, Border.CLEAR, 1).tolist()
    assert [[tuple(p) for p in row] for row in clear] == [[(0, 0, 0, 0), RED, GREEN, GREEN]] * 3
    coloured = pages.bordered(picture, cut_left, Border.COLOURED, 1).tolist()
    assert [tuple(p) for p in coloured[0]] == [(255, 0, 0, 0), RED, GREEN, GREEN]
    repeated = pages.bordered(picture, cut_left, Border.REPEATED, 1).tolist()
    assert [tuple(p) for p in repeated[0]] == [RED, RED, GREEN, GREEN]
    wrapped = pages.bordered(picture, cut_left, Border.WRAPPED, 1).tolist()
    assert [tuple(p) for p in wrapped[0]] == [GREEN, RED, GREEN, RED]
    column = np.array([[RED], [GREEN]], np.uint8)
    for style, first in (
        (Border.WRAPPED_VERTICALLY, GREEN),
        (Border.WRAPPED_HORIZONTALLY, RED),
    ):
        rows = pages.bordered(column, cut_left, style, 1)
        assert (rows[0] == np.array(first)).all()
    cut_below = pages.bordered(picture, (False, False, False, True), Border.CLEAR, 1)
    assert cut_below[:2].all(axis=2).sum() == 0  # two components of red and green are zero
    assert not cut_below[2].any()
    assert np.array_equal(pages.bordered(picture, cut_left, Border.CLEAR, 0), picture)
    assert pages.bordered(picture[:, :0], cut_left, Border.CLEAR, 1).shape == (3, 2, 4)


@pytest.mark.parametrize("style", Border)
def test_a_changed_frame_goes_back_with_its_border(style: Border) -> None:
    page = page_with(style)
    frame = pages.frame(page, ITEM)
    frame[0, 1] = (1, 2, 3, 255)
    pages.replace(page, ITEM, frame)
    assert np.array_equal(pages.frame(page, ITEM), frame)
    expected = pages.bordered(frame[:, 1:], (True, False, False, False), style)
    assert np.array_equal(page[3:9, 2:9], expected)
    assert page[11, 11].tolist() == [77] * 4
    page[3:9, 2:9] = 0
    page[11, 11] = 0
    assert not page.any()


@pytest.mark.parametrize("style", Border)
def test_an_unchanged_frame_changes_nothing(style: Border) -> None:
    page = page_with(style)
    before = page.copy()
    pages.replace(page, ITEM, pages.frame(page, ITEM))
    assert np.array_equal(page, before)


def test_a_border_of_no_known_rule_stays() -> None:
    page = page_with(Border.COLOURED)
    page[3, 2] = 50
    around = page.copy()
    frame = pages.frame(page, ITEM)
    frame[0, 1] = (1, 2, 3, 255)
    pages.replace(page, ITEM, frame)
    around[5, 4] = (1, 2, 3, 255)
    assert np.array_equal(page, around)


def test_a_border_of_a_neighbour_stays() -> None:
    page = page_with(Border.COLOURED)
    around = page.copy()
    frame = pages.frame(page, ITEM)
    frame[0, 3] = (1, 2, 3, 255)
    neighbour = replace(ITEM, source_x=8)
    pages.replace(page, ITEM, frame, neighbours=[ITEM, neighbour])
    around[5, 6] = (1, 2, 3, 255)
    assert np.array_equal(page, around)


def test_a_picture_at_the_edge_of_its_page() -> None:
    page = np.zeros((2, 3, 4), np.uint8)
    page[...] = PICTURE
    item = Placement(0, 0, 3, 2, 0, 0, 3, 2, 3, 2)
    frame = pages.frame(page, item)
    frame[...] = GREEN
    pages.replace(page, item, frame)
    assert (page == np.array(GREEN)).all()


def test_what_fits() -> None:
    frame = pages.frame(page_with(Border.CLEAR), ITEM)
    assert pages.fits(frame, ITEM)
    assert not pages.fits(np.zeros((3, 4, 4), np.uint8), ITEM)
    assert not pages.fits(frame, replace(ITEM, source_width=2))
    frame[0, 0] = (1, 1, 1, 0)  # an invisible colour
    assert pages.fits(frame, ITEM)
    frame[0, 0] = (1, 1, 1, 1)
    assert not pages.fits(frame, ITEM)
    with pytest.raises(EncodeError, match="doesn't fit"):
        pages.replace(page_with(Border.CLEAR), ITEM, frame)


def test_a_scaled_picture_is_scaled_up() -> None:
    """Source 2 x 1 for a target of 5 x 2, as large pictures are stored."""
    page = np.array([[RED, BLUE]], np.uint8)
    frame = pages.frame(page, Placement(0, 0, 2, 1, 1, 0, 5, 2, 6, 2))
    assert frame.shape == (2, 6, 4)
    assert [tuple(p) for p in frame[1].tolist()] == [(0, 0, 0, 0), RED, RED, RED, BLUE, BLUE]
    # And 3 x 2 for one pixel, as old versions store empty pictures.
    small = pages.frame(PICTURE, Placement(0, 0, 3, 2, 0, 0, 1, 1, 3, 2))
    assert tuple(small[0, 0].tolist()) == RED
    assert not small[1:].any()


def test_a_target_beyond_the_canvas_is_cut() -> None:
    item = Placement(4, 5, 3, 2, 2, 1, 3, 2, 4, 2)
    page = page_with(Border.CLEAR)
    frame = pages.frame(page, item)
    assert np.array_equal(frame[1, 2:], PICTURE[0, :2])
    before = page.copy()
    pages.replace(page, item, frame)
    assert np.array_equal(page, before)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (replace(ITEM, source_x=10), "isn't on its page of 12 x 12"),
        (replace(ITEM, source_height=8), "isn't on its page"),
        (replace(ITEM, source_y=-1), "isn't on its page"),
        (replace(ITEM, bounding_width=65535, bounding_height=65535), "exceeds the limit"),
        (replace(ITEM, target_width=65535, target_height=65535), "exceeds the limit"),
    ],
)
def test_items_that_cannot_be(item: Placement, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        pages.frame(page_with(Border.CLEAR), item)


def test_empty_items() -> None:
    page = np.zeros((4, 4, 4), np.uint8)
    assert pages.frame(page, Placement(1, 1, 0, 0, 0, 0, 0, 0, 0, 0)).shape == (0, 0, 4)
    assert not pages.frame(page, Placement(1, 1, 0, 0, 0, 0, 2, 2, 2, 2)).any()
    item = Placement(1, 1, 0, 0, 0, 0, 0, 0, 3, 3)
    pages.replace(page, item, np.zeros((3, 3, 4), np.uint8))


def test_content() -> None:
    frame = np.zeros((6, 8, 4), np.uint8)
    assert pages.content_box(frame) == Box(0, 0, 1, 1)
    frame[0, 0, 0] = 9
    assert pages.content_box(frame) == Box(0, 0, 1, 1)
    frame[2, 3, 3] = 1
    assert pages.content_box(frame) == Box(3, 2, 1, 1)
    frame[4, 7] = 255
    assert pages.content_box(frame) == Box(3, 2, 5, 3)
    assert pages.content_box(frame, hidden_colours=True) == Box(0, 0, 8, 5)
    assert pages.content_box(np.zeros((0, 3, 4), np.uint8)) == Box(0, 0, 3, 0)


@dataclass(frozen=True)
class Placed:
    source_x: int
    source_y: int
    source_width: int
    source_height: int
    page: int
    target_x: int = 0
    target_y: int = 0
    target_width: int = 1
    target_height: int = 1
    bounding_width: int = 1
    bounding_height: int = 1


@pytest.mark.parametrize("border", [0, 2])
@pytest.mark.parametrize("axis", ["x", "y"])
def test_what_reaches_into_a_border_and_what_only_touches_it(border: int, axis: str) -> None:
    """An item of 3 x 2 at (10, 10); another one next to each of its edges, and a pixel nearer."""
    item = Placement(10, 10, 3, 2, 0, 0, 3, 2, 3, 2)

    def at(place: int, size: int) -> Placement:
        x, y = (place, 10) if axis == "x" else (10, place)
        return Placement(x, y, size, size, 0, 0, size, size, size, size)

    end = 13 if axis == "x" else 12
    assert not pages.overlap(item, at(10 - border - 4, 4), border)  # ends where the border begins
    assert pages.overlap(item, at(10 - border - 3, 4), border)
    assert not pages.overlap(item, at(end + border, 4), border)
    assert pages.overlap(item, at(end + border - 1, 4), border)
    assert not pages.overlap(item, item, border)
    assert pages.overlap(item, replace(item), border)


def test_items_that_share_pixels() -> None:
    items = [
        Placed(0, 0, 4, 4, 0),
        Placed(4, 0, 4, 4, 0),  # next to the first
        Placed(0, 0, 4, 4, 0),  # the first again
        Placed(0, 0, 4, 4, 1),  # on another page
        Placed(3, 3, 2, 2, 0),  # on the first and the second
    ]
    assert pages.sharing(items) == {0: (2, 4), 1: (4,), 2: (0, 4), 4: (0, 1, 2)}
    assert pages.sharing([]) == {}
