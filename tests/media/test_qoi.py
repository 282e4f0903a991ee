"""GameMaker's QOI, operation by operation, against streams worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from overhaul.errors import EncodeError, FormatError
from overhaul.media import qoi


def stream(width: int, height: int, operations: bytes) -> bytes:
    return (
        b"fioq"
        + width.to_bytes(2, "little")
        + height.to_bytes(2, "little")
        + len(operations).to_bytes(4, "little")
        + operations
    )


# What the operations paint, from the first current pixel (0, 0, 0, 255).
OPERATIONS = {
    "run of 1": (
        "40",  # 010 00000: once more
        [(0, 0, 0, 255)],
    ),
    "run of 3, then red": (
        "42"  # 010 00010: three times
        "f8 c8",  # 1111 1000: red = 200
        [(0, 0, 0, 255)] * 3 + [(200, 0, 0, 255)],
    ),
    "index of an empty place": (
        "00",  # 00 000000: place 0 holds transparent black
        [(0, 0, 0, 0)],
    ),
    "colour of all components": (
        "ff 01 02 03 04",  # 1111 1111: red 1, green 2, blue 3, alpha 4
        [(1, 2, 3, 4)],
    ),
    "colour of green and alpha": (
        "f5 07 09",  # 1111 0101: green 7, alpha 9
        [(0, 7, 0, 9)],
    ),
    "diff8": (
        "9b",  # 10 01 10 11: red +1, green -2, blue -1
        [(1, 254, 255, 255)],
    ),
    "diff16": (
        "d0 78",  # 110 10000: red -16; 0111 green +7; 1000 blue -8
        [(240, 7, 248, 255)],
    ),
    "diff24": (
        "e7"  # 1110 0111: red 0111.
        "81"  # 1 00000 01: red 01111 = +15; green 0; blue 01...
        "f0",  # ...111 10000: blue 01111 = +15; alpha 10000 = -16
        [(15, 0, 15, 239)],
    ),
    "index of a remembered pixel": (
        "ff 01 02 03 04"  # (1, 2, 3, 4) goes to place 1 ^ 2 ^ 3 ^ 4 = 4
        "fe 00 00 00"  # (0, 0, 0, 4)
        "40"  # once more; also at place 4, where it took the other's
        "f8 05"  # red 5: (5, 0, 0, 4) at place 1
        "04",  # 00 000100: place 4
        [(1, 2, 3, 4), (0, 0, 0, 4), (0, 0, 0, 4), (5, 0, 0, 4), (0, 0, 0, 4)],
    ),
    "a run at the start is remembered": (
        "40"  # opaque black, remembered at place 255 & 63 = 63
        "f8 01"  # red 1
        "3f",  # 00 111111: place 63
        [(0, 0, 0, 255), (1, 0, 0, 255), (0, 0, 0, 255)],
    ),
    "an empty place is remembered at 0": (
        "f9 40 00"  # red 64, alpha 0: at place 0
        "05"  # place 5 is empty: transparent black, which belongs at place 0
        "00",
        [(64, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)],
    ),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_operation(name: str) -> None:
    operations, pixels = OPERATIONS[name]
    decoded = qoi.decode(stream(len(pixels), 1, bytes.fromhex(operations)))
    assert [tuple(pixel) for pixel in decoded[0].tolist()] == pixels


def test_long_runs() -> None:
    shortest = stream(33, 1, bytes.fromhex("6000"))  # 011 00000 00000000: 0 + 33
    assert qoi.decode(shortest).shape == (1, 33, 4)
    longest = stream(8224, 1, bytes.fromhex("7fff"))  # 011 11111 11111111: 8191 + 33
    assert qoi.decode(longest)[0, -1].tolist() == [0, 0, 0, 255]


# Pixels and the operations the compiler writes for them.
DECISIONS = {
    "runs of 32 and 33": (
        [(99, 0, 0, 255)] * 33 + [(0, 0, 0, 255)] * 34,
        "f8 63"  # red 99
        "5f"  # 010 11111: 32 more
        "f8 00"  # red 0
        "6000",  # 011 00000 00000000: 33 more
    ),
    "transparent black first is index 0": ([(0, 0, 0, 0)], "00"),
    "opaque black first is a run": ([(0, 0, 0, 255)], "40"),
    "a first run isn't remembered": (
        [(0, 0, 0, 255), (99, 0, 0, 255), (0, 0, 0, 255)],
        "40 f8 63 f8 00",  # not index 63
    ),
    "a remembered pixel": (
        [(99, 0, 0, 255), (0, 0, 0, 255), (99, 0, 0, 255)],
        "f8 63 f8 00 1c",  # place (99 ^ 255) & 63 = 28
    ),
    "no wrap-around": (
        [(255, 0, 0, 255), (0, 0, 0, 255)],
        "f8 ff f8 00",  # 255 to 0 is -255, not +1
    ),
    "alpha needs diff24": (
        [(0, 0, 0, 254)],
        "e0 00 1f",  # 1110 0000 0 00000 00 000 11111: alpha -1
    ),
    "three sizes of diff": (
        [(1, 1, 1, 255), (9, 1, 1, 255), (9, 1, 11, 255)],
        "95"  # 10 01 01 01
        "c8 00"  # 110 01000 0000 0000: red +8
        "e0 01 40",  # 1110 0000 | 0 00000 01 | 010 00000: blue +10
    ),
}


@pytest.mark.parametrize("name", DECISIONS)
def test_each_decision_of_the_encoder(name: str) -> None:
    pixels, operations = DECISIONS[name]
    image = np.array([pixels], np.uint8)
    assert qoi.encode(image) == stream(len(pixels), 1, bytes.fromhex(operations))


@pytest.mark.parametrize("length", [1, 32, 33, 8223, 8224, 8225, 3 * 8224, 3 * 8224 + 1, 60000])
def test_runs_of_any_length_come_back(length: int) -> None:
    for before, after in (((0, 0), (0, 1)), ((1, 0), (1, 1))):
        image = np.full((1, before[0] + length + after[1], 4), 77, np.uint8)
        image[0, : before[0]] = 200
        if after[1]:
            image[0, -after[1] :] = 3
        assert np.array_equal(qoi.decode(qoi.encode(image)), image)


def test_more_changes_than_one_block() -> None:
    rng = np.random.default_rng(5)
    image = rng.integers(0, 3, (400, 500, 4), np.uint8) * np.uint8(40)
    assert np.array_equal(qoi.decode(qoi.encode(image)), image)


def test_the_table_outlives_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    image = rng.integers(0, 2, (20, 30, 4), np.uint8) * np.uint8(100)
    whole = qoi.encode(image)
    monkeypatch.setattr(qoi, "_ENCODE_BLOCK", 7)
    assert qoi.encode(image) == whole


def test_batches_of_operations_join(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    image = rng.integers(0, 256, (20, 30, 4), np.uint8)
    encoded = qoi.encode(image)
    monkeypatch.setattr(qoi, "_BATCH", 5)
    assert np.array_equal(qoi.decode(encoded), image)


def test_images_without_pixels() -> None:
    for shape in ((0, 0, 4), (0, 5, 4), (5, 0, 4)):
        image = np.zeros(shape, np.uint8)
        assert qoi.decode(qoi.encode(image)).shape == shape


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "'fioq' is missing"),
        (b"qoif" + bytes(8), "'fioq' is missing"),
        (b"fioq" + bytes(7), "'fioq' is missing"),
        (stream(1, 1, b"\x40")[:-1], "are left"),
        (stream(2, 1, b"\x40"), "1, fewer than the 2 pixels"),
        (stream(1, 1, b"\x41"), "more than the 1 pixels"),
        (stream(1, 1, b"\x40\x40"), "more than the 1 pixels"),
        (stream(1, 1, b"\xff\x01"), "inside an operation"),
        (stream(65535, 65535, b"\x7f\xff" * 10), "exceeds the limit"),
        (stream(8000, 8000, b"\x7f\xff" * 10), "can't paint"),
        (stream(1, 1, b""), "can't paint"),
        (stream(0, 1, b"\x40"), "more than the 0 pixels"),
    ],
)
def test_broken_streams(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        qoi.decode(data)


def test_the_limit_is_an_argument() -> None:
    with pytest.raises(FormatError, match="limit of 3 pixels"):
        qoi.decode(stream(4, 1, b"\x43"), max_pixels=3)


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((2, 2), np.uint8),
        np.zeros((2, 2, 3), np.uint8),
        np.zeros((2, 2, 4), np.uint16),
        np.zeros((1, 65536, 4), np.uint8),
    ],
)
def test_what_is_no_image(image: np.ndarray) -> None:
    with pytest.raises(EncodeError):
        qoi.encode(image)


def test_any_layout_of_memory() -> None:
    image = np.arange(4 * 6 * 8, dtype=np.uint8).reshape(6, 8, 4)
    assert np.array_equal(qoi.decode(qoi.encode(image[::-1, ::2])), image[::-1, ::2])
    assert np.array_equal(qoi.decode(memoryview(qoi.encode(image))), image)
    assert qoi.size(qoi.encode(image)) == (8, 6)
