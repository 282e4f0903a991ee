"""Pictures of Adventure Game Studio as pixels, and their palettes.

Pixels are stored row by row without padding: one byte is a palette index, two are R5G6B5, three
are B, G, R and four B, G, R, A.  :mod:`overhaul.ags.images` makes images of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from overhaul.errors import FormatError
from overhaul.schema.record import short_repr

#: the colours of a palette
PALETTE_COLOURS = 256
#: The palette of indexed pictures whose own is unknown.
GREYS = bytes(value for value in range(256) for _ in range(3))


@dataclass(slots=True)
class Pixels:
    """A picture: ``depth`` bytes per pixel, ``data`` of ``width * height * depth`` bytes."""

    __repr__ = short_repr

    width: int
    height: int
    depth: int
    data: bytes

    def __post_init__(self) -> None:
        if self.depth not in (1, 2, 3, 4):
            raise FormatError(f"expected 1 to 4 bytes per pixel, got {self.depth}")
        if len(self.data) != self.width * self.height * self.depth:
            raise FormatError(
                f"expected {self.width} x {self.height} x {self.depth} bytes of pixels, "
                f"got {len(self.data)}"
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
