"""Broken pictures and sounds: a FormatError or a result, quickly, and never much memory."""

from __future__ import annotations

import bz2
import random
import struct
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import numpy as np
import pytest

from overhaul.errors import FormatError
from overhaul.media import audio, masks, pages, png, qoi, textures, tilemap
from repeats import times
from steps import at_most

#: what is decoded takes at most this many calls
STEPS = 2_000_000

# What the tests work with is small: nothing may take more than a small picture's worth.
MEMORY = 40_000_000
#: what a bomb unpacks to
BOMB = times(400_000_000, 4)


def picture() -> np.ndarray:
    """A picture of 96 x 64 with flat parts, gradients and noise: every operation occurs."""
    rng = np.random.default_rng(11)
    image = np.zeros((64, 96, 4), np.uint8)
    image[:16, :, 0] = np.arange(96)
    image[:16, :, 3] = 255
    image[20:30] = (10, 200, 30, 255)
    image[32:48] = rng.integers(0, 256, (16, 96, 4), np.uint8)
    image[48:] = rng.integers(0, 6, (16, 96, 1), np.uint8) * np.uint8(9)
    return image


IMAGE = picture()
BLOBS = {
    "png": png.encode(IMAGE),
    "qoi": qoi.encode(IMAGE),
    "bz2-qoi": textures.encode(IMAGE, textures.TextureFormat.BZ2_QOI),
    "bz2-qoi, short header": textures.encode(IMAGE, textures.TextureFormat.BZ2_QOI, header_size=8),
    "dds": b"DDS "
    + struct.pack(
        "<31I", 124, 0x1007, 8, 8, *[0] * 14, 32, 4, 0x31545844, *[0] * 5, 0x1000, *[0] * 4
    )
    + bytes(32),
}


def corruptions(data: bytes, count: int, seed: int) -> Iterator[bytes]:
    """Truncations, and single and multi-byte changes, the same ones every time."""
    source = random.Random(seed)
    for number in range(count):
        broken = bytearray(data)
        if number % 10 == 0:
            del broken[source.randrange(len(data)) :]
        elif number % 10 == 1:
            start = source.randrange(len(data))
            broken[start : start + 4] = source.choice(
                (b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"\0\0\0\x80")
            )
        else:
            # Half of the changes hit the headers, where they matter most.
            end = min(32, len(data)) if number % 2 else len(data)
            for _ in range(source.choice((1, 1, 1, 2, 8))):
                broken[source.randrange(end)] = source.randrange(256)
        yield bytes(broken)


def check_texture(data: bytes) -> None:
    with at_most(STEPS), suppress(FormatError):
        assert 0 <= textures.inspect(data).length <= len(data)
        image = textures.decode(data, max_pixels=1 << 20)
        assert image.ndim == 3


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", BLOBS)
def test_corrupted_textures(name: str) -> None:
    for broken in corruptions(BLOBS[name], times(600, 3), seed=1):
        check_texture(broken)


@pytest.mark.parametrize("name", BLOBS)
def test_truncated_textures(name: str) -> None:
    data = BLOBS[name]
    ends = sorted({*range(min(200, len(data))), *range(0, len(data), 97), len(data) - 1})
    for end in ends:
        with pytest.raises(FormatError):
            textures.decode(data[:end])


@contextmanager
def limits() -> Iterator[None]:
    """What happens inside takes neither many steps nor much memory."""
    tracemalloc.start()
    try:
        with at_most(STEPS):
            yield
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()


def limited(function: Callable[..., object], *arguments: object) -> None:
    """Call what must fail with a FormatError, without much memory or time."""
    with limits(), pytest.raises(FormatError):
        function(*arguments)


def test_headers_that_promise_too_much() -> None:
    runs = b"\x7f\xff" * 5000  # 41 million pixels in 10,000 bytes
    head = b"fioq" + struct.pack("<HHI", 8000, 8000, len(runs))
    limited(qoi.decode, head + runs)
    limited(qoi.decode, b"fioq" + struct.pack("<HHI", 100, 100, len(runs)) + runs)
    limited(qoi.decode, b"fioq" + struct.pack("<HHI", 65535, 65535, 2**32 - 1) + runs)
    limited(tilemap.decode, b"\xff\0\0\0\0" * 1000, 2**32 - 1)
    limited(tilemap.decode, bytes(100_000), 2**40)
    limited(masks.unpack, bytes(100), 2**32 - 1, 2**32 - 1)


def test_bombs() -> None:
    """Small streams of bzip2 and zlib that unpack to a hundred megabytes."""
    zeros = bz2.compress(bytes(BOMB), 9)
    limited(textures.decode, b"2zoq" + struct.pack("<HH", 64, 64) + zeros)
    limited(textures.decode, b"2zoq" + struct.pack("<HHI", 64, 64, 2**32 - 1) + zeros)
    limited(textures.inspect, b"2zoq" + struct.pack("<HHI", 64, 64, 2**32 - 1) + zeros + b"\1")
    # A PNG file of 16 x 16 whose data would be as much: only its rows are unpacked.
    data = b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in (
            (b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 6, 0, 0, 0)),
            (b"IDAT", zlib.compress(bytes(BOMB), 9)),
            (b"IEND", b""),
        )
    )
    with limits():
        assert png.decode(png.SIGNATURE + data).shape == (16, 16, 4)


def test_items_anywhere() -> None:
    source = random.Random(3)
    page = np.zeros((64, 64, 4), np.uint8)
    values = (0, 1, 2, 31, 63, 64, 65, 255, 65535)
    for _ in range(3000):
        item = pages.Placement(*(source.choice(values) for _ in range(10)))
        try:
            frame = pages.frame(page, item, max_pixels=1 << 17)
        except FormatError:
            continue
        assert frame.shape == (item.bounding_height, item.bounding_width, 4)
        if pages.fits(frame, item):
            pages.replace(page, item, frame)
    assert not page.any()


def test_corrupted_sounds_and_maps() -> None:
    tiles = np.repeat(np.arange(50, dtype=np.uint32), np.arange(50))
    data = tilemap.encode(tiles)
    for broken in corruptions(data, 1000, seed=2):
        try:
            decoded, end = tilemap.decode(broken, len(tiles))
        except FormatError:
            continue
        assert len(decoded) == len(tiles)
        assert end <= len(broken)
    wave = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\1\0\2\0" + bytes(12) + b"data" + bytes(40)
    for broken in corruptions(wave * 3, 1000, seed=3):
        assert audio.inspect(broken).format.value
