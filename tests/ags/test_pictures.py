"""Pixels to images and back, without losing a bit."""

from __future__ import annotations

import io

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
    with pytest.raises(FormatError, match="too many pixels"):
        from_png(data, 1)
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
