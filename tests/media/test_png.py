"""PNG files: every pixel exact, whatever kind of file an editor saved."""

from __future__ import annotations

import importlib
import struct
import zlib
from collections.abc import Iterator
from io import BytesIO

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, PngImagePlugin

from overhaul.errors import EncodeError, FormatError
from overhaul.media import png


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def made(
    width: int, height: int, depth: int, colour: int, rows: bytes, extra: bytes = b""
) -> bytes:
    """A PNG file from its parts; ``rows`` include each row's filter byte."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return b"".join(
        (
            png.SIGNATURE,
            chunk(b"IHDR", header),
            extra,
            chunk(b"IDAT", zlib.compress(rows)),
            chunk(b"IEND", b""),
        )
    )


def saved(image: Image.Image, **options: object) -> bytes:
    out = BytesIO()
    image.save(out, "PNG", **options)
    return out.getvalue()


def pixels_of(data: bytes) -> list[list[int]]:
    return [pixel for row in png.decode(data).tolist() for pixel in row]


def test_colours_under_zero_alpha_survive() -> None:
    image = np.zeros((16, 256, 4), np.uint8)
    image[..., 0] = np.arange(256)
    image[..., 1] = np.arange(16)[:, np.newaxis] * 16
    image[..., 3] = np.arange(256) % 3 * 100
    encoded = png.encode(image)
    assert np.array_equal(png.decode(encoded), image)
    assert png.encode(image) == encoded
    assert png.size(encoded) == (256, 16)
    assert png.length(encoded + b"more") == len(encoded)
    assert np.array_equal(png.decode(encoded + b"more"), image)


def test_nothing_but_pixels_is_written() -> None:
    encoded = png.encode(np.zeros((3, 3, 4), np.uint8))
    assert [encoded.count(kind) for kind in (b"IHDR", b"IDAT", b"IEND")] == [1, 1, 1]
    for kind in (b"gAMA", b"sRGB", b"pHYs", b"tIME", b"iCCP", b"tEXt", b"eXIf"):
        assert kind not in encoded


def test_a_decoded_image_can_be_changed() -> None:
    image = png.decode(png.encode(np.zeros((2, 2, 4), np.uint8)))
    image[0, 0] = 255
    assert image[0, 0].tolist() == [255] * 4


def test_kinds_of_images() -> None:
    grey = made(2, 1, 8, 0, b"\0\x10\xff")
    assert pixels_of(grey) == [[16, 16, 16, 255], [255, 255, 255, 255]]
    one_bit = made(3, 1, 1, 0, b"\0\xa0")  # 1, 0, 1
    assert pixels_of(one_bit) == [[255] * 4, [0, 0, 0, 255], [255] * 4]
    grey_alpha = made(1, 1, 8, 4, b"\0\x10\x00")
    assert pixels_of(grey_alpha) == [[16, 16, 16, 0]]
    colour = made(1, 1, 8, 2, b"\0\x01\x02\x03")
    assert pixels_of(colour) == [[1, 2, 3, 255]]
    palette = made(
        2, 1, 8, 3, b"\0\x01\x00", chunk(b"PLTE", b"\1\2\3\4\5\6") + chunk(b"tRNS", b"\0\x80")
    )
    assert pixels_of(palette) == [[4, 5, 6, 128], [1, 2, 3, 0]]
    keyed = made(2, 1, 8, 2, b"\0\1\2\3\4\5\6", chunk(b"tRNS", b"\0\4\0\5\0\6"))
    assert pixels_of(keyed) == [[1, 2, 3, 255], [4, 5, 6, 0]]


def test_sixteen_bits_keep_the_high_byte() -> None:
    grey = made(2, 1, 16, 0, b"\0\x12\x34\xff\xfe")
    assert pixels_of(grey) == [[0x12, 0x12, 0x12, 255], [255, 255, 255, 255]]
    colour = made(1, 1, 16, 6, b"\0\x12\x34\x56\x78\x9a\xbc\x00\xff")
    assert pixels_of(colour) == [[0x12, 0x56, 0x9A, 0]]
    keyed = made(2, 1, 16, 0, b"\0\x12\x34\x12\x35", chunk(b"tRNS", b"\x12\x34"))
    assert pixels_of(keyed) == [[0x12, 0x12, 0x12, 0], [0x12, 0x12, 0x12, 255]]


def test_gamma_profiles_and_texts_change_nothing() -> None:
    image = np.arange(64, dtype=np.uint8).reshape(4, 4, 4)
    extra = chunk(b"gAMA", struct.pack(">I", 100000)) + chunk(b"iCCP", b"x\0\0broken profile")
    text_bomb = chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(50_000_000)))
    rows = b"".join(b"\0" + row.tobytes() for row in image)
    assert np.array_equal(png.decode(made(4, 4, 8, 6, rows, extra + text_bomb)), image)


def test_an_animation_gives_its_picture() -> None:
    first, second = Image.new("RGBA", (4, 4), "red"), Image.new("RGBA", (4, 4), "blue")
    data = saved(first, save_all=True, append_images=[second])
    assert b"acTL" in data
    assert pixels_of(data)[0] == [255, 0, 0, 255]


def test_interlaced_rows() -> None:
    header = struct.pack(">IIBBBBB", 1, 1, 8, 6, 0, 0, 1)
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(b"\0\1\2\3\4")))
    assert pixels_of(png.SIGNATURE + b"".join(parts) + chunk(b"IEND", b"")) == [[1, 2, 3, 4]]


def test_pillow_images_of_other_modes() -> None:
    image = Image.new("LA", (2, 1), (7, 9))
    assert png.from_image(image).tolist() == [[[7, 7, 7, 9]] * 2]
    assert png.to_image(png.from_image(image)).mode == "RGBA"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        png.SIGNATURE,
        b"GIF89a" + bytes(50),
        png.encode(np.zeros((9, 9, 4), np.uint8))[:-1],
        png.encode(np.zeros((9, 9, 4), np.uint8))[:40],
        made(2, 2, 8, 6, b"\0" * 5),  # fewer rows than the header says
        made(2, 2, 8, 5, b"\0" * 99),  # a colour type that doesn't exist
        made(0, 2, 8, 6, b""),
        made(1, 1, 8, 6, b"\0\1\2\3\4").replace(b"IDAT", b"IDAx"),
        made(60000, 60000, 8, 6, bytes(1000)),
        made(2**31 - 1, 2**31 - 1, 8, 6, b""),
    ],
)
def test_broken_files(data: bytes) -> None:
    with pytest.raises(FormatError):
        png.decode(data)


def test_the_limit_is_an_argument() -> None:
    data = png.encode(np.zeros((9, 9, 4), np.uint8))
    with pytest.raises(FormatError, match="limit of 80 pixels"):
        png.decode(data, max_pixels=80)


def test_what_cannot_be_a_png_file() -> None:
    for image in (np.zeros((0, 3, 4), np.uint8), np.zeros((3, 3), np.uint8)):
        with pytest.raises(EncodeError):
            png.encode(image)


def test_pillow_reads_what_is_written() -> None:
    image = np.arange(64, dtype=np.uint8).reshape(4, 4, 4)
    with PngImagePlugin.PngImageFile(BytesIO(png.encode(image))) as read:
        assert np.array_equal(np.asarray(read), image)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (5, 3), (3, 50), (70, 9)])
@pytest.mark.parametrize("rows", [1, 4, 100])
def test_a_picture_in_strips_is_the_same_picture(
    width: int, height: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(png, "_STRIP", 2 * width)
    chance = np.random.default_rng(width)
    pixels = chance.integers(0, 256, (height, width, 4), np.uint8)
    pixels[1:3] = pixels[:1]  # as above
    pixels[3:5] = (1, 2, 3, 4)  # as to the left
    strips = [pixels[first : first + rows] for first in range(0, height, rows)]
    data = png.encode_strips(width, height, strips)
    assert np.array_equal(png.decode(data), pixels)
    assert png.length(data) == len(data)
    with Image.open(BytesIO(data)) as image:
        image.verify()


def test_strips_compress_as_well_as_a_whole_picture() -> None:
    """Of tiles, as rooms have them."""
    tiles = np.random.default_rng(1).integers(0, 256, (4, 16, 16, 4), np.uint8)
    drawn = [np.concatenate([tiles[(x * y) % 4] for x in range(12)], 1) for y in range(12)]
    pixels = np.concatenate(drawn)
    assert len(png.encode_strips(192, 192, drawn)) < len(png.encode(pixels)) * 1.2


def test_an_error_of_what_makes_strips_is_raised() -> None:
    def strips() -> Iterator[NDArray[np.uint8]]:
        yield np.zeros((2, 3, 4), np.uint8)
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        png.encode_strips(3, 4, strips())


def test_strips_of_another_size_are_refused() -> None:
    rows = np.zeros((2, 3, 4), np.uint8)
    for width, height, strips in ((3, 3, [rows]), (3, 1, [rows]), (4, 2, [rows]), (0, 0, [])):
        with pytest.raises(EncodeError):
            png.encode_strips(width, height, strips)


def pictures() -> dict[str, NDArray[np.uint8]]:
    """Of every kind that is written in a way of its own."""
    random = np.random.default_rng(5)
    noise = random.integers(0, 256, (40, 50, 4), np.uint8)
    drawn = np.zeros((33, 17, 4), np.uint8)
    drawn[5:20, 3:9] = (200, 10, 10, 255)
    across, down = np.meshgrid(np.arange(60), np.arange(70))
    shades = np.stack([across * 4, down * 3, across + down, across * 0 + 255], -1)
    wide = random.integers(0, 3, (3, 500, 4), np.uint8)
    return {
        "noise": noise, "drawn": drawn, "shades": shades.astype(np.uint8), "wide": wide,
        "a pixel": noise[:1, :1], "not contiguous": noise[::2, ::3],
        "turned": noise.transpose(1, 0, 2),
    }  # fmt: skip


@pytest.mark.parametrize("name", pictures())
@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("back_end", [None, "zlib_ng.zlib_ng"])
def test_all_ways_of_writing_give_the_same_pixels(
    name: str, small: bool, back_end: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if back_end is not None:
        pytest.importorskip(back_end)
    monkeypatch.setattr(png, "zlib_ng", back_end and importlib.import_module(back_end))
    pixels = pictures()[name]
    with png.smallest(small):
        data = png.encode(pixels)
        assert data == png.encode(pixels.copy())
    assert png.length(data) == len(data)
    with Image.open(BytesIO(data)) as image:
        assert image.mode == "RGBA"
        assert np.array_equal(np.asarray(image), pixels)
    assert np.array_equal(png.decode(data), pixels)
    by_pillow = png._by_pillow(pixels, 4)
    assert png.same_pixels(data, by_pillow)
    assert len(data) <= (1 if small else 1.3) * len(by_pillow) + 64


def test_each_way_of_writing_is_taken() -> None:
    found = {name: (png._few_colours(p), png._is_noise(p)) for name, p in pictures().items()}
    assert found["drawn"][0]
    assert (found["noise"], found["shades"]) == ((False, True), (False, False))
