"""Files with frames: what they give, and what is refused."""

from __future__ import annotations

import random
import struct
from io import BytesIO

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from overhaul.errors import FormatError
from overhaul.media import png
from overhaul.media.frames import apng, frames_of, gif, strip, strip_of


def made(count: int = 3, width: int = 9, height: int = 7) -> list[NDArray[np.uint8]]:
    """Frames of any colours and alphas, two of them equal."""
    rng = np.random.default_rng(count)
    frames = [rng.integers(0, 256, (height, width, 4), np.uint8) for _ in range(count)]
    return [*frames, frames[-1].copy()]


def flat(count: int = 3) -> list[NDArray[np.uint8]]:
    frames = []
    for number in range(count):
        frame = np.zeros((8, 10, 4), np.uint8)
        frame[number : number + 2, 3:6] = (50 * number, 200, 0, 255)
        frames.append(frame)
    return frames


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("spr_x_strip4.png", ("spr_x", 4)),
        ("a/b.c/hero_STRIP12.PNG", ("hero", 12)),
        ("strip4.png", ("strip4", None)),
        ("hero_strip.png", ("hero_strip", None)),
        ("hero_strip4b.png", ("hero_strip4b", None)),
        ("hero.gif", ("hero", None)),
    ],
)
def test_strips_are_known_by_name(path: str, expected: tuple[str, int | None]) -> None:
    assert strip_of(path) == expected


def test_a_strip_gives_its_frames() -> None:
    frames = made()
    assert np.array_equal(frames_of("x_strip4.png", strip(frames)), frames)
    (whole,) = frames_of("x.png", strip(frames))
    assert whole.shape == (7, 36, 4)


@pytest.mark.parametrize("name", ["x_strip5.png", "x_strip0.png"])
def test_a_strip_has_as_many_frames_as_it_says(name: str) -> None:
    with pytest.raises(FormatError, match=rf"{name}: a strip .*got (36|_strip0)"):
        frames_of(name, strip(made()))


def test_animated_png_files_are_exact() -> None:
    frames = made(4)
    data = apng(frames, 15)
    assert np.array_equal(frames_of("x.png", data), frames)
    assert np.array_equal(frames_of("x.png", apng(frames[:1], 15)), frames[:1])
    blank = [np.zeros((4, 4, 4), np.uint8)] * 4
    assert len(frames_of("x.png", apng(blank, 15))) == 4


def test_the_default_image_of_an_animation_is_no_frame() -> None:
    frames = [png.to_image(frame) for frame in flat()]
    out = BytesIO()
    cover = Image.new("RGBA", (10, 8), "red")
    cover.save(out, "PNG", save_all=True, append_images=frames, default_image=True)
    assert np.array_equal(frames_of("x.apng", out.getvalue()), flat())


def test_gif_files_give_whole_frames() -> None:
    data = gif(flat(), 10)
    assert np.array_equal(frames_of("x.gif", data), flat())
    half = [frame.copy() for frame in flat()]
    half[0][0, 3] = (9, 9, 9, 127)  # less than half visible: not at all
    assert not frames_of("x.gif", gif(half, 10))[0][0, 3].any()
    with Image.open(BytesIO(data)) as file:
        assert file.info["duration"] == 100 and file.info["loop"] == 0


@pytest.mark.parametrize("kind", ["BMP", "JPEG", "WEBP"])
def test_other_pictures_are_one_frame(kind: str) -> None:
    out = BytesIO()
    Image.new("RGB", (6, 5), (255, 255, 255)).save(out, kind)
    (frame,) = frames_of("x.jpg", out.getvalue())
    assert frame.shape == (5, 6, 4) and frame.min() > 250


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(FormatError, match=r"hero\.png: not a picture: expected PNG"):
        frames_of("hero.png", b"MZ" + bytes(100))
    with pytest.raises(FormatError, match=r"hero\.ase: Aseprite files can't be read; export"):
        frames_of("hero.ase", struct.pack("<IH", 200, 0xA5E0) + bytes(194))
    with pytest.raises(FileNotFoundError):
        frames_of("/nowhere/hero.png")


@pytest.mark.parametrize("data", [strip(made()), apng(made(), 9), gif(flat(), 9)])
def test_pictures_are_bounded(data: bytes) -> None:
    """In all frames together."""
    count = len(frames_of("x.png", data))
    area = sum(frame.shape[0] * frame.shape[1] for frame in frames_of("x.png", data))
    assert len(frames_of("x.png", data, max_pixels=area)) == count
    with pytest.raises(FormatError, match="exceeds the limit"):
        frames_of("x.png", data, max_pixels=area - 1)


@pytest.mark.parametrize(
    "data",
    [strip(made()), apng(made(), 9), gif(flat(), 9)],
    ids=["png", "apng", "gif"],
)
def test_damaged_files_give_frames_or_one_error(data: bytes) -> None:
    source = random.Random(11)
    refused = 0
    for _ in range(300):
        broken = bytearray(data)
        for _ in range(source.randint(1, 4)):
            broken[source.randrange(len(broken))] = source.randrange(256)
        del broken[len(broken) - source.choice((0, 0, source.randrange(len(broken)))) :]
        try:
            frames = frames_of("x_strip2.png", bytes(broken), max_pixels=1 << 16)
        except FormatError as error:
            assert str(error).startswith("x_strip2.png: ")
            refused += 1
        else:
            assert len({frame.shape for frame in frames}) == 1 and 0 not in frames[0].shape
    assert refused > 100
