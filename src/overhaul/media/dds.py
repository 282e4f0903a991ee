"""DirectDraw surfaces (DDS): sizes and pixels, for textures of some platforms.

The layout follows Microsoft's documentation of the format; no game we have seen has one.
"""

from __future__ import annotations

import struct
from io import BytesIO
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import FormatError
from overhaul.media.bounds import MAX_PIXELS, PILLOW_ERRORS, check_pixels
from overhaul.media.png import from_image

MAGIC: Final = b"DDS "
_HEADER_SIZE: Final = 128
_EXTENDED_HEADER_SIZE: Final = 148
# Bytes per block of 4 x 4 pixels, by the four-character code of the pixel format.
_BLOCK_SIZES: Final = {
    b"DXT1": 8,
    b"DXT2": 16,
    b"DXT3": 16,
    b"DXT4": 16,
    b"DXT5": 16,
    b"ATI1": 8,
    b"ATI2": 16,
    b"BC4U": 8,
    b"BC4S": 8,
    b"BC5U": 16,
    b"BC5S": 16,
}
_HAS_FOUR_CHARACTER_CODE: Final = 0x4
_HAS_MIPMAP_COUNT: Final = 0x2_0000
_IS_CUBE_OR_VOLUME: Final = 0x20_0200
_DXGI_BLOCK_SIZES: Final = {
    **dict.fromkeys((70, 71, 72, 79, 80, 81), 8),
    **dict.fromkeys((73, 74, 75, 76, 77, 78, 82, 83, 84, 94, 95, 96, 97, 98, 99), 16),
}
_DXGI_PIXEL_BITS: Final = dict.fromkeys((27, 28, 29, 87, 88, 90, 91, 93), 32)


def _header(data: bytes | memoryview) -> tuple[int, ...]:
    head = bytes(data[:_HEADER_SIZE])
    if len(head) < _HEADER_SIZE or head[:4] != MAGIC or head[4:8] != b"\x7c\0\0\0":
        raise FormatError("not a DDS texture: its header is broken", offset=0)
    return struct.unpack("<31I", head[4:])


def size(data: bytes | memoryview) -> tuple[int, int]:
    """The (width, height) of the surface; raises FormatError."""
    header = _header(data)
    return header[3], header[2]


def length(data: bytes | memoryview) -> int:
    """The exact length by the header; all of ``data`` where the header does not say it.

    Raises FormatError when the header says more than there is.
    """
    header = _header(data)
    height, width = header[2], header[3]
    mipmaps = max(1, header[6]) if header[1] & _HAS_MIPMAP_COUNT else 1
    code = struct.pack("<I", header[20])
    start, block, bits = _HEADER_SIZE, 0, header[21]
    if header[19] & _HAS_FOUR_CHARACTER_CODE:
        bits = 0
        block = _BLOCK_SIZES.get(code, 0)
        if code == b"DX10" and len(data) >= _EXTENDED_HEADER_SIZE:
            start = _EXTENDED_HEADER_SIZE
            dxgi, _, _, layers, _ = struct.unpack("<5I", data[_HEADER_SIZE:start])
            block = _DXGI_BLOCK_SIZES.get(dxgi, 0) if layers <= 1 else 0
            bits = _DXGI_PIXEL_BITS.get(dxgi, 0) if layers <= 1 else 0
    if header[27] & _IS_CUBE_OR_VOLUME or not (block or bits) or mipmaps > 32:
        return len(data)
    total = start
    for level in range(mipmaps):
        w, h = max(1, width >> level), max(1, height >> level)
        total += (w + 3) // 4 * ((h + 3) // 4) * block if block else (w * bits + 7) // 8 * h
    if total > len(data):
        raise FormatError(f"the DDS texture takes {total} bytes, but {len(data)} are left")
    return total


def decode(data: bytes | memoryview, *, max_pixels: int = MAX_PIXELS) -> NDArray[np.uint8]:
    """The pixels of the largest level as (height, width, 4); raises FormatError."""
    from PIL import DdsImagePlugin  # start-up: Pillow

    check_pixels(*size(data), max_pixels, offset=12)
    length(data)
    try:
        with DdsImagePlugin.DdsImageFile(BytesIO(bytes(data))) as image:
            return from_image(image)
    except PILLOW_ERRORS as error:
        raise FormatError(f"the DDS texture can't be decoded: {error}", offset=0) from error
