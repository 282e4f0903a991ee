"""The pictures of a room as stored: backgrounds (LZW) and area masks (RLE)."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Annotated, Final

from overhaul.ags.compression import (
    compress_rle,
    decompress_lzw,
    decompress_rle,
    measure_rle,
)
from overhaul.ags.fields import blob
from overhaul.ags.lzw_encoder import compress_lzw
from overhaul.ags.pictures import Pixels
from overhaul.errors import EncodeError, FormatError
from overhaul.media.bounds import MAX_PIXELS, check_pixels
from overhaul.schema import Buffer, Bytes, Reader, Record, VariableCodec, Writer, i16, u32

_SIZE: Final = struct.Struct("<ii")
_LARGEST_SIDE: Final = 1 << 15


#: The picture that was unpacked last: its packed bytes, the size, and the pixels.
_last: tuple[bytes, int, bytes] = (b"", -1, b"")


def _unpacked(packed: bytes, size: int) -> bytes:
    """LZW undone; the last picture is kept, as its alpha and its pixels are asked for in turn."""
    global _last
    before, size_before, data = _last
    if before is not packed or size_before != size:
        data = decompress_lzw(packed, size)
        _last = packed, size, data
    return data


class LzwPicture(Record):
    """A background: its palette (6-bit r, g, b and a filler byte for each colour) and pixels.

    The packed data holds the length of a row in bytes, the number of rows, and the rows.
    """

    palette: Annotated[bytes, Bytes(1024)] = bytes(1024)
    unpacked_size: u32 = 0
    packed: blob = b""

    def pixels(self, depth: int) -> Pixels:
        """The picture at ``depth`` bytes per pixel; raises FormatError for broken data."""
        data = _unpacked(self.packed, self.unpacked_size)
        if len(data) < _SIZE.size:
            raise FormatError("the picture is too short to have a size")
        row, height = _SIZE.unpack_from(data)
        if row < 0 or height < 0 or row * height != len(data) - _SIZE.size or row % depth:
            raise FormatError(
                f"expected {height} rows of {row} bytes, got {len(data) - _SIZE.size} bytes"
            )
        return Pixels(row // depth, height, depth, data[_SIZE.size :])

    def set_pixels(
        self, pixels: Pixels, *, signed: bool, pack: Callable[[bytes], bytes] | None = None
    ) -> None:
        """Pack another picture, as editors up to 3.5.1 (``signed``) or later ones do.

        ``pack`` may be a quicker packer than theirs.
        """
        data = _SIZE.pack(pixels.width * pixels.depth, pixels.height) + pixels.data
        self.unpacked_size = len(data)
        self.packed = compress_lzw(data, signed=signed) if pack is None else pack(data)


class _RleData(VariableCodec[bytes]):
    """RLE data, whose length follows from unpacking it."""

    needs = ("width", "height")

    def type_name(self) -> str:
        return "RLE data of width × height bytes"

    def read(
        self, data: Buffer, position: int, reader: Reader, width: int, height: int
    ) -> tuple[bytes, int]:
        if not (0 <= width < _LARGEST_SIDE and 0 <= height < _LARGEST_SIDE):
            raise reader.fail(f"not a valid size of a mask: {width} × {height}", position)
        try:
            end = measure_rle(_as_bytes(data), width * height, 1, position)
        except FormatError as error:
            raise reader.fail(error.message, error.offset or position) from None
        return bytes(data[position:end]), end

    def write(self, writer: Writer, value: bytes, width: int, height: int) -> None:
        writer.out += value


def _as_bytes(data: Buffer) -> bytes:
    return data if isinstance(data, bytes) else bytes(data)


class Mask(Record):
    """A mask: the number of an area for each pixel.  The palette has no meaning."""

    width: i16 = 0
    height: i16 = 0
    packed: Annotated[bytes, _RleData()] = b""
    palette: Annotated[bytes, Bytes(768)] = bytes(768)

    def pixels(self) -> Pixels:
        """The mask, one byte per pixel."""
        check_pixels(self.width, self.height, MAX_PIXELS)
        size = self.width * self.height
        return Pixels(self.width, self.height, 1, decompress_rle(self.packed, size)[0])

    def set_pixels(self, pixels: Pixels, *, by_row: bool) -> None:
        """Pack another mask: ``by_row`` as editors up to 3.5.1 do."""
        if pixels.depth != 1 or max(pixels.width, pixels.height) >= _LARGEST_SIDE:
            raise EncodeError("expected an indexed picture of at most 32767 × 32767 as a mask")
        self.width, self.height = pixels.width, pixels.height
        self.packed = compress_rle(pixels.data, 1, pixels.width if by_row else 0)
