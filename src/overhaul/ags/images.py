"""Pictures of Adventure Game Studio as Pillow images and PNG files, both ways.

Every conversion here is exact in both directions: a PNG read back gives the stored bytes, colours
under zero alpha included.
"""

from __future__ import annotations

import io
from typing import Final

import numpy as np
from PIL import Image

from overhaul.ags.lzw_fast import compress_lzw_fast
from overhaul.ags.pictures import GREYS, PALETTE_COLOURS, Pixels
from overhaul.errors import EncodeError, FormatError
from overhaul.media import png
from overhaul.media.bounds import PILLOW_ERRORS, check_pixels

__all__ = ["compress_lzw_fast", "from_image", "from_png", "image_palette", "to_image", "to_png"]

_MAX_PIXELS: Final = 1 << 28
_COMPRESSION_LEVEL: Final = 4


def to_image(pixels: Pixels, palette: bytes | None = None) -> Image.Image:
    """A Pillow image: mode P (``palette``: 8-bit R, G, B triples), RGB, or RGBA.

    Four-byte pixels whose alpha is the same everywhere become RGB, as room backgrounds have an
    alpha of 0 and would be invisible; :attr:`Pixels.uniform_alpha` is that alpha, which
    :func:`from_image` takes back.
    """
    size = (pixels.width, pixels.height)
    if pixels.depth == 1:
        image = Image.frombytes("P", size, pixels.data)
        image.putpalette(palette if palette is not None else GREYS)
        return image
    if pixels.depth == 2:
        return Image.frombytes("RGB", size, _rgb_from_565(pixels.data))
    if pixels.depth == 3:
        return Image.frombytes("RGB", size, pixels.data, "raw", "BGR")
    if pixels.uniform_alpha is not None:
        return Image.frombytes("RGB", size, pixels.data, "raw", "BGRX")
    return Image.frombytes("RGBA", size, pixels.data, "raw", "BGRA")


def from_image(image: Image.Image, depth: int, *, alpha: int = 255) -> Pixels:
    """The pixels of an image at ``depth`` bytes per pixel.

    ``alpha`` fills four-byte pixels of an image without alpha.  Raises EncodeError if an indexed
    picture is wanted and the image is not indexed.
    """
    width, height = image.size
    if depth == 1:
        if image.mode not in ("P", "L"):
            raise EncodeError(f"expected an indexed image, got one of mode {image.mode}")
        return Pixels(width, height, 1, image.tobytes())
    image = _in_true_colour(image)
    if depth == 4 and "A" in image.getbands():
        return Pixels(width, height, 4, image.convert("RGBA").tobytes("raw", "BGRA"))
    rgb = image.convert("RGB")
    if depth == 2:
        return Pixels(width, height, 2, _rgb_to_565(rgb.tobytes()))
    if depth == 3:
        return Pixels(width, height, 3, rgb.tobytes("raw", "BGR"))
    data = bytearray(rgb.tobytes("raw", "BGRX"))
    data[3::4] = bytes([alpha]) * (width * height)
    return Pixels(width, height, 4, bytes(data))


def image_palette(image: Image.Image) -> bytes:
    """The palette of an indexed image as 768 bytes of 8-bit R, G, B, zeros where it has fewer.

    That of a grey image are the greys.
    """
    if image.mode == "L":
        return GREYS
    return bytes(image.getpalette("RGB") or b"").ljust(3 * PALETTE_COLOURS, b"\0")


def to_png(pixels: Pixels, palette: bytes | None = None) -> bytes:
    """A picture as a PNG file, the same bytes every time.  Raises EncodeError without pixels."""
    if not pixels.data:
        raise EncodeError(f"no PNG image can have {pixels.width}x{pixels.height} pixels")
    image = to_image(pixels, palette)
    if image.mode != "P":
        return png.encode(np.asarray(image))
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=_COMPRESSION_LEVEL)
    return out.getvalue()


def from_png(data: bytes, depth: int, *, alpha: int = 255) -> tuple[Pixels, bytes, bool]:
    """The pixels and the palette of a PNG file, and whether the pixels hold all its colours.

    See :func:`from_image`.

    Raises FormatError for a broken file, and EncodeError as :func:`from_image` does.
    """
    image = open_png(data)
    pixels = from_image(image, depth, alpha=alpha)
    exact = depth in (1, 4)
    if not exact:
        shown = _in_true_colour(image)
        exact = to_image(pixels).tobytes() == shown.convert("RGB").tobytes()
        if "A" in shown.getbands():
            exact = exact and shown.getchannel("A").getextrema() == (255, 255)
    return pixels, image_palette(image), exact


def _in_true_colour(image: Image.Image) -> Image.Image:
    """An image whose conversion to RGB or RGBA loses nothing.

    Pillow drops the transparency that a palette or one colour has when it converts to RGB, and
    clips greys of 16 bits.
    """
    if image.mode.startswith("I"):
        return Image.fromarray(png.from_image(image))
    return image.convert("RGBA") if image.has_transparency_data else image


def open_png(data: bytes) -> Image.Image:
    """A PNG file as an image.  Raises FormatError for a broken file."""
    try:
        check_pixels(*png.size(data), _MAX_PIXELS)
        image = Image.open(io.BytesIO(data), formats=["PNG"])
        image.load()
    except FormatError:
        raise
    except PILLOW_ERRORS as error:
        said = str(error).partition(" <")[0]  # Pillow shows the object that it reads
        raise FormatError(f"not a valid PNG image: {said}") from None
    return image


def area_numbers(data: bytes, colours: bytes) -> Pixels | None:
    """The number of the area that the colour of each pixel of a PNG file stands for; None for an
    indexed one.

    ``colours`` has r, g, b of each area.  Transparent pixels are of area 0.  Raises FormatError
    for a broken file, and a pixel of another colour.
    """
    image = open_png(data)
    if image.mode in ("P", "L"):
        return None
    shown = np.asarray(image.convert("RGBA")).astype(np.uint32)
    values = shown[..., 0] << 16 | shown[..., 1] << 8 | shown[..., 2]
    known = np.frombuffer(colours, np.uint8).reshape(-1, 3).astype(np.uint32)
    keys = known[:, 0] << 16 | known[:, 1] << 8 | known[:, 2]
    order = np.argsort(keys)
    numbers = order[np.minimum(np.searchsorted(keys[order], values), len(keys) - 1)]
    clear = shown[..., 3] == 0
    wrong = np.argwhere((keys[numbers] != values) & ~clear)
    if len(wrong):
        y, x = wrong[0].tolist()
        raise FormatError(
            f"the pixel at {x}, {y} is #{int(values[y, x]):06X}, which is the colour of no area "
            f"(area 1 is #{int(keys[1]):06X})"
        )
    numbers[clear] = 0
    return Pixels(image.width, image.height, 1, numbers.astype(np.uint8).tobytes())


def _rgb_from_565(data: bytes) -> bytes:
    value = np.frombuffer(data, dtype="<u2").astype(np.uint16)
    red, green, blue = value >> 11, value >> 5 & 63, value & 31
    rgb = np.empty((len(value), 3), dtype=np.uint8)
    rgb[:, 0] = red << 3 | red >> 2
    rgb[:, 1] = green << 2 | green >> 4
    rgb[:, 2] = blue << 3 | blue >> 2
    return rgb.tobytes()


def _rgb_to_565(data: bytes) -> bytes:
    rgb = np.frombuffer(data, dtype=np.uint8).reshape(-1, 3).astype(np.uint16)
    value = (rgb[:, 0] >> 3) << 11 | (rgb[:, 1] >> 2) << 5 | rgb[:, 2] >> 3
    return value.astype("<u2").tobytes()
