"""Pictures of Adventure Game Studio as pixels, and Pillow images of them, both ways.

Pixels are stored row by row without padding: one byte is a palette index, two are R5G6B5, three
are B, G, R and four B, G, R, A.  Every conversion here is exact in both directions: a PNG read
back gives the stored bytes, colours under zero alpha included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from overhaul.errors import EncodeError, FormatError

if TYPE_CHECKING:
    from PIL.Image import Image

PALETTE_COLOURS = 256
_GREYS = bytes(value for value in range(256) for _ in range(3))


@dataclass(slots=True)
class Pixels:
    """A picture: ``depth`` bytes per pixel, ``data`` of ``width * height * depth`` bytes."""

    width: int
    height: int
    depth: int
    data: bytes

    def __post_init__(self) -> None:
        if self.depth not in (1, 2, 3, 4):
            raise FormatError(f"a picture has 1 to 4 bytes per pixel, not {self.depth}")
        if len(self.data) != self.width * self.height * self.depth:
            raise FormatError(
                f"a picture of {self.width} x {self.height} x {self.depth} bytes has "
                f"{len(self.data)} bytes of pixels"
            )

    @property
    def uniform_alpha(self) -> int | None:
        """The alpha that all pixels share, or None (also where pixels have no alpha)."""
        if self.depth != 4 or not self.data:
            return None
        alpha = self.data[3::4]
        return alpha[0] if alpha.count(alpha[0]) == len(alpha) else None


def expand_palette(components: bytes, bits: int = 6) -> bytes:
    """Palette components of ``bits`` bits as 8-bit ones; undone by :func:`reduce_palette`."""
    if bits == 8:
        return components
    return bytes([(c << 2 | (c & 63) >> 4) & 0xFF for c in components])


def reduce_palette(components: bytes, bits: int = 6) -> bytes:
    """8-bit palette components as ``bits``-bit ones."""
    return components if bits == 8 else bytes([c >> 2 for c in components])


def to_image(pixels: Pixels, palette: bytes | None = None) -> Image:
    """A Pillow image: mode P (``palette``: 8-bit R, G, B triples), RGB, or RGBA.

    Four-byte pixels whose alpha is the same everywhere become RGB, as room backgrounds leave
    alpha at 0 and would be invisible; :attr:`Pixels.uniform_alpha` tells it, and
    :func:`from_image` takes it back.
    """
    from PIL import Image as pillow

    size = (pixels.width, pixels.height)
    if pixels.depth == 1:
        image = pillow.frombytes("P", size, pixels.data)
        image.putpalette(palette if palette is not None else _GREYS)
        return image
    if pixels.depth == 2:
        return pillow.frombytes("RGB", size, _rgb_from_565(pixels.data))
    if pixels.depth == 3:
        return pillow.frombytes("RGB", size, pixels.data, "raw", "BGR")
    if pixels.uniform_alpha is not None:
        return pillow.frombytes("RGB", size, pixels.data, "raw", "BGRX")
    return pillow.frombytes("RGBA", size, pixels.data, "raw", "BGRA")


def from_image(image: Image, depth: int, *, alpha: int = 255) -> Pixels:
    """The pixels of an image at ``depth`` bytes per pixel.

    ``alpha`` fills four-byte pixels of an image without alpha.  Raises EncodeError where an
    indexed picture is asked for and the image is not indexed.
    """
    width, height = image.size
    if depth == 1:
        if image.mode not in ("P", "L"):
            raise EncodeError(f"an indexed image is needed, not one of mode {image.mode}")
        return Pixels(width, height, 1, image.tobytes())
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


def image_palette(image: Image) -> bytes:
    """The palette of an indexed image as 768 bytes of 8-bit R, G, B, zeros where it has fewer."""
    return bytes(image.getpalette("RGB") or b"").ljust(3 * PALETTE_COLOURS, b"\0")


def _rgb_from_565(data: bytes) -> bytes:
    import numpy as np

    value = np.frombuffer(data, dtype="<u2").astype(np.uint16)
    red, green, blue = value >> 11, value >> 5 & 63, value & 31
    rgb = np.empty((len(value), 3), dtype=np.uint8)
    rgb[:, 0] = red << 3 | red >> 2
    rgb[:, 1] = green << 2 | green >> 4
    rgb[:, 2] = blue << 3 | blue >> 2
    return rgb.tobytes()


def _rgb_to_565(data: bytes) -> bytes:
    import numpy as np

    rgb = np.frombuffer(data, dtype=np.uint8).reshape(-1, 3).astype(np.uint16)
    value = (rgb[:, 0] >> 3) << 11 | (rgb[:, 1] >> 2) << 5 | rgb[:, 2] >> 3
    return value.astype("<u2").tobytes()
