"""Pixels to images and back, without losing a bit."""

from __future__ import annotations

import io
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from overhaul.ags import images
from overhaul.ags.folder.file_io import png_file
from overhaul.ags.images import from_image, from_png, image_palette, to_image, to_png
from overhaul.ags.pictures import Pixels, expand_palette, reduce_palette
from overhaul.errors import EncodeError, FormatError


def test_the_largest_png(monkeypatch: pytest.MonkeyPatch) -> None:
    data = to_png(Pixels(3, 2, 1, b"\0\1\2\3\4\5"), bytes(range(256)) * 3)
    monkeypatch.setattr(images, "_MAX_PIXELS", 6)
    pixels, palette, exact = from_png(data, 1)
    assert exact
    assert pixels.data == b"\0\1\2\3\4\5" and palette == bytes(range(256)) * 3
    monkeypatch.setattr(images, "_MAX_PIXELS", 5)
    with pytest.raises(FormatError, match="an image of 3 x 2 exceeds the limit of 5 pixels"):
        from_png(data, 1)
    monkeypatch.undo()
    with pytest.raises(FormatError, match="not a valid PNG"):
        from_png(data[:50], 1)
    with pytest.raises(EncodeError, match="0x2"):
        to_png(Pixels(0, 2, 1, b""))


@given(st.integers(1, 4), st.integers(1, 6), st.integers(1, 6), st.data())
def test_round_trip(depth: int, width: int, height: int, data: st.DataObject) -> None:
    size = width * height * depth
    pixels = Pixels(width, height, depth, data.draw(st.binary(min_size=size, max_size=size)))
    image = to_image(pixels)
    assert image.size == (width, height)
    assert from_image(image, depth, alpha=pixels.uniform_alpha or 0) == pixels


def test_alpha_that_is_the_same_everywhere_does_not_hide_the_picture() -> None:
    pixels = Pixels(2, 1, 4, b"\1\2\3\0\4\5\6\0")
    assert pixels.uniform_alpha == 0
    assert to_image(pixels).mode == "RGB"
    assert Pixels(2, 1, 4, b"\1\2\3\0\4\5\6\1").uniform_alpha is None


@given(st.binary(min_size=3, max_size=30))
def test_palettes_of_six_bits(components: bytes) -> None:
    six = bytes(c & 63 for c in components)
    assert reduce_palette(expand_palette(six)) == six
    assert expand_palette(b"\x3f\0") == b"\xff\0"
    assert expand_palette(components, 8) == components == reduce_palette(components, 8)


def test_palette_of_an_image() -> None:
    palette = bytes(range(256)) * 3
    assert image_palette(to_image(Pixels(1, 1, 1, b"\5"), palette)) == palette


def test_a_grey_image_has_the_greys() -> None:
    assert image_palette(Image.new("L", (1, 1)))[-6:] == b"\xfe" * 3 + b"\xff" * 3


def test_wrong_sizes() -> None:
    with pytest.raises(FormatError):
        Pixels(2, 2, 1, b"abc")
    with pytest.raises(FormatError):
        Pixels(1, 1, 5, b"abcde")
    with pytest.raises(EncodeError):
        from_image(to_image(Pixels(1, 1, 3, b"abc")), 1)


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_a_picture_knows_a_png_that_gives_it(depth: int) -> None:
    pixels = from_image(Image.effect_noise((5, 4), 90).convert("RGB"), depth, alpha=0)
    file = png_file("background.png", lambda: pixels, lambda: b"", "backgrounds[0]")
    assert file.agrees(file.read())
    image = Image.open(io.BytesIO(file.read()))
    image.load()
    again = io.BytesIO()
    image.save(again, "PNG", compress_level=0)  # other bytes, the same pixels
    assert again.getvalue() != file.read() and file.agrees(again.getvalue())
    image.putpixel((4, 3), (0, 255, 1))
    other = io.BytesIO()
    image.save(other, "PNG")
    assert not file.agrees(other.getvalue())
    assert not file.agrees(b"no picture")


def test_a_png_of_more_colours_than_are_stored_does_not_agree() -> None:
    image = Image.new("RGB", (1, 1), (8, 4, 9))
    pixels = from_image(image, 2)
    file = png_file("a.png", lambda: pixels, lambda: b"", "")
    out = io.BytesIO()
    image.save(out, "PNG")
    assert from_png(out.getvalue(), 2)[0] == pixels and not file.agrees(out.getvalue())


def test_a_picture_with_a_palette_is_compared_as_it_is_written() -> None:
    pixels = Pixels(1, 1, 1, b"\1")
    file = png_file("a.png", lambda: pixels, lambda: bytes(768), "")
    assert not file.agrees(file.read())


def png_of(image: Image.Image, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", **options)
    return out.getvalue()


def test_the_transparency_of_a_palette_or_of_a_colour_is_kept() -> None:
    """Programs that make PNG files smaller write them so."""
    image = Image.new("P", (3, 1))
    image.putpalette([9, 8, 7, 1, 2, 3, 5, 5, 5])
    image.putdata([0, 1, 2])
    pixels, _, exact = from_png(png_of(image, transparency=b"\0\x80\xff"), 4)
    assert pixels.data == b"\7\x08\x09\0\3\2\1\x80\5\5\5\xff" and exact
    assert not from_png(png_of(image, transparency=b"\0\x80\xff"), 3)[2]  # 24 bits lose it
    image = Image.new("RGB", (2, 1), (1, 2, 3))
    image.putpixel((1, 0), (4, 5, 6))
    assert from_png(png_of(image, transparency=(4, 5, 6)), 4)[0].data == b"\3\2\1\xff\6\5\4\0"


def test_greys_of_16_bits_are_no_white() -> None:
    image = Image.frombytes("I;16", (2, 1), b"\0\x10\xff\xff")
    assert from_png(png_of(image), 4)[0].data == b"\x10\x10\x10\xff\xff\xff\xff\xff"


@pytest.mark.parametrize("side", [10_000, 30_000], ids=["a warning of Pillow", "its error"])
def test_a_png_that_says_to_be_huge(
    side: int, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    data = bytearray(png_of(Image.new("RGB", (1, 1))))
    data[16:24] = side.to_bytes(4, "big") * 2
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    monkeypatch.setattr(images, "_MAX_PIXELS", 1 << 26)
    with pytest.raises(FormatError, match=f"an image of {side} x {side} exceeds the limit"):
        from_png(bytes(data), 4)
    assert not recwarn
