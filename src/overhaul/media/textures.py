"""Texture blobs: what a texture page's bytes are, where they end, and their pixels.

========  ============================================================================
kind      bytes
========  ============================================================================
PNG       a PNG file
QOI       ``fioq``: GameMaker's image stream (:mod:`overhaul.media.qoi`)
BZ2_QOI   ``2zoq``, width and height as u16, in newer versions the stream's length as
          u32, then a bzip2 stream of a whole ``fioq`` stream
DDS       ``DDS ``: a DirectDraw surface, on some platforms
UNKNOWN   anything else: kept unchanged
========  ============================================================================

Older files don't state a blob's length; its own structure gives it (:func:`inspect`).
"""

from __future__ import annotations

import bz2
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import EncodeError, FormatError
from overhaul.media import dds, png, qoi
from overhaul.media.bounds import MAX_PIXELS, check_pixels

BZ2_QOI_MAGIC: Final = b"2zoq"

# The mark at the end of a bzip2 stream (48 bits, at any bit), which a CRC of 32 bits follows.
_BZ2_END: Final = 0x1772_4538_5090
_BZ2_END_BITS: Final = 48 + 32
# How far before the end of the space a bzip2 stream's end is looked for without decompressing it:
# the alignment of blobs (128) and of chunks (16), and the end itself.
_BZ2_TAIL: Final = 192
# GameMaker's compiler writes level 9.
_BZ2_LEVEL: Final = 9
# How much is decompressed at a time where only the length is wanted.
_BZ2_PIECE: Final = 1 << 20
# The longest operation of a fioq stream is five bytes for one pixel.
_LONGEST_OPERATION: Final = 5


class TextureFormat(Enum):
    """The kinds of texture blobs; the value is the name used in settings and JSON."""

    PNG = "png"
    QOI = "qoi"
    BZ2_QOI = "bz2-qoi"
    DDS = "dds"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class TextureInfo:
    """The facts in a blob's own header.

    ``length`` is the blob's exact length in bytes, ``header_size`` the bytes before a BZ2_QOI
    blob's bzip2 stream (8 up to 2022.4, 12 later; 0 for other kinds).
    """

    format: TextureFormat
    width: int
    height: int
    length: int
    header_size: int = 0


def sniff(data: bytes | memoryview) -> TextureFormat:
    """The kind of a blob, by its first bytes."""
    head = bytes(data[:8])
    if head == png.SIGNATURE:
        return TextureFormat.PNG
    return {
        qoi.MAGIC: TextureFormat.QOI,
        BZ2_QOI_MAGIC: TextureFormat.BZ2_QOI,
        dds.MAGIC: TextureFormat.DDS,
    }.get(head[:4], TextureFormat.UNKNOWN)


def inspect(data: bytes | memoryview) -> TextureInfo:
    """The size and exact length of the blob at the start of ``data``, without decoding it.

    ``data`` may go on after the blob.  A blob of unknown kind, or a DDS whose pixel format is
    unknown, takes all of it.  Raises FormatError when a blob of a known kind is broken or longer
    than ``data``.
    """
    kind = sniff(data)
    if kind is TextureFormat.PNG:
        return TextureInfo(kind, *png.size(data), png.length(data))
    if kind is TextureFormat.QOI:
        length = qoi.stream_length(data)
        if length > len(data):
            raise FormatError(f"the image takes {length} bytes, but {len(data)} are left", offset=8)
        return TextureInfo(kind, *qoi.size(data), length)
    if kind is TextureFormat.BZ2_QOI:
        header_size = _bz2_header_size(data)
        width, height = _u16(data, 4), _u16(data, 6)
        length = _bz2_end(data, header_size, _stream_limit(data, header_size, MAX_PIXELS))
        return TextureInfo(kind, width, height, length, header_size)
    if kind is TextureFormat.DDS:
        return TextureInfo(kind, *dds.size(data), dds.length(data))
    return TextureInfo(kind, 0, 0, len(data))


def decode(data: bytes | memoryview, *, max_pixels: int = MAX_PIXELS) -> NDArray[np.uint8]:
    """The pixels of a blob as (height, width, 4); bytes after the blob are ignored.

    Raises FormatError when it is broken, of unknown kind, or of more than ``max_pixels``.
    """
    kind = sniff(data)
    if kind is TextureFormat.QOI:
        return qoi.decode(data, max_pixels=max_pixels)
    if kind is TextureFormat.BZ2_QOI:
        stream = decompress(data, max_pixels=max_pixels)
        if qoi.size(stream) != (_u16(data, 4), _u16(data, 6)):
            raise FormatError("the compressed image does not have the size in its header", offset=4)
        return qoi.decode(stream, max_pixels=max_pixels)
    if kind is TextureFormat.PNG:
        return png.decode(data, max_pixels=max_pixels)
    if kind is TextureFormat.DDS:
        return dds.decode(data, max_pixels=max_pixels)
    raise FormatError("the texture is of an unknown kind", offset=0)


def encode(pixels: NDArray[np.uint8], kind: TextureFormat, *, header_size: int = 12) -> bytes:
    """A blob of an array (height, width, 4) in a kind Overhaul writes: PNG, QOI or BZ2_QOI.

    ``header_size`` is that of a BZ2_QOI blob: 8 up to 2022.4, 12 later.  Raises EncodeError.
    """
    if kind is TextureFormat.PNG:
        return png.encode(pixels)
    if kind is TextureFormat.QOI:
        return qoi.encode(pixels)
    if kind is TextureFormat.BZ2_QOI:
        return compress(qoi.encode(pixels), header_size=header_size)
    raise EncodeError(f"textures of the kind {kind.value!r} can't be written; use PNG or QOI")


def compress(stream: bytes, *, header_size: int = 12) -> bytes:
    """A ``2zoq`` blob of a ``fioq`` stream; ``header_size`` 8 or 12."""
    if header_size not in (8, 12):
        raise EncodeError(f"a 2zoq header has 8 or 12 bytes, got {header_size}")
    length = len(stream).to_bytes(4, "little") if header_size == 12 else b""
    return b"".join((BZ2_QOI_MAGIC, stream[4:8], length, bz2.compress(stream, _BZ2_LEVEL)))


def decompress(data: bytes | memoryview, *, max_pixels: int = MAX_PIXELS) -> bytes:
    """The ``fioq`` stream of a ``2zoq`` blob; bytes after the blob are ignored.

    The output never grows beyond what the header allows.  Raises FormatError.
    """
    header_size = _bz2_header_size(data)
    check_pixels(_u16(data, 4), _u16(data, 6), max_pixels, offset=4)
    limit = _stream_limit(data, header_size, max_pixels)
    stream = _bz2_decompress(memoryview(data)[header_size:], limit)
    if header_size == 12 and len(stream) != _u32(data, 8):
        raise FormatError(
            f"the compressed image has {len(stream)} bytes, not the {_u32(data, 8)} of its header",
            offset=8,
        )
    return stream


def recompresses_identically(data: bytes | memoryview) -> bool:
    """Whether :func:`compress` gives a ``2zoq`` blob's bytes again.

    Of real blobs about one in twelve does not: GameMaker's compressor is another variant of
    bzip2, and what it wrote must then be kept.  ``data`` is the exact blob.
    """
    header_size = _bz2_header_size(data)
    return compress(decompress(data), header_size=header_size) == bytes(data)


def _u16(data: bytes | memoryview, offset: int) -> int:
    return int.from_bytes(data[offset : offset + 2], "little")


def _u32(data: bytes | memoryview, offset: int) -> int:
    return int.from_bytes(data[offset : offset + 4], "little")


def _bz2_header_size(data: bytes | memoryview) -> int:
    """8 or 12: where the bzip2 stream of a ``2zoq`` blob begins."""
    if bytes(data[:4]) != BZ2_QOI_MAGIC:
        raise FormatError("not a compressed GameMaker QOI image: '2zoq' is missing", offset=0)
    # The stored length at 8 could have the bytes "BZh" by chance, so the place at 12 is first.
    for header_size in (12, 8):
        if bytes(data[header_size : header_size + 3]) == b"BZh":
            return header_size
    raise FormatError("the compressed image has no bzip2 stream after its header", offset=8)


def _stream_limit(data: bytes | memoryview, header_size: int, max_pixels: int) -> int:
    """The bytes a ``fioq`` stream can have, by the header of its ``2zoq`` blob."""
    pixels = min(_u16(data, 4) * _u16(data, 6), max_pixels)
    limit = qoi.HEADER_SIZE + _LONGEST_OPERATION * pixels
    return min(limit, _u32(data, 8)) if header_size == 12 else limit


def _bz2_decompress(compressed: memoryview, limit: int) -> bytes:
    """The decompressed bytes, at most ``limit``; bytes after the stream's end are ignored."""
    decompressor = bz2.BZ2Decompressor()
    try:
        stream = decompressor.decompress(compressed, limit)
        # At the limit the end may still be one call away; that call must give no byte more.
        more = b"" if decompressor.eof else decompressor.decompress(b"", 1)
    except (OSError, ValueError) as error:
        raise FormatError(f"the bzip2 stream is broken: {error}") from error
    if more:
        raise FormatError(f"the compressed image exceeds the {limit} bytes of its header")
    if not decompressor.eof:
        raise FormatError("the bzip2 stream ends early")
    return stream


def _bz2_length(compressed: memoryview, limit: int) -> int:
    """The length of a bzip2 stream, found by decompressing at most ``limit`` bytes of output."""
    decompressor = bz2.BZ2Decompressor()
    data: bytes | memoryview = compressed
    output = 0
    try:
        while not decompressor.eof:
            output += len(decompressor.decompress(data, _BZ2_PIECE))
            data = b""
            if output > limit:
                raise FormatError(f"the compressed image exceeds the {limit} bytes of its header")
            if decompressor.needs_input and not decompressor.eof:
                raise FormatError("the bzip2 stream ends early")
    except OSError as error:
        raise FormatError(f"the bzip2 stream is broken: {error}") from error
    return len(compressed) - len(decompressor.unused_data)


def _bz2_end(data: bytes | memoryview, start: int, limit: int) -> int:
    """Where the bzip2 stream from ``start`` ends.

    Mostly nothing but padding follows, so that its end mark is found near the end of ``data``;
    otherwise the stream is decompressed.
    """
    end = _bz2_end_mark(data, start)
    if end is None:
        end = start + _bz2_length(memoryview(data)[start:], limit)
    return end


def _bz2_end_mark(data: bytes | memoryview, start: int) -> int | None:
    """The end by the mark, where only zero bytes follow; None where that isn't so."""
    first = max(start, len(data) - _BZ2_TAIL)
    tail = bytes(data[first:])
    bits = int.from_bytes(tail, "big")
    mask = (1 << 48) - 1
    # `after` counts the bits after the mark: the CRC, the rest of its last byte, the padding.
    for after in range(32, len(tail) * 8 - 48 + 1):
        if bits >> after & mask == _BZ2_END:
            padding = (after - 32) // 8
            rest = bits & ((1 << (after - 32)) - 1)
            return len(data) - padding if rest == 0 else None
    return None
