"""When pictures are the same, and when they are similar."""

from __future__ import annotations

import numpy as np

from overhaul.catalog.pictures import difference_hash, pixels_hash


def ramp(
    width: int, height: int, *, falling: bool = True
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    row = np.linspace(250, 5, width) if falling else np.linspace(5, 250, width)
    pixels = np.zeros((height, width, 4), np.uint8)
    pixels[..., :3] = row[None, :, None]
    pixels[..., 3] = 255
    return pixels


def test_the_hash_of_pixels_sees_size_and_every_byte() -> None:
    pixels = ramp(8, 2)
    other = pixels.copy()
    other[1, 7, 3] = 254
    digests = {pixels_hash(each) for each in (pixels, other, pixels.reshape(2, 8, 4)[:, ::-1])}
    assert len(digests) == 3
    assert pixels_hash(pixels) != pixels_hash(pixels.reshape(4, 4, 4))
    assert pixels_hash(pixels[:, ::2]) == pixels_hash(pixels[:, ::2].copy())


def test_the_perceptual_hash_is_of_falling_brightness() -> None:
    assert difference_hash(ramp(90, 80)) == 2**64 - 1
    assert difference_hash(ramp(90, 80, falling=False)) == 0
    half = np.concatenate([ramp(90, 40), ramp(90, 40, falling=False)])
    assert difference_hash(half) == 0xFFFFFFFF_00000000


def test_size_and_light_make_no_difference() -> None:
    darker = ramp(90, 80)
    darker[..., :3] //= 2
    assert difference_hash(darker) == difference_hash(ramp(45, 16)) == 2**64 - 1


def test_what_is_transparent_is_black() -> None:
    pixels = ramp(90, 80)
    pixels[:40, :, 3] = 0
    assert difference_hash(pixels) == 0x00000000_FFFFFFFF


def test_an_empty_picture_has_a_hash() -> None:
    assert difference_hash(np.zeros((0, 5, 4), np.uint8)) == 0
